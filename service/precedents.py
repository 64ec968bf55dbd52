"""Rulings as precedents: whether they still hold (rulings 4)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from service.aggregates.disputes.events import DisputeRuled
from service.aggregates.disputes.state import Dispute
from service.aggregates.world import NotFound
from service.engine.rulebook import has_changed
from service.rulebooks import Rulebooks

Standing: TypeAlias = Literal["in_force", "needs_review", "interim", "overruled"]


def standing_of(rulebooks: Rulebooks, dispute: Dispute, ruling: DisputeRuled) -> Standing:
    """Return whether a ruling of a dispute still holds under the rules of today.

    It is bound to the editions that it cites: when the meaning of a rule changes, somebody has to
    look at it again; wording alone changes nothing.
    """
    if ruling.number < len(dispute.rulings):
        return "overruled"
    if ruling.outcome == "undecided":
        return "interim"
    present = rulebooks.last(dispute.opened.game).rules
    for cited in ruling.rules:
        try:
            then = rulebooks.rules_of(cited.edition)
        except NotFound:
            return "needs_review"
        if has_changed(cited.rule, then, present):
            return "needs_review"
    return "in_force"
