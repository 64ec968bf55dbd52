"""The traps of the specification (section 13), one test for each, by their numbers."""

from __future__ import annotations

import pytest

from service.engine.contract import Ruleset
from tests.rulesets.hagmi.table import P1, P2, SYSTEM, against, field_of, play, unit

BEASTS = {"mode": "machine_beast"}
TO_THE_BEASTS = {**BEASTS, "phase": "repair"}
DECK = {"weapon_deck": {"HW-000": 20}, "operation_deck": {"HO-000": 20}}


def test_01_the_losing_hit_needs_an_empty_deck_before_it(ruleset: Ruleset) -> None:
    """1: 100 damage into one card only empties the deck; 2×2 kills from one card."""
    huge = field_of(a1=unit("HW-101", retrofit={"power": 98}))
    once = play(
        ruleset,
        against(huge, {"damage_deck": 1}),
        P1("declare_attack", unit="a1", targets=["P2"]),
    )
    assert once.one("player_damaged")["cards"] == 1
    assert once.at("players.P2.lost") is False
    twice = play(
        ruleset,
        against(field_of(a1=unit("HW-103")), {"damage_deck": 1}),
        P1("declare_attack", unit="a1", targets=["P2"]),
    )
    assert twice.at("result.winner") == "P1"


def test_02_pierce_carries_only_the_surplus_of_the_destroying_hit(ruleset: Ruleset) -> None:
    """2: only for guards, only the surplus; nobody stands behind a countering target."""
    guarded = play(
        ruleset,
        against(field_of(a1=unit("HW-106")), field_of(b1=unit("HW-103"))),
        P1("declare_attack", unit="a1", targets=["P2"]),
        P2("defend", unit="b1", target="P2"),
        P2("end_defence"),
    )
    assert guarded.one("pierce_carried")["amount"] == 2
    assert guarded.all("damage_computed", hit=3) == []
    countered = play(
        ruleset,
        against(field_of(a1=unit("HW-105")), field_of(b1=unit("HW-101"))),
        P1("declare_attack", unit="a1", targets=["b1"]),
        P2("defend", unit="b1"),
        P2("end_defence"),
    )
    assert countered.all("pierce_carried") == []


@pytest.mark.parametrize(("defender", "strikes"), [("HW-101", 1), ("HW-124", 0)])
def test_03_a_doomed_unit_of_equal_range_still_strikes(
    ruleset: Ruleset, defender: str, strikes: int
) -> None:
    """3: of shorter range it does not."""
    attacker = unit("HW-101", retrofit={"power": 3})
    played = play(
        ruleset,
        against(field_of(a1=attacker), field_of(b1=unit(defender))),
        P1("declare_attack", unit="a1", targets=["b1"]),
        P2("defend", unit="b1"),
        P2("end_defence"),
    )
    assert len(played.all("damage_computed", source="b1")) == strikes


def test_04_retrofits_change_different_numbers(ruleset: Ruleset) -> None:
    """4: armour retrofit changes damage, heavy retrofit armour and act cost; −1 hurts always."""
    weak = {"P2": field_of(b1=unit("HW-101", retrofit={"armour": -1}))}
    hand = {"hand": ["c1:HO-422", "p1:HO-000"]}
    shot = play(
        ruleset,
        {"players": {"P1": hand, **weak}},
        P1("play_card", card="c1", pay=["p1"], targets=["b1"]),
    )
    assert shot.one("damage_computed")["total"] == 3
    overhauled = field_of(a1=unit("HW-101", fuel=1, retrofit={"heavy": 1}))
    unable = play(ruleset, against(overhauled, {}), P1("declare_attack", unit="a1", targets=["P2"]))
    assert unable.refused == "HG-251"


def test_05_unreducible_damage_ignores_only_lowering(ruleset: Ruleset) -> None:
    """5: it still spends a barrier; one is kept when nothing would be received."""
    sturdy = {"counters": {"barrier": 1}, "retrofit": {"armour": 2}}
    for card, left, damage in (("HW-120", 0, 3), ("HW-101", 1, 0)):
        played = play(
            ruleset,
            against(field_of(a1=unit(card)), field_of(b1=unit("HW-109", fuel=0, **sturdy))),
            P1("declare_attack", unit="a1", targets=["b1"]),
        )
        assert played.at("players.P2.field.b1.counters.barrier") == left
        assert played.at("players.P2.field.b1.damage") == damage


