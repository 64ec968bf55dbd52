"""A match as long as one likes: both players draw nothing and end every phase."""

from __future__ import annotations

from dataclasses import replace

from service.aggregates.beginning import ReadySeat, ready
from service.aggregates.events import MatchEvent
from service.aggregates.matches import Given, evolve
from service.aggregates.playing import PlayAction, play
from service.catalogue import LoadedGame
from service.commands.matches import opened
from service.commands.simulations import simulated_secrets, simulated_setup, simulation_key
from service.engine.contract import Rejection
from service.engine.templates import instance
from service.engine.values import Action, Entry
from service.installation import Installation, clock

LAZY = ("keep_hand", "draw", "end_phase", "choose")


def store_long_match(installation: Installation, game: LoadedGame, events: int) -> str:
    """Store a running match with this number of events, and its snapshots."""
    match_id, ruleset = f"long-{events}", game.sample.ruleset
    key = simulation_key(game.edition.game, 0, events)
    setup, secrets = simulated_setup(ruleset, key, {}), simulated_secrets(key)
    command = installation.open_command(
        match_id,
        game.sample,
        cards="sample",
        kind="simulated",
        seats=installation.named_seats({seat: seat for seat in setup["decks"]}),
        secrets=secrets,
    )
    given = Given(ruleset=ruleset, secrets=secrets, now=clock())
    fixed = {name: value for name, value in setup.items() if name != "decks"}
    saved: list[MatchEvent] = [opened(replace(command, setup=fixed), given.now)]
    state = evolve(None, saved[0], ruleset, match_id=match_id)
    new: list[MatchEvent] = []
    for seat, deck in setup["decks"].items():
        asked_ready = ReadySeat(
            match_id=match_id, seat=seat, deck=deck, deck_bytes=b"deck", salt=b"salt"
        )
        readied = ready(state, asked_ready, given)
        assert not isinstance(readied, Rejection)
        for event in readied:
            state = evolve(state, event, ruleset, match_id=match_id)
        saved += readied
    while True:
        for event in new:
            state = evolve(state, event, ruleset, match_id=match_id)
        saved += new
        if len(saved) >= events:
            break
        actor, action = _lazy(ruleset.legal_actions(state.position))
        asked = PlayAction(match_id=match_id, actor=actor, action=action)
        decided = play(state, asked, given)
        assert not isinstance(decided, Rejection)
        new = list(decided)
    installation.log.append(
        match_id, None, saved[:events], secrets=secrets, attached=command.attached
    )
    installation.log.take_snapshots(match_id)
    return match_id


def _lazy(listed: dict[str, list[Entry]]) -> tuple[str, Action]:
    """Return an action that draws nothing and declines what is offered."""
    for actor in sorted(listed):
        for entry in listed[actor]:
            if entry["type"] in LAZY:
                below = _first if entry["type"] == "draw" else _last
                return actor, instance(entry, below)
    raise AssertionError("nothing lazy is listed")


def _first(_: int) -> int:
    return 0


def _last(count: int) -> int:
    return count - 1
