"""Which pools are refused: each fault by itself with its place, several at once all named."""

from __future__ import annotations

import pytest

from service.engine.values import Json
from service.rulesets.hagmi import GAME


def places(pool: Json) -> list[str]:
    return [fault.place for fault in GAME.pool_faults(pool)]


def with_card(cards: Json, like: str, **parts: Json) -> Json:
    """Return the pool with one more card, `trial`, like another but for some keys; None drops."""
    model = next(card for card in cards["cards"] if card["id"] == like)
    trial = {**model, "id": "trial", **parts}
    whole = {key: value for key, value in trial.items() if value is not None}
    return {**cards, "cards": [*cards["cards"], whole]}


def with_effect(cards: Json, **effect: Json) -> Json:
    return with_card(cards, "HF-301", effects=[{"id": "e1", **effect}])


def with_deck(cards: Json, **parts: Json) -> Json:
    deck: dict[str, Json] = {"id": "trial", "name_ja": "試", "name_en": "trial"}
    deck |= {"weapon_deck": {"HW-101": 20}, "operation_deck": {"HO-401": 20}}
    return {**cards, "decks": [*cards["decks"], deck | parts]}


DRAW = {"op": "draw", "deck": "weapon_deck", "count": 1, "who": "you"}
TOKEN = {"op": "token", "card": "HT-601", "count": 1, "to": "you"}
UNITS = {"side": "any", "kind": "unit"}


def test_the_sample_pool_has_no_fault(cards: Json) -> None:
    assert places(cards) == []


@pytest.mark.parametrize("value", [None, 1, "cards", [], {}, {"cards": {}, "decks": []}, {"x": 1}])
def test_what_is_no_pool_is_refused(value: Json) -> None:
    assert places(value) != []


@pytest.mark.parametrize(
    ("like", "key", "value", "place"),
    [
        ("HW-101", "kind", "wagon", "kind"),
        ("HW-101", "kind", ["weapon"], "kind"),
        ("HW-101", "foo", 1, "foo"),
        ("HW-101", "weapon_name", None, "weapon_name"),
        ("HW-101", "pilot_name", 3, "pilot_name"),
        ("HW-101", "types", [], "types"),
        ("HW-101", "types", None, "types"),
        ("HW-101", "types", [1], "types.0"),
        ("HW-101", "cost", -1, "cost"),
        ("HW-101", "cost", True, "cost"),
        ("HB-801", "cost", "X", "cost"),
        ("HW-101", "frame", "green", "frame"),
        ("HW-101", "designed", 1, "designed"),
        ("HW-101", "stats", None, "stats"),
        ("HW-101", "fuel_cap", -1, "fuel_cap"),
        ("HF-301", "armour", 0, "armour"),
        ("HF-301", "armour", None, "armour"),
        ("HA-201", "durability", "2", "durability"),
        ("HA-203", "equip_if", {"colour": "red"}, "equip_if.colour"),
        ("HW-104", "keywords", ["swift"], "keywords.0"),
        ("HW-104", "keywords", ["guard"], "keywords"),
        ("HO-402", "timing", ["later"], "timing.0"),
        ("HO-402", "timing", [], "timing"),
        ("HO-421", "additional_cost", {"destroy": {"count": 0}}, "additional_cost.destroy.count"),
        (
            "HO-421",
            "additional_cost",
            {"discard": {"zone": "discard", "count": 1}},
            "additional_cost.discard.zone",
        ),
        ("HM-901", "reverse", "HM-999", "reverse"),
        ("HM-901", "cores", 3.5, "cores"),
        ("HM-902", "final", "yes", "final"),
        ("HW-101", "effects", {}, "effects"),
    ],
)
def test_faults_of_a_card(cards: Json, like: str, key: str, value: Json, place: str) -> None:
    assert places(with_card(cards, like, **{key: value})) == [f"cards.trial.{place}"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("range", "FAR"),
        ("area", "MULTI-0"),
        ("area", "MULTI-x"),
        ("power", -1),
        ("hits", 0),
        ("armour", 0),
        ("act", None),
        ("foo", 1),
    ],
)
def test_faults_of_combat_numbers(cards: Json, key: str, value: Json) -> None:
    stats = {"range": "LONG", "area": "MULTI-2", "power": 1, "armour": 1, key: value}
    assert places(with_card(cards, "HW-101", stats=stats)) == [f"cards.trial.stats.{key}"]


