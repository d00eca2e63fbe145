"""What the package imports is what pyproject.toml declares, and the lock file follows it."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.paths import ROOT

PACKAGE = ROOT / "src" / "bribeproof"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

EXTRAS_OF_PLACE = {
    "frames": ("pandas", "pyarrow"),
    "cli": ("explorer", "paper", "ensemble", "plots"),
    "explorer": ("explorer",),
    "integrations/deepeval": ("deepeval",),
    "integrations/flower": ("flower",),
    "integrations/inspect_ai": ("inspect-ai",),
    "integrations/mcp": ("mcp",),
    "integrations/trulens": ("trulens",),
    "io": ("excel",),
    "learn": ("learn",),
    "paper": ("paper",),
    "paper/ensemble": ("resnet",),
    "plots": ("plots",),
}
"""Extras that a file or folder may import from; what is below it too. All other code has the core requirements only."""

OF_ADAPTERS = {
    extra for place, extras in EXTRAS_OF_PLACE.items() if place.startswith("integrations/") for extra in extras
}
"""Each is tested in an environment of its own, by ``./check integrations``: what they need does not go together."""

NOT_IMPORTED = {"duckdb", "pyspark", "python-multipart"}
"""Users hand over the frames of the first two, and narwhals does the rest; starlette imports the last."""


def requirements(extras: tuple[str, ...]) -> dict[str, Requirement]:
    """Return the requirements of extras by name, with those of the extras that they name in turn."""
    found: dict[str, Requirement] = {}
    for extra in extras:
        for line in PROJECT["optional-dependencies"][extra]:
            requirement = Requirement(line)
            if requirement.name == PROJECT["name"]:
                found |= requirements(tuple(sorted(requirement.extras)))
            else:
                found[canonicalize_name(requirement.name)] = requirement
    return found


INSTALLED = packages_distributions()
PROVIDERS = {"trulens": "trulens-feedback"}
"""The distribution of a package that adapters need, as it is not installed where they are not tested."""
CORE = {canonicalize_name(Requirement(line).name): Requirement(line) for line in PROJECT["dependencies"]}


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the third-party packages that a file imports, each with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [node.module]
        else:
            continue
        for name in names:
            top = name.partition(".")[0]
            if top not in sys.stdlib_module_names and top != PACKAGE.name:
                yield top, node.lineno


def distributions(package: str) -> set[str]:
    """Return the distributions that a package may come from; one that is not installed bears the package's own name."""
    return {canonicalize_name(name) for name in INSTALLED.get(package, [PROVIDERS.get(package, package)])}


def extras_of(path: Path) -> tuple[str, ...]:
    """Return the extras that a file may import from: its own, or those of the deepest folder that has any."""
    module = path.relative_to(PACKAGE).with_suffix("")
    places = [place.as_posix() for place in (module, *module.parents)]
    return next((EXTRAS_OF_PLACE[place] for place in places if place in EXTRAS_OF_PLACE), ())


def skip_where_missing() -> None:
    """Skip where a distribution whose name is not that of its package is not installed."""
    missing = {"PIL", "sklearn"} - INSTALLED.keys()
    if missing:
        pytest.skip(f"the distributions of {', '.join(sorted(missing))} are known only where they are installed")


def test_what_is_imported_is_declared() -> None:
    skip_where_missing()
    undeclared = [
        f"{path.relative_to(ROOT)}:{line} imports {package}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for package, line in imports(path)
        if not distributions(package) & (CORE | requirements(extras_of(path))).keys()
    ]
    assert undeclared == []


def test_what_is_declared_is_imported() -> None:
    skip_where_missing()
    used = {name for path in PACKAGE.rglob("*.py") for package, _ in imports(path) for name in distributions(package)}
    assert (CORE | requirements(("all", "resnet"))).keys() - used == NOT_IMPORTED


def test_every_extra_but_those_of_developers_is_in_all() -> None:
    apart = {"all", "benchmark", "dev", "lint", "resnet", "site", "test"}
    parts = set(PROJECT["optional-dependencies"]) - apart - OF_ADAPTERS
    assert set(Requirement(PROJECT["optional-dependencies"]["all"][0]).extras) == parts


def test_every_adapter_has_a_job_of_its_own() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    (listed,) = re.findall(r"adapter: \[(.*)\]", workflow)
    tested = sorted(path.stem.removeprefix("test_") for path in (ROOT / "tests" / "integrations").glob("test_*.py"))
    assert listed.split(", ") == tested


def test_the_lock_file_satisfies_every_requirement() -> None:
    text = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    locked: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE):
        locked.setdefault(canonicalize_name(name), []).append(version)
    stale = [
        str(requirement)
        for name, requirement in (CORE | requirements(("dev",))).items()
        if not locked.get(name) or not all(map(requirement.specifier.contains, locked[name]))
    ]
    assert stale == [], "run ./check lock"


def test_the_lock_file_names_no_host() -> None:
    text = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*-", re.sub(r"^\s*--hash=.*$", "", text, flags=re.MULTILINE), re.MULTILINE)