def test_06_the_fuel_cap_is_the_present_battlefield_cost(ruleset: Ruleset) -> None:
    """6: a lowered cost lowers the cap, fuel above it stays."""
    own = {"hand": ["s1:HO-000"], **field_of(a1=unit("HW-102", fuel=3))}
    position = against(own, field_of(b9="HF-305"))
    played = play(ruleset, position, P1("end_phase"), P1("supply", unit="a1", cards=["s1"]))
    assert played.refused == "HG-249"
    assert played.at("players.P1.field.a1.fuel.#") == 3


def test_07_what_pays_for_an_order_is_not_in_the_discard_pile_yet(ruleset: Ruleset) -> None:
    """7: neither is the order itself."""
    hand = {"hand": ["c1:HO-419", "p1:HO-000"], "discard": ["x1:HW-101"]}
    played = play(ruleset, {"players": {"P1": hand}}, P1("play_card", card="c1", pay=["p1"]))
    assert played.at("players.P1.hand") == ["x1"]
    assert played.at("players.P1.discard") == ["c1", "p1"]


def test_08_discarded_is_not_destroyed(ruleset: Ruleset) -> None:
    """8: armaments stay when their bearer leaves; durability 0 goes at once."""
    bearer = unit("HW-116", armaments=["r1:HA-201", "r2:HA-202"])
    own = {"hand": ["c1:HO-428"], **field_of(a1=bearer)}
    players = {"P1": own, "P2": field_of(b1=unit("HW-109"))}
    played = play(ruleset, {"players": players}, P1("play_card", card="c1", targets=["a1"]))
    assert played.all("card_destroyed") == played.all("skill_activated") == []
    assert list(played.at("players.P1.field")) == ["r1"]
    assert played.one("card_discarded", card="r2")["cause"] == "durability"


@pytest.mark.parametrize(
    ("order", "where", "drawn", "plated"),
    [("HO-415", "hand", 0, 1), ("HO-414", "discard", 0, 0)],
)
def test_09_put_cards_and_returned_cards(
    ruleset: Ruleset, order: str, where: str, drawn: int, plated: int
) -> None:
    """9: returned fires nothing, put fires on_enter only."""
    own = {"hand": [f"c1:{order}", "p1:HO-000", "p2:HO-000"]}
    own[where] = [*own.get(where, []), "w1:HW-127"]
    pay = ["p1"] if order == "HO-415" else ["p1", "p2"]
    action = P1("play_card", card="c1", pay=pay, targets=["w1"])
    played = play(ruleset, {"players": {"P1": own}}, action)
    assert len(played.all("cards_drawn")) == drawn
    assert played.at("players.P1.field.w1.retrofit.armour") == plated


def test_09_emergency_production_is_production(ruleset: Ruleset) -> None:
    """9: it fires both the skills on production and those on entering."""
    own = {"hand": ["h1:HW-127", "p1:HO-000"]}
    played = play(
        ruleset,
        against(field_of(a1=unit("HW-101")), own),
        P1("declare_attack", unit="a1", targets=["P2"]),
        P2("emergency_produce", card="h1", pay=["p1"]),
    )
    assert played.names("cards_drawn", "retrofit_changed", "defence_compelled") == [
        "cards_drawn",
        "retrofit_changed",
        "defence_compelled",
    ]


def test_10_a_skill_outlives_its_card(ruleset: Ruleset) -> None:
    """10: a veto works only in the window of that very activation; costs are not refunded."""
    one, other = field_of(a1=unit("HW-101")), field_of(b1=unit("HW-116", fuel=0))
    outlived = play(ruleset, against(one, other), P1("declare_attack", unit="a1", targets=["b1"]))
    assert outlived.at("players.P1.field.a1.damage") == 2
    hand = {"hand": ["v1:HO-403", "q1:HO-000"]}
    scout = field_of(a1=unit("HW-132", fuel=["f1:HO-000"]))
    vetoed = play(
        ruleset,
        {"players": {"P1": scout, "P2": hand}},
        P1("activate_skill", source="a1", effect="e1"),
        P2("play_card", card="v1", pay=["q1"]),
    )
    assert vetoed.one("skill_nullified")["by"] == "v1"
    assert vetoed.at("players.P1.discard") == ["f1"]
    assert vetoed.all("cards_drawn") == []


