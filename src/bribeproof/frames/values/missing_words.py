"""Recognise words with which people say that there is no report, and offer the option that lists them as missing."""

import csv
import io
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence

from bribeproof._warnings import warn
from bribeproof.frames.values.text import visible

_WORDS = frozenset(
    {"", "-", "--", "---", "–", "—", "?", "??", "???", ".", "..", "...", "…", "/",
     "na", "n/a", "nan", "none", "null", "nil", "missing", "blank", "empty", "nd", "n/d", "nr", "nc", "n/c", "np",
     "abs", "absent", "dns", "dnf", "dsq", "dq", "dnq", "dnc", "ret", "wd", "withdrawn",
     "not sure", "unsure", "don't know", "dk", "no answer", "no response", "no report", "not applicable",
     "not available", "refused", "skipped", "abst", "abstain", "abstains", "abstained", "abstention", "abstaining",
     "prefer not to say", "prefer not to answer", "cannot say", "can't say", "no opinion", "no vote", "did not vote",
     "enthaltung", "enthalten", "abstención", "abstencion", "astenuto", "abstenção", "onthouding",
     "воздержался", "棄権", "弃权", "기권",
     "ka", "k/a", "so", "keine angabe", "keine antwort", "weiß nicht", "weiss nicht", "entfällt", "fehlt", "abwesend",
     "absente", "sans réponse", "ne sait pas", "nsp", "ausente", "sin respuesta", "ns/nc", "s/d", "assente",
     "н/д", "нет ответа", "なし", "欠席", "無回答", "无", "缺席",
     "#n/a", "#na", "#null!", "#ref!", "#value!", "#name?", "#num!", "#div/0!"}
)  # fmt: skip
_REFUSAL = re.compile(
    r"(?:i['’]?m|i am) (?:really |very |so )?(?:sorry|unable|not able)\b|(?:i )?apologi[sz]e\b|sorry, |my apologies"
    r"|i (?:cannot|can['’]?t|can not|won['’]?t|will not|am not able to) .+|as an ai\b|unable to .+"
    r"|(?:api|rate|timeout|parse|parsing)? ?error(?:\b|:)|timeout\b|rate limit"
)
"""How a language model begins that refuses to answer, and what stands where its answer could not be had."""
_MOST = 20
"""The most words that an option lists."""


def is_missing_word(text: str) -> bool:
    """Return whether a text looks like a code for a missing report.

    Examples
    --------
    >>> [is_missing_word(text) for text in ("DNS", "n.a.", "k. A.", "<NA>", "--", "cat", "A", "so")]
    [True, True, True, True, True, False, False, False]
    >>> is_missing_word("I'm sorry, but I cannot compare these."), is_missing_word("sorry face")
    (True, False)
    """
    word = " ".join(visible(text).casefold().split())
    word = re.sub(r"^[<(\[](.*)[>)\]]$", r"\1", word)
    if word == "so":
        return False
    short = "." in word and word.replace(".", "").replace(" ", "") in _WORDS
    return word in _WORDS or short or _REFUSAL.match(word) is not None


def offer_missing(words: Sequence[str]) -> str:
    """Return the argument and the option that list some words as missing.

    Examples
    --------
    >>> print(offer_missing(["DNS", "not sure", "--"]))
    missing=['DNS', 'not sure', '--'] (--missing 'DNS,not sure,--')
    """
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(words)
    return f"missing={list(words)!r} (--missing {shlex.quote(line.getvalue())})"


def words_to_offer(cells: Mapping[str, str], first: str) -> list[str]:
    """Return the words among cells that are no numbers: all without a digit, or, of many, those that look like a code.

    Words that cannot be typed, such as those with a line break, are none of them.

    Parameters
    ----------
    cells
        The cells, and what is wrong with each if that is known.
    first
        The cell that an error names.
    """
    words = sorted(
        text
        for text, reason in cells.items()
        if not reason and text.isprintable() and not any(letter.isdigit() for letter in text)
    )
    if len(words) > _MOST:
        words = [word for word in words if is_missing_word(word)][:_MOST]
    return words if first in words else []


def warn_missing_words(labels: Iterable[str]) -> None:
    """Warn about labels that look like codes for missing reports."""
    words = sorted(label for label in labels if is_missing_word(label))[:_MOST]
    if words:
        looks = "looks like a missing code but is counted as a label"
        if len(words) > 1:
            looks = "look like missing codes but are counted as labels"
        warn(f"{', '.join(map(repr, words))} {looks}; where it means no report, list it: {offer_missing(words)}")
