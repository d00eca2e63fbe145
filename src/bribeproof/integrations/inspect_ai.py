"""Score reducers for inspect_ai, of whose judges k may be bribed, and its logs as a table.

inspect_ai finds the reducers by name, as ``"bribeproof/bribeproof_vote"`` and ``"bribeproof/bribeproof_trimmed"``, and
without the part before the slash once this module is imported. ``"bribeproof/bribeproof_vote_2"`` is k = 2.
"""

import math
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import polars as pl
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, PARTIAL, Score, Scorer, ScoreReducer, Target, score_reducer
from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError

from bribeproof._validation import whole_number
from bribeproof.errors import DataError, ParameterError
from bribeproof.jury import Grade, Verdict, decide, grade

METADATA = "bribeproof"
"""The key of what a reducer adds to the metadata of a score."""
_NUMBERS = {
    CORRECT: 1.0, PARTIAL: 0.5, INCORRECT: 0.0, NOANSWER: 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0,
}  # fmt: skip
"""The text values that inspect_ai reads as numbers."""


def _registered(factory: Callable[..., ScoreReducer]) -> Callable[..., ScoreReducer]:
    """Register a reducer by its own name, and by that after the package's, for which inspect_ai imports this module."""
    score_reducer(name=factory.__name__)(factory)
    return wraps(factory)(score_reducer(name=f"bribeproof/{factory.__name__}")(factory))


@_registered
def bribeproof_vote(k: int = 1, n: int | None = None, families: Sequence[Any] | None = None) -> ScoreReducer:
    """Reduce the scores of a panel to the value that most judges give, of whom k may be bribed.

    A score that is unscored counts in the size of the panel, never lowers k, and votes for nothing. A tie is unscored,
    and so is a panel that k judges decide alone.

    Parameters
    ----------
    k
        How many judges, or families, may be bribed. A reducer's name may end in it: ``bribeproof_vote_2``.
    n
        How many judges were asked. A reducer is handed a list and cannot see a judge who returned None, whom
        `multi_scorer` leaves out, or an epoch that was never run; with n they count as silent. Whose scores are missing
        from the list nobody knows, so that it is not said then who is silent.
    families
        The model family of each judge, in the order of the panel, None for a judge of no family. Every judge must be in
        the list then: one who fails returns ``Score.unscored()``, not None.

    Returns
    -------
    ScoreReducer
        Its score has the winner as its value, NaN where there is none, and in ``metadata["bribeproof"]`` what
        `bribeproof.jury.Verdict.as_dict` says, with the ``votes`` as they came. Values that are lists or dictionaries
        are reduced entry by entry.

    Examples
    --------
    >>> reduced = bribeproof_vote(k=1)([Score(value=value) for value in ("C", "I", "C", "C", float("nan"))])
    >>> reduced.value, reduced.metadata["bribeproof"]["flips_needed"], reduced.metadata["bribeproof"]["panel"]["n"]
    ('C', 1, 5)
    """

    def vote(values: list[Any]) -> Verdict:
        """Return the verdict on the values of one entry; booleans beside numbers are numbers, as for inspect_ai."""
        kinds = {type(value) for value in values if not _unscored(value)}
        mixed = bool in kinds and bool({int, float} & kinds)
        return decide([int(one) if mixed and isinstance(one, bool) else one for one in values], k, families=families)

    return _reducer(vote, n, families, lambda value: value)


@_registered
def bribeproof_trimmed(
    k: int = 1, n: int | None = None, families: Sequence[Any] | None = None, threshold: float | None = None
) -> ScoreReducer:
    """Reduce the scores of a panel to their mean without the k lowest and the k highest; k judges may be bribed.

    Parameters
    ----------
    k, n, families
        As in `bribeproof_vote`.
    threshold
        The least mean that passes; adds to the metadata how many scores would have to change for another result.

    Returns
    -------
    ScoreReducer
        Its score has the mean as its value, NaN where the panel is too small for k, and in ``metadata["bribeproof"]``
        what `bribeproof.jury.Grade.as_dict` says. Text is read as inspect_ai reads it (``"C"`` is 1, ``"I"`` is 0);
        text that is no number, which inspect_ai counts as 0, counts as unscored.

    Examples
    --------
    >>> reduced = bribeproof_trimmed(k=1)([Score(value=value) for value in (0.7, 0.8, 0.0, 0.75, 1.0)])
    >>> reduced.value, reduced.metadata["bribeproof"]["range"]
    (0.75, [0.4833..., 0.85])
    """
    return _reducer(lambda values: grade(values, k, families=families, threshold=threshold), n, families, _number)


