"""Random lists of reports, and the same reports as the rows that the functions for data frames read."""

import math

import numpy as np
import polars as pl

ITEM, LIST = "item", "reports"


def random_marks(items: int, seed: int, decimals: int | None, *, magnitudes: int = 0) -> pl.DataFrame:
    """Return one list of 1 to 11 marks per item, some missing, with so many decimals, and with exponents of ten."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 12, items)
    marks = rng.uniform(-10, 10, sizes.sum()) * 10.0 ** rng.integers(-magnitudes, magnitudes + 1, sizes.sum())
    return _lists(marks if decimals is None else marks.round(decimals), sizes, rng)


_AWKWARD = (
    None, math.nan, 0.0, -0.0, 0.1, 0.2, 0.3, 0.1 + 0.2, 1 / 3, 0.5, 7.1, 99.995, 1e-12, 1.5e-12, 1024.0, 1e12 + 0.5,
    2.0**51, 2.0**52 + 1, 2.0**53 - 1, 2.0**60, 2.0**-60, 1e16, 1e22, 1e300, -1e300, 5e-324, 2.3e-308,
)  # fmt: skip


def awkward_marks(items: int, seed: int) -> pl.DataFrame:
    """Return one list of 1 to 7 marks per item, of the numbers at which sums and decimals go wrong."""
    rng = np.random.default_rng(seed)
    lists = [[_AWKWARD[place] for place in rng.integers(0, len(_AWKWARD), rng.integers(1, 8))] for _ in range(items)]
    return pl.DataFrame({ITEM: range(items), LIST: lists}, schema={ITEM: pl.Int64, LIST: pl.List(pl.Float64)})


def random_labels(items: int, seed: int) -> pl.DataFrame:
    """Return one list of 1 to 11 labels per item, some missing."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 12, items)
    return _lists(rng.choice(list("abcd"), sizes.sum(), p=[0.5, 0.3, 0.1, 0.1]), sizes, rng)


def as_rows(lists: pl.DataFrame) -> pl.DataFrame:
    """Return one row per report, in an order without meaning."""
    rows = lists.explode(LIST).with_columns(reporter=pl.int_range(pl.len()).over(ITEM))
    return rows.sample(fraction=1, shuffle=True, seed=0)


def _lists(values: np.ndarray, sizes: np.ndarray, rng: np.random.Generator) -> pl.DataFrame:
    """Cut values into lists, and make one in ten of them null."""
    rows = pl.DataFrame({ITEM: np.repeat(np.arange(len(sizes)), sizes), LIST: values, "kept": rng.random(len(values))})
    kept = pl.when(pl.col("kept") > 0.1).then(pl.col(LIST))
    return rows.group_by(ITEM, maintain_order=True).agg(kept.alias(LIST))
