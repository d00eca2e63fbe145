"""What a package index shows: README.md with absolute links where the addresses are known, and as it is elsewhere."""

import re
import shutil
from pathlib import Path

import pytest

from tests.paths import ROOT

SOURCE = "https://host.example/owner/project"
DOCUMENTATION = "https://owner.host.example/project"
README = (ROOT / "README.md").read_text(encoding="utf-8")
NOT_CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.DOTALL | re.MULTILINE)


class Project:
    """The metadata that a build of this checkout would have."""

    def __init__(self, folder: Path) -> None:
        from hatchling.metadata.core import ProjectMetadata
        from hatchling.plugin.manager import PluginManager

        # In a folder of their own: an unpacked source distribution has its metadata already, and they would be taken.
        for name in (
            "LICENSE",
            "LICENSES.md",
            "README.md",
            "hatch_build.py",
            "pyproject.toml",
            "src/bribeproof/__init__.py",
        ):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        core = ProjectMetadata(str(folder), PluginManager()).core
        self.text: str = core.readme
        self.urls: dict[str, str] = core.urls
        self.version: str = core.config["version"]


def targets(text: str) -> list[str]:
    """Return what the links and pictures of a Markdown text lead to."""
    return re.findall(r"\]\(([^)\s]+)\)", NOT_CODE.sub("", text))


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Project:
    monkeypatch.setenv("SOURCE_URL", SOURCE)
    monkeypatch.setenv("DOCUMENTATION_URL", f"{DOCUMENTATION}/")
    return Project(tmp_path)


def file_of(address: str, version: str) -> Path | None:
    """Return the file of this checkout that an address of the long description stands for."""
    path = address.partition("#")[0]
    if path.startswith(f"{DOCUMENTATION}/"):
        return ROOT / "docs" / path.removeprefix(f"{DOCUMENTATION}/").replace(".html", ".md")
    for kind in ("raw", "blob"):
        if path.startswith(start := f"{SOURCE}/{kind}/v{version}/"):
            assert (kind == "raw") == path.endswith((".svg", ".png")), address
            return ROOT / path.removeprefix(start)
    assert not path.startswith((SOURCE, DOCUMENTATION)), address
    return None


def test_every_link_is_absolute_and_leads_to_a_file(published: Project) -> None:
    before, after = targets(README), targets(published.text)
    assert len(before) == len(after) > 20
    for old, new in zip(before, after, strict=True):
        assert new.startswith("https://"), old
        file = file_of(new, published.version)
        assert file == (None if "://" in old else ROOT / old.partition("#")[0]), new
        assert file is None or file.is_file(), new
        assert old.partition("#")[2] == new.partition("#")[2]


def test_nothing_but_links_changes(published: Project) -> None:
    blank = re.compile(r"\]\([^)\s]+\)")
    assert blank.sub("]", published.text) == blank.sub("]", README)


def test_the_addresses_of_the_project_are_named(published: Project) -> None:
    assert published.urls == {
        "Documentation": f"{DOCUMENTATION}/",
        "Source": SOURCE,
        "Changelog": f"{SOURCE}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{SOURCE}/issues",
    }


@pytest.mark.parametrize("known", [(), ("SOURCE_URL",), ("DOCUMENTATION_URL",)])
def test_no_address_is_invented(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, known: tuple[str, ...]) -> None:
    for name in ("SOURCE_URL", "DOCUMENTATION_URL"):
        monkeypatch.delenv(name, raising=False)
        if name in known:
            monkeypatch.setenv(name, SOURCE)
    project = Project(tmp_path)
    assert project.text == README
    assert project.urls == {}