def always_scored(judge: Scorer) -> Scorer:
    """Return a judge who is unscored where this one raises an error or returns None, so that the panel still has it.

    Without it an error of one judge fails the whole sample, and `multi_scorer` leaves out a judge who returns None.

    Parameters
    ----------
    judge
        A scorer, such as ``model_graded_qa(model="openai/gpt-4o")``.

    Returns
    -------
    Scorer
        Of the same name and metrics. Limits of the sample that are exceeded are still raised.

    Examples
    --------
    A panel whose size never shrinks: ``multi_scorer([always_scored(judge) for judge in panel], bribeproof_vote(k=1))``.
    """

    @wraps(judge)
    async def score(state: TaskState, target: Target) -> Score:
        try:
            told = await judge(state, target)
        except LimitExceededError:
            raise
        except Exception as error:
            return Score.unscored(reason="grader_failed", explanation=f"{type(error).__name__}: {error}")
        return Score.unscored(reason="scoring_failed", explanation="the judge returned None") if told is None else told

    return score


def _reducer(
    settle: Callable[[list[Any]], Verdict | Grade],
    n: int | None,
    families: Sequence[Any] | None,
    read: Callable[[Any], Any],
) -> ScoreReducer:
    """Return the reducer that settles each entry of the values by a function."""
    n = None if n is None else whole_number("n", n, minimum=1)

    def reduce(scores: list[Score]) -> Score:
        values = [score.value for score in scores]
        _check_size(len(values), n, families)
        silent = [None] * ((n or 0) - len(values))
        shape = next((value for value in values if isinstance(value, dict | list)), None)
        if shape is None:
            result = settle([*map(read, values), *silent])
            return _score(scores, _value(result), _describe(result, values), _reason(result), _text(result, values))
        entries = shape.keys() if isinstance(shape, dict) else range(len(shape))
        given = {entry: [_entry(value, entry, shape) for value in values] for entry in entries}
        results = {entry: settle([*map(read, given[entry]), *silent]) for entry in entries}
        told = {str(entry): _describe(result, given[entry]) for entry, result in results.items()}
        answers = {entry: _value(result) for entry, result in results.items()}
        return _score(scores, answers if isinstance(shape, dict) else [*answers.values()], told, None, None)

    return reduce


def _check_size(size: int, n: int | None, families: Sequence[Any] | None) -> None:
    """Raise an error if there are more scores than judges, or a judge of a family is not told."""
    if n is not None and size > n:
        raise ParameterError(f"n={n} and there are {size} scores: give the number of all judges who were asked")
    if families is not None and size != (n or len(families)):
        raise ParameterError(
            f"families has {len(families)} entries and there are {size} scores, so that nobody knows whose is missing: "
            f"a judge who fails must return Score.unscored(), not None"
        )


def _entry(value: Any, entry: Any, shape: Any) -> Any:
    """Return one entry of a judge's value; None of an unscored judge."""
    if _unscored(value):
        return None
    if type(value) is not type(shape) or len(value) != len(shape) or (isinstance(shape, dict) and entry not in value):
        raise DataError(
            f"a judge's value is {value!r} and another's {shape!r}: give values with the same entries, and "
            f"Score.unscored() of a judge who failed"
        )
    return value[entry]


def _unscored(value: Any) -> bool:
    """Return whether a value is inspect_ai's mark of no value."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def _number(value: Any) -> float | None:
    """Return a value as a number; None for one that is none."""
    if isinstance(value, str):
        value = _NUMBERS.get(value, _NUMBERS.get(value.lower(), value))
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _value(result: Verdict | Grade) -> Any:
    """Return the answer, NaN for none."""
    return math.nan if result.answer is None else result.answer


def _reason(result: Verdict | Grade) -> str | None:
    """Return why there is no answer; None if there is one."""
    if result.answer is not None:
        return None
    return "tie" if isinstance(result, Verdict) and result.status == "ok" else result.status


def _describe(result: Verdict | Grade, values: list[Any]) -> dict[str, Any]:
    """Return what the metadata says of one entry; not who is silent where scores are missing, as nobody knows whose."""
    told = result.as_dict()
    if len(values) < result.seats.n:
        del told["panel"]["silent"]
    return told | {"votes": [None if _unscored(value) else value for value in values]}


def _text(result: Verdict | Grade, values: list[Any]) -> str:
    """Return what the explanation says, of who is silent as the metadata."""
    seats, summary = result.seats, result.summary()
    if len(values) == seats.n:
        return summary
    return "\n".join([f"{seats.m} of {seats.n} judges gave an answer.", *summary.splitlines()[1:]])


def _score(scores: list[Score], value: Any, told: dict[str, Any], reason: str | None, text: str | None) -> Score:
    """Return the reduced score; the answer is kept if it is that of all scores."""
    answers = {score.answer for score in scores}
    return Score(
        value=value,
        answer=answers.pop() if len(answers) == 1 else None,
        explanation=text,
        reason=reason,
        metadata={METADATA: told},
    )


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
            values |= {f"{name}[{key}]": None if _unscored(part) else part for key, part in entries}
        else:
            values[name] = None if _unscored(parts) else parts
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
