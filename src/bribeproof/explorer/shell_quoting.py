"""Words of a command that somebody copies into a shell."""

import shlex


def file_word(name: str) -> str:
    """Write a file of the folder, even one whose name looks like an option.

    Examples
    --------
    >>> file_word("my marks.csv"), file_word("-x.csv")
    ("'my marks.csv'", './-x.csv')
    """
    return quoted(f"./{name}" if name.startswith("-") else name)


def option(name: str, value: object) -> str:
    """Write an option with its value, even one that looks like an option.

    Examples
    --------
    >>> option("k", 2), option("item", "run id"), option("missing", "-")
    ('--k 2', "--item 'run id'", '--missing=-')
    """
    text = str(value)
    return f"--{name}{'=' if text.startswith('-') else ' '}{quoted(text)}"


def quoted(text: str) -> str:
    r"""Quote a word; what is not seen is written as its code.

    Examples
    --------
    >>> quoted("it's"), quoted("a\u200bb")
    ('\'it\'"\'"\'s\'', "$'a\\U0000200bb'")
    """
    if text.isprintable():
        return shlex.quote(text)
    letters = (letter if letter.isprintable() and letter not in "'\\" else f"\\U{ord(letter):08x}" for letter in text)
    return f"$'{''.join(letters)}'"
