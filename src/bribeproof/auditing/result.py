"""The result of an audit."""

from dataclasses import dataclass
from typing import Any

from bribeproof._notebook import ROWS, render_html
from bribeproof._text import count, name_in_list
from bribeproof.frames.native import to_polars

_NAMED = 5
"""The largest number of reporters who are named in a sentence."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Audit:
    """How far each reporter is from the others, and how reporters agree in pairs. It accuses nobody.

    A reporter who is better than the rest deviates from them as one does who is bribed, and two such reporters agree
    as two do who copy.

    Attributes
    ----------
    kind
        ``"scores"`` or ``"labels"``.
    k
        How many of the others were not trusted on each item.
    confidence
        1 - the largest probability that a list of findings has a false one, under the assumption of that list.
    n_items
        The number of items.
    n_compared_items
        The number of items on which reports could be compared with the others.
    n_reporters
        The number of reporters.
    reporters : frame of the kind that came in
        One row per reporter, the highest `apart_excess` first:

        - ``reporter``; ``reports``, how many; ``compared``, how many could be compared with the others on the item.
        - scores: ``dropped_low``, ``dropped_high``, how often among the k lowest and the k highest of an item with
          more than 2k scores; ``drop_expected``, how often in either, if chance alone decided; ``deviation``, the mean
          of score − k-trimmed mean of the others, and its standard error ``deviation_se``; ``side``, the one on which
          the reporter is more often than expected, ``"above"`` or ``"below"``.
        - labels: ``agreement``, the share of reports that agree with the most frequent label of the others (ties count
          in part), and ``agreement_expected``, its average over all reports on the same items.
        - with `truth`: ``gold``, the number of reports on gold items, and ``gold_errors``, how many of them are wrong.
        - ``apart``, the number of reports that deviate from the others: on that ``side``, or with a label that is not
          among the most frequent ones of the others; ``rate``, its share; ``rate_low`` and ``rate_high``, exact bounds
          of it; ``rate_expected``, the share of all reports on the same items that deviate.
        - ``p_value``, the probability of deviating as often if all reporters were equally skilled, that is, if on each
          item every report were as likely as any other to be this reporter's; ``p_adjusted``, the same adjusted for
          all reporters (Holm); ``stands_out``, whether that is at most 1 − confidence. Reporters who are better, or
          worse, than the rest should stand out.
        - ``apart_excess``, by which the table is sorted: the excess of ``rate`` over ``rate_expected``, after ten more
          reports that deviate as often as expected, so that few reports weigh little; null if nothing was compared.
        - with `same`: ``same``, the number of compared reports on items where the two columns agree; ``same_deviation``
          and ``rest_deviation``, the mean deviation there and elsewhere (labels: the share that deviates);
          ``same_effect``, how much more the reporter adds to the items of the own group than others add to the same
          items; ``same_p_value`` and ``same_p_adjusted`` of a test that it is nothing.
    pairs : frame of the kind that came in
        One row per pair of reporters, at most 100: ``first``, ``second``; ``common`` items, and further:

        - without `truth`, the pairs that agree most: ``same`` and ``different`` reports (scores: the same side of the
          others); labels: ``same_minority``, how many of the same ones are against the majority of the others;
          ``expected``, the number of same reports if all reporters were equally skilled. With `equal_skill` also
          ``p_value``, of agreeing as often then, and ``p_adjusted`` for all pairs (Holm).
        - with `truth`, the pairs that share most errors on gold items: ``errors_first``, ``errors_second``;
          ``shared_errors``, where both gave the same wrong answer; ``expected``, how many independent reporters with
          these error rates would share on these items; ``p_adjusted``, adjusted for all pairs; ``unexplained``,
          whether that is at most 1 − confidence.
    gold_items
        The number of gold items with a report; None without `truth`.
    equal_skill
        Whether the p-values of the pairs assume equal skill.
    notes
        How the table was read, one sentence each.
    """

    kind: str
    k: int
    confidence: float
    n_items: int
    n_compared_items: int
    n_reporters: int
    reporters: Any
    pairs: Any
    gold_items: int | None = None
    equal_skill: bool = False
    notes: tuple[str, ...] = ()

    def summary(self) -> str:
        """Return what was found, what it does not mean, and what was compared, one sentence a line."""
        return "\n".join(
            (
                f"{self.finding} among reporters of equal skill ({self._error}).",
                "Reporters who are better than the others deviate too: a deviation is no sign of bad faith.",
                f"{count(self.n_items, 'item')}, {self.n_compared_items:,} of them compared; "
                f"{count(self.n_reporters, 'reporter')}, k = {self.k:,}.",
                *self._describe_pairs(),
                *self._describe_groups(),
            )
        )

    @property
    def finding(self) -> str:
        """How many deviate more than chance allows, and who, as the beginning of a sentence."""
        return f"{self._who} from the others more than chance allows"

    @property
    def _who(self) -> str:
        """The reporters who stand out, the first few by name, as the subject of a sentence with its verb."""
        reporters = to_polars(self.reporters)
        found = reporters.filter("stands_out")["reporter"].to_list()
        if not found:
            return f"None of {count(self.n_reporters, 'reporter')} deviates"
        more = f" and {len(found) - _NAMED:,} more" * (len(found) > _NAMED)
        named = f"{', '.join(map(name_in_list, found[:_NAMED]))}{more}"
        return f"{len(found):,} of {count(self.n_reporters, 'reporter')} ({named}) deviate{'s' * (len(found) == 1)}"

    @property
    def _error(self) -> str:
        """The largest probability of a false finding, in words."""
        return f"if all are, the chance that anybody does is at most {100 * (1 - self.confidence):.3g} %"

    def _describe_pairs(self) -> tuple[str, ...]:
        """Return what is known about pairs of reporters, and the innocent explanation."""
        table, risk = to_polars(self.pairs), f"{100 * (1 - self.confidence):.3g} %"
        if self.gold_items is not None:
            found = int(table["unexplained"].sum())
            return (
                f"{count(found, 'pair')} of reporters share{'s' * (found == 1)} more wrong answers on "
                f"{count(self.gold_items, 'gold item')} than error rates and hard items explain (level {risk} for all "
                "pairs together; docs/evidence/audit.md lists the worlds in which it was measured, and its limits).",
                "A common teacher, source or misreading of the rules has this effect as well as copying.",
            )
        if self.equal_skill:
            found = int((table["p_adjusted"] <= 1 - self.confidence).sum())
            return (
                f"Assuming that all reporters are equally skilled, {count(found, 'pair')} "
                f"agree{'s' * (found == 1)} more often than independent reporters would (a false one with a chance of "
                f"at most {risk}).",
                "If skill differs, this says nothing: two reporters who are nearly always right agree as often.",
            )
        listed = f"{count(table.height, 'pair')} agree{'s' * (table.height == 1)}"
        return (
            f"{listed} more often than reporters of equal skill would on average: a list to look at, not a finding.",
            "Two who are nearly always right agree as often without copying; gold items allow a test (truth).",
        )

    def _describe_groups(self) -> tuple[str, ...]:
        """Return what was found about groups, and the innocent explanation."""
        table = to_polars(self.reporters)
        if "same_p_adjusted" not in table.columns:
            return ()
        tested, found = table["same_p_adjusted"].count(), int((table["same_p_adjusted"] <= 1 - self.confidence).sum())
        return (
            f"{found:,} of {tested:,} tested reporters treat{'s' * (found == 1)} the own group otherwise than others "
            f"treat the same items (level {100 * (1 - self.confidence):.3g} % for all together).",
            "The own group may be known better, or judged by another school: the cause is not in the data.",
        )

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        return (
            f"{type(self).__name__}(kind={self.kind!r}, k={self.k}, n_items={self.n_items}, "
            f"n_reporters={self.n_reporters})"
        )

    def _repr_html_(self) -> str:
        """Return the summary, the first reporters and their picture for a notebook."""
        shown = ("reporter", "compared", "deviation", "agreement", "gold", "gold_errors", "rate", "rate_expected")
        table = to_polars(self.reporters)
        return render_html(
            self.summary(),
            table.select(name for name in shown if name in table.columns),
            lambda plots, axes: plots.reporters(self, most=ROWS, ax=axes),
            bars=self.n_reporters,
        )
