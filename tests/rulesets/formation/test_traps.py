"""Traps of the rulebook, one by one (spec 13; the numbers are in the names)."""

from __future__ import annotations

import pytest

from service.engine.contract import Ruleset
from service.engine.values import Json
from service.rulesets.formation import GAME
from tests.rulesets.formation.table import (
    ADVANCE,
    BATTLE_TURN,
    P1,
    SYSTEM,
    battle,
    line,
    play,
    summoning,
)

ACTED = {"acted": True}
CRITICAL = {"critical": True}


def mod(stat: str, amount: int, kind: str = "any") -> Json:
    return {"stat": stat, "amount": amount, "kind": kind}


def test_01_ranks_stay_open_when_a_critical_front_falls(ruleset: Ruleset) -> None:
    """1: nobody is opposite or front for the rest of the turn; pierce and all from afar reach."""
    own = ["red_swordsman", "green_archer", ("catapult", {"charge": {"0": 1}}), "storm_dragon"]
    position = battle(own, [("militia", CRITICAL), "militia"], step="start")
    played = play(ruleset, position, BATTLE_TURN)
    assert [fact["unit"] for fact in played.all("action_skipped")] == ["a1", "a2", "b2"]
    declared = [(fact["attacker"], fact["targets"]) for fact in played.all("attack_declared")]
    assert declared == [("a3", ["b2"]), ("a4", ["b2"])]
    assert played.line("P2") == ["b2"]


def test_02_a_disabled_unit_is_not_a_unit_without_abilities(ruleset: Ruleset) -> None:
    """2: weakness, magic vital and debuffs stay; a buff is suspended, not removed."""
    mods = [mod("defence", 3), mod("defence", -1)]
    weak = battle(["blue_swordsman"], [("salamander", {"seal": 1, "mods": mods})])
    played = play(ruleset, weak, ADVANCE)
    assert played.one("damage_computed")["total"] == 3 * 2 + 1
    assert played.unit("b1")["mods"] == mods
    vital = battle(["red_mage"], [("crystal_spirit", {"stun": True})])
    assert play(ruleset, vital, ADVANCE).one("critical_marked")["rules"] == ["FM-703"]


def test_03_a_sleeper_is_disabled_during_the_blow_that_wakes_it(ruleset: Ruleset) -> None:
    """3: it does not revive, it wakes at 0 damage and then acts; poison does not wake."""
    asleep = {"sleep": True}
    felled = battle(["black_knight"], [("phoenix", {"ticks": 5, **asleep}), "militia"])
    assert play(ruleset, felled, ADVANCE).position["P2"]["fallen"] == ["b1"]
    harmless = battle([("militia", {"mods": [mod("attack", -2)]})], [("militia", asleep)])
    played = play(ruleset, harmless, ADVANCE, ADVANCE)
    assert played.all("damage_computed")[0]["total"] == 0
    assert played.one("unit_woke")["unit"] == "b1"
    assert played.one("action_begun", unit="b1")["action"] == "attack"
    poisoned = battle([("militia", {"poison": 2, **asleep, **ACTED})], [("militia", ACTED)])
    assert play(ruleset, poisoned, ADVANCE).unit("a1")["sleep"]


def test_04_halve_before_subtracting_and_floor_once(ruleset: Ruleset) -> None:
    """4: 8 becomes 4, less 3 is 1; a debuff lifts a negative value but not a nullified attack."""
    played = play(ruleset, battle(["stone_giant"], [("fortress", ACTED)]), ADVANCE)
    assert played.one("damage_computed")["total"] == 1
    debuffed = {"mods": [mod("defence", -3)]}
    played = play(ruleset, battle(["militia"], [("fortress", debuffed)]), ADVANCE)
    assert played.one("damage_computed")["total"] == 1 - 3 + 3
    played = play(ruleset, battle(["militia"], [("ghost", debuffed)]), ADVANCE)
    assert played.one("damage_computed")["total"] == 0


