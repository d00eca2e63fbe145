"""Load what the first pages need as soon as the server has started, before anybody asks for them."""

from typing import TYPE_CHECKING

from bribeproof.explorer.workers import pool

if TYPE_CHECKING:
    from fastapi import FastAPI

_PROCESSES = 2
"""So many processes are made ready: one for what is asked first, and one for what is asked meanwhile."""


async def warm_up(app: "FastAPI") -> None:
    """Load what all pages need in the processes that compute them.

    Parameters
    ----------
    app
        The application, which has started.
    """
    pools = app.state.page_workers, app.state.attack_workers, app.state.panel_workers
    await pool.warm_up(pools, load_pages, _PROCESSES)


def load_pages() -> None:
    """Attack a crowd of three, which loads all that pages on crowds and on files need, and show the first design."""
    from bribeproof.explorer.attack.pages import show
    from bribeproof.explorer.attack.query import form_values, parse_query
    from bribeproof.explorer.data import pages  # noqa: F401  it is loaded for the page of a file
    from bribeproof.explorer.panel.pages import load

    smallest = {"n": "3", "items": "6", "draws": "1", "adversaries": "1", "k": "1"}
    show(parse_query(smallest), None, form_values(smallest), fragment=True)
    load()
