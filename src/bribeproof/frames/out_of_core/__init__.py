"""Read files that are larger than memory."""

from bribeproof.frames.out_of_core.large_table import LargeTable, Progress, scan_table

__all__ = ["LargeTable", "Progress", "scan_table"]
