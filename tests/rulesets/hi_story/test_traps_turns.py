"""Traps of the rulebook: setup, turns, phases, setting (spec 17; numbers in the names)."""

from __future__ import annotations

import pytest

from service.engine.contract import Ruleset
from service.engine.values import Json
from tests.rulesets.hi_story.table import P1, P2, SYSTEM, Played, play

START = SYSTEM("start_game", decks={"P1": "@tenka", "P2": "@mare"})
NO_RANK_0 = ["a16", "a17", "a18", "a19", "a20"]
AGAIN_NO_RANK_0 = ["a21", "a22", "a23", "a24", "a25"]


def at_setup(ruleset: Ruleset, *deeds: tuple[str, Json], top: list[str], **rng: Json) -> Played:
    """Start a game in which P1's deck begins with these cards."""
    rolled = [{"die": rng["die"]}] if "die" in rng else []
    shuffles = [{"shuffle": "P1.deck", "order": top}, {"shuffle": "P2.deck"}, *rng.get("then", [])]
    return play(ruleset, {"phase": "setup"}, START, *deeds, rng=[*shuffles, *rolled])


def fields(**stacks: Json) -> Json:
    """Return the fields `f1=...` to `f5=...` of a side."""
    return {name[1:]: stack for name, stack in stacks.items()}


def test_01_an_empty_deck_loses_not_a_failed_draw(ruleset: Ruleset) -> None:
    """1: with one card left a draw of two moves one, and that loses."""
    played = play(ruleset, {"phase": "draw", "players": {"P1": {"deck": 1}}}, P1("draw", count=2))
    assert len(played.one("cards_drawn")["cards"]) == 1
    assert played.position["result"] == {"winner": "P2", "reason": "deck_out"}


def test_02_the_first_player_is_decided_after_the_mulligans(ruleset: Ruleset) -> None:
    """2: nobody is first before both hands are settled."""
    decide = SYSTEM("decide_first")
    early = at_setup(ruleset, P1("keep_hand"), decide, top=[])
    assert early.refused == "HS-213"
    late = at_setup(ruleset, P1("keep_hand"), P2("keep_hand"), decide, top=[], die=4)
    assert late.position["first"] == "P2"


def test_03_cards_laid_aside_stay_out_until_the_hand_is_settled(ruleset: Ruleset) -> None:
    """3: no shuffle between two mulligans; after the second one the hand is settled at once."""
    first = at_setup(ruleset, P1("mulligan", cards=NO_RANK_0), top=NO_RANK_0 + AGAIN_NO_RANK_0)
    assert first.pile("P1", "aside") == NO_RANK_0
    assert not first.position["players"]["P1"]["settled"]
    second = at_setup(
        ruleset,
        P1("mulligan", cards=NO_RANK_0),
        P1("mulligan", cards=AGAIN_NO_RANK_0),
        top=NO_RANK_0 + AGAIN_NO_RANK_0,
        then=[{"shuffle": "P1.deck"}],
    )
    assert second.names[-3:] == ["aside_returned", "zone_shuffled", "hand_settled"]
    assert second.all("hand_settled")[0]["rules"] == ["HS-204"]


def test_03_a_hand_is_kept_expressly_in_every_other_case(ruleset: Ruleset) -> None:
    """3: after one mulligan, and with rank 0 in hand, the player still has to keep it."""
    played = at_setup(ruleset, top=[])
    assert "hand_settled" not in played.names
    listed = ruleset.legal_actions(played.position)["P1"]
    assert listed == [{"type": "keep_hand"}, {"type": "concede"}]


def test_04_no_mulligan_with_rank_0_in_hand_also_after_the_first(ruleset: Ruleset) -> None:
    """4: the condition is tested anew before the second mulligan."""
    played = at_setup(
        ruleset,
        P1("mulligan", cards=NO_RANK_0[:1]),
        P1("mulligan", cards=NO_RANK_0[1:2]),
        top=[*NO_RANK_0, "a1"],
    )
    assert (len(played.records), played.refused) == (2, "HS-203")


@pytest.mark.parametrize(
    ("turn", "deed", "rule"),
    [
        (1, P1("draw", count=0), "HS-208"),
        (2, P1("set_card", card="a2", field=1), "HS-209"),
        (2, P1("declare_attack", field=1, target={"deck": True}), "HS-210"),
    ],
)
def test_05_first_turns_are_cited_before_the_phase(
    ruleset: Ruleset, turn: int, deed: tuple[str, Json], rule: str
) -> None:
    """5: HS-208 to HS-210 come before any test of the phase."""
    assert play(ruleset, {"turn": turn, "phase": "summon"}, deed).refused == rule


