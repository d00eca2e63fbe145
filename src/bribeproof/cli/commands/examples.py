"""Examples for the help page of each command: what each is for, and its words, which run as they stand."""

import re
import textwrap
from collections.abc import Iterator

_WIDTH = 80
"""Columns of a usual terminal."""

_JUDGES, _LABELS, _AGENCIES = "examples/judges.csv", "examples/labels.csv", "examples/moderation.csv"
_GOLD = "examples/screening.csv --gold truth"
_HONEST = (
    ("Each photo was given to six people; who did not answer may be bribed:", f"{_LABELS} --k 2 --asked 6"),
    ("Set aside what no honest reporter sends, and count its sender as bribed:", f"{_LABELS} --k 2 --faulty set-aside"),
)
_DESIGN = "--n 10 --k 2 --prior .5 --tpr .8 --fpr .1"
_DRAWN = "--n 9 --k 2 --prior .5 --tpr .8 --fpr .1"

EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "": (
        ("The scores of seven judges, one of whom may be bribed:", f"aggregate {_JUDGES} --k 1"),
        ("A page about them, to print or to send:", f"report {_JUDGES} -o report.html"),
        ("The same in the browser:", f"explore {_JUDGES}"),
    ),
    "aggregate": (
        ("The scores of seven judges, one of whom may be bribed:", f"{_JUDGES} --k 1"),
        ("The same with a picture, and all entries in a file:", f"{_JUDGES} --k 1 --plot ranking.svg -o scores.csv"),
        ("Votes; forecasts are learned from items whose truth is known:", f"{_GOLD} --k 1"),
        ("One bribe buys everybody who works for an agency:", f"{_AGENCIES} --group agency --k 1"),
        (
            "In a pipeline: exit status 3 if more than ten items are not safe:",
            f"{_AGENCIES} --k 1 --fail-if-movable 10",
        ),
        *_HONEST,
    ),
    "weigh": (
        ("Learn from agreement whose labels weigh more; one person may be bribed:", f"{_LABELS} --k 1"),
        ("Learn it from items whose truth is known as well:", f"{_GOLD} --k 1"),
        ("Keep the weights in a file:", f"{_LABELS} --k 1 --weights-output weights.csv"),
        *_HONEST,
    ),
    "rank": (
        ("Seven judges' places: the winner by each rule, and the bribes for another:", "examples/places.csv"),
        ("By pairwise majorities alone, with the whole ranking:", "examples/places.csv --rule copeland"),
        ("By points for the first places, as in a song contest:", "examples/places.csv --rule points --points 12,10,8"),
    ),
    "report": (
        ("A page on a final, to print or to send; one judge may be bribed:", f"{_JUDGES} -o report.html"),
        ("The same as a workbook with a sheet for each table:", f"{_JUDGES} -o report.xlsx"),
        ("Which labels to buy again, and what they cost:", f"{_GOLD} --cost-per-report 0.5 -o report.html"),
        *((purpose, words.replace("--k 2", "-o report.html")) for purpose, words in _HONEST),
    ),
    "commit": (
        ("Publish this before the numbers of a lottery seed the draw:", _LABELS),
        *((purpose, words.replace(" --k 2", "")) for purpose, words in _HONEST),
    ),
    "read": (
        ("Which columns are items, reporters and reports, and why:", _JUDGES),
        (
            "Leave judges out, and keep that for further sheets:",
            f"{_JUDGES} --judges judge_1,judge_2,judge_3 --save-reading cup.toml",
        ),
    ),
    "sweep": (
        ("From which number of bribed reporters on are answers lost?", "examples/votes.csv"),
        ("With bribes that buy whole agencies, and a picture:", f"{_AGENCIES} --group agency --plot sweep.svg"),
        *((purpose, words.replace(" --k 2", "")) for purpose, words in _HONEST),
    ),
    "audit": (
        ("Which judges deviate from the others, though one may be bribed:", f"{_JUDGES} --k 1"),
        ("Votes: all columns, with pairs tested on items whose truth is known:", f"{_GOLD} --k 1 --details"),
        ("Draw it:", f"{_GOLD} --k 1 --plot audit.svg"),
    ),
    "calibrate": (
        ("Rates of the voters from items whose truth is known; one may be bribed:", f"{_GOLD} --k 1"),
        ("A whole agency may be bribed:", f"{_AGENCIES} --gold truth --group agency --bribed-groups 1"),
        ("In a pipeline: exit status 3 if the loss may exceed 0.2:", f"{_GOLD} --k 1 --fail-above 0.2"),
    ),
    "certify": (
        ("How often majorities are right, though voters may be bribed:", _GOLD),
        ("The same if a bribe buys everybody who works for an agency:", f"{_AGENCIES} --gold truth --group agency"),
        ("For a rule that is fitted to half of the items:", f"{_GOLD} --k 1 --rule isotonic"),
        ("In a pipeline: exit status 3 if fewer than 90 % are certified:", f"{_GOLD} --k 1 --fail-below 90%"),
    ),
    "bribe": (
        ("Whom to bribe to change most decisions:", "examples/votes.csv --k 1"),
        ("How few agencies are enough to change five:", f"{_AGENCIES} --group agency --change 5"),
        ("How few judges are enough for another winner:", f"{_JUDGES} --change winner --trim 1"),
    ),
    "attack": (
        ("What each rule loses if up to three voters say the opposite:", f"{_GOLD} --k 1"),
        ("Accomplices who agree on the same wrong labels:", f"{_GOLD} --strategy collude --adversaries 0,1,2"),
        ("Judges who give their lowest mark:", f"{_JUDGES} --strategy low --adversaries 0,1,2"),
    ),
    "panel": (
        ("Ten reporters, two of them bribed; honest ones see 80 % of positives:", _DESIGN),
        ("Missing a positive costs five times what a false alarm costs:", f"{_DESIGN} --loss cost:1,5"),
        ("Honest errors go together only a little:", f"{_DESIGN} --correlation .1"),
    ),
    "plot": (("The rule of nine reporters, two of them bribed:", f"rule {_DRAWN} -o rule.svg"),),
    "plot rule": (
        ("Forecast for each number of positive votes:", f"{_DRAWN} -o rule.svg"),
        ("Missing a positive costs five times what a false alarm costs:", f"{_DRAWN} --loss cost:1,5 -o rule.svg"),
    ),
    "plot guarantee": (
        ("The guaranteed loss for each number of bribed reporters:", f"{_DRAWN} -o loss.svg"),
        ("The same for larger and smaller panels, with two bribed:", f"{_DRAWN} --against n -o loss.svg"),
    ),
    "plot worst-case": (
        ("What the bribed do to the optimal rule:", f"{_DRAWN} -o worst.svg"),
        ("What they do to the majority:", f"{_DRAWN} --rule majority -o worst.svg"),
    ),
    "paper": (("Every claim of the paper on five random instances:", "check --cases 5"),),
    "paper check": (
        ("Every claim on five random instances:", "--cases 5"),
        ("Two claims, on more instances:", "--claim trimmed-mean,squared-optimum --cases 100"),
        ("A page with what is found:", "--cases 5 --errata errata.md"),
    ),
    "paper figure": (
        ("The optimal rules of the paper's first figure:", "optimal-aggregators -o figure.svg"),
        ("Regret against the number of reporters:", "regret-by-size -o figure.png"),
    ),
    "paper ensemble": (
        ("Ten classifiers of digits, bribed in two random groups; takes seconds:", "--models 10 --groups 2"),
        ("The same with the paper's pictures, in this folder:", "--models 10 --groups 2 --figures ."),
    ),
    "--install-completion": (
        ("For the shell that you use, where it looks for them:", "--shell fish"),
        ("Into a file of your own, to be sourced:", "--shell bash -o bribeproof.bash"),
    ),
    "explore": (
        ("Start with a sheet of your own:", _JUDGES),
        ("Start with stories to choose from, at any free port:", "--port 0"),
        ("Let other machines in, which need the token that is printed:", f"{_JUDGES} --host 0.0.0.0"),
    ),
    "sql": (
        ("What the macros are, and what each does:", "duckdb"),
        ("Into a file, which duckdb reads with .read bribeproof.sql:", "duckdb -o bribeproof.sql"),
        ("For the folder macros of a dbt project:", "dbt -o bribeproof.sql"),
    ),
    "mcp": (
        ("What the settings of an assistant name as the command of a server:", "--seconds 20"),
        ("Large tables, up to a minute each:", "--seconds 60"),
    ),
}
"""For each command its examples: what for, and the words after the command."""


def examples_of(command: str) -> Iterator[tuple[str, str]]:
    """Yield the examples of a command: what each is for, and the whole line to type."""
    program = f"bribeproof {command}".rstrip()
    return ((purpose, f"{program} {words}") for purpose, words in EXAMPLES[command])


def describe_examples(command: str) -> str:
    r"""Return the examples of a command as the last paragraphs of its help page.

    Examples
    --------
    >>> print(describe_examples("paper"))
    Example:
    <BLANKLINE>
    Every claim of the paper on five random instances:
      bribeproof paper check --cases 5
    """
    examples = list(examples_of(command))
    heading = "Example:" if len(examples) == 1 else "Examples:"
    if any("examples/" in line for _, line in examples):
        heading = "Examples (examples/ comes with the source; put your own file in its place):"
    return "\n\n".join([heading, *(f"{purpose}\n{_broken(line)}" for purpose, line in examples)])


def _broken(line: str) -> str:
    """Return a line as a shell reads it that is cut to the width of a terminal, never between option and value."""
    glued = re.sub(r" (-\S+) (?!-)", " \\1\0", line)
    parts = textwrap.wrap(
        glued, _WIDTH - len(" \\"), initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
    )
    return " \\\n".join(parts).replace("\0", " ")
