"""The checks of a judge's file: every action is decided again, every form is made again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from service.aggregates.events import ActionPlayed, MatchEvent, MatchOpened
from service.aggregates.fairness import Secrets
from service.aggregates.matches import Match, draws_of, evolve
from service.engine.contract import Record, Rejection, Ruleset
from service.engine.draws import DrawFault, Draws, RecordedSource
from service.engine.play import perform
from service.engine.values import JUDGE, same
from service.integrity.chain import seal
from service.integrity.chance import chance_of
from service.integrity.files import EventLine
from service.integrity.reading import ExchangeFile
from service.integrity.report import GOOD, Check, failed
from service.integrity.sealing import UnknownTag, forms_of, match_event_from

TOLD_MAX = 500
"""Characters of a fact or draw that a report repeats."""


class Redecided(Struct, frozen=True, kw_only=True):
    """What deciding again found."""

    fold: Check
    legal: Check
    fair: Check


def redecide(file: ExchangeFile, ruleset: Ruleset) -> Redecided:
    """Decide every action again on the position before it, and make every viewer's form again.

    Only facts that the rules give again are folded, so that a foreign file cannot do harm.
    """
    state: Match | None = None
    chance = chance_of(file)
    found = Redecided(fold=GOOD, legal=GOOD, fair=chance.check)
    for line in file.events:
        seq = line.header.seq
        try:
            event = match_event_from(line.header, line.form)
        except (msgspec.ValidationError, UnknownTag) as fault:
            return replace(found, legal=failed(seq, f"the event cannot be read: {fault}"))
        if isinstance(event, ActionPlayed):
            assert state is not None, "the chain was checked: a match begins with match_opened"
            found = _with_action(found, event, state, ruleset, chance.secrets)
            if found.legal.failed:
                return found
        elif state is not None and isinstance(event, MatchOpened):
            return replace(found, legal=failed(seq, "the match is opened twice"))
        after = evolve(state, event, ruleset, match_id=file.header.match)
        found = _with_forms(found, line, event, state, after, ruleset)
        if found.fold.failed or found.legal.failed:
            return found
        state = after
    return found


def _with_action(
    found: Redecided, event: ActionPlayed, state: Match, ruleset: Ruleset, secrets: Secrets | None
) -> Redecided:
    """Decide an action again: with draws from the roots and seeds where they are opened."""
    seq = state.version + 1
    if secrets is not None and not found.fair.failed:
        draws = Draws(draws_of(state, ruleset, secrets))
        again = perform(ruleset, state.position, event.actor, event.action, draws)
        if same(draws.made, event.draws):
            return _with_outcome(found, again, event, seq)
        text = "the draws do not follow from the roots and seeds"
        expected, drawn = str(draws.made)[:TOLD_MAX], str(event.draws)[:TOLD_MAX]
        found = replace(found, fair=failed(seq, text, expected=expected, found=drawn))
    source = RecordedSource(event.draws)
    try:
        again = perform(ruleset, state.position, event.actor, event.action, Draws(source))
        source.finish()
    except DrawFault as fault:
        return replace(found, legal=failed(seq, f"the draws do not fit: {fault}"))
    return _with_outcome(found, again, event, seq)


def _with_outcome(
    found: Redecided, again: Record | Rejection, event: ActionPlayed, seq: int
) -> Redecided:
    if isinstance(again, Rejection):
        text = "the rules refuse the action"
        return replace(found, legal=failed(seq, text, expected=again.rule, found="accepted"))
    difference = _first_difference(again, event, seq)
    return found if difference is None else replace(found, legal=difference)


def _first_difference(again: Record, event: ActionPlayed, seq: int) -> Check | None:
    if same(again.facts, event.facts):
        return None
    pairs = zip(again.facts, event.facts, strict=False)
    at = next(
        (number for number, (left, right) in enumerate(pairs) if not same(left, right)),
        min(len(again.facts), len(event.facts)),
    )
    return failed(
        seq,
        f"fact {at + 1} is not what the rules give",
        expected=_named(again.facts, at),
        found=_named(event.facts, at),
    )


def _named(facts: Sequence[object], at: int) -> str:
    return str(facts[at])[:TOLD_MAX] if at < len(facts) else "no fact"


def _with_forms(
    found: Redecided,
    line: EventLine,
    event: MatchEvent,
    before: Match | None,
    after: Match,
    ruleset: Ruleset,
) -> Redecided:
    seq = line.header.seq
    forms = forms_of(event, before, after, ruleset, line.header.viewers)
    expected = str(forms[JUDGE]["position_hash"])
    if line.form.get("position_hash") != expected:
        text = "the position after the event is not the one that was sealed"
        seen = str(line.form.get("position_hash"))
        return replace(found, fold=failed(seq, text, expected=expected, found=seen))
    for viewer, form in forms.items():
        try:
            salt = bytes.fromhex(line.salts[viewer])
        except ValueError:
            return replace(found, legal=failed(seq, f"the salt of {viewer} is no hexadecimal"))
        if seal(line.header, viewer, salt, form) != line.seals[viewer]:
            text = f"{viewer} was shown something else than the rules give"
            return replace(found, legal=failed(seq, text))
    return found
