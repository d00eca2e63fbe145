"""The query of the page "Design a panel": a panel, an expert and a loss."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from bribeproof._text import parse_number, parse_whole
from bribeproof.errors import ParameterError
from bribeproof.theory import CostWeighted, Expert, Loss, Panel, cost, get_loss

DEFAULTS: Mapping[str, str] = {
    "n": "10", "k": "2", "correlation": "1", "prior": "0.5", "tpr": "0.8", "fpr": "0.1", "loss": "absolute",
    "cost_fp": "20", "cost_fn": "40", "cost_judge": "0.1",
}  # fmt: skip
"""Default values of the form."""
LABELS: Mapping[str, str] = {
    "n": "Judges", "k": "Bribed at most", "correlation": "Honest errors go together", "prior": "Truth is yes",
    "tpr": "Hits", "fpr": "False alarms", "loss": "Forecasts are scored by", "cost_fp": "A wrong yes costs",
    "cost_fn": "A wrong no costs", "cost_judge": "A judge's answer costs",
}  # fmt: skip
"""What the form, and errors, call its fields."""
LOSSES: Mapping[str, str] = {
    "absolute": "wrong answers (absolute loss)",
    "cost": "what wrong answers cost (cost)",
    "squared": "squared loss: (forecast − truth)²",
    "log": "log loss: −log of the probability of the truth",
}
"""The losses of the form, and what they are called there."""
CORRELATIONS = (
    "0", "0.01", "0.02", "0.03", "0.05", "0.07", "0.1", "0.15", "0.2", "0.3", "0.4", "0.5", "0.6", "0.8", "1",
)  # fmt: skip
"""Where the slider of the correlation stops: most of the measured ones are from .01 to .2."""
MAX_REPORTERS = 1000
"""Largest panel that the page shows."""
_MAX_LENGTH = 40
"""Longest value that an error message repeats in full."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What errors and judges cost, in the user's money.

    Attributes
    ----------
    false_positive, false_negative
        The price of a wrong yes and of a wrong no, above 0.
    judge
        The price of one answer of one judge, at least 0.
    """

    false_positive: float = 20.0
    false_negative: float = 40.0
    judge: float = 0.1

    @property
    def loss(self) -> CostWeighted:
        """The loss that counts what errors cost."""
        return cost(false_positive=self.false_positive, false_negative=self.false_negative)


@dataclass(frozen=True, slots=True)
class PanelQuery:
    """A panel, one of its honest reporters, and a loss.

    Attributes
    ----------
    panel
        Numbers of reporters and adversaries.
    expert
        Prior and rates of one honest reporter, and how far the errors of two go together.
    loss
        Loss of the forecast.
    prices
        What errors and judges cost.
    """

    panel: Panel
    expert: Expert
    loss: Loss
    prices: Prices = Prices()

    @property
    def paired(self) -> bool:
        """Whether honest errors go together less than they could."""
        return not self.expert.may_err_together

    def changed(self, n: int, k: int) -> "PanelQuery":
        """Return the design with other numbers of judges and bribed."""
        return replace(self, panel=Panel(n, k))

    @property
    def query(self) -> str:
        """The design as a query string."""
        prices = self.prices
        money = {"cost_fp": prices.false_positive, "cost_fn": prices.false_negative, "cost_judge": prices.judge}
        return urlencode(self._values | ({} if self._prices is None else {"loss": "cost"}) | money)

    @property
    def python(self) -> str:
        """Python code that computes the numbers shown."""
        loss = f'"{self.loss.name}"' if self._prices is None else _cost(self._prices)
        further: tuple[str, ...] = (
            "print(bp.theory.breakdown_point(expert, loss), bp.theory.max_adversaries(panel.n, expert, loss))",
            "print(bp.theory.worst_case(rule, panel, expert, loss))",
        )
        if self.paired:
            further = (
                "print(bp.theory.effective_reporters(panel.n, expert))",
                "print(bp.theory.most_adversaries(panel.n, expert, loss))",
                "print(bp.theory.pairwise_worst_loss(rule, panel, expert, loss))",
            )
        return "\n".join(
            (
                "import bribeproof as bp",
                "",
                f"expert = bp.{self.expert!r}",
                f"panel = bp.{self.panel!r}",
                f"loss = {loss}",
                "rule = bp.rules.optimal_aggregator(panel, expert, loss)",
                "print(rule.guarantee)",
                *further,
                f"prices = {_cost(self.prices.loss)}",
                "errors = bp.rules.optimal_aggregator(panel, expert, prices).guarantee.expected_loss",
                f"print(100 * (errors + panel.n * {self.prices.judge}))  # what 100 answers cost at most",
            )
        )

    @property
    def command(self) -> str:
        """Shell command that prints the numbers shown."""
        expert, prices = self.expert, self._prices
        loss = self.loss.name if prices is None else f"cost:{prices.false_positive},{prices.false_negative}"
        correlation = f" --correlation {expert.correlation}" if self.paired else ""
        return (
            f"bribeproof panel --n {self.panel.n} --k {self.panel.k} --prior {expert.prior} --tpr {expert.tpr} "
            f"--fpr {expert.fpr}{correlation} --loss {loss}"
        )

    @property
    def request(self) -> str:
        """Body of the request to the JSON API that answers the numbers shown."""
        values = self._values
        if (prices := self._prices) is not None:
            values |= {
                "loss": "cost", "false_positive": prices.false_positive, "false_negative": prices.false_negative,
            }  # fmt: skip
        return json.dumps(values)

    @property
    def _values(self) -> dict[str, object]:
        """The design as names and values; a correlation that says nothing is left out."""
        expert = self.expert
        values: dict[str, object] = {
            "n": self.panel.n, "k": self.panel.k, "prior": expert.prior, "tpr": expert.tpr, "fpr": expert.fpr,
        }  # fmt: skip
        return values | ({"correlation": expert.correlation} if self.paired else {}) | {"loss": self.loss.name}

    @property
    def _prices(self) -> CostWeighted | None:
        """The loss with its two prices, if it can be named only by them."""
        return self.loss if isinstance(self.loss, CostWeighted) and self.loss.name != "absolute" else None


def form_values(query: Mapping[str, str]) -> dict[str, str]:
    """Return the values of the form: those in the query string, else the defaults."""
    return {name: query.get(name, default) for name, default in DEFAULTS.items()}


def parse_design(values: Mapping[str, str]) -> PanelQuery:
    """Parse the values of the form; errors name its fields.

    Parameters
    ----------
    values
        The values, from `form_values`.

    Raises
    ------
    ParameterError
        If a value is not a number, or not in its range.
    """
    n, k = _whole(values, "n"), _whole(values, "k")
    if not 1 <= n <= MAX_REPORTERS:
        raise ParameterError(
            f"{LABELS['n']}: {n:,} cannot be shown here; give 1 to {MAX_REPORTERS:,} (bribeproof panel takes more)"
        )
    if not 0 <= 2 * k < n:
        most = f"0 to {(n - 1) // 2:,}" if n > 2 else "0"
        raise ParameterError(f"{LABELS['k']}: {k:,} of {n:,}; the honest must be the majority, so give {most}")
    prior, tpr, fpr, correlation = (_share(values, name) for name in ("prior", "tpr", "fpr", "correlation"))
    if tpr < fpr:
        raise ParameterError(
            f"{LABELS['tpr']}: {tpr:g} is below {LABELS['fpr']}, {fpr:g}; swap them, or swap yes and no"
        )
    prices = Prices(*(_price(values, name) for name in ("cost_fp", "cost_fn", "cost_judge")))
    if (name := values["loss"]) not in LOSSES:
        raise ParameterError(f"{LABELS['loss']}: {_shown(name)} is unknown; choose one of {', '.join(LOSSES)}")
    loss = prices.loss if name == "cost" else get_loss(name)
    return PanelQuery(Panel(n, k), Expert(prior, tpr, fpr, correlation), loss, prices)


def max_bribes(values: Mapping[str, str]) -> int | None:
    """Return the largest number of bribes that leaves a truthful majority; None if `n` is invalid."""
    try:
        n = _whole(values, "n")
    except ParameterError:
        return None
    return (n - 1) // 2 if 0 < n <= MAX_REPORTERS else None


def _cost(prices: CostWeighted) -> str:
    """Return Python code for a loss with two prices."""
    return f"bp.theory.cost(false_positive={prices.false_positive}, false_negative={prices.false_negative})"


def _whole(values: Mapping[str, str], name: str) -> int:
    """Parse a whole number; 1.5 is an error."""
    text = values[name]
    try:
        return parse_whole(text)
    except ValueError:
        raise ParameterError(
            f"{LABELS[name]}: {_shown(text)} is not a whole number; give one such as {DEFAULTS[name]}"
        ) from None


def _share(values: Mapping[str, str], name: str) -> float:
    """Parse a number from 0 to 1."""
    value = _number(values, name)
    if not 0 <= value <= 1:
        raise ParameterError(f"{LABELS[name]}: {value:g} is not from 0 to 1")
    return value


def _price(values: Mapping[str, str], name: str) -> float:
    """Parse a price; only that of a judge may be 0."""
    value = _number(values, name)
    if value < 0 or (value == 0 and name != "cost_judge"):
        raise ParameterError(
            f"{LABELS[name]}: {value:g} is no price; give {'0 or more' if name == 'cost_judge' else 'more than 0'}"
        )
    return value


def _number(values: Mapping[str, str], name: str) -> float:
    """Parse a plain decimal; locale formats, NaN and infinity are rejected."""
    text = values[name]
    try:
        return parse_number(text)
    except ValueError:
        such = "0.05" if name == "correlation" else DEFAULTS[name]
        raise ParameterError(f"{LABELS[name]}: {_shown(text)} is not a number; give one such as {such}") from None


def _shown(text: str) -> str:
    """Return a typed value in quotes, shortened if it is long."""
    return repr(text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}…")
