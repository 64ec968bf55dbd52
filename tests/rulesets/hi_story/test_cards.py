"""Which pools are refused: each fault by itself with its place, several at once all named."""

from __future__ import annotations

import pytest

from service.engine.values import Json
from service.rulesets.hi_story import GAME


def places(cards: Json) -> list[str]:
    return [fault.place for fault in GAME.pool_faults(cards)]


def card_of(cards: Json, name: str) -> Json:
    return next(card for card in cards["cards"] if card["id"] == name)


def with_effect(cards: Json, effect: Json, **parts: Json) -> Json:
    """Return the pool with one more card, which bears this effect."""
    card = {"id": "trial", "name_ja": "試", "rank": 1, **parts, "effects": [effect]}
    return {**cards, "cards": [*cards["cards"], card]}


def once(*operations: Json) -> Json:
    return {"when": "once", "do": list(operations)}


def always(*operations: Json, **parts: Json) -> Json:
    return {"when": "always", "do": list(operations), **parts}


THIS = {"this": True}
OWN_FIELD = {"zone": "field"}
FROM_HAND = {"zone": "hand"}
DRAW = {"op": "draw", "player": "self", "count": 1}
TO_DECK = {"op": "move", "select": {"zone": "graveyard"}, "pick": {"up_to": 1}, "to": "deck"}
LAST_TO_HAND = {"op": "move", "select": {"last": True}, "to": "hand"}


def test_the_sample_pool_has_no_fault(cards: Json) -> None:
    assert places(cards) == []


@pytest.mark.parametrize("value", [None, 1, "cards", [], {}, {"cards": {}, "decks": []}])
def test_what_is_no_pool_is_refused(value: Json) -> None:
    assert places(value) != []


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("rank", 5, "rank"),
        ("rank", True, "rank"),
        ("power", -1, "power"),
        ("sword", 1, "sword"),
        ("substitute", 0, "substitute"),
        ("kind", "person", "kind"),
        ("attributes", "武士", "attributes"),
        ("attributes", ["武士", 3], "attributes.1"),
        ("colour", "red", "colour"),
        ("respond", True, "respond"),
        ("set_on", [{"filter": {"colour": "red"}}], "set_on.0.filter.colour"),
        ("effects", [{"when": "sometimes", "do": []}], "effects.0.when"),
        ("effects", [{"when": "once"}], "effects.0.do"),
        ("effects", [once({"op": "explode"})], "effects.0.do.0.op"),
        ("effects", [once({**DRAW, "count": 1.0})], "effects.0.do.0.count"),
        ("effects", [{**once(DRAW), "event": "attack"}], "effects.0.event"),
    ],
)
def test_a_wrong_field_is_named(cards: Json, key: str, value: Json, place: str) -> None:
    card_of(cards, "yasuke")[key] = value
    assert places(cards) == [f"cards.yasuke.{place}"]


def test_a_missing_field_is_named(cards: Json) -> None:
    del card_of(cards, "yasuke")["rank"]
    assert places(cards) == ["cards.yasuke.rank"]


def test_an_id_is_given_once(cards: Json) -> None:
    cards["cards"].append(card_of(cards, "yasuke"))
    assert places(cards) == ["cards.yasuke"]


def test_a_deck_names_cards_of_the_file(cards: Json) -> None:
    cards["decks"]["tenka"]["list"][2:4] = ["nobody*2", "yasuke*33"]
    assert places(cards) == ["decks.tenka.list.2", "decks.tenka.list.3"]


def test_an_effect_that_holds_itself_is_cut_off_and_named(cards: Json) -> None:
    branch: Json = {"op": "if", "cond": {"turn_of": "self"}, "then": []}
    branch["then"].append(branch)
    card_of(cards, "yasuke")["effects"] = [once(branch)]
    index = cards["cards"].index(card_of(cards, "yasuke"))
    assert cards["cards"][index]["id"] == "yasuke"
    assert places(cards) == ["cards.yasuke.effects.0.do.0.then.0"]


def test_a_part_named_without_end_many_times_is_refused(cards: Json) -> None:
    heap: Json = []
    for _ in range(40):
        heap = [heap, heap]
    card_of(cards, "yasuke")["effects"] = heap
    assert places(cards) != []


def test_every_fault_is_named_not_only_the_first(cards: Json) -> None:
    card_of(cards, "yasuke")["rank"] = 9
    card_of(cards, "okuni")["effects"] = [once({"op": "explode"}, {**DRAW, "until": "turn"})]
    card_of(cards, "relay")["effects"] = []
    del cards["decks"]["lamp"]["list"]
    cards["decks"]["mare"]["list"].append("nobody")
    cards["notes"] = "none"
    assert sorted(places(cards)) == [
        "cards.okuni.effects.0.do.0.op",
        "cards.okuni.effects.0.do.1.until",
        "cards.relay.effects",
        "cards.yasuke.rank",
        "decks.lamp.list",
        f"decks.mare.list.{len(cards['decks']['mare']['list']) - 1}",
        "notes",
    ]


