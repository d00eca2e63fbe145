"""Check the words of the documentation: how long its pages are, how hard to read, and what each begins with.

Run: ``python docs/tools/check_words.py [PAGE ...]``, with the extra ``site``. It prints a line for each page and what
is wrong with it, and ends with status 1 if anything is.

A page has a title and, before anything else, a paragraph that says what the reader will be able to do or will know.
It has at most 1,500 words, not counting code and what is printed, unless it is theory or evidence. The sentences of
tutorials and how-to guides have a Flesch-Kincaid grade of at most 8, so many years of school, and none has more than
40 words. Each picture has a text for those who do not see it, and each page of a tutorial, a how-to guide or a
reference links a term of the glossary.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from textstat import textstat

DOCS = Path(__file__).resolve().parents[1]
MOST_WORDS = 1500
HARDEST = 8.0
LONGEST = 40
"""Words of a sentence, at most, where pages must be easy to read."""
LONG = ("theory", "evidence")
"""Folders whose pages may be longer."""
EASY = ("tutorials", "howto", "integrations")
"""Folders whose pages must be easy to read."""
LINKED = ("tutorials", "howto", "integrations", "reference")
"""Folders whose pages link the glossary."""
GENERATED = ("reference/api", "reference/cli")
"""Folders whose pages come from the program and its docstrings."""

_FENCE = re.compile(r"^(`{3,}|:{3,})([^\n]*)\n(.*?)^\1[ \t]*$", re.M | re.S)
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.S)
_IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)]*)\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_ROLE = re.compile(r"\{[\w:-]+\}`([^`<]+?)(?: <[^`]*>)?`")
_BARE = re.compile(r"<[^>]+>|^\([\w-]+\)=$", re.M)


@dataclass(frozen=True)
class Words:
    """What the check finds on a page: its length in words, its grade of reading and what is wrong."""

    words: int
    grade: float
    wrong: tuple[str, ...]


def without_code(text: str) -> str:
    """Return a page without front matter, code and directives; what a directive shows as text stays."""

    def shown(found: re.Match[str]) -> str:
        mark, head, body = found.groups()
        keeps_text = mark.startswith(":") or re.match(r"\{(note|tip|warning|important|admonition|dropdown)", head)
        if not keeps_text:
            return "\n"
        options = re.sub(r"^:[\w-]+:.*\n", "", body, flags=re.M)
        return _FENCE.sub(shown, options) + "\n"

    return _FENCE.sub(shown, _FRONT.sub("", text))


def as_read(text: str) -> str:
    """Return the text that a reader sees, without the marks of Markdown."""
    text = _ROLE.sub(r"\1", _LINK.sub(r"\1", _IMAGE.sub("", text)))
    text = re.sub(r"`[^`\n]+`", "name", text)
    return re.sub(r"[*_#|]+", " ", _BARE.sub("", text))


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs and list items that are sentences; no tables, headings or fragments."""
    found = []
    for block in re.split(r"\n\s*\n", without_code(text)):
        for part in re.split(r"\n(?=\s*(?:[-*]|\d+\.) )", block):
            line = re.sub(r"^\s*(?:[-*]|\d+\.) ", "", part.strip())
            if not line or line.startswith(("#", "|", "!", ":", "<", "(", ">")):
                continue
            sentence = " ".join(as_read(line).split())
            if len(sentence.split()) >= 4 and sentence[-1] in ".?!:":
                found.append(sentence[:-1] + "." if sentence.endswith(":") else sentence)
    return found


def grade(text: str) -> float:
    """Return the Flesch-Kincaid grade of a page; 0 if it has fewer than three sentences."""
    prose = paragraphs(text)
    return float(textstat.flesch_kincaid_grade(" ".join(prose))) if len(prose) >= 3 else 0.0


def sentences(text: str) -> list[str]:
    """Return the sentences of a page."""
    return [part for prose in paragraphs(text) for part in re.split(r"(?<=[.?!:;]) ", prose)]


def hardest_sentences(text: str, most: int = 3) -> list[str]:
    """Return the sentences with the highest grades."""
    return sorted(sentences(text), key=textstat.flesch_kincaid_grade, reverse=True)[:most]


def check(path: Path, text: str) -> Words:
    """Check a page whose path is relative to the folder of the documentation."""
    folder, wrong = path.parts[0].removesuffix(".md"), []
    generated = path.parent.as_posix() in GENERATED
    prose = without_code(text)
    words = len(as_read(prose).split())
    if folder not in LONG and words > MOST_WORDS:
        wrong.append(f"{words:,} words, at most {MOST_WORDS:,}")
    level = grade(text)
    if folder in EASY and level > HARDEST:
        wrong.append(f"grade {level:.1f}, at most {HARDEST:g}; hardest sentences:")
        wrong += [f"    {sentence}" for sentence in hardest_sentences(text)]
    if folder in EASY:
        wrong += [
            f"{len(one.split())} words in a sentence: {one}" for one in sentences(text) if len(one.split()) > LONGEST
        ]
    blocks = [block.strip() for block in re.split(r"\n\s*\n", _BARE.sub("", prose)) if block.strip()]
    if not blocks or not blocks[0].startswith("# "):
        wrong.append("no title on top")
    elif not generated and (len(blocks) < 2 or blocks[1][0] in "#|!-`:"):
        wrong.append("no paragraph below the title that says what the page is for")
    wrong += [f"no text for the picture {found[2]}" for found in _IMAGE.finditer(text) if not found[1].strip()]
    if folder in LINKED and not generated and path.name != "index.md" and "{term}`" not in text:
        wrong.append("no link to the glossary")
    return Words(words, level, tuple(wrong))


def _included(page: Path) -> bool:
    """Return whether a page shows a file of the project, and nothing else."""
    return page.read_text(encoding="utf-8").startswith("```{include}")


def main() -> int:
    """Print what is found on each page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, help="pages to check; all by default")
    pages = parser.parse_args().pages or sorted(DOCS.rglob("*.md"))
    found = 0
    for page in pages:
        path = page.resolve().relative_to(DOCS)
        if page.name == "README.md" or path.parts[0] in ("_build", "gallery") or _included(page):
            continue
        result = check(path, page.read_text(encoding="utf-8"))
        found += bool(result.wrong)
        print(f"{path!s:40} {result.words:6,} words  grade {result.grade:4.1f}", *result.wrong, sep="\n  ")
    print(f"{found} pages to mend" if found else "All pages are as they should be.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
