"""Score reducers of which k judges may be bribed, and judges who never leave the panel."""

import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

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
    """Register a reducer by its own name, and by that after the package's, for which inspect_ai imports the package."""
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
        kinds = {type(value) for value in values if not is_unscored(value)}
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
    if is_unscored(value):
        return None
    if type(value) is not type(shape) or len(value) != len(shape) or (isinstance(shape, dict) and entry not in value):
        raise DataError(
            f"a judge's value is {value!r} and another's {shape!r}: give values with the same entries, and "
            f"Score.unscored() of a judge who failed"
        )
    return value[entry]


def is_unscored(value: Any) -> bool:
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
    return told | {"votes": [None if is_unscored(value) else value for value in values]}


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
