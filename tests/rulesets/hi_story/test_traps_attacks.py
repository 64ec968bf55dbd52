"""Traps of the rulebook: attacks, battles, losses of the deck (spec 17; numbers in the names)."""

from __future__ import annotations

import pytest

from service.engine.contract import Ruleset
from service.engine.values import Json
from tests.rulesets.hi_story.table import P1, P2, Played, play

TO_DECK = P1("declare_attack", field=1, target={"deck": True})
TAKE = P2("take")
BLOCK = P2("block", field=2)


def duel(attacker: Json, blocker: Json = None, **p2: Json) -> Json:
    """Return a position in which P1 attacks from field 1; P2 may have a card on field 2."""
    own = {"fields": {"1": attacker}}
    theirs = {"deck": 10, "fields": {} if blocker is None else {"2": blocker}, **p2}
    return {"phase": "attack", "players": {"P1": own, "P2": theirs}}


def lost(played: Played) -> int:
    return 10 - len(played.pile("P2", "deck"))


def test_11_only_the_top_card_dies_and_the_stack_keeps_lying_as_it_lay(ruleset: Ruleset) -> None:
    """11: a stack that lost its attacker stays resting."""
    played = play(ruleset, duel(["a1=kotaro", "a2=yasuke"], "b1=leonidas"), TO_DECK, BLOCK)
    assert played.stack("P1", 1) == {"cards": ["a1"], "rest": True, "set": False}


def test_12_the_difference_is_taken_first_and_divided_then(ruleset: Ruleset) -> None:
    """12: 4500 - 1600 is 2900, two cards; dividing first would make it four less one."""
    position = duel("a1=kuroda", "b1=mitsuki")
    position["lasting"] = [
        {"op": "power", "card": "a1", "amount": 500, "source": "a1", "turns": [3, 3]},
        {"op": "power", "card": "b1", "amount": -400, "source": "a1", "turns": [3, 3]},
    ]
    played = play(ruleset, position, TO_DECK, BLOCK)
    assert played.one("mill_computed")["basis"] == 4500 - 1600
    assert lost(played) == 2


def test_13_a_small_difference_takes_no_card_but_the_blocker(ruleset: Ruleset) -> None:
    """13: a difference below 1000 mills nothing, the blocker falls."""
    played = play(ruleset, duel("a1=kotaro", "b1=shiorin-sub"), TO_DECK, BLOCK)
    assert played.one("mill_computed")["count"] == 0
    assert lost(played) == 0
    assert played.stack("P2", 2) is None


def test_14_cards_go_first_and_the_blocker_second(ruleset: Ruleset) -> None:
    """14: if the deck empties the blocker stays where it is."""
    played = play(ruleset, duel("a1=kuroda", "b1=mitsuki", deck=2), TO_DECK, BLOCK)
    assert played.position["result"] == {"winner": "P1", "reason": "deck_out"}
    assert "card_destroyed" not in played.names
    assert played.stack("P2", 2)["cards"] == ["b1"]


def test_15_an_attack_on_a_card_costs_no_deck(ruleset: Ruleset) -> None:
    """15: also when a shield card blocks it."""
    position = duel("a1=nobunaga", "b1=mitsuki")
    position["players"]["P2"]["fields"]["3"] = {"cards": ["b2=yasuke"], "rest": True}
    played = play(ruleset, position, P1("declare_attack", field=1, target={"field": 3}), BLOCK)
    assert "mill_computed" not in played.names
    assert lost(played) == 0


def test_16_a_blocker_fights_instead_of_the_target(ruleset: Ruleset) -> None:
    """16: the target is then safe."""
    position = duel("a1=nobunaga", "b1=mitsuki")
    position["players"]["P2"]["fields"]["3"] = {"cards": ["b2=yasuke"], "rest": True}
    played = play(ruleset, position, P1("declare_attack", field=1, target={"field": 3}), BLOCK)
    assert played.stack("P2", 2) is None
    assert played.stack("P2", 3)["cards"] == ["b2"]


