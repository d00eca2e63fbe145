"""Recognise the role of a column by the words of its name."""

import re
from collections.abc import Sequence

ITEM_WORDS = frozenset(
    {"task", "item", "entry", "question", "example", "document", "image", "run", "competitor", "contestant", "proposal"}
)  # fmt: skip
REPORTER_WORDS = frozenset(
    {"worker", "reporter", "judge", "annotator", "rater", "labeller", "labeler", "user", "voter", "model", "juror",
     "reviewer", "oracle", "coder"}
)  # fmt: skip
SCORE_WORDS = frozenset({"score", "mark", "rating", "grade", "points"})
LABEL_WORDS = frozenset({"label", "vote", "answer", "class", "category", "verdict", "response"})
REPORT_WORDS = SCORE_WORDS | LABEL_WORDS | {"value", "report"}
SUMMARY_WORDS = frozenset(
    {"average", "avg", "mean", "median", "total", "sum", "rank", "place", "position", "official", "final", "result"}
)  # fmt: skip
SCORER_WORDS = frozenset({"j", "judge", "jury", "juror"})
LABELLER_WORDS = frozenset({"w", "worker", "annotator", "labeller", "labeler", "voter", "v"})


def numbered_groups(names: Sequence[str]) -> list[list[str]]:
    """Return groups of columns that differ only in a number, such as j1 and j2."""
    groups: dict[str, list[str]] = {}
    for name in names:
        if (alike := re.sub(r"\d+", "#", name.casefold())) != name.casefold():
            groups.setdefault(alike, []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def columns_named(names: Sequence[str], vocabulary: frozenset[str]) -> list[str]:
    """Return the columns without numbers whose name is in a vocabulary."""
    return [name for name in names if "".join(words_of(name)) in vocabulary and not re.search(r"\d", name)]


def only_column_named(names: Sequence[str], vocabulary: frozenset[str]) -> str | None:
    """Return the only column whose name is in a vocabulary; None if there are none or several."""
    matches = columns_named(names, vocabulary)
    return matches[0] if len(matches) == 1 else None


def words_of(name: str) -> list[str]:
    """Return the words of a column name, without a final id or name: worker_id and WorkerId give worker."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold()
    words = [re.sub(r"(?<=...)(id|name)$", "", word) for word in re.findall(r"[a-z]+", spaced)]
    return words[:-1] if len(words) > 1 and words[-1] in ("id", "name") else words
