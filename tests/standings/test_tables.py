"""Tables of grown events against the plain formulas, and the laws of every table."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.standings.profiles import GROUP_STAGES, PROFILES, Profile
from service.standings.reasons import why
from service.standings.records import laws
from service.standings.tables import Row, Table, table_of
from tests.standings import oracle
from tests.standings.events import event, grown, shuffled

seeds = st.integers(0, 10**6)
names = pytest.mark.parametrize("name", PROFILES)


@given(seed=seeds)
@settings(max_examples=60)
def test_percentages_are_those_of_the_plain_formulas(seed: int) -> None:
    one = grown(seed)
    assert laws(one) is None
    for name, floor in (("melee-floor", Fraction(1, 3)), ("mtr-2024", Fraction(33, 100))):
        for row in table_of(one, PROFILES[name]).rows:
            assert row.values == oracle.percentages(one, row.player, floor)
    for row in table_of(one, PROFILES["melee-raw"]).rows:
        assert row.values["gw"] == oracle.game_share(one, row.player)


@given(seed=seeds)
@settings(max_examples=60)
def test_values_of_tom_are_those_of_the_plain_formulas(seed: int) -> None:
    one = grown(seed)
    for row in table_of(one, PROFILES["pokemon-tom"]).rows:
        found = {label: row.values[label] for label in ("points", "wp", "ow", "oow")}
        assert found == oracle.of_tom(one, row.player)


@names
@given(seed=seeds, order=seeds)
@settings(max_examples=15)
def test_the_order_of_the_input_says_nothing(name: str, seed: int, order: int) -> None:
    one = grown(seed)
    profile = PROFILES[name]
    for lots in (None, "seed"):
        assert table_of(one, profile, lots=lots) == table_of(
            shuffled(one, order), profile, lots=lots
        )


@names
@given(seed=seeds)
@settings(max_examples=15)
def test_ranks_count_who_stands_before(name: str, seed: int) -> None:
    table = table_of(grown(seed), PROFILES[name])
    assert_ranks(table)
    ordering = [
        criterion.label
        for criterion in PROFILES[name].criteria
        if criterion.orders and criterion.kind not in GROUP_STAGES
    ]
    for before, behind in pairwise(table.rows):
        assert key(before, ordering) >= key(behind, ordering)
        if before.rank < behind.rank and not before.values.keys() & GROUP_STAGES:
            assert key(before, ordering) > key(behind, ordering)


def key(row: Row, labels: list[str]) -> list[Fraction]:
    return [row.values[label] for label in labels]


def assert_ranks(table: Table) -> None:
    ranks = [row.rank for row in table.rows]
    assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]
    for row in table.rows:
        assert row.tied == ranks.count(row.rank)


@names
@given(seed=seeds)
@settings(max_examples=10)
def test_every_value_is_the_sum_of_its_reasons(name: str, seed: int) -> None:
    one = grown(seed)
    profile = PROFILES[name]
    for row in table_of(one, profile).rows:
        found = why(one, profile, row.player)
        assert found is not None
        assert found.row == row
        reasons = {reason.criterion: reason for reason in found.reasons}
        assert reasons.keys() == row.values.keys() - {"h2h"}
        for label, reason in reasons.items():
            counted = sum((part.value for part in reason.parts if part.counted), Fraction(0))
            assert counted / reason.divisor == reason.value == row.values[label]
    assert why(one, profile, "nobody") is None


@names
def test_no_players_and_no_rounds(name: str) -> None:
    assert table_of(event(""), PROFILES[name]).rows == ()
    assert [row.rank for row in table_of(event("A B C"), PROFILES[name]).rows] == [1, 1, 1]


def test_missing_results_make_a_table_provisional() -> None:
    profile: Profile = PROFILES["mtr-2024"]
    assert not table_of(event("A B", "A-B 2-0"), profile).provisional
    table = table_of(event("A B C D", "A-B 2-0, C-D unreported"), profile)
    assert table.provisional
    assert [row.values["omw"] for row in table.rows] == [Fraction(33, 100), 1, 0, 0]


def test_a_later_phase_ranks_those_it_names() -> None:
    one = event("A B C D", "A-B 2-0, C-D 2-0", bracket=["A-C 0-2"])
    table = table_of(one, PROFILES["mtr-2024"], phase=1)
    assert [row.player for row in table.rows] == ["C", "A"]
    assert [row.points for row in table.rows] == [3, 0]


def test_lots_resolve_what_is_left_the_same_way_each_time() -> None:
    one = event("A B C D E F", "A-B 1-1, C-D 1-1, E-F 1-1")
    orders = {
        tuple(row.player for row in table_of(one, PROFILES["pokemon-tom"], lots=seed).rows)
        for seed in map(str, range(20))
    }
    assert len(orders) > 10
    drawn = table_of(one, PROFILES["pokemon-tom"], lots="7")
    assert [row.rank for row in drawn.rows] == [1, 2, 3, 4, 5, 6]
    assert {row.rank for row in table_of(one, PROFILES["pokemon-tom"]).rows} == {1}