def test_05_cheer_comes_before_resistance_and_reflection(ruleset: Ruleset) -> None:
    """5: 5 + 1 is halved to 3 and returned as 6; the surplus of an axe is cheered only once."""
    cheered = ["black_knight", "drummer"]
    played = play(ruleset, battle(cheered, [("iron_golem", ACTED)]), ADVANCE)
    assert played.one("damage_computed")["total"] == 3
    played = play(ruleset, battle(cheered, [("mirror_knight", ACTED)]), ADVANCE)
    assert played.one("reflection_returned")["amount"] == 6
    axe = battle(["red_axeman", "drummer"], [("militia", {"ticks": 4}), "militia"])
    assert play(ruleset, axe, ADVANCE).one("damage_computed", target="b2")["total"] == 8 - 4


def test_06_thorns_return_the_computed_total(ruleset: Ruleset) -> None:
    """6: also when their owner falls with fewer ticks; not the thorns of a disabled owner."""
    felled = battle(["red_swordsman"], [("hedgehog", {"ticks": 1}), "militia"])
    thorns = play(ruleset, felled, ADVANCE).one("thorns_returned")
    assert (thorns["amount"], thorns["rules"]) == (4, ["FM-601", "FM-605"])
    disabled = battle(["red_swordsman"], [("hedgehog", {"stun": True})])
    assert play(ruleset, disabled, ADVANCE).all("thorns_returned") == []


@pytest.mark.parametrize(
    ("attacker", "reflector"),
    [
        ("hedgehog", "mirror_knight"),
        ("phoenix", "mirror_knight"),
        ("crystal_spirit", "mirror_witch"),
    ],
)
def test_07_reflected_damage_is_no_attack(ruleset: Ruleset, attacker: str, reflector: str) -> None:
    """7: raw, undefended, and without thorns, critical or a kind to revive on."""
    unit = (attacker, {"ticks": 1, "mods": [mod("defence", 9)]})
    played = play(ruleset, battle([unit, "waystone"], [(reflector, ACTED)]), ADVANCE)
    assert played.one("unit_fell")["cause"] == "reflection"
    assert "kind" not in played.one("unit_fell")
    for name in ("thorns_returned", "critical_marked", "unit_revived", "unit_woke"):
        assert played.all(name) == []


def test_08_the_interrupt_test_compares_speeds(ruleset: Ruleset) -> None:
    """8: first and last on one unit cancel; it still goes before a mere last strike."""
    played = play(ruleset, battle(["militia"], ["odd_duelist"]), ADVANCE)
    assert played.all("interrupt_made") == []
    played = play(ruleset, battle(["stone_giant"], ["odd_duelist"]), ADVANCE)
    interrupt = played.one("interrupt_made")
    assert (interrupt["unit"], interrupt["reason"]) == ("b1", ["first", "last"])
    assert interrupt["rules"] == ["FM-301", "FM-302", "FM-303"]
    played = play(ruleset, battle(["stone_giant"], [("odd_duelist", ACTED)]), ADVANCE)
    assert played.all("interrupt_made") == []


def test_09_after_an_interrupt_the_unit_chooses_again(ruleset: Ruleset, cards: Json) -> None:
    """9: revived, it still has its action; stunned meanwhile, it loses it."""
    played = play(ruleset, battle([("phoenix", {"ticks": 3})], ["green_wolf"]), ADVANCE)
    assert [fact["unit"] for fact in played.all("action_begun")] == ["b1", "a1"]
    wolf = next(card for card in cards["cards"] if card["id"] == "green_wolf")
    stun = {"op": "status", "status": "stun", "to": "target"}
    wolf["abilities"].append({"name_ja": "痺", "name_en": "stun", "when": "hit", "do": [stun]})
    played = play(GAME.ruleset(cards), battle(["militia"], ["green_wolf"]), ADVANCE)
    assert played.one("action_skipped")["reason"] == "stun"
    assert [fact["unit"] for fact in played.all("action_begun")] == ["b1"]


