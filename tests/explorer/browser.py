"""The page as a person meets it: the installed command serves it, and a real browser opens it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page
    from starlette.testclient import TestClient

EXECUTABLE = Path(sys.executable).with_name("bribeproof")
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
)  # fmt: skip
SECONDS = 120
"""After so long something hangs; a busy machine answers late, which is no failure."""
UNSETTLED = "[aria-busy=true], .working:visible, img[data-next]"
"""What a page shows while more is computed: an answer, a step that is open, a picture."""
OWN_REFUSAL = re.compile(r"status of (413|422)")
"""A browser calls an answer that says what is wrong with a form an error; it is one of the user's, not of the page."""

MakePage = Callable[..., "Page"]


@contextmanager
def served(*arguments: object) -> Iterator[str]:
    """Start the command, give the address that it prints, and end it by Ctrl-C; it must have nothing to complain of."""
    command = [str(EXECUTABLE), "explore", "--port", "0", "--no-browser", *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            address = re.search(r"http://\S+", said)
            assert address is not None, said or process.communicate(timeout=SECONDS)
            yield address[0].rstrip("/")
        finally:
            process.send_signal(signal.SIGINT)
            _, complaints = process.communicate(timeout=SECONDS)
    assert (process.returncode, complaints) == (0, "")


@pytest.fixture(scope="session")
def site_with() -> Iterator[Callable[[Path], str]]:
    """Serve a file, each one once; give the address."""
    sites: dict[Path, str] = {}
    with ExitStack() as running:

        def start(file: Path) -> str:
            if file not in sites:
                sites[file] = running.enter_context(served(file))
            return sites[file]

        yield start


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Serve the page without a file; give its address, such as http://127.0.0.1:8765."""
    with served() as address:
        yield address


@pytest.fixture(scope="session")
def client() -> "Iterator[TestClient]":
    """Ask the app in this process, under a name that it answers to."""
    from starlette.testclient import TestClient

    from bribeproof.explorer.app import create_app
    from bribeproof.explorer.settings import Settings

    patient = Settings(seconds=SECONDS, page_seconds=SECONDS)
    with TestClient(create_app(patient), base_url="http://127.0.0.1") as asking:
        yield asking


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Start Chromium, for one file of tests: while it runs, no other test of this process can start an event loop."""
    if not CHROMIUM.exists():
        if "CI" in os.environ:
            pytest.fail(f"{CHROMIUM} is missing")
        pytest.skip(f"there is no {CHROMIUM}")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * SECONDS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def new_page(browser: "Browser") -> Iterator[MakePage]:
    """Open pages, each in a context of its own with the options of `Browser.new_context`.

    The test fails at its end if anything was written to the console as an error, a script failed, or a request went to
    another machine.
    """
    wrong: list[str] = []

    def heard(message: "ConsoleMessage") -> None:
        if message.type == "error" and not OWN_REFUSAL.search(message.text):
            wrong.append(message.text)

    def asked(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"data", "blob", "about"} and parts.hostname != "127.0.0.1":
            wrong.append(f"asked {url}")

    with ExitStack() as contexts:

        def make(**options: object) -> "Page":
            context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))  # type: ignore[arg-type]
            contexts.callback(context.close)
            context.on("console", heard)
            context.on("weberror", lambda error: wrong.append(str(error.error)))
            context.on("request", lambda request: asked(request.url))
            context.set_default_timeout(1000 * SECONDS)
            return context.new_page()

        yield make
    assert wrong == []


def settle(page: "Page") -> None:
    """Wait until the page has loaded and all that it computes is there; a quiet network may only be a slow machine."""
    from playwright.sync_api import expect

    page.wait_for_load_state()
    expect(page.locator(UNSETTLED)).to_have_count(0)


@pytest.fixture
def page(new_page: MakePage) -> "Page":
    """Open one page, 1280 by 900."""
    return new_page()


@pytest.fixture
def shot(tmp_path: Path) -> "Callable[[Page, str], Path]":
    """Take a picture of the whole page by a name, into the folder that the variable SCREENSHOTS names, if any."""
    folder = Path(os.environ.get("SCREENSHOTS", tmp_path))

    def take(page: "Page", name: str) -> Path:
        path = folder / f"{name}.png"
        page.screenshot(path=path, full_page=True)
        return path

    return take
