"""The fixtures of browsing, for every test of the page."""

from tests.explorer.browser import browser, client, new_page, page, shot, site, site_with

__all__ = ["browser", "client", "new_page", "page", "shot", "site", "site_with"]
