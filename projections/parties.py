"""Who sits at which match, who has an office where, who plays in which tournament.

From this follows which disputes somebody may know of besides those that are public.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from projections import matches
from projections.runner import Page, Projection
from projections.tables import Part, Tables, joined
from service.aggregates.access import Place, RoleGranted, RoleRevoked
from service.aggregates.events import MatchOpened, SeatTaken
from service.aggregates.tournaments.events import PlayerEntered

NAME = "parties_1"
SEATS = f"{NAME}_seats"
OFFICES = f"{NAME}_offices"
PLAYERS = f"{NAME}_players"
TOURNAMENT = "tournament/"
SEATED = (MatchOpened, SeatTaken)
PERSONAL = (RoleGranted, RoleRevoked, PlayerEntered)


def apply(tables: Tables, page: Page) -> None:
    """Write a page of events."""
    seats: list[tuple[str, str]] = []
    for one in page:
        if one.kind in SEATED:
            seats += [(one.stream, person) for person in _seated_by(one.event)]
    tables.upsert(SEATS, ("match_id", "person"), seats, keys=2)
    for one in page:
        if one.kind in PERSONAL:
            _note_person(tables, one.stream, one.event)


def _seated_by(event: object) -> list[str]:
    if isinstance(event, SeatTaken):
        return [event.person]
    assert isinstance(event, MatchOpened)
    persons = {seat.person for seat in event.seats.values() if seat.person is not None}
    return sorted(persons)


def _note_person(tables: Tables, stream: str, event: object) -> None:
    """Note who holds which office where, and who plays in which tournament."""
    if isinstance(event, RoleGranted):
        office = (event.person, event.place, event.role)
        tables.upsert(OFFICES, ("person", "place", "role"), [office], keys=3)
    elif isinstance(event, RoleRevoked):
        tables.execute(
            f"DELETE FROM {OFFICES} WHERE person = ? AND place = ? AND role = ?",
            *(event.person, event.place, event.role),
        )
    elif isinstance(event, PlayerEntered) and event.person is not None:
        player = (event.person, stream.removeprefix(TOURNAMENT))
        tables.upsert(PLAYERS, ("person", "tournament"), [player], keys=2)


PROJECTION = Projection(
    name=NAME,
    tables=(SEATS, OFFICES, PLAYERS),
    create=(
        f"CREATE TABLE {SEATS} "
        "(match_id TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (match_id, person))",
        f"CREATE INDEX {SEATS}_person ON {SEATS} (person)",
        f"CREATE TABLE {OFFICES} (person TEXT NOT NULL, place TEXT NOT NULL, role TEXT NOT NULL, "
        "PRIMARY KEY (person, place, role))",
        f"CREATE TABLE {PLAYERS} "
        "(person TEXT NOT NULL, tournament TEXT NOT NULL, PRIMARY KEY (person, tournament))",
    ),
    apply=apply,
)


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """Of which matches somebody may know the disputes, besides those that are public.

    person: those in which he sits. everything: any, but for those of `barred` tournaments;
    tournaments, matches: these, but for the same.
    """

    person: str | None = None
    everything: bool = False
    tournaments: tuple[str, ...] = ()
    matches: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()


ALL = Part("TRUE")
WHOLE = Reach(everything=True)
"""Of who has the shell of the installation."""


def places_served(tables: Tables, person: str) -> tuple[Place, ...]:
    """Return the places at which a person has an office, sorted."""
    rows = tables.rows(f"SELECT DISTINCT place FROM {OFFICES} WHERE person = ?", person)
    return tuple(sorted(str(place) for (place,) in rows))


def tournaments_played(tables: Tables, person: str) -> tuple[str, ...]:
    """Return the tournaments in which a person is entered as a player, sorted."""
    rows = tables.rows(f"SELECT tournament FROM {PLAYERS} WHERE person = ?", person)
    return tuple(sorted(str(tournament) for (tournament,) in rows))


def within(reach: Reach, now: str, *, of: str, public: Part = ALL) -> Part:
    """Return the condition that somebody may know of what belongs to a match.

    of: the table with `match_id` and `tournament`. public: what of it everybody may know once the
    match is closed, listed, and shown whole to all.
    """
    ways = [
        Part(
            f"({public.text} AND EXISTS (SELECT 1 FROM {matches.NAME} AS played "
            f"WHERE played.id = {of}.match_id AND played.state = 'closed' "
            "AND played.visibility = 'listed' AND played.whole_at <= ?))",
            (*public.parameters, now),
        )
    ]
    if reach.person is not None:
        seated = f"{of}.match_id IN (SELECT match_id FROM {SEATS} WHERE person = ?)"
        ways.append(Part(seated, (reach.person,)))
    ways += _by_office(reach, of)
    one = joined(ways, " OR ")
    return Part(f"({one.text})", one.parameters)


def _by_office(reach: Reach, of: str) -> Iterator[Part]:
    """Yield the condition that something is within somebody's office, if he has any."""
    served = [
        _one_of(f"{of}.tournament", reach.tournaments),
        _one_of(f"{of}.match_id", reach.matches),
        Part("TRUE" if reach.everything else "FALSE"),
    ]
    if reach.everything or reach.tournaments or reach.matches:
        one = joined(served, " OR ")
        barred = _one_of(f"{of}.tournament", reach.barred)
        outside = f"({of}.tournament IS NULL OR NOT {barred.text})"
        yield Part(f"(({one.text}) AND {outside})", (*one.parameters, *barred.parameters))


def _one_of(column: str, values: Sequence[str]) -> Part:
    """Return the condition that a column has one of these values; of none, none has."""
    if not values:
        return Part("FALSE")
    return Part(f"{column} IN ({', '.join('?' * len(values))})", tuple(values))
