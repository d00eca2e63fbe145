"""What only one thread may do at a time."""

from threading import RLock

WARNING = RLock()
"""Held while warnings are caught: Python catches them for all threads at once."""
