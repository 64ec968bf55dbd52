"""The one file that knows flask-smorest: typed decorators over its untyped ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import flask_smorest
from flask import Flask, Response
from marshmallow import RAISE, Schema
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException

from schemas.problems import ProblemBody

Function = TypeVar("Function", bound=Callable[..., Any])
PROBLEM_JSON = "application/problem+json"


class StrictParser(FlaskParser):
    """Reads query strings; unknown names are refused."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}  # noqa: RUF012


class Noun(flask_smorest.Blueprint):
    """A blueprint: the routes of one noun."""

    ARGUMENTS_PARSER = StrictParser()


class Api(flask_smorest.Api):
    """The OpenAPI document and the errors, as problem details."""

    ERROR_SCHEMA = ProblemBody

    def handle_http_exception(self, error: HTTPException) -> Response:
        """Leave errors to the handlers of `problems`."""
        handler: Callable[[HTTPException], Response] = self._app.extensions["kifu_http_error"]
        return handler(error)

    def _register_responses(self) -> None:
        self.DEFAULT_RESPONSE_CONTENT_TYPE = PROBLEM_JSON
        super()._register_responses()
        del self.DEFAULT_RESPONSE_CONTENT_TYPE


def noun(name: str, *, prefix: str) -> Noun:
    """Return the blueprint of a noun."""
    return Noun(name, __name__, url_prefix=prefix)


def route(
    target: Noun, rule: str, *, answer: type[Schema], query: type[Schema]
) -> Callable[[Function], Function]:
    """Bind a function that answers a GET; it takes the query as a dict, then the path's parts."""

    def bind(function: Function) -> Function:
        made = target.response(200, answer)(function)
        made = target.arguments(query, location="query")(made)
        for status in (404, 422):
            made = target.alt_response(status, schema=ProblemBody, content_type=PROBLEM_JSON)(made)
        target.route(rule, methods=["GET"])(made)
        return function

    return bind


def body_route(
    target: Noun, rule: str, *, answer: type[Schema], query: type[Schema], takes: str
) -> Callable[[Function], Function]:
    """Bind a function that answers a POST of raw bytes, of the media type `takes`."""

    def bind(function: Function) -> Function:
        made = target.response(200, answer)(function)
        made = target.arguments(query, location="query")(made)
        for status in (413, 422):
            made = target.alt_response(status, schema=ProblemBody, content_type=PROBLEM_JSON)(made)
        content = {takes: {"schema": {"type": "string"}}}
        made = target.doc(requestBody={"required": True, "content": content})(made)
        target.route(rule, methods=["POST"])(made)
        return function

    return bind


def install(app: Flask, nouns: list[Noun]) -> None:
    """Register the nouns and the OpenAPI document at `/api/v1/openapi.json`."""
    app.config.update(
        API_TITLE="Kifu",
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api/v1",
        OPENAPI_JSON_PATH="openapi.json",
    )
    api = Api(app)
    for one in nouns:
        api.register_blueprint(one)
