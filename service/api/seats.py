"""Up to the first action: opening a match, taking a seat, getting ready, opening seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from schemas.play import (
    OPEN,
    OpenMatchRequest,
    ReadyRequest,
    ReasonRequest,
    SeedRequest,
    TakeSeatRequest,
    VisibilityRequest,
)
from schemas.strict import Unreadable, canonical
from service.aggregates.access import INSTALLATION, relations
from service.aggregates.attachments import Attached, Command, Saved
from service.aggregates.beginning import OpenSeed, ReadySeat, TakeSeat
from service.aggregates.conduct import SetVisibility
from service.aggregates.ending import CancelMatch
from service.aggregates.events import Policy
from service.aggregates.world import Forbidden, Invalid, NotFound, Refused
from service.api.commands import Answer, accepted_body, command_route, done, once, texts_of
from service.api.identity import principal
from service.api.routing import noun
from service.api.seeing import SeenMatch
from service.api.seeing_tournaments import registered_deck
from service.api.wiring import installation
from service.catalogue import Pool, SeedRefused, UnknownGame
from service.commands.matches import OpenMatch, Seated, open_match
from service.engine.contract import Setup, SetupFault
from service.engine.setups import SEATS as SEATS_PLACE
from service.engine.setups import WHOLE, spelled_deck
from service.engine.values import Json
from service.installation import SALT_BYTES, clock

SEATS = noun("seats", prefix="/api/v1/matches")
STAFF = frozenset({"organizer", "judge", "head_judge"})


@command_route(SEATS, "", action="open_match", takes=OpenMatchRequest)
def open_new_match(query: dict[str, Any], body: dict[str, Any]) -> Answer:
    """Open a match for oneself and others, or as an organizer for others."""

    def carry(asked: Command | None) -> Saved:
        command = _command_from(body)
        here = installation()
        return open_match(here.log, command, now=clock(), attached=Attached(command=asked))

    outcome = once(body, carry)
    assert isinstance(outcome, Saved), "no rule refuses an opening"
    return accepted_body(outcome)


def _command_from(body: Mapping[str, Any]) -> OpenMatch:
    here, person = installation(), principal().person
    assert person is not None, "only persons open matches"
    _check_seats(body, person)
    pool = pool_named(body)
    setup = setup_of(pool, body["setup"], sorted(body["seats"]))
    command = here.open_command(
        here.fresh_id(),
        pool,
        cards=body["cards"],
        kind="live",
        seats={seat: _seated(seat, who) for seat, who in body["seats"].items()},
        secrets=here.fresh_secrets(),
    )
    if body.get("edition", command.edition.name) != command.edition.name:
        raise Invalid({"edition": [f"a match is played under {command.edition.name}"]})
    return replace(
        command,
        setup=setup,
        policy=Policy(**body["policy"]),
        visibility=body["visibility"],
        opened_by=person,
    )


def setup_of(pool: Pool, sent: Json, seats: Sequence[str]) -> Setup:
    """Return what was sent as the setup of a match, complete; raises `Invalid`."""
    try:
        return pool.ruleset.prepared(sent, seats)
    except SetupFault as fault:
        raise Invalid({_place_of(fault): [fault.text]}) from fault


def _place_of(fault: SetupFault) -> str:
    """Return the place of a fault in the body that opens a match."""
    return fault.place if fault.place in (WHOLE, SEATS_PLACE) else f"{WHOLE}.{fault.place}"


def _check_seats(body: Mapping[str, Any], person: str) -> None:
    """Raise `Invalid` or `Refused` for seats that the caller may not give away (access.md)."""
    here, seats = installation(), list(body["seats"].values())
    persons = [one for one in seats if one != OPEN]
    if len(set(persons)) != len(persons):
        raise Invalid({"seats": ["everybody has one seat"]})
    if OPEN in seats and body["visibility"] == "participants":
        raise Invalid({"visibility": ["an open seat must be found: `listed` or `link`"]})
    offices = relations(principal(), [here.access.at(INSTALLATION)])
    if person not in persons and STAFF.isdisjoint(offices):
        raise Forbidden("you open a match for yourself, or as an organizer or judge for others")
    for one in persons:
        check_open_count(one)


def check_open_count(person: str) -> None:
    """Raise `Refused` if a person takes part in as many open matches as he may.

    Read from the list of matches: the limit protects the installation and decides nothing else.
    """
    here = installation()
    if here.open_count(person) >= here.match_limits.open_matches:
        raise Refused(f"{here.match_limits.open_matches} matches of {person} have not ended")


def pool_named(body: Mapping[str, Any]) -> Pool:
    """Return the pool of a body's `game` and `cards`; raises `Invalid`."""
    try:
        return installation().named_pool(body["game"], body["cards"])
    except UnknownGame as fault:
        raise Invalid({"game": ["no such game"]}) from fault
    except (LookupError, SeedRefused) as fault:
        raise Invalid({"cards": ["no such card pool"]}) from fault