@pytest.mark.parametrize(
    ("effect", "place"),
    [
        ({"when": "sometimes", "do": []}, "when"),
        ({"when": "on_enter"}, "do"),
        ({"when": "would_destroy", "match": {}}, "instead"),
        ({"when": "on_enter", "do": [{"op": "explode"}]}, "do.0.op"),
        ({"when": "on_enter", "do": [{**DRAW, "count": "Y"}]}, "do.0.count"),
        ({"when": "on_enter", "do": [{**DRAW, "deck": "damage_deck"}]}, "do.0.deck"),
        ({"when": "on_enter", "do": [{**DRAW, "who": "them"}]}, "do.0.who"),
        ({"when": "on_enter", "do": [{**DRAW, "if": {"maybe": 1}}]}, "do.0.if.maybe"),
        ({"when": "on_enter", "do": [{**DRAW, "if": {"cmp": [1, "!=", 2]}}]}, "do.0.if.cmp.1"),
        ({"when": "on_enter", "do": [{"op": "modify", "what": "self", "stat": "power"}]}, "do.0"),
        ({"when": "static", "do": [DRAW]}, "do.0"),
        ({"when": "on_enter", "do": [{**TOKEN, "card": "HW-101"}]}, "do.0.card"),
        ({"when": "activated", "do": [], "cost": {"fuel": 1, "coal": 1}}, "cost.coal"),
        ({"when": "on_enter", "do": [], "targets": {"select": UNITS, "min": 2, "max": 1}},
         "targets.max"),
        ({"when": "on_enter", "do": [], "targets": {"select": {"zone": "weapon_deck"},
                                                    "min": 1, "max": 1}}, "targets.select"),
        ({"when": "on_enter", "do": [], "targets": {"select": {"zone": "hand", "side": "any"},
                                                    "min": 1, "max": 1}}, "targets.select"),
    ],
)  # fmt: skip
def test_faults_of_an_effect(cards: Json, effect: Json, place: str) -> None:
    assert places(with_effect(cards, **effect)) == [f"cards.trial.effects.0.{place}"]


def test_ids_are_given_once(cards: Json) -> None:
    twice = {"id": "e1", "when": "on_enter", "do": []}
    assert places(with_card(cards, "HF-301", effects=[twice, twice])) == [
        "cards.trial.effects.1.id"
    ]
    cards["cards"].append(cards["cards"][0])
    cards["decks"].append(cards["decks"][0])
    assert places(cards) == ["cards.HW-000", "decks.deck-ironrain"]


def test_the_faces_of_a_mothership_name_their_effects_apart(cards: Json) -> None:
    effect = {"id": "e1", "when": "on_core_lost", "do": []}
    pool = with_card(cards, "HM-902", effects=[effect])
    assert places(with_card(pool, "HM-901", id="front", reverse="trial", effects=[effect])) == [
        "cards.front.effects"
    ]


@pytest.mark.parametrize(
    ("parts", "place"),
    [
        ({"weapon_deck": {"HW-999": 20}}, "weapon_deck.HW-999"),
        ({"weapon_deck": {"HF-301": 20}}, "weapon_deck.HF-301"),
        ({"operation_deck": {"HO-401": 0}}, "operation_deck.HO-401"),
        ({"damage_deck": ["HD-501"]}, "damage_deck"),
        ({"secret": ["HB-801"]}, "secret.0"),
        ({"secret": [7]}, "secret.0"),
        ({"mothership": "HM-901"}, "mothership"),
        ({"name_ja": 1}, "name_ja"),
    ],
)
def test_faults_of_a_deck(cards: Json, parts: Json, place: str) -> None:
    assert places(with_deck(cards, **parts)) == [f"decks.trial.{place}"]


def test_faults_of_a_beast_deck(cards: Json) -> None:
    beasts = next(deck for deck in cards["decks"] if "beast_deck" in deck)
    beasts |= {"beast_deck": {"HW-101": 1}, "mothership": "HB-801"}
    assert places(cards) == [
        "decks.beasts-continental.beast_deck.HW-101",
        "decks.beasts-continental.mothership",
    ]


def test_several_faults_are_all_named(cards: Json) -> None:
    pool = with_deck(with_card(cards, "HW-101", cost="Z", types=[]), secret=["HX-999"])
    pool["tokens"] = []
    assert sorted(places(pool)) == [
        "cards.trial.cost",
        "cards.trial.types",
        "decks.trial.secret.0",
        "tokens",
    ]


def test_deep_nesting_is_a_fault_and_no_crash(cards: Json) -> None:
    condition: Json = {"your_turn": True}
    for _ in range(3_000):
        condition = {"not": condition}
    assert len(places(with_effect(cards, when="on_enter", do=[], **{"if": condition}))) == 1
