"""Test that the example picture shows what its caption says, and that the map of the packages is the one of today."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import bribeproof as bp
from tests.paths import ROOT


def load(path: Path) -> ModuleType:
    """Return a script of the checkout as a module; what lies beside it can be imported, as when it is run."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module


def test_one_bribed_judge_buys_the_plain_mean_and_not_the_trimmed_mean(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    script = load(ROOT / "examples" / "one_bribed_judge.py")
    names, marks, lies = script.read_marks()
    changed = (marks != lies) & ~(np.isnan(marks) & np.isnan(lies))
    assert changed.any(axis=0).sum() == 1
    assert names[np.nanmean(marks, axis=1).argmax()] == "Ember"
    assert names[np.nanmean(lies, axis=1).argmax()] == "Borealis"
    assert names[bp.trimmed_mean(marks, 1).argmax()] == names[bp.trimmed_mean(lies, 1).argmax()] == "Ember"
    path = tmp_path / "picture.svg"
    script.main(str(path))
    for half in ("", "-mean", "-trimmed"):
        kept = ROOT / "docs" / "images" / f"one-bribed-judge{half}.svg"
        assert path.with_stem(f"picture{half}").read_bytes() == kept.read_bytes()


def test_the_map_of_the_packages_is_drawn_from_todays_contract() -> None:
    script = load(ROOT / "docs" / "tools" / "draw_architecture.py")
    packages = {path.parent.name for path in (ROOT / "src" / "bribeproof").glob("*/__init__.py")}
    assert packages <= {name for row in script.layers() for name in row}
    assert script.PICTURE.read_text(encoding="utf-8") == script.draw()


def test_every_file_that_the_architecture_page_names_is_there() -> None:
    text = (ROOT / "docs" / "development" / "architecture.md").read_text(encoding="utf-8")
    there = [path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob("*")]
    named = [name.rstrip("/") for name in re.findall(r"`([\w./]+(?:\.py|/)|src/[\w/.]+)`", text)]
    assert len(named) > 30
    assert [name for name in named if not any(f"/{path}".endswith(f"/{name}") for path in there)] == []
