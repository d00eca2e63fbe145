"""What the tests share: every kind of input, and one process for all that is slow to start."""

from functools import partial
from pathlib import Path

import pytest

from tests.frames.inputs import EACH_KIND, Give, give


@pytest.fixture(params=EACH_KIND)
def read(request: pytest.FixtureRequest, tmp_path: Path) -> Give:
    """Turns columns into one kind of input."""
    return partial(give, request.param, folder=tmp_path)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one process run all tests on Spark and one all tests in a browser, which take seconds to start."""
    for item in items:
        for name in ("spark", "browser"):
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.xdist_group(name))
