"""Numbers that are typed into the forms of the pages: what Python would read, and a person would not."""

import pytest
from starlette.testclient import TestClient

from tests.cli.options.test_options import TYPED_NUMBER, TYPED_WHOLE


@pytest.mark.parametrize("text", [text for text in TYPED_WHOLE if text])
def test_a_whole_number_is_written_in_digits(client: TestClient, text: str) -> None:
    for path, query in (("/panel", {"n": text}), ("/data", {"sheet": "models", "k": text}), ("/attack", {"k": text})):
        answer = client.get(path, params=query)
        assert answer.status_code == 422, path
        assert "whole number" in answer.text, path


@pytest.mark.parametrize("text", [text for text in TYPED_NUMBER if text])
def test_a_number_is_a_decimal(client: TestClient, text: str) -> None:
    for path in ("/panel", "/attack"):
        answer = client.get(path, params={"prior": text})
        assert answer.status_code == 422, path
        assert "number" in answer.text, path
