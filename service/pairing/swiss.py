"""A Swiss round: the bye first, then as few rematches and as equal opponents as can be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from service.pairing.byes import best_round, bye_reasons, candidates
from service.pairing.fields import (
    PLAYERS_MIN,
    ByeReason,
    Field,
    Options,
    Pair,
    Pairing,
    Player,
    Unpairable,
    Why,
    drawn,
    field_of,
)
from service.pairing.reasons import table_order, table_reasons


def pair(players: Iterable[Player], options: Options) -> Pairing | Unpairable:
    """Pair a round.

    The same players, whatever their order, and the same options give the same pairing. Nobody is
    paired twice; a rematch is made only if no pairing is without one, and no more of them than
    must be.
    """
    given, to_pair = parted(players, options)
    refused = refusal(len(to_pair), options.byes_max)
    if refused is not None:
        return refused
    field = field_of(drawn(to_pair, options.seed))
    assert len(set(field.ids)) == len(field.ids), "two players with one id"
    order = candidates(field, options.seed) if len(to_pair) % 2 or options.byes_max > 1 else ()
    found = best_round(field, order, options.byes_max)
    return explained(field, found.tables, bye_reasons(field, order, found.byes), given)


def parted(players: Iterable[Player], options: Options) -> tuple[list[Player], list[Player]]:
    """Return who has a bye by decision, and who is to be paired."""
    active = [player for player in players if player.active]
    given = [player for player in active if player.id in options.byes_given]
    assert len(given) == len(options.byes_given), "a bye was given to somebody who is not active"
    return given, [player for player in active if player.id not in options.byes_given]


def refusal(active: int, byes_max: int) -> Unpairable | None:
    """Say why so many players cannot be paired, if so."""
    if active < PLAYERS_MIN:
        return Unpairable(reason="too_few_players", active=active)
    if active % 2 and byes_max < 1:
        return Unpairable(reason="odd_without_bye", active=active)
    return None


def explained(
    field: Field, tables: Iterable[Pair], byes: Sequence[ByeReason], given: Iterable[Player]
) -> Pairing:
    """Return tables and byes with the reasons."""
    in_order = sorted(tables, key=lambda table: table_order(field, table))
    by_decision = [
        ByeReason(player=player.id, points=player.points, byes=player.byes, cause="given")
        for player in sorted(given, key=lambda player: player.id)
    ]
    reasons = (*by_decision, *byes)
    return Pairing(
        tables=tuple((field.ids[one], field.ids[other]) for one, other in in_order),
        byes=tuple(reason.player for reason in reasons),
        why=Why(tables=tuple(table_reasons(field, in_order)), byes=reasons),
    )
