"""The command ``bribeproof`` with its commands, grouped and ordered by task, and an example for each."""

from collections.abc import Callable

import cyclopts
from cyclopts import Group

from bribeproof.cli.commands.aggregate import aggregate
from bribeproof.cli.commands.attack import attack
from bribeproof.cli.commands.audit import audit
from bribeproof.cli.commands.calibrate import calibrate
from bribeproof.cli.commands.explore import explore
from bribeproof.cli.commands.panel import panel
from bribeproof.cli.commands.paper import paper
from bribeproof.cli.commands.plot import plot
from bribeproof.cli.commands.sweep import sweep
from bribeproof.cli.commands.weigh import weigh
from bribeproof.cli.options.examples import example

app = cyclopts.App(
    name="bribeproof",
    help="Combine votes, labels and scores so that up to k bribed reporters cannot buy the answer.",
    help_epilogue=example("bribeproof aggregate examples/judges.csv --k 1"),
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
app["--help"].group = app["--version"].group = Group("Help", sort_key=5)

_COMBINE = Group("Combine the reports in a file", sort_key=1)
_EXAMINE = Group("Examine a file and its reporters", sort_key=2)
_DESIGN = Group("Design a panel", sort_key=3)
_MORE = Group("More", sort_key=4)
_GOLD = "examples/screening.csv --gold truth"

_COMMANDS: tuple[tuple[Group, Callable[..., None], str], ...] = (
    (_COMBINE, aggregate, "aggregate examples/judges.csv --k 1"),
    (_COMBINE, weigh, "weigh examples/labels.csv --k 1"),
    (_EXAMINE, sweep, "sweep examples/votes.csv"),
    (_EXAMINE, audit, "audit examples/judges.csv --k 1"),
    (_EXAMINE, calibrate, f"calibrate {_GOLD} --k 1"),
    (_EXAMINE, attack, f"attack {_GOLD} --k 1"),
    (_DESIGN, panel, "panel --n 10 --k 2 --prior 0.5 --tpr 0.8 --fpr 0.1"),
    (_MORE, explore, "explore examples/judges.csv"),
)
for position, (group, function, command) in enumerate(_COMMANDS):
    app.command(function, group=group, sort_key=position, help_epilogue=example(f"bribeproof {command}"))
for subcommands, group in ((plot, _DESIGN), (paper, _MORE)):
    subcommands.group, subcommands.sort_key = group, 100
    app.command(subcommands)