REFUSED = {
    "always draws": (always(DRAW), "do.0.op"),
    "always for a time": (
        always({"op": "duty", "player": "self", "action": "block", "until": "turn"}),
        "do.0.until",
    ),
    "always with a pick": (
        always({"op": "grant", "select": OWN_FIELD, "pick": {"all": True}, "keyword": "sword"}),
        "do.0.pick",
    ),
    "always reads last": (
        always({"op": "power", "select": {"last": True}, "amount": 1}),
        "do.0.select.last",
    ),
    "always reads present powers": (
        always({"op": "power", "select": {"zone": "field", "filter": {"power": 1}}, "amount": 1}),
        "do.0.select.filter.power",
    ),
    "always reads granted icons": (
        always(
            {"op": "duty", "player": "self", "action": "block"},
            **{"if": {"count": {"zone": "field", "filter": {"has": "sword"}}, "at_least": 1}},
        ),
        "if.count.filter.has",
    ),
    "always sums powers": (
        always({"op": "power", "select": THIS, "amount": {"sum": "power", "of": OWN_FIELD}}),
        "do.0.amount.sum",
    ),
    "optional once": ({**once(DRAW), "optional": True}, "optional"),
    "always from the hand for others": (
        always({"op": "grant", "select": OWN_FIELD, "keyword": "keep"}, where="hand"),
        "do.0",
    ),
    "always face down with an icon": (
        always({"op": "grant", "select": THIS, "keyword": "sword"}, where=["field", "down"]),
        "do.0",
    ),
    "this is placed from the field": (
        once({"op": "summon", "select": THIS, "order": "rank"}),
        "do.0.select.this",
    ),
    "placed from the field": (
        once({"op": "set", "select": OWN_FIELD, "order": "rank"}),
        "do.0.select.zone",
    ),
    "placed from the other side": (
        once({"op": "summon", "select": {"zone": "hand", "side": "both"}, "order": "rank"}),
        "do.0.select.side",
    ),
    "placed without a choice": (
        once({"op": "summon", "select": FROM_HAND, "pick": {"random": 1}, "order": "rank"}),
        "do.0.pick",
    ),
    "shifted without a choice": (
        once({"op": "shift", "select": OWN_FIELD, "pick": {"all": True}}),
        "do.0.pick",
    ),
    "rested elsewhere": (
        once({"op": "rest", "select": {"zone": ["field", "under"]}}),
        "do.0.select.zone",
    ),
    "under this without under": (
        once({"op": "move", "select": {"zone": "field", "of_this": True}, "to": "hand"}),
        "do.0.select.of_this",
    ),
    "until attack outside an attack": (
        once({"op": "prevent", "player": "self", "times": 1, "until": "attack"}),
        "do.0.until",
    ),
    "until field for a ban": (
        once({"op": "forbid", "player": "self", "action": "set", "until": "field"}),
        "do.0.until",
    ),
    "a condition counts hidden cards": (
        {**once(DRAW), "if": {"count": {"zone": "hand", "filter": {"rank": 0}}, "at_least": 1}},
        "if.count.filter",
    ),
    "a ban of mill with a filter": (
        once(
            {
                "op": "forbid",
                "player": "self",
                "action": "mill",
                "filter": {"rank": 0},
                "until": "turn",
            }
        ),
        "do.0.filter",
    ),
    "random from both sides": (
        once(
            {
                "op": "move",
                "select": {"zone": "hand", "side": "both"},
                "pick": {"random": 1},
                "to": "graveyard",
            }
        ),
        "do.0.pick.random",
    ),
    "prevent no times": (
        once({"op": "prevent", "player": "self", "times": 0, "until": "turn"}),
        "do.0.times",
    ),
    "a bound over face-down cards": (
        once(
            {
                "op": "move",
                "select": {"zone": "field", "side": "opponent"},
                "pick": {"up_to": 2, "distinct": "rank"},
                "to": "hand",
            }
        ),
        "do.0.pick.distinct",
    ),
    "played by a person": ({"when": "played", "do": [DRAW]}, "when"),
    "per turn by no name": ({**once(DRAW), "per_turn": "name"}, "per_turn"),
    "would leave the hand": ({"when": "would_leave", "where": "hand", "do": []}, "where"),
    "an extra turn by itself": ({"when": "dies", "do": [{"op": "extra_turn"}]}, "do.0.op"),
    "an internal operation": (
        once({"op": "leave", "card": "a1", "to": "hand", "reveal": False}),
        "do.0.op",
    ),
    "last before a selection of a delayed list": (
        once({"op": "later", "at": "turn_end", "do": [LAST_TO_HAND]}),
        "do.0.do.0.select.last",
    ),
    "last lies shuffled in a deck": (once(TO_DECK, LAST_TO_HAND), "do.1.select.last"),
}


@pytest.mark.parametrize(("effect", "place"), REFUSED.values(), ids=REFUSED)
def test_an_effect_that_9_7_refuses_is_named(cards: Json, effect: Json, place: str) -> None:
    assert places(with_effect(cards, effect)) == [f"cards.trial.effects.0.{place}"]


def test_how_many_were_shuffled_may_be_asked(cards: Json) -> None:
    asked = {
        "op": "if",
        "cond": {"count": {"last": True}, "at_least": 1},
        "then": [DRAW],
    }
    assert places(with_effect(cards, once(TO_DECK, asked))) == []


@pytest.mark.parametrize(
    ("parts", "place"),
    [
        ({"rank": 4}, "rank"),
        ({"power": 1000}, "power"),
        ({"sword": True}, "sword"),
        ({"title_ja": "嵐の"}, "title_ja"),
    ],
)
def test_an_incident_has_a_level_and_little_else(cards: Json, parts: Json, place: str) -> None:
    card_of(cards, "relay").update(parts)
    assert places(cards) == [f"cards.relay.{place}"]


def test_an_answer_counts_nothing_hidden(cards: Json) -> None:
    counted = {"zone": "deck", "filter": {"rank": 0}}
    card_of(cards, "relay")["respond"] = {"count": counted, "at_least": 1}
    assert places(cards) == ["cards.relay.respond.count.filter"]
