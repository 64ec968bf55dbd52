"""Tokens of the caller: make one, list them, revoke one."""

from __future__ import annotations

from typing import Any

from schemas.persons import NewTokenBody, NewTokenRequest, TokenBody, TokensBody
from service.accounts.tokens import NewToken, Token
from service.aggregates.world import NotFound
from service.api.identity import principal
from service.api.persons import caller_id
from service.api.routing import noun, route
from service.api.wiring import installation
from service.engine.values import Json
from service.installation import clock

TOKENS = noun("tokens", prefix="/api/v1/tokens")
TOLD = tuple(TokenBody().fields)


@route(
    TOKENS,
    "",
    action="create_token",
    answer=NewTokenBody,
    method="POST",
    takes=NewTokenRequest,
    status=201,
)
def create_token(query: dict[str, Any], body: dict[str, Any]) -> dict[str, Json]:
    """Make a token that can do no more than the present one; its text is shown this once."""
    wanted = NewToken(person=caller_id(), **body)
    token, text = installation().persons.create_token(wanted, principal(), clock())
    return body_of(token) | {"token": text}


@route(TOKENS, "", action="read_tokens", answer=TokensBody)
def list_tokens(query: dict[str, Any]) -> dict[str, Json]:
    """List the tokens of the caller that hold; with a narrowed one, those narrowed alike."""
    return {"items": [body_of(token) for token in _reached()]}


@route(TOKENS, "/<token_id>", action="revoke_token", answer=None, method="DELETE", status=204)
def revoke_token(query: dict[str, Any], token_id: str) -> None:
    """End a token of the caller, and the sessions that were opened with it."""
    if token_id not in {token.id for token in _reached()}:
        raise NotFound(f"no token {token_id}")
    installation().persons.revoke(token_id, clock(), owner=caller_id())


def body_of(token: Token) -> dict[str, Json]:
    """Return a token as the API tells it, without its digest."""
    return {name: getattr(token, name) for name in TOLD} | {"scopes": sorted(token.scopes)}


def _reached() -> list[Token]:
    """Return the tokens of the caller that he may know of with the present one."""
    narrowed_to = principal().narrowed_to
    return [
        token
        for token in installation().persons.tokens_of(caller_id(), clock())
        if narrowed_to in (None, token.narrowed_to)
    ]
