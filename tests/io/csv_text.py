"""Delimited text for property tests, and a reader of it that goes letter by letter."""

from hypothesis import strategies as st

CELLS = st.text(st.sampled_from("ab7é \xa0;|#'\\,\t\u2028\x0b\x0c\x85"), max_size=4)
DIRTY = st.lists(
    st.sampled_from(["a", "b", " ", '"', '""', ",", ";", "\n", "\r", "\r\n", "é", "\xa0", ', "', '",', '" ,', ',"']),
    max_size=25,
).map("".join)
LINE_ENDS = st.sampled_from([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n", "\r"]])


@st.composite
def unquoted(draw: st.DrawFn) -> str:
    """Text without quotes: mostly regular, with all line ends, blank lines and the odd ragged row."""
    width = draw(st.integers(1, 4))
    rows = draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=6))
    ends = draw(LINE_ENDS)
    blank = draw(st.sampled_from(["", "", "", "\n", "\r\n\n", " \n"]))
    extra = draw(st.sampled_from(["", "", ",", ",x"]))
    lines = [draw(st.sampled_from(["h" * width, "h,i,j,k"[: 2 * width - 1]]))]
    lines += [",".join(row) + extra for row in rows]
    text = "".join(line + draw(st.sampled_from(ends)) for line in lines)
    return draw(st.sampled_from(["", blank])) + text + draw(st.sampled_from(["", blank, "z"]))


@st.composite
def quoted(draw: st.DrawFn) -> str:
    """Text with quotes: a good header, then mostly rows of its width, of which some may be spoilt."""
    width = draw(st.integers(1, 3))
    plain = ["a", "", "é", " ", '"q"', '""', '"q, r"']
    odd = ['"li\nne"', '"li\r\nne"', '"d ""x"" y"', '5" n', ' "s" ', "\ufeff", '"\x1f"', "x,", '"']
    cells = st.sampled_from(plain + odd[: draw(st.sampled_from([0, 5, 7, 9]))])
    rows = draw(st.lists(st.lists(cells, min_size=width, max_size=width), max_size=8))
    ends = st.sampled_from(draw(LINE_ENDS))
    extra = draw(st.sampled_from(["", "", ",", ","]))
    header = ",".join("hij"[:width]) + draw(st.sampled_from(["", "", ","]))
    text = "".join(line + draw(ends) for line in [header, *(",".join(row) + extra for row in rows)])
    before = draw(st.sampled_from(["", "", "\n", "\ufeff", "sep=,\r\n", " \n\r\n"]))
    return before + text.removesuffix(draw(st.sampled_from(["", "\n"])))


def walk(text: str, sep: str) -> list[tuple[int, list[str]]] | None:
    """Read the records letter by letter: [(line, cells)], or None where a quote is broken."""
    records: list[tuple[int, list[str]]] = []
    cells: list[str] = []
    line, at = 1, 0
    begun, touched = 1, False
    while at < len(text) or cells or touched:
        ahead = at
        while text[ahead : ahead + 1] == " ":
            ahead += 1
        if text[ahead : ahead + 1] == '"':
            cell, at, touched = "", ahead + 1, True
            while True:
                if at >= len(text):
                    return None
                if text[at] == '"' and text[at + 1 : at + 2] == '"':
                    cell, at = cell + '"', at + 2
                elif text[at] == '"':
                    at += 1
                    break
                else:
                    cell, at = cell + text[at], at + 1
            line += len(cell.replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1
            while text[at : at + 1] == " ":
                at += 1
            if text[at : at + 1] not in ("", sep, "\r", "\n"):
                return None
        else:
            stop = at
            while stop < len(text) and text[stop] not in (sep, "\r", "\n"):
                stop += 1
            cell, at = text[at:stop], stop
            touched = touched or bool(cell)
        cells.append(cell)
        if text[at : at + 1] == sep:
            at, touched = at + 1, True
            continue
        blank = len(cells) == 1 and cells[0].isspace() and not (records and len(records[0][1]) == 1)
        if touched and not blank:
            records.append((begun, cells))
        at += 2 if text[at : at + 2] == "\r\n" else 1
        line += 1
        cells, begun, touched = [], line, False
    return records
