"""The query of the page "Design a panel": a panel, an expert and a loss."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from bribeproof._text import parse_number, parse_whole
from bribeproof.errors import ParameterError
from bribeproof.theory import CostWeighted, Expert, Loss, Panel, cost, get_loss

DEFAULTS: Mapping[str, str] = {
    "n": "10", "k": "2", "correlation": "1", "prior": "0.5", "tpr": "0.8", "fpr": "0.1", "loss": "squared",
    "cost_fp": "1", "cost_fn": "5",
}  # fmt: skip
"""Default values of the form; the costs are used if the loss is ``cost``."""
CORRELATIONS = (
    "0", "0.01", "0.02", "0.03", "0.05", "0.07", "0.1", "0.15", "0.2", "0.3", "0.4", "0.5", "0.6", "0.8", "1",
)  # fmt: skip
"""Where the slider of the correlation stops: most of the measured ones are from .01 to .2."""
MAX_REPORTERS = 1000
"""Largest panel that the page shows."""
_MAX_LENGTH = 40
"""Longest value that an error message repeats in full."""


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
    """

    panel: Panel
    expert: Expert
    loss: Loss

    @property
    def paired(self) -> bool:
        """Whether honest errors go together less than they could."""
        return not self.expert.may_err_together

    @property
    def query(self) -> str:
        """The design as a query string."""
        values = self._values
        if (prices := self._prices) is not None:
            values |= {"loss": "cost", "cost_fp": prices.false_positive, "cost_fn": prices.false_negative}
        return urlencode(values)

    @property
    def python(self) -> str:
        """Python code that computes the numbers shown."""
        prices = self._prices
        loss = (
            f'"{self.loss.name}"'
            if prices is None
            else f"bp.theory.cost(false_positive={prices.false_positive}, false_negative={prices.false_negative})"
        )
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
    """Parse the values of the form.

    Parameters
    ----------
    values
        The values, from `form_values`.

    Raises
    ------
    ParameterError
        If a value is not a number, or not in its range.
    """
    n = _whole(values, "n")
    if n > MAX_REPORTERS:
        raise ParameterError(
            f"n = {n:,}: at most {MAX_REPORTERS:,} reporters are shown here; bribeproof panel takes more"
        )
    panel = Panel(n, _whole(values, "k"))
    expert = Expert(*(_number(values, name) for name in ("prior", "tpr", "fpr", "correlation")))
    if values["loss"] != "cost":
        return PanelQuery(panel, expert, get_loss(values["loss"]))
    prices = (_number(values, name) for name in ("cost_fp", "cost_fn"))
    return PanelQuery(panel, expert, cost(false_positive=next(prices), false_negative=next(prices)))


def max_bribes(values: Mapping[str, str]) -> int | None:
    """Return the largest number of bribes that leaves a truthful majority; None if `n` is invalid."""
    try:
        n = _whole(values, "n")
    except ParameterError:
        return None
    return (n - 1) // 2 if 0 < n <= MAX_REPORTERS else None


def _whole(values: Mapping[str, str], name: str) -> int:
    """Parse a whole number; 1.5 is an error."""
    text = values[name]
    try:
        return parse_whole(text)
    except ValueError:
        raise ParameterError(
            f"{name} = {_shown(text)} is not a whole number; give one such as {DEFAULTS[name]}"
        ) from None


def _number(values: Mapping[str, str], name: str) -> float:
    """Parse a plain decimal; locale formats, NaN and infinity are rejected."""
    text = values[name]
    try:
        return parse_number(text)
    except ValueError:
        such = "0.05" if name == "correlation" else DEFAULTS[name]
        raise ParameterError(f"{name} = {_shown(text)} is not a number; give one such as {such}") from None


def _shown(text: str) -> str:
    """Return a typed value in quotes, shortened if it is long."""
    return repr(text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}…")
