"""Laws (g), (h), (i) and (n): no card is lost, and nobody learns what is hidden (house style)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from service.engine.contract import Record, Rejection, Ruleset
from service.engine.draws import Draws, KeyedSource, numbers
from service.engine.play import follow_up, perform
from service.engine.templates import instance, is_awaited
from service.engine.values import SPECTATOR, Action, Json, Position, Viewer

PILES = ("hand", "secret", "weapon_deck", "operation_deck", "damage_deck", "discard", "removed")
DECKS = ("weapon_deck", "operation_deck", "damage_deck")
BEAST_PILES = ("deck", "charge_units", "discard", "removed")
KINDS_ALIKE = (("weapon", "armament"), ("facility", "order"), ("damage",))
ACTIONS_MAX = 3_000
MATCHES = [(b"one", {}), (b"two", {}), (b"three", {"mode": "machine_beast", "seats": 3})]

walked = pytest.mark.parametrize(("key", "options"), MATCHES)


def walk(ruleset: Ruleset, key: bytes, options: Json) -> Iterator[Record]:
    """Play a random match; who may do something does it rather than pass."""
    source, below = KeyedSource(key, {}), numbers(key, "walk")
    setup = ruleset.deal(Draws(KeyedSource(key, {})), options)
    record = follow_up(ruleset, ruleset.new_position(), setup, Draws(source))
    for _ in range(ACTIONS_MAX):
        assert record is not None
        yield record
        listed = ruleset.legal_actions(record.after)
        if not listed:
            return
        (actor,) = (player for player, entries in listed.items() if is_awaited(entries))
        *entries, _ = listed[actor]
        busy = [entry for entry in entries if entry["type"] not in ("pass", "end_phase")]
        action = instance((busy or entries)[below(len(busy or entries))], below)
        found = perform(ruleset, record.after, actor, action, Draws(source))
        record = found if isinstance(found, Record) else record
    raise AssertionError("the match did not end")


def held_in(field: Json) -> Iterator[str]:
    for card, entry in field.items():
        yield card
        yield from entry["fuel"]
        yield from held_in(entry["stored"])
        yield from held_in(entry["armaments"])


def places_of(position: Position) -> Counter[str]:
    """Count in how many places each card lies."""
    found: Counter[str] = Counter()
    for player in position["players"].values():
        found.update(card for zone in PILES for card in player[zone])
        found.update(held_in(player["field"]))
    found.update(card for zone in BEAST_PILES for card in position["beast"][zone])
    found.update(held_in(position["beast"]["field"]))
    for link in position["chain"]:
        found.update([link["card"], *link["pay"]] if link["t"] == "play" else [])
    return found


def fuel_in(field: Json) -> Iterator[str]:
    for entry in field.values():
        yield from entry["fuel"]
        yield from fuel_in(entry["stored"])


def concealed_from(position: Position, viewer: Viewer) -> set[str]:
    """Return the ids that a viewer may not see in a position."""
    found = {card for zone in ("deck", "charge_units") for card in position["beast"][zone]}
    found |= set(fuel_in(position["beast"]["field"]))
    for name, player in position["players"].items():
        found |= {card for zone in DECKS for card in player[zone]}
        if name != viewer:
            found |= {*player["hand"], *player["secret"], *fuel_in(player["field"])}
    for link in position["chain"]:
        if link["t"] == "play" and link["player"] != viewer:
            found |= set(link["pay"]) - set(link["open"])
    return found - {link.get("source") for link in position["chain"]}


def strings_in(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (name.partition("/")[0] for name in value)
        yield from (found for part in value.values() for found in strings_in(part))
    elif isinstance(value, list):
        yield from (found for part in value for found in strings_in(part))


def with_other_secrets(
    ruleset: Ruleset, position: Position, viewer: Viewer, chance: random.Random
) -> Position:
    """Return a position that differs only in what a viewer may not see."""
    concealed = concealed_from(position, viewer)
    definitions = {card["id"]: card["kind"] for card in ruleset.cards.values()}
    kinds = {kind: alike for alike in KINDS_ALIKE for kind in alike}
    cards = {}
    for card, known in position["cards"].items():
        alike = kinds.get(definitions[known["card"]], ())
        others = [name for name, kind in definitions.items() if kind in alike]
        other = chance.choice(others) if card in concealed and others else known["card"]
        cards[card] = {**known, "card": other}
    players = {
        name: {**player, **{zone: chance.sample(player[zone], len(player[zone])) for zone in DECKS}}
        for name, player in position["players"].items()
    }
    return {**position, "cards": cards, "players": players}


def rule_of(ruleset: Ruleset, position: Position, actor: str, action: Action) -> str | None:
    decided = ruleset.decide(position, actor, action, Draws(KeyedSource(b"rule", {})))
    return decided.rule if isinstance(decided, Rejection) else None


@walked
def test_no_card_is_made_or_lost(ruleset: Ruleset, key: bytes, options: Json) -> None:
    """(g): every card lies in one place; only tokens vanish, and what a fallen player had."""
    for record in walk(ruleset, key, options):
        places = places_of(record.after)
        assert set(places.values()) == {1}
        gone = record.after["cards"].keys() - places.keys()
        fallen = any(player["lost"] for player in record.after["players"].values())
        tokens = {card for card in gone if record.after["cards"][card]["card"] == "HT-601"}
        assert gone == tokens or fallen


@walked
def test_a_view_names_nothing_hidden(ruleset: Ruleset, key: bytes, options: Json) -> None:
    """(n), of positions: the ids in a view are those of the cards that it tells."""
    for record in walk(ruleset, key, options):
        for viewer in (*ruleset.seats(record.after), SPECTATOR):
            view = ruleset.view(record.after, viewer)
            named = set(strings_in({**view, "cards": None})) & record.after["cards"].keys()
            assert named == view["cards"].keys()
            assert not named & concealed_from(record.after, viewer)


@walked
def test_a_form_names_nothing_that_was_never_seen(
    ruleset: Ruleset, key: bytes, options: Json
) -> None:
    """(n), of records: an id appears first in a record after which it lies open or is one's own."""
    seen: dict[Viewer, set[str]] = {}
    for record in walk(ruleset, key, options):
        for viewer in (*ruleset.seats(record.after), SPECTATOR):
            known = seen.setdefault(viewer, set())
            form = ruleset.redact(record, viewer)
            turned_up = {f["card"] for f in record.facts if f["fact"] == "beast_charged"}
            named = set(strings_in([form["action"], form["draws"], form["facts"]]))
            named &= record.after["cards"].keys()
            concealed = concealed_from(record.after, viewer) - turned_up
            assert not (named - known) & concealed - own_cards(record.after, viewer)
            known |= named


