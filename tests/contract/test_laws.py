"""Laws that hold for every game, on positions reached by random legal play (house style, Tests).

The letters are those of the list there. Laws (g), (h) and (i) need to know where a game keeps its
cards and are tested beside each game, in `tests/rulesets/<game>/`.
"""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.strict import canonical, read_json
from service.catalogue import LoadedGame, Pool
from service.engine.contract import Record, Rejection
from service.engine.draws import DrawFault, Draws, KeyedSource, RecordedSource
from service.engine.examples import viewers_of
from service.engine.play import perform, written
from service.engine.templates import instance, is_listed
from service.engine.values import Action, Json, Position, same
from tests.conftest import CATALOGUE
from tests.contract.test_examples import examples_of, rules_in
from tests.contract.walks import Played, options_of, walk

SEEDS = st.integers(0, 10_000)
HOSTILE: tuple[Json, ...] = (
    None, True, False, 0, 1, -1, 2**53 - 1, "", "?", "P1", "P2", "system", "a1", "b1", [], {},
    [[]], [None], {"deck": True}, {"field": True}, ["a1", "a1"], "P2.hand.1", "\u0000",
)  # fmt: skip

walked = settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def walks_of(game: LoadedGame, seed: int, *, most: int = 10_000) -> list[Played]:
    """Return a random match: all of its actions, or `most` of them spread over it."""
    chosen = options_of(game.sample.ruleset)
    played = list(walk(game.sample, seed, chosen[seed % len(chosen)]))
    step = -(-len(played) // most)
    return played[seed % step :: step]


def shuffled(value: Json) -> Json:
    """Return an equal value whose objects hold their keys in the opposite order."""
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(list(value))}
    if isinstance(value, list):
        return [shuffled(part) for part in value]
    return value


@walked
@given(seed=SEEDS)
def test_a_same_input_gives_the_same_facts_whatever_the_order_of_keys(
    game: LoadedGame, seed: int
) -> None:
    ruleset = game.sample.ruleset
    for played in walks_of(game, seed, most=40):
        record = played.record
        again = perform(
            ruleset,
            shuffled(record.before),
            record.actor,
            shuffled(record.action),
            Draws(RecordedSource(list(record.draws))),
        )
        assert isinstance(again, Record)
        assert same(again.facts, record.facts)
        assert same(again.after, record.after)


@walked
@given(seed=SEEDS)
def test_b_inputs_are_left_untouched(game: LoadedGame, seed: int) -> None:
    ruleset = game.sample.ruleset
    for played in walks_of(game, seed, most=40):
        record = played.record
        before, action = canonical(record.before), canonical(record.action)
        perform(
            ruleset,
            record.before,
            record.actor,
            record.action,
            Draws(RecordedSource(list(record.draws))),
        )
        ruleset.legal_actions(record.before)
        ruleset.normalise(record.before)
        for viewer in viewers_of(ruleset, record.after):
            ruleset.view(record.before, viewer)
            ruleset.redact(record, viewer)
        assert canonical(record.before) == before
        assert canonical(record.action) == action


@walked
@given(seed=SEEDS)
def test_c_every_listed_action_is_accepted(game: LoadedGame, seed: int) -> None:
    """An instance may be refused only where two chosen fields depend on each other (FORMAT 8)."""
    for played in walks_of(game, seed, most=40):
        position = played.record.before
        for actor, entries in played.listed.items():
            for entry in entries:
                action = instance(entry, played.below)
                assert is_listed(action, [entry])
                found = attempt(game.sample, position, actor, action)
                depends = len(entry.get("choose", {})) > 1
                assert isinstance(found, Record) or depends, (entry, action, found)


def attempt(pool: Pool, position: Position, actor: str, action: Action) -> Record | Rejection:
    """Decide with draws that nobody reads."""
    source = KeyedSource(b"attempt", {})
    return perform(pool.ruleset, position, actor, written(pool.ruleset, action), Draws(source))


@walked
@given(seed=SEEDS, data=st.data())
def test_d_every_mutated_action_is_refused_with_a_rule(
    game: LoadedGame, seed: int, data: st.DataObject
) -> None:
    ruleset = game.sample.ruleset
    for played in walks_of(game, seed, most=40):
        action, actor = played.record.action, played.record.actor
        field = data.draw(st.sampled_from(sorted(action)))
        mutated = action | {field: data.draw(st.sampled_from(HOSTILE))}
        other = data.draw(st.sampled_from([actor, "P1", "P2", "P3", "system", "P9", ""]))
        position = played.record.before
        try:
            found = attempt(game.sample, position, other, mutated)
        except DrawFault as fault:
            raise AssertionError("a draw was asked for before the action was tested") from fault
        if isinstance(found, Rejection):
            assert found.rule in game.rules
        else:
            listed = ruleset.legal_actions(position).get(other, [])
            cleaned = ruleset.clean(mutated)
            assert other == "system" or is_listed(cleaned, listed) or spelled(cleaned, action), (
                mutated
            )


