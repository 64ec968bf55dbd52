"""Traps of the rulebook: effects, durations, triggers, choices (spec 17; numbers in the names)."""

from __future__ import annotations

import pytest

from service.engine.contract import Ruleset
from service.engine.values import Json
from service.rulesets.hi_story import GAME
from tests.rulesets.hi_story.table import P1, P2, Deed, Played, play

USE = P1("activate_effect", card="a1")
END = P1("end_phase")


def choose(*cards: str, fields: list[int] | None = None) -> Deed:
    return P1("choose", cards=list(cards), **({} if fields is None else {"fields": fields}))


def in_effect(p1: Json, p2: Json = None, **parts: Json) -> Json:
    """Return a position of P1's effect phase; the sides hold decks of ten."""
    sides = {"P1": {"deck": 10, **p1}, "P2": {"deck": 10, **(p2 or {})}}
    return {"phase": "effect", "players": sides, **parts}


def trial(ruleset: Ruleset, *operations: Json, p1: Json, p2: Json = None, **parts: Json) -> Played:
    """Let an effect of a1 carry out operations: as the only option of a question to P1."""
    asked = {
        "player": "P1",
        "kind": "option",
        "card": "a1",
        "options": 1,
        "operation": {"op": "choose_one", "options": [{"do": list(operations)}]},
    }
    frame = {"source": "a1", "player": "P1", "effect": 0, "ops": []}
    position = in_effect(p1, p2, pending=asked, frames=[frame], **parts)
    return play(ruleset, position, P1("choose", option=0))


def down(*cards: str) -> Json:
    return {"cards": list(cards), "set": True}


FIELD = {"zone": "field"}
THEIRS = {"zone": "field", "side": "opponent"}


def test_21_a_face_down_card_is_a_card_without_characteristics(ruleset: Ruleset) -> None:
    """21: counted without a filter, not with one; no static effect, no `dies`."""
    sides = {"fields": {"1": "a1=cicero", "2": down("a2=kotaro", "a3=mirei-coach")}}
    attacker = {**sides["fields"], "3": "a4=shun-dash"}
    position = {"phase": "attack", "players": {"P1": {"fields": attacker}, "P2": {"deck": 10}}}
    attack = P1("declare_attack", field=3, target={"deck": True})
    played = play(ruleset, position, attack, P2("take"))
    assert played.one("power_computed")["modifiers"] == []
    count = {"op": "draw", "player": "self", "count": {"count": FIELD}}
    assert len(trial(ruleset, count, p1=sides).pile("P1", "hand")) == 2
    filtered = {"count": {**FIELD, "filter": {"rank": [0, 4]}}}
    drawn = trial(ruleset, {**count, "count": filtered}, p1=sides)
    assert len(drawn.pile("P1", "hand")) == 1
    dying = {"op": "move", "select": THEIRS, "pick": {"all": True}, "to": "graveyard"}
    gone = trial(
        ruleset, dying, p1={"fields": {"1": "a1=yasuke"}}, p2={"fields": {"1": down("b1=benkei")}}
    )
    assert "effect_triggered" not in gone.names


def test_26_this_turn_lasts_over_the_triggers_of_its_end(ruleset: Ruleset) -> None:
    """26: what expires with the turn goes after `turn_ended`."""
    entry = {"op": "power", "card": "a1", "amount": 1, "source": "a1", "turns": [3, 3]}
    sides = {"P1": {"fields": {"1": "a1=ieyasu"}, "graveyard": ["a2=kotaro"]}}
    position = {"phase": "attack", "lasting": [entry], "players": sides}
    played = play(ruleset, position, END, rng=["keep"])
    names = played.names
    assert names.index("effect_triggered") < names.index("turn_ended")
    assert names.index("turn_ended") < names.index("lasting_expired")


def test_27_next_opponent_turn_is_that_turn_only(ruleset: Ruleset) -> None:
    """27: not until then."""
    position = in_effect({"fields": {"1": "a1=machiavelli"}})
    played = play(ruleset, position, USE)
    entry = played.one("lasting_added")["entry"]
    assert (entry["until"], entry["turns"]) == ("next_opponent_turn", [4, 4])


