"""Commands on disputes over HTTP, and how disputes and rulings are answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from marshmallow import Schema
from msgspec import to_builtins

from projections.disputes import DisputeRow, row_of
from schemas.disputes import OneDisputeBody
from service.aggregates.attachments import Attached, Command, Saved, Text
from service.aggregates.disputes.deciding import DisputeCommand
from service.aggregates.disputes.events import Cited, DisputeRuled, RulingAppealed
from service.aggregates.disputes.state import Dispute, ruling_id
from service.aggregates.world import Invalid
from service.api.commands import once
from service.api.dispute_offices import authorities_of, commands_of, judges_for
from service.api.identity import principal
from service.api.language import language_of_request
from service.api.persons import caller_id
from service.api.routing import Function, Noun, route
from service.api.seeing import SeenMatch
from service.api.seeing_disputes import SeenDispute, seen_dispute
from service.api.wiring import installation
from service.commands.dispute_book import stream_of
from service.commands.disputes import carry_out
from service.engine.contract import Rejection
from service.engine.values import Json
from service.installation import clock
from service.precedents import standing_of

DISPUTE = "/disputes/<dispute_id>"


def dispute_route(
    target: Noun, rule: str, *, action: str, takes: type[Schema]
) -> Callable[[Function], Function]:
    """Bind a command on a dispute: it is answered with the dispute, and may be sent again."""
    return route(
        target,
        rule,
        method="POST",
        action=action,
        answer=OneDisputeBody,
        takes=takes,
        status=201,
        idempotent=True,
    )


def fields_of(seen: SeenDispute, body: Mapping[str, Json]) -> dict[str, Any]:
    """Return the fields that all commands on a dispute have."""
    return {
        "dispute_id": seen.dispute.id,
        "by": caller_id(),
        "offices": seen.seen.relations,
        "expected_version": body.get("expected_version"),
    }


def done(
    body: Mapping[str, Json], command: DisputeCommand, texts: Sequence[Text] = ()
) -> dict[str, Json]:
    """Carry out a command on a dispute, once, and return the dispute."""

    def carry(asked: Command | None) -> Saved:
        attached = Attached(command=asked, texts=texts)
        return carry_out(installation().books, command, now=clock(), attached=attached)

    return answered(once(body, carry))


def answered(outcome: Saved | Rejection) -> dict[str, Json]:
    """Return the answer to a command on a dispute: the dispute as it is for the caller."""
    assert isinstance(outcome, Saved), "no rule of a game is asked here"
    dispute_id = outcome.stream.removeprefix(stream_of(""))
    return body_of(seen_dispute(dispute_id, "read_dispute"))


def cited_in(seen: SeenMatch, rules: Sequence[str]) -> list[Cited]:
    """Return rules as they stand in the edition of a match; raises `Invalid`."""
    edition = seen.match.opened.edition
    known = installation().rulebooks.rules_at(edition, seen.match.opened.game)
    for at, one in enumerate(rules):
        if one not in known:
            raise Invalid({f"rules.{at}": [f"no rule of {seen.match.opened.game}"]})
    name = edition.partition("+")[0]
    return [Cited(rule=one, edition=name) for one in dict.fromkeys(rules)]


def check_shown(seen: SeenMatch, seq: int, place: str) -> None:
    """Raise `Invalid` unless the caller is shown an event of this number."""
    if not 1 <= seq <= seen.match.version:
        raise Invalid({place: [f"an event from 1 to {seen.match.version}"]})


def listed(row: DisputeRow, *, with_texts: bool) -> dict[str, Json]:
    """Return a dispute as lists tell it."""
    body: dict[str, Json] = to_builtins(row)
    del body["place"]
    return body | {
        "rules": cited_bodies(row.rules),
        "claim": installation().log.text(row.claim) if with_texts else None,
    }


def body_of(seen: SeenDispute) -> dict[str, Json]:
    """Return a dispute as the caller may see it."""
    dispute, text = seen.dispute, installation().log.text
    appeal = dispute.appeal
    comments = [one for one in dispute.comments if seen.sees_comment(one)]
    people = {
        dispute.opened.by,
        *(one.by for one in comments),
        *(one.by for one in dispute.rulings),
        *([] if appeal is None else [appeal.by]),
        *([] if dispute.judge is None else [dispute.judge]),
    }
    here, judges = installation().persons, judges_for(seen)
    return {
        **listed(row_of(dispute, 0), with_texts=seen.sees_texts),
        "version": dispute.version,
        "event": to_builtins(dispute.opened.event),
        "comments": [{**to_builtins(one), "text": text(one.text)} for one in comments],
        "given": [ruling_body(seen, one) for one in dispute.rulings],
        "appeal": None if appeal is None else _appeal(seen, appeal),
        "names": here.names({*people, *judges}) if principal().person else {},
        "commands": commands_of(seen),
        "authorities": authorities_of(seen),
        "judges": judges,
    }


def _appeal(seen: SeenDispute, appeal: RulingAppealed) -> dict[str, Json]:
    reason = installation().log.text(appeal.reason) if seen.sees_texts else None
    return {
        "ruling": appeal.number,
        "by": appeal.by,
        "reason": reason,
        "time": appeal.time,
    }


def ruling_body(seen: SeenDispute, ruling: DisputeRuled) -> dict[str, Json]:
    """Return a ruling as the caller may see it."""
    dispute = seen.dispute
    return {
        "id": ruling_id(dispute.id, ruling.number),
        "dispute": dispute.id,
        "match": dispute.match,
        "seq": dispute.opened.event.seq,
        "game": dispute.opened.game,
        "number": ruling.number,
        "outcome": ruling.outcome,
        "kind": ruling.kind,
        "rules": cited_bodies(ruling.rules),
        **_texts(ruling),
        "authority": ruling.authority,
        "remedy": _remedy(seen, ruling),
        "standing": _standing(dispute, ruling),
        "by": ruling.by,
        "time": ruling.time,
    }


def _texts(ruling: DisputeRuled) -> dict[str, Json]:
    both = {
        language: None if digest is None else installation().log.text(digest)
        for language, digest in (("ja", ruling.text_ja), ("en", ruling.text_en))
    }
    text = both[language_of_request()] or both["ja"] or both["en"]
    return {"text": text, "text_ja": both["ja"], "text_en": both["en"]}


def _remedy(seen: SeenDispute, ruling: DisputeRuled) -> dict[str, Json]:
    remedy: dict[str, Json] = to_builtins(ruling.remedy)
    if remedy["cost"] is not None and not seen.sees_learned:
        remedy["cost"]["learned"] = None
    return remedy


def _standing(dispute: Dispute, ruling: DisputeRuled) -> str:
    return standing_of(installation().rulebooks, dispute, ruling)


def cited_bodies(rules: Sequence[Cited]) -> list[dict[str, Json]]:
    """Return cited rules, with where they can be read."""
    return [{**to_builtins(one), "url": f"/api/v1/rules/{one.rule}@{one.edition}"} for one in rules]
