"""Examples at the end of help pages."""


def example(command: str) -> str:
    r"""Return a command as the last paragraph of a help page, in Markdown.

    Examples
    --------
    >>> example("bribeproof sweep votes.csv")
    'Example:\n\n`bribeproof sweep votes.csv`'
    """
    return f"Example:\n\n`{command}`"
