"""A file of truths names its items as the reports do."""

import polars as pl
import pytest

from bribeproof.errors import ColumnError
from bribeproof.frames.gold_labels import find_truth_column, read_truths

TRUTH = pl.DataFrame({"photo": ["t1"], "truth": ["cat"]})
REPORTS = pl.DataFrame({"task": ["t1"], "worker": ["ann"], "label": ["cat"]})


@pytest.mark.parametrize("column", ["truth", "label"])
def test_a_column_of_items_of_another_name_is_to_be_renamed(column: str) -> None:
    with pytest.raises(ColumnError, match=r"^the truth: there is no column 'task'.*'photo', 'truth'. Rename the one"):
        read_truths(TRUTH, REPORTS, "task", column)
    with pytest.raises(ColumnError, match=r"Rename the one that holds the names of the items"):
        find_truth_column(TRUTH.columns, "task", "label", named="--gold")


def test_a_column_of_the_truth_that_is_not_there_is_to_be_named() -> None:
    with pytest.raises(ColumnError, match=r"there is no column 'answer'.*--gold"):
        read_truths(TRUTH.rename({"photo": "task"}), REPORTS, "task", "answer")
