"""Every citation of docs/theory.md resolves in the sections that it lists, and they keep their own promises."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
THEORY = ROOT / "docs" / "theory.md"
PROOFS = sorted((ROOT / "docs" / "theory" / "proofs").glob("*.md"))
SECTIONS = range(1, 16)

_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_STATEMENT = re.compile(
    r'^<a id="([a-z0-9-]+)"></a>\n\*\*((?:Theorem|Lemma|Proposition|Corollary) ([A-Z]|\d+\.\d+))', re.M
)
_LABEL = r"(?:\d+\.\d+|[A-Z](?:\.\d+)?)(?![\w′(])"
_NAMED = re.compile(
    rf"\b(theorem|lemma|proposition|corollary|lemmas|theorems|propositions) ({_LABEL}(?:(?:, | and |, and ){_LABEL})*)",
    re.I,
)
# A topic after a section: "theory.md §10, *Safe ranking*" or "theory.md §2, breakdown points."
_TOPIC = re.compile(
    r"theory\.md §(\d+), (?!where\b|whose\b|with\b|for\b|and\b|theorem\b)\*?([A-Za-z][\w -]*?)\*?(?=[.,:;)])"
)
_LINK = re.compile(r"\]\(([^()\s]*)\)")


class Statement(NamedTuple):
    """A theorem and its like: where it is, and the text up to the next statement or heading."""

    anchor: str
    name: str
    section: int
    text: str


class Page:
    """What a citation of the theory can point to."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.anchors = anchors_of(text)
        numbered = [match for match in _HEADING.finditer(text) if match[1] == "##" and match[2][0].isdigit()]
        self.numbers = [int(match[2].split(".")[0]) for match in numbered]
        ends = [match.start() for match in _HEADING.finditer(text) if len(match[1]) <= 2] + [len(text)]
        self.sections = {
            number: text[match.start() : min(end for end in ends if end > match.start())]
            for number, match in zip(self.numbers, numbered, strict=True)
        }
        stops = sorted([m.start() for m in _STATEMENT.finditer(text)] + [m.start() for m in _HEADING.finditer(text)])
        self.statements = [
            Statement(
                match[1],
                match[2],
                max(
                    number for number, head in zip(self.numbers, numbered, strict=True) if head.start() < match.start()
                ),
                text[match.end() : min([stop for stop in stops if stop > match.start()], default=len(text))],
            )
            for match in _STATEMENT.finditer(text)
        ]

    def names(self, section: int) -> str:
        """Return headings and bold text of a section, where its topics are named."""
        text = self.sections[section]
        found = [match[2] for match in _HEADING.finditer(text)] + re.findall(r"\*\*([^*]+)\*\*", text)
        return " ".join(" | ".join(found).split()).lower()

    def unresolved(self, text: str) -> list[str]:
        """Return the citations in a text that point to nothing."""
        text = joined(text)
        bad = [f"§{number}" for number in re.findall(r"§(\d+)", text) if int(number) not in self.sections]
        known = {statement.name.lower() for statement in self.statements}
        for kind, labels in _NAMED.findall(text):
            one = {"lemmas": "lemma"}.get(kind.lower(), kind.lower().removesuffix("s"))
            for label in re.findall(_LABEL, labels):
                whole = re.sub(r"^([A-Z])\.\d+$", r"\1", label)
                if f"{one} {whole}".lower() not in known:
                    bad.append(f"{one} {label}")
        for number, topic in _TOPIC.findall(text):
            if int(number) in self.sections and topic.lower() not in self.names(int(number)):
                bad.append(f"§{number}, {topic}")
        bad += [f"#{anchor}" for anchor in re.findall(r"theory\.md#([\w-]+)", text) if anchor not in self.anchors]
        return bad


def joined(text: str) -> str:
    """Return a text in one line: citations may be broken, also in comments."""
    return re.sub(r"\s*\n\s*(?:# )?", " ", text)


