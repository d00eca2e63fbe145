"""A user of the page: what they do, and what they read."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.explorer.browser import settle


class Walker:
    """A user with a window of the browser.

    Parameters
    ----------
    page
        The window.
    site
        The address of the page.
    user
        Who it is, for the names of pictures.
    look
        How the window looks: the options of the browser for its width and its colours.
    folder
        Where downloads are kept, and pictures, unless the variable SCREENSHOTS names a folder.
    """

    def __init__(self, page: Page, site: str, user: str, look: Mapping[str, Any], folder: Path) -> None:
        self._page = page
        self._look = look
        self._site = site
        self._name = f"{user}-{{}}-{look['viewport']['width']}-{look['color_scheme']}.png"
        self._folder = folder
        self._pictures = Path(os.environ.get("SCREENSHOTS", folder))

    def opens(self, file: Path) -> None:
        """Open the first page and hand over a file."""
        self._page.goto(self._site)
        self._page.locator("#file").set_input_files(file)
        self._page.wait_for_url("**/data?sheet=*")
        settle(self._page)

    def adds_truth(self, file: Path) -> None:
        """Hand over a file with the truth."""
        self._page.get_by_text("Add a file with the truth of some items").click()
        self._page.locator("#truth-file").set_input_files(file)
        self._page.get_by_role("button", name="Add", exact=True).click()
        self._page.wait_for_url("**truth=*")
        settle(self._page)

    def reads(self, words: str, where: str) -> None:
        """Find words where they are expected."""
        expect(self._page.locator(where).filter(has_text=words).first).to_be_visible()

    def sets(self, field: str, value: str) -> None:
        """Type a value, and wait for the answer."""
        before = self._page.url
        self._page.locator(f'form[data-live] input[name="{field}"]').fill(value)
        self._page.wait_for_url(lambda url: url != before)
        settle(self._page)

    def takes_step(self, name: str, words: str) -> None:
        """Open a step, and read its verdict."""
        step = self._page.locator(f".step#{name}")
        if step.get_attribute("open") is None:
            step.locator("summary").first.click()
        expect(step.locator(".verdict, .headline").first).to_contain_text(words)
        settle(self._page)

    def follows(self, link: str) -> None:
        """Follow a link."""
        self._page.get_by_role("link", name=link).last.click()
        settle(self._page)

    def back(self) -> None:
        """Go back to the page before."""
        self._page.go_back()
        settle(self._page)

    def downloads(self, link: str) -> Path:
        """Download what a link offers."""
        with self._page.expect_download() as started:
            self._page.get_by_role("link", name=link).first.click()
        target = self._folder / started.value.suggested_filename
        started.value.save_as(target)
        return target

    def opens_from_disk(self, file: Path) -> str:
        """Open a downloaded page in a window without a network, look at it, and return its text."""
        browser = self._page.context.browser
        assert browser is not None
        with browser.new_context(**self._look, offline=True) as context:
            page = context.new_page()
            page.goto(file.as_uri())
            self._look_at(page, "report")
            return page.locator("body").inner_text()

    def stops(self, name: str, at: str | None = None) -> None:
        """Look at the page from a place on: nothing is wider than the window, and nothing went wrong."""
        if at is not None:
            self._page.locator(at).scroll_into_view_if_needed()
            self._page.evaluate("selector => document.querySelector(selector).scrollIntoView()", at)
        assert self._page.locator(".error").count() == 0
        self._look_at(self._page, name)

    def _look_at(self, page: Page, name: str) -> None:
        """Take a picture of a page, which is no wider than the window."""
        page.screenshot(path=self._pictures / self._name.format(name))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
