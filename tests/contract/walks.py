"""Random legal play, as a source of positions that a match can reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from service.catalogue import Pool
from service.commands.simulations import random_action, simulated_setup, simulation_key
from service.engine.contract import Record, Rejection, Ruleset
from service.engine.draws import Draws, KeyedSource, numbers
from service.engine.play import follow_up, perform, written
from service.engine.templates import Below
from service.engine.values import Action, Actor, Entry, Json, Position

ACTIONS_MAX = 20_000
TRIES_MAX = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """An action of a walk: what was listed before it, and its record."""

    listed: dict[Actor, list[Entry]]
    sent: Action
    record: Record
    below: Below


def options_of(ruleset: Ruleset) -> list[dict[str, Json]]:
    """Return the options under which a game is walked: every mode that it deals."""
    found: list[dict[str, Json]] = [{}]
    for options in ({"mode": "machine_beast", "seats": seats} for seats in range(1, 5)):
        try:
            ruleset.deal(Draws(KeyedSource(bytes(32), {})), options)
        except ValueError:
            continue
        found.append(options)
    return found


def walk(pool: Pool, seed: int, options: dict[str, Json]) -> Iterator[Played]:
    """Play one random match to its end."""
    ruleset = pool.ruleset
    key = simulation_key(ruleset.game, seed, 0)
    setup = simulated_setup(ruleset, key, options)
    source = KeyedSource(key, {})
    position = ruleset.new_position()
    for number in range(ACTIONS_MAX):
        below = numbers(key, f"walk/{number}")
        listed = ruleset.legal_actions(position)
        played = follow_up(ruleset, position, setup, Draws(source)) or _random(
            ruleset, position, listed, source, below
        )
        yield Played(listed=listed, sent=played.action, record=played, below=below)
        position = played.after
        if ruleset.outcome(position) is not None:
            return
    raise AssertionError(f"{ruleset.game}: no end within {ACTIONS_MAX} actions")


def _random(
    ruleset: Ruleset,
    position: Position,
    listed: dict[Actor, list[Entry]],
    source: KeyedSource,
    below: Below,
) -> Record:
    for _ in range(TRIES_MAX):
        actor, action = random_action(listed, below)
        found = perform(ruleset, position, actor, written(ruleset, action), Draws(source))
        if not isinstance(found, Rejection):
            return found
    raise AssertionError(f"{ruleset.game}: nothing listed was accepted")
