"""What two bad clients of ten do to the average of each rule of Flower, of ByzFL and of ours, under the same attacks.

``python benchmarks/federated_rules.py`` prints the table of docs/integrations/flower.md; with ``--write`` it puts it
into the page. Needs flwr and byzfl (with PyTorch on the processor); half a minute. Rules and attacks
have the settings that their packages ship with, and are told how many clients may be bad where they ask.
"""

import argparse
import contextlib
import io
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from unittest.mock import MagicMock

import flwr.serverapp.strategy as own
import numpy as np
from flwr.app import Array, ArrayRecord, Message, MessageType, MetricRecord, RecordDict
from flwr.serverapp.exception import AppExitException
from flwr.supercore.task_identity import TaskIdentity
from numpy.typing import NDArray

from bribeproof.integrations.flower import FedBribeproof
from page_tables import replace_table

# byzfl imports the data sets of torchvision, which its rules do not need, and which fit one build of PyTorch alone.
sys.modules.setdefault("torchvision", MagicMock())
byzfl = import_module("byzfl")

PAGE = Path(__file__).resolve().parents[1] / "docs" / "integrations" / "flower.md"
DRAWS, SIZE = 50, 1000
FAR = 1000.0

Updates = NDArray[np.float64]
Rule = Callable[[Updates, int, int], Updates | None]
"""Replies, the number of clients and how many of them may be bad in; the average out, None where there is none."""


@dataclass(frozen=True, slots=True)
class Case:
    """A column: honest clients, what bad ones send given what those send, how many honest ones are silent.

    With ``first``, distances are those of the first parameter alone.
    """

    honest: int
    bad: int
    attack: Callable[[Updates], Updates]
    silent: int = 0
    first: bool = False

    def draw(self, rng: np.random.Generator) -> tuple[Updates, Updates]:
        """Return what honest clients would send, and the replies that arrive."""
        honest: Updates = rng.normal(size=SIZE) + rng.normal(size=(self.honest, SIZE))
        lies = np.broadcast_to(self.attack(honest), (self.bad, SIZE))
        return honest, np.concatenate([honest[self.silent :], lies])


def one_parameter(honest: Updates) -> Updates:
    """Return the mean of honest clients with the first parameter moved by 20 standard deviations."""
    update: Updates = honest.mean(axis=0)
    update[0] += 20
    return update


CASES = {
    "nobody is bad": Case(10, 0, lambda honest: honest[0]),
    "far away": Case(8, 2, lambda honest: honest.mean(axis=0) + FAR),
    "sign flipping": Case(8, 2, byzfl.SignFlipping()),
    "inner product": Case(8, 2, byzfl.InnerProductManipulation()),
    "a little is enough": Case(8, 2, byzfl.ALittleIsEnough()),
    "mimic": Case(8, 2, byzfl.Mimic()),
    "one parameter": Case(8, 2, one_parameter, first=True),
    "far away, an honest one silent": Case(8, 2, lambda honest: honest.mean(axis=0) + FAR, silent=1),
    "one of four far away": Case(3, 1, lambda honest: honest.mean(axis=0) + FAR),
}


def message(node: int, update: Updates, name: str = "w") -> Message:
    """Return the reply of a client in Flower."""
    content = RecordDict({"a": ArrayRecord({name: Array(update)}), "m": MetricRecord({"num-examples": 1})})
    return Message(content, reply_to=Message(RecordDict(), dst_node_id=node, message_type=MessageType.TRAIN))


def in_flower(make: Callable[[int, int], own.Strategy]) -> Rule:
    """Return the rule of a strategy, given n and k."""

    def rule(updates: Updates, n: int, k: int) -> Updates | None:
        replies = [message(node, update) for node, update in enumerate(updates, start=1)]
        arrays, _ = make(n, k).aggregate_train(1, replies)
        return None if arrays is None else np.asarray(arrays["w"].numpy())

    return rule


