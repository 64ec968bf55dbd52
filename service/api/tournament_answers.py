"""Commands on tournaments over HTTP, and what all answers about tournaments are made with."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from marshmallow import Schema

from schemas.tournaments import DoneBody
from service.aggregates.attachments import Attached, Command, Saved, Text
from service.aggregates.tournaments.brackets import TableKey, has_begun
from service.aggregates.tournaments.deciding import TournamentCommand
from service.aggregates.tournaments.events import TournamentEvent
from service.aggregates.tournaments.state import RoundState, TableState, Tournament
from service.aggregates.world import NotFound
from service.api.commands import once
from service.api.routing import Function, Noun, route
from service.api.seeing_tournaments import SeenTournament
from service.api.wiring import installation
from service.commands.tournaments import carry_out
from service.engine.contract import Rejection
from service.engine.values import Json
from service.installation import NAMESPACE, clock
from service.integrity.sealing import TAGS

NUMBER = re.compile(r"[1-9][0-9]{0,5}")
SEED_BYTES = 32
ID_BYTES = 8
CANCELLED_MAX = 20
"""How often a game is opened again whose match was cancelled."""


def done_route(
    target: Noun, rule: str, *, action: str, takes: type[Schema]
) -> Callable[[Function], Function]:
    """Bind a command on a tournament: it is answered with which events it made."""
    return route(
        target,
        rule,
        method="POST",
        action=action,
        answer=DoneBody,
        takes=takes,
        status=201,
        idempotent=True,
    )


def done_in(
    seen: SeenTournament,
    body: Mapping[str, Json],
    command: TournamentCommand,
    *,
    texts: Sequence[Text] = (),
) -> dict[str, Json]:
    """Carry out a command on a tournament, once, and return the answer."""
    return done_body(seen.tournament.id, saved_once(body, command, texts))


def saved_once(
    body: Mapping[str, Json], command: TournamentCommand, texts: Sequence[Text] = ()
) -> Saved:
    """Carry out a command on a tournament, or return what it did the first time."""

    def carry(asked: Command | None) -> Saved:
        attached = Attached(command=asked, texts=texts)
        return carry_out(installation().tournaments, command, now=clock(), attached=attached)

    return tournament_saved(once(body, carry))


def tournament_saved(outcome: Saved | Rejection) -> Saved:
    """Return what a command on a tournament did."""
    assert isinstance(outcome, Saved), "no rule of a game is asked here"
    return outcome


def made_by(tournament_id: str, saved: Saved) -> list[TournamentEvent]:
    """Return the events that a command made."""
    events = installation().tournaments.events(tournament_id, after=saved.since)
    return events[: saved.version - saved.since]


def done_body(tournament_id: str, saved: Saved) -> dict[str, Json]:
    """Return the answer to a command: which events it made."""
    made = made_by(tournament_id, saved)
    return {
        "tournament": tournament_id,
        "since": saved.since,
        "version": saved.version,
        "events": [
            {"seq": seq, "type": TAGS[type(event)].split(".")[1]}
            for seq, event in enumerate(made, start=saved.since + 1)
        ],
    }


def new_seed() -> str:
    """Return fresh random bytes from which a draw follows."""
    return installation().entropy(SEED_BYTES).hex()


def new_id() -> str:
    """Return an id for something new."""
    return installation().entropy(ID_BYTES).hex()


def number_of(text: str) -> int:
    """Return the number in a path; raises `NotFound`."""
    if NUMBER.fullmatch(text) is None:
        raise NotFound(f"{text[:20]} is no number")
    return int(text)


def names_of(tournament: Tournament, players: Collection[str]) -> dict[str, str]:
    """Return the names of players; for one that was erased the id."""
    text = installation().log.text
    return {player: text(tournament.entries[player].name) or player for player in players}


def game_ids(tournament: Tournament, number: int, table: TableState, game: int) -> Iterator[str]:
    """Yield the ids under which a game of a table is played.

    The first, then those that take the place of a match that was cancelled.
    """
    players = "/".join(table.players)
    place = f"{tournament.id}/{number}/{table.table.table}/{game}/{players}"
    for attempt in range(1, CANCELLED_MAX + 1):
        yield str(uuid.uuid5(NAMESPACE, f"game/{place}/{attempt}"))


def opened_game(tournament: Tournament, number: int, table: TableState, game: int) -> str | None:
    """Return the match of a game that was opened and not cancelled, or None."""
    for match_id in game_ids(tournament, number, table, game):
        try:
            match = installation().log.match(match_id)
        except NotFound:
            return None
        if match.cancelled is None:
            return match_id
    return None


def begun_in(tournament: Tournament, rounds: Collection[RoundState]) -> list[TableKey]:
    """Return the tables of which a game was opened, though neither result nor log is there."""
    return [
        (one.number, number)
        for one in rounds
        for number, table in one.tables.items()
        if not has_begun(table) and opened_game(tournament, one.number, table, 1) is not None
    ]


def later_rounds(tournament: Tournament, number: int) -> list[RoundState]:
    """Return the published rounds behind one, in its phase."""
    phase = tournament.rounds[number].phase if number in tournament.rounds else tournament.phase
    return [one for one in tournament.rounds_of(phase) if one.number > number]


def version_in(body: Mapping[str, Json]) -> int | None:
    """Return the version that a body expects, None for any."""
    found: int | None = body.get("expected_version")
    return found
