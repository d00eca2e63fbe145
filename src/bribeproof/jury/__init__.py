"""Juries of language models: verdicts, scores and preferences of judges of whom k may be bribed.

A language model that judges answers can be made to say what somebody else wants: by text in the judged answer that
speaks to the judge (prompt injection), by an update of the model, or by a payment. A judge of whom that is true is
called bribed here, whoever did it and why. Nobody knows which judges are; it is assumed of at most k of them, or of
at most k model families, since what fools one model often fools its relatives. All functions say what an answer is
worth then. Judges who fail or say nothing are told as None, count in n, and do not lower k.
"""

from bribeproof.jury.examination import Examination, examine
from bribeproof.jury.orders import Preferences, both_orders, consistent
from bribeproof.jury.scores import Grade, grade
from bribeproof.jury.seats import Seats
from bribeproof.jury.selection import Choice, choose
from bribeproof.jury.verdicts import Verdict, decide

__all__ = [
    "Choice",
    "Examination",
    "Grade",
    "Preferences",
    "Seats",
    "Verdict",
    "both_orders",
    "choose",
    "consistent",
    "decide",
    "examine",
    "grade",
]
