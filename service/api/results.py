"""What comes of a table: results, corrections, penalties, more time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from schemas.rounds import (
    ConfirmationRequest,
    CorrectionRequest,
    ExtensionRequest,
    OutcomeRequest,
    PenaltiesBody,
    PenaltyRequest,
    PreviewBody,
    ResultRequest,
)
from service.aggregates.tournaments.amending import AmendResult
from service.aggregates.tournaments.brackets import correction
from service.aggregates.tournaments.deciding import (
    entry_in,
    round_in,
    table_in,
)
from service.aggregates.tournaments.penalties import GivePenalty
from service.aggregates.tournaments.previews import preview
from service.aggregates.tournaments.results import ConfirmResult, ReportResult
from service.aggregates.tournaments.rounds import ExtendTime
from service.aggregates.tournaments.state import TableResult
from service.api.commands import texts_of
from service.api.persons import caller_id
from service.api.rounds import PAIRING, ROUND
from service.api.routing import noun, route
from service.api.seeing_tournaments import SeenTournament
from service.api.tournament_answers import (
    begun_in,
    done_in,
    done_route,
    later_rounds,
    names_of,
    number_of,
    version_in,
)
from service.api.wiring import installation
from service.engine.values import Json

RESULTS = noun("results", prefix="/api/v1/tournaments")


@done_route(RESULTS, f"{PAIRING}/results", action="serve_table", takes=ResultRequest)
def report(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, number: str, table: str
) -> dict[str, Json]:
    """Report a result, by a player of the table or staff; the same again changes nothing."""
    state = table_in(seen.tournament, number_of(number), number_of(table))
    command = ReportResult(
        tournament_id=seen.tournament.id,
        expected_version=version_in(body),
        round=number_of(number),
        table=state.table.table,
        kind=body["kind"],
        winner=body["winner"],
        games=tuple(body["games"]),
        side=seen.side(state),
        by=caller_id(),
    )
    return done_in(seen, body, command)


@done_route(RESULTS, f"{PAIRING}/confirmations", action="serve_table", takes=ConfirmationRequest)
def confirm(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, number: str, table: str
) -> dict[str, Json]:
    """Confirm a result, by the other player or staff; again changes nothing."""
    state = table_in(seen.tournament, number_of(number), number_of(table))
    command = ConfirmResult(
        tournament_id=seen.tournament.id,
        expected_version=version_in(body),
        round=number_of(number),
        table=state.table.table,
        reported=body["reported"],
        side=seen.side(state),
        by=caller_id(),
    )
    return done_in(seen, body, command)


@route(
    RESULTS,
    f"{PAIRING}/corrections/preview",
    method="POST",
    action="rule_on_table",
    answer=PreviewBody,
    takes=OutcomeRequest,
)
def preview_correction(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, number: str, table: str
) -> dict[str, Json]:
    """Tell what another result would change; nothing is done."""
    tournament, key = seen.tournament, (number_of(number), number_of(table))
    told = TableResult(kind=body["kind"], winner=body["winner"], games=tuple(body["games"]))
    found = preview(tournament, *key, told)
    if found.bracket is not None:
        begun = begun_in(tournament, later_rounds(tournament, key[0]))
        found = replace(found, bracket=correction(tournament, key, told.winner, begun))
    shown: dict[str, Json] = msgspec.to_builtins(found, enc_hook=str, str_keys=True)
    return shown


@done_route(RESULTS, f"{PAIRING}/corrections", action="rule_on_table", takes=CorrectionRequest)
def correct(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, number: str, table: str
) -> dict[str, Json]:
    """Replace a result; the same again changes nothing."""
    found, at = seen.tournament, number_of(number)
    state = table_in(found, at, number_of(table))
    seen.check_rules_on(state)
    reason = texts_of(body)
    command = AmendResult(
        tournament_id=found.id,
        expected_version=version_in(body),
        round=at,
        table=state.table.table,
        kind=body["kind"],
        winner=body["winner"],
        games=tuple(body["games"]),
        supersedes=body["supersedes"],
        rewind=body["rewind"],
        begun=begun_in(found, later_rounds(found, at)),
        by=caller_id(),
        reason=reason.digest,
    )
    return done_in(seen, body, command, texts=[reason])


@done_route(RESULTS, f"{PAIRING}/extensions", action="rule_on_table", takes=ExtensionRequest)
def extend(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, number: str, table: str
) -> dict[str, Json]:
    """Give a table more time."""
    state = table_in(seen.tournament, number_of(number), number_of(table))
    seen.check_rules_on(state)
    reason = texts_of(body)
    command = ExtendTime(
        tournament_id=seen.tournament.id,
        expected_version=version_in(body),
        round=number_of(number),
        table=state.table.table,
        minutes=body["minutes"],
        by=caller_id(),
        reason=reason.digest,
    )
    return done_in(seen, body, command, texts=[reason])


@done_route(RESULTS, f"{ROUND}/penalties", action="rule_on_table", takes=PenaltyRequest)
def penalize(
    query: dict[str, Any], body: Mapping[str, Any], seen: SeenTournament, number: str
) -> dict[str, Json]:
    """Give a penalty to a player, with all that follows from it at his table of a round."""
    found, one = seen.tournament, round_in(seen.tournament, number_of(number))
    entry = entry_in(found, body["player"])
    seen.check_rules_on(one.table_of(entry.player))
    reason = texts_of(body)
    command = GivePenalty(
        tournament_id=found.id,
        expected_version=version_in(body),
        player=entry.player,
        kind=body["kind"],
        round=one.number,
        rewind=body["rewind"],
        begun=begun_in(found, later_rounds(found, one.number)),
        by=caller_id(),
        reason=reason.digest,
    )
    return done_in(seen, body, command, texts=[reason])


@route(RESULTS, "/<tournament_id>/penalties", action="read_penalties", answer=PenaltiesBody)
def list_penalties(query: dict[str, Any], seen: SeenTournament) -> dict[str, Json]:
    """List the penalties of a tournament, and how many of each kind a player has; or one's own."""
    found = seen.tournament
    shown = [
        one
        for one in found.penalties
        if seen.is_staff or (seen.entry is not None and one.player == seen.entry.player)
    ]
    counts: dict[str, Counter[str]] = {}
    for one in shown:
        counts.setdefault(one.player, Counter())[one.kind] += 1
    names, text = names_of(found, counts), installation().log.text
    return {
        "items": [
            {
                **msgspec.to_builtins(one),
                "name": names[one.player],
                "reason": text(one.reason),
            }
            for one in shown
        ],
        "counts": {player: dict(kinds) for player, kinds in counts.items()},
    }
