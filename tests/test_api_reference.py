"""Every public name has a page in docs/reference/api, and every name there exists and says what it is."""

import ast
from pathlib import Path
from types import ModuleType

import pytest
from extensions.api_names import PAGES, documented_names, look_up

import bribeproof
from bribeproof import jury, plots, rules, theory
from tests.paths import ROOT

INTEGRATIONS = ROOT / "src" / "bribeproof" / "integrations"


@pytest.fixture(scope="module")
def documented() -> set[int]:
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib")
    return {id(look_up(module, name)) for module, name in documented_names()}


@pytest.mark.parametrize("module", [bribeproof, jury, plots, rules, theory], ids=lambda module: module.__name__)
def test_every_public_name_has_a_page(module: ModuleType, documented: set[int]) -> None:
    values = {name: getattr(module, name) for name in module.__all__}
    missing = [name for name, value in values.items() if id(value) not in documented]
    assert [name for name in missing if not isinstance(values[name], ModuleType)] == []


def test_every_estimator_has_a_page(documented: set[int]) -> None:
    learn = pytest.importorskip("bribeproof.learn")
    assert all(id(getattr(learn, name)) in documented for name in learn.__all__)


@pytest.mark.parametrize("module", sorted(INTEGRATIONS.glob("[a-z]*.py")), ids=lambda module: module.stem)
def test_every_adapter_is_named(module: Path) -> None:
    source = module.read_text(encoding="utf-8")
    page = (PAGES / "integrations.md").read_text(encoding="utf-8")
    public = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert [name for name in public if not name.startswith("_") and name not in page] == []


def test_no_name_has_two_pages() -> None:
    names = [f"{module}.{name}" for module, name in documented_names()]
    assert sorted({name for name in names if names.count(name) > 1}) == []
