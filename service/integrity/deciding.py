"""The checks of a judge's file: every action is decided again, every form is made again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from service.aggregates.events import (
    ActionPlayed,
    BackedUp,
    Corrected,
    MatchClosed,
    MatchEvent,
    MatchOpened,
    MatchReopened,
    ResultAmended,
)
from service.aggregates.fairness import Secrets
from service.aggregates.matches import Match, evolve, source_with
from service.engine.contract import Fault, Record, Rejection, Ruleset
from service.engine.corrections import corrected
from service.engine.draws import DrawFault, Draws, RecordedSource
from service.engine.play import perform, written
from service.engine.values import JUDGE, SYSTEM, Json, same
from service.integrity.chain import seal
from service.integrity.chance import Chance, chance_of
from service.integrity.files import EventLine
from service.integrity.reading import ExchangeFile
from service.integrity.report import GOOD, Check, failed
from service.integrity.ruled import check_backup, check_change, check_shuffles
from service.integrity.sealing import UnknownTag, forms_of, match_event_from

TOLD_MAX = 500
"""Characters of a fact or draw that a report repeats."""


class Redecided(Struct, frozen=True, kw_only=True):
    """What deciding again found. agreed, ruled: corrections on which people agreed, or ruled."""

    fold: Check
    legal: Check
    fair: Check
    agreed: int = 0
    ruled: int = 0


def redecide(file: ExchangeFile, ruleset: Ruleset) -> Redecided:
    """Decide every action again on the position before it, and make every viewer's form again.

    Only facts that the rules give again are folded, so that a foreign file cannot do harm.
    """
    state: Match | None = None
    chance = chance_of(file)
    wanted = {line.form.get("to") for line in file.events if _goes_back(line)}
    earlier: dict[Json, Match] = {}
    found = Redecided(fold=GOOD, legal=GOOD, fair=chance.check)
    for line in file.events:
        seq = line.header.seq
        try:
            event = match_event_from(line.header, line.form)
        except (msgspec.ValidationError, UnknownTag) as fault:
            return replace(found, legal=failed(seq, f"the event cannot be read: {fault}"))
        if isinstance(event, BackedUp) and state is not None:
            found = replace(found, legal=check_backup(event, state, earlier.get(event.to)))
        else:
            found = _with_event(found, event, state, ruleset, chance)
        if found.legal.failed:
            return found
        after = evolve(state, event, ruleset, match_id=file.header.match)
        found = _with_forms(found, line, event, state, after, ruleset)
        if found.fold.failed or found.legal.failed:
            return found
        state = after
        if seq in wanted:
            earlier[seq] = after
    return _with_people(found)


def _goes_back(line: EventLine) -> bool:
    return line.header.type.startswith("match.backed_up.")


def _with_people(found: Redecided) -> Redecided:
    """Say of how much the rules did not decide."""
    counted = {"agreed": found.agreed, "ruled": found.ruled}
    said = " and ".join(f"{count} {how}" for how, count in counted.items() if count)
    if not said:
        return found
    text = f"as it should be, except for corrections that people made: {said}"
    return replace(found, legal=Check(verdict="good", text=text))


def _with_event(
    found: Redecided,
    event: MatchEvent,
    state: Match | None,
    ruleset: Ruleset,
    chance: Chance,
) -> Redecided:
    if isinstance(event, MatchOpened):
        twice = failed(2 if state is None else state.version + 1, "the match is opened twice")
        return found if state is None else replace(found, legal=twice)
    assert state is not None, "the chain was checked: a match begins with match_opened"
    if isinstance(event, ActionPlayed):
        difference = _system_fault(event, state, ruleset)
        if difference is not None:
            return replace(found, legal=difference)
        return _with_action(found, event, state, ruleset, chance.secrets(state.reopened))
    if isinstance(event, Corrected):
        return _with_correction(found, event, state, ruleset, chance)
    if isinstance(event, ResultAmended | MatchReopened):
        return replace(found, legal=check_change(event, state))
    if isinstance(event, MatchClosed) and event.cause == "rules":
        return _with_end(found, event, state, ruleset)
    return found


def _system_fault(event: ActionPlayed, state: Match, ruleset: Ruleset) -> Check | None:
    """Return what is wrong if the system did something else than the rules demand of it.

    Where no setup is recorded, as of an imported log, the record may hold what the table decided.
    """
    if event.actor != SYSTEM or state.opened.setup is None:
        return None
    demanded = ruleset.automatic(state.position, state.setup)
    expected = None if demanded is None else written(ruleset, demanded)
    if same(expected, event.action):
        return None
    return failed(
        state.version + 1,
        "the system did something else than the rules demand of it",
        expected=str(expected)[:TOLD_MAX],
        found=str(event.action)[:TOLD_MAX],
    )


def _with_correction(
    found: Redecided, event: Corrected, state: Match, ruleset: Ruleset, chance: Chance
) -> Redecided:
    """Count facts that people gave: they are no decision of the rules, but they must fit."""
    record = corrected(ruleset, state.position, event.facts)
    if isinstance(record, Fault):
        text = f"the correction does not fit the position: {record.place}: {record.text}"
        return replace(found, legal=failed(state.version + 1, text))
    check = check_shuffles(event, record, state, ruleset, chance.secrets(state.reopened))
    if check.failed:
        return replace(found, fair=check)
    if event.by == "ruling":
        return replace(found, ruled=found.ruled + 1)
    return replace(found, agreed=found.agreed + 1)


def _with_end(found: Redecided, event: MatchClosed, state: Match, ruleset: Ruleset) -> Redecided:
    outcome = ruleset.outcome(state.position)
    if same(outcome, event.outcome):
        return found
    text = "the match was closed with another result than the rules give"
    seq, told = state.version + 1, str(event.outcome)
    return replace(found, legal=failed(seq, text, expected=str(outcome), found=told))


def _with_action(
    found: Redecided, event: ActionPlayed, state: Match, ruleset: Ruleset, secrets: Secrets | None
) -> Redecided:
    """Decide an action again: with draws from the roots and seeds where they are opened."""
    seq = state.version + 1
    if secrets is not None and not found.fair.failed:
        draws = Draws(source_with(state, ruleset, secrets))
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
    content = {name: value for name, value in line.form.items() if name != "position_hash"}
    forms = forms_of(content, event, before, after, ruleset, line.header.viewers)
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