def test_30_turning_up_makes_the_effect_available_once(ruleset: Ruleset) -> None:
    """30: by rule or effect; not again if it was used in that turn."""
    stacks = {"1": down("a2=kotaro", "a1=aesop")}
    position = {"phase": "draw", "players": {"P1": {"deck": 10, "fields": stacks}}}
    played = play(ruleset, position, P1("draw", count=0), END, USE)
    assert played.refused is None
    flipped = {"op": "flip", "select": {"this": True}, "to": "down"}
    again = {"op": "flip", "select": FIELD, "pick": {"all": True}, "to": "up"}
    turned = trial(
        ruleset,
        flipped,
        again,
        p1={"fields": {"1": "a1=aesop"}},
        summoned=["a1"],
        used=["a1#0"],
    )
    assert turned.position["summoned"] == ["a1"]
    assert play(ruleset, turned.position, USE).refused == "HS-920"


def test_31_a_running_effect_keeps_its_operations(ruleset: Ruleset, cards: Json) -> None:
    """31: the frame holds them; another pool does not change what goes on."""
    asked = play(ruleset, in_effect({"hand": ["a5=kotaro"], "fields": {"1": "a1=basho"}}), USE)
    for card in cards["cards"]:
        card["effects"] = []
    played = play(GAME.ruleset(cards), asked.position, choose("a5"))
    assert len(played.one("cards_drawn")["cards"]) == 1


def test_35_turning_up_is_a_summon_of_its_own_kind(ruleset: Ruleset) -> None:
    """35: `done` says turn_up; a ban of `summon` and `direct` does not stop it."""
    stacks = {"1": down("a2=kotaro", "a1=aesop")}
    bans = [
        {"op": "forbid", "player": "P1", "action": action, "source": "b1", "turns": [3, 3]}
        for action in ("summon", "direct")
    ]
    position = {"phase": "draw", "lasting": bans, "players": {"P1": {"fields": stacks}}}
    played = play(ruleset, position, P1("draw", count=0))
    assert played.position["done"] == [{"player": "P1", "action": "turn_up", "card": "a1"}]


def test_36_a_card_kept_down_is_still_set(ruleset: Ruleset) -> None:
    """36: nothing may be set on it, and its effect waits."""
    stacks = {"1": down("a2=kotaro", "a1=aesop")}
    ban = {"op": "forbid", "player": "P1", "action": "turn_up", "source": "b1", "turns": [3, 3]}
    sides = {"P1": {"deck": 10, "hand": ["a3=kuroda"], "fields": stacks}}
    position = {"phase": "draw", "lasting": [ban], "players": sides}
    drawn = (P1("draw", count=0), END)
    played = play(ruleset, position, *drawn)
    assert played.one("turn_up_prevented")["card"] == "a1"
    assert played.position["summoned"] == []
    assert play(ruleset, position, *drawn, USE).refused == "HS-510"
    setting = P1("set_card", card="a3", field=1)
    assert play(ruleset, position, *drawn, END, setting).refused == "HS-506"


def test_38_a_name_is_used_up_per_player_and_turn(ruleset: Ruleset) -> None:
    """38: the other player's use does not count; every turn start empties `used`."""
    position = in_effect({"fields": {"1": "a1=edison"}}, used=["P2:電流争い"])
    played = play(ruleset, position, USE)
    assert played.position["used"] == ["P2:電流争い", "a1#0", "P1:電流争い"]
    ended = play(ruleset, {**played.position, "phase": "attack"}, END)
    assert ended.position["used"] == []


def test_39_a_limit_counts_what_was_done_before_it_began(ruleset: Ruleset) -> None:
    """39: sets by effects do not count."""
    limit = {
        "op": "limit",
        "player": "P1",
        "actions": ["set"],
        "count": 1,
        "source": "b1",
        "turns": [3, 3],
    }
    done = {"player": "P1", "action": "set", "card": "a1"}
    sides = {"P1": {"hand": ["a2=yasuke"], "fields": {"1": "a1=kotaro"}}}
    position = {"phase": "set", "lasting": [limit], "players": sides}
    deed = P1("set_card", card="a2", field=1)
    assert play(ruleset, {**position, "done": [done]}, deed).refused == "HS-645"
    by_effect = {**done, "action": "set_by_effect"}
    assert play(ruleset, {**position, "done": [by_effect]}, deed).refused is None