@pytest.mark.parametrize("target", [{"deck": True}, {"field": 2}])
def test_17_equal_power_destroys_both(ruleset: Ruleset, target: Json) -> None:
    """17: also when the target is a card."""
    is_card = "field" in target
    position = duel("a1=mitsuki", {"cards": ["b1=mitsuki"], "rest": is_card})
    attack = P1("declare_attack", field=1, target=target)
    played = play(ruleset, position, attack, TAKE if is_card else BLOCK)
    assert (played.stack("P1", 1), played.stack("P2", 2)) == (None, None)
    assert lost(played) == 0


def test_18_a_substitute_counts_by_its_ability(ruleset: Ruleset) -> None:
    """18: 3000 of the ability, not the power of 1000; for this battle only."""
    position = duel("a1=nobunaga", hand=["b1=shiorin-sub", "b2=shiorin-sub"])
    played = play(ruleset, position, TO_DECK, P2("substitute", card="b1"))
    assert played.one("power_computed")["total"] == 9000 - 3000
    assert lost(played) == 6
    again = play(
        ruleset, position, TO_DECK, P2("substitute", card="b1"), P2("substitute", card="b2")
    )
    assert again.refused == "HS-604"


@pytest.mark.parametrize("cards", [[], ["b1"], ["b1", "b2"]])
def test_18_several_substitutes_at_once(ruleset: Ruleset, cards: Json) -> None:
    """18: a list of any length is HS-608."""
    position = duel("a1=nobunaga", hand=["b1=shiorin-sub", "b2=shiorin-sub"])
    assert play(ruleset, position, TO_DECK, P2("substitute", card=cards)).refused == "HS-608"


def test_19_power_is_raised_to_0_once_at_the_end(ruleset: Ruleset) -> None:
    """19: 1500 - 2000 + 1000 is 500; a floor in between would make it 1000."""
    position = duel("a1=kotaro")
    position["lasting"] = [
        {"op": "power", "card": "a1", "amount": amount, "source": "a1", "turns": [3, 3]}
        for amount in (-2000, 1000)
    ]
    played = play(ruleset, position, TO_DECK, TAKE)
    computed = played.one("power_computed")
    assert [part["amount"] for part in computed["modifiers"]] == [-2000, 1000]
    assert computed["total"] == 500
    assert lost(played) == 0


def test_20_icons_can_be_granted(ruleset: Ruleset) -> None:
    """20: a granted sword attacks; filters by `icon` read what is printed."""
    position = duel("a1=okuni")
    assert play(ruleset, position, TO_DECK).refused == "HS-602"
    grant = {"op": "grant", "card": "a1", "keyword": "sword", "source": "a1", "turns": [3, 3]}
    assert play(ruleset, {**position, "lasting": [grant]}, TO_DECK).refused is None


def test_22_statics_stop_with_their_source(ruleset: Ruleset) -> None:
    """22, 49: a covered source gives nothing; power is computed at battle time."""
    position = duel("a1=shun-dash")
    position["players"]["P1"]["fields"]["2"] = "a2=mirei-coach"
    assert lost(play(ruleset, position, TO_DECK, TAKE)) == 2
    position["players"]["P1"]["fields"]["2"] = ["a2=mirei-coach", "a3=kuroda"]
    assert lost(play(ruleset, position, TO_DECK, TAKE)) == 1


def test_24_prevention_does_not_save_the_blocker(ruleset: Ruleset) -> None:
    """24: it takes the loss of the attack away, nothing else."""
    position = duel("a1=nobunaga", "b1=mitsuki")
    position["lasting"] = [
        {"op": "prevent", "player": "P2", "times": 1, "source": "b1", "turns": [3, 3]}
    ]
    played = play(ruleset, position, TO_DECK, BLOCK)
    assert (lost(played), played.stack("P2", 2)) == (0, None)
    assert played.position["lasting"] == []


def test_24_prevention_is_for_attacks_only(ruleset: Ruleset) -> None:
    """24: an effect that mills does not meet it."""
    position = {
        "phase": "effect",
        "summoned": ["a1"],
        "lasting": [{"op": "prevent", "player": "P2", "times": 1, "source": "b1", "turns": [3, 3]}],
        "players": {"P1": {"fields": {"1": "a1=hamabo-plan"}}, "P2": {"deck": 10}},
    }
    played = play(ruleset, position, P1("activate_effect", card="a1"))
    assert lost(played) == 1
    assert played.position["lasting"] != []