STRATEGIES: Mapping[str, Callable[[int, int], own.Strategy]] = {
    "FedBribeproof (ours)": lambda n, k: FedBribeproof(k=k, n=n),
    "FedAvg": lambda *_: own.FedAvg(),
    "FedMedian": lambda *_: own.FedMedian(),
    "FedTrimmedAvg, β = .2": lambda *_: own.FedTrimmedAvg(),
    "Krum": lambda _, k: own.Krum(num_malicious_nodes=k),
    "MultiKrum of n − k": lambda n, k: own.MultiKrum(num_malicious_nodes=k, num_nodes_to_select=n - k),
    "Bulyan": lambda _, k: own.Bulyan(num_malicious_nodes=k),
}
TOLD_K = ("TrMean", "Krum", "MultiKrum", "MDA", "Meamed", "CAF", "SMEA")
NOT_TOLD = ("Median", "GeometricMedian", "CenteredClipping")


def in_byzfl(name: str, *, told: bool) -> Rule:
    """Return a rule of ByzFL, which is told k or not."""
    kind = getattr(byzfl, name)
    return lambda updates, _, k: np.asarray((kind(f=k) if told else kind())(updates))


RULES: Mapping[str, Rule] = {
    **{name if "ours" in name else f"Flower {name}": in_flower(make) for name, make in STRATEGIES.items()},
    **{f"ByzFL {name}": in_byzfl(name, told=True) for name in TOLD_K},
    **{f"ByzFL {name}": in_byzfl(name, told=False) for name in NOT_TOLD},
}


def distance(rule: Rule, case: Case) -> float | None:
    """Return how far from the mean of honest clients the average ends, in typical distances of one of them.

    The root of the mean square over draws, over that of the distance of an honest client; None where a rule gives none.
    """
    rng, squares, typical = np.random.default_rng(0), [], []
    np.random.seed(0)  # noqa: NPY002 - CAF and SMEA draw from it
    for _ in range(DRAWS):
        honest, replies = case.draw(rng)
        mean = honest.mean(axis=0)
        average = rule(replies, case.honest + case.bad, max(case.bad, 2 * (case.bad == 0)))
        if average is None:
            return None
        part = slice(1) if case.first else slice(None)
        squares.append(np.sum((average - mean)[part] ** 2))
        typical.append(np.mean(np.sum((honest - mean)[:, part] ** 2, axis=1)))
    return float(np.sqrt(np.mean(squares) / np.mean(typical)))


def goes_on(make: Callable[[int, int], own.Strategy]) -> bool:
    """Return whether a round gives an average where one reply of eleven has another name for its parameters."""
    replies = [message(node, np.zeros(2)) for node in range(1, 11)]
    try:
        arrays, _ = make(11, 2).aggregate_train(1, [*replies, message(11, np.zeros(2), "v")])
    except AppExitException:
        return False
    return arrays is not None


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"| rule | {' | '.join(CASES)} | one strange reply |"
    yield f"|---|{'---:|' * len(CASES)}---|"
    for name, rule in RULES.items():
        with contextlib.redirect_stdout(io.StringIO()):
            found = [distance(rule, case) for case in CASES.values()]
        cells = ["none" if value is None else f"{value:,.2f}" if value < 10 else f"{value:,.0f}" for value in found]
        make = STRATEGIES.get(name.removeprefix("Flower "))
        strange = "" if make is None else "goes on" if goes_on(make) else "stops"
        yield f"| {name} | {' | '.join(cells)} | {strange} |"


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    write: bool = parser.parse_args().write
    logging.disable()
    for name in ("_task_id", "_run_id", "_node_id"):  # as in a run of Flower
        setattr(TaskIdentity, name, 1)
    lines = list(table())
    if write:
        PAGE.write_text(replace_table(PAGE.read_text(encoding="utf-8"), "federated rules", lines), encoding="utf-8")
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    main()
