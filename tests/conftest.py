"""Shared by the tests of the table functions: one fixture that runs a test on every kind of input."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.frames.inputs import AFTERWARDS, EACH_KIND, Give, give


@pytest.fixture(scope="session", autouse=True)
def _end() -> Iterator[None]:
    """Ends what tests have started."""
    with AFTERWARDS:
        yield


@pytest.fixture(params=EACH_KIND)
def read(request: pytest.FixtureRequest, tmp_path: Path) -> Give:
    """Turns columns into one kind of input."""
    return partial(give, request.param, folder=tmp_path)
