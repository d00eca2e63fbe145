"""Refuse options that contradict each other or have no effect, before any work is done."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bribeproof.errors import FileError, ParameterError

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.auditing.result import Audit
    from bribeproof.frames.reading.kinds import Kind

_OPTIONS = {"decimals": "--round", "decimal_mark": "--decimal", "expert": "--prior"}
"""Options whose name differs from the parameter of the library."""


def refuse_unused(needs: dict[str, tuple[bool, bool, str]]) -> None:
    """Refuse an option that has no effect without another.

    Parameters
    ----------
    needs
        For each option: whether it is given, whether its condition holds, and the options that it needs.
    """
    for option, (is_given, is_met, needed) in needs.items():
        if is_given and not is_met:
            raise ParameterError(f"{option} has no effect here: it needs {needed}")


def refuse_text_options(file: Path, reading: dict[str, Any]) -> None:
    """Refuse a delimiter, an encoding, a header line or a sheet for a format without one."""
    from bribeproof.io.formats import WITHOUT, file_format

    form = "csv" if str(file) == "-" and reading["format"] is None else file_format(file, reading["format"])
    for name, formats_without in WITHOUT.items():
        if reading[name] is not None and form in formats_without:
            raise ParameterError(f"--{name.replace('_', '-')} does not apply to {form}; leave it out")


def refuse_other_kinds(kind: "Kind", given: dict[str, Any]) -> None:
    """Refuse an option that does not apply to this kind of reports."""
    from bribeproof.aggregation.recognised import inapplicable_option

    name = inapplicable_option(kind, given)
    if name is not None:
        option = _OPTIONS.get(name, f"--{name}")
        raise ParameterError(f"{option} does not apply to {kind}; leave it out, or give another --kind")
    if kind == "votes" and given.get("seed") is not None:
        refuse_unused({"--seed": (True, given["ties"] == "random", "--ties random")})
    if kind == "votes" and given.get("beacon") is not None:
        refuse_unused({"--beacon": (True, given["ties"] == "random", "--ties random")})


def refuse_large_k(k: int | None, reporters: int, option: str = "k") -> None:
    """Refuse a number of bribed reporters that leaves no honest majority among all reporters.

    Where the panel has one and an item has 2k reports or fewer, the item is "not certified", and that is an answer.

    Parameters
    ----------
    k
        The number that was given; None for a share, and for groups.
    reporters
        How many reporters there are, or were asked.
    option
        The name of the option.
    """
    if k and reporters and reporters <= 2 * k:
        raise ParameterError(
            f"--{option} {k}: {2 * k + 1:,} reporters are needed for an honest majority, and here are {reporters:,}: "
            f"give --{option} {_at_most((reporters - 1) // 2)}"
        )


def _at_most(number: int) -> str:
    """Return what can be given instead of a number that is too large."""
    return f"{number:,} or less" if number > 0 else "0"


def panel_size(items: "pl.LazyFrame") -> int:
    """Return how many reporters a result is about: all of them, or the most who were asked on an item, if more."""
    import polars as pl

    columns = items.collect_schema().names()[1:]
    counts = [pl.col(name).max().fill_null(0) for name in ("n", "asked") if name in columns]
    return int(items.select(pl.max_horizontal(counts)).collect().item())


def refuse_empty_audit(result: "Audit") -> None:
    """Refuse a number of untrusted reporters that leaves nothing to compare any report with, whoever reports where."""
    others = result.n_reporters - 1
    needed, most = ("2k + 1 others", (others - 1) // 2) if result.kind == "scores" else ("k + 1 others", others - 1)
    if result.k > max(0, most) and result.n_items:
        raise ParameterError(
            f"--k {result.k}: {needed} are needed on an item to compare a report with, and there are {others:,}: give "
            f"--k {_at_most(most)}"
        )


def check_output(output: Path, *files: Path, option: str = "-o") -> None:
    """Refuse an output file that cannot be written or would overwrite one of the input files."""
    from bribeproof._optional import require
    from bribeproof.io.formats import FORMATS, is_read_only

    kind = FORMATS.get(output.suffix.lower())
    if kind is None or is_read_only(output, kind):
        raise FileError(f"{option} {output}: its ending must be .csv, .tsv, .parquet, .ndjson, .json or .xlsx")
    if kind == "xlsx":
        require("an .xlsx file", "xlsxwriter")
    if not output.parent.is_dir():
        raise FileError(f"{option} {output}: there is no folder {output.parent}")
    if output.exists() and any(file.exists() and output.samefile(file) for file in files):
        raise FileError(f"{option} {output}: this is the input file; choose another name")


def check_seconds(time_limit: float) -> None:
    """Raise an error unless a time limit is positive."""
    if not time_limit > 0:
        raise ParameterError(f"--time-limit {time_limit:g}: give a number of seconds above 0, such as 60")
