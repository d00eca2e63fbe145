"""Quote file names and options for a POSIX shell."""

import shlex


def file_word(name: str) -> str:
    """Quote a file name, even one that looks like an option.

    Examples
    --------
    >>> file_word("my marks.csv"), file_word("-x.csv")
    ("'my marks.csv'", './-x.csv')
    """
    return quoted(f"./{name}" if name.startswith("-") else name)


def option(name: str, value: object) -> str:
    """Return an option with its quoted value, even a value that looks like an option.

    Examples
    --------
    >>> option("k", 2), option("item", "run id"), option("missing", "-")
    ('--k 2', "--item 'run id'", '--missing=-')
    """
    text = str(value)
    return f"--{name}{'=' if text.startswith('-') else ' '}{quoted(text)}"


def quoted(text: str) -> str:
    r"""Quote a word; invisible characters are written as escapes.

    Examples
    --------
    >>> quoted("it's"), quoted("a\u200bb")
    ('\'it\'"\'"\'s\'', "$'a\\U0000200bb'")
    """
    if text.isprintable():
        return shlex.quote(text)
    letters = (letter if letter.isprintable() and letter not in "'\\" else f"\\U{ord(letter):08x}" for letter in text)
    return f"$'{''.join(letters)}'"
