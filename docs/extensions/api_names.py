"""The names that the pages of docs/reference/api document, and what a bare name in a docstring refers to."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parents[1] / "reference" / "api"
_LINE = re.compile(r"\.\. currentmodule:: (?P<module>[\w.]+)|   ~?(?P<name>[A-Za-z_][\w.]*)")


def documented_names() -> Iterator[tuple[str, str]]:
    """Yield each module and name that has a page of its own, in the order of the pages."""
    for page in sorted(PAGES.glob("*.md")):
        module = ""
        for line in page.read_text(encoding="utf-8").splitlines():
            if found := _LINE.fullmatch(line):
                if found["module"]:
                    module = found["module"]
                else:
                    yield module, found["name"]


def look_up(module: str, name: str) -> Any:
    """Return the object of a documented name, such as ``result.WorstBribe`` of ``bribeproof.bribery``."""
    *submodules, last = name.split(".")
    return getattr(import_module(".".join((module, *submodules))), last)


def short_names() -> Mapping[str, str]:
    """Return the whole names of classes, and of functions of ``bribeproof`` itself, by their last parts and homes."""
    names = {f"{module}.{name}": look_up(module, name) for module, name in documented_names()}
    counts = Counter(name.rpartition(".")[2] for name in names)
    short: dict[str, str] = {}
    for name, value in names.items():
        module, _, last = name.rpartition(".")
        if isinstance(value, type) or module == "bribeproof":
            short[f"{value.__module__}.{value.__qualname__}"] = name
            if counts[last] == 1 or module == "bribeproof":
                short[last] = name
    return short
