"""Options for what one bribe buys, what it costs, and how much is spent."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclopts import Parameter

from bribeproof.cli.options.groups import BRIBES
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.cli.options.input import OpenInput
    from bribeproof.frames.bribed_groups import GivenBribes
    from bribeproof.frames.reading.vocabulary import Role


@Parameter(name="*", group=BRIBES)
@dataclass(frozen=True, slots=True)
class BribeOptions:
    """Options for groups of reporters that one bribe buys, and for prices."""

    group: str | None = None
    """What one bribe buys together, such as a nation: a column, or a file with columns reporter and group."""
    price: str | None = None
    """What a group costs, or a reporter without --group: a column, or a file with columns group and price."""
    budget: str | None = None
    """The most that is spent on bribes, with --price; instead of a number of bribes."""

    @property
    def columns(self) -> "dict[str, Role]":
        """The columns of the reports that are named, and their role: they hold no reports."""
        return columns_of("amount", self.price) | columns_of("group", self.group)

    @property
    def are_given(self) -> bool:
        """Whether one of the options is given."""
        return any(one is not None for one in (self.group, self.price, self.budget))

    def check(self, k: int | None, share: str | None = None, *, shares: bool = True) -> None:
        """Raise an error unless it is said how much may be bribed: a number, a budget with prices, or a share."""
        if [k, share, self.budget].count(None) != 2:
            heads = "either --k 1 or --share 0.2" if shares else "--k 1"
            raise ParameterError(
                f"say how many reporters may be bribed, with {heads}; how many groups, with --group and --k 1; or how "
                f"much money is spent, with --price and --budget"
            )
        if (self.price is None) != (self.budget is None):
            raise ParameterError(
                "--price says what a bribe costs, and --budget how much is spent: give both, or neither"
            )
        if self.group is not None and share is not None:
            raise ParameterError("--share is one of the reporters, and --group counts groups: give --k, their number")

    def of(self, data: "OpenInput") -> "GivenBribes | None":
        """Return what is given, for an open file."""
        from bribeproof.frames.bribed_groups import GivenBribes

        reporter = data.recognised.columns.reporter
        return GivenBribes.of(data.original, reporter, **self.given(reporter))

    def check_several(self, option: str, k: int | None) -> None:
        """Raise an error unless prices and budgets go together, and not with a number of bribes."""
        if (self.price is None) != (self.budget is None):
            raise ParameterError("--price says what a bribe costs, and --budget 0,10,20 how much is spent: give both")
        if self.price is not None and k is not None:
            raise ParameterError(f"{option} counts bribes, and --budget money: give one of them")

    def given(self, reporter: str) -> dict[str, Any]:
        """Return the arguments of the library; files are read.

        Parameters
        ----------
        reporter
            The column of the reporters, a name that the files may use as well.
        """
        names = (reporter or "judge", "reporter")
        group = column_or_pairs("group", self.group, names)
        groups = () if self.group is None else ("group",) if _is_file(self.group) else ("group", self.group)
        price = column_or_pairs("price", self.price, (*groups, *names))
        return {"group": group, "price": price, "budget": self.budget}

    def several(self, reporter: str) -> dict[str, Any]:
        """Return the arguments of a function that takes several budgets."""
        given = self.given(reporter)
        return given if self.budget is None or "," not in self.budget else given | {"budget": self.budget.split(",")}


def _is_file(text: str) -> bool:
    """Return whether the value of an option is a file, by its ending."""
    from bribeproof.io.formats import FORMATS

    return Path(text).suffix.lower() in FORMATS


def columns_of(role: "Role", given: str | None) -> "dict[str, Role]":
    """Return the value of an option if it is a column, not a file, and its role: it holds no reports."""
    return {} if given is None or _is_file(given) else {given: role}


def column_or_pairs(
    what: str, given: str | None, names: tuple[str, ...], *, option: str | None = None
) -> str | dict[Any, Any] | None:
    """Return what is stated for names: the name of a column as it is, and the pairs in a file as a mapping.

    Parameters
    ----------
    what
        The column of the statements in the file, if it has more than two.
    given
        The value of the option.
    names
        Possible columns of the names in the file, the first that is there being taken.
    option
        The option, for errors; by default the column with two hyphens.

    Raises
    ------
    ParameterError
        If the file has no such columns, or a name has two different statements.
    """
    if given is None or not _is_file(given):
        return given
    from bribeproof.io.read import read_table

    source, table = f"{option or f'--{what}'} {given}", read_table(Path(given))
    columns = list(table.frame.columns)
    key = next((name for name in names if name in columns and name != what), None)
    if key is None and len(columns) == 2 and columns[0] != what and "group" not in names:
        key = columns[0]  # only one kind of names can be meant
    rest = [name for name in columns if name != key]
    found = what if what in rest else rest[0] if len(rest) == 1 else None
    if key is None or found is None:
        raise ParameterError(
            f"{source}: call its two columns {names[0]!r} and {what!r}; the columns are: "
            f"{', '.join(map(repr, columns))}"
        )
    pairs: dict[Any, Any] = {}
    for row, (name, stated) in enumerate(zip(table.frame[key], table.frame[found], strict=True)):
        if name is None or stated is None:
            continue
        if pairs.setdefault(name, stated) != stated:
            raise ParameterError(
                f"{source}, {table.locate(row)}: {name!r} has a {what} already, {pairs[name]!r}: give one"
            )
    return pairs
