"""Text from files, which may be hostile, as text that a terminal only shows."""

_JOINERS = "\u200c\u200d"
"""What Persian and Indian scripts and joined emoji need; it has no power over a terminal."""


def printable(text: str) -> str:
    r"""Bring text to one line and show what a terminal would obey, or hide, as its code.

    Examples
    --------
    >>> printable("a\n b\x1b[31mred")
    'a b\\x1b[31mred'
    """
    return "".join(
        letter if letter.isprintable() or letter in _JOINERS else ascii(letter)[1:-1]
        for letter in " ".join(text.split())
    )
