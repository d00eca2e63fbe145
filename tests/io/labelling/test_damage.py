"""Whatever is damaged in an export, it is read, or an error says what is wrong: never another exception."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bribeproof as bp
from tests.io.labelling.crowds import crowd_of
from tests.io.labelling.exports import WRITTEN

NESTED = [
    form
    for form in WRITTEN
    if form not in ("label studio, csv", "mturk", "mturk, form", "mturk, boxes", "toloka", "cvat")
]
DELIMITED = ["label studio, csv", "mturk", "mturk, form", "mturk, boxes", "toloka", "cvat"]
JUNK = [
    "null", "5", "-1.5", '""', '"x"', '"["', '"{}"', "true", "[]", "{}", "[[]]", "[{}]", '{"a": {"b": []}}', '["x", 1]',
    "[null]",
]  # fmt: skip
"""JSON that replaces parts of a document."""


def parts_of(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every list or object in a value with each of its keys."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from parts_of(value[key])


def damage(document: Any, draw: random.Random) -> None:
    """Replace or remove a part of a document."""
    found = list(parts_of(document))
    if not found:
        return
    holder, key = draw.choice(found)
    if draw.random() < 0.25:
        del holder[key]
    else:
        holder[key] = json.loads(draw.choice(JUNK))


def read(path: Path, text: str) -> None:
    """Read and aggregate a file; errors of the library are fine."""
    path.write_text(text, encoding="utf-8")
    try:
        bp.aggregate(bp.read_table(path, predictions=True), k=0, repeats="first", label_sets="whole")
    except bp.BribeproofError as error:
        assert str(error)
    except bp.BribeproofWarning:
        pass


@pytest.mark.filterwarnings("ignore::bribeproof.BribeproofWarning")
@settings(max_examples=40)
@given(st.sampled_from(NESTED), st.integers(0, 10**6))
def test_damaged_json_is_an_error_or_is_read(tmp_path: Path, form: str, seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311
    [path, *_] = WRITTEN[form].save(tmp_path, crowd_of(1, items=2, people=3), {"1": "good"})
    text = path.read_text(encoding="utf-8")
    lines = path.suffix == ".jsonl"
    document = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    for _ in range(draw.choice([1, 1, 2, 5])):
        damage(document, draw)
    read(path, "\n".join(map(json.dumps, document)) if lines and isinstance(document, list) else json.dumps(document))


@pytest.mark.filterwarnings("ignore::bribeproof.BribeproofWarning")
@settings(max_examples=20)
@given(st.sampled_from(DELIMITED), st.integers(0, 10**6))
def test_damaged_text_is_an_error_or_is_read(tmp_path: Path, form: str, seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311
    [path, *_] = WRITTEN[form].save(tmp_path, crowd_of(1, items=2, people=3))
    text = path.read_text(encoding="utf-8")
    start = draw.randrange(len(text))
    end = start + draw.choice([0, 1, 3, 20])
    read(path, text[:start] + draw.choice(["", '"', ",", "\t", "x", "[", "<", "\n", "{"]) + text[end:])
