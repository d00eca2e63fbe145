"""Columns that the results of all kinds of reports have: sizes and status."""

import narwhals.stable.v2 as nw

OK = "ok"
NOT_CERTIFIED = "not certified"
NO_REPORTS = "no reports"
NO_CLASS_LEFT = "no class left"

N, M, K = "n", "m", "k"


def certified() -> nw.Expr:
    """Return which items have more than 2k reports, so that k bribed ones do not determine the result."""
    return nw.col(M) > nw.col(K) * 2


def status() -> nw.Expr:
    """Return the status of each item from its number of reports and k."""
    return (
        nw.when(nw.col(M) == 0)
        .then(nw.lit(NO_REPORTS))
        .otherwise(nw.when(certified()).then(nw.lit(OK)).otherwise(nw.lit(NOT_CERTIFIED)))
    )


def flips(margin: nw.Expr, *, favoured: nw.Expr) -> nw.Expr:
    """Return how many reports must be rewritten so that the winner no longer wins.

    A margin of d votes needs ceil(d / 2) rewrites if a tie is no win, and floor(d / 2) + 1 if the tie rule favours the
    winner.
    """
    return nw.when(favoured).then(margin // 2 + 1).otherwise((margin + 1) // 2)
