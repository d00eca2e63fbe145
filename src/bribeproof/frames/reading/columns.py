"""Say which column has which role by its name."""

from collections.abc import Mapping, Sequence

import polars as pl

from bribeproof.frames.reading.reading import OtherColumn
from bribeproof.frames.reading.vocabulary import AMBIGUOUS, Role
from bribeproof.frames.reading.words import NamedRole, has_digit, names_reporters, role_of, words_of


def roles_of(names: Sequence[str]) -> dict[str, NamedRole]:
    """Return the roles of columns by their names.

    A participant is an item where other columns are reporters'. A lone *judge model* holds the names of reporters where
    another column holds reports; beside *Kampfrichter Klein*, *Kampfrichter Richter* is one reporter as well.
    """
    roles = {name: role_of(name) for name in names}
    lone = [name for name, named in roles.items() if named.role == "one reporter"]
    if len(lone) == 1 and names_reporters(lone[0]) and any(named.role == "report" for named in roles.values()):
        roles[lone[0]] = NamedRole("reporter")
    if len(lone) > 1:
        roles |= {name: NamedRole("item") for name in names if "".join(words_of(name)) in AMBIGUOUS}
    return roles


def named(roles: Mapping[str, NamedRole], role: Role) -> list[str]:
    """Return the columns that surely have a role by their name."""
    return [name for name, named in roles.items() if named.role == role and named.sure]


def other_columns(
    frame: pl.DataFrame, roles: Mapping[str, NamedRole], used: set[str | None]
) -> tuple[OtherColumn, ...]:
    """Return the columns that are not used, with their roles."""
    return tuple(
        OtherColumn(name, _other_role(name, roles.get(name) or role_of(name))) for name in frame.columns
        if name not in used
    )  # fmt: skip


def _other_role(name: str, named: NamedRole) -> Role:
    """Return the role of a column that is not used; *run 1* holds what belongs to an item, and names none."""
    return "unknown" if named.role == "item" and has_digit(name) else named.role
