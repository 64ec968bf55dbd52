"""The OpenAPI document: it is one, it names every route, and answers are as it says."""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest
import schemathesis
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import SearchStrategy
from schemathesis import CheckFunction
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.schemas import OpenApiSchema

from service.api.application import ROUTES
from service.api.routing import STREAM
from service.installation import Installation
from tests.api.test_frame import token_of

ANSWERING = [one for one in ROUTES if one.answer != STREAM]
"""A stream goes on as long as its match: it has tests of its own."""

CHECKED: list[CheckFunction] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

Sent: TypeAlias = schemathesis.Case[Any]
"""A request as the document describes it."""


@pytest.fixture
def described(client: FlaskClient, match_id: str) -> OpenApiSchema:
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", client.application)


def test_the_document_is_openapi(described: OpenApiSchema) -> None:
    described.validate()
    raw = described.raw_schema
    assert raw["openapi"] == "3.1.0"
    assert set(raw["components"]["securitySchemes"]) == {"bearer", "session"}
    rules = {one.rule.replace("<", "{").replace(">", "}") for one in ROUTES}
    assert set(raw["paths"]) == rules
    for one in ROUTES:
        operation = raw["paths"][one.rule.replace("<", "{").replace(">", "}")][one.method.lower()]
        for status in ("401", "422", "429", "500"):
            assert list(operation["responses"][status]["content"]) == ["application/problem+json"]
        assert ("requestBody" in operation) == (one.takes is not None)
        assert operation["security"]
        named = {parameter["name"] for parameter in operation.get("parameters", [])}
        assert ("Idempotency-Key" in named) == one.idempotent


@schemathesis.serializer("application/x-ndjson")
def as_it_is(context: schemathesis.SerializationContext, value: object) -> bytes:
    return str(value).encode()


def test_answers_are_as_the_document_says(
    described: OpenApiSchema, installation: Installation, match_id: str
) -> None:
    headers = token_of(installation, role="operator")

    def check(cases: SearchStrategy[Sent]) -> None:
        @settings(max_examples=4, suppress_health_check=list(HealthCheck))
        @given(cases)
        def is_as_said(case: Sent) -> None:
            if "match_id" in case.path_parameters:
                case.path_parameters["match_id"] = match_id
            case.call_and_validate(headers=headers, checks=CHECKED)

        is_as_said()

    for one in ANSWERING:
        operation = described[one.rule.replace("<", "{").replace(">", "}")][one.method]
        check(operation.as_strategy())
