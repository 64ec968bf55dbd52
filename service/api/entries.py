"""Who plays in a tournament: players and their decks, leaving and coming back."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from schemas.queries import PageQuery
from schemas.strict import Unreadable, canonical, read_json
from schemas.tournaments import (
    DeckBody,
    DeckRequest,
    DoneBody,
    DropRequest,
    EnteredBody,
    EnterRequest,
    EntriesBody,
    ReenterRequest,
)
from service.accounts.names import display_name
from service.aggregates.attachments import Text
from service.aggregates.tournaments.deciding import entry_in
from service.aggregates.tournaments.entries import (
    DropPlayer,
    EnterPlayer,
    ReenterPlayer,
    RegisterDeck,
    waiting_table,
)
from service.aggregates.tournaments.events import PlayerEntered
from service.aggregates.tournaments.state import Entry, Tournament
from service.aggregates.world import Forbidden, Invalid, KeyReused, NotFound
from service.api.commands import Answer, texts_of
from service.api.cursors import cursor_of, place_of
from service.api.persons import caller_id
from service.api.problems import refusal
from service.api.routing import noun, route
from service.api.seats import pool_named
from service.api.seeing_tournaments import SeenTournament, deck_of
from service.api.tournament_answers import (
    begun_in,
    done_body,
    done_in,
    done_route,
    made_by,
    names_of,
    new_id,
    new_seed,
    saved_once,
    version_in,
)
from service.api.tournaments import SEATS
from service.api.wiring import installation
from service.engine.contract import Rejection
from service.engine.setups import deck_rejection, spelled_deck
from service.engine.texts import Scene
from service.engine.values import Json

ENTRIES = noun("entries", prefix="/api/v1/tournaments")
PLAYERS = "/<tournament_id>/players"
PLAYER = f"{PLAYERS}/<player>"


@route(ENTRIES, PLAYERS, action="read_tournament", answer=EntriesBody, query=PageQuery)
def list_players(query: dict[str, Any], seen: SeenTournament) -> dict[str, Json]:
    """List the players in the order of entry."""
    found, limit, of = seen.tournament, query["limit"], f"players/{seen.tournament.id}"
    start = place_of(query["after"], of=of) if "after" in query else 0
    entries = list(islice(found.entries.values(), start, start + limit + 1))
    names = names_of(found, [entry.player for entry in entries[:limit]])
    return {
        "items": [_entry_body(entry, names[entry.player]) for entry in entries[:limit]],
        "next": cursor_of(start + limit, of=of) if len(entries) > limit else None,
    }


def _entry_body(entry: Entry, name: str) -> dict[str, Json]:
    return {
        "player": entry.player,
        "person": entry.person,
        "name": name,
        "from_round": entry.from_round,
        "byes": list(entry.byes),
        "deck": entry.deck,
        "dropped_after": entry.dropped_after,
        "disqualified": entry.disqualified,
    }


@route(
    ENTRIES,
    PLAYERS,
    method="POST",
    action="run_tournament",
    answer=EnteredBody,
    takes=EnterRequest,
    status=201,
    idempotent=True,
)
def enter_player(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament
) -> dict[str, Json]:
    """Enter a person or a mere name; who is in already stays as he is."""
    found, player = seen.tournament, body["player"] if "player" in body else new_id()
    person, name = _who(body)
    known = None if person is None else found.entry_of_person(person)
    if known is not None:
        player = known.player
    elif person is None and player in found.entries:
        _check_same_name(found.entries[player], name)
    command = EnterPlayer(
        tournament_id=found.id,
        # Who is in already is told so, whatever happened since.
        expected_version=None if player in found.entries else version_in(body),
        player=player,
        person=person,
        name=name.digest,
        from_round=body["from_round"],
        byes=tuple(body["byes"]),
        by=caller_id(),
    )
    saved = saved_once(body, command, [name])
    made = [one for one in made_by(found.id, saved) if isinstance(one, PlayerEntered)]
    return {**done_body(found.id, saved), "player": made[0].player if made else player}


def _who(body: Mapping[str, Any]) -> tuple[str | None, Text]:
    """Return the person who enters, if there is one, and the name; raises `Invalid`."""
    here = installation()
    if ("person" in body) == ("name" in body):
        raise Invalid({"person": ["a person or a name is expected"]})
    if "name" in body:
        return None, here.salted(display_name(body["name"]))
    try:
        person = here.persons.find(body["person"])
    except NotFound as fault:
        raise Invalid({"person": ["there is no such person"]}) from fault
    return person.id, here.salted(person.name)


def _check_same_name(entry: Entry, name: Text) -> None:
    """Raise `KeyReused` for an id that came with another name before."""
    if installation().log.text(entry.name) != name.body:
        raise KeyReused("this id was used for another player")


@route(ENTRIES, f"{PLAYER}/deck", action="read_deck", answer=DeckBody)
def show_deck(query: dict[str, Any], seen: SeenTournament, player: str) -> dict[str, Json]:
    """Show a deck to its player and to staff."""
    entry = entry_in(seen.tournament, player)
    text = deck_of(entry) if seen.entry == entry or seen.is_staff else None
    if text is None:
        raise NotFound(f"no deck of {player} for you")
    return {"player": player, "deck": read_json(text.encode())}


@route(
    ENTRIES,
    f"{PLAYER}/deck",
    method="PUT",
    action="register_deck",
    answer=DoneBody,
    takes=DeckRequest,
)
def register_deck(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, player: str
) -> Answer:
    """Register a deck that the rules allow; its text is told to its player and to staff alone."""
    found, entry = seen.tournament, entry_in(seen.tournament, player)
    _check_may_register(seen, entry, is_late=body["late"])
    spelled = _deck_of_body(found, body["deck"])
    if not isinstance(spelled, Text):
        return spelled
    is_known = deck_of(entry) == spelled.body
    command = RegisterDeck(
        tournament_id=found.id,
        expected_version=version_in(body),
        player=player,
        deck=str(entry.deck) if is_known else spelled.digest,
        is_late=body["late"],
        by=caller_id(),
    )
    return done_in(seen, body, command, texts=[spelled])


def _check_may_register(seen: SeenTournament, entry: Entry, *, is_late: bool) -> None:
    """Raise `Forbidden` unless it is the caller's own deck, or he runs the tournament."""
    is_own = seen.entry == entry and seen.may("play_table") and not is_late
    if not is_own and not seen.may("run_tournament"):
        raise Forbidden("you register your own deck, before you play")


