"""What the controls of the room say: a panel, an expert and a loss, read from an address and written into one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from bribeproof.errors import ParameterError
from bribeproof.theory import CostWeighted, Expert, Loss, Panel, cost, get_loss

DEFAULTS: Mapping[str, str] = {
    "n": "10", "k": "2", "prior": "0.5", "tpr": "0.8", "fpr": "0.1", "loss": "squared", "cost_fp": "1", "cost_fn": "5",
}  # fmt: skip
"""What the controls say at first; the costs count where the loss is ``cost``."""
MOST = 1000
"""The most reporters that are shown here."""
_WHOLE = re.compile("[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
_SHOWN = 40
"""A message repeats so much of what was typed."""


@dataclass(frozen=True, slots=True)
class PanelQuery:
    """A panel that somebody thinks about.

    Attributes
    ----------
    panel
        Reporters and adversaries.
    expert
        One honest reporter.
    loss
        Loss of the forecast.
    """

    panel: Panel
    expert: Expert
    loss: Loss

    @property
    def query(self) -> str:
        """The design as the query of an address."""
        expert = self.expert
        given: dict[str, object] = {
            "n": self.panel.n, "k": self.panel.k, "prior": expert.prior, "tpr": expert.tpr, "fpr": expert.fpr,
            "loss": self.loss.name,
        }  # fmt: skip
        if (prices := self._prices) is not None:
            given |= {"loss": "cost", "cost_fp": prices.false_positive, "cost_fn": prices.false_negative}
        return urlencode(given)

    @property
    def python(self) -> str:
        """Lines of Python that give what is shown."""
        prices = self._prices
        loss = (
            f'"{self.loss.name}"'
            if prices is None
            else f"bp.theory.cost(false_positive={prices.false_positive}, false_negative={prices.false_negative})"
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
                "print(bp.theory.breakdown_point(expert, loss), bp.theory.max_adversaries(panel.n, expert, loss))",
                "print(bp.theory.worst_case(rule, panel, expert, loss))",
            )
        )

    @property
    def command(self) -> str:
        """A command that gives what is shown."""
        expert, prices = self.expert, self._prices
        loss = self.loss.name if prices is None else f"cost:{prices.false_positive},{prices.false_negative}"
        return (
            f"bribeproof panel --n {self.panel.n} --k {self.panel.k} --prior {expert.prior} --tpr {expert.tpr} "
            f"--fpr {expert.fpr} --loss {loss}"
        )

    @property
    def _prices(self) -> CostWeighted | None:
        """The prices of the two kinds of error, where they are needed to name the loss."""
        return self.loss if isinstance(self.loss, CostWeighted) and self.loss.name != "absolute" else None


def typed(query: Mapping[str, str]) -> dict[str, str]:
    """Return what the controls say: what is in the address, and what they say at first."""
    return {name: query.get(name, first) for name, first in DEFAULTS.items()}


def read(said: Mapping[str, str]) -> PanelQuery:
    """Read what the controls say.

    Parameters
    ----------
    said
        What `typed` returns.

    Raises
    ------
    ParameterError
        If something is no number, or outside of what is allowed.
    """
    n = _whole(said, "n")
    if n > MOST:
        raise ParameterError(f"n = {n:,}: at most {MOST:,} reporters are shown here; bribeproof panel takes more")
    panel = Panel(n, _whole(said, "k"))
    expert = Expert(*(_number(said, name) for name in ("prior", "tpr", "fpr")))
    if said["loss"] != "cost":
        return PanelQuery(panel, expert, get_loss(said["loss"]))
    prices = (_number(said, name) for name in ("cost_fp", "cost_fn"))
    return PanelQuery(panel, expert, cost(false_positive=next(prices), false_negative=next(prices)))


def most_bribes(said: Mapping[str, str]) -> int | None:
    """Return the most bribes that leave a truthful majority; None where the number of reporters is none."""
    try:
        n = _whole(said, "n")
    except ParameterError:
        return None
    return (n - 1) // 2 if 0 < n <= MOST else None


def _whole(said: Mapping[str, str], name: str) -> int:
    """Read a whole number; 1.5 people are an error, not two."""
    text = said[name].strip()
    if not _WHOLE.fullmatch(text):
        raise ParameterError(f"{name} = {_shown(text)} is not a whole number; give one such as {DEFAULTS[name]}")
    return int(text)


def _number(said: Mapping[str, str], name: str) -> float:
    """Read a number; what is no number in every language is none here."""
    text = said[name].strip()
    if not _NUMBER.fullmatch(text):
        raise ParameterError(f"{name} = {_shown(text)} is not a number; give one such as {DEFAULTS[name]}")
    return float(text)


def _shown(text: str) -> str:
    """Return what was typed, cut where it is long."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