def slug(heading: str) -> str:
    """Return the anchor that a Markdown renderer gives a heading."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"[*`]", "", heading).lower()).strip().replace(" ", "-")


def anchors_of(text: str) -> list[str]:
    """Return all anchors of a Markdown page."""
    return [slug(match[2]) for match in _HEADING.finditer(text)] + re.findall(r'<a id="([^"]+)"></a>', text)


def whole() -> str:
    """Return the proofs as one text, whose headings are one level below that of a page."""
    return "\n".join(re.sub(r"^#", "##", path.read_text(encoding="utf-8"), flags=re.M) for path in PROOFS)


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(whole())


def citing_files() -> list[Path]:
    """All files that may cite the theory, but this one, which makes some citations up."""
    found = [*ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/*.py"), *ROOT.glob("docs/**/*.md"), ROOT / "README.md"]
    return sorted(path for path in found if path != Path(__file__).resolve())


def test_every_citation_resolves(page: Page) -> None:
    bad, citations = {}, 0
    for path in citing_files():
        text = path.read_text(encoding="utf-8")
        citations += len(re.findall(r"theory\.md\s+§", text))
        if missing := page.unresolved(text):
            bad[str(path.relative_to(ROOT))] = missing
    assert bad == {}
    assert citations > 50, "the citations are not recognised any more"


@pytest.mark.parametrize(
    ("citation", "missing"),
    [
        ("theory.md §2 and §7", []),
        ("docs/theory.md §10, *Safe ranking*. More.", []),
        ("docs/theory.md §2 (Theorem A), §5 and §16", ["§16"]),
        ("theory.md §0", ["§0"]),
        ("theory.md §10, *Unsafe ranking*.", ["§10, Unsafe ranking"]),
        ("theory.md\n    §2, breakdown points.", []),
        ("theory.md §3, breakdown points.", ["§3, breakdown points"]),
        ("by theorem P", []),
        ("by Theorem Q", ["theorem Q"]),
        ("Theorem A.2, Propositions 2.4 and 2.99", ["proposition 2.99"]),
        ("# see Lemma\n    # 7.1", []),
        ("Lemma 2.1", ["lemma 2.1"]),
        ("docs/theory.md#theorem-a and docs/theory.md#theorem-b", ["#theorem-b"]),
        ("a theorem about A, and theorems in general", []),
    ],
)
def test_a_citation_of_nothing_is_found(page: Page, citation: str, missing: list[str]) -> None:
    assert page.unresolved(citation) == missing


def test_sections_keep_their_numbers(page: Page) -> None:
    assert page.numbers == list(SECTIONS)


def test_anchors_are_unique(page: Page) -> None:
    assert sorted(set(page.anchors)) == sorted(page.anchors)


@pytest.mark.parametrize("path", [THEORY, *PROOFS], ids=lambda path: path.stem)
def test_links_of_a_page_resolve(path: Path) -> None:
    bad = []
    for target in _LINK.findall(path.read_text(encoding="utf-8")):
        name, _, fragment = target.partition("#")
        if "://" in target:
            continue
        other = path.parent / name if name else path
        if not other.is_file() or (fragment and fragment not in anchors_of(other.read_text(encoding="utf-8"))):
            bad.append(target)
    assert bad == []


def test_the_index_lists_every_section_and_every_statement(page: Page) -> None:
    links = set(_LINK.findall(THEORY.read_text(encoding="utf-8")))
    assert {f"theory/proofs/{path.name}" for path in PROOFS} <= links
    assert {statement.anchor for statement in page.statements} <= {link.partition("#")[2] for link in links}


def test_statements_are_numbered_by_section_and_anchored_by_name(page: Page) -> None:
    names = [statement.name for statement in page.statements]
    assert len(names) == len(set(names)) > 40
    for statement in page.statements:
        assert statement.anchor == statement.name.lower().replace(" ", "-").replace(".", "-")
        label = statement.name.split()[1]
        expected = {"A": 2, "P": 12}[label] if label.isalpha() else int(label.split(".")[0])
        assert statement.section == expected, statement.name


def test_every_bold_statement_has_an_anchor(page: Page) -> None:
    bold = re.findall(r"^\*\*((?:Theorem|Lemma|Proposition|Corollary) (?:[A-Z]|\d+\.\d+))", page.text, re.MULTILINE)
    assert bold == [statement.name for statement in page.statements]


def test_every_statement_has_a_proof_or_says_that_it_has_none(page: Page) -> None:
    without = [
        statement.name
        for statement in page.statements
        if "*Proof" not in statement.text
        and "*Cited" not in statement.text
        and "no proof is given" not in statement.text
    ]
    assert without == []
