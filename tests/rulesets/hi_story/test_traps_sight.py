"""Traps of the rulebook: what ids, facts and refusals must not tell (spec 17; numbers in names)."""

from __future__ import annotations

import pytest

from service.engine.contract import Ruleset
from service.engine.values import Fact, Json
from tests.rulesets.hi_story.table import P1, P2, Played, play

OUTSIDERS = ("P2", "spectator")


def seen(ruleset: Ruleset, played: Played, viewer: str) -> list[Fact]:
    forms = [ruleset.redact(record, viewer) for record in played.records]
    return [fact for form in forms for fact in form["facts"] if fact is not None]


def of_name(facts: list[Fact], name: str) -> Fact:
    return next(fact for fact in facts if fact["fact"] == name)


@pytest.mark.parametrize("viewer", OUTSIDERS)
def test_28_others_cards_are_named_by_place(ruleset: Ruleset, viewer: str) -> None:
    """28: in views, facts and actions; what is shown is told with its definition."""
    position = {"phase": "effect", "players": {"P1": {"deck": 9, "fields": {"2": "a7=edison"}}}}
    played = play(ruleset, position, P1("activate_effect", card="a7"))
    form = ruleset.redact(played.records[0], viewer)
    assert form["action"] == {
        "type": "activate_effect",
        "card": "P1.2",
        "shown": {"P1.2": "edison"},
    }
    activated = of_name(seen(ruleset, played, viewer), "effect_activated")
    assert (activated["card"], activated["shown"]) == ("P1.2", {"P1.2": "edison"})
    view = ruleset.view(played.position, viewer)
    assert view["players"]["P1"]["fields"]["2"]["cards"] == ["P1.2"]
    assert view["used"] == ["P1.2#0", "P1:電流争い"]


@pytest.mark.parametrize("tried", ["b7", "b8"])
def test_28_hidden_ids_cannot_be_tried_out(ruleset: Ruleset, tried: str) -> None:
    """28: refused whether or not the id is a candidate; the place is taken."""
    stacks = {"3": {"cards": ["b6=kotaro", "b7=aesop"], "set": True}}
    sides = {"P1": {"fields": {"1": "a1=hokusai"}}, "P2": {"fields": stacks, "hand": ["b8=okuni"]}}
    position = {"phase": "effect", "summoned": ["a1"], "players": sides}
    asked = play(ruleset, position, P1("activate_effect", card="a1"))
    assert play(ruleset, asked.position, P1("choose", cards=[tried])).refused == "HS-924"
    assert play(ruleset, asked.position, P1("choose", cards=["P2.3"])).refused is None


@pytest.mark.parametrize("viewer", ["P1", "P2", "spectator"])
def test_29_a_graveyard_is_hidden_from_its_owner_too(ruleset: Ruleset, viewer: str) -> None:
    """29: only the number is public."""
    position = ruleset.normalise({"players": {"P1": {"graveyard": ["a1=okuni", "a2=aesop"]}}})
    view = ruleset.view(position, viewer)
    assert view["players"]["P1"]["graveyard"] == ["?", "?"]
    assert view["cards"] == {}


@pytest.mark.parametrize("viewer", OUTSIDERS)
def test_44_a_declined_offer_leaves_no_trace(ruleset: Ruleset, viewer: str) -> None:
    """44: neither the card nor the effect is told, before or after the question."""
    sides = {"P1": {"hand": ["a1=saigo"], "fields": {"1": "a3=edison"}}}
    position = {"phase": "summon", "players": sides}
    asked = play(ruleset, position, P1("end_phase"))
    view = ruleset.view(asked.position, viewer)
    assert view["pending"] == {"player": "P1", "kind": "confirm"}
    declined = play(ruleset, position, P1("end_phase"), P1("choose", accept=False))
    facts = seen(ruleset, declined, viewer)
    assert "effect_triggered" not in [fact["fact"] for fact in facts]
    for name in ("effect_offered", "effect_declined"):
        fact = of_name(facts, name)
        assert (fact["card"], fact["effect"]) == ("?", "?")
    assert "saigo" not in str(facts)


def test_54_a_card_that_leaves_is_called_by_its_place_before(ruleset: Ruleset) -> None:
    """54: it is a place while it lies on the field, and nothing afterwards."""
    sides = {
        "P1": {"fields": {"1": "a1=nobunaga"}},
        "P2": {"fields": {"4": {"cards": ["b1=okuni"], "rest": True}}},
    }
    position = {"phase": "attack", "players": sides}
    attack = P1("declare_attack", field=1, target={"field": 4})
    played = play(ruleset, position, attack, P2("take"))
    destroyed = of_name(seen(ruleset, played, "P1"), "card_destroyed")
    assert (destroyed["card"], destroyed["shown"]) == ("P2.4", {"P2.4": "okuni"})


def test_54_a_card_face_down_before_and_after_is_not_shown(ruleset: Ruleset) -> None:
    """54: that it was kept down is public, what it is is not."""
    stacks = {"1": {"cards": ["a1=kotaro", "a2=aesop"], "set": True}}
    ban = {"op": "forbid", "player": "P1", "action": "turn_up", "source": "b1", "turns": [3, 3]}
    position = {"phase": "draw", "lasting": [ban], "players": {"P1": {"fields": stacks}}}
    played = play(ruleset, position, P1("draw", count=0))
    fact = of_name(seen(ruleset, played, "P2"), "turn_up_prevented")
    assert fact == {
        "fact": "turn_up_prevented",
        "player": "P1",
        "field": 1,
        "card": "P1.1",
        "rules": ["HS-314"],
    }


def test_54_it_and_operation_of_a_question_are_named_too(ruleset: Ruleset) -> None:
    """54: the card about to leave and the card reacted to are ids inside a question."""
    leave: Json = {"op": "leave", "card": "b1", "to": "hand", "reveal": False}
    pending: dict[str, Json] = {
        "player": "P1",
        "kind": "confirm",
        "card": "a1",
        "effect": 0,
        "offer": True,
        "it": "b1",
    }
    sides = {"P1": {"fields": {"1": "a1=okuni"}}, "P2": {"fields": {"2": "b1=aesop"}}}
    frame = {"source": "a1", "player": "P1", "effect": 0, "ops": [leave]}
    position: dict[str, Json] = {"phase": "effect", "frames": [frame], "players": sides}
    view = ruleset.view(ruleset.normalise({**position, "pending": pending}), "P1")
    assert view["pending"]["it"] == "P2.2"
    assert view["frames"][0]["ops"][0]["card"] == "P2.2"
    del pending["offer"], pending["it"]
    asked = {**position, "pending": {**pending, "operation": leave}}
    view = ruleset.view(ruleset.normalise(asked), "P1")
    assert view["pending"]["operation"]["card"] == "P2.2"


def test_54_words_are_not_taken_for_ids(ruleset: Ruleset) -> None:
    """54: only named fields are redacted, whatever other strings look like."""
    position = {"used": ["P1:a1"], "players": {"P1": {"hand": ["a1=okuni"]}}}
    view = ruleset.view(ruleset.normalise(position), "P2")
    assert view["used"] == ["P1:a1"]
