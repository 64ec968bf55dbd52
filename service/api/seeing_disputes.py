"""What a caller may see of disputes: which are there for him, and which of their texts."""

from __future__ import annotations

from dataclasses import dataclass

from projections.disputes import Reach
from service.aggregates.access import INSTALLATION, Relation, place_of_tournament, relations
from service.aggregates.disputes.deciding import JUDGES
from service.aggregates.disputes.events import CommentAdded
from service.aggregates.disputes.state import Dispute
from service.aggregates.world import NotFound
from service.api.identity import check, principal
from service.api.seeing import SeenMatch, seen_match
from service.api.wiring import installation

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


def reach(tournament: str | None) -> Reach:
    """Return whose disputes the caller may look for, besides those that are public.

    tournament: the one he asks for, None for any: as its official he looks for all of its
    disputes. A token that is narrowed to a place reaches no further than anybody's.
    """
    asking, here = principal(), installation()
    if asking.person is None or asking.narrowed_to is not None:
        return Reach()
    places = [INSTALLATION, *([] if tournament is None else [place_of_tournament(tournament)])]
    offices = PARTIES & relations(asking, [here.access.at(place) for place in places])
    return Reach(person=asking.person, is_official=bool(offices))
