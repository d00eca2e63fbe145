"""The page of an adapter, run where the package that it adapts is installed."""

import doctest

import pytest

from tests.paths import ROOT


def check_page(name: str) -> None:
    """Run the Python lines of ``docs/integrations/NAME.md``, in the root of the checkout as a reader would."""
    page = ROOT / "docs" / "integrations" / f"{name}.md"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        outcome = doctest.testfile(
            str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        )
    assert outcome.attempted > 0, f"{page} has no Python lines"
    assert outcome.failed == 0
