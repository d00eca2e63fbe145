"""The result of an audit."""

from dataclasses import dataclass
from typing import Any

from bribeproof._notebook import ROWS, render_html
from bribeproof._text import count
from bribeproof.frames.native import to_polars


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Audit:
    """How far each reporter is from the others. A deviation proves nothing: its cause may be skill or taste.

    Attributes
    ----------
    kind
        ``"scores"`` or ``"labels"``.
    k
        How many of the others were not trusted on each item.
    confidence
        Of each interval, and of each of the two lists of findings: reporters that stand out, and near-identical pairs.
    n_items
        The number of items.
    n_compared_items
        The number of items on which reports could be compared with the others.
    n_reporters
        The number of reporters.
    reporters : frame of the kind that came in
        One row per reporter, the highest `suspicion` first:

        - ``reporter``; ``reports``, how many; ``compared``, how many could be compared with the others on the item.
        - scores: ``dropped_low``, ``dropped_high``, how often among the k lowest and the k highest of an item with
          more than 2k scores; ``drop_expected``, how often in either, if chance alone decided; ``deviation``, the mean
          of score − k-trimmed mean of the others, and its standard error ``deviation_se``; ``side``, the one on which
          the reporter is more often than expected, ``"above"`` or ``"below"``.
        - labels: ``agreement``, the share of reports that agree with the most frequent label of the others (ties count
          in part), and ``agreement_expected``, its average over all reports on the same items.
        - ``apart``, the number of reports that deviate from the others: on that ``side``, or with a label that is not
          among the most frequent ones of the others; ``rate``, its share; ``rate_low`` and ``rate_high``, exact bounds
          of it; ``rate_expected``, the share of all reports on the same items that deviate.
        - ``p_value``, the probability of deviating as often, if on each item every report were as likely as any other
          to be this reporter's; ``p_adjusted``, the same adjusted for all reporters (Holm); ``stands_out``, whether
          that is at most 1 − confidence.
        - ``alike``, how many reporters are near-identical to this one; ``alike_excess``, the largest share of common
          items on which one of them agrees beyond expectation; 0 if there is none.
        - ``suspicion``, to rank by: the excess of ``rate`` over ``rate_expected``, after ten more reports that deviate
          as often as expected, so that few reports weigh little; plus ``alike_excess``. Activity alone does not raise
          it; null if nothing was compared.
        - with `same`: ``same``, the number of compared reports on items where the two columns agree; ``same_deviation``
          and ``rest_deviation``, the mean deviation there and elsewhere (labels: the share that deviates);
          ``same_effect``, their difference; ``same_p_value`` and ``same_p_adjusted`` of an exact test of independence.
    pairs : frame of the kind that came in
        One row per near-identical pair, the least likely first: ``first``, ``second``; ``common`` items; ``same``
        reports on them; ``expected`` ones, if the two were independent; ``p_value``; ``p_adjusted``, adjusted for all
        pairs (Holm). Scores are compared by the side of the others on which they lie.
    """

    kind: str
    k: int
    confidence: float
    n_items: int
    n_compared_items: int
    n_reporters: int
    reporters: Any
    pairs: Any

    def summary(self) -> str:
        """Return how many reporters stand out and how many pairs are near-identical, one sentence a line."""
        standing, pairs = int(to_polars(self.reporters)["stands_out"].sum()), to_polars(self.pairs).height
        sure = f"with {100 * self.confidence:.6g} % confidence"
        return "\n".join(
            (
                f"{count(self.n_items, 'item')}, {self.n_compared_items:,} of them compared; "
                f"{count(self.n_reporters, 'reporter')}, k = {self.k:,}.",
                f"{standing:,} of {self.n_reporters:,} stand out from the others more than chance explains, {sure}.",
                f"{count(pairs, 'pair')} of near-identical reporters, {sure}.",
                "A deviation says that a reporter differs, not why: skill, taste and honest error look the same.",
            )
        )

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        return (
            f"{type(self).__name__}(kind={self.kind!r}, k={self.k}, n_items={self.n_items}, "
            f"n_reporters={self.n_reporters})"
        )

    def _repr_html_(self) -> str:
        """Return the summary, the first reporters and their picture for a notebook."""
        shown = ("reporter", "compared", "deviation", "agreement", "rate", "rate_expected", "p_adjusted", "suspicion")
        table = to_polars(self.reporters)
        return render_html(
            self.summary(),
            table.select(name for name in shown if name in table.columns),
            lambda plots, axes: plots.reporters(self, most=ROWS, ax=axes),
            bars=self.n_reporters,
        )
