"""promptfoo: one result of many judges, of whom k may be bribed, and the judges' scores of a results file as a table.

promptfoo is a program of Node.js that calls Python files. A file of yours names the panel, and promptfoo calls it::

    from bribeproof.integrations.promptfoo import scoring_function

    jury = scoring_function(k=1)  # in the configuration: assertScoringFunction: file://jury.py:jury
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from bribeproof._text import format_name, shorten, with_and
from bribeproof._validation import real, validate_k
from bribeproof.errors import DataError, FileError, ParameterError
from bribeproof.jury import Grade, Verdict, decide, grade

__all__ = ["assertion", "read_results", "scoring_function"]

GradingResult: TypeAlias = dict[str, Any]
"""What promptfoo takes and gives as the result of an assertion: ``pass``, ``score``, ``reason`` and more."""
_FAILURES = ("Python code execution failed", "Error running Python script", "Custom function threw error")
"""How the reason begins where an assertion was not computed; other failures are marked in its metadata."""


def scoring_function(
    k: int = 1,
    *,
    judges: Sequence[str] | None = None,
    votes: bool = False,
    threshold: float = 0.5,
    families: Mapping[str, Any] | None = None,
    settled: bool = False,
) -> Callable[[Any, Mapping[str, Any]], GradingResult]:
    """Return a function for ``assertScoringFunction`` that combines the assertions of a test case as a panel of judges.

    Parameters
    ----------
    k
        How many judges, or families, may be bribed.
    judges
        The metrics (``metric:``) of the assertions that are judges; None for all assertions. The other assertions must
        pass as well. A judge who is named and has no result is silent, as is one who failed: it counts in n and does
        not lower k.
    votes
        Whether the judges vote by pass and fail; else the score is the mean of their scores without the lowest and the
        highest, as many of each as k judges or families hold.
    threshold
        The least score that passes. A vote is 1 or 0.
    families
        The model family of judges, by metric; judges without one are bribed one by one.
    settled
        Whether a test case passes only where no k judges, or families, could have made it pass.

    Returns
    -------
    callable
        From the named scores and the context that promptfoo hands over to a grading result, with what the result is
        worth in ``metadata.bribeproof``. Without an answer (a tie, or k judges who hold half of the scores or more) the
        test case fails with the reason.

    Raises
    ------
    ParameterError
        If k is negative, or `judges` names one twice.
    DataError
        When it is called: if two assertions have the metric of one judge.

    Examples
    --------
    >>> jury = scoring_function(k=1)
    >>> parts = [{"pass": mark >= 0.5, "score": mark, "assertion": {"type": "llm-rubric"}} for mark in (0.9, 0.8, 0.0)]
    >>> result = jury({}, {"componentResults": parts})
    >>> result["pass"], result["score"], result["metadata"]["bribeproof"]["range"]
    (True, 0.8, [0.0, 0.9])
    """
    k, threshold = validate_k(k), real("threshold", threshold)
    if judges is not None and len({*judges}) < len(judges):
        raise ParameterError(f"judges names one twice, {shorten(list(judges))}: give each a metric of its own")

    def score(scores: Any, context: Mapping[str, Any]) -> GradingResult:  # noqa: ARG001  promptfoo hands over both
        parts = dict(_judges(context.get("componentResults") or ()))
        panel = dict.fromkeys(judges) if judges is not None else dict.fromkeys(parts)
        twice = next((name for name in panel if f"{name}#2" in parts and f"{name}#2" not in panel), None)
        if twice is not None:
            raise DataError(f"two assertions have the metric {twice!r}: give each judge a metric of its own")
        panel |= {name: _report(part, votes=votes) for name, part in parts.items() if name in panel}
        failed = [name for name, part in parts.items() if name not in panel and not part.get("pass")]
        return _combine(panel, k, votes=votes, threshold=threshold, families=families, settled=settled, failed=failed)

    return score


def assertion(
    judges: Mapping[str, Callable[[str, Mapping[str, Any]], Any]],
    k: int = 1,
    *,
    votes: bool = False,
    threshold: float = 0.5,
    families: Mapping[str, Any] | None = None,
    settled: bool = False,
) -> Callable[[str, Mapping[str, Any]], GradingResult]:
    """Return a function for an assertion of ``type: python`` that asks a panel of judges written in Python.

    Parameters
    ----------
    judges
        Functions of the output and the context by the names of judges. Each returns a score, a boolean, or a grading
        result; an error, or an answer that is no finite number and no boolean, is a judge who failed.
    k, votes, threshold, families, settled
        As in `scoring_function`.

    Returns
    -------
    callable
        From the output and the context to a grading result, with those of the judges as ``componentResults``.

    Raises
    ------
    ParameterError
        If there are no judges, or k is negative.

    Examples
    --------
    >>> def fails(output, context):
    ...     raise RuntimeError("no answer")
    >>> get_assert = assertion({"short": lambda output, context: len(output) < 9, "polite": lambda *_: 0.7, "x": fails})
    >>> result = get_assert("Yes.", {})
    >>> result["pass"], result["reason"].splitlines()[-1]
    (False, 'No answer: one bribed judge may hold 1 of 2, half or more.')
    """
    if not judges:
        raise ParameterError("judges is empty: give the functions by the names of judges")
    k, threshold = validate_k(k), real("threshold", threshold)

    def get_assert(output: str, context: Mapping[str, Any]) -> GradingResult:
        parts = {name: _ask(judge, output, context) for name, judge in judges.items()}
        panel = {name: _report(part, votes=votes) for name, part in parts.items()}
        result = _combine(panel, k, votes=votes, threshold=threshold, families=families, settled=settled, failed=[])
        shown = [part | {"assertion": {"type": "python", "metric": name}} for name, part in parts.items()]
        return result | {"componentResults": shown}

    return get_assert


def _combine(
    panel: Mapping[str, Any],
    k: int,
    *,
    votes: bool,
    threshold: float,
    families: Mapping[str, Any] | None,
    settled: bool,
    failed: Sequence[str],
) -> GradingResult:
    """Return the grading result of a panel, None for a judge who failed; other assertions have failed by name."""
    result: Grade | Verdict
    if votes:
        result = decide(panel, k, families=families)
        answer = result.answer
    else:
        result = grade(panel, k, families=families, threshold=threshold)
        answer = result.passed
    passes = bool(answer) and not failed and (not settled or bool(result.settled))
    reason = result.summary()
    if settled and answer and not result.settled:
        reason += f"\nFailed: {result.seats.bribed} could have made it pass."
    if failed:
        reason += f"\nFailed: {with_and([format_name(name) for name in failed], 5)}."
    score = 0.0 if result.answer is None else float(result.answer)
    return {"pass": passes, "score": score, "reason": reason, "metadata": {"bribeproof": result.as_dict()}}


def _ask(judge: Callable[[str, Mapping[str, Any]], Any], output: str, context: Mapping[str, Any]) -> GradingResult:
    """Return the grading result of a judge written in Python."""
    try:
        said = judge(output, context)
        if isinstance(said, Mapping):
            return dict(said)
        score = math.nan if said is None or isinstance(said, str) else float(said)
    except (Exception, SystemExit) as error:
        return _failed(f"{type(error).__name__}: {error}")
    if not math.isfinite(score):
        return _failed(f"no score: {shorten(said)}")
    return {"pass": score >= 0.5, "score": score, "reason": ""}


def _failed(reason: str) -> GradingResult:
    """Return the grading result of a judge who failed."""
    return {"pass": False, "score": 0.0, "reason": reason, "metadata": {"graderError": True}}


def _judges(parts: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the results of single assertions with their names: the metric, or the type; the second of a name has #2."""
    seen: dict[str, int] = {}
    for part in parts:
        if not part or part.get("componentResults"):
            continue  # promptfoo lists what a set of assertions, or a panel, is made of behind it
        about = part.get("assertion") or {}
        name = str(about.get("metric") or about.get("type") or "assertion")
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name}#{seen[name]}"), part