def own_cards(position: Position, viewer: Viewer) -> set[str]:
    """Return the ids of a player's own cards, which are known from the registration."""
    return {card for card, known in position["cards"].items() if known["owner"] == viewer}


@walked
def test_what_a_viewer_may_not_see_changes_nothing_for_him(
    ruleset: Ruleset, key: bytes, options: Json
) -> None:
    """(h), (i): view, listed actions, acceptance and rule depend on what he sees alone."""
    chance = random.Random(key)
    for record in list(walk(ruleset, key, options))[::9]:
        position = record.after
        listed = ruleset.legal_actions(position)
        for viewer in (*ruleset.seats(position), SPECTATOR):
            other = with_other_secrets(ruleset, position, viewer, chance)
            assert ruleset.view(other, viewer) == ruleset.view(position, viewer)
            assert ruleset.legal_actions(other).get(viewer) == listed.get(viewer)
            for entry in listed.get(viewer, []):
                action = instance(entry, numbers(key, "try"))
                for tried in (action, *spoiled(action, position, viewer, chance)):
                    rule = rule_of(ruleset, position, viewer, tried)
                    assert rule_of(ruleset, other, viewer, tried) == rule, tried


def spoiled(
    action: Action, position: Position, viewer: Viewer, chance: random.Random
) -> Iterator[Action]:
    """Yield the action with one field replaced by other ids that the actor sees."""
    known = sorted(position["cards"].keys() - concealed_from(position, viewer))
    for field, value in action.items():
        if field != "type" and isinstance(value, str):
            yield {**action, field: chance.choice(known)}
        elif field != "type" and isinstance(value, list):
            yield {**action, field: chance.sample(known, min(len(known), len(value) or 1))}