def test_11_an_additional_attack_is_another_declaration(ruleset: Ruleset) -> None:
    """11: it costs fuel again, and a forced attack is not counted."""
    twice = play(
        ruleset,
        against(field_of(a1=unit("HW-101", extra=1)), {"damage_deck": 9}),
        P1("declare_attack", unit="a1", targets=["P2"]),
        P1("declare_attack", unit="a1", targets=["P2"]),
    )
    assert [fact["number"] for fact in twice.all("attack_declared")] == [1, 2]
    assert twice.at("players.P1.field.a1.fuel") == []
    raider = {"hand": ["c1:HW-113", *(f"p{n}:HO-000" for n in range(4))]}
    forced = play(
        ruleset,
        {"players": {"P1": raider}},
        P1("play_card", card="c1", pay=["p0", "p1", "p2", "p3"]),
        P1("choose", use=True),
        P1("declare_attack", unit="c1", targets=["P2"]),
    )
    assert forced.at("players.P1.field.c1.declared") == 0
    assert forced.at("phase") == "main"


def test_12_all_leaves_nobody_to_guard(ruleset: Ruleset) -> None:
    """12: except a unit produced in the emergency."""
    other = {"hand": ["h1:HW-130", "p1:HO-000"], **field_of(b1=unit("HW-109"))}
    position = against(field_of(a1=unit("HW-108", fuel=3)), other)
    attack = P1("declare_attack", unit="a1")
    pass_ = P2("pass")
    guard = P2("defend", unit="b1", target="P2")
    assert play(ruleset, position, attack, pass_, guard).refused == "HG-108"
    fresh = play(
        ruleset,
        position,
        attack,
        pass_,
        P2("emergency_produce", card="h1", pay=["p1"]),
        P2("defend", unit="h1", target="P2"),
    )
    assert fresh.refused is None


def test_13_undefendable_forbids_the_counter_too(ruleset: Ruleset) -> None:
    """13: the target itself was present."""
    position = against(field_of(a1=unit("HW-112")), field_of(b1=unit("HW-109")))
    position["options"] = {"windows": "always"}
    windows = [P1("pass"), P2("pass")]
    attack = P1("declare_attack", unit="a1", targets=["b1"])
    assert play(ruleset, position, attack, *windows, P2("defend", unit="b1")).refused == "HG-429"


def test_14_down_removes_keywords(ruleset: Ruleset) -> None:
    """14: first strike, pierce, and the guard, charge and haste of beasts."""
    beasts = {"field": {"m1": {"card": "HM-901"}, "e1": {"card": "HB-804", "down": True}}}
    own = {"P1": field_of(a1=unit("HW-101"))}
    free = play(
        ruleset,
        {**BEASTS, "phase": "battle", "players": own, "beast": beasts},
        P1("declare_attack", unit="a1", targets=["m1"]),
    )
    assert free.at("beast.field.m1.damage") == 2
    seedling = {"field": {"e1": {"card": "HB-806", "down": True}}}
    fallen = play(
        ruleset,
        {**BEASTS, "phase": "battle", "players": own, "beast": seedling},
        P1("declare_attack", unit="a1", targets=["e1"]),
    )
    assert fallen.at("beast.discard") == ["e1"]


def test_15_the_order_compares_with_the_last_key(ruleset: Ruleset) -> None:
    """15: of equal cost, higher speed has passed; lower speed still comes."""
    for card, attacks in (("HB-808", 0), ("HB-809", 1)):
        beast = {"deck": [f"x1:{card}"], "charge_units": 6, "field": {"e1": {"card": "HB-810"}}}
        position = {**TO_THE_BEASTS, "players": {"P1": {"damage_deck": 9}}, "beast": beast}
        played = play(ruleset, position, P1("end_phase"), rng=[1, 4])
        assert len(played.all("attack_declared", unit="x1")) == attacks


def test_16_a_life_core_loses_the_excess_unless_pierced(ruleset: Ruleset) -> None:
    """16: a pierced beast may lose several cores in one hit."""
    for card, power, cores in (("HW-101", 7, 1), ("HW-105", 4, 2)):
        attacker = unit(card, retrofit={"power": power})
        position = {
            **BEASTS,
            "phase": "battle",
            "players": {"P1": field_of(a1=attacker)},
            "beast": field_of(e1="HB-807"),
        }
        played = play(ruleset, position, P1("declare_attack", unit="a1", targets=["e1"]))
        assert len(played.all("core_removed")) == cores


