"""Fair chance: the published test vectors, and what neither side can do alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.strict import canonical, read_json
from service.aggregates.fairness import (
    FairSource,
    Secrets,
    deck_seal,
    draw_key,
    root_commitment,
    seed_commitment,
    source_of,
)
from service.engine.draws import numbers
from service.engine.values import Json

VECTORS: Json = read_json(
    (Path(__file__).parent.parent.parent / "seeds" / "vectors" / "fairness.json").read_bytes()
)
MATCH = VECTORS["match"]
ROOTS = {name: bytes.fromhex(root) for name, root in VECTORS["roots"].items()}
SEEDS = {seat: bytes.fromhex(seed) for seat, seed in VECTORS["seeds"].items()}


def source(seeds: list[bytes | None], counts: dict[str, int] | None = None) -> FairSource:
    secrets = Secrets(salt_key=b"", root_open=ROOTS["open"], root_closed=ROOTS["closed"])
    return source_of(
        secrets, MATCH, seeds=seeds, counts=counts or {}, open_names=frozenset({"first"})
    )


def test_commitments() -> None:
    for name, root in ROOTS.items():
        assert root_commitment(MATCH, name, root) == VECTORS["root_commitments"][name]
    for seat, seed in SEEDS.items():
        assert seed_commitment(MATCH, seat, seed) == VECTORS["seed_commitments"][seat]
    deck = VECTORS["deck"]
    sealed = deck_seal(MATCH, "P1", bytes.fromhex(deck["salt"]), canonical(deck["deck"]))
    assert sealed == deck["seal"]


def test_keys_and_draws() -> None:
    given = [SEEDS[seat] for seat in sorted(SEEDS)]
    for name, root in ROOTS.items():
        assert draw_key(root, MATCH, given).hex() == VECTORS["keys"][name]
    below = numbers(draw_key(ROOTS["closed"], MATCH, given), "shuffle/P1.deck/0")
    assert [below(limit) for limit in (6, 10, 100, 52)] == VECTORS["numbers"]
    draws = source(list(given))
    assert [draws.rolled(6) for _ in range(8)] == VECTORS["dice"]
    assert draws.ordered("P1.deck", list("abcdefgh")) == VECTORS["shuffle"]
    assert draws.ordered("first", ["P1", "P2"]) == VECTORS["first"]


@pytest.mark.parametrize("seat", [0, 1])
def test_each_seed_changes_every_draw(seat: int) -> None:
    given: list[bytes | None] = [SEEDS[one] for one in sorted(SEEDS)]
    other = list(given)
    other[seat] = bytes(31) + b"\x01"
    items = list(range(40))
    assert source(given).ordered("P1.deck", items) != source(other).ordered("P1.deck", items)
    without = list(given)
    without[seat] = None
    assert source(given).ordered("P1.deck", items) != source(without).ordered("P1.deck", items)


def test_the_same_label_gives_the_same_draw_again() -> None:
    """After a backup the counts are restored: nobody redraws until happy."""
    given: list[bytes | None] = [SEEDS[one] for one in sorted(SEEDS)]
    draws = source(given)
    first, second = draws.rolled(6), draws.rolled(6)
    again = source(given, {"die/6": 1})
    assert again.rolled(6) == second
    assert source(given).rolled(6) == first


def test_open_and_closed_draws_follow_from_different_roots() -> None:
    given: list[bytes | None] = [SEEDS[one] for one in sorted(SEEDS)]
    changed = Secrets(salt_key=b"", root_open=ROOTS["open"], root_closed=bytes(32))
    other = source_of(changed, MATCH, seeds=given, counts={}, open_names=frozenset({"first"}))
    here = source(given)
    assert [other.rolled(6) for _ in range(20)] == [here.rolled(6) for _ in range(20)]
    items = list(range(40))
    assert other.ordered("P1.deck", items) != here.ordered("P1.deck", items)


def test_what_is_published_before_the_end_is_no_key() -> None:
    """The commitments, seeds and every documented derivation of them give none of the draws."""
    given = [SEEDS[seat] for seat in sorted(SEEDS)]
    known = [*given, *map(bytes.fromhex, VECTORS["root_commitments"].values()), bytes(32)]
    dice = VECTORS["dice"]
    for root in known:
        key = draw_key(root, MATCH, given)
        below = FairSource(key, key, counts={}, open_names=frozenset())
        assert [below.rolled(6) for _ in range(8)] != dice