def _deck_of_body(tournament: Tournament, deck: Json) -> Text | Answer:
    """Return a deck that was sent as it is kept, or the answer to one that is against a rule."""
    here, opened = installation(), tournament.opened
    pool = pool_named({"game": opened.game, "cards": opened.cards})
    rejection = deck_rejection(pool.ruleset, opened.setup, SEATS, deck)
    if isinstance(rejection, Rejection):
        return refusal(rejection, pool.words, Scene(names={}, definition_of=lambda _: None))
    spelled = spelled_deck(pool.ruleset, opened.setup, SEATS[0], deck)
    try:
        return here.salted(canonical(spelled).decode())
    except Unreadable as fault:
        raise Invalid({"deck": [str(fault)]}) from fault


@done_route(ENTRIES, f"{PLAYER}/drop", action="drop_player", takes=DropRequest)
def drop(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, player: str
) -> dict[str, Json]:
    """Let a player leave, by himself or by staff; again changes nothing."""
    found, entry, reason = seen.tournament, entry_in(seen.tournament, player), texts_of(body)
    is_own = seen.entry == entry and seen.may("play_table") and body["opponent"] == "forfeit"
    if not is_own and not seen.may("run_tournament"):
        raise Forbidden("you leave by yourself, and your opponent wins by forfeit")
    waiting = waiting_table(found, player)
    command = DropPlayer(
        tournament_id=found.id,
        expected_version=version_in(body),
        player=player,
        opponent=body["opponent"],
        seed=new_seed(),
        begun=[] if waiting is None else begun_in(found, [waiting[0]]),
        by=caller_id(),
        reason=reason.digest,
    )
    return done_in(seen, body, command, texts=[reason])


@done_route(ENTRIES, f"{PLAYER}/return", action="run_tournament", takes=ReenterRequest)
def reenter(
    query: dict[str, Any], body: dict[str, Any], seen: SeenTournament, player: str
) -> dict[str, Json]:
    """Let a player come back; again changes nothing."""
    command = ReenterPlayer(
        tournament_id=seen.tournament.id,
        expected_version=version_in(body),
        player=player,
        from_round=body["from_round"],
        byes=tuple(body["byes"]),
        by=caller_id(),
    )
    return done_in(seen, body, command)
