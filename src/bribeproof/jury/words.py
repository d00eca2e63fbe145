"""Phrases about bribed judges and families of judges."""


def plural(unit: str) -> str:
    """Return the plural of what a bribe buys."""
    return {"judge": "judges", "family": "families"}[unit]


def whichever(k: int, unit: str) -> str:
    """Return the condition that any k judges or families are bribed.

    Examples
    --------
    >>> whichever(0, "judge"), whichever(1, "family")
    ('if nobody is bribed', 'whichever one family is bribed, perhaps another on each item')
    >>> whichever(2, "judge")
    'whichever 2 judges are bribed, perhaps others on each item'
    """
    if not k:
        return "if nobody is bribed"
    if k == 1:
        return f"whichever one {unit} is bribed, perhaps another on each item"
    return f"whichever {k:,} {plural(unit)} are bribed, perhaps others on each item"
