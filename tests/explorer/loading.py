"""Measure in the browser how a page loads: when its first number is there, and how much of it jumps meanwhile."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.explorer.browser import settle

if TYPE_CHECKING:
    from playwright.sync_api import Page

_OBSERVE = """
window.shifts = [];
const html = (source) => source.node?.outerHTML?.slice(0, 80);
new PerformanceObserver((list) => {
  for (const shift of list.getEntries().filter((one) => !one.hadRecentInput)) {
    window.shifts.push([shift.value, shift.sources.map(html)]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
_FIRST = """
(selector) => new Promise((resolve) => {
  const look = () => (document.querySelector(selector) ? resolve(performance.now()) : requestAnimationFrame(look));
  look();
})
"""


@dataclass(frozen=True, slots=True)
class Loading:
    """How a page loaded.

    Attributes
    ----------
    seconds
        The time from the start of the request to the first number on the page.
    shift
        The cumulative layout shift until the page was at rest: 0 if nothing moved; up to 0.1 counts as good.
    moved
        What moved.
    """

    seconds: float
    shift: float
    moved: tuple[str, ...]


def load(page: "Page", address: str, number: str, rest: float = 0.7) -> Loading:
    """Load an address, and scroll down so that its pictures load as well.

    Parameters
    ----------
    page
        A page of the browser.
    address
        The address.
    number
        CSS selector of the first number.
    rest
        Seconds to wait after the page was loaded.
    """
    page.add_init_script(_OBSERVE)
    page.goto(address, wait_until="commit")
    seconds = page.evaluate(_FIRST, number) / 1e3
    settle(page)
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    page.wait_for_timeout(1e3 * rest)
    shifts = page.evaluate("window.shifts")
    moved = tuple(f"{value:.4f}: {sources}" for value, sources in shifts)
    return Loading(seconds, sum(value for value, _ in shifts), moved)
