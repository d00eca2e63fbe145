"""Render a report as one HTML page: no scripts, no requests, light and dark on the screen, light on paper."""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any
from xml.etree.ElementTree import Element

from bribeproof._optional import require
from bribeproof._text import count, printable
from bribeproof.errors import MissingPackageError
from bribeproof.reporting.cells import cells_of
from bribeproof.reporting.document import CSP, Code, DataTable, Facts, Picture, Report, Section, Sentences
from bribeproof.reporting.markup import append, element, html, name, picture

_WIDTH, _HEIGHT = 4.8, 3.2
"""The size of a picture in inches."""
_SHORT = 16
"""Texts of up to so many letters stand on one line."""
_MANY = 10
"""Tables with more columns are printed smaller."""


def render_page(report: Report) -> str:
    """Return a report as an HTML page."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", **{"http-equiv": "Content-Security-Policy", "content": CSP}),
        element("title", printable(f"{report.title}: report")),
        element("style", _style()),
    )
    body = element(
        "body",
        element(
            "header",
            element("p", "Report", class_="kind"),
            element("h1", name(report.title, 200)),
            element("p", f"{printable(report.subject)} · {_date(report)}", class_="subject"),
        ),
        element("main", *(_section(section, first=not index) for index, section in enumerate(report.sections))),
        element(
            "footer",
            element("p", f"Made with bribeproof {report.version} on {_date(report)}."),
            *([element("p", f"It has no pictures: {why}.")] if (why := _why_undrawn()) else []),
        ),
    )
    return f"<!doctype html>\n{html(element('html', head, body, lang='en'))}\n"


def render_frame(report: Report) -> str:
    """Return the page in a frame of its own, for a notebook."""
    frame = element(
        "iframe", srcdoc=render_page(report), sandbox="", title=printable(report.title), width="100%", height="720",
        style="border: 1px solid #d0d0d0",
    )  # fmt: skip
    return html(frame)


def render_sections(sections: Sequence[Section]) -> str:
    """Return sections as HTML, for a page of another style."""
    return "\n".join(html(_section(one, first=False)) for one in sections)


@cache
def _style() -> str:
    """Return the style sheet of the page."""
    return resources.files("bribeproof.reporting").joinpath("report.css").read_text(encoding="utf-8")


def _date(report: Report) -> str:
    """Return the date of a report in words."""
    return f"{report.date.day} {report.date:%B %Y}"


def _section(section: Section, *, first: bool) -> Element:
    """Return a section as HTML."""
    made = element("section", id=section.name, class_="answer" if first else "")
    append(made, element("h2", section.heading))
    for block in section.blocks:
        for one in _block(block):
            append(made, one)
    if not made.get("class"):
        del made.attrib["class"]
    return made


def _block(block: Any) -> list[Element]:
    """Return a block as HTML elements."""
    match block:
        case Sentences(lines, tone):
            return [element("p", printable(line).replace(" %", "\N{NO-BREAK SPACE}%"), class_=tone) for line in lines]
        case Facts(facts):
            return [element("dl", *(_fact(fact.label, fact.value, fact.aside) for fact in facts), class_="facts")]
        case DataTable():
            return _table(block)
        case Picture():
            return _picture(block)
        case Code(label, text):
            return [element("h3", label), element("pre", element("code", text), tabindex="0")]
    raise TypeError(f"no block of a report: {block!r}")


def _fact(label: str, value: str, aside: str) -> Element:
    """Return a key number."""
    number = element("dd", printable(value))
    if aside:
        append(number, " ")
        append(number, element("small", printable(aside)))
    return element("div", element("dt", label), number)


def _table(table: DataTable) -> list[Element]:
    """Return a table as HTML, and how many rows are not shown."""
    rows, texts = cells_of(table, table.most)
    body = element("tbody")
    for number, row in enumerate(rows):
        line = element("tr")
        for place, (cell, column) in enumerate(zip(row, table.columns, strict=True)):
            kind = "text" if texts[place] else ""
            kind += " good" * (cell in column.good) + " bad" * (cell in column.bad)
            kind += " short" * (texts[place] and len(cell) <= _SHORT)
            content: Element | str = name(cell, 120) if texts[place] else cell
            if (number, place) in table.struck:
                content = element("s", content)
            made = element("th" if place == 0 else "td", content)
            if kind:
                made.set("class", kind.strip())
            if place == 0:
                made.set("scope", "row")
            append(line, made)
        append(body, line)
    head = element(
        "tr",
        *(
            element("th", printable(column.heading), scope="col", **({"class_": "text"} if text else {}))
            for column, text in zip(table.columns, texts, strict=True)
        ),
    )
    slug, wide = _slug(table.name), " wide" * (len(table.columns) > _MANY)
    caption = element("p", printable(table.caption), class_="caption", id=f"{slug}-table")
    made = element("table", element("thead", head), body, class_=f"{slug}{wide}", aria_labelledby=f"{slug}-table")
    scroll = element("div", made, class_="scroll", tabindex="0", role="region", aria_labelledby=f"{slug}-table")
    more = table.frame.height - len(rows)
    if not more:
        return [caption, scroll]
    left_out = f"… and {count(more, 'more row')}, which the workbook (.xlsx) of this report lists."
    return [caption, scroll, element("p", left_out, class_="more")]


def _slug(name: str) -> str:
    """Return the name of a table as a class."""
    return "-".join(name.lower().split())


def _picture(block: Picture) -> list[Element]:
    """Return a picture with its caption; nothing where matplotlib is not installed."""
    from bribeproof import plots

    if _why_undrawn():
        return []
    size = _WIDTH, _HEIGHT if block.rows is None else plots.height(block.rows)
    drawn = plots.svg(block.draw, size, name=f"picture-{block.name}", title=block.title)
    return [element("figure", picture(drawn), element("figcaption", printable(block.caption)))]


def _why_undrawn() -> str:
    """Return why no pictures are drawn; nothing if they are."""
    try:
        require("a picture", "matplotlib")
    except MissingPackageError as error:
        return str(error)
    return ""
