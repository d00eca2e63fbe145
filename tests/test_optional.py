"""Optional packages: the hints name what is declared, and all that is missing at once."""

import re
import sys
import tomllib
from types import ModuleType

import pytest

from bribeproof import MissingPackageError
from bribeproof._optional import REQUIREMENTS, require
from tests.paths import ROOT


def test_hints_ask_for_the_versions_that_are_declared() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    declared = {line.partition(",")[0] for lines in extras.values() for line in lines}
    for package, version in REQUIREMENTS.values():
        assert f"{package}>={version}" in declared


def test_no_hint_installs_this_package_itself() -> None:
    for path in (ROOT / "src").rglob("*.py"):
        assert not re.search(r"pip install '?bribeproof", path.read_text()), path


def test_all_missing_packages_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "jinja2", ModuleType("jinja2"))
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError) as caught:
        require("the experiment", "matplotlib", "jinja2", "torch")
    assert isinstance(caught.value, MissingPackageError)
    assert str(caught.value) == (
        "the experiment needs matplotlib 3.10 or newer and torch 2.6 or newer "
        "(pip install 'matplotlib>=3.10' 'torch>=2.6')"
    )
