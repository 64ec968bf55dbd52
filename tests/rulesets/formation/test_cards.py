"""Which pools are refused: each fault by itself with its place, several at once all named."""

from __future__ import annotations

import pytest

from service.engine.values import Json
from service.rulesets.formation import GAME


def places(pool: Json) -> list[str]:
    return [fault.place for fault in GAME.pool_faults(pool)]


def with_abilities(cards: Json, *abilities: Json, **parts: Json) -> Json:
    """Return the pool with one more card, which has these abilities."""
    trial = next(card for card in cards["cards"] if card["id"] == "militia") | {"id": "trial"}
    named = [{"name_ja": "試", "name_en": "trial", **ability} for ability in abilities]
    return {**cards, "cards": [*cards["cards"], {**trial, "abilities": named, **parts}]}


def spell_with(cards: Json, ability: Json) -> Json:
    """Return the pool with one more spell, which has this ability."""
    pool = with_abilities(cards, ability, piece="spell")
    for key in ("type", "hearts"):
        del pool["cards"][-1][key]
    return pool


def attack(**parts: Json) -> Json:
    return {"op": "attack", "kind": "physical", "reach": "ranged", "damage": 1, **parts}


HEAL = {"op": "heal", "amount": 1, "to": "self"}
AHEAD = {"op": "heal", "amount": 1, "to": {"side": "ally", "at": "ahead"}}
OTHERS = {"op": "heal", "amount": 1, "to": {"side": "ally", "at": "all", "others": True}}
REVIVE = {"op": "revive", "ticks": 4}
FIRST = {"op": "first"}
REFLECT = {"op": "reflect", "vs": {}}


def test_the_sample_pool_has_no_fault(cards: Json) -> None:
    assert places(cards) == []


@pytest.mark.parametrize("value", [None, 1, "cards", [], {}, {"cards": {}, "decks": []}, {"x": 1}])
def test_what_is_no_pool_is_refused(value: Json) -> None:
    assert places(value) != []


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("id", "Militia", "cards.Militia.id"),
        ("id", 7, "cards.0.id"),
        ("piece", "monster", "cards.militia.piece"),
        ("piece", ["unit"], "cards.militia.piece"),
        ("name_ja", None, "cards.militia.name_ja"),
        ("attribute", "yellow", "cards.militia.attribute"),
        ("type", 3, "cards.militia.type"),
        ("hearts", 0, "cards.militia.hearts"),
        ("hearts", True, "cards.militia.hearts"),
        ("connectors", ["flat"] * 3, "cards.militia.connectors"),
        ("connectors", ["flat"] * 5, "cards.militia.connectors"),
        ("connectors", ["flat", "flat", "+pink", "flat"], "cards.militia.connectors.2"),
        ("abilities", {}, "cards.militia.abilities"),
        ("abilities", [None], "cards.militia.abilities.0"),
        ("colour", "red", "cards.militia.colour"),
    ],
)
def test_a_field_of_a_card(cards: Json, key: str, value: Json, place: str) -> None:
    cards["cards"][0][key] = value
    cards["decks"] = []
    assert places(cards) == [place]


@pytest.mark.parametrize("key", ["name_en", "attribute", "type", "hearts", "connectors"])
def test_a_missing_field(cards: Json, key: str) -> None:
    del cards["cards"][0][key]
    assert places(cards) == [f"cards.militia.{key}"]


def test_what_belongs_to_units_is_no_part_of_a_spell(cards: Json) -> None:
    spell = next(card for card in cards["cards"] if card["piece"] == "spell")
    spell |= {"hearts": 1, "type": "human"}
    assert places(cards) == [f"cards.{spell['id']}.hearts", f"cards.{spell['id']}.type"]


