"""The scripts that complete the command in a shell, as cyclopts writes them, with better names of files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args

import cyclopts

Shell = Literal["zsh", "bash", "fish", "powershell"]
_BASH_FILES = 'COMPREPLY=( $(compgen -f -- "${cur}") )'


def complete_files(script: str, shell: Shell | None, app: cyclopts.App) -> str:
    """Return a completion script in which files are completed whole, and only where a file is expected.

    Parameters
    ----------
    script
        The script of cyclopts.
    shell
        In bash, names with blanks would be split and folders taken for files; in fish, files would be offered where
        a subcommand or another word is expected.
    app
        The command.
    """
    if shell == "bash":
        return script.replace(_BASH_FILES, f"local IFS=$'\\n'; {_BASH_FILES}; compopt -o filenames 2> /dev/null")
    if shell == "fish":
        name = app.name[0]
        conditions = (f"__fish_{name}_using_command {' '.join(words)}" for words in _without_files(app) if words)
        lines = (f"complete -c {name} -n '{one}' -f" for one in ("__fish_use_subcommand", *conditions))
        return "\n".join([script.rstrip("\n"), "", "# Words that are no files", *lines, ""])
    return script


def _without_files(app: cyclopts.App, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of each command whose arguments are no files."""
    arguments = app.assemble_argument_collection() if app.default_command else ()
    if not any(one.index is not None and Path in (one.hint, *get_args(one.hint)) for one in arguments):
        yield words
    for name in app:
        if not name.startswith("-"):
            yield from _without_files(app[name], (*words, name))
