"""Whatever a question of the library offers is a field of the form and of the JSON API."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import bribeproof
from bribeproof.explorer.api.table_requests import FileFields
from bribeproof.explorer.data.query import READ_FIELDS, field_of
from tests.explorer.data.sample_files import Read

SOURCE = Path(bribeproof.__file__).parent


def offered() -> Iterator[tuple[str, str]]:
    """Yield the options of every `Choice` in the source, and where it stands."""
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "import Choice" not in text or path.parent.name == "rankings":  # the page ranks no rankings
            continue
        for function in ast.walk(ast.parse(text)):
            if isinstance(function, ast.FunctionDef | ast.Module):
                for call in _calls(function):
                    place = f"{path.relative_to(SOURCE)}:{call.lineno}"
                    yield from ((option, place) for option in _keys(call.args[1], function))


def _calls(function: ast.FunctionDef | ast.Module) -> Iterator[ast.Call]:
    """Yield the calls of Choice in a function, or of a module outside its functions."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and isinstance(function, ast.Module):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Choice":
            yield node
        waiting += ast.iter_child_nodes(node)


def _keys(options: ast.expr, function: ast.FunctionDef | ast.Module) -> set[str]:
    """Return the keys of the options that are written down, or are put together in the same function."""
    if isinstance(options, ast.Name):
        return _of_variable(options.id, function)
    assert isinstance(options, ast.Dict), ast.unparse(options)
    found: set[str] = set()
    for key, value in zip(options.keys, options.values, strict=True):
        if isinstance(key, ast.Constant):
            found.add(str(key.value))
        elif key is None and isinstance(value, ast.Name):
            found |= _of_variable(value.id, function)
        else:  # the name of an option of the command without its dashes
            texts = (node.value for node in ast.walk(function) if isinstance(node, ast.Constant))
            found |= {text[2:] for text in texts if isinstance(text, str) and text.startswith("--") and " " not in text}
    assert found, f"line {options.lineno}: which options are these?"
    return found


def _of_variable(name: str, function: ast.FunctionDef | ast.Module) -> set[str]:
    """Return the keys that a variable of a function gets."""
    found: set[str] = set()
    for node in ast.walk(function):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if isinstance(target, ast.Name) and target.id == name:
                assert isinstance(node, ast.Assign | ast.AnnAssign)
                assert isinstance(node.value, ast.Dict), ast.unparse(node)
                found |= {str(key.value) for key in node.value.keys if isinstance(key, ast.Constant)}
            elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and target.value.id == name:
                assert isinstance(target.slice, ast.Constant), ast.unparse(node)
                found.add(str(target.slice.value))
    return found


OFFERED = sorted(set(offered()))


def test_the_source_was_searched() -> None:
    options = {option for option, _ in OFFERED}
    assert {"kind", "judges", "item", "turned", "better", "criterion_weights", "criteria", "value"} <= options


@pytest.fixture(scope="module")
def form(client: TestClient) -> set[str]:
    """Return the names of the fields of the form."""
    page = Read(client.get("/data?sheet=judges").text)
    return {name for name in (*page.values, *page.chosen) if name}


@pytest.mark.parametrize("option", sorted({option for option, _ in OFFERED}))
def test_an_option_is_a_field(form: set[str], option: str) -> None:
    places = [place for one, place in OFFERED if one == option]
    assert field_of(option) in READ_FIELDS, places
    assert field_of(option) in form, places
    assert option in FileFields.model_fields, places
