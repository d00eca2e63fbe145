"""What only one thread may do at a time."""

from threading import RLock

WARNING = RLock()
"""Held while an analysis is computed, so that no two threads compute the same one."""
