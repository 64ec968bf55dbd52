"""Rulings: given, looked up as precedents; what a backup would cost; agreements reviewed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import to_builtins

from projections.disputes import WantedDisputes
from schemas.disputes import (
    BackupCostBody,
    BackupCostQuery,
    ReviewRequest,
    RulingBody,
    RulingRequest,
    RulingsBody,
    RulingsQuery,
)
from service.aggregates.access import INSTALLATION, roles_of
from service.aggregates.attachments import Attached, Command, Saved
from service.aggregates.backups import cost_of, is_simple
from service.aggregates.disputes.events import Authority, Penalty
from service.aggregates.disputes.ruling import RuleOnDispute
from service.aggregates.disputes.state import SEPARATOR
from service.aggregates.matches import Match
from service.aggregates.remedies import ReviewCorrection
from service.aggregates.tournaments.brackets import TableKey
from service.aggregates.world import Forbidden, NotFound
from service.api.commands import Answer, command_route, once, texts_of
from service.api.commands import done as done_in_match
from service.api.cursors import cursor_of, place_of
from service.api.dispute_answers import (
    DISPUTE,
    answered,
    cited_in,
    dispute_route,
    fields_of,
    ruling_body,
)
from service.api.persons import caller_id
from service.api.routing import noun, route
from service.api.seeing import SeenMatch
from service.api.seeing_disputes import SeenDispute, reach, seen_dispute
from service.api.tournament_answers import begun_in, later_rounds
from service.api.wiring import installation
from service.commands.disputes import Bracket, rule_on, way_back
from service.engine.texts import LANGUAGES
from service.engine.values import Json
from service.installation import clock

RULINGS = noun("rulings", prefix="/api/v1")
LIST = "rulings"


@route(
    RULINGS,
    "/matches/<match_id>/backup-cost",
    action="rule_on_dispute",
    answer=BackupCostBody,
    query=BackupCostQuery,
)
def show_backup_cost(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """Tell beforehand what going back to an index would undo."""
    match, here = seen.present, installation()
    way = way_back(here.log, match, query.get("to", match.version - 1))
    cost = cost_of(match, way.earlier, way.since, here.log.ruleset_of(match.opened))
    is_quick = match.closed is None and is_simple(cost)
    return {
        **to_builtins(cost),
        "match": match.id,
        "version": match.version,
        "kind": "simple_backup" if is_quick else "full_backup",
    }


@command_route(
    RULINGS, "/matches/<match_id>/reviews", action="review_correction", takes=ReviewRequest
)
def review(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Say what a judge thinks of facts on which the seats agreed."""
    reason = texts_of(body)
    command = ReviewCorrection(
        match_id=seen.present.id,
        expected_version=body.get("expected_version"),
        corrected=body["corrected"],
        approved=body["approved"],
        by=caller_id(),
        reason=reason.digest,
    )
    return done_in_match(seen, body, command, texts=[reason])


@dispute_route(RULINGS, f"{DISPUTE}/rulings", action="rule_on_dispute", takes=RulingRequest)
def rule(query: dict[str, Any], body: dict[str, Any], seen: SeenDispute) -> dict[str, Json]:
    """Rule on a dispute; what the ruling does to the match and the tournament is done with it."""
    here, match = installation(), seen.seen.present
    texts = {language: here.salted(text) for language, text in body["text"].items()}
    ja, en = (None if one is None else one.digest for one in map(texts.get, LANGUAGES))
    command = RuleOnDispute(
        **fields_of(seen, body),
        outcome=body["outcome"],
        kind=body["kind"],
        rules=cited_in(seen.seen, body["rules"]),
        text_ja=ja,
        text_en=en,
        authority=_authority(seen, body.get("authority")),
        to=body.get("to"),
        facts=body["facts"],
        shuffles=body["shuffles"],
        winner=body["winner"],
        penalty=None if "penalty" not in body else Penalty(**body["penalty"]),
        is_released=body["release"],
    )
    bracket = Bracket(begun=_begun(match), rewind=body["rewind"])

    def carry(asked: Command | None) -> Saved:
        attached = Attached(command=asked, texts=list(texts.values()))
        return rule_on(here.books, command, now=clock(), attached=attached, bracket=bracket)

    return answered(once(body, carry))


def _authority(seen: SeenDispute, asked: Authority | None) -> Authority:
    """Return with whose authority the caller rules; raises `Forbidden`."""
    if asked == "publisher":
        roles = roles_of(installation().access.at(INSTALLATION), caller_id())
        if "head_judge" not in roles:
            raise Forbidden("that authority is for head judges of the whole installation")
        return asked
    is_head = "head_judge" in seen.seen.relations
    return asked or ("head_judge" if is_head else "judge")


def _begun(match: Match) -> list[TableKey]:
    """Return the tables of a bracket that have begun behind the one of a match."""
    table = match.opened.table
    tournament = None if table is None else installation().tournaments.find(table.tournament)
    if table is None or tournament is None:
        return []
    return begun_in(tournament, later_rounds(tournament, table.round))


@route(RULINGS, "/rulings", action="list_disputes", answer=RulingsBody, query=RulingsQuery)
def list_rulings(query: dict[str, Any]) -> dict[str, Json]:
    """List the rulings that the caller may know of, the last given first."""
    limit = query["limit"]
    rows = installation().ruling_rows(_wanted(query), reach())
    items: list[dict[str, Json]] = []
    for row in rows[:limit]:
        try:
            seen = seen_dispute(row.dispute, "read_dispute")
        except NotFound:
            continue
        items.append(ruling_body(seen, row.ruling))
    wanted = query.get("standing")
    return {
        "items": [one for one in items if wanted in (None, one["standing"])],
        "next": cursor_of(rows[limit - 1].place, of=LIST) if len(rows) > limit else None,
    }


@route(RULINGS, "/rulings/<ruling>", action="list_disputes", answer=RulingBody)
def show_ruling(query: dict[str, Any], ruling: str) -> dict[str, Json]:
    """Show a ruling by its id."""
    dispute_id, _, number = ruling.partition(SEPARATOR)
    seen = seen_dispute(dispute_id, "read_dispute")
    for one in seen.dispute.rulings:
        if number == str(one.number):
            return ruling_body(seen, one)
    raise NotFound(f"no ruling {ruling[:40]}")


def _wanted(query: Mapping[str, Any]) -> WantedDisputes:
    return WantedDisputes(
        game=query.get("game"),
        match=query.get("match"),
        tournament=query.get("tournament"),
        rule=query.get("rule"),
        before=place_of(query["after"], of=LIST) if "after" in query else None,
        limit=query["limit"] + 1,
        now=clock(),
    )
