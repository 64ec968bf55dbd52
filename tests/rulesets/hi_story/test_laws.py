"""Laws (g), (h), (i) and (n): no card is lost, and nobody learns what is hidden (house style)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from service.engine.contract import Record, Rejection, Ruleset, Step
from service.engine.draws import Draws, KeyedSource, numbers
from service.engine.play import follow_up, perform
from service.engine.templates import instance, is_awaited
from service.engine.values import Action, Json, Position, Viewer

PLAYERS = ("P1", "P2")
OUTSIDERS = (*PLAYERS, "spectator")
ACTIONS_MAX = 3_000
ACTIONS_FROM_A_CROWDED_TABLE = 40
TRIES_MAX = 64
CLOSED = (
    "cards_drawn",
    "cards_set_aside",
    "aside_returned",
    "cards_milled",
    "cards_moved",
    "targets_fixed",
    "choice_made",
    "card_set",
    "turn_up_prevented",
    "zone_shuffled",
)
"""Facts that show a card only to those who see it anyway, unless they reveal it (14.4)."""


def owner(card: str) -> str:
    return "P1" if card.startswith("a") else "P2"


def crowded(ruleset: Ruleset, chance: random.Random) -> Position:
    """Return a position with any cards on the fields, every [summoned] effect of which is open."""
    kinds = {name: card["kind"] for name, card in ruleset.cards.items()}
    persons = sorted(name for name, kind in kinds.items() if kind == "game")
    anything = sorted(persons + [name for name, kind in kinds.items() if kind == "incident"])
    summoned: list[str] = []
    count = 0

    def some(initial: str, names: list[str], low: int, high: int) -> list[str]:
        nonlocal count
        first, count = count + 1, count + chance.randint(low, high)
        return [f"{initial}{number}={chance.choice(names)}" for number in range(first, count + 1)]

    def stack(initial: str) -> Json:
        cards = some(initial, persons, 1, 3)
        state = chance.choice(["active", "active", "rest", "set"])
        if state != "set":
            summoned.append(cards[-1].partition("=")[0])
        return {"cards": cards, "rest": state == "rest", "set": state == "set"}

    sides = {
        owner(initial): {
            "deck": some(initial, anything, 8, 16),
            "hand": some(initial, anything, 2, 7),
            "graveyard": some(initial, anything, 0, 5),
            "fields": {str(field): stack(initial) for field in chance.sample(range(1, 6), 4)},
        }
        for initial in "ab"
    }
    phase = chance.choice(["effect", "effect", "set", "attack", "draw"])
    return ruleset.normalise({"phase": phase, "players": sides, "summoned": summoned})


def match(ruleset: Ruleset, key: bytes) -> Iterator[Record]:
    """Play a random match between decks of the pool to its end."""
    setup = ruleset.deal(Draws(KeyedSource(key, {})), {})
    return walk(ruleset, ruleset.new_position(), key, setup)


def from_crowded(ruleset: Ruleset, key: bytes) -> Iterator[Record]:
    """Play some actions from a crowded table."""
    position = crowded(ruleset, random.Random(key))
    return islice(walk(ruleset, position, key, {}), ACTIONS_FROM_A_CROWDED_TABLE)


def walk(ruleset: Ruleset, position: Position, key: bytes, setup: Json) -> Iterator[Record]:
    source, below = KeyedSource(key, {}), numbers(key, "walk")
    for _ in range(ACTIONS_MAX):
        record = follow_up(ruleset, position, setup, Draws(source))
        if record is None:
            record = anything_listed(ruleset, position, source, below)
        yield record
        position = record.after
        if ruleset.outcome(position) is not None:
            return
    raise AssertionError("the match did not end")


def anything_listed(ruleset: Ruleset, position: Position, source: Json, below: Json) -> Record:
    listed = ruleset.legal_actions(position)
    actor = next(actor for actor, entries in sorted(listed.items()) if is_awaited(entries))
    entries = [entry for entry in listed[actor] if entry["type"] != "concede"]
    for _ in range(TRIES_MAX):
        action = instance(entries[below(len(entries))], below)
        found = perform(ruleset, position, actor, action, Draws(source))
        if isinstance(found, Record):
            return found
    raise AssertionError("nothing listed was accepted")


GAMES = [
    pytest.param(play, key, id=f"{play.__name__}-{key.decode()}")
    for play, keys in ((match, (b"one",)), (from_crowded, (b"1", b"2", b"3", b"4")))
    for key in keys
]


def cards_on(position: Position, player: str) -> list[str]:
    side = position["players"][player]
    stacks = [card for stack in side["fields"].values() for card in stack["cards"]]
    return [*stacks, *side["deck"], *side["hand"], *side["graveyard"], *side["aside"]]


def sees(position: Position, viewer: Viewer, card: str) -> bool:
    """Tell whether a viewer sees a card, by the table of the spec (14.1)."""
    side = position["players"][owner(card)]
    for stack in side["fields"].values():
        if card in stack["cards"]:
            is_down = stack["set"] and card == stack["cards"][-1]
            return not is_down or owner(card) == viewer
    pending = position["pending"] or {}
    if pending.get("player") == viewer and card in pending.get("candidates", []):
        return True
    return owner(card) == viewer and (card in side["hand"] or card in side["aside"])


def texts_in(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for part in value.values():
            yield from texts_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_in(part)
    elif isinstance(value, str):
        yield from (value, *value.replace("#", "=").split("="))


def hidden_from(position: Position, viewer: Viewer) -> list[str]:
    return [card for card in sorted(position["cards"]) if not sees(position, viewer, card)]


def planted(position: Position, cards: list[str]) -> Position:
    """Return the position with a token of its own for the definition of each of the cards."""
    return {**position, "cards": {**position["cards"], **{card: f"token-{card}" for card in cards}}}


def rearranged(position: Position, viewer: Viewer, chance: random.Random) -> Position:
    """Return a position that differs only in what the hidden cards are.

    Cards that are spoken of openly (`lasting`, `attack`, ...) stay as they are.
    """
    spoken = ("summoned", "used", "done", "lasting", "attack", "frames", "queue", "pending")
    named = set(texts_in({key: position[key] for key in spoken}))
    hidden = [card for card in hidden_from(position, viewer) if card not in named]
    definitions = [position["cards"][card] for card in hidden]
    chance.shuffle(definitions)
    return {
        **position,
        "cards": {**position["cards"], **dict(zip(hidden, definitions, strict=True))},
    }


def attempts(position: Position, chance: random.Random) -> Iterator[Action]:
    """Give actions with any card and field, most of which some rule refuses."""
    card, field = chance.choice(sorted(position["cards"])), chance.randint(1, 5)
    for kind in ("summon", "set_card", "activate_effect", "substitute", "play", "block"):
        yield {"type": kind, "card": card, "field": field}
    yield {"type": "declare_attack", "field": field, "target": {"field": chance.randint(1, 5)}}
    yield {"type": "mulligan", "cards": [card]}
    for name in (card, f"P1.{field}", f"P2.{field}.1", f"P2.hand.{field}", "P1.deck.1"):
        yield {"type": "choose", "cards": [name]}


def answer(ruleset: Ruleset, position: Position, actor: str, action: Action) -> str | None:
    draws = Draws(KeyedSource(b"answer", {}))
    found = ruleset.decide(position, actor, ruleset.clean(action), draws)
    return found.rule if isinstance(found, Rejection) else None


@pytest.mark.parametrize(("play", "key"), GAMES)
def test_g_cards_are_neither_made_nor_lost(ruleset: Ruleset, play: Json, key: bytes) -> None:
    for record in play(ruleset, key):
        if record.action["type"] != "start_game":
            for player in PLAYERS:
                before, after = (cards_on(at, player) for at in (record.before, record.after))
                assert sorted(before) == sorted(after)
        assert len(record.after["cards"]) == sum(
            len(cards_on(record.after, player)) for player in PLAYERS
        )


@pytest.mark.parametrize(("play", "key"), GAMES)
def test_h_what_is_hidden_does_not_change_the_view(
    ruleset: Ruleset, play: Json, key: bytes
) -> None:
    chance = random.Random(key)
    for record in play(ruleset, key):
        for viewer in OUTSIDERS:
            other = rearranged(record.after, viewer, chance)
            assert ruleset.view(record.after, viewer) == ruleset.view(other, viewer)


@pytest.mark.parametrize(("play", "key"), GAMES)
def test_i_what_is_hidden_does_not_change_what_is_accepted(
    ruleset: Ruleset, play: Json, key: bytes
) -> None:
    chance = random.Random(key)
    for record in play(ruleset, key):
        position = record.after
        for player in PLAYERS if position["cards"] else ():
            other = rearranged(position, player, chance)
            listed = [ruleset.legal_actions(either).get(player) for either in (position, other)]
            assert listed[0] == listed[1]
            for action in attempts(position, chance):
                answers = [answer(ruleset, either, player, action) for either in (position, other)]
                assert answers[0] == answers[1], action


@pytest.mark.parametrize(("play", "key"), GAMES)
def test_n_no_view_tells_a_hidden_card(ruleset: Ruleset, play: Json, key: bytes) -> None:
    for record in play(ruleset, key):
        for viewer in OUTSIDERS:
            hidden = hidden_from(record.after, viewer)
            view = ruleset.view(planted(record.after, hidden), viewer)
            assert not any(text.startswith("token-") for text in texts_in(view["cards"]))
            assert [name for name in view["cards"] if name in hidden] == []
            foreign = [card for card in record.after["cards"] if owner(card) != viewer]
            assert set(texts_in(view)).isdisjoint(foreign)


@pytest.mark.parametrize(("play", "key"), GAMES)
def test_n_no_fact_tells_a_hidden_card(ruleset: Ruleset, play: Json, key: bytes) -> None:
    for record in play(ruleset, key):
        for viewer in OUTSIDERS:
            for step in record.steps:
                fact = seen_alone(ruleset, record, step, viewer)
                texts = set(texts_in(fact))
                foreign = [card for card in step.after["cards"] if owner(card) != viewer]
                assert texts.isdisjoint(foreign)
                if step.fact["fact"] in CLOSED and not step.fact.get("reveal"):
                    assert not any(text.startswith("token-") for text in texts)
                    assert texts.isdisjoint(never_seen(step, viewer))


def never_seen(step: Step, viewer: Viewer) -> list[str]:
    """Return the cards that a viewer sees neither before nor after a fact."""
    before = hidden_from(step.before, viewer)
    return [card for card in before if not sees(step.after, viewer, card)]


def seen_alone(ruleset: Ruleset, record: Record, step: Step, viewer: Viewer) -> Json:
    """Return a fact as a viewer sees it, tokens planted in what he does not see around it."""
    hidden = never_seen(step, viewer)
    before, after = planted(step.before, hidden), planted(step.after, hidden)
    alone = Record(
        actor=record.actor,
        action={"type": "take"},
        draws=(),
        steps=(Step(before=before, fact=step.fact, after=after),),
        before=before,
        after=after,
    )
    (fact,) = ruleset.redact(alone, viewer)["facts"]
    return fact
