"""The JSON API keeps what its OpenAPI schema promises, whatever it is sent."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, settings
from schemathesis.python import asgi
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.testclient import TestClient

from bribeproof.explorer.app import create_app
from bribeproof.explorer.settings import Settings
from tests.budgets import examples


@pytest.fixture(scope="module")
def app() -> FastAPI:
    """Return the app."""
    return create_app(Settings())


@pytest.fixture(scope="module")
def api(app: FastAPI) -> Any:
    """Give the schema as the app hands it out."""
    return schemathesis.openapi.from_asgi("/api/openapi.json", app, headers={"Host": "127.0.0.1"})


@pytest.fixture(scope="module")
def session(app: Any) -> Iterator[asgi.ASGIClient]:
    """Ask the app; a client for each request would start its worker processes anew."""
    with asgi.get_client(app) as asking:
        yield asking


schema = schemathesis.pytest.from_fixture("api")


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=examples(0.25), suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate])
def test_nothing_comes_that_the_schema_does_not_promise(case: schemathesis.Case[Any], session: asgi.ASGIClient) -> None:
    """Whether a panel is possible or a table makes sense is no matter of the schema: what is sound may be refused."""
    case.call_and_validate(session=session, headers={"Host": "127.0.0.1"}, excluded_checks=[positive_data_acceptance])


def test_every_example_of_the_schema_is_answered(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    answered = 0
    for path, operations in document["paths"].items():
        [content] = operations["post"]["requestBody"]["content"].values()
        asked = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
        for example in asked.get("examples", ()):
            answer = client.post(path, json=example)
            assert answer.status_code == 200, answer.text
            answered += 1
    assert answered == 7
