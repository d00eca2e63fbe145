"""Say in the words of the page what the library says in those of Python and of the command."""

import re
from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "k": "Bribed reporters, k", "show": "Show", "sort": "Order", "page": "Page", "gold": "Column of the truth",
    "truth": "A file with the truth",
    "kind": "Reports are", "item": "Column of items", "judges": "Columns of judges", "reporter": "Column of reporters",
    "value": "Column of reports", "vote": "Column of reports", "label": "Column of reports",
    "turned": "Rows are", "not_items": "Rows that are no items", "better": "The best score is",
    "round": "Decimals of scores", "decimals": "Decimals of scores", "scale": "Scale of scores",
    "decimal": "Decimal mark", "decimal_mark": "Decimal mark", "criteria": "Judges give",
    "criterion_weights": "Weights of criteria", "criterion": "Column of criteria", "factor": "Factors",
    "total": "Total", "minus": "Column of deductions", "missing": "Missing values", "repeats": "Repeated reports",
    "order": "First and last by column", "faulty": "Reports that nobody honest sends", "asked": "Reporters asked",
    "positive": "Positive vote", "classes": "Classes", "group": "A bribe buys",
    "rule": "Rule", "contest": "Column of contests", "unranked": "Entries that a judge does not rank",
    "gaps": "Places skip numbers",
    "label_sets": "Reports hold several labels", "label_separator": "What separates labels",
    "labels": "Labels to vote on", "no_label": "Words for no label", "sep": "Delimiter", "encoding": "Encoding",
    "format": "Format", "header_line": "Line of the header", "sheet": "Sheet of a workbook",
    "worksheet": "Sheet of a workbook", "predictions": "Predictions of models",
}  # fmt: skip
"""What each field of the page is called there, by its name in the library and in addresses."""

_CHOICES: Mapping[str, Mapping[str, str]] = {
    "Decimal mark": {".": "point", ",": "comma"},
    "Repeated reports": {"first": "keep the first", "last": "keep the last", "drop": "ignore both"},
    "Reports hold several labels": {
        "whole": "yes, the set counts as a whole", "each": "yes, each label is voted on", "none": "no",
    },
    "Reports that nobody honest sends": {"set aside": "set them aside"},
}  # fmt: skip
"""What some values are called in the lists of the page."""

_NAME = "|".join(sorted(map(re.escape, LABELS), key=len, reverse=True))
_VALUE = r"""\[[^\]]*\]|\([^)]*\)|'[^']*'|"[^"]*"|[^\s,;:)]*"""
_ASSIGNED = re.compile(rf"(?<![\w.'\"-])({_NAME})=({_VALUE})((?:(?:, | or )'[^']*')*)")
_BRACKETED = re.compile(r"\s*\(([a-z_]+=[^()]+?, )?(--[a-z][^()]*(?:\([^()]*\)[^()]*)*)\)")
_OPTION = re.compile(r"--([a-z][a-z-]+)\b")
_BARE_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]+)(?: [A-Z][A-Z,]*)?")


def in_page_words(message: str, **own: str) -> str:
    """Return a message with the fields of the page instead of arguments and options.

    Parameters
    ----------
    message
        The message.
    **own
        What fields are called on another page than "Your data", where that differs.

    Examples
    --------
    >>> in_page_words("line 3: list it as missing (--missing)")
    'line 3: list it as missing (“Missing values”)'
    >>> in_page_words("say which to keep: repeats='first', 'last' or 'drop' (--repeats)")
    'say which to keep: “Repeated reports”: keep the first, keep the last or ignore both'
    >>> in_page_words("name the labels with labels=['A', 'B'] (--labels A,B)")
    'name the labels with “Labels to vote on”: A,B'
    >>> in_page_words("k=x: give a whole number", k="Assumed k")
    '“Assumed k” x: give a whole number'
    >>> in_page_words("--judges names the columns of a wide table")
    '“Columns of judges” names the columns of a wide table'
    """
    labels = {**LABELS, **own}
    spoken = _BRACKETED.sub(lambda match: _bracketed(match, message, labels), message)
    spoken = _ASSIGNED.sub(lambda match: _assigned(match, labels), spoken)
    return _BARE_OPTION.sub(lambda match: _label(match[1], labels), spoken)


def choice_label(name: str, value: str) -> str:
    """Return what a value of a field is called in its list.

    Examples
    --------
    >>> choice_label("repeats", "last"), choice_label("item", "task")
    ('keep the last', 'task')
    """
    return _CHOICES.get(LABELS[name], {}).get(value, value)


def _bracketed(match: re.Match[str], message: str, labels: Mapping[str, str]) -> str:
    """Return the fields of options in brackets; nothing where the arguments before them name these as well."""
    if match[1]:
        name = match[1].partition("=")[0]
        return f" ({match[1].removesuffix(', ')})" if name in labels else ""
    names = [name.replace("-", "_") for name in _OPTION.findall(match[2])]
    before = {
        labels[name] for name in re.findall(rf"\b({_NAME})=", message[max(0, match.start() - 120) : match.start()])
    }
    fields = dict.fromkeys(f"“{labels[name]}”" for name in names if name in labels and labels[name] not in before)
    return f" ({', '.join(fields)})" if fields else ""


def _assigned(match: re.Match[str], labels: Mapping[str, str]) -> str:
    """Return the field of an argument, and its values as they are typed, or as they are called in its list."""
    label = labels[match[1]]
    values = _CHOICES.get(label, {})
    typed = ",".join(part.strip().strip("'\"") for part in match[2].strip("[]()").split(",")) if match[2] else ""
    typed = values.get(match[2].strip("'\""), typed)
    others = re.sub(r"'([^']*)'", lambda one: values.get(one[1], one[1]), match[3])
    colon = "" if match.string[match.end() : match.end() + 1] == ":" else ":"
    return f"“{label}”{f'{colon} {typed}' if typed else ''}{others}"


def _label(option: str, labels: Mapping[str, str]) -> str:
    """Return the field of an option, or its words."""
    name = option.replace("-", "_")
    return f"“{labels[name]}”" if name in labels else f"“{option.replace('-', ' ')}”"
