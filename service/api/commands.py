"""Commands over HTTP: carried out once, also if they come twice, and answered for their caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from flask import Response, request
from marshmallow import Schema
from msgspec import to_builtins
from msgspec.structs import replace

from projections.replay import EVENTS_PER_WINDOW_MAX
from schemas.play import AcceptedBody
from service.aggregates.attachments import Attached, Command, Saved, Text
from service.aggregates.matches import Match, MatchCommand
from service.aggregates.world import Conflict, KeyReused, WorldFault
from service.api.identity import principal
from service.api.language import language_of_request
from service.api.problems import refusal
from service.api.requests import note
from service.api.routing import Function, Noun, route
from service.api.seeing import SeenMatch, seen_match
from service.api.wiring import installation
from service.catalogue import digest_of
from service.commands.changing import carry_out
from service.engine.contract import Rejection
from service.engine.hashes import tagged_hash
from service.engine.texts import Scene
from service.engine.values import Json, Viewer
from service.exchange import receipt_of
from service.installation import clock

KEY_HEADER = "Idempotency-Key"
Answer = dict[str, Json] | Response


def command_route(
    target: Noun, rule: str, *, action: str, takes: type[Schema]
) -> Callable[[Function], Function]:
    """Bind a command on a match: it is answered with what it did, and may be sent again."""
    return route(
        target,
        rule,
        method="POST",
        action=action,
        answer=AcceptedBody,
        takes=takes,
        status=201,
        idempotent=True,
    )


def done(
    seen: SeenMatch,
    body: Mapping[str, Json],
    command: MatchCommand,
    *,
    texts: Sequence[Text] = (),
    refused: Callable[[Rejection], None] | None = None,
) -> Answer:
    """Carry out a command on a match and return the answer. refused: told of a rule's no."""
    log = installation().log

    def carry(asked: Command | None) -> Saved | Rejection:
        attached = Attached(command=asked, texts=texts)
        return carry_out(log, _as_seen(seen, command), now=clock(), attached=attached)

    outcome = once(body, carry)
    if isinstance(outcome, Saved):
        return accepted_body(outcome)
    if refused is not None:
        refused(outcome)
    return rule_says_no(seen.present, outcome, seen.own_viewer)


def _as_seen(seen: SeenMatch, command: MatchCommand) -> MatchCommand:
    """Return a command as it is decided on: who is behind can only expect what he is shown.

    Raises `Conflict` with the version that is shown; the present one would tell how far play is.
    """
    if not seen.is_behind:
        return command
    shown = seen.match.version
    if command.expected_version not in (None, shown):
        raise Conflict(f"match {seen.match.id} is shown to you up to {shown}", version=shown)
    return replace(command, expected_version=None)


def once(
    body: Mapping[str, Json], carry: Callable[[Command | None], Saved | Rejection]
) -> Saved | Rejection:
    """Carry out the command of the present request, or return what it did the first time.

    It is told by its `Idempotency-Key`, bound to the caller and the path. Raises `KeyReused` if the
    body is another, and what `carry` raises.
    """
    asked = _command_of(body)
    if asked is None:
        return carry(None)
    note(command=asked.id)
    return _answered(asked) or _carried(asked, carry)


def _carried(
    asked: Command, carry: Callable[[Command | None], Saved | Rejection]
) -> Saved | Rejection:
    # The same command may have come twice at the same moment. The other one was the first then, and
    # after it this one is refused, in conflict, or has nothing left to do.
    try:
        outcome = carry(asked)
    except WorldFault:
        first = _answered(asked)
        if first is None:
            raise
        return first
    has_saved = isinstance(outcome, Saved) and outcome.version > outcome.since
    return outcome if has_saved else _answered(asked) or outcome


def _answered(asked: Command) -> Saved | None:
    known = installation().log.answered(asked.id)
    if known is None:
        return None
    if known.body_digest != asked.body_digest:
        raise KeyReused("this key was used for another command")
    return known.saved


def _command_of(body: Mapping[str, Json]) -> Command | None:
    """Return the id of the present command: SHA-256 of caller, method, path and key (access.md)."""
    key = request.headers.get(KEY_HEADER)
    if key is None:
        return None
    parts = (principal().person or "", request.method, request.path, key)
    command_id = tagged_hash("kifu-command-v1", *(part.encode() for part in parts)).hex()
    return Command(id=command_id, body_digest=digest_of(dict(body)))


def accepted_body(saved: Saved) -> dict[str, Json]:
    """Return the answer to a command from what is stored, as far as today's caller is shown it."""
    here = installation()
    seen = seen_match(saved.stream, "read_match")
    version = min(saved.version, seen.match.version)
    since = min(saved.since, version)
    state = here.log.match(saved.stream, version=version)
    viewer = seen.own_viewer
    to = min(version, since + EVENTS_PER_WINDOW_MAX)
    events = here.replay(state, viewer, language_of_request()).events(since, to)
    return {
        "match": saved.stream,
        "since": since,
        "version": version,
        "viewer": viewer,
        "events": events,
        "receipt": to_builtins(receipt_of(here, state)),
    }


def rule_says_no(match: Match, rejection: Rejection, viewer: Viewer) -> Response:
    """Return the answer to what a rule refuses, in words that fill in what the viewer sees."""
    here = installation()
    pool = here.pool_of(match.opened)
    view = pool.ruleset.view(match.position, viewer)

    def definition_of(reference: Json) -> str | None:
        return pool.ruleset.definition_of(view, reference)

    scene = Scene(names=here.names(match.seated), definition_of=definition_of)
    return refusal(rejection, pool.words, scene)


def texts_of(body: Mapping[str, Json]) -> Text:
    """Return the reason in a body as it is kept beside the log."""
    return installation().salted(str(body["reason"]))
