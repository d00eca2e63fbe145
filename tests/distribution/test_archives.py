"""What the source distribution and the wheel of ``./check dist`` hold, and what they do not."""

import os
import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.distribution.test_licences import OTHERS, SOURCES, names, tracked, unnamed
from tests.paths import ROOT

LITTER = re.compile(
    r"(^|/)(__pycache__|\.[a-z_]*cache|\.doctrees|\.hypothesis|\.venvs?|dist|build)(/|$)|\.py[co]$|\.buildinfo$"
)
OWN = ("PKG-INFO", ".gitignore")
"""Beside what pyproject.toml lists, a source distribution holds these."""


def archive(ending: str) -> Path:
    """Return the one file of DIST with this ending."""
    if "DIST" not in os.environ:
        pytest.skip("DIST does not name the folder of the archives; ./check dist builds them and runs this")
    (path,) = Path(os.environ["DIST"]).glob(f"*{ending}")
    return path


@pytest.fixture(scope="module")
def wheel() -> dict[str, bytes]:
    with zipfile.ZipFile(archive(".whl")) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


@pytest.fixture(scope="module")
def sdist() -> dict[str, bytes]:
    def members() -> Iterator[tuple[str, bytes]]:
        with tarfile.open(archive(".tar.gz")) as opened:
            for member in opened:
                assert member.isfile(), member.name
                file = opened.extractfile(member)
                assert file is not None
                yield member.name.partition("/")[2], file.read()

    return dict(members())


def package(files: dict[str, bytes] | list[str], folder: str) -> set[str]:
    """Return the files of the package in an archive."""
    return {name.removeprefix(folder) for name in files if name.startswith(f"{folder}bribeproof/")}


def test_the_wheel_holds_the_package_and_what_describes_it(wheel: dict[str, bytes]) -> None:
    beside = {name.partition(".dist-info/")[2] for name in wheel if not name.startswith("bribeproof/")}
    assert beside == {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "licenses/LICENSES.md"}
    kinds = {"py.typed", "explorer/static/explorer.js", "explorer/templates/base.html", "reporting/report.css"}
    assert {f"bribeproof/{name}" for name in kinds} <= wheel.keys()


def test_the_wheel_has_every_file_of_the_package(wheel: dict[str, bytes], sdist: dict[str, bytes]) -> None:
    assert package(wheel, "") == package(sdist, "src/")
    assert package(wheel, "") == package(tracked(), "src/")


def test_the_wheel_holds_nothing_of_others(wheel: dict[str, bytes]) -> None:
    held = [f"src/{name}" for name in wheel if Path(name).suffix not in SOURCES and name.startswith("bribeproof/")]
    assert unnamed(held) == []
    assert [name for pattern in OTHERS for name in names(pattern, held)] == []


def test_the_source_distribution_holds_the_project(sdist: dict[str, bytes]) -> None:
    held = {name for name in sdist if not name.startswith("site/")}
    assert held - set(OWN) == set(tracked()) - {".ci/run", *OWN}


def test_the_copy_of_the_documentation_is_whole(sdist: dict[str, bytes]) -> None:
    built = {path.relative_to(ROOT).as_posix() for path in (ROOT / "site").rglob("*") if path.is_file()}
    if not built:
        pytest.skip("no site/; ./check site builds it")
    assert {name for name in sdist if name.startswith("site/")} == built
    assert "site/index.html" in built


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_no_caches_and_no_places_of_this_machine(kind: str, request: pytest.FixtureRequest) -> None:
    files: dict[str, bytes] = request.getfixturevalue(kind)
    assert [name for name in files if LITTER.search(name)] == []
    places = [str(place).encode() for place in {ROOT, Path.home()} if len(place.parts) > 2 or place == ROOT]
    assert [name for name, content in files.items() if any(place in content for place in places)] == []


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_the_metadata_name_the_licence(kind: str, request: pytest.FixtureRequest) -> None:
    files: dict[str, bytes] = request.getfixturevalue(kind)
    (metadata,) = (files[name].decode() for name in files if name.endswith(("PKG-INFO", ".dist-info/METADATA")))
    head = metadata.partition("\n\n")[0]
    assert "License-Expression: MIT" in head
    assert "License-File: LICENSES.md" in head
    assert ("Project-URL: " in head) == ("SOURCE_URL" in os.environ)


def test_the_image_is_given_what_a_build_reads() -> None:
    copied = {
        word
        for line in (ROOT / "Containerfile").read_text().splitlines()
        if line.startswith("COPY ")
        for word in line.split()
    }
    sent = set((ROOT / ".dockerignore").read_text().split())
    for name in ("LICENSE", "LICENSES.md", "README.md", "hatch_build.py", "pyproject.toml", "src"):
        assert name in copied
        assert f"!{name}" in sent
