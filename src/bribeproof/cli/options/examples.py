"""Examples at the end of help pages."""


def example(*commands: str) -> str:
    r"""Return commands as the last paragraphs of a help page, in Markdown.

    Examples
    --------
    >>> example("bribeproof sweep votes.csv")
    'Example:\n\n`bribeproof sweep votes.csv`'
    """
    heading = "Example:" if len(commands) == 1 else "Examples:"
    return "\n\n".join([heading, *(f"`{command}`" for command in commands)])