def test_05_turns_1_and_2_go_from_effects_to_the_end(ruleset: Ruleset) -> None:
    """5: turn 2 has a draw, and neither first turn has set and attack."""
    played = play(ruleset, {"turn": 1, "phase": "effect"}, P1("end_phase"), P2("draw", count=1))
    assert [fact["phase"] for fact in played.all("phase_skipped")] == ["set", "attack"]
    assert played.position["phase"] == "summon"
    assert len(played.pile("P2", "hand")) == 1


def test_06_draw_then_refresh_then_turning_up(ruleset: Ruleset) -> None:
    """6: the order within the draw phase; turning up is not asked for."""
    stacks = fields(
        f1={"cards": ["a1=yasuke"], "rest": True},
        f2={"cards": ["a2=kotaro", "a3=okuni"], "set": True},
    )
    played = play(
        ruleset, {"phase": "draw", "players": {"P1": {"fields": stacks}}}, P1("draw", count=1)
    )
    assert played.names == [
        "draw_declared",
        "cards_drawn",
        "stacks_readied",
        "phase_started",
        "card_revealed",
    ]


def test_07_stacks_are_listed_upwards_and_piles_downwards(ruleset: Ruleset) -> None:
    """7: the last card of a stack is its top, the first of a pile the top of the pile."""
    position = {
        "phase": "draw",
        "players": {
            "P1": {
                "deck": ["a1=kotaro", "a2=yasuke"],
                "fields": fields(f1=["a3=kotaro", "a4=yasuke"]),
            }
        },
    }
    played = play(ruleset, position, P1("draw", count=1))
    assert played.pile("P1", "hand") == ["a1"]
    view = ruleset.view(played.position, "P2")
    assert view["cards"]["P1.1"] == "yasuke"


def test_08_a_set_stack_is_no_target_and_is_not_refreshed(ruleset: Ruleset) -> None:
    """8: face down is neither active nor resting."""
    down = {"cards": ["b1=kotaro", "b2=yasuke"], "set": True}
    position = {
        "phase": "attack",
        "players": {
            "P1": {"fields": fields(f1="a1=yasuke")},
            "P2": {"fields": fields(f3=down, f4={"cards": ["b3=mitsuki"], "rest": True})},
        },
    }
    attack = P1("declare_attack", field=1, target={"field": 3})
    assert play(ruleset, position, attack).refused == "HS-603"
    played = play(ruleset, position, P1("end_phase"), P2("draw", count=0))
    assert played.one("stacks_readied")["fields"] == [4]


def test_08_a_set_stack_neither_attacks_nor_blocks(ruleset: Ruleset) -> None:
    """8: also with both icons."""
    down = {"cards": ["a1=shun-dash", "a2=yamauchi"], "set": True}
    own = {"phase": "attack", "players": {"P1": {"fields": fields(f1=down)}}}
    attack = P1("declare_attack", field=1, target={"deck": True})
    assert play(ruleset, own, attack).refused == "HS-509"
    other = {"cards": ["b1=shun-dash", "b2=yamauchi"], "set": True}
    defended = {
        "phase": "attack",
        "attack": {"field": 1, "target": {"deck": True}},
        "players": {
            "P1": {"fields": fields(f1={"cards": ["a1=yasuke"], "rest": True})},
            "P2": {"fields": fields(f1=other)},
        },
    }
    assert play(ruleset, defended, P2("block", field=1)).refused == "HS-605"


def test_09_a_set_on_a_resting_stack_comes_up_active(ruleset: Ruleset) -> None:
    """9: legal on a card summoned this turn and on a resting stack."""
    position = {
        "phase": "set",
        "summoned": ["a1"],
        "players": {
            "P1": {
                "hand": ["a2=yasuke"],
                "fields": fields(f1={"cards": ["a1=kotaro"], "rest": True}),
            }
        },
    }
    played = play(ruleset, position, P1("set_card", card="a2", field=1))
    assert played.stack("P1", 1) == {"cards": ["a1", "a2"], "rest": False, "set": True}


def test_10_one_set_per_field_follows_from_the_face_down_top(ruleset: Ruleset) -> None:
    """10: a second set on the field is HS-506; another field takes one."""
    position = {
        "phase": "set",
        "players": {
            "P1": {
                "hand": ["a3=yasuke", "a4=okuni", "a5=kuroda"],
                "fields": fields(f1="a1=kotaro", f2="a2=mitsuki"),
            }
        },
    }
    first = P1("set_card", card="a3", field=1)
    assert play(ruleset, position, first, P1("set_card", card="a5", field=1)).refused == "HS-506"
    played = play(ruleset, position, first, P1("set_card", card="a4", field=2))
    assert played.refused is None