def test_40_a_played_incident_lies_in_the_graveyard(ruleset: Ruleset) -> None:
    """40, 59: it is counted there while its effect goes on, and it is no candidate."""
    sides = {"hand": ["a1=storm-night"], "graveyard": ["a2=kotaro"]}
    position = in_effect(sides, {"fields": {"1": "b1=yasuke"}})
    played = play(ruleset, position, P1("play", card="a1"))
    assert played.pile("P1", "graveyard") == ["a1", "a2"]
    taking = {"op": "move", "select": {"zone": "graveyard"}, "pick": {"count": 1}, "to": "hand"}
    frames = [{**played.position["frames"][0], "ops": [taking]}]
    going_on = {**played.position, "frames": frames}
    chosen = play(ruleset, going_on, P1("choose", cards=["P2.1"]))
    assert chosen.position["pending"]["candidates"] == ["a2"]


def test_41_an_extra_turn_computes_the_bounds_anew(ruleset: Ruleset) -> None:
    """41: `next_opponent_turn` moves behind the extra turn; `turn` counts turns and stays."""
    entries = [
        {"op": "power", "card": "a2", "amount": 1, "source": "a2", "turns": turns, "until": word}
        for word, turns in (("next_opponent_turn", [4, 4]), ("turn", [3, 3]))
    ]
    stacks = {"1": "a1=ramses", "2": "a2=kotaro"}
    position = in_effect({"fields": stacks}, summoned=["a1"], lasting=entries)
    played = play(ruleset, position, USE)
    assert played.one("extra_turn_granted")["turns"] == {"m1": [5, 5]}
    assert [entry["turns"] for entry in played.position["lasting"]] == [[5, 5], [3, 3]]


def test_42_a_borrowed_effect_belongs_to_the_borrower(ruleset: Ruleset) -> None:
    """42, 59: `this` is the borrowing card."""
    sides = {"fields": {"1": "a1=zeami", "2": "a2=gutenberg", "3": "a3=kotaro"}}
    played = play(ruleset, in_effect(sides), USE, choose("a2"))
    assert played.one("lasting_added")["entry"]["card"] == "a1"
    assert played.position["used"] == ["a1#0"]


def test_43_a_power_filter_reads_present_powers(ruleset: Ruleset) -> None:
    """43, 50: of a face-up top; in a hidden zone the printed power."""
    weak = {"op": "power", "card": "a2", "amount": -2000, "source": "a1", "turns": [3, 3]}
    taking = {"select": {"filter": {"power": [0, 1000]}}, "pick": {"up_to": 9}, "to": "deck_top"}
    own = {"hand": ["a3=yasuke", "a4=basho"], "fields": {"1": "a1=yasuke", "2": "a2=yasuke"}}
    select = {"zone": ["field", "hand"], "filter": {"power": [0, 1000]}}
    asked = trial(ruleset, {"op": "move", **taking, "select": select}, p1=own, lasting=[weak])
    assert asked.position["pending"]["candidates"] == ["a2"]


def test_46_what_is_uncovered_watches_the_card_above_leave(ruleset: Ruleset) -> None:
    """46: triggers are collected per card, right after its facts."""
    moving = {"op": "move", "select": THEIRS, "pick": {"all": True}, "to": "graveyard"}
    stacks = {"1": ["b1=tokiwa", "b2=okuni"], "2": "b3=okuni"}
    played = trial(
        ruleset, moving, p1={"fields": {"1": "a1=yasuke"}}, p2={"fields": stacks, "deck": 10}
    )
    entries = played.one("effects_queued")["entries"]
    assert [(entry["card"], entry["it"]) for entry in entries] == [("b1", "b2"), ("b1", "b3")]


def test_47_the_condition_of_a_trigger_is_tested_at_the_head(ruleset: Ruleset) -> None:
    """47: the place of the source is not tested for `dies`."""
    dying = {"op": "move", "select": THEIRS, "pick": {"all": True}, "to": "graveyard"}
    played = trial(
        ruleset, dying, p1={"fields": {"1": "a1=yasuke"}}, p2={"fields": {"1": "b1=benkei"}}
    )
    assert played.one("effect_triggered")["card"] == "b1"
    queued = [{"player": "P1", "card": "a2", "effect": 0}]
    kept = {"op": "move", "select": {"zone": "field", "filter": {"name": "シュン"}}, "to": "hand"}
    lost = trial(
        ruleset,
        {**kept, "pick": {"all": True}},
        p1={"fields": {"1": "a1=yasuke", "2": "a2=shun-twin"}},
        queue=queued,
    )
    assert lost.one("effect_not_triggered")["reason"] == "source_gone"


