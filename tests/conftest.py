"""What the tests share: every kind of input, and one process for all that is slow to start."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from tests.frames.inputs import EACH_KIND, Give, give


@pytest.fixture(params=EACH_KIND)
def read(request: pytest.FixtureRequest, tmp_path: Path) -> Give:
    """Turns columns into one kind of input."""
    return partial(give, request.param, folder=tmp_path)


_CASES = {"duckdb": 3, "pandas": 10, "polars-lazy": 10, "pyarrow": 10}
"""How many cases of a test run on a kind of input by default; DuckDB costs as much as all others together."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one process run all tests on Spark and one all in a browser; most cases of some kinds of input are slow."""
    cases = Counter[tuple[str, str]]()
    for item in items:
        given = item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
        for kind in (one for one in given if isinstance(one, str) and one in _CASES):
            cases[item.nodeid.partition("[")[0], kind] += 1
            if cases[item.nodeid.partition("[")[0], kind] > _CASES[kind]:
                item.add_marker(pytest.mark.slow)
        for name in ("spark", "browser"):
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.xdist_group(name))
