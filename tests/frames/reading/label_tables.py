"""Tables of sets of labels in many notations, and the answers that are right for them."""

import itertools
import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

LABELS = ("ant", "bee", "cat", "dog eats")
WORKERS = [f"w{number}" for number in range(6)]
Table = Mapping[tuple[str, str], frozenset[str] | None]


def table(seed: int, items: int = 8) -> dict[tuple[str, str], frozenset[str] | None]:
    """Return random sets of labels by item and worker, None for no report; the first reports are of two labels."""
    draw = np.random.default_rng(seed)
    found: dict[tuple[str, str], frozenset[str] | None] = {}
    for pair in itertools.product([f"t{number}" for number in range(items)], WORKERS):
        chosen = frozenset(label for label in LABELS if draw.random() < 0.4)
        found[pair] = None if draw.random() < 0.15 else chosen
    return found | {("t0", "w0"): frozenset({"ant", "bee"}), ("t0", "w1"): frozenset({"ant", "bee"})}


def spoken(seed: int) -> dict[tuple[str, str], frozenset[str] | None]:
    """Return a table without reports of no label."""
    return {pair: one or None for pair, one in table(seed).items()}


def scrambled(said: frozenset[str], draw: np.random.Generator) -> list[str]:
    """Return labels in any order, some twice."""
    listed = [*said, *(label for label in said if draw.random() < 0.2)]
    return [listed[place] for place in draw.permutation(len(listed))]


def separated(sign: str) -> Callable[[list[str]], str]:
    """Return how a set is written with a sign between its labels."""
    return lambda labels: sign.join(labels) if labels else "[]"


WRITTEN: dict[str, Callable[[list[str]], Any]] = {
    ";": separated(";"),
    "|": separated(" | "),
    ",": separated(", "),
    "newline": separated("\n"),
    "#": separated("#"),
    "json": json.dumps,
    "python": repr,
    "unquoted": lambda labels: f"[{', '.join(labels)}]",
    "database": lambda labels: f"{{{','.join(labels)}}}",
    "choices": lambda labels: json.dumps({"choices": labels}),
    "flags": lambda labels: json.dumps({label: label in labels for label in LABELS}),
    "form": lambda labels: json.dumps([{"animals": {"labels": labels}}]),
    "lists": lambda labels: labels,
}


def long_form(said: Table, written: Callable[[list[str]], Any], seed: int = 0) -> dict[str, list[Any]]:
    """Return a table with a row for each report."""
    draw = np.random.default_rng(seed)
    cells = [None if one is None else written(scrambled(one, draw)) for one in said.values()]
    return {"task": [item for item, _ in said], "worker": [who for _, who in said], "label": cells}