@pytest.mark.parametrize(
    ("ability", "place"),
    [
        ({"when": "sometimes", "do": [HEAL]}, "when"),
        ({"when": "action", "do": []}, "do"),
        ({"when": "action", "do": [{"op": "explode"}]}, "do.0.op"),
        ({"when": "action", "do": [HEAL], "uses": 0}, "uses"),
        ({"when": "action", "do": [HEAL], "if": {"weather": "rain"}}, "if.weather"),
        ({"when": "action", "do": [HEAL], "if": {"front": 1}}, "if.front"),
        ({"when": "action", "do": [HEAL], "if": {"allies": {"min": 1}}}, "if.allies.where"),
        ({"when": "action", "do": [HEAL], "if": {"by": "physical"}}, "if.by"),
        ({"when": "action", "do": [HEAL], "if": {"target": {}}}, "if.target"),
        ({"when": "action", "do": [HEAL | {"to": "target"}]}, "do.0.to.target"),
        ({"when": "hit", "do": [HEAL | {"to": "attacker"}]}, "do.0.to.attacker"),
        ({"when": "action", "do": [HEAL | {"to": {"side": "ally"}}]}, "do.0.to.at"),
        ({"when": "action", "do": [HEAL | {"to": "everybody"}]}, "do.0.to"),
        ({"when": "action", "do": [attack(), HEAL]}, "do"),
        ({"when": "hit", "do": [attack()]}, "when"),
        ({"when": "cast", "do": [attack()]}, "when"),
        ({"when": "action", "do": [attack(shape="pierce")]}, "do.0.columns"),
        ({"when": "action", "do": [attack(columns=2)]}, "do.0.columns"),
        ({"when": "action", "do": [attack(shape="sickle")]}, "do.0.behind"),
        ({"when": "action", "do": [attack(behind=2)]}, "do.0.behind"),
        ({"when": "action", "do": [attack(shape="all", aim="front")]}, "do.0.aim"),
        ({"when": "action", "do": [attack(chain_by="type")]}, "do.0.chain_by"),
        ({"when": "action", "do": [attack(reach="melee", range=2)]}, "do.0.range"),
        ({"when": "action", "do": [attack(reach="melee", aim="last")]}, "do.0.aim"),
        ({"when": "action", "do": [attack(damage=-1)]}, "do.0.damage"),
        ({"when": "action", "do": [FIRST]}, "do.0.op"),
        ({"when": "always", "do": [HEAL]}, "do.0.op"),
        ({"when": "always", "do": [FIRST], "uses": 1}, "uses"),
        ({"when": "always", "do": [REFLECT, FIRST], "uses": 1}, "uses"),
        ({"when": "always", "do": [{"op": "mitigate", "amount": 0, "vs": {}}]}, "do.0.amount"),
        ({"when": "always", "do": [{"op": "resist"}]}, "do.0.vs"),
        ({"when": "always", "do": [{"op": "resist", "vs": {"range": 1}}]}, "do.0.vs.range"),
        ({"when": "always", "do": [{"op": "cheer", "amount": 1, "squares": 3}]}, "do.0.squares"),
        ({"when": "always", "do": [{"op": "immune", "status": ["critical"]}]}, "do.0.status.0"),
        ({"when": "felled", "do": [REVIVE, REVIVE]}, "do"),
        ({"when": "hit", "do": [REVIVE]}, "when"),
        (
            {"when": "hit", "do": [{"op": "dispel", "what": ["critical"], "to": "self"}]},
            "do.0.what.0",
        ),
        (
            {"when": "hit", "do": [{"op": "status", "status": "poison", "to": "self"}]},
            "do.0.amount",
        ),
        (
            {"when": "hit", "do": [{"op": "mod", "stat": "attack", "amount": 0, "to": "self"}]},
            "do.0.amount",
        ),
    ],
)
def test_an_ability_of_a_unit(cards: Json, ability: Json, place: str) -> None:
    pool = with_abilities(cards, {"when": "always", "do": [REFLECT], "uses": 1}, ability)
    assert places(pool) == [f"cards.trial.abilities.1.{place}"]


@pytest.mark.parametrize(
    ("ability", "place"),
    [
        ({"when": "action", "do": [attack()]}, "when"),
        ({"when": "cast", "do": [attack()], "uses": 1}, "uses"),
        ({"when": "cast", "do": [attack(reach="melee")]}, "do.0.reach"),
        ({"when": "cast", "do": [attack(range=2)]}, "do.0.range"),
        ({"when": "cast", "do": [attack(every=2)]}, "do.0.every"),
        ({"when": "cast", "do": [attack()], "if": {"front": True}}, "if.front"),
        ({"when": "cast", "do": [HEAL]}, "do.0.to"),
        ({"when": "cast", "do": [AHEAD]}, "do.0.to.at"),
        ({"when": "cast", "do": [OTHERS]}, "do.0.to.others"),
    ],
)
def test_an_ability_of_a_spell(cards: Json, ability: Json, place: str) -> None:
    assert places(spell_with(cards, ability)) == [f"cards.trial.abilities.0.{place}"]


def test_an_id_is_there_once(cards: Json) -> None:
    cards["cards"].append(cards["cards"][0])
    cards["decks"].append(cards["decks"][0])
    assert places(cards) == ["cards.militia", "decks.red_green_charge"]


@pytest.mark.parametrize(
    ("contents", "place"),
    [
        ({"dragon": 1}, "decks.trial.cards.dragon"),
        ({"militia": 0}, "decks.trial.cards.militia"),
        ({"militia": True}, "decks.trial.cards.militia"),
        (["militia"], "decks.trial.cards"),
    ],
)
def test_a_deck(cards: Json, contents: Json, place: str) -> None:
    deck = {"id": "trial", "name_ja": "試", "name_en": "trial", "cards": contents}
    assert places({**cards, "decks": [deck]}) == [place]


def test_several_faults_are_all_named(cards: Json) -> None:
    pool = with_abilities(cards, {"when": "hit", "do": [REVIVE]}, hearts=0, colour="red")
    pool["decks"][0]["cards"]["dragon"] = 1
    del pool["decks"][1]["name_ja"]
    pool["extra"] = []
    assert sorted(places(pool)) == [
        "cards.trial.abilities.0.when",
        "cards.trial.colour",
        "cards.trial.hearts",
        "decks.red_green_charge.cards.dragon",
        "decks.white_blue_wall.name_ja",
        "extra",
    ]
