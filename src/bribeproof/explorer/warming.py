"""Load what the first pages need as soon as the server has started, before anybody asks for them."""

import asyncio
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

if TYPE_CHECKING:
    from fastapi import FastAPI

    from bribeproof.explorer.workers.pool import Workers


async def warm_up(app: "FastAPI") -> None:
    """Draw the first design in this process, and load what pages on files and on attacks need in one process for each.

    Parameters
    ----------
    app
        The application, which has started.
    """
    workers: tuple[Workers, ...] = (app.state.page_workers, app.state.attack_workers)
    await asyncio.gather(run_in_threadpool(_load_design), *(one.warm_up(load_tables) for one in workers))


def load_tables() -> None:
    """Attack a crowd of three, which loads all that pages on crowds and on files need."""
    from bribeproof.explorer.attack.pages import show
    from bribeproof.explorer.attack.query import form_values, parse_query
    from bribeproof.explorer.data import pages  # noqa: F401  it is loaded for the page of a file

    smallest = {"n": "3", "items": "6", "draws": "1", "adversaries": "1", "k": "1"}
    show(parse_query(smallest), None, form_values(smallest), fragment=True)


def _load_design() -> None:
    """Evaluate and draw the design that the form begins with."""
    from bribeproof.explorer.panel import figures
    from bribeproof.explorer.panel.evaluation import changes, evaluate
    from bribeproof.explorer.panel.query import DEFAULTS, parse_design

    design = parse_design(DEFAULTS)
    evaluate(design)
    changes(design)
    figures.rule(design)
