"""Options that contradict one another, or would change nothing, are refused before any work is done."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bribeproof.errors import FileError, ParameterError

if TYPE_CHECKING:
    from bribeproof.frames.inference import Kind

_OPTIONS = {"decimals": "--round", "decimal_mark": "--decimal", "expert": "--prior"}
"""The options that have another name here than in the library."""


def refuse_idle(needs: dict[str, tuple[bool, bool, str]]) -> None:
    """Refuse an option that changes nothing without another."""
    for option, (given, met, other) in needs.items():
        if given and not met:
            raise ParameterError(f"{option} changes nothing here: it needs {other}")


def refuse_untextual(file: Path, reading: dict[str, Any]) -> None:
    """Refuse a delimiter or an encoding where the format has none."""
    from bribeproof.io.formats import file_format

    form = "csv" if str(file) == "-" and reading["format"] is None else file_format(file, reading["format"])
    for name, has_none in (("sep", ("parquet", "json", "ndjson")), ("encoding", ("parquet",))):
        if reading[name] is not None and form in has_none:
            raise ParameterError(f"--{name} means nothing for {form}; leave it out")


def refuse_foreign(kind: "Kind", given: dict[str, Any]) -> None:
    """Refuse an option that would change nothing for this kind of report."""
    from bribeproof.aggregation.aggregate import inapplicable_option

    name = inapplicable_option(kind, given)
    if name is not None:
        option = _OPTIONS.get(name, f"--{name}")
        raise ParameterError(f"{option} means nothing for {kind}; leave it out, or say another --kind")
    if kind == "votes" and given["seed"] is not None:
        refuse_idle({"--seed": (True, given["ties"] == "random", "--ties random")})


def check_output(output: Path, file: Path, option: str = "-o") -> None:
    """Refuse, before any work, an output that cannot be written or would destroy the input."""
    from bribeproof.io.formats import FORMATS

    if output.suffix.lower() not in FORMATS:
        raise FileError(f"{option} {output}: name it .csv, .tsv, .parquet, .ndjson or .json, which chooses the format")
    if not output.parent.is_dir():
        raise FileError(f"{option} {output}: there is no folder {output.parent}")
    if output.exists() and file.exists() and output.samefile(file):
        raise FileError(f"{option} {output}: this is the file that is read; give the answer another name")