def test_10_the_win_check_comes_after_every_action(ruleset: Ruleset) -> None:
    """10: an interrupt is one; but falls of one action draw, and a revival is in time."""
    played = play(ruleset, battle([("militia", {"ticks": 3})], ["green_wolf"]), ADVANCE)
    assert played.position["result"] == {"winner": "P2", "reason": "wipe_out"}
    both = battle([("militia", {"ticks": 2})], [("hedgehog", {"ticks": 2})])
    assert play(ruleset, both, ADVANCE).position["result"]["winner"] == "draw"
    revived = battle(["black_knight"], [("phoenix", {"ticks": 5})])
    assert play(ruleset, revived, ADVANCE).position["result"] is None


def test_11_a_chain_does_not_resume_behind_its_extension(ruleset: Ruleset) -> None:
    """11: chain charisma adds one unit, two holders together add one."""
    enemies = ["red_swordsman", "blue_swordsman", "red_swordsman"]
    position = battle(["chain_blade", "chain_idol", "chain_idol"], enemies)
    declared = play(ruleset, position, ADVANCE).one("attack_declared")
    assert declared["targets"] == ["b1", "b2"]
    assert declared["rules"] == ["FM-201", "FM-103", "FM-441", "FM-444"]


@pytest.mark.parametrize(("line_of_own", "can_shoot"), [(1, True), (2, False)])
def test_12_range_counts_own_squares(ruleset: Ruleset, line_of_own: int, can_shoot: bool) -> None:
    """12: vacated own squares count, those of the enemy do not."""
    own = [None] * line_of_own
    position = battle([*own, "slinger"], ["militia"])
    played = play(ruleset, position, ADVANCE, ADVANCE)
    assert bool(played.all("attack_declared", attacker=f"a{line_of_own + 1}")) == can_shoot


def test_13_a_melee_attack_needs_an_opposite_whatever_its_shape(ruleset: Ruleset) -> None:
    """13: after a critical fall in front a spear is idle while a catapult shoots."""
    own = ["red_spearman", ("catapult", {"charge": {"0": 1}})]
    position = battle(own, [("militia", CRITICAL), "militia"], step="start")
    played = play(ruleset, position, ADVANCE, ADVANCE, ADVANCE)
    assert played.one("action_skipped")["unit"] == "a1"
    assert played.one("attack_declared")["attacker"] == "a2"


def test_14_every_third_action_fires(ruleset: Ruleset) -> None:
    """14: charge, charge, fire; a ready weapon without a target keeps its charge."""
    position = battle(["waystone", "blue_cannon"], ["fortress"], step="start")
    played = play(ruleset, position, *[BATTLE_TURN] * 3)
    begun = [fact["action"] for fact in played.all("action_begun", unit="a2")]
    assert begun == ["charge", "charge", "attack"]
    ready = {"charge": {"0": 2}}
    no_target = battle(["waystone", ("blue_cannon", ready)], [None, "militia"])
    played = play(ruleset, no_target, ADVANCE, ADVANCE)
    assert played.unit("a2")["charge"] == {"0": 2}


def test_15_stun_ends_and_seal_counts_in_the_turn_of_application(ruleset: Ruleset) -> None:
    """15: even if the victim had already acted."""
    position = battle(["thunder_mage"], ["militia"], step="start", first="P2")
    played = play(ruleset, position, BATTLE_TURN)
    assert played.one("status_applied")["status"] == "stun"
    assert played.one("status_expired")["unit"] == "b1"
    sealed = play(ruleset, battle(["sealer"], ["waystone"], step="start"), BATTLE_TURN)
    assert sealed.one("status_applied")["value"] == 2
    assert sealed.unit("b1")["seal"] == 1


def test_16_an_attribute_tab_does_not_fit_a_colourless_blank(ruleset: Ruleset) -> None:
    """16: a colourless tab fits every blank; blank beside blank is legal and connects nothing."""
    on_top = P1("place_piece", piece="a1", row=1, col=2, rotation=180)

    def placed(piece: str, under: str, rotation: int) -> Json:
        pieces = {"a1": piece, "a2": under}
        return play(ruleset, summoning(pieces, {"r2c2": ("a2", rotation)}, ["a1"]), on_top)

    assert placed("red_falcon", "militia", 90).refused == "FM-928"
    assert placed("militia", "waystone", 0).one("connection_made")["rules"] == ["FM-803"]
    assert placed("waystone", "waystone", 0).all("connection_made") == []


