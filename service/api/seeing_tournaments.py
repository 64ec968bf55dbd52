"""What a caller may see and do of a tournament, also as one who plays in it."""

from __future__ import annotations

from dataclasses import dataclass

from service.aggregates.access import (
    INSTALLATION,
    OFFICES,
    Relation,
    place_of_tournament,
    relations,
)
from service.aggregates.events import TableGame
from service.aggregates.permissions import allowed
from service.aggregates.tournaments.brackets import bracket_of
from service.aggregates.tournaments.deciding import is_elimination
from service.aggregates.tournaments.records import members
from service.aggregates.tournaments.state import Entry, TableState, Tournament
from service.aggregates.world import Forbidden, NotFound
from service.api.identity import check, principal
from service.api.wiring import installation
from service.pairing.bracket_play import seatings

HIDDEN = frozenset({"read_draft", "read_deck"})
"""Actions on what nobody is told of who may not do them."""
JUDGING: frozenset[Relation] = OFFICES - {"organizer"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTournament:
    """A tournament, and what the caller is to it. entry: his own, or None."""

    tournament: Tournament
    relations: frozenset[Relation]
    entry: Entry | None

    def may(self, action: str) -> bool:
        """Tell whether the caller may do something here."""
        return allowed(principal(), action, self.relations)

    @property
    def is_staff(self) -> bool:
        """Tell whether the caller decides on tables."""
        return self.may("rule_on_table")

    def side(self, table: TableState) -> str | None:
        """Return the player for whom the caller speaks at a table, None where he is staff.

        Whoever sits at a table is no staff there. Raises `Forbidden`.
        """
        if self._sits_at(table):
            check("play_table", self.relations)
            assert self.entry is not None, "who sits at a table has entered"
            return self.entry.player
        check("rule_on_table", self.relations)
        return None

    def check_rules_on(self, table: TableState | None) -> None:
        """Raise `Forbidden` for somebody who would rule on the table at which he sits."""
        if table is not None and self._sits_at(table):
            raise Forbidden("nobody rules on the table at which he plays")

    def _sits_at(self, table: TableState) -> bool:
        return self.entry is not None and self.entry.player in table.players


def seen_tournament(tournament_id: str, action: str) -> SeenTournament:
    """Return a tournament to one who may do something with it.

    Everybody may know of it. Raises `NotFound`, `Unauthenticated`, `Forbidden`.
    """
    tournament = installation().tournaments.tournament(tournament_id)
    person = principal().person
    entry = None if person is None else tournament.entry_of_person(person)
    found = relations_in(tournament, entry)
    if action in HIDDEN and not allowed(principal(), action, found):
        raise NotFound(f"nothing of this is in tournament {tournament_id}")
    check(action, found)
    return SeenTournament(tournament=tournament, relations=found, entry=entry)


def relations_in(tournament: Tournament, entry: Entry | None) -> frozenset[Relation]:
    """Return what the caller is to a tournament. entry: his own.

    Who plays on in a tournament does not judge it, but may go on organizing it.
    """
    book = installation().access
    places = (INSTALLATION, place_of_tournament(tournament.id))
    found = relations(principal(), [book.at(place) for place in places])
    if entry is None or "member" not in found:
        return found
    plays_on = tournament.closed is None and plays_in(tournament, tournament.phase, entry)
    return (found - JUDGING if plays_on else found) | {"player"}


def may_open_tournament() -> bool:
    """Tell whether the caller may open tournaments."""
    return _may_here("open_tournament")


def may_import_logs() -> bool:
    """Tell whether the caller may bring plain logs, which are stored as matches."""
    return _may_here("import_match")


def _may_here(action: str) -> bool:
    asking = principal()
    found = relations(asking, [installation().access.at(INSTALLATION)])
    return allowed(asking, action, found)


def plays_beside(table: TableGame, person: str | None) -> bool:
    """Tell whether a person plays in the phase of a match of a tournament, its round being open.

    For so long he neither looks into the match nor decides on it.
    """
    tournament = installation().tournaments.find(table.tournament)
    entry = None if person is None or tournament is None else tournament.entry_of_person(person)
    if tournament is None or entry is None:
        return False
    one = tournament.rounds.get(table.round)
    is_open = one is not None and one.closed is None
    return is_open and plays_in(tournament, table.phase, entry)


def plays_in(tournament: Tournament, phase: int, entry: Entry) -> bool:
    """Tell whether a player is still in a phase: he has not left, nor is he out of a bracket."""
    if entry.dropped_after is not None or entry not in members(tournament, phase):
        return False
    if phase not in tournament.cuts or not is_elimination(tournament, phase):
        return True
    bracket = bracket_of(tournament, phase)
    return any(
        entry.player in players
        for slot, players in seatings(bracket).items()
        if slot not in bracket.winners
    )


def registered_deck(table: TableGame | None) -> str | None:
    """Return the text of the deck that the caller registered for a table, None for none."""
    person = principal().person
    if table is None or person is None:
        return None
    entry = installation().tournaments.tournament(table.tournament).entry_of_person(person)
    return None if entry is None else deck_of(entry)


def deck_of(entry: Entry) -> str | None:
    """Return the text of a player's deck, None for none or one that was erased."""
    return None if entry.deck is None else installation().log.text(entry.deck)