def test_17_charge_units_are_counted_not_spent(ruleset: Ruleset) -> None:
    """17: the keyword charge and the act of charging differ."""
    beast = {"deck": ["x1:HB-801", "x2:HB-801"], "charge_units": 1, **field_of(m1="HM-901")}
    position = {**TO_THE_BEASTS, "players": {"P1": {}}, "beast": beast}
    played = play(ruleset, position, P1("end_phase"), rng=[1, 4])
    assert [fact["outcome"] for fact in played.all("beast_charged")] == ["entered", "entered"]
    assert played.at("beast.charge_units.#") == 1


def test_18_conditions_look_at_the_declared_target(ruleset: Ruleset) -> None:
    """18: not at the guard."""
    other = field_of(b1=unit("HW-109", fuel=0), b2=unit("HW-115"))
    played = play(
        ruleset,
        against(field_of(a1=unit("HW-114")), other),
        P1("declare_attack", unit="a1", targets=["b1"]),
        P2("defend", unit="b2", target="b1"),
        P2("end_defence"),
    )
    assert played.one("damage_computed", source="a1")["base"] == 2


def test_19_automatic_windows_depend_on_hidden_hands(ruleset: Ruleset) -> None:
    """19: a window opens with an answer in the hand and not without; `always` asks everybody."""
    own = field_of(a1=unit("HW-101"))
    attack = P1("declare_attack", unit="a1", targets=["P2"])
    for options, hand, holders in (
        ({}, ["h1:HO-402", "h2:HO-000"], ["P2"]),
        ({}, ["h1:HO-402"], []),
        ({"windows": "always"}, [], ["P1"]),
    ):
        position = against(own, {"hand": hand}, options=options)
        opened = play(ruleset, position, attack).all("window_opened", window="attack")
        assert [fact["holder"] for fact in opened] == holders


def test_20_same_card_needs_the_whole_pilot_string(ruleset: Ruleset) -> None:
    """20: the suffix after the underscore included."""
    own = {"hand": ["c1:HO-418", "p1:HO-000"], **field_of(a1="HW-101", a2="HW-124")}
    action = P1("play_card", card="c1", pay=["p1"], targets=["a1"])
    played = play(ruleset, {"players": {"P1": own}}, action)
    assert played.one("modifier_added")["card"] == "a1"


def test_21_the_destroyed_card_comes_last(ruleset: Ruleset) -> None:
    """21: armaments and held cards go first, so that the card lies on top of its fuel."""
    doomed = unit("HW-115", fuel=["q1:HO-000"], armaments=["r1:HA-201"], stored=["s1:HW-101"])
    position = against(field_of(a1=unit("HW-101")), field_of(b1=doomed))
    played = play(
        ruleset, position, P1("declare_attack", unit="a1", targets=["b1"]), P2("end_defence")
    )
    assert played.at("players.P2.discard") == ["b1", "s1", "q1"]
    leaving = ("card_destroyed", "armament_unequipped", "card_discarded", "card_left")
    assert played.names(*leaving) == [
        "card_destroyed",
        "armament_unequipped",
        "card_discarded",
        "card_discarded",
        "card_left",
    ]


def test_22_absorption_is_abolished(ruleset: Ruleset) -> None:
    """22: off by default, never in machine_beast, even when asked for."""
    own = {"P1": field_of(a1="HF-301")}
    asked = {"options": {"facility_sacrifice": True}}
    action = P1("absorb_damage", facilities=["a1"])
    assert play(ruleset, {"players": own}, action).refused == "HG-276"
    assert play(ruleset, {**BEASTS, **asked, "players": own}, action).refused == "HG-276"
    assert play(ruleset, {**asked, "players": own}, action).refused == "HG-908"


