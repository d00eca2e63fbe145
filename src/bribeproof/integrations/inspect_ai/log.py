"""The log of an evaluation as a table of scores."""

from pathlib import Path
from typing import Any

import polars as pl
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import Score

from bribeproof.errors import DataError
from bribeproof.integrations.inspect_ai.reducers import METADATA, is_unscored


def read_log(log: str | Path | EvalLog, *, panels: bool = False) -> pl.DataFrame:
    """Return the scores of an evaluation's log, one row for each sample, epoch and scorer.

    Parameters
    ----------
    log
        The path of an ``.eval`` or ``.json`` file, or a log in memory.
    panels
        Whether a score that our reducers made of a panel's is read as the votes of its judges, ``multi_scorer[1]``,
        ``multi_scorer[2]`` and so on, in the order of the panel.

    Returns
    -------
    polars.DataFrame
        ``sample``, the id as text; ``epoch``, from 1; ``scorer``, its name, for an entry of a list or dictionary with
        its key, as in ``quality[style]``; ``judge``, the scorer, with its epoch if there are several; ``value``, null
        where the scorer failed or the sample did: floats if all values are numbers, else text. Every scorer has a row
        for each sample and epoch that was run, so that a failure lowers neither n nor k.

    Raises
    ------
    DataError
        If the log has no samples, none of them has a score, or panels of one scorer differ in size or are smaller than
        n, since a judge returned None, so that nobody knows whose vote is whose.

    Examples
    --------
    The scorers as reporters: ``aggregate_labels(frame, k=1, item="sample", reporter="scorer", label="value")``. With
    several epochs, ``reporter="judge", group="scorer"``: who bribes a judge has it in all epochs.
    """
    evaluation = log if isinstance(log, EvalLog) else read_eval_log(str(log))
    if not evaluation.samples:
        raise DataError("the log has no samples: read one that was written with them")
    read = _votes if panels else _values
    cells = [(str(one.id), one.epoch, read(one.scores or {})) for one in evaluation.samples]
    if panels:
        _check_panels([one.scores or {} for one in evaluation.samples])
    scorers = dict.fromkeys(name for _, _, values in cells for name in values)
    scored = {name for one in evaluation.samples for name in one.scores or {}}
    known = [] if evaluation.results is None else [one.scorer for one in evaluation.results.scores]
    scorers |= dict.fromkeys(name for name in known if name not in scored)
    if not scorers:
        raise DataError("no sample of the log has a score: run its scorers first (inspect score)")
    numbers = all(isinstance(value, int | float | None) for _, _, values in cells for value in values.values())
    many = len({epoch for _, epoch, _ in cells}) > 1
    rows = [
        (sample, epoch, name, f"{name}#{epoch}" if many else name, _cell(values.get(name), numbers=numbers))
        for sample, epoch, values in cells
        for name in scorers
    ]
    schema = {"sample": pl.String, "epoch": pl.Int64, "scorer": pl.String, "judge": pl.String}
    return pl.DataFrame(rows, schema=schema | {"value": pl.Float64 if numbers else pl.String}, orient="row")


def _values(scores: dict[str, Score]) -> dict[str, Any]:
    """Return the values of a sample's scores by the names of scorers, with an entry's key."""
    values: dict[str, Any] = {}
    for name, score in scores.items():
        parts = score.value
        if isinstance(parts, dict | list):
            entries = parts.items() if isinstance(parts, dict) else enumerate(parts)
            values |= {f"{name}[{key}]": None if is_unscored(part) else part for key, part in entries}
        else:
            values[name] = None if is_unscored(parts) else parts
    return values


def _votes(scores: dict[str, Score]) -> dict[str, Any]:
    """Return the same, with the votes of its judges in place of a score that was made of a panel's."""
    values: dict[str, Any] = {}
    for name, score in scores.items():
        for entry, part in _panels(score).items():
            values |= {f"{name}[{place}]{entry and f'[{entry}]'}": vote for place, vote in enumerate(part["votes"], 1)}
        values |= {} if _panels(score) else _values({name: score})
    return values


def _panels(score: Score) -> dict[str, Any]:
    """Return what our reducers said of each entry of a score, "" for one without entries; nothing of another score."""
    told = (score.metadata or {}).get(METADATA, {})
    return {"": told} if "votes" in told else dict(told)


def _check_panels(samples: list[dict[str, Score]]) -> None:
    """Raise an error if a judge is missing from a panel, who is not the last of it for all that anybody knows."""
    sizes: dict[str, set[int]] = {}
    for scores in samples:
        for name, score in scores.items():
            for part in _panels(score).values():
                sizes.setdefault(name, set()).update((len(part["votes"]), part["panel"]["n"]))
    for name, found in sizes.items():
        if len(found) > 1:
            raise DataError(
                f"{name} has {min(found)} scores of {max(found)} judges, so that nobody knows whose are missing: wrap "
                f"the judges by always_scored"
            )


def _cell(value: Any, *, numbers: bool) -> Any:
    """Return a value as it stands in the table."""
    if value is None:
        return None
    return float(value) if numbers else str(value)