def test_17_a_pushed_out_partner_no_longer_connects(ruleset: Ruleset) -> None:
    """17: what a piece had before the board slid does not complete it later."""
    pieces = {"a1": "waystone", "a2": "waystone", "a8": "iron_golem", "a9": "waystone"}
    board = {"r1c2": ("a2", 0), "r2c2": ("a8", 90), "r3c2": ("a9", 0)}
    pieces |= {"a3": "waystone"}
    position = summoning(pieces, board, ["a1", "a3"])
    slide = P1("place_piece", piece="a1", row=0, col=2)
    partner = P1("place_piece", piece="a3", row=3, col=3)
    played = play(ruleset, position, slide, BATTLE_TURN, partner)
    assert played.position["P1"]["removed"] == ["a9"]
    assert played.one("connection_made")["tab"] == "a8"
    assert "a8" not in played.line("P1")


def test_18_summons_begin_with_the_placed_piece_then_clockwise(ruleset: Ruleset) -> None:
    """18: right before left, although the left piece lay there first and has the lower id."""
    pieces = {"a1": "militia", "a2": "militia", "a5": "waystone"}
    board = {"r2c1": ("a1", 90), "r2c3": ("a2", 270)}
    placed = P1("place_piece", piece="a5", row=2, col=2)
    played = play(ruleset, summoning(pieces, board, ["a5"]), placed)
    assert played.line("P1") == ["a5", "a2", "a1"]


@pytest.mark.parametrize("pieces_left", [True, False])
def test_19_a_spell_that_empties_a_line_wins_nothing(ruleset: Ruleset, pieces_left: bool) -> None:
    """19: the battle turn is skipped; the line loses only if no piece is left."""
    pieces = {"a1": "spell_bolt", "a9": "waystone", "b5": "militia"}
    position = summoning(
        pieces,
        {"r2c2": ("a9", 0)},
        ["a1"],
        enemies=[("militia", {"ticks": 4})],
        theirs={"hand": ["b5"] if pieces_left else []},
    )
    cast = play(ruleset, position, P1("place_piece", piece="a1", row=1, col=2, rotation=180))
    assert (cast.position["P2"]["line"], cast.position["result"]) == ([], None)
    before_battle = {**cast.position, "phase": "battle", "step": "start", "turn": None}
    played = play(ruleset, before_battle, ADVANCE)
    assert bool(played.all("battle_skipped")) == pieces_left
    reasons = [fact["reason"] for fact in played.all("match_won")]
    assert reasons == ([] if pieces_left else ["exhausted"])


def test_20_a_spell_has_a_kind_but_no_attacker(ruleset: Ruleset) -> None:
    """20: physical revives a phoenix, magical hits a vital; nothing is added, nothing returned."""
    quake = P1("place_piece", piece="a1", row=3, col=2)
    bolt = P1("place_piece", piece="a1", row=1, col=2, rotation=180)
    own = line("a", "militia", "bugler", "white_king")

    def cast(spell: str, *enemies: Json) -> Json:
        pieces = {"a1": spell, "a9": "waystone", "a8": "waystone"}
        board = {"r2c2": ("a9", 0), "r3c3": ("a8", 0)}
        deed = quake if spell == "spell_quake" else bolt
        position = summoning(pieces, board, ["a1"], own_line=own, enemies=enemies)
        return play(ruleset, position, deed)

    played = cast("spell_quake", ("phoenix", {"ticks": 1}), "mirror_knight", "hedgehog")
    assert played.one("unit_revived")["unit"] == "b1"
    assert played.one("damage_computed", target="b2")["reflected"]
    assert {fact["raw"] for fact in played.all("damage_computed")} == {1}
    assert played.all("reflection_returned") + played.all("thorns_returned") == []
    assert cast("spell_bolt", "crystal_spirit").one("critical_marked")["unit"] == "b1"


