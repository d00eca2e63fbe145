"""How the file was read, what is assumed, and how the report is repeated."""

from collections.abc import Iterable, Iterator, Sequence

import polars as pl

from bribeproof._text import format_amount, printable
from bribeproof.reporting.document import Block, Code, Column, DataTable, Section, sentences
from bribeproof.reporting.material import FileFacts, Material
from bribeproof.reporting.snippets import Snippets


def provenance(material: Material) -> list[Section]:
    """Return how the file was read, what is assumed, and how the report is repeated."""
    return [_reading(material), _assumed(material), _repeat(material)]


def _reading(material: Material) -> Section:
    """Return how the file was read."""
    source = material.source
    return reading(source.reading.describe(), (*source.notes, *material.answer.notes), source.files)


def reading(read_as: str, notes: Iterable[str], files: Sequence[FileFacts]) -> Section:
    """Return how files were read: as what, notes on that, and what identifies the files."""
    told = [f"{note[0].upper()}{note[1:]}." for note in dict.fromkeys(notes) if not note.startswith("read as ")]
    blocks: list[Block] = [*sentences([f"Read as {printable(read_as)}."]), *sentences(told, "note")]
    if files:
        rows = [(one.name, one.size, one.sha256) for one in files]
        frame = pl.DataFrame(rows, schema=["file", "bytes", "sha256"], orient="row")
        columns = (Column("File"), Column("Bytes"), Column("SHA-256"))
        blocks.append(DataTable("Files", "What was read; another file has another SHA-256", frame, columns))
    else:
        blocks += sentences(
            ["It was read from memory or from standard input, so that there is no file to compare with."]
        )
    return Section("reading", "How the file was read", tuple(blocks))


def _assumed(material: Material) -> Section:
    """Return what is assumed."""
    question, facts = material.question, material.facts
    several = material.bribed_nouns[1]
    k, part = question.k, material.part
    lines = []
    if facts["k"]["most"] or k:
        default = " Nobody said how many: one is the least that says anything." * question.is_default
        lines.append(f"{_who(material)}; they know what everybody else reports.{default}")
    else:
        lines.append("Nobody is counted as bribed.")
    if material.scores:
        scale = material.source.reading.stated.scale
        bounds = f"any mark from {scale[0]:g} to {scale[1]:g}" if scale else "any mark at all: no scale was given"
        lines.append(f"Bribed judges may rewrite a mark to {bounds}. They add and withhold none.")
        if k and material.counts_heads:
            what = "the lowest and the highest mark" if k == 1 else f"the {k:,} lowest and the {k:,} highest marks"
            of = f"no {'one' if k == 1 else f'{k:,}'} of its judges"
            lines.append(
                f"The score of each {part} is the mean of its marks without {what}, so that {of} can move it beyond "
                f"the range of the other marks."
            )
        elif k is None or question.bribes is not None:
            lines.append(
                f"The score of each {part} is the mean of its marks without as many of the lowest and of the highest "
                f"as {several} that can be bribed together gave on it."
            )
        else:
            lines.append(f"The score of each {part} is the mean of all its marks.")
        if material.answer.decimals is not None:
            lines.append(f"Scores are rounded half up to {material.answer.decimals} decimals, in exact arithmetic.")
    else:
        lines.append(
            "The answer to an item is the label that most reporters gave; where two lead together, it is a tie and "
            "there is no answer. An answer is changed when its label no longer leads alone."
        )
    stated = [*_stated(material)]
    nothing = "nothing else" if stated else "nothing"
    lines += stated
    lines.append(f"Of honest people {nothing} is assumed: neither how good they are nor that they err independently.")
    if draw := facts.get("draw"):
        lines.append(f"Random draws were made with the seed {draw['seed']}.")
    else:
        lines.append("No random numbers were used.")
    return Section("assumed", "What is assumed", tuple(sentences(lines)))


def _stated(material: Material) -> Iterator[str]:
    """Yield what was stated about honest people."""
    schema, several = material.read.reports.schema, material.person[1]
    if schema.asked is not None:
        many = (
            f"as many {several} as {schema.asked!r} says"
            if isinstance(schema.asked, str)
            else f"{schema.asked:,} {several}"
        )
        given = f"It was stated that each item was given to {many}, and that honest ones answer"
        yield f"{given}: who is silent counts as bribed."
    if schema.sets_aside:
        yield "Reports that no honest one sends were set aside, and their senders count as bribed."


def _who(material: Material) -> str:
    """Return who may have been bribed, as a clause."""
    k, part, (one, several) = material.question.k, material.part, material.bribed_nouns
    if k is None:
        budget = format_amount(material.facts["bribes"]["budget"])
        who = f"{several[0].upper()}{several[1:]} may have been bribed for at most {budget}"
        return f"{who} on each {part}, perhaps others on each"
    many = f"One {one}" if k == 1 else f"{k:,} {several}"
    return f"{many} may have been bribed on each {part}, perhaps {'another' if k == 1 else 'others'} on each"


def _repeat(material: Material) -> Section:
    """Return the command and the Python code that repeat the report."""
    return repeat(material.snippets, material.question.k)


def repeat(snippets: Snippets, k: int | None) -> Section:
    """Return the command and the Python code that repeat a report."""
    command = snippets.command(k)
    blocks = [Code("On the command line, in the folder of the file", command)] if command else []
    blocks.append(Code("In Python", snippets.python(k)))
    return Section("repeat", "How to repeat it", tuple(blocks))