def test_23_copies_are_counted_by_title_and_name(ruleset: Ruleset, cards: Json) -> None:
    """23: four copies need rank 0 and one of three names; present-day players of rank 1 are one."""
    tenka = cards["decks"]["tenka"]["list"]

    def refused_with(deck: list[str]) -> str | None:
        start = SYSTEM("start_game", decks={"P1": deck, "P2": "@mare"})
        rng = [{"shuffle": "P1.deck"}, {"shuffle": "P2.deck"}]
        return play(ruleset, {"phase": "setup"}, start, rng=rng).refused

    def instead(old: str, new: str) -> list[str]:
        assert old in tenka
        return [new if entry == old else entry for entry in tenka]

    assert refused_with(tenka) is None
    assert refused_with(instead("shiorin-sub*4", "shun-guard*4")) is None
    assert refused_with(instead("shiorin-sub*4", "kotaro*4")) == "HS-111"
    assert refused_with(instead("benkei*1", "yasuke*1")) == "HS-111"
    assert refused_with(instead("benkei*1", "riku-umpire*1")) == "HS-113"
    assert refused_with(instead("benkei*1", "shun-dash*1")) == "HS-112"


def test_32_a_draw_of_nothing_has_to_be_declared(ruleset: Ruleset) -> None:
    """32: the draw phase is not ended, it is drawn in."""
    assert play(ruleset, {"phase": "draw"}, P1("end_phase")).refused == "HS-303"
    assert play(ruleset, {"phase": "draw"}, P1("draw", count=0)).refused is None


def test_33_the_order_of_a_deck_is_no_order_of_keys(ruleset: Ruleset) -> None:
    """33: with its keys shuffled the fact still leads to the same deck."""
    played = at_setup(ruleset, top=[])
    fact = played.all("deck_accepted")[0]
    backwards = dict(reversed(fact["cards"].items()))
    before = ruleset.new_position()
    after = ruleset.evolve(before, {**fact, "cards": backwards})
    assert after["players"]["P1"]["deck"] == [f"a{number}" for number in range(1, 33)]
    assert after == ruleset.evolve(before, fact)


@pytest.mark.parametrize("count", [True, "1", 1.0, None, [], {}, -1, 3])
def test_57_a_number_is_a_json_integer(ruleset: Ruleset, count: Json) -> None:
    """57: true is not 1, "1" and 1.0 are no numbers; nothing crashes."""
    assert play(ruleset, {"phase": "draw"}, P1("draw", count=count)).refused == "HS-303"


@pytest.mark.parametrize("wrong", [True, "1", 1.0, None, [], {}, 0, 6])
def test_57_a_field_is_a_json_integer(ruleset: Ruleset, wrong: Json) -> None:
    """57: what is no field fails the first test that reads it."""
    position = {"phase": "summon", "players": {"P1": {"hand": ["a1=kotaro"]}}}
    assert play(ruleset, position, P1("summon", card="a1", field=wrong)).refused == "HS-702"


@pytest.mark.parametrize("wrong", [[], {}, ["a1"], True, 1, None])
def test_57_a_card_may_be_of_any_type(ruleset: Ruleset, wrong: Json) -> None:
    """57: values that cannot be hashed are not in the hand."""
    position = {"phase": "summon", "players": {"P1": {"hand": ["a1=kotaro"]}}}
    assert play(ruleset, position, P1("summon", card=wrong, field=1)).refused == "HS-312"


@pytest.mark.parametrize(
    ("deed", "rule"),
    [
        (P1("summon", card="a1", field=6), "HS-503"),
        (P1("summon", card="a2", field=6), "HS-702"),
        (P1("summon", card="a2", field=1), "HS-503"),
        (P1("summon", card="a3", field=1), "HS-503"),
        (P1("summon", card="a3", field=2), "HS-410"),
    ],
)
def test_58_order_of_refusals_of_a_summon(
    ruleset: Ruleset, deed: tuple[str, Json], rule: str
) -> None:
    """58: HS-702 lies between two HS-503; an incident is HS-410 after rank and field."""
    position = {
        "phase": "summon",
        "players": {
            "P1": {
                "hand": ["a1=yasuke", "a2=kotaro", "a3=eclipse"],
                "fields": fields(f1="a4=mitsuki"),
            }
        },
    }
    assert play(ruleset, position, deed).refused == rule


def test_58_an_incident_is_refused_before_the_ranks_of_a_set(ruleset: Ruleset) -> None:
    """58: HS-410 comes before the difference of ranks is looked at."""
    position = {
        "phase": "set",
        "players": {"P1": {"hand": ["a1=truce"], "fields": fields(f1="a4=mitsuki")}},
    }
    assert play(ruleset, position, P1("set_card", card="a1", field=1)).refused == "HS-410"
