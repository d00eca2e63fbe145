"""The command ``bribeproof`` with its commands, grouped and ordered by task."""

import re
from collections.abc import Callable, Sequence

from cyclopts import Group

from bribeproof.cli.commands.aggregate import aggregate
from bribeproof.cli.commands.attack import attack
from bribeproof.cli.commands.audit import audit
from bribeproof.cli.commands.bribe import bribe
from bribeproof.cli.commands.calibrate import calibrate
from bribeproof.cli.commands.certify import certify
from bribeproof.cli.commands.commit import commit
from bribeproof.cli.commands.explore import explore
from bribeproof.cli.commands.mcp import mcp
from bribeproof.cli.commands.panel import panel
from bribeproof.cli.commands.paper import paper
from bribeproof.cli.commands.plot import plot
from bribeproof.cli.commands.rank import rank
from bribeproof.cli.commands.read import read
from bribeproof.cli.commands.report import report
from bribeproof.cli.commands.sql import sql
from bribeproof.cli.commands.sweep import sweep
from bribeproof.cli.commands.weigh import weigh
from bribeproof.cli.documented import DocumentedApp
from bribeproof.cli.options.groups import OPTIONS

app = DocumentedApp(
    name="bribeproof",
    help="Combine votes, labels and scores so that up to k bribed reporters cannot buy the answer.",
    group_parameters=OPTIONS,
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
_HELP = Group("Help", sort_key=5)
app["--help"].group = app["--version"].group = _HELP
app.register_install_completion_command(
    add_to_startup=False, group=_HELP, help="Let the shell complete commands, options and files."
)

_COMBINE = Group("Combine the reports in a file", sort_key=1)
_EXAMINE = Group("Examine a file and its reporters", sort_key=2)
_DESIGN = Group("Design a panel", sort_key=3)
_MORE = Group("More", sort_key=4)

_COMMANDS: tuple[tuple[Group, Callable[..., None]], ...] = (
    (_COMBINE, aggregate),
    (_COMBINE, weigh),
    (_COMBINE, rank),
    (_COMBINE, report),
    (_COMBINE, commit),
    (_EXAMINE, read),
    (_EXAMINE, sweep),
    (_EXAMINE, audit),
    (_EXAMINE, calibrate),
    (_EXAMINE, certify),
    (_EXAMINE, bribe),
    (_EXAMINE, attack),
    (_DESIGN, panel),
    (_MORE, explore),
    (_MORE, sql),
    (_MORE, mcp),
)
for position, (group, function) in enumerate(_COMMANDS):
    app.command(function, group=group, sort_key=position)
for subcommands, group in ((plot, _DESIGN), (paper, _MORE)):
    subcommands.group, subcommands.sort_key = group, 100
    app.command(subcommands)


_LIKE_AN_OPTION = re.compile(r"--[a-z].*|-[a-z]")


def join_hyphen_values(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of the command, with values that begin with a hyphen joined to their option.

    A value such as ``--,-`` or ``-1`` would be read as an option, unless it looks like ``--missing=--,-``.

    Examples
    --------
    >>> join_hyphen_values(["aggregate", "votes.csv", "--missing", "--,-", "--json"])
    ['aggregate', 'votes.csv', '--missing=--,-', '--json']
    """
    joined: list[str] = []
    for argument in arguments:
        is_value = argument.startswith("-") and not _LIKE_AN_OPTION.fullmatch(argument)
        if is_value and joined and joined[-1] in _text_options(joined):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _text_options(arguments: Sequence[str]) -> set[str]:
    """Return the names of the options of a command whose value is text or a list of texts."""
    _, apps, _ = app.parse_commands(arguments)
    options = apps[-1].assemble_argument_collection() if apps[-1].default_command else ()
    return {name for option in options if option.hint in (str, str | None, tuple[str, ...]) for name in option.names}