def test_21_the_printed_kind_decides(ruleset: Ruleset) -> None:
    """21: a rune blade is magical and is not answered by thorns, whatever it looks like."""
    played = play(ruleset, battle(["rune_knight"], ["hedgehog"]), ADVANCE)
    assert played.one("attack_declared")["kind"] == "magical"
    assert played.all("thorns_returned") == []


def test_22_ailments_add_up_each_in_its_way(ruleset: Ruleset) -> None:
    """22: poison adds, seal takes the maximum, removal looks at the sign of every modifier."""
    poisoned = play(ruleset, battle(["cobra"], [("iron_golem", {"poison": 2})]), ADVANCE)
    assert poisoned.one("status_applied")["value"] == 4
    sealed = play(ruleset, battle(["sealer"], [("militia", {"seal": 3})]), ADVANCE)
    assert sealed.one("status_applied")["value"] == 3
    mods = [mod("defence", 2), mod("defence", -3)]
    position = battle([("waystone", {"mods": mods, **ACTED}), "cleric"], [("militia", ACTED)])
    assert play(ruleset, position, ADVANCE).unit("a1")["mods"] == mods[:1]


def test_23_a_skipped_battle_is_no_battle_turn(ruleset: Ruleset) -> None:
    """23: a critical unit survives it, stun and seal go on, poison does nothing."""
    ailing = {"critical": True, "stun": True, "seal": 2, "poison": 3}
    position = battle([], [("militia", ailing)], step="start", pieces={"a5": "militia"})
    position["P1"]["hand"] = ["a5"]
    played = play(ruleset, position, BATTLE_TURN)
    assert played.one("battle_skipped")["empty"] == ["P1"]
    assert {key: played.unit("b1")[key] for key in ailing} == ailing


def test_24_the_names_of_draws_leak_hands(ruleset: Ruleset) -> None:
    """24: a draw of sides names the piece; only its owner and the judge see it."""
    pieces = {"a1": "militia", "a2": "slinger", "b1": "militia"}
    position = summoning(pieces, {}, ["a1"], theirs={"hand": ["b1"]}, hand_size=1)
    position["P1"]["deck"] = ["a2"]
    record = play(ruleset, position, P1("pass"), rng=[["a2"]]).records[0]
    deck = {"shuffle": "deck:P1", "order": [None, None]}
    for viewer, seen in (("P2", None), ("spectator", None), ("P1", record.draws[1])):
        assert ruleset.redact(record, viewer)["draws"] == [deck, seen]
    assert ruleset.redact(record, "judge")["draws"] == list(record.draws)


def test_25_the_order_of_keys_decides_nothing(ruleset: Ruleset) -> None:
    """25: pieces are numbered by card id, however the deck was written, also by a fold."""
    names = ["waystone", "militia", "slinger"]

    def started(order: list[str]) -> Json:
        deck = dict.fromkeys(order, 11)
        return play(
            ruleset, {"phase": "setup"}, SYSTEM("start_match", decks={"P1": deck, "P2": deck})
        )

    played = started(names)
    assert played.facts == started(names[::-1]).facts
    registered = played.all("deck_registered")[0]
    turned = registered | {"pieces": dict(reversed(registered["pieces"].items()))}
    position = ruleset.evolve(ruleset.normalise({"phase": "setup"}), turned)
    assert position["P1"]["deck"] == [f"a{number}" for number in range(1, 34)]


def test_26_a_disabled_unit_makes_no_attack_to_cheer(ruleset: Ruleset) -> None:
    """26: its action is skipped, so there is nothing to which a cheer could be added."""
    played = play(ruleset, battle([("militia", {"stun": True}), "bugler"], ["militia"]), ADVANCE)
    assert played.one("action_skipped")["rules"] == ["FM-722"]
    assert played.all("damage_computed") == []
