"""The manual page, made from the help of every command: ``python -m bribeproof.cli.manual > bribeproof.1``."""

import re
import sys
from collections.abc import Iterator

from bribeproof import __version__
from bribeproof.cli.application import app
from bribeproof.cli.commands.examples import EXAMPLES, examples_of

_ENTRY = re.compile(r"\* \[?`([^`]+)`(?:\]\(#[^)]*\))?: (.*)")
_RUN_AS = re.compile(r" -m [\w.]+(?= |$)")
"""What the usage of a command holds besides its name where Python was started with -m."""
_MARKS = (
    (re.compile(r"\[([^\]]+)\]\(#[^)]*\)"), r"\1"),
    (re.compile(r"\*\*(.+?)\*\*|(?<![\w*])\*(\[.+?\])\*"), r"\\fI\1\2\\fR"),
    (re.compile(r"`([^`]+)`"), r"\\fB\1\\fR"),
)
"""Links within the page, emphasis and literal text, and what they become."""


def manual() -> str:
    """Return the manual page of the command, in the format of man.

    Examples
    --------
    >>> manual().splitlines()[:2]
    ['.TH BRIBEPROOF 1 "" "bribeproof 0.1.0" "User Commands"', '.SH NAME']
    """
    name = app.name[0]
    head = [
        f'.TH {name.upper()} 1 "" "{name} {__version__}" "User Commands"',
        ".SH NAME",
        f"{name} \\- {_text(app.help)}",
    ]
    examples = [".SH EXAMPLES", *(line for command in EXAMPLES if command for line in _examples(command))]
    status = [
        ".SH EXIT STATUS",
        "0: done. 2: an error, said on one line. 3: the answer misses a threshold of \\-\\-fail\\-….",
    ]
    return "\n".join([*head, *_body(app.generate_docs()), *examples, *status, ""])


def _body(page: str) -> Iterator[str]:
    """Yield the lines of a page of Markdown, without its table of contents, as those of a manual page."""
    page = re.sub(r"## Table of Contents\n.*?(?=^\*\*)", "", page, flags=re.DOTALL | re.MULTILINE)
    is_literal = False
    for line in page.splitlines():
        if line.startswith("```"):
            is_literal = not is_literal
            yield ".nf" if is_literal else ".fi"
        elif is_literal:
            yield _escaped(_RUN_AS.sub("", line))
        elif line.startswith("#"):
            title = line.lstrip("# ")
            yield ".SH SYNOPSIS" if title == app.name[0] else f".SH {_escaped(title)}"
        elif entry := _ENTRY.fullmatch(line):
            yield from (".TP", f"\\fB{_escaped(entry[1])}\\fR", _text(entry[2]))
        elif line.startswith("**") and line.endswith("**:"):
            yield f".SS {_escaped(line.strip('*:'))}"
        elif line.strip():
            yield _text(line.strip())
        else:
            yield ".PP" if not line else ""


def _examples(command: str) -> Iterator[str]:
    """Yield the lines of the examples of a command."""
    for purpose, line in examples_of(command):
        yield from (".PP", _text(purpose), ".br", f"\\fB{_escaped(line)}\\fR")


def _text(line: str) -> str:
    """Return a line of Markdown as text of a manual page."""
    line = _escaped(line)
    for mark, replacement in _MARKS:
        line = mark.sub(replacement, line)
    return line


def _escaped(line: str) -> str:
    r"""Return text in which nothing is a command of the typesetter.

    Examples
    --------
    >>> print(_escaped(".csv, with --output"))
    \&.csv, with \-\-output
    """
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line.startswith((".", "'")) else line


if __name__ == "__main__":
    sys.stdout.write(manual())