def test_25_the_turn_players_triggers_come_first(ruleset: Ruleset) -> None:
    """25: the winner readies itself before the loser's last effect may rest it."""
    position = duel("a1=alexander", {"cards": ["b1=spartacus"], "rest": True})
    attack = P1("declare_attack", field=1, target={"field": 2})
    played = play(ruleset, position, attack, TAKE)
    queued = played.one("effects_queued")["entries"]
    assert [entry["card"] for entry in queued] == ["a1", "b1"]
    assert played.position["pending"]["candidates"] == ["a1"]


def test_34_not_blocked_is_not_the_same_as_a_deck_attack(ruleset: Ruleset) -> None:
    """34: the bonus is gone when a blocker fights."""
    free = play(ruleset, duel("a1=shun-bare"), TO_DECK, TAKE)
    assert lost(free) == 2
    blocked = play(ruleset, duel("a1=shun-bare", "b1=shiorin-sub"), TO_DECK, BLOCK)
    assert blocked.all("power_computed")[0]["total"] == 1000


@pytest.mark.parametrize(("accept", "cards_lost"), [(True, 0), (False, 3)])
def test_37_an_optional_prevention_pauses_the_battle(
    ruleset: Ruleset, accept: bool, cards_lost: int
) -> None:
    """37, 56: the blocker falls after either answer, without new powers; then the battle ends."""
    position = duel("a1=tomoe", "b1=shun-guard")
    position["lasting"] = [
        {"op": "prevent", "player": "P2", "times": 1, "ask": True, "source": "b1", "turns": [3, 3]}
    ]
    asked = play(ruleset, position, TO_DECK, BLOCK)
    assert asked.position["pending"]["operation"]["op"] == "prevent_loss"
    assert asked.stack("P2", 2)["cards"] == ["b1"]
    played = play(ruleset, position, TO_DECK, BLOCK, P2("choose", accept=accept))
    after = [fact["fact"] for fact in played.records[-1].facts]
    assert "power_computed" not in after
    assert "battle_resolved" in after
    assert (lost(played), played.stack("P2", 2)) == (4 if cards_lost else 0, None)


def test_56_nobody_asks_about_a_loss_of_nothing(ruleset: Ruleset) -> None:
    """56: with a count of 0 there is no question."""
    position = duel("a1=kotaro", "b1=shiorin-sub")
    position["lasting"] = [
        {"op": "prevent", "player": "P2", "times": 1, "ask": True, "source": "b1", "turns": [3, 3]}
    ]
    played = play(ruleset, position, TO_DECK, BLOCK)
    assert played.position["pending"] is None
    assert played.position["lasting"] != []


def test_45_keep_all_holds_in_battle_too(ruleset: Ruleset) -> None:
    """45: equal power may leave both cards on the field."""
    position = duel("a1=achilles", {"cards": ["b1=achilles"], "rest": True})
    attack = P1("declare_attack", field=1, target={"field": 2})
    played = play(ruleset, position, attack, TAKE)
    assert [fact["card"] for fact in played.all("leave_prevented")] == ["a1", "b1"]
    assert (played.stack("P1", 1)["cards"], played.stack("P2", 2)["cards"]) == (["a1"], ["b1"])


@pytest.mark.parametrize(
    ("deed", "rule"),
    [
        (P1("take"), "HS-604"),
        (P2("take"), "HS-644"),
        (P2("substitute", card=[]), "HS-644"),
        (P2("play", card="b9"), "HS-644"),
        (P2("block", field=1), "HS-605"),
    ],
)
def test_58_order_of_refusals_of_a_defence(
    ruleset: Ruleset, deed: tuple[str, Json], rule: str
) -> None:
    """58: the duty to block lies behind HS-604 and before everything else."""
    position = duel("a1=kotaro", "b1=mitsuki")
    position["lasting"] = [
        {"op": "duty", "player": "P2", "action": "block", "source": "a1", "turns": [3, 3]}
    ]
    assert play(ruleset, position, TO_DECK, deed).refused == rule


def test_59_an_answer_by_incident_is_not_no_defence(ruleset: Ruleset) -> None:
    """59: `defense_is` says incident; the attack then goes on unblocked."""
    played = play(ruleset, duel("a1=yasuke", hand=["b1=eclipse"]), TO_DECK, P2("play", card="b1"))
    assert played.one("defense_chosen")["kind"] == "incident"
    assert lost(played) == 0
