"""A published round paired again: as few new tables as can be, against trying everything."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from service.pairing.fields import Options, Pairing, Player, Unpairable
from service.pairing.repairing import Repair, pair_again
from service.pairing.swiss import pair
from tests.pairing.histories import Tournament, seed_of

Tables = list[tuple[Player, Player]]


def published(seed: int, size: int, played: int) -> tuple[Tournament, Pairing]:
    """Return a tournament with a round that is paired and not played."""
    event = Tournament(dice=random.Random(seed))
    event.enter(size)
    for _ in range(played):
        found = pair(event.players(), Options(seed=seed_of(event.dice)))
        assert isinstance(found, Pairing)
        event.play(found.tables, found.byes)
    found = pair(event.players(), Options(seed=seed_of(event.dice)))
    assert isinstance(found, Pairing)
    return event, found


def change(event: Tournament, drops: int, late: int) -> None:
    for name in event.dice.sample(event.active(), drops):
        event.drop(name)
    event.enter(late)


def repaired(pairing: Pairing, players: Sequence[Player], seed: int = 0) -> Repair:
    found = pair_again(pairing, players, Options(seed=seed.to_bytes(4, "big")))
    assert isinstance(found, Repair)
    return found


def check_form(pairing: Pairing, players: Sequence[Player], found: Repair) -> None:
    active = [player.id for player in players if player.active]
    again = found.pairing
    assert sorted([*again.byes, *(name for table in again.tables for name in table)]) == sorted(
        active
    )
    before = set(pairing.tables)
    assert set(found.fallen) == before - set(again.tables)
    assert set(found.new) == set(again.tables) - before
    stay = [table for table in pairing.tables if table in again.tables]
    assert [table for table in again.tables if table in before] == stay
    assert len(again.why.tables) == len(again.tables)
    points = {player.id: player.points for player in players}
    for table, reason in zip(again.tables, again.why.tables, strict=True):
        assert reason.points == tuple(points[name] for name in table)


def value(pairing: Pairing, tables: Tables, bye: Player | None) -> tuple[int, int, int]:
    """Return rematches among new tables, byes had before, new tables and a new bye."""
    before = {frozenset(table) for table in pairing.tables}
    new = [(one, other) for one, other in tables if frozenset((one.id, other.id)) not in before]
    return (
        sum(other.id in one.met for one, other in new),
        bye.byes if bye else 0,
        len(new) + (bye is not None and bye.id not in pairing.byes),
    )


def every(players: Sequence[Player]) -> Iterator[tuple[Tables, Player | None]]:
    """Give every pairing of a few players."""
    if len(players) % 2:
        for bye in players:
            for tables, _ in every([player for player in players if player is not bye]):
                yield tables, bye
    elif not players:
        yield [], None
    else:
        first, *others = players
        for other in others:
            for tables, _ in every([player for player in others if player is not other]):
                yield [(first, other), *tables], None


def check_least(seed: int, size: int, played: int, drops: int, late: int) -> None:
    event, pairing = published(seed, size, played)
    change(event, drops, late)
    players = event.players()
    found = repaired(pairing, players, seed)
    check_form(pairing, players, found)
    by_id = {player.id: player for player in players}
    tables = [(by_id[one], by_id[other]) for one, other in found.pairing.tables]
    bye = by_id[found.pairing.byes[0]] if found.pairing.byes else None
    active = [player for player in players if player.active]
    least = min(value(pairing, *other) for other in every(active))
    assert value(pairing, tables, bye) == least


@pytest.mark.parametrize(
    ("drops", "late"), [(0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (0, 2), (0, 0)]
)
@pytest.mark.parametrize(("size", "played"), [(5, 2), (6, 3), (7, 3), (8, 4)])
def test_no_pairing_changes_fewer_tables(size: int, played: int, drops: int, late: int) -> None:
    for seed in range(4):
        check_least(seed, size, played, drops, late)


@pytest.mark.parametrize(("size", "played"), [(64, 6), (127, 5), (400, 6), (1001, 3)])
def test_in_a_large_field_two_drops_change_one_table_or_two(size: int, played: int) -> None:
    event, pairing = published(size, size, played)
    change(event, 2, 0)
    found = repaired(pairing, event.players())
    check_form(pairing, event.players(), found)
    assert len(found.new) <= 2
    assert not any(reason.meetings for reason in found.pairing.why.tables)


@pytest.mark.parametrize(("size", "drops", "late"), [(129, 20, 3), (400, 60, 10), (1500, 80, 0)])
def test_many_drops_leave_the_other_tables_alone(size: int, drops: int, late: int) -> None:
    event, pairing = published(size, size, 5)
    change(event, drops, late)
    found = repaired(pairing, event.players())
    check_form(pairing, event.players(), found)
    active = set(event.active())
    stay = [table for table in pairing.tables if active.issuperset(table)]
    assert len(found.new) <= (len(active) - 2 * len(stay)) // 2 + 1
    assert not any(reason.meetings for reason in found.pairing.why.tables)


def test_nothing_is_changed_without_cause() -> None:
    event, pairing = published(3, 21, 4)
    found = repaired(pairing, event.players())
    assert (found.fallen, found.new) == ((), ())
    assert found.pairing.tables == pairing.tables
    assert found.pairing.byes == pairing.byes


def test_the_order_of_players_has_no_influence() -> None:
    event, pairing = published(4, 30, 5)
    change(event, 3, 2)
    players = event.players()
    assert repaired(pairing, players[::-1]) == repaired(pairing, players)


def test_a_round_that_nobody_is_left_for_is_refused() -> None:
    event, pairing = published(5, 4, 1)
    change(event, 3, 0)
    refused = Unpairable(reason="too_few_players", active=1)
    assert pair_again(pairing, event.players(), Options(seed=b"")) == refused
    change(event, 0, 2)
    refused = Unpairable(reason="odd_without_bye", active=3)
    assert pair_again(pairing, event.players(), Options(seed=b"", byes_max=0)) == refused
