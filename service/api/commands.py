"""Commands over HTTP: carried out once, also if they come twice, and answered for their caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from flask import Response, request
from msgspec import to_builtins

from projections.replay import EVENTS_PER_WINDOW_MAX
from service.aggregates.attachments import Attached, Command, Saved, Text
from service.aggregates.matches import Match, MatchCommand
from service.aggregates.world import Conflict, KeyReused
from service.api.identity import principal
from service.api.language import language_of_request
from service.api.problems import refusal
from service.api.requests import note
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
    outcome = once(
        body,
        lambda asked: carry_out(
            log, command, now=clock(), attached=Attached(command=asked, texts=texts)
        ),
    )
    if isinstance(outcome, Saved):
        return accepted_body(outcome)
    if refused is not None:
        refused(outcome)
    return rule_says_no(seen.present, outcome, seen.own_viewer)


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
    try:
        return carry(asked)
    except Conflict:
        # The same command may have come twice at the same moment: the other one is the first.
        first = _answered(asked)
        if first is None:
            raise
        return first


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
    """Return the answer to a command from what is stored, for today's caller."""
    here = installation()
    seen = seen_match(saved.stream, "read_match")
    state = here.log.match(saved.stream, version=saved.version)
    viewer = seen.own_viewer
    to = min(saved.version, saved.since + EVENTS_PER_WINDOW_MAX)
    events = here.replay(state, viewer, language_of_request()).events(saved.since, to)
    return {
        "match": saved.stream,
        "since": saved.since,
        "version": saved.version,
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
