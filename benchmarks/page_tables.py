"""Tables of pages in docs/, each between two comments with its name."""

from collections.abc import Iterable


def replace_table(page: str, name: str, lines: Iterable[str]) -> str:
    """Return a page with other lines between the two comments of this name."""
    start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, _, rest = page.partition(start)
    return before + start + "\n".join(lines) + "\n" + end + rest.partition(end)[2]