def test_48_new_triggers_wait_behind_what_already_waits(ruleset: Ruleset) -> None:
    """48: only the new entries are sorted, the turn player's first."""
    dying = {"op": "move", "select": {**FIELD, "side": "both", "filter": {"other": True}}}
    waiting = [{"player": "P2", "card": "b2", "effect": 0}]
    played = trial(
        ruleset,
        {**dying, "pick": {"all": True}, "to": "graveyard"},
        {"op": "draw", "player": "self", "count": 0},
        p1={"fields": {"1": "a1=yasuke", "2": "a2=benkei"}},
        p2={"fields": {"1": "b1=benkei"}, "hand": ["b2=benkei"]},
        queue=waiting,
    )
    queued = played.one("effects_queued")["entries"]
    assert [entry["card"] for entry in queued] == ["a2", "b1"]
    order = [
        fact["card"]
        for fact in played.facts
        if fact["fact"] in ("effect_triggered", "effect_not_triggered")
    ]
    assert order == ["b2", "a2", "b1"]


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        ({"not": {"rank": 4}}, ["b3"]),
        ({"rank": [0, 4]}, ["b3"]),
        ({"other": True}, ["b2", "b3"]),
        ({"state": "set"}, ["b2"]),
        ({"any": [{"state": "set"}, {"rank": 0}]}, ["b2", "b3"]),
        ({"any": [{"attacking": True}]}, []),
        ({}, ["b2", "b3"]),
    ],
)
def test_50_what_a_filter_may_ask_of_a_face_down_card(
    ruleset: Ruleset, wanted: Json, fits: list[str]
) -> None:
    """50: `not` matches none, `other` and `state` do work."""
    looking = {"op": "move", "select": {**THEIRS, "filter": wanted}, "pick": {"up_to": 9}}
    played = trial(
        ruleset,
        {**looking, "to": "hand"},
        p1={"fields": {"1": "a1=yasuke"}},
        p2={"fields": {"1": down("b1=mitsuki", "b2=yasuke"), "2": "b3=kotaro"}},
    )
    pending = played.position["pending"] or {"candidates": []}
    assert pending["candidates"] == fits


def test_50_an_incident_has_no_rank(ruleset: Ruleset) -> None:
    """50: its level is read by `level` only."""
    for key, found in (("rank", []), ("level", ["a3"])):
        taking = {"op": "move", "select": {"zone": "hand", "filter": {key: [0, 4]}}}
        played = trial(
            ruleset,
            {**taking, "pick": {"up_to": 9}, "to": "deck_top"},
            p1={"hand": ["a3=eclipse"], "fields": {"1": "a1=yasuke"}},
        )
        assert played.position["pending"]["candidates"] == found


ASKS = {
    "up to, out of a hidden zone": ({"zone": "hand"}, {"up_to": 1}, True),
    "up to, out of a union with a hidden zone": ({"zone": ["field", "deck"]}, {"up_to": 1}, True),
    "up to, on the field": ({"zone": "field", "side": "opponent"}, {"up_to": 1}, False),
    "a count without candidates": ({"zone": "hand"}, {"count": 1}, False),
}


@pytest.mark.parametrize(("select", "pick", "is_asked"), ASKS.values(), ids=ASKS)
def test_51_who_is_asked_without_candidates(
    ruleset: Ruleset, select: Json, pick: Json, is_asked: bool
) -> None:
    """51: silence would tell a failed search from a declined one."""
    select = {**select, "filter": {"name": "nobody"}}
    moving = {"op": "move", "select": select, "pick": pick, "to": "hand"}
    played = trial(ruleset, moving, p1={"fields": {"1": "a1=yasuke"}})
    assert (played.position["pending"] is not None) is is_asked


