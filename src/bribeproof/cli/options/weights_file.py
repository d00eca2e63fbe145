"""Read the weights of reporters from a file."""

from pathlib import Path

from bribeproof.errors import DataError, ParameterError


def read_weights(file: Path, reporter: str) -> dict[str, float]:
    """Read the weight of each reporter from a file with a column of reporters and one of numbers."""
    import narwhals.stable.v2 as nw

    from bribeproof.frames.values.number_format import Notation
    from bribeproof.frames.values.text import clean_value
    from bribeproof.io.read import read_table

    table = read_table(file)
    columns = table.frame.columns
    listed = ", ".join(map(repr, columns))
    who = next((name for name in (reporter, "reporter") if name in columns), None)
    if who is None:
        raise ParameterError(
            f"--weights {file}: call the column of the reporters 'reporter'; the columns are: {listed}"
        )
    written, plain = nw.from_native(table.frame.drop(who)), Notation(".", percent=False)
    texts = [plain.parse(nw.col(name).str.strip_chars()) for name in written.select(nw.selectors.string()).columns]
    numbers = written.select(*texts, nw.selectors.numeric().cast(nw.Float64)).to_native()
    possible = ["weight"] if "weight" in numbers.columns else [one.name for one in numbers if not one.has_nulls()]
    if len(possible) != 1:
        raise ParameterError(f"--weights {file}: call the column of the weights 'weight'; the columns are: {listed}")
    weights: dict[str, float] = {}
    for row, (name, weight) in enumerate(zip(table.frame[who], numbers[possible[0]], strict=True)):
        location = f"--weights {file}, {table.locate(row)}"
        if name is None or weight is None:
            raise DataError(f"{location}: give a reporter and a number of at least 0, such as 2 or 0.5")
        if (plain_name := clean_value(str(name))) in weights:
            raise DataError(f"{location}: reporter {plain_name!r} already has a weight; give each reporter one")
        weights[plain_name] = weight
    return weights
