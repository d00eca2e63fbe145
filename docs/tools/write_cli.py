"""Write a page for each command from the program itself: ``python docs/tools/write_cli.py`` (``--check`` compares)."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from bribeproof.cli.application import app
from bribeproof.cli.commands.examples import EXAMPLES, examples_of

FOLDER = Path(__file__).parents[1] / "reference" / "cli"
_SECTION = re.compile(r"^#{2,3} bribeproof (.+)\n", re.M)
_ENTRY = re.compile(r"\* `([^`]+)`: (.*)", re.S)
_MARK = re.compile(r"\s*\*+\[(?P<what>choices|default|required)(?:: (?P<value>[^]]*))?\]\*+")
_TERM = re.compile(r"(?<![-\w`])(reporter|item|label|vote|score|panel|trimmed mean|bribe)(s?)(?![-\w`.])")
"""Words that the glossary explains; the first on a page leads there."""
_NOT_HERE = "--install-completion"
"""The option that docs/reference/cli/index.md describes."""
_RUN_AS = re.compile(r" -m [\w.]+(?= |$)", re.M)


def pages() -> dict[str, str]:
    """Return the text of each page by its name; subcommands are on the page of their command."""
    _, *parts = _SECTION.split(app.generate_docs())
    written: dict[str, str] = {}
    for command, body in zip(parts[::2], parts[1::2], strict=True):
        name = command.split()[0]
        if name == _NOT_HERE:
            continue
        heading = "##" if name in written else "#"
        text = f"{heading} bribeproof {command}\n\n" + "\n".join(_page(command, body, heading + "#"))
        written[name] = f"{written[name]}\n{text}" if name in written else text
    return {name: _link_a_term(text) for name, text in written.items()}


def _link_a_term(text: str) -> str:
    """Return a page whose first word of the glossary leads there."""
    title, body = text.split("\n", 1)
    shown = re.split(r"(```.*?```)", body, flags=re.S)
    for position, part in enumerate(shown):
        if not part.startswith("```") and _TERM.search(part):
            shown[position] = _TERM.sub(lambda word: f"{{term}}`{word[0]} <{word[1]}>`", part, count=1)
            break
    return "\n".join([title, "".join(shown)])


def _page(command: str, body: str, heading: str) -> Iterator[str]:
    """Yield the lines of a command: its purpose, its usage, its options in groups, its examples and exit status."""
    usage = re.search(r"```console\n.*?```\n", body, re.S)
    purpose, *groups = re.split(r"^\*\*(.+)\*\*:\n", body.replace(usage[0], "") if usage else body, flags=re.M)
    yield from (" ".join(part.split()) + "\n" for part in purpose.split("\n\n") if part.strip())
    if usage:
        yield _RUN_AS.sub("", usage[0].replace("console", "text"))
    for title, entries in zip(groups[::2], groups[1::2], strict=True):
        yield from _table(title, entries, heading)
    examples = list(examples_of(command)) if command in EXAMPLES else []
    if examples:
        yield f"{heading} Examples\n"
    for purpose, line in examples:
        yield f"{purpose}\n\n```bash\n{line}\n```\n"
    if groups:
        yield f"{heading} Exit status\n"
        threshold = next(iter(re.findall(r"--fail-[\w-]+", body)), None)
        missed = f" 3: the answer misses the threshold of `{threshold}`." if threshold else ""
        yield f"0: done. 2: an error, said on one line of standard error.{missed}"
        yield "[All statuses](index.md#exit-status)\n"


def _table(title: str, entries: str, heading: str) -> Iterator[str]:
    """Yield a group of arguments or options as a table."""
    yield f"{heading} {title}\n"
    yield f"| {'argument' if title == 'Arguments' else 'option'} | meaning |\n|---|---|"
    for entry in re.split(r"\n(?=\* )", entries.strip()):
        if found := _ENTRY.fullmatch(entry):
            yield f"| `{found[1]}` | {_meaning(' '.join(found[2].split()))} |"
    yield ""


def _meaning(text: str) -> str:
    """Return what an option does, with its allowed values and its default as sentences."""
    marks = {found["what"]: found["value"] for found in _MARK.finditer(text)}
    text = re.sub(r"(?<!\S)--?[a-z][\w-]*", r"`\g<0>`", _MARK.sub("", text))
    text = text.rstrip(".").replace("|", r"\|").replace("*", r"\*").replace("$", r"\$") + "."
    if "choices" in marks:
        text += " One of " + ", ".join(f"`{choice}`" for choice in marks["choices"].split(", ")) + "."
    if "default" in marks:
        text += f" Default: `{marks['default']}`."
    return text + (" **Required.**" if "required" in marks else "")


def main() -> int:
    """Write the pages, or say which of them are not those of the program."""
    written = {FOLDER / f"{name}.md": text for name, text in pages().items()}
    stale = [page for page in {*written, *FOLDER.glob("*.md")} - {FOLDER / "index.md"} if _differs(page, written)]
    if "--check" in sys.argv:
        sys.stderr.writelines(f"{page.name} is not what the program says\n" for page in stale)
        return 1 if stale else 0
    FOLDER.mkdir(exist_ok=True)
    for page in stale:
        if page in written:
            page.write_text(written[page], encoding="utf-8")
        else:
            page.unlink()
    return 0


def _differs(page: Path, written: dict[Path, str]) -> bool:
    return not page.exists() or page.read_text(encoding="utf-8") != written.get(page)


if __name__ == "__main__":
    sys.exit(main())
