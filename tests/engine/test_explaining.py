"""Explanations without a game: computations line by line, choices in words, refusals undrawn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine.contract import Decision, Rejection, Ruleset
from service.engine.draws import Draws
from service.engine.explaining import (
    Explainer,
    Line,
    refused,
    rules_cited,
    scene_of,
    scene_of_action,
    scene_of_fact,
)
from service.engine.texts import Language, Scene, Words
from service.engine.values import Action, Actor, Json, Position, View
from tests.conftest import CATALOGUE


def both(text: str) -> dict[str, str]:
    return {"ja": f"J {text}", "en": f"E {text}"}


LINES = {
    "power.base": both("base {base:number}"),
    "power.modifier": both("{source:card} {amount} = {value:number}"),
    "power.R-9": both("nine {amount} = {value:number}"),
    "power.times": both("x {times:number} = {value:number}"),
    "power.floor": both("{value:number} is below 0"),
    "power.total": both("total {total:number}"),
    "hit.trace.base": both("printed {value:number}"),
    "hit.trace.cheer": both("{from:card} {amount} = {value:number}"),
    "hit.trace.floor": both("at least {value:number}"),
    "hit.total": both("hit {total:number}"),
    "mill.base": both("{basis:number}"),
    "mill.modifier": both("{bonus} more"),
    "mill.rounding": both("down to {count:number}"),
}
WORDS = Words(
    display={
        "facts": {},
        "actions": {
            "draw": both("{actor:player} draws {count:number}"),
            "turn": both("{actor:player} turns"),
            "pay": both("{cards:card} for {card:card}"),
        },
        "words": {
            "computation": LINES,
            "list": {"empty": both("none")},
            "card": {"hidden": {"ja": "非公開", "en": "hidden"}},
        },
    },
    cards={"hero": {"name_ja": "ヒーロー", "name_en": "Hero"}},
    terms={},
)
SCENE = Scene(
    names={"P1": "Aya"}, definition_of=lambda reference: "hero" if reference == "a1" else None
)
EXPLAINER = Explainer(words=WORDS, language="en")


def computed(fact: dict[str, Json], language: Language = "en") -> list[Line] | None:
    explainer = replace(EXPLAINER, language=language)
    return explainer.computation({"rules": ["R-1"], **fact}, SCENE)


def told(fact: dict[str, Json], language: Language = "en") -> list[tuple[str, str]]:
    lines = computed(fact, language)
    assert lines is not None
    return [(line["kind"], line["text"]) for line in lines]


def modifier(amount: int, *rules: str, source: str = "a1") -> dict[str, Json]:
    return {"source": source, "amount": amount, "rules": list(rules)}


def test_base_modifiers_in_order_bound_total() -> None:
    parts = [modifier(500, "R-2"), modifier(-4000, "R-9", "R-3"), modifier(0, source="?")]
    fact = {"fact": "power", "base": 2000, "modifiers": parts, "total": 0}
    assert told(fact) == [
        ("base", "E base 2000"),
        ("modifier", "E Hero +500 = 2500"),
        ("modifier", "E nine -4000 = -1500"),
        ("modifier", "E hidden +0 = -1500"),
        ("rounding", "E -1500 is below 0"),
        ("total", "E total 0"),
    ]
    lines = computed(fact)
    assert lines is not None
    assert [line["rules"] for line in lines] == [[], ["R-2"], ["R-9", "R-3"], [], [], []]
    assert told(fact, "ja")[1] == ("modifier", "J ヒーロー +500 = 2500")


def test_factors_multiply_and_unbounded_sums_have_no_bound() -> None:
    parts = [{"rule": "R-2", "times": 3}, {"rule": "R-9", "by": -1, "amount": -1}]
    fact = {"fact": "power", "base": 2, "modifiers": parts, "total": 5}
    assert told(fact) == [
        ("base", "E base 2"),
        ("modifier", "E x 3 = 6"),
        ("modifier", "E nine -1 = 5"),
        ("total", "E total 5"),
    ]


def test_a_trace_is_told_without_bounds_that_change_nothing() -> None:
    trace = [
        {"step": "base", "amount": 3, "value": 3, "rules": ["R-1"]},
        {"step": "cheer", "from": "a1", "amount": -5, "value": -2, "rules": ["R-2"]},
        {"step": "floor", "value": 0, "rules": ["R-3"]},
        {"step": "floor", "value": 0, "rules": ["R-3"]},
        {"step": "unheard of", "value": 0, "rules": ["R-4"]},
    ]
    assert told({"fact": "hit", "trace": trace, "total": 0}) == [
        ("base", "E printed 3"),
        ("modifier", "E Hero -5 = -2"),
        ("rounding", "E at least 0"),
        ("total", "E hit 0"),
    ]


def test_a_line_without_its_value_is_left_out() -> None:
    fact = {"fact": "mill", "basis": 2500, "bonus": None, "count": 2}
    assert told(fact) == [("base", "E 2500"), ("rounding", "E down to 2")]
    assert told({**fact, "bonus": 1})[1] == ("modifier", "E 1 more")
    assert computed({"fact": "mill"}) is None
    assert computed({"fact": "other", "base": 1}) is None


ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["step", "value", "amount", "by", "times", "rules", "rule", "from"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=60)
@given(
    name=st.sampled_from(["power", "hit", "mill"]),
    fields=st.dictionaries(
        st.sampled_from(["base", "modifiers", "trace", "total", "basis", "count", "bonus"]), ANY
    ),
)
def test_whatever_people_gave_as_a_fact_is_told_somehow(name: str, fields: dict[str, Json]) -> None:
    for line in computed({"fact": name, **fields}) or []:
        assert line["kind"] in ("base", "modifier", "rounding", "total")
        assert line["text"].startswith("E ")


def test_rules_are_found_at_any_depth() -> None:
    fact = {"rules": ["R-1", 7], "modifiers": [{"rule": "R-2"}, {"x": {"rules": ["R-3"]}}]}
    assert list(rules_cited(fact)) == ["R-1", "R-2", "R-3"]
    deep: Json = {"rules": ["R-9"]}
    for _ in range(1_000):
        deep = {"x": deep}
    assert list(rules_cited(deep)) == []


def alternatives(*entries: dict[str, Json]) -> list[tuple[str, dict[str, Json]]]:
    found = EXPLAINER.alternatives("P1", entries, SCENE)
    return [(one["text"], one["action"]) for one in found]


def test_choices_that_make_other_sentences_are_spelled_out() -> None:
    entry = {"type": "draw", "choose": {"count": {"from": [0, 1, 2]}}}
    assert alternatives(entry) == [
        (f"E Aya draws {count}", {"type": "draw", "count": count}) for count in range(3)
    ]
    same = {"type": "turn", "choose": {"by": {"from": [0, 90]}, "to": {"from": [1, 2]}}}
    assert alternatives(same, {"type": "turn"}) == [
        ("E Aya turns", same),
        ("E Aya turns", {"type": "turn"}),
    ]


@pytest.mark.parametrize(
    ("chooser", "text"),
    [
        ({"from": ["a1", "a2"], "min": 1, "max": 2}, "E [1–2 of: Hero, Hidden] for Hero"),
        ({"from": ["a1", "a1", "P1"], "min": 2, "max": 2}, "E [2 of: Hero, Aya] for Hero"),
        ({"from": ["a1"], "min": 1, "max": 1}, "E Hero for Hero"),
        ({"from": list(range(20)), "min": 0, "max": 3}, "E [0–3 of 20] for Hero"),
    ],
)
def test_what_is_to_be_chosen_is_named(chooser: Json, text: str) -> None:
    entry = {"type": "pay", "card": "a1", "choose": {"cards": chooser}}
    shares = {"by": "cards", "sum": 3}
    assert alternatives(entry) == [(text, entry)]
    both_chosen = {**entry, "choose": {"cards": chooser, "shares": shares}}
    assert alternatives(both_chosen) == [(text, both_chosen)]


def test_a_wide_choice_is_not_spelled_out() -> None:
    entry = {"type": "draw", "choose": {"count": {"from": list(range(100))}}}
    assert alternatives(entry) == [("E Aya draws [1 of 100]", entry)]


def deciding(position: Position, actor: Actor, action: Action, draws: Draws) -> Decision:
    """Refuse what is not asked for; draw for the rest."""
    if action["type"] == "no":
        return Rejection("R-1", {"card": "a1"})
    if action["type"] == "chance":
        draws.shuffle("deck", [1, 2])
    if action["type"] == "die":
        draws.die(6)
    return [{"fact": "x", "rules": ["R-1"]}]


def test_a_refusal_is_found_without_a_draw() -> None:
    ruleset = replace(
        CATALOGUE.game("hi-story").sample.ruleset,
        decide=deciding,
        clean=lambda action: action,
        spell_out=lambda action: action,
    )
    assert refused(ruleset, {}, "P1", {"type": "no"}) == Rejection("R-1", {"card": "a1"})
    for kind in ("yes", "chance", "die"):
        assert refused(ruleset, {}, "P1", {"type": kind}) is None


def looked_up() -> Ruleset:
    """Return a game whose views are its cards by name, where names of two letters are places."""
    return replace(
        CATALOGUE.game("hi-story").sample.ruleset,
        definition_of=lambda view, reference: view.get(str(reference)),
        is_place=lambda reference: isinstance(reference, str) and reference.isalpha(),
    )


def test_a_card_is_known_from_the_fact_then_from_around_it_then_from_where_it_lies_at_last() -> (
    None
):
    views: list[View] = [{"a4": "first"}, {"a1": "before", "a2": "before"}, {"a1": "after"}]
    views.append({"a1": "late", "a2": "late", "a3": "late"})
    scene = scene_of_fact(looked_up(), {}, {"shown": {"P2.1": "told"}}, views, 1)
    asked: list[Json] = ["P2.1", "a1", "a2", "a3", "a4", "a5", None, {}]
    found = [scene.definition_of(one) for one in asked]
    assert found == ["told", "after", "before", "late", "first", None, None, None]


def test_a_place_is_that_of_the_view_of_which_the_text_speaks() -> None:
    views: list[View] = [{"aa": "before"}, {"aa": "after", "bb": "after"}]
    fact = scene_of_fact(looked_up(), {}, {"shown": {"bb": "told"}}, views, 0)
    sent = scene_of_action(looked_up(), {}, {}, views, is_as_sent=True)
    seen = scene_of_action(looked_up(), {}, {"shown": {"bb": "told"}}, views, is_as_sent=False)
    refusal = scene_of(looked_up(), {}, {}, [views[1]], views[1])
    found = [[scene.definition_of(one) for one in ("aa", "bb")] for scene in (fact, sent, seen)]
    assert found == [[None, "told"], ["before", None], [None, "told"]]
    assert refusal.definition_of("bb") == "after"
