"""Sentences about recorded matches name a card only to those who see it, and then truly.

What a viewer is told by name is what the judge is told by name; the judge sees ids alone, which are
one card for ever. Every card is called by its definition here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import pytest

from schemas.plain_logs import read_lines
from service.catalogue import LoadedGame
from service.engine.contract import Record, Ruleset
from service.engine.examples import viewers_of
from service.engine.explaining import scene_of_action, scene_of_fact
from service.engine.matching import matches
from service.engine.texts import PLACEHOLDER, Words
from service.engine.values import JUDGE, Fact, Json, View, Viewer
from service.offline import audit_lines
from tests.conftest import CATALOGUE, SEEDS

TOKEN = re.compile(r"«(.*?)»")
SOME = 40
"""How many records of each log; they are spread over it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A fact or an action as its viewer and as the judge is told it. views: of its viewer."""

    viewer: Viewer
    seen: Fact
    views: list[View]
    text: str
    judged: str


@cache
def logged(name: str) -> list[Record]:
    """Return records of every recorded log of a game, refused ones up to where they end."""
    found: list[Record] = []
    for path in sorted((SEEDS / name / "logs").glob("*.plain.jsonl")):
        with path.open("rb") as file:
            records = audit_lines(CATALOGUE, {}, list(read_lines(file))).records
        found += records[:: -(-len(records) // SOME)] if records else []
    return found


def sentences(game: LoadedGame) -> Iterator[Sentence]:
    ruleset = game.sample.ruleset
    named = {
        name: card | {"name_en": f"«{name}»", "title_en": ""}
        for name, card in ruleset.cards.items()
    }
    words = replace(game.sample.words, cards=named)
    for record in logged(game.game.name):
        judged = list(told(ruleset, words, record, JUDGE))
        for viewer in viewers_of(ruleset, record.after):
            for one, whole in zip(told(ruleset, words, record, viewer), judged, strict=True):
                if one is not None and whole is not None:
                    yield replace(one, judged=whole.text)


def told(
    ruleset: Ruleset, words: Words, record: Record, viewer: Viewer
) -> Iterator[Sentence | None]:
    """Yield the sentences of a record for a viewer, the action first; None for what is withheld."""
    positions = [record.before, *(step.after for step in record.steps)]
    views = [ruleset.view(position, viewer) for position in positions]
    form = ruleset.redact(record, viewer)
    action = form["action"]
    if action is None:
        yield None
    else:
        is_as_sent = viewer in (record.actor, JUDGE)
        scene = scene_of_action(ruleset, {}, action, views, is_as_sent=is_as_sent)
        text = words.action(record.actor, action, scene, "en")
        yield Sentence(viewer=viewer, seen=action, views=views, text=text, judged="")
    for number, fact in enumerate(form["facts"]):
        if fact is None:
            yield None
            continue
        scene = scene_of_fact(ruleset, {}, fact, views, number)
        text = words.fact(fact, scene, "en")
        yield Sentence(viewer=viewer, seen=fact, views=views, text=text, judged="")


def cards_named(text: str) -> Counter[str]:
    return Counter(TOKEN.findall(text))


def test_what_a_viewer_is_told_by_name_is_what_the_judge_is_told(game: LoadedGame) -> None:
    named = 0
    for one in sentences(game):
        found = cards_named(one.text)
        assert found <= cards_named(one.judged), (one.viewer, one.text, one.judged, one.seen)
        named += found.total()
    assert named


def test_a_card_that_a_viewer_sees_is_told_by_name(game: LoadedGame) -> None:
    """An id that any view of the event shows, and whatever the fact itself tells, has its name."""
    ruleset = game.sample.ruleset
    for one in sentences(game):
        known = [
            name for card in references(game, one.seen) if (name := seen_card(ruleset, one, card))
        ]
        missing = Counter(known) - cards_named(one.text)
        assert not missing, (one.viewer, one.text, one.seen)


def seen_card(ruleset: Ruleset, one: Sentence, reference: str) -> str | None:
    """Return the definition of a card that is called by its id or told by the fact, or None."""
    told_by_fact = (one.seen.get("shown") or {}).get(reference)
    if told_by_fact is not None or ruleset.is_place(reference):
        return told_by_fact
    found = (ruleset.definition_of(view, reference) for view in one.views)
    return next((name for name in found if name is not None), None)


def references(game: LoadedGame, seen: Fact) -> Iterator[str]:
    """Yield what stands in the fields of a fact or action that its sentence calls cards."""
    kind = "facts" if "fact" in seen else "actions"
    texts = game.display[kind][seen["fact"] if "fact" in seen else seen["type"]]
    taken = next((case for case in texts.get("cases", ()) if matches(case["when"], seen)), texts)
    if "hidden" in taken:
        return
    for path, means in PLACEHOLDER.findall(taken["en"]):
        value: Json = seen
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        if means == "card":
            yield from (
                card
                for card in (value if isinstance(value, list) else [value])
                if isinstance(card, str)
            )


@pytest.mark.parametrize("viewer", ["P2", "spectator"])
def test_a_card_set_face_down_is_not_told_by_the_card_below(viewer: Viewer) -> None:
    """The rank-up of Hi! story covers a card that all have seen: its place is told, no name."""
    sample = CATALOGUE.game("hi-story").sample
    covering = [
        (record, number)
        for record in logged("hi-story")
        for number, fact in enumerate(record.facts)
        if fact["fact"] == "card_set" and fact["player"] == "P1" and not fact.get("reveal")
    ]
    assert covering
    for record, number in covering:
        words = replace(
            sample.words, cards={name: {"name_en": f"«{name}»"} for name in sample.ruleset.cards}
        )
        found = [one for one in told(sample.ruleset, words, record, viewer) if one is not None]
        assert cards_named(found[number + 1].text) == {}, found[number + 1].text