def _report(part: Mapping[str, Any], *, votes: bool) -> Any:
    """Return what a judge says, by its grading result; None if it failed, or said what is no verdict or no score."""
    about = part.get("metadata")
    marked = isinstance(about, Mapping) and about.get("graderError") is True
    if marked or str(part.get("reason") or "").startswith(_FAILURES):
        return None
    said = part.get("pass" if votes else "score")
    said = said.item() if isinstance(said, np.generic) else said
    if votes:
        return said if isinstance(said, bool) else None
    return said if isinstance(said, int | float) and abs(said) < math.inf else None


def read_results(path: str | Path) -> pl.DataFrame:
    """Return the scores of the judges in a results file of promptfoo, one row for each output and judge.

    Parameters
    ----------
    path
        What ``promptfoo eval --output results.json`` (or ``.jsonl``) wrote.

    Returns
    -------
    polars.DataFrame
        ``output``, the number of the test and that of the prompt and provider, as ``"2.1"``; ``test`` from 1;
        ``provider``; ``judge``, the metric of the assertion or its type; ``passed`` and ``score``, null where the judge
        failed. Every judge has a row for each output, so that a failure lowers neither n nor k.

    Raises
    ------
    FileError
        If the file is none of results, or cannot be read.
    DataError
        If it has no results of judges.

    Examples
    --------
    ``aggregate_votes(read_results("results.json"), k=1, item="output", reporter="judge", vote="passed")``
    """
    outputs = [_output(result) for result in _results(Path(path))]
    judges = dict.fromkeys(name for _, parts in outputs for name in parts)
    if not judges:
        raise DataError(f"{Path(path).name}: no output has results of assertions: add the judges as assertions")
    rows = [
        (*output, judge, *(None if part is None else (_report(part, votes=votes)) for votes in (True, False)))
        for output, parts in outputs
        for judge, part in ((judge, parts.get(judge)) for judge in judges)
    ]
    names = {"output": pl.String, "test": pl.Int64, "provider": pl.String, "judge": pl.String}
    return pl.DataFrame(rows, schema=names | {"passed": pl.Boolean, "score": pl.Float64}, orient="row", strict=False)


def _results(path: Path) -> list[Mapping[str, Any]]:
    """Return the results in a file, one for each output."""
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            found: Any = [json.loads(line) for line in text.splitlines() if line.strip()]
        else:
            found = json.loads(text)["results"]["results"]
    except OSError as error:
        raise FileError(f"{path}: cannot be read ({error.strerror or error})") from None
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(
            f"{path.name}: no results of promptfoo ({type(error).__name__}: {shorten(str(error))}); give the file that "
            f"promptfoo eval --output results.json wrote"
        ) from None
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise FileError(f"{path.name}: its results are no list of objects; give what promptfoo eval --output wrote")
    return found


def _output(result: Mapping[str, Any]) -> tuple[tuple[str, int, str], dict[str, Mapping[str, Any]]]:
    """Return the number, the test and the provider of an output, and the results of its judges by name."""
    test, prompt = int(result.get("testIdx") or 0) + 1, int(result.get("promptIdx") or 0) + 1
    provider = result.get("provider") or {}
    name = provider.get("label") or provider.get("id") or "" if isinstance(provider, Mapping) else provider
    parts = (result.get("gradingResult") or {}).get("componentResults") or ()
    return (f"{test}.{prompt}", test, str(name)), dict(_judges(parts))
