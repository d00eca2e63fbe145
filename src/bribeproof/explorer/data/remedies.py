"""The remedies that an error of the library offers, as links that apply them."""

import ast
import re

from bribeproof._text import join_list
from bribeproof.explorer.data.page_words import LABELS, choice_label
from bribeproof.explorer.data.query import DataQuery

_OFFERED = re.compile(r"\b(repeats|missing|faulty|decimal_mark)=(\[[^\]]*\]|'[^']*')((?:(?:, | or )'[^']*')*)")
_FIELDS = {"decimal_mark": "decimal"}
"""Fields whose name differs from the argument of the library."""


def remedies(message: str, query: DataQuery) -> list[tuple[str, str]]:
    """Return what an error offers to do, each with the address at which it is done.

    Parameters
    ----------
    message
        The error, in the words of the library.
    query
        The fields of the page.

    Examples
    --------
    >>> remedies("say which to keep: repeats='first', 'last' or 'drop' (--repeats)", DataQuery("f"))[1]
    ('Repeated reports: keep the last', '/data?sheet=f&repeats=last')
    >>> remedies("if such words mean that there is no score: missing=['DNS'] (--missing DNS)", DataQuery("f"))
    [('Missing values: DNS', '/data?sheet=f&missing=DNS')]
    """
    found: dict[str, str] = {}
    for name, first, others in _OFFERED.findall(message):
        field = _FIELDS.get(name, name)
        for written in [first, *re.findall(r"'[^']*'", others)]:
            try:
                value = ast.literal_eval(written)
            except (ValueError, SyntaxError):  # a quote within a word of the file
                continue
            if isinstance(value, list):
                given = join_list([*query.missing_tokens, *value])
                shown = ", ".join(map(str, value))
            else:
                given, shown = value.replace(" ", "-"), choice_label(name, value)
            found.setdefault(f"{LABELS[name]}: {shown}", query.address(**{field: given}))
    return list(found.items())
