"""Backups: an earlier position becomes the present one, and what that costs (rulings 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from service.aggregates.disputes.events import Cost
from service.aggregates.events import ActionPlayed, BackedUp, MatchEvent, MatchReopened
from service.aggregates.fairness import commitments_of, roots_since
from service.aggregates.lines import is_live
from service.aggregates.matches import Given, Match, evolve, record_of
from service.aggregates.playing import go_on
from service.aggregates.world import Invalid, Refused
from service.engine.contract import Record, Ruleset
from service.engine.values import SYSTEM, Position, Viewer

ORDERED = "ruling:"
"""Before the name of a shuffle that a judge orders: its draws have labels of their own."""

ORDERED_LABEL = f"shuffle/{ORDERED}"

Since: TypeAlias = Sequence[MatchEvent]
"""The events behind an index up to the present, struck ones too, in order."""


def check_index(match: Match, earlier: Match) -> None:
    """Raise `Invalid` unless a match can go back to an earlier state of itself."""
    to, last = earlier.version, match.version
    if not is_live(match.lines, last, to):
        raise Invalid({"to": ["an index of the line that is played"]})
    if not earlier.actions or earlier.closed is not None:
        raise Invalid({"to": ["an index at which the match was being played"]})
    is_same = earlier.position == match.position and earlier.counts == match.counts
    if match.closed is None and is_same:
        raise Invalid({"to": ["nothing was played since then"]})


def cost_of(match: Match, earlier: Match, since: Since, ruleset: Ruleset) -> Cost:
    """Return what going back to an earlier state undoes; raises as `check_index`.

    since: the events behind it. What a seat has seen on a struck line it has seen, too.
    """
    check_index(match, earlier)
    to = earlier.version
    live = [
        event
        for seq, event in enumerate(since, start=to + 1)
        if is_live(match.lines, match.version, seq)
    ]
    drawn = {label: count - earlier.counts.get(label, 0) for label, count in match.counts.items()}
    return Cost(
        to=to,
        events=len(live),
        actions=sum(isinstance(event, ActionPlayed) and event.actor != SYSTEM for event in live),
        draws={label: count for label, count in sorted(drawn.items()) if count},
        learned=_learned(earlier, since, ruleset),
    )


def is_simple(cost: Cost) -> bool:
    """Tell whether a backup takes back one action without a draw, as any judge may order."""
    return cost.actions <= 1 and not cost.draws


def _learned(earlier: Match, since: Since, ruleset: Ruleset) -> dict[str, int]:
    """Return how many cards each seat has seen since that it did not know then."""
    known = {seat: _known(ruleset, earlier.position, seat) for seat in earlier.seats}
    seen: dict[str, set[str]] = {seat: set() for seat in earlier.seats}
    state = earlier
    for event in since:
        record = record_of(state, event, ruleset)
        state = evolve(state, event, ruleset, match_id=earlier.id)
        if record is not None:
            for seat in seen:
                seen[seat] |= _seen_in(ruleset, record, seat)
    return {seat: len(seen[seat] - known[seat]) for seat in earlier.seats}


def _seen_in(ruleset: Ruleset, record: Record, seat: Viewer) -> set[str]:
    """Return the cards that a seat knows behind a record, and those that it was shown in it."""
    facts = ruleset.redact(record, seat)["facts"]
    shown = [fact["shown"] for fact in facts if fact is not None and "shown" in fact]
    named = {card for one in shown if isinstance(one, dict) for card in one}
    return _known(ruleset, record.after, seat) | (named & set(ruleset.cards_in(record.after)))


def _known(ruleset: Ruleset, position: Position, seat: Viewer) -> set[str]:
    view = ruleset.view(position, seat)
    return {
        card for card in ruleset.cards_in(position) if ruleset.definition_of(view, card) is not None
    }


def back_up(
    match: Match, earlier: Match, given: Given, *, ruling: str, by: str
) -> list[MatchEvent]:
    """Make the position of an earlier state the present one; a closed match is reopened first.

    What the rules demand by themselves from there follows. Raises `Refused` for a match that was
    cancelled or whose draws came with its record, `Invalid`.
    """
    if match.cancelled is not None or given.secrets.root_open is None:
        raise Refused(f"match {match.id} was not played here, or not at all")
    check_index(match, earlier)
    events: list[MatchEvent] = []
    if match.closed is not None:
        roots = commitments_of(match.id, roots_since(given.secrets, match.reopened + 1))
        events.append(MatchReopened(ruling=ruling, by=by, roots=roots, time=given.now))
    events.append(
        BackedUp(
            to=earlier.version,
            ruling=ruling,
            by=by,
            position=earlier.position,
            counts=restored_counts(match, earlier.counts),
            actions=earlier.actions,
            time=given.now,
        )
    )
    after = match
    for event in events:
        after = evolve(after, event, given.ruleset, match_id=match.id)
    return [*events, *go_on(after, after.position, given)]


def restored_counts(match: Match, earlier: Mapping[str, int]) -> dict[str, int]:
    """Return the counts of labels behind a backup: what was drawn since is drawn so again.

    A shuffle that a judge orders is another one each time, so those stay counted.
    """
    ordered = {
        label: count for label, count in match.counts.items() if label.startswith(ORDERED_LABEL)
    }
    return {**earlier, **ordered}
