"""The fixtures of browsing, for the pages of reports."""

from tests.explorer.browser import browser

__all__ = ["browser"]
