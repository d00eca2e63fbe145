"""The stories of the first page: small files of ours that are opened by the same code as uploads."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bribeproof.explorer.data.query import DataQuery


@dataclass(frozen=True, slots=True)
class Story:
    """A file that comes with the package, and what can be seen in it.

    Attributes
    ----------
    key
        Its key among the uploads.
    title, text
        What it is about.
    fields
        The fields of the page "Your data" with which it is opened.
    """

    key: str
    title: str
    text: str
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """The address at which it is opened."""
        return DataQuery(self.key, **self.fields).address()

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self.key}.csv"


@dataclass(frozen=True, slots=True)
class MeasuredRule:
    """What one bribed judge does to a rule: measured, as the page "Attack it" measures it.

    Attributes
    ----------
    rule
        What the rule is called.
    off
        How far its scores are off: their mean distance from the mean of the honest scores.
    changed
        The share of places that change.
    """

    rule: str
    off: float
    changed: float


STORIES = (
    Story(
        "judges", "A judged final: the trimmed mean saves the podium",
        "Six entries, seven judges, one mark missing. One judge is bribed: which places are safe, and by which rule?",
    ),
    Story(
        "moderation", "A labelled set",
        "Forty posts, twelve labellers, some of agencies, and the truth: how many labels are right, whoever is bribed?",
        {"gold": "truth"},
    ),
    Story(
        "models", "A panel of language models",
        "Six simulated models say which of two answers is better, eighty times, and the truth is known: what if the "
        "vendor of one has tuned it?",
        {"gold": "truth"},
    ),
)  # fmt: skip
"""The stories, the first one told with its measured numbers."""

FIRST_ATTACK = "/attack?sheet=judges"
"""The attack on the first story that these numbers are measured by, with the page's defaults."""
FIRST_MEASURED = (MeasuredRule("The plain mean", 0.731, 0.467), MeasuredRule("The trimmed mean", 0.173, 0.0))
"""One of the seven judges, drawn five times, marks against the others; a test measures it again."""
