"""The checks of what judges did to a match: backups, ordered shuffles, amended results."""

from __future__ import annotations

from service.aggregates.backups import ORDERED, restored_counts
from service.aggregates.events import BackedUp, Corrected, MatchReopened, ResultAmended
from service.aggregates.fairness import Secrets
from service.aggregates.lines import is_live
from service.aggregates.matches import Match, source_with
from service.aggregates.remedies import facts_of_shuffles
from service.engine.contract import Record, Ruleset
from service.engine.values import Draw, same
from service.integrity.report import GOOD, Check, failed


def check_backup(event: BackedUp, state: Match, earlier: Match | None) -> Check:
    """Check that a backup restores what was there. earlier: the state at its index, if it was."""
    seq = state.version + 1
    if earlier is None or not is_live(state.lines, state.version, event.to):
        return failed(seq, "the backup goes to an index that is not on the line played")
    if state.closed is not None:
        return failed(seq, "the match was backed up after its end without being reopened")
    if not same(event.position, earlier.position):
        return failed(seq, "the backup does not restore the position of its index")
    counts = restored_counts(state, earlier.counts)
    if event.actions != earlier.actions or not same(event.counts, counts):
        return failed(seq, "the backup does not restore the counts of its index")
    return GOOD


def check_change(event: ResultAmended | MatchReopened, state: Match) -> Check:
    """Check that a match whose result is amended or that is reopened has ended."""
    seq = state.version + 1
    if state.closed is None:
        return failed(seq, "a match that goes on is amended or reopened")
    if isinstance(event, ResultAmended) and not same(event.was, state.outcome):
        text = "the result that is amended is not the one that was there"
        return failed(seq, text, expected=str(state.outcome), found=str(event.was))
    return GOOD


def check_shuffles(
    event: Corrected, record: Record, state: Match, ruleset: Ruleset, secrets: Secrets | None
) -> Check:
    """Check the shuffles that a ruling ordered: how they came out, and the facts they brought.

    record: of the facts, which fit the position.
    """
    seq, count = state.version + 1, len(event.draws)
    if not count:
        return GOOD
    if event.by != "ruling" or not all(map(_is_ordered, event.draws)):
        return failed(seq, "a correction holds draws that no ruling orders")
    if not same(facts_of_shuffles(ruleset, event.draws), event.facts[-count:]):
        return failed(seq, "the facts are not those of the shuffles that were ordered")
    if secrets is None:
        return GOOD
    source, piles = source_with(state, ruleset, secrets), ruleset.piles(record.steps[-count].before)
    for draw in event.draws:
        pile = piles.get(draw["shuffle"].removeprefix(ORDERED))
        if pile is None or not same(source.ordered(draw["shuffle"], pile), draw["order"]):
            return failed(seq, "a shuffle that was ordered does not follow from the roots")
    return GOOD


def _is_ordered(draw: Draw) -> bool:
    name, order = draw.get("shuffle"), draw.get("order")
    return isinstance(name, str) and name.startswith(ORDERED) and isinstance(order, list)
