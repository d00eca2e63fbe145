"""Shared by the tests of the table functions: one fixture that runs a test on every kind of input."""

from functools import partial
from pathlib import Path

import pytest
from engines import EACH_KIND, Give, give


@pytest.fixture(params=EACH_KIND)
def read(request: pytest.FixtureRequest, tmp_path: Path) -> Give:
    """Turns columns into one kind of input."""
    return partial(give, request.param, folder=tmp_path)
