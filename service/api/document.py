"""The OpenAPI document, for callers inside the service."""

from __future__ import annotations

from flask import Response, current_app

from service.engine.values import Json

ENDPOINT = "api-docs.openapi_json"


def api_document() -> dict[str, Json]:
    """Return what `/api/v1/openapi.json` answers."""
    answer = current_app.view_functions[ENDPOINT]()
    assert isinstance(answer, Response), "the document is answered as it was written"
    body: dict[str, Json] = answer.get_json()
    return body
