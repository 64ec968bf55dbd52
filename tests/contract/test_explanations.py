"""Explanations of every game: each fact in words of both languages, and nothing that is hidden.

The facts are those of the worked examples and of random play; what neither reaches is built here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.catalogue import LoadedGame
from service.engine.contract import Form, Record, Rejection, Ruleset
from service.engine.examples import Run, play, viewers_of
from service.engine.explaining import (
    BOUNDS,
    COMPUTATION,
    Alternative,
    Explainer,
    Line,
    refused,
    rules_cited,
    scene_of,
    scene_of_fact,
)
from service.engine.matching import matches
from service.engine.templates import CHOOSE, instance
from service.engine.texts import LANGUAGES, PLACEHOLDER, Language, Scene
from service.engine.values import JUDGE, Action, Actor, Entry, Fact, Json, View, Viewer
from tests.conftest import CATALOGUE
from tests.contract.test_examples import examples_of
from tests.contract.test_laws import HOSTILE, SEEDS, attempt, walked, walks_of
from tests.contract.walks import options_of, walk

PLAYED_MOST = 10
SNAKE = re.compile(r"[A-Za-z]+_[a-z_]+")
TOKEN = re.compile(r"«(.*?)»")
ID = re.compile(r"[A-Za-z0-9#._=-]+")

UNREACHED: Mapping[str, list[Fact]] = {
    "hagmi": [
        {"fact": "attack_impossible", "rules": ["HG-430"], "unit": "u1", "reason": reason}
        for reason in ("down", "fuel", "targets", "gone")
    ]
    + [
        {
            "fact": "keyword_granted",
            "rules": ["HG-940"],
            "source": "u1",
            "card": "u2",
            "keyword": keyword,
            "until": until,
        }
        for keyword in ("first_strike", "pierce", "undefendable", "unreducible", "unremovable")
        for until in ("end_of_turn", "end_of_combat")
    ]
    + [{"fact": "card_released", "rules": ["HG-410"], "card": "u1", "from": "u2"}],
}
"""Facts of types that examples and the play here hardly reach, or not. u1, u2: any cards."""

RARE: Mapping[str, list[Fact]] = {
    "hagmi": [
        {
            "fact": "damage_computed",
            "rules": ["HG-919"],
            "target": "u1",
            "base": 1,
            "modifiers": [{"rule": "HG-919", "by": 1}, {"rule": "HG-262", "by": -3}],
            "total": 0,
        }
    ]
}
"""Facts that compute as no example and no play here does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A fact, worded or not, as a viewer is shown it. lines: of its computation."""

    fact: Fact
    text: str
    lines: list[Line]
    scene: Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A record as a viewer sees it. listed: what its actor could do before."""

    ruleset: Ruleset
    record: Record
    viewer: Viewer
    form: Form
    views: list[View]
    listed: list[Entry]

    @property
    def names(self) -> dict[str, str]:
        return {seat: f"⟨{seat}⟩" for seat in self.ruleset.seats(self.record.after)}

    def told(self, explainer: Explainer) -> Iterator[Told]:
        for number, fact in enumerate(self.form["facts"]):
            if fact is not None:
                scene = scene_of_fact(self.ruleset, self.names, fact, self.views, number)
                yield Told(
                    fact=fact,
                    text=explainer.words.fact(fact, scene, explainer.language),
                    lines=explainer.computation(fact, scene) or [],
                    scene=scene,
                )

    def alternatives(self, explainer: Explainer) -> list[Alternative]:
        if self.viewer not in (self.record.actor, JUDGE):
            return []
        before = self.views[0]
        scene = scene_of(self.ruleset, self.names, {}, [before], before)
        return explainer.alternatives(self.record.actor, self.listed, scene)


def seen_by(
    ruleset: Ruleset, record: Record, viewer: Viewer, listed: Mapping[Actor, list[Entry]]
) -> Seen:
    positions = [record.before, *(step.after for step in record.steps)]
    return Seen(
        ruleset=ruleset,
        record=record,
        viewer=viewer,
        form=ruleset.redact(record, viewer),
        views=[ruleset.view(position, viewer) for position in positions],
        listed=listed.get(record.actor, []),
    )