@pytest.mark.parametrize("order", ["HO-413", "HO-416"])
def test_23_a_mothership_stays(ruleset: Ruleset, order: str) -> None:
    """23: dismantling or capturing it does nothing, on either face."""
    hand = ["c1:" + order, *(f"p{n}:HO-000" for n in range(3))]
    pay = ["p0", "p1"] if order == "HO-413" else ["p0", "p1", "p2"]
    position = {**BEASTS, "players": {"P1": {"hand": hand}}, "beast": field_of(m1="HM-902")}
    played = play(ruleset, position, P1("play_card", card="c1", pay=pay, targets=["m1"]))
    assert played.names("order_resolved", "card_dismantled", "control_changed") == [
        "order_resolved"
    ]


def test_24_the_pierce_of_a_beast_reaches_the_player(ruleset: Ruleset) -> None:
    """24: behind a counter too; that of a player's unit reaches the guarded target."""
    sweeper = {"card": "HB-812", "retrofit": {"power": 2}}
    position = {
        **TO_THE_BEASTS,
        "mods": [{"card": "e1", "keyword": "pierce", "until": "end_of_combat"}],
        "players": {"P1": {"damage_deck": 9, **field_of(a1=unit("HW-115"))}},
        "beast": field_of(e1=sweeper),
    }
    countered = play(
        ruleset,
        position,
        P1("end_phase"),
        P1("defend", unit="a1"),
        P1("end_defence"),
        rng=[1, 4],
    )
    assert countered.one("pierce_carried")["to"] == "P1"
    other = field_of(b1=unit("HW-115"), b2=unit("HW-109", fuel=0))
    guarded = play(
        ruleset,
        against(field_of(a1=unit("HW-105")), other),
        P1("declare_attack", unit="a1", targets=["b2"]),
        P2("defend", unit="b1", target="b2"),
        P2("end_defence"),
    )
    assert guarded.one("pierce_carried")["to"] == "b2"


def test_25_the_active_player_may_fall_in_their_own_turn(ruleset: Ruleset) -> None:
    """25: the turn passes without repair and end phase."""
    fallen = {"damage_deck": 0, "hand": ["c1:HO-435", "p1:HO-000"]}
    position = {**BEASTS, "players": {"P1": fallen, "P2": {}}, "beast": field_of(e1="HB-801")}
    played = play(ruleset, position, P1("play_card", card="c1", pay=["p1"]), rng=[1, 4])
    assert played.all("phase_entered", phase="end") == []
    assert played.one("turn_started")["player"] == "P2"


def test_26_ids_are_dealt_by_lot(ruleset: Ruleset) -> None:
    """26: never derived from the deck list, never shown when hidden."""
    start = SYSTEM("start_game", mode="versus", first="P1", decks={"P1": DECK, "P2": DECK})
    backwards = [f"P1w{number}" for number in range(20, 0, -1)]
    deck = {**DECK, "weapon_deck": {"HW-101": 1, "HW-000": 19}}
    start[1]["decks"]["P1"] = deck
    played = play(ruleset, {}, start, rng=[backwards, *["keep"] * 11, 1, 4])
    assert played.at("cards.P1w1.card") == "HW-101"
    form = ruleset.redact(played.records[0], "P2")
    assert "P1w1" not in str(form["facts"]) + str(form["draws"])


def test_27_the_bearer_may_be_gone_when_the_armament_resolves(ruleset: Ruleset) -> None:
    """27: it enters unequipped, and with durability 0 it goes to the discard pile at once."""
    own = {"hand": ["c1:HA-202", "p1:HO-000"], **field_of(a1="HW-115")}
    answer = {"hand": ["h1:HO-422", "h2:HO-000"]}
    played = play(
        ruleset,
        {"players": {"P1": own, "P2": answer}},
        P1("play_card", card="c1", pay=["p1"], host="a1"),
        P2("play_card", card="h1", pay=["h2"], targets=["a1"]),
    )
    assert played.one("armament_equipped")["unit"] is None
    assert played.at("players.P1.field") == {}
    assert played.at("players.P1.discard") == ["c1", "p1", "a1"]


def test_28_a_window_of_the_repair_phase_is_no_supply_step(ruleset: Ruleset) -> None:
    """28: only the active player supplies, with no window open."""
    own = {"hand": ["s1:HO-000"], **field_of(a1=unit("HW-101", fuel=0))}
    position = {"options": {"windows": "always"}, "phase": "repair", "players": {"P1": own}}
    action = P1("supply", unit="a1", cards=["s1"])
    assert play(ruleset, position, P1("end_phase"), action).refused == "HG-903"
    assert play(ruleset, position, action).refused is None
