"""Shared by the tests of the table functions: one fixture that runs a test on every kind of input."""

from functools import partial
from pathlib import Path

import pytest
from engines import KINDS, Give, give


@pytest.fixture(params=KINDS)
def read(request: pytest.FixtureRequest, tmp_path: Path) -> Give:
    """Turns columns into one kind of input."""
    return partial(give, request.param, folder=tmp_path)
