"""Ask for the encoding of text that is not UTF-8: how its first such word reads in each that fits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bribeproof._text import shorten
from bribeproof.errors import FileError
from bribeproof.questions import Choice, QuestionError

if TYPE_CHECKING:
    from collections.abc import Iterator

_ALPHABETS = {"cp1251": "Cyrillic", "cp1253": "Greek"}
"""Encodings of one byte a letter, in which most words have no ASCII letters."""
_SINGLE = {"cp1252": "Western European", "cp1250": "Central European", "cp1251": "Cyrillic", "cp1253": "Greek"}
"""Encodings of one byte a letter."""
_DOUBLE = {"cp932": "Japanese", "cp949": "Korean", "gb18030": "Chinese, simplified", "big5": "Chinese, traditional"}
"""Encodings of two bytes a letter."""
_UNLIKELY = {
    **dict.fromkeys(_ALPHABETS, r"[^\W\d_]*[^\w\s\x00-\x7f]|[a-zа-яα-ω][A-ZА-ЯΑ-Ω]"),
    "cp932": "[\uff61-\uff9f]",
    "cp949": "[^\x00-\x7f\uac00-\ud7a3]",
}
"""What no common word contains in an encoding: signs or capitals within words, half-width kana, other than Hangul."""
_MOST = 3
"""The most encodings that a question offers."""
SAMPLE = 1 << 12
"""The bytes from the first wrong one on that are looked at."""
_BEFORE = 20
"""The bytes before the first wrong one that are shown."""
_RUNS = re.compile(rb"[\x80-\xff]{2,}")
_HIGH = re.compile(rb"[\x80-\xff]")


def encoding_question(before: bytes, data: bytes, problem: str) -> FileError | QuestionError:
    r"""Return the error of a byte that is not UTF-8: a question, if other encodings fit.

    Parameters
    ----------
    before : bytes
        The bytes before it, of which those on its line are shown.
    data : bytes
        The byte and those after it, about `SAMPLE`.
    problem : str
        The sentence that says where it stands.

    Examples
    --------
    >>> question = encoding_question(b"t1,Jos", b"\xe9,a", "votes.csv, line 2: byte 0xE9 is not UTF-8 text")
    >>> question.choices[0].meaning
    "Western European (cp1252): 'José'"
    """
    begin = max(before.rfind(b"\n"), before.rfind(b"\r"), len(before) - _BEFORE - 1) + 1
    sample = before[begin:] + (data[: max(data.rfind(b"\n"), data.rfind(b"\r"))] or data)
    choices, seen = [], set()
    for codec, name in _candidates(sample):
        text = _word(sample, codec)
        if text is not None and text not in seen:
            seen.add(text)
            choices.append(Choice(f"{name} ({codec}): {shorten(text)}", {"encoding": codec}))
    if not choices:
        return FileError(f"{problem}; name the encoding in which the file was saved with encoding= (--encoding)")
    return QuestionError(problem, choices[:_MOST])


def _candidates(sample: bytes) -> Iterator[tuple[str, str]]:
    """Yield encodings with the names of their scripts: first those of whole alphabets, if high bytes stand together."""
    in_runs = sum(len(run) for run in _RUNS.findall(sample))
    together = 2 * in_runs > len(_HIGH.findall(sample))
    for codec, name in ({**_ALPHABETS, **_DOUBLE, **_SINGLE} if together else _SINGLE).items():
        text = sample.decode(codec, "replace")
        if not (together and codec in _UNLIKELY and re.search(_UNLIKELY[codec], text)):
            yield codec, name


def _word(sample: bytes, codec: str) -> str | None:
    """Return the first word that is not ASCII as it reads in an encoding; None if the text is none in it."""
    try:
        text = sample.decode(codec)
    except UnicodeDecodeError:
        return None
    letters = [letter for letter in text if not letter.isascii()]
    if not all(letter.isprintable() or letter.isspace() for letter in letters):
        return None
    return next((word for word in re.split(r'[,;\t|"\r\n]+', text) if not word.isascii()), None)
