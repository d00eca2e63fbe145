"""The long description and the addresses of a release, as a package index shows them.

README.md links relatively, so that it can be read in a checkout. A package index needs absolute addresses, and only the
repository that publishes knows its own: its workflow states ``SOURCE_URL``, such as https://host/owner/project, and
``DOCUMENTATION_URL``. A build without them leaves the text as it is, and names no address.

hatch-fancy-pypi-readme does not serve: its substitutions are fixed in pyproject.toml, which cannot know the address.
"""

import os
import re
from pathlib import Path, PurePosixPath
from typing import Any, Final

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURES: Final = {".gif", ".jpg", ".png", ".svg"}
CODE_OR_TARGET: Final = re.compile(r"```.*?```|`[^`\n]*`|(?<=\]\()(?P<target>[^)\s]+)(?=\))", re.DOTALL)
"""Code, in which brackets are no links, or the target of a link or picture."""


class Description(MetadataHookInterface):
    """Fill in what depends on where a release is published."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the long description, and the addresses of the project."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        source = os.environ.get("SOURCE_URL", "").rstrip("/")
        documentation = os.environ.get("DOCUMENTATION_URL", "").rstrip("/")
        metadata["urls"] = {}
        if source and documentation:
            text = absolute(text, source, documentation, f"v{metadata['version']}")
            metadata["urls"] = {
                "Documentation": f"{documentation}/",
                "Source": source,
                "Changelog": f"{source}/blob/HEAD/CHANGELOG.md",
                "Issues": f"{source}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def absolute(text: str, source: str, documentation: str, tag: str) -> str:
    """Return a Markdown text with every relative link made absolute.

    Pages of docs/ lead into the site; pictures to the bytes of the file, and all else to its page in the repository,
    both as they are at the tag.
    """

    def replace(match: re.Match[str]) -> str:
        target = match["target"]
        if target is None or target.startswith("#") or "://" in target:
            return match[0]
        path, hash_sign, anchor = target.partition("#")
        place = PurePosixPath(path)
        if place.parts[0] == "docs" and place.suffix == ".md" and place.name != "README.md":
            address = f"{documentation}/{place.relative_to('docs').with_suffix('.html')}"
        else:
            address = f"{source}/{'raw' if place.suffix in PICTURES else 'blob'}/{tag}/{place}"
        return address + hash_sign + anchor

    return CODE_OR_TARGET.sub(replace, text)