def spelled(mutated: Action, action: Action) -> bool:
    """Tell whether two actions differ only in how the same thing is spelled or left out."""
    return all(
        same(value, action.get(key)) or value in ([], None, {}, 0, False)
        for key, value in mutated.items()
    )


@walked
@given(seed=SEEDS)
def test_e_folding_the_facts_gives_the_position_after(game: LoadedGame, seed: int) -> None:
    ruleset = game.sample.ruleset
    for played in walks_of(game, seed):
        position = played.record.before
        for fact in played.record.facts:
            position = ruleset.evolve(position, read_json(canonical(fact)))
        assert same(position, played.record.after)


@walked
@given(seed=SEEDS)
def test_f_everything_survives_canonical_json(game: LoadedGame, seed: int) -> None:
    for played in walks_of(game, seed, most=40):
        record = played.record
        for value in (record.after, record.facts, record.action, list(record.draws)):
            assert same(read_json(canonical(value)), value)


@pytest.mark.parametrize("seed", range(3))
def test_j_random_matches_end(game: LoadedGame, seed: int) -> None:
    for options in options_of(game.sample.ruleset):
        for played in walk(game.sample, seed, options):
            last = played.record.after
        assert game.sample.ruleset.outcome(last) is not None
        assert game.sample.ruleset.legal_actions(last) == {}


@walked
@given(seed=SEEDS)
def test_k_every_fact_cites_a_rule_that_exists(game: LoadedGame, seed: int) -> None:
    for played in walks_of(game, seed):
        for fact in played.record.facts:
            cited = list(rules_in(fact))
            assert cited, fact
            assert [rule for rule in cited if rule not in game.rules] == []


@walked
@given(seed=SEEDS)
def test_l_normalising_is_idempotent_and_fills_in_defaults(game: LoadedGame, seed: int) -> None:
    ruleset = game.sample.ruleset
    for played in walks_of(game, seed, most=40):
        position = played.record.after
        assert same(ruleset.normalise(position), position)


def test_l_examples_normalise_once(game: LoadedGame) -> None:
    ruleset = game.sample.ruleset
    for example in examples_of(game):
        once = ruleset.normalise(copy.deepcopy(example.get("position", {})))
        assert same(ruleset.normalise(once), once), example["id"]


@walked
@given(seed=SEEDS)
def test_m_every_form_has_all_facts_and_draws(game: LoadedGame, seed: int) -> None:
    ruleset = game.sample.ruleset
    for played in walks_of(game, seed, most=80):
        record = played.record
        for viewer in viewers_of(ruleset, record.after):
            form = ruleset.redact(record, viewer)
            assert form["actor"] == record.actor
            for full, seen in (
                (record.facts, form["facts"]),
                (list(record.draws), form["draws"]),
                ([record.action], [form["action"]]),
            ):
                assert len(full) == len(seen)
                for whole, part in zip(full, seen, strict=True):
                    assert part is None or whole.keys() <= part.keys()


@walked
@given(seed=SEEDS)
def test_the_judge_sees_everything_unchanged(game: LoadedGame, seed: int) -> None:
    ruleset = game.sample.ruleset
    for played in walks_of(game, seed, most=40):
        record = played.record
        form = ruleset.redact(record, "judge")
        assert same(form["facts"], record.facts)
        assert same(form["action"], record.action)
        assert same(form["draws"], list(record.draws))


@walked
@given(seed=SEEDS)
def test_nothing_depends_on_what_is_decided_beside_it(game: LoadedGame, seed: int) -> None:
    """Two matches decided in turns are the same as each alone: nothing is kept between calls."""
    first, second = walks_of(game, seed), walks_of(game, seed + 1)
    for left, right in zip(first[:40], second[:40], strict=False):
        for played in (left, right):
            record = played.record
            again = perform(
                game.sample.ruleset,
                record.before,
                record.actor,
                record.action,
                Draws(RecordedSource(list(record.draws))),
            )
            assert isinstance(again, Record)
            assert json.dumps(again.facts) == json.dumps(record.facts)


def test_every_game_is_here() -> None:
    assert CATALOGUE.names()
