"""What a caller may see of disputes: which are there for him, and which of their texts."""

from __future__ import annotations

from dataclasses import dataclass

from projections.parties import Reach
from service.aggregates.access import (
    INSTALLATION,
    Place,
    Relation,
    place_of_match,
    place_of_tournament,
    relations,
)
from service.aggregates.disputes.deciding import JUDGES
from service.aggregates.disputes.events import CommentAdded
from service.aggregates.disputes.state import Dispute
from service.aggregates.permissions import allowed
from service.aggregates.world import NotFound
from service.api.identity import check, principal
from service.api.seeing import SeenMatch, seen_match
from service.api.wiring import installation

MATCH, TOURNAMENT = place_of_match(""), place_of_tournament("")
PARTIES: frozenset[Relation] = frozenset({"seat", "organizer", "judge", "head_judge"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenDispute:
    """A dispute as the caller may see it, and its match."""

    dispute: Dispute
    seen: SeenMatch

    @property
    def sees_texts(self) -> bool:
        """Tell whether claim and comments are meant for the caller; they may tell of a hand."""
        return sees_texts(self.seen)

    @property
    def sees_learned(self) -> bool:
        """Tell whether he may know what a backup cost in secrets."""
        return not JUDGES.isdisjoint(self.seen.relations) or is_open_to_all(self.seen)

    def sees_comment(self, comment: CommentAdded) -> bool:
        """Tell whether a comment is meant for the caller; what is for judges is for no one else."""
        if comment.audience == "parties":
            return self.sees_texts
        is_own = principal().person == comment.by
        return is_own or not JUDGES.isdisjoint(self.seen.relations)


def seen_dispute(dispute_id: str, action: str) -> SeenDispute:
    """Return a dispute to one who may do something with it.

    Raises `NotFound` if he may not know of it, `Unauthenticated`, `Forbidden`.
    """
    dispute = installation().disputes.dispute(dispute_id)
    try:
        seen = seen_match(dispute.match, "read_match")
    except NotFound as fault:
        raise NotFound(f"no dispute {dispute_id}") from fault
    if not sees_disputes(seen):
        raise NotFound(f"no dispute {dispute_id}")
    check(action, seen.relations)
    return SeenDispute(dispute=dispute, seen=seen)


def sees_disputes(seen: SeenMatch) -> bool:
    """Tell whether the caller may know of the disputes of a match.

    As long as it runs, they are the affair of its seats and officials; then of whoever may see it.
    """
    return seen.match.closed is not None or not PARTIES.isdisjoint(seen.relations)


def sees_texts(seen: SeenMatch) -> bool:
    """Tell whether what the parties of a match said is meant for the caller."""
    return not PARTIES.isdisjoint(seen.relations) or is_open_to_all(seen)


def is_open_to_all(seen: SeenMatch) -> bool:
    """Tell whether a match has ended for the caller, with nothing hidden any more."""
    return seen.match.closed is not None and seen.match.opened.policy.after_end == "all"


def reach() -> Reach:
    """Return of which matches the caller may know the disputes besides the public ones.

    In a tournament in which he is entered he knows by no office of more than others do.
    """
    asking = principal()
    if asking.person is None:
        return Reach()
    places, played = installation().served_and_played(asking.person)
    if asking.narrowed_to is not None:
        places = tuple({*places, asking.narrowed_to})
    served = [place for place in sorted(places) if _is_served(place)]
    return Reach(
        person=asking.person if asking.narrowed_to is None else None,
        everything=_is_served(INSTALLATION),
        tournaments=_ids(served, TOURNAMENT),
        matches=_ids(served, MATCH),
        barred=played,
    )


def _is_served(place: Place) -> bool:
    """Tell whether the caller has an office at a place, with a token that is good for it."""
    asking, book = principal(), installation().access
    places = [book.at(one) for one in dict.fromkeys((INSTALLATION, place))]
    return allowed(asking, "search_all", relations(asking, places))


def _ids(places: list[Place], prefix: Place) -> tuple[str, ...]:
    return tuple(one.removeprefix(prefix) for one in places if one.startswith(prefix))