@cache
def of_play(name: str) -> list[Seen]:
    """Return records of random play of every kind, spread over a match, for every viewer."""
    pool = CATALOGUE.game(name).sample
    found: list[Seen] = []
    for options in options_of(pool.ruleset)[:2]:
        played = list(walk(pool, 1, options))
        for one in (played[0], *played[1 :: -(-len(played) // PLAYED_MOST)]):
            for viewer in viewers_of(pool.ruleset, one.record.after):
                found.append(seen_by(pool.ruleset, one.record, viewer, one.listed))
    return found


@cache
def runs_of(name: str) -> dict[str, Run]:
    """Return the worked examples as they ran, by their ids."""
    game = CATALOGUE.game(name)
    return {example["id"]: play(example, game.sample.ruleset) for example in examples_of(game)}


@cache
def of_examples(name: str) -> list[Seen]:
    """Return the records of the worked examples, as the judge sees them."""
    ruleset = CATALOGUE.game(name).sample.ruleset
    return [
        seen_by(ruleset, record, JUDGE, {})
        for run in runs_of(name).values()
        for record in run.records
    ]


def explainer_of(game: LoadedGame, language: Language) -> Explainer:
    return Explainer(words=game.sample.words, language=language)


def text_taken(texts: Json, fields: Mapping[str, Json]) -> Json:
    """Return the text of a fact or action that its cases choose."""
    cases = texts.get("cases", ())
    return next((case for case in cases if matches(case["when"], dict(fields))), texts)


def at(fields: Json, path: str) -> Json:
    for key in path.split("."):
        fields = fields.get(key) if isinstance(fields, dict) else None
    return fields


def unworded(game: LoadedGame, text: str, fields: Mapping[str, Json], names: set[str]) -> list[str]:
    """Return what a text would show as it is stored: values without a word of their own."""
    words, zones = game.display["words"], game.display["zones"]
    found = []
    for path, kind in PLACEHOLDER.findall(text):
        value, name = at(fields, path), path.rpartition(".")[2]
        for item in value if isinstance(value, list) else [value]:
            if kind == "number" or not isinstance(item, str | bool | None):
                continue
            key = str(item).lower() if isinstance(item, bool) else item
            is_worded = {
                "": key in words.get(name, {}),
                "zone": key in zones,
                "player": key in names or key in words["player"],
                "card": True,
            }[kind]
            if not is_worded:
                found.append(f"{path}={item}")
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_type_is_told(game: LoadedGame, language: Language) -> None:
    """No text is empty, keeps a brace, a key or nothing in place of a value, or names an id."""
    name, explainer = game.game.name, explainer_of(game, language)
    reached: set[str] = set()
    for seen in (*of_examples(name), *of_play(name)):
        ids = set(seen.ruleset.cards_in(seen.record.after)) | set(
            seen.ruleset.cards_in(seen.record.before)
        )
        for told in seen.told(explainer):
            reached.add(told.fact["fact"])
            texts = game.display["facts"][told.fact["fact"]]
            taken = text_taken(texts, told.fact)[language]
            assert unworded(game, taken, told.fact, set(seen.names)) == [], told.fact
            for text in (told.text, *(line["text"] for line in told.lines)):
                check_text(text, ids, told.fact)
    built = UNREACHED.get(name, [])
    assert reached | {fact["fact"] for fact in built} == game.game.facts
    for fact in built:
        check_built(game, fact, explainer)


def check_text(text: str, ids: set[str], fact: Json) -> None:
    """Check a sentence. Names of seats stand in ⟨ ⟩ and may be anything."""
    plain = re.sub("⟨.*?⟩", "", text)
    assert plain.strip(), fact
    assert not set(plain) & set("{}[]⟨⟩"), (text, fact)
    assert not SNAKE.search(plain), (text, fact)
    assert not re.search(r"\b(None|False|null)\b", plain), (text, fact)
    assert not {word for word in ID.findall(plain) if not word.isdecimal()} & ids, (text, fact)


def check_built(game: LoadedGame, fact: Fact, explainer: Explainer) -> None:
    names = sorted(game.sample.ruleset.cards)
    scene = Scene(names={}, definition_of={"u1": names[0], "u2": names[1]}.get)
    text = explainer.words.fact(fact, scene, explainer.language)
    taken = text_taken(game.display["facts"][fact["fact"]], fact)[explainer.language]
    assert unworded(game, taken, fact, set()) == []
    check_text(text, {"u1", "u2"}, fact)
    assert set(rules_cited(fact)) <= set(game.rules)


def test_every_line_of_a_computation_is_reached_and_told(game: LoadedGame) -> None:
    """Every text for a line is used somewhere; every step and modifier has its line, in order."""
    name, ruleset = game.game.name, game.sample.ruleset
    texts = game.display["words"][COMPUTATION]
    marked = {key: {"en": f"«{key}» {text['en']}"} for key, text in texts.items()}
    words = {**game.display["words"], COMPUTATION: marked}
    shown = replace(game.sample.words, display={**game.display, "words": words})
    explainer = Explainer(words=shown, language="en")
    told = [one for seen in (*of_examples(name), *of_play(name)) for one in seen.told(explainer)]
    scene = Scene(names={}, definition_of=lambda _: min(ruleset.cards))
    built = [explainer.computation(fact, scene) for fact in RARE.get(name, [])]
    assert all(built)
    lines = [line for one in told for line in one.lines]
    lines += [line for one in built if one is not None for line in one]
    assert {key for line in lines for key in TOKEN.findall(line["text"])} == set(texts)
    computing = {key.partition(".")[0] for key in texts}
    for one in told:
        assert bool(one.lines) == (one.fact["fact"] in computing), one.fact
        if one.lines:
            check_lines(one.fact, one.lines)


def check_lines(fact: Fact, lines: list[Line]) -> None:
    kinds = [line["kind"] for line in lines]
    assert (kinds[0], kinds[-1]) == ("base", "total"), fact
    assert kinds.count("base") == kinds.count("total") == 1
    parts = [part for part in fact.get("trace", [])[1:] if part["step"] not in BOUNDS]
    parts += fact.get("modifiers", [])
    if "trace" in fact or "modifiers" in fact:
        assert kinds.count("modifier") == len(parts)
        given = [line["rules"] for line in lines if line["kind"] == "modifier"]
        assert given == [list(rules_cited(part)) for part in parts]
        assert all(given)
    for line in lines:
        assert set(line["rules"]) <= set(rules_cited(fact))


def test_the_judge_is_told_every_card_by_name(game: LoadedGame) -> None:
    hidden = game.display["words"]["card"]["hidden"]
    for seen in of_play(game.game.name):
        if seen.viewer == JUDGE:
            for told in seen.told(explainer_of(game, "en")):
                for text in (told.text, *(line["text"] for line in told.lines)):
                    assert hidden["en"] not in text.lower(), (text, told.fact)


def strings(value: Json) -> Iterator[str]:
    """Yield every string in a value, of `place=definition` the definition."""
    if isinstance(value, str):
        yield value.rpartition("=")[2]
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def test_n_no_explanation_names_what_its_viewer_may_not_see(game: LoadedGame) -> None:
    """Every card is called by its definition: what is named stands in what the viewer is shown."""
    cards = {
        name: {
            **card,
            "name_en": f"«{name}»",
            "name_ja": f"«{name}»",
            "title_en": "",
            "title_ja": "",
        }
        for name, card in game.sample.ruleset.cards.items()
    }
    explainer = Explainer(words=replace(game.sample.words, cards=cards), language="en")
    named = 0
    for seen in of_play(game.game.name):
        shown = set(strings([seen.form, seen.views]))
        for told in seen.told(explainer):
            for text in (told.text, *(line["text"] for line in told.lines)):
                assert set(TOKEN.findall(text)) <= shown, (seen.viewer, text, told.fact)
                named += len(TOKEN.findall(text))
        for one in seen.alternatives(explainer):
            assert set(TOKEN.findall(one["text"])) <= set(strings(seen.views[0])), one
    assert named


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_alternative_is_told(game: LoadedGame, language: Language) -> None:
    explainer = explainer_of(game, language)
    types: set[str] = set()
    for seen in of_play(game.game.name):
        if seen.viewer != JUDGE or seen.record.actor not in seen.names:
            continue
        ids = set(seen.ruleset.cards_in(seen.record.before))
        found = seen.alternatives(explainer)
        assert len(found) >= len(seen.listed) > 0
        for one in found:
            types.add(one["action"]["type"])
            check_text(re.sub(r"^(.*)\[(.*)\]", r"\1\2", one["text"]), ids, one)
            spelled = {key: part for key, part in one["action"].items() if key != CHOOSE}
            assert any(
                spelled.items() >= {k: v for k, v in entry.items() if k != CHOOSE}.items()
                for entry in seen.listed
            )
    assert len(types) > 2


def test_examples_are_refused_for_the_same_rule_without_a_draw(game: LoadedGame) -> None:
    """What an example shows to be refused is, and what it shows to be accepted is not."""
    ruleset = game.sample.ruleset
    for example, run in runs_of(game.game.name).items():
        for record in run.records:
            assert refused(ruleset, record.before, record.actor, record.action) is None
        if run.refused is not None:
            actor, action = run.actions[-1]
            assert refused(ruleset, run.position, actor, action) == run.refused, example


@settings(walked, max_examples=2)
@given(seed=SEEDS, data=st.data())
def test_what_is_refused_is_refused_without_a_draw(
    game: LoadedGame, seed: int, data: st.DataObject
) -> None:
    """No rule refuses an action after it has asked for a draw."""
    ruleset = game.sample.ruleset
    for played in walks_of(game, seed, most=30):
        position = played.record.before
        for action in asked(played.record.action, played.listed, data):
            actor = data.draw(st.sampled_from([played.record.actor, "P1", "P2", "system", "P9"]))
            found = attempt(game.sample, position, actor, action)
            expected = found if isinstance(found, Rejection) else None
            assert refused(ruleset, position, actor, action) == expected, (actor, action)


def asked(
    action: Action, listed: Mapping[Actor, list[Entry]], data: st.DataObject
) -> Iterator[Action]:
    """Yield an action, the same with a field spoilt, and one that is legal for somebody."""
    yield action
    yield action | {data.draw(st.sampled_from(sorted(action))): data.draw(st.sampled_from(HOSTILE))}
    entries = [entry for all_listed in listed.values() for entry in all_listed]
    if entries:
        yield instance(data.draw(st.sampled_from(entries)), lambda limit: limit - 1)