@pytest.mark.parametrize(
    ("select", "pick", "is_asked"),
    [
        ({"this": True}, None, False),
        ({"this": True}, {"up_to": 1}, True),
        ({"zone": "field"}, {"count": 1}, True),
        ({"zone": "field"}, {"all": True}, False),
    ],
)
def test_51_who_is_asked_with_one_candidate(
    ruleset: Ruleset, select: Json, pick: Json, is_asked: bool
) -> None:
    """51: a single forced candidate is asked for; `this` only with `up_to`."""
    resting = {"op": "rest", "select": select, **({} if pick is None else {"pick": pick})}
    played = trial(ruleset, resting, p1={"fields": {"1": "a1=yasuke"}})
    assert (played.position["pending"] is not None) is is_asked


@pytest.mark.parametrize(
    ("pick", "select", "shuffled"),
    [
        ({"random": 1}, {}, []),
        ({"top": 1}, {}, []),
        ({"all": True}, {}, []),
        ({"up_to": 1}, {"top": 2}, []),
        ({"up_to": 1}, {"until": {"rank": 0}}, []),
        ({"up_to": 1}, {}, ["graveyard", "deck"]),
        ({"count": 1}, {"filter": {"name": "nobody"}}, ["graveyard", "deck"]),
    ],
)
def test_52_which_piles_are_shuffled(
    ruleset: Ruleset, pick: Json, select: Json, shuffled: list[str]
) -> None:
    """52: also after an empty choice and without candidates, in the order of the selector."""
    zone = "deck" if "random" in pick else ["graveyard", "deck"]
    moving = {"op": "move", "select": {"zone": zone, **select}, "pick": pick, "to": "hand"}
    own = {"graveyard": ["a2=kotaro"], "fields": {"1": "a1=yasuke"}}
    played = trial(ruleset, moving, p1=own)
    if played.position["pending"] is not None:
        played = play(ruleset, played.position, choose())
    assert [fact["zone"] for fact in played.all("zone_shuffled")] == shuffled


def test_53_destinations_are_tested_one_after_the_other(ruleset: Ruleset) -> None:
    """53: rank 1 fits the rank 0 just placed; a late refusal leaves nothing behind."""
    own: Json = {"hand": ["a2=kotaro", "a3=yasuke"], "fields": {"1": "a1=hokusai"}}
    placing = {"op": "summon", "select": {"zone": "hand"}, "pick": {"count": 2}, "order": "rank"}
    asked = trial(ruleset, placing, p1=own)
    pending = asked.position["pending"]
    assert (pending["candidates"], pending["min"], pending["max"]) == (["a2"], 1, 1)
    own["fields"]["2"] = "a4=mitsuki"
    asked = trial(ruleset, placing, p1=own)
    pending = asked.position["pending"]
    assert (pending["candidates"], pending["min"], pending["max"]) == (["a2", "a3"], 1, 2)
    assert play(ruleset, asked.position, choose("a2", "a3", fields=[3, 3])).refused is None
    refused = play(ruleset, asked.position, choose("a2", "a3", fields=[3, 4]))
    assert (refused.refused, refused.position) == ("HS-403", asked.position)


def test_55_what_was_used_is_forgotten_only_off_the_field(ruleset: Ruleset) -> None:
    """55: not when covered, turned down or shifted; limits by name stay in any case."""
    noted = {"summoned": ["a2"], "used": ["a2#0", "P1:電流争い"]}
    select = {"zone": "field", "filter": {"other": True}}
    own = {"fields": {"1": "a1=hokusai", "2": "a2=okuni"}}
    turning = {"op": "flip", "select": select, "pick": {"all": True}, "to": "down"}
    assert trial(ruleset, turning, p1=own, **noted).position["used"] == noted["used"]
    moving = {"op": "move", "select": select, "pick": {"all": True}, "to": "hand"}
    gone = trial(ruleset, moving, p1=own, **noted).position
    assert (gone["used"], gone["summoned"]) == (["P1:電流争い"], [])


def test_60_the_bound_of_a_chain_is_part_of_the_position(ruleset: Ruleset) -> None:
    """60: it counts over answers to choices, and an action begins it anew."""
    draws = [{"op": "draw", "player": "self", "count": 0}] * 2
    played = trial(ruleset, *draws, p1={"fields": {"1": "a1=hokusai"}}, steps=199)
    assert played.one("effects_cut")["steps"] == 200
    assert (played.position["frames"], played.position["steps"]) == ([], 0)
    fresh = play(ruleset, in_effect({"fields": {"1": "a1=okuni"}}, steps=150), USE)
    assert fresh.position["steps"] == 1
