"""Laws (g), (h), (i) and (n): no piece is lost, and nobody learns what is hidden (house style)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from service.engine.contract import Record, Rejection, Ruleset
from service.engine.draws import Draws, KeyedSource, numbers
from service.engine.play import follow_up, perform
from service.engine.templates import instance
from service.engine.values import Json, Position, Viewer

PLAYERS = ("P1", "P2")
ACTIONS_MAX = 2_000
SEEDS = [b"one", b"two", b"three"]


def walk(ruleset: Ruleset, key: bytes) -> Iterator[Record]:
    """Play a random match to its end, without conceding."""
    source, below = KeyedSource(key, {}), numbers(key, "walk")
    setup = ruleset.deal(Draws(KeyedSource(key, {})), {})
    position = ruleset.new_position()
    for _ in range(ACTIONS_MAX):
        record = follow_up(ruleset, position, setup, Draws(source))
        if record is None:
            actor = position["turn"]
            *entries, _ = ruleset.legal_actions(position)[actor]
            action = instance(entries[below(len(entries))], below)
            found = perform(ruleset, position, actor, action, Draws(source))
            assert isinstance(found, Record)
            record = found
        yield record
        position = record.after
        if ruleset.outcome(position) is not None:
            return
    raise AssertionError("the match did not end")


def pieces_of(position: Position, player: str) -> list[str]:
    own = position[player]
    on_board = [cell["piece"] for cell in own["board"].values()]
    return [*own["hand"], *own["deck"], *own["removed"], *on_board]


def hidden_from(position: Position, viewer: Viewer) -> set[str]:
    """Return the pieces whose place a viewer does not know."""
    hidden: set[str] = set()
    for player in PLAYERS:
        hidden.update(position[player]["deck"])
        hidden.update([] if player == viewer else position[player]["hand"])
    return hidden


def rearranged(position: Position, viewer: Viewer, seed: int) -> Position:
    """Return a position that differs only in what a viewer does not see."""
    chance = random.Random(seed)
    pieces, changed = dict(position["pieces"]), dict(position)
    for player in PLAYERS:
        own = position[player]
        shown = own["hand"] if player == viewer else []
        hidden = [piece for piece in own["hand"] + own["deck"] if piece not in shown]
        chance.shuffle(hidden)
        for piece in hidden:
            sides = chance.sample(pieces[piece]["sides"], 4)
            pieces[piece] = pieces[piece] | {"sides": sides}
        count = len(own["hand"]) - len(shown)
        changed[player] = own | {"hand": shown or hidden[:count], "deck": hidden[count:]}
    return changed | {"pieces": pieces}


def texts_in(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for part in value.values():
            yield from texts_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_in(part)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize("key", SEEDS)
def test_g_pieces_are_neither_made_nor_lost(ruleset: Ruleset, key: bytes) -> None:
    before: list[list[str]] | None = None
    for record in walk(ruleset, key):
        found = [sorted(pieces_of(record.after, player)) for player in PLAYERS]
        assert found == (before or found)
        assert sum(map(len, found)) == len(record.after["pieces"])
        before = found


@pytest.mark.parametrize("key", SEEDS)
def test_h_and_i_what_is_hidden_changes_neither_view_nor_answer(
    ruleset: Ruleset, key: bytes
) -> None:
    for seed, record in enumerate(walk(ruleset, key)):
        position = record.after
        for viewer in (*PLAYERS, "spectator"):
            other = rearranged(position, viewer, seed)
            assert ruleset.view(position, viewer) == ruleset.view(other, viewer)
            listed = [ruleset.legal_actions(either).get(viewer) for either in (position, other)]
            assert listed[0] == listed[1]
            for piece in sorted(position["pieces"])[:: 1 + seed % 7]:
                place = {"type": "place_piece", "piece": piece, "row": seed % 5, "col": 2}
                answers = [answer(ruleset, either, viewer, place) for either in (position, other)]
                assert answers[0] == answers[1]


def answer(ruleset: Ruleset, position: Position, actor: str, action: Json) -> str | None:
    found = ruleset.decide(position, actor, action, Draws(KeyedSource(b"answer", {})))
    return found.rule if isinstance(found, Rejection) else None


@pytest.mark.parametrize("key", SEEDS)
def test_n_no_form_names_a_hidden_piece(ruleset: Ruleset, key: bytes) -> None:
    """Deck lists are open, and a player knows which pieces of the own hand go back."""
    for record in walk(ruleset, key):
        for viewer in (*PLAYERS, "spectator"):
            for step, fact in zip(
                record.steps, ruleset.redact(record, viewer)["facts"], strict=True
            ):
                assert fact is not None
                is_known = fact["fact"] == "deck_registered" or (
                    fact["fact"] == "hand_returned" and fact["player"] == viewer
                )
                shown = set() if is_known else set(texts_in(fact))
                assert shown & hidden_from(step.after, viewer) == set()
            view = ruleset.view(record.after, viewer)
            assert set(texts_in(view)) & hidden_from(record.after, viewer) == set()
