"""The command ``bribeproof`` with its commands, grouped and ordered by task, and an example for each."""

import re
from collections.abc import Callable, Sequence

import cyclopts
from cyclopts import Group

from bribeproof.cli.commands.aggregate import aggregate
from bribeproof.cli.commands.attack import attack
from bribeproof.cli.commands.audit import audit
from bribeproof.cli.commands.bribe import bribe
from bribeproof.cli.commands.calibrate import calibrate
from bribeproof.cli.commands.certify import certify
from bribeproof.cli.commands.commit import commit
from bribeproof.cli.commands.explore import explore
from bribeproof.cli.commands.panel import panel
from bribeproof.cli.commands.paper import paper
from bribeproof.cli.commands.plot import plot
from bribeproof.cli.commands.rank import rank
from bribeproof.cli.commands.read import read
from bribeproof.cli.commands.report import report
from bribeproof.cli.commands.sweep import sweep
from bribeproof.cli.commands.weigh import weigh
from bribeproof.cli.options.examples import example
from bribeproof.cli.options.groups import OPTIONS

app = cyclopts.App(
    name="bribeproof",
    help="Combine votes, labels and scores so that up to k bribed reporters cannot buy the answer.",
    help_epilogue=example("bribeproof aggregate examples/judges.csv --k 1"),
    group_parameters=OPTIONS,
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
_HELP = Group("Help", sort_key=5)
app["--help"].group = app["--version"].group = _HELP
app.register_install_completion_command(
    add_to_startup=False, group=_HELP, help="Complete options and commands in the shell."
)

_COMBINE = Group("Combine the reports in a file", sort_key=1)
_EXAMINE = Group("Examine a file and its reporters", sort_key=2)
_DESIGN = Group("Design a panel", sort_key=3)
_MORE = Group("More", sort_key=4)
_GOLD = "examples/screening.csv --gold truth"

_RATES = "--prior 0.5 --tpr 0.8 --fpr 0.1"
_LABELS = "examples/labels.csv"
_HONEST = ("--asked 6", "--faulty set-aside")
_TO = "-o report.html"

_COMMANDS: tuple[tuple[Group, Callable[..., None], str, tuple[str, ...]], ...] = (
    (_COMBINE, aggregate, "examples/judges.csv --k 1", tuple(f"{_LABELS} --k 2 {honest}" for honest in _HONEST)),
    (_COMBINE, weigh, f"{_LABELS} --k 1", tuple(f"{_LABELS} --k 2 {honest}" for honest in _HONEST)),
    (_COMBINE, rank, "examples/places.csv", ("examples/places.csv --rule copeland",)),
    (_COMBINE, report, "examples/judges.csv -o report.html", tuple(f"{_LABELS} {_TO} {one}" for one in _HONEST)),
    (_COMBINE, commit, _LABELS, tuple(f"{_LABELS} {honest}" for honest in _HONEST)),
    (_EXAMINE, read, "examples/judges.csv", ("examples/judges.csv --save-reading reading.toml",)),
    (_EXAMINE, sweep, "examples/votes.csv", tuple(f"{_LABELS} {honest}" for honest in _HONEST)),
    (_EXAMINE, audit, "examples/judges.csv --k 1", (f"{_GOLD} --k 1 --details",)),
    (_EXAMINE, calibrate, f"{_GOLD} --k 1", (f"{_GOLD} --k 1 --fail-above 0.2",)),
    (_EXAMINE, certify, f"{_GOLD} --k 1", (f"{_GOLD} --k 1 --rule isotonic", f"{_GOLD} --k 1 --fail-below 90%")),
    (_EXAMINE, bribe, "examples/votes.csv --k 1", ("examples/judges.csv --change winner --trim 1",)),
    (_EXAMINE, attack, f"{_GOLD} --k 1", ("examples/judges.csv --strategy low --adversaries 0,1,2",)),
    (_DESIGN, panel, f"--n 10 --k 2 {_RATES}", (f"--n 10 --k 2 {_RATES} --loss cost:5,1",)),
    (_MORE, explore, "examples/judges.csv", ()),
)
for position, (group, function, first, more) in enumerate(_COMMANDS):
    examples = example(*(f"bribeproof {function.__name__} {words}" for words in (first, *more)))
    app.command(function, group=group, sort_key=position, help_epilogue=examples)
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
