"""The words by which columns are named, in several languages, and the roles that they stand for."""

import re
import unicodedata
from dataclasses import dataclass

from bribeproof.frames.reading.vocabulary import (
    COUNTED,
    GIVEN_NAMES,
    LABELLERS,
    LABELS,
    OTHERS,
    QUALIFIERS,
    SCORERS,
    SCORES,
    Role,
)

ROLE_NAMES: dict[Role, str] = {
    "item": "names of items", "number": "a number of the item", "reporter": "names of reporters",
    "report": "reports that name no reporter", "one reporter": "reports of one reporter", "gold": "the truth",
    "result": "a result", "spread": "a statistic", "weight": "a weight", "group": "a group",
    "order": "a date, a time or an order", "factor": "a factor or a deduction", "person": "about a person",
    "amount": "an amount", "note": "a note", "unknown": "not recognised",
}  # fmt: skip
"""What a role is called in messages."""

_PROPERTIES: tuple[Role, ...] = ("result", "spread", "gold", "weight", "group", "order", "factor", "person", "note")
"""Roles of columns about reporters or items, strongest first: *average score* is a result, *judge nation* a group."""


def _without_marks(text: str) -> str:
    """Return text in lower case without accents, so that *Prüfer* and *prufer* are one word."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(letter for letter in decomposed if not unicodedata.combining(letter)))


def _vocabulary() -> dict[str, Role]:
    """Return the role of each word; a word of several roles has the first of them."""
    roles: dict[str, Role] = dict.fromkeys(LABELS | SCORES, "report")
    roles |= dict.fromkeys(SCORERS | LABELLERS, "reporter")
    for role in _PRECEDENCE:
        for word in OTHERS[role]:
            roles.setdefault(_without_marks(word), role)
    return roles


_PRECEDENCE: tuple[Role, ...] = (
    "gold", "item", "result", "factor", "weight", "order", "group", "spread", "person", "note", "number",
)  # fmt: skip
_ROLES = _vocabulary()
_REPORT_WORDS = SCORES | LABELS | {"value", "report", "wert", "valeur", "valor", "valore", "значение"}


_NUMBERS = (COUNTED | {"nr", "nummer"}) - {"count", "anzahl"}


_SENTENCE = 7
"""The fewest words of a name that is a statement of a survey."""
_MAIL = frozenset({"mail", "email", "correo", "courriel", "posta", "mailadres", "emailadres"})
_ADDRESS = _MAIL | {
    "e", "address", "adresse", "adress", "adres", "direccion", "de", "electronico", "endereco", "indirizzo", "di",
    "elettronica", "electronique", "your", "ihre", "votre", "tu", "su", "seu",
}  # fmt: skip
"""Words for the address of a respondent, as forms in several languages name its column."""


@dataclass(frozen=True, slots=True)
class NamedRole:
    """The role of a column by its name.

    Attributes
    ----------
    role
        The role.
    sure
        False if the name may be a person's as well, such as *Mark* or *Ann Place*.
    """

    role: Role
    sure: bool = True


def words_of(name: str) -> list[str]:
    """Return the words of a column name, without a final id or name.

    Examples
    --------
    >>> words_of("worker_id"), words_of("WorkerId"), words_of("Prüfer 2"), words_of("Std Dev")
    (['worker'], ['worker'], ['prufer'], ['std', 'dev'])
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    words = [
        word if word in _ROLES else re.sub(r"(?<=...)(id|name)$", "", word)
        for word in re.findall(r"[^\W\d_]+", _without_marks(spaced))
    ]
    return words[:-1] if len(words) > 1 and words[-1] in ("id", "name", "ids", "names") else words


