"""Facts given by people: those of real play fold as they did there, others are refused."""

from __future__ import annotations

import copy
import random

from hypothesis import given
from hypothesis import strategies as st

from schemas.strict import canonical
from service.catalogue import LoadedGame
from service.engine.contract import Fault, Record
from service.engine.corrections import CORRECT, FACTS_MAX, corrected
from service.engine.examples import viewers_of
from service.engine.templates import instance
from service.engine.values import Json, same
from tests.contract.test_laws import HOSTILE, SEEDS, walked, walks_of


@walked
@given(seed=SEEDS)
def test_g_cards_are_neither_made_nor_lost(game: LoadedGame, seed: int) -> None:
    ruleset = game.sample.ruleset
    for played in walks_of(game, seed):
        before, after = (
            dict(ruleset.cards_in(at)) for at in (played.record.before, played.record.after)
        )
        assert before == {} or same(before, after)
        assert after


@walked
@given(seed=SEEDS)
def test_facts_of_play_fold_as_a_correction_and_hide_the_same(game: LoadedGame, seed: int) -> None:
    ruleset = game.sample.ruleset
    for played in walks_of(game, seed, most=40):
        record = played.record
        if not ruleset.cards_in(record.before):
            continue
        found = corrected(ruleset, record.before, record.facts)
        assert isinstance(found, Record), found
        assert (found.actor, found.action, found.draws) == ("system", CORRECT, ())
        assert same(found.after, record.after)
        for viewer in viewers_of(ruleset, record.after):
            form, told = ruleset.redact(found, viewer), ruleset.redact(record, viewer)
            assert same(form["facts"], told["facts"])
            assert (form["action"], form["draws"]) == (CORRECT, [])
            ruleset.view(found.after, viewer)


@walked
@given(seed=SEEDS, data=st.data())
def test_mutated_facts_are_refused_with_their_place_or_leave_a_sound_position(
    game: LoadedGame, seed: int, data: st.DataObject
) -> None:
    ruleset = game.sample.ruleset
    for played in walks_of(game, seed, most=80):
        before = played.record.before
        untouched = canonical(before)
        facts = mutated(played.record.facts, data)
        found = corrected(ruleset, before, facts)
        assert canonical(before) == untouched
        if isinstance(found, Fault):
            assert found.place.partition(".")[0] in ("facts", "position")
            continue
        canonical(found.after)
        assert same(ruleset.normalise(found.after), found.after)
        assert same(dict(ruleset.cards_in(found.after)), dict(ruleset.cards_in(before)))
        listed = ruleset.legal_actions(found.after)
        assert (listed == {}) == (ruleset.outcome(found.after) is not None)
        for viewer in viewers_of(ruleset, found.after):
            ruleset.view(found.after, viewer)
            assert len(ruleset.redact(found, viewer)["facts"]) == len(facts)


def mutated(facts: list[Json], data: st.DataObject) -> list[Json]:
    """Return facts with one of them changed, left out or doubled."""
    changed = copy.deepcopy(facts)
    at = data.draw(st.integers(0, len(changed) - 1))
    how = data.draw(st.sampled_from(["drop", "double", "spoil", "spoil", "without", "borrow"]))
    fact = changed[at]
    fields = sorted(fact.keys() - {"fact", "rules"}) or ["player"]
    field = data.draw(st.sampled_from(fields))
    other = data.draw(st.sampled_from(changed))
    if how == "drop":
        del changed[at]
    elif how == "double":
        changed.insert(at, fact)
    elif how == "spoil":
        fact[field] = data.draw(st.sampled_from([*HOSTILE, *fact.values()]))
    elif how == "without":
        fact.pop(field, None)
    else:
        fact[field] = copy.deepcopy(other.get(field, other.get("card")))
    return changed


def test_what_is_no_fact_of_the_game_is_refused(game: LoadedGame) -> None:
    ruleset = game.sample.ruleset
    vocabulary = ruleset.vocabulary
    position = next(played.record.after for played in walks_of(game, 1))
    name, rule = min(vocabulary.facts), min(vocabulary.rules)
    good = {"fact": name, "rules": [rule]}
    for facts, place in (
        (None, "facts"),
        ([], "facts"),
        ([good] * (FACTS_MAX + 1), "facts"),
        ([None], "facts.0"),
        ([{}], "facts.0.fact"),
        ([{"fact": [], "rules": [rule]}], "facts.0.fact"),
        ([{"fact": "no such", "rules": [rule]}], "facts.0.fact"),
        ([{"fact": name}], "facts.0.rules"),
        ([{"fact": name, "rules": []}], "facts.0.rules"),
        ([{"fact": name, "rules": ["ZZ-001"]}], "facts.0.rules"),
        ([{"fact": name, "rules": [rule], "x": [0] * 1_000}], "facts.0"),
    ):
        found = corrected(ruleset, position, facts)
        assert isinstance(found, Fault)
        assert found.place == place


def test_before_the_start_there_is_nothing_to_correct(game: LoadedGame) -> None:
    ruleset = game.sample.ruleset
    vocabulary = ruleset.vocabulary
    facts = [{"fact": min(vocabulary.facts), "rules": [min(vocabulary.rules)]}]
    found = corrected(ruleset, ruleset.new_position(), facts)
    assert isinstance(found, Fault)
    assert found.place == "position"


@walked
@given(seed=SEEDS)
def test_what_judges_are_offered_folds_and_cites_rules(game: LoadedGame, seed: int) -> None:
    """A fix may ask for another one behind it, as a fallen unit for a line that closes."""
    ruleset, chance = game.sample.ruleset, random.Random(seed)
    assert ruleset.fixes(ruleset.new_position()) == []
    running = set()
    for played in walks_of(game, seed, most=40):
        offered, used = ruleset.fixes(played.record.after), set()
        for entry in chance.sample(offered, len(offered)):
            if entry["fact"] in used:
                continue
            used.add(entry["fact"])
            found = corrected(ruleset, played.record.after, [instance(entry, chance.randrange)])
            assert isinstance(found, Record) or found.place == "position", (entry, found)
        if ruleset.outcome(played.record.after) is None:
            running.add(bool(offered))
    assert len(running) == 1, "a game offers something all along, or leaves fixes out"
