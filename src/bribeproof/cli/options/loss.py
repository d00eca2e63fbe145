"""Options for the loss that a guarantee bounds: by name, or the user's costs of the two kinds of error."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cyclopts import Parameter

from bribeproof._text import parse_number
from bribeproof.cli.options.converters import Number
from bribeproof.cli.options.groups import COSTS
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.theory import Loss

_LARGEST_COST = 1e12


@Parameter(name="*", group=COSTS)
@dataclass(frozen=True, slots=True)
class LossOptions:
    """Options for the loss of a forecast."""

    loss: str | None = None
    """Loss function of the forecast: squared (the default), absolute, log, or cost:FP,FN with two prices."""
    cost_false_positive: Number | None = None
    """Instead of --loss: what it costs to decide positive where the truth is negative (default: 1)."""
    cost_false_negative: Number | None = None
    """Instead of --loss: what it costs to decide negative where the truth is positive (default: 1)."""

    @property
    def option(self) -> str | None:
        """The option by which a loss is given; None without one."""
        if self.loss is not None:
            return "--loss"
        if self.cost_false_positive is not None:
            return "--cost-false-positive"
        return None if self.cost_false_negative is None else "--cost-false-negative"

    @property
    def given(self) -> "str | Loss | None":
        """The loss as the library takes it; None if none is given.

        Raises
        ------
        ParameterError
            If a loss and costs are given, or a cost is not positive or too large.
        """
        if self.cost_false_positive is None and self.cost_false_negative is None:
            return None if self.loss is None else parse_loss(self.loss)
        if self.loss is not None:
            raise ParameterError(
                f"--loss {self.loss} and the costs of errors name two losses: leave out --loss to count costs, or "
                f"--cost-false-positive and --cost-false-negative"
            )
        costs = {"--cost-false-positive": self.cost_false_positive, "--cost-false-negative": self.cost_false_negative}
        return _priced(*(1.0 if cost is None else _checked(option, cost) for option, cost in costs.items()))

    @property
    def chosen(self) -> "str | Loss":
        """The loss as the library takes it, the squared one if none is given."""
        given = self.given
        return "squared" if given is None else given


def parse_loss(text: str) -> "str | Loss":
    """Convert to a loss function; ``cost:1,5`` prices a false positive at 1 and a false negative at 5.

    Examples
    --------
    >>> parse_loss("cost:1,5").name
    'cost(false_positive=1, false_negative=5)'
    """
    if not text.startswith("cost:"):
        return text
    try:
        costs = [parse_number(part) for part in text.removeprefix("cost:").split(",")]
    except ValueError:
        costs = []
    if len(costs) != 2:
        raise ParameterError(f"--loss {text}: write cost:FP,FN with two numbers, such as cost:1,5")
    return _priced(*(_checked(f"--loss {text}:", cost) for cost in costs))


def _checked(option: str, cost: float) -> float:
    """Return a cost if it is positive and not too large."""
    if not 0 < cost <= _LARGEST_COST:
        raise ParameterError(
            f"{option} {cost:g} is no cost of an error: give a number above 0, at most {_LARGEST_COST:g}"
        )
    return cost


def _priced(false_positive: float, false_negative: float) -> "Loss":
    """Return the loss with these two costs."""
    from bribeproof.theory import cost

    return cost(false_positive=false_positive, false_negative=false_negative)
