"""What a caller may see of a match: whether it is there for him, how far, by whose eyes."""

from __future__ import annotations

from dataclasses import dataclass

from service.aggregates.access import (
    INSTALLATION,
    OFFICES,
    Place,
    Principal,
    Relation,
    open_inspection,
    place_of_match,
    place_of_tournament,
    relations,
)
from service.aggregates.disputes.deciding import JUDGES
from service.aggregates.matches import Match
from service.aggregates.permissions import allowed
from service.aggregates.showing import viewers_for_all
from service.aggregates.world import Forbidden, NotFound
from service.api.identity import check, principal
from service.api.seeing_tournaments import plays_beside
from service.api.wiring import installation
from service.engine.values import JUDGE, SPECTATOR, Viewer
from service.installation import clock

PARTICIPANTS: frozenset[Relation] = frozenset(
    {"seat", "opener", "judge", "head_judge", "organizer", "auditor", "operator"}
)
UNDELAYED = PARTICIPANTS - {"opener"}
"""Those with a seat or an office see the present; whoever only opened a match is a spectator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenMatch:
    """A match as the caller may see it.

    match: the state up to which it is shown to him; present: as it is, for commands alone.
    relations: what he is to it; seat: his own, or None. viewers: whose views he may ask for.
    inspects: he looks into it by his office.
    """

    match: Match
    present: Match
    relations: frozenset[Relation]
    seat: str | None
    viewers: list[Viewer]
    inspects: bool

    def viewer(self, asked: Viewer) -> Viewer:
        """Return a viewer that he may ask for; raises `NotFound`, `Forbidden`."""
        if asked not in (*self.match.opened.seats, SPECTATOR, JUDGE):
            raise NotFound(f"the match has no seat {asked}")
        if asked not in self.viewers:
            raise Forbidden(f"you may not see the match as {asked}")
        return asked

    @property
    def is_behind(self) -> bool:
        """Tell whether more has happened than he is shown."""
        return self.match.version < self.present.version

    @property
    def own_viewer(self) -> Viewer:
        """The eyes with which he sees what he does himself."""
        return self.seat if self.seat in self.viewers else SPECTATOR


def seen_match(match_id: str, action: str) -> SeenMatch:
    """Return a match to one who may do something with it.

    Raises `NotFound` if he may not know of it, `Unauthenticated`, `Forbidden`.
    """
    present = installation().log.match(match_id)
    found = relations_to(present)
    if present.visibility == "participants" and found.isdisjoint(PARTICIPANTS):
        raise NotFound(f"no match {match_id}")
    check(action, found)
    match, inspects = shown_to(present, found), _inspects(present, found)
    return SeenMatch(
        match=match,
        present=present,
        relations=found,
        seat=present.seat_of(principal().person) if "seat" in found else None,
        viewers=_viewers(match, present, found, inspects=inspects),
        inspects=inspects,
    )


def relations_to(match: Match) -> frozenset[Relation]:
    """Return what the caller is to a match."""
    return _relations_of(principal(), match)


def _relations_of(asking: Principal, match: Match) -> frozenset[Relation]:
    book, table = installation().access, match.opened.table
    found = relations(
        asking,
        [book.at(place) for place in places_of(match)],
        seats={seat: one.person for seat, one in match.seated.items()},
        opener=match.opened.opened_by,
    )
    is_beside = table is not None and plays_beside(table, asking.person)
    return found - OFFICES if is_beside else found


def places_of(match: Match) -> list[Place]:
    """Return the places whose grants hold in a match."""
    table = match.opened.table
    tournament = [] if table is None else [place_of_tournament(table.tournament)]
    return [INSTALLATION, place_of_match(match.id), *tournament]


def is_judge_of(match: Match, person: str) -> bool:
    """Tell whether a person is a judge of a match, and no player of it or beside it."""
    asked = Principal(person=person, scopes=frozenset(), token=None, narrowed_to=None)
    return not JUDGES.isdisjoint(_relations_of(asked, match))


def shown_to(present: Match, found: frozenset[Relation]) -> Match:
    """Return a match up to where the caller is shown it."""
    return present if UNDELAYED & found else installation().shown(present)


def _viewers(
    match: Match, present: Match, found: frozenset[Relation], *, inspects: bool
) -> list[Viewer]:
    """Return whose views the caller may ask for (access.md, integrity 6).

    Everybody's is the spectator's; after the end the policy may open the others. His own seat is
    his at any time, and all are a judge's who looks into the match.
    """
    opened = viewers_for_all(match)
    if inspects:
        return [SPECTATOR, *match.seats, JUDGE]
    asking = principal()
    own = present.seat_of(asking.person) if allowed(asking, "read_own_seat", found) else None
    return opened if own is None or own in opened else [*opened, own]


def _inspects(match: Match, found: frozenset[Relation]) -> bool:
    asking = principal()
    if not allowed(asking, "inspect", found):
        return False
    access = installation().access.at(place_of_match(match.id))
    closed_at = None if match.closed is None else match.closed.time
    return open_inspection(access, asking.person, clock(), closed_at=closed_at) is not None
