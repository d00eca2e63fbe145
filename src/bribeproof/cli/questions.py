"""Show a question about a table as commands to paste, and let it be answered by a digit on a terminal."""

import shlex
import sys
from collections.abc import Sequence

from bribeproof._text import printable
from bribeproof.questions import Choice, QuestionError

_NARROW = 2_000
"""Longer commands are cut: nobody pastes them."""


def answer(error: QuestionError, arguments: Sequence[str]) -> list[str] | None:
    """Print a question on standard error; return the arguments with the answer, or None where nobody can answer.

    Parameters
    ----------
    error
        The question.
    arguments
        The arguments of the command that raised it.
    """
    only = len(error.choices) == 1
    lines = [f"bribeproof: {printable(error.question)}. {'Add options, such as' if only else 'Which is meant?'}"]
    for number, choice in enumerate(error.choices, 1):
        command = shlex.join(["bribeproof", *_with_answer(arguments, choice)])
        shown = command if len(command) <= _NARROW else f"{command[:_NARROW]}…"
        lines += [f"  {number}. {printable(choice.meaning)}:", f"     {printable(shown)}"]
    sys.stderr.write("\n".join(lines) + "\n")
    if "-" in arguments or not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    sys.stderr.write(f"A number from 1 to {len(error.choices)}, or Enter to stop: ")
    sys.stderr.flush()
    typed = sys.stdin.readline().strip()
    if typed not in map(str, range(1, len(error.choices) + 1)):
        return None
    return _with_answer(arguments, error.choices[int(typed) - 1])


def _with_answer(arguments: Sequence[str], choice: Choice) -> list[str]:
    """Return arguments with the options of an answer, which replace those that were given before."""
    kept: list[str] = []
    words = iter(arguments)
    for word in words:
        name, has_value, _ = word.partition("=")
        option = name[2:].replace("-", "_") if name.startswith("--") else ""
        if option not in choice.options:
            kept.append(word)
        elif not (has_value or isinstance(choice.options[option], bool)):
            next(words, None)
    return [*kept, *choice.flags]