def role_of(name: str) -> NamedRole:
    """Return the role of a column by its name alone.

    Examples
    --------
    >>> [role_of(name).role for name in ("Jurado 3", "judge nation", "Mean", "Std Dev", "Anna", "score_anna", "Bib")]
    ['one reporter', 'group', 'result', 'spread', 'unknown', 'one reporter', 'number']
    >>> [role_of(name).role for name in ("Entry", "Entry #", "Entry No.")]
    ['item', 'number', 'number']
    """
    if name.strip() in ("#", "№", "Nº", "N°"):
        return NamedRole("number")
    if name.strip().casefold() in ("ø", "∑", "σ"):
        return NamedRole("result")
    words = words_of(name)
    numbered = re.search(r"\d", name) is not None
    role = "report" if "".join(words) in _REPORT_WORDS else _ROLES.get("".join(words), "unknown")
    if role == "item" and name.rstrip().endswith("#"):
        return NamedRole("number")
    if role != "unknown":
        person = len(words) == 1 and words[0] in GIVEN_NAMES
        if role in ("reporter", "report") and numbered:
            return NamedRole("one reporter")
        return NamedRole(role, sure=not person)
    if len(words) > 1 and words[-1] == "at":
        return NamedRole("order")
    if len(words) > 1 and _ADDRESS.issuperset(words) and not _MAIL.isdisjoint(words):
        return NamedRole("reporter")
    if words and words[0] in COUNTED:
        return NamedRole("spread")
    words = [word for word in words if word not in QUALIFIERS] or words
    roles: list[Role] = ["report" if word in _REPORT_WORDS else _ROLES.get(word, "unknown") for word in words]
    if set(roles) == {"report"}:
        return NamedRole("one reporter" if numbered else "report")
    for known in _PROPERTIES:
        if known in roles:
            return NamedRole(known, sure="unknown" not in roles and GIVEN_NAMES.isdisjoint(words))
    if "reporter" in roles or "report" in roles:
        if is_sentence(name) and roles[0] == "unknown":
            return NamedRole("unknown")
        return NamedRole("one reporter", sure="unknown" not in roles or "reporter" in roles)
    known_roles = [known for known in roles if known != "unknown"]
    if set(roles) <= {"item", "number"} and (not _NUMBERS.isdisjoint(words) or name.rstrip().endswith("#")):
        return NamedRole("number")
    if known_roles and "unknown" not in roles:
        return NamedRole("item" if "item" in known_roles else known_roles[-1])
    return NamedRole("number" if is_id(name) else "unknown")


def is_sentence(name: str) -> bool:
    """Return whether a name is a question or a statement of a survey, of seven words at least or with a question mark.

    Examples
    --------
    >>> is_sentence("Should we keep the trial? (yes/no)"), is_sentence("Rate each pie [Plum]"), is_sentence("Judge 3")
    (True, True, False)
    """
    asked = re.sub(r"[\s\"”»*]*(?:[(\[][^()\[\]]*[)\]])?[\s\"”»*]*$", "", name)
    is_grid = re.fullmatch(r"\S+ .*\S *\[[^\[\]]+\] *", name) is not None
    return is_grid or asked.endswith(("?", "？", "؟")) or len(name.split()) >= _SENTENCE


def is_id(name: str) -> bool:
    """Return whether a name ends with id: beside *label*, *annotation_id* is the number of a row."""
    return re.search(r"(?i:(?:_|\b)ids?)$|[a-z]I[Dd]s?$", name) is not None


def names_reports(name: str) -> bool:
    """Return whether one of the words of a column name stands for reports, as in *overall evaluation*."""
    return not _REPORT_WORDS.isdisjoint(words_of(name))


def names_reporters(name: str) -> bool:
    """Return whether all words of a column name stand for reporters, as in *judge model*; a person's name may be one.

    Examples
    --------
    >>> names_reporters("judge_model"), names_reporters("Judge Smith"), names_reporters("Kampfrichter Richter")
    (True, False, True)
    """
    return not has_digit(name) and all(_ROLES.get(word) == "reporter" for word in words_of(name))


def has_digit(name: str) -> bool:
    """Return whether a name contains a digit, as that of one of several."""
    return any(letter.isdigit() for letter in name)
