"""Matches in memory: begun from a seed, played by random actions, every state kept."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from service.aggregates.beginning import ReadySeat, ready
from service.aggregates.events import GENERATOR, MatchEvent, MatchOpened, Policy, Roots, Seat
from service.aggregates.fairness import commitments_of
from service.aggregates.matches import Given, Match, evolve
from service.aggregates.playing import PlayAction, play
from service.commands.simulations import (
    random_action,
    simulated_secrets,
    simulated_setup,
    simulation_key,
)
from service.engine.contract import Rejection
from tests.conftest import CATALOGUE

NOW = "2026-01-02T03:04:05.000006Z"
MATCH = "m1"


@dataclass(slots=True, kw_only=True)
class Played:
    """A match with every state since its beginning, `states[i]` after i + 1 events."""

    given: Given
    events: list[MatchEvent]
    states: list[Match]
    random: random.Random = field(default_factory=lambda: random.Random(1))

    @property
    def match(self) -> Match:
        return self.states[-1]

    def at(self, index: int) -> Match:
        """Return the state at an index."""
        return self.states[index - 1]

    def since(self, index: int) -> Sequence[MatchEvent]:
        """Return the events behind an index."""
        return self.events[index:]

    def add(self, events: Sequence[MatchEvent]) -> None:
        """Let events happen."""
        for event in events:
            self.events.append(event)
            self.states.append(evolve(self.match, event, self.given.ruleset, match_id=MATCH))

    def play(self, count: int) -> None:
        """Play random actions, as many as the match takes."""
        below = self.random.randrange
        for _ in range(count):
            listed = self.given.ruleset.legal_actions(self.match.position)
            if not listed:
                return
            actor, action = random_action(listed, below)
            command = PlayAction(match_id=MATCH, actor=actor, action=action)
            decided = play(self.match, command, self.given)
            if not isinstance(decided, Rejection):
                self.add(decided)


def begun(game: str, seed: int = 0) -> Played:
    """Return a match that has just begun."""
    ruleset = CATALOGUE.game(game).sample.ruleset
    key = simulation_key(game, seed, 0)
    setup, secrets = simulated_setup(ruleset, key, {}), simulated_secrets(key)
    roots = commitments_of(MATCH, secrets)
    assert isinstance(roots, Roots)
    assert roots.generator == GENERATOR
    opened = MatchOpened(
        game=game,
        edition=f"{game}@1",
        engine=1,
        rules_digest="",
        cards_digest="",
        texts_digest="",
        cards="sample",
        kind="live",
        seats={seat: Seat(person=f"person-{seat}", name="n") for seat in setup["decks"]},
        setup={name: value for name, value in setup.items() if name != "decks"},
        policy=Policy(),
        visibility="listed",
        opened_by=None,
        roots=roots,
        source=None,
        time=NOW,
    )
    given = Given(ruleset=ruleset, secrets=secrets, now=NOW)
    played = Played(
        given=given,
        events=[opened],
        states=[evolve(None, opened, ruleset, match_id=MATCH)],
        random=random.Random(seed),
    )
    for seat, deck in setup["decks"].items():
        asked = ReadySeat(match_id=MATCH, seat=seat, deck=deck, deck_bytes=b"deck", salt=b"salt")
        readied = ready(played.match, asked, given)
        assert not isinstance(readied, Rejection)
        played.add(readied)
    return played
