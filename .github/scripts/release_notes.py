"""Print the section of a version in CHANGELOG.md, for the workflow that releases it.

Usage: ``python .github/scripts/release_notes.py VERSION``. It fails unless VERSION is that of the package, and its
section is dated today (UTC).
"""

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADING = re.compile(r"^## \[(?P<version>[^]]+)\](?: - (?P<date>\S+))?$", re.MULTILINE)


def sections(text: str) -> dict[str, tuple[str, str]]:
    """Return the date and the text of each version in a changelog."""
    headings = list(HEADING.finditer(text))
    ends = [match.start() for match in headings[1:]] + [len(text)]
    return {
        match["version"]: (match["date"] or "", text[match.end() : end].strip())
        for match, end in zip(headings, ends, strict=True)
    }


def notes(version: str, changelog: str, package: str, today: str) -> str:
    """Return what the changelog says of a version that is about to be released, or end with what is wrong."""
    if f'__version__ = "{version}"' not in package:
        sys.exit(f"{version} is not the version of the package: set __version__ in src/bribeproof/__init__.py")
    date, text = sections(changelog).get(version, ("", ""))
    if not text:
        sys.exit(f"CHANGELOG.md has no section of version {version}")
    if date != today:
        sys.exit(f"the section of version {version} in CHANGELOG.md is dated {date or 'nowhere'}: date it {today}")
    return text


if __name__ == "__main__":
    print(
        notes(
            sys.argv[1],
            (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
            (ROOT / "src" / "bribeproof" / "__init__.py").read_text(encoding="utf-8"),
            datetime.now(tz=UTC).date().isoformat(),
        )
    )