def _seated(seat: str, who: str) -> Seated | None:
    if who == OPEN:
        return None
    try:
        person = installation().persons.find(who)
    except NotFound as fault:
        raise Invalid({f"seats.{seat}": ["no such person"]}) from fault
    return Seated(person=person.id, name=installation().salted(person.name))


@command_route(SEATS, "/<match_id>/seats", action="take_seat", takes=TakeSeatRequest)
def take_open_seat(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Take an open seat."""
    here, person = installation(), principal().person
    assert person is not None, "only persons take seats"
    if seen.seat is None:
        check_open_count(person)
    name = here.salted(here.persons.find(person).name)
    command = TakeSeat(
        match_id=seen.present.id,
        expected_version=body.get("expected_version"),
        seat=body["seat"],
        person=person,
        name=name.digest,
    )
    return done(seen, body, command, texts=[name])


@command_route(SEATS, "/<match_id>/readiness", action="ready_seat", takes=ReadyRequest)
def get_ready(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Get ready with a deck and, if one wants a say in the draws, a sealed seed."""
    match, seat = seen.present, seen.seat
    assert seat is not None, "only seats get ready"
    ruleset = installation().pool_of(match.opened).ruleset
    deck = spelled_deck(ruleset, match.opened.setup or {}, seat, body["deck"])
    try:
        deck_bytes = canonical(deck)
    except Unreadable as fault:
        raise Invalid({"deck": [str(fault)]}) from fault
    registered = registered_deck(match.opened.table)
    if registered is not None and deck_bytes.decode() != registered:
        raise Invalid({"deck": ["another deck is registered for the tournament"]})
    command = ReadySeat(
        match_id=match.id,
        expected_version=body.get("expected_version"),
        seat=seat,
        deck=deck,
        deck_bytes=deck_bytes,
        salt=installation().entropy(SALT_BYTES),
        seed_commitment=body.get("seed_commitment"),
    )
    return done(seen, body, command)


@command_route(SEATS, "/<match_id>/seeds", action="open_seed", takes=SeedRequest)
def open_own_seed(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Open one's seed, in the order of the seats."""
    assert seen.seat is not None, "only seats open seeds"
    command = OpenSeed(
        match_id=seen.present.id,
        expected_version=body.get("expected_version"),
        seat=seen.seat,
        seed=body["seed"],
    )
    return done(seen, body, command)


@command_route(SEATS, "/<match_id>/visibility", action="set_visibility", takes=VisibilityRequest)
def change_visibility(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Change who may know of a match; saying the same again changes nothing."""
    if seen.present.opened.table is not None and "organizer" not in seen.relations:
        raise Forbidden("the organizer decides who may know of a match of his tournament")
    command = SetVisibility(
        match_id=seen.present.id,
        expected_version=body.get("expected_version"),
        visibility=body["visibility"],
        by=str(principal().person),
    )
    return done(seen, body, command)


@command_route(SEATS, "/<match_id>/cancellation", action="cancel_match", takes=ReasonRequest)
def cancel_before_start(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> Answer:
    """Cancel a match that has not begun."""
    reason = texts_of(body)
    command = CancelMatch(
        match_id=seen.present.id,
        cause="withdrawn",
        by=str(principal().person),
        reason=reason.digest,
    )
    return done(seen, body, command, texts=[reason])
