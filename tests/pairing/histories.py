"""Tournaments that are played by dice: whole ones, round by round, and small hard positions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from service.pairing.fields import Options, Pairing, Player, Unpairable
from service.pairing.swiss import pair

WIN, DRAW = 3, 1


@dataclass(kw_only=True)
class Entry:
    points: int = 0
    met: list[str] = field(default_factory=list)
    byes: int = 0
    floated: bool = False
    active: bool = True


@dataclass(kw_only=True)
class Tournament:
    """Entries that collect points; `dice` decides results, drops and late entries.

    played: the tables of each round with the winner, None for a draw.
    """

    dice: random.Random
    draw_share: float = 0.1
    entries: dict[str, Entry] = field(default_factory=dict)
    played: list[list[tuple[str, str, str | None]]] = field(default_factory=list)

    def enter(self, count: int, *, points: int = 0, byes: int = 0) -> None:
        for number in range(len(self.entries), len(self.entries) + count):
            self.entries[f"p{number:05}"] = Entry(points=points, byes=byes)

    def drop(self, player: str) -> None:
        self.entries[player].active = False

    def players(self) -> list[Player]:
        return [
            Player(
                id=name,
                points=entry.points,
                met=tuple(entry.met),
                byes=entry.byes,
                floated=entry.floated,
                active=entry.active,
            )
            for name, entry in self.entries.items()
        ]

    def play(self, tables: Sequence[tuple[str, str]], byes: Sequence[str]) -> None:
        """Give points for a round."""
        self.played.append([])
        for name, other in tables:
            one, two = self.entries[name], self.entries[other]
            one.floated = two.floated = one.points != two.points
            one.met.append(other)
            two.met.append(name)
            winner = None
            if self.dice.random() < self.draw_share:
                one.points += DRAW
                two.points += DRAW
            else:
                winner = self.dice.choice((name, other))
                self.entries[winner].points += WIN
            self.played[-1].append((name, other, winner))
        for name in byes:
            entry = self.entries[name]
            entry.points += WIN
            entry.byes += 1
            entry.floated = False

    def active(self) -> list[str]:
        return [name for name, entry in self.entries.items() if entry.active]


def seed_of(dice: random.Random) -> bytes:
    return dice.randbytes(32)


def rounds(seed: int, *, size: int | None = None) -> Iterator[tuple[Tournament, Options, Pairing]]:
    """Play a tournament with drops, late entries and byes; give each round before it is played."""
    dice = random.Random(seed)
    event = Tournament(dice=dice, draw_share=dice.choice((0.0, 0.05, 0.2, 1.0)))
    event.enter(
        size or dice.choice((dice.randint(2, 12), dice.randint(13, 64), dice.randint(65, 200)))
    )
    drop_share = dice.choice((0.0, 0.02, 0.1))
    for number in range(dice.randint(2, 12)):
        if number and dice.random() < 0.3:
            event.enter(dice.randint(1, 2), points=dice.choice((0, 1, 3)), byes=dice.randint(0, 1))
        for name in event.active():
            if number and dice.random() < drop_share:
                event.drop(name)
        options = Options(seed=seed_of(dice))
        found = pair(event.players(), options)
        if isinstance(found, Unpairable):
            assert len(event.active()) < 2
            return
        yield event, options, found
        event.play(found.tables, found.byes)


def hard(seed: int, size: int, played: int) -> list[Player]:
    """Return a field after rounds that were paired by dice alone, without rematches."""
    dice = random.Random(seed)
    while True:
        event = Tournament(dice=dice, draw_share=dice.choice((0.0, 0.1, 0.3)))
        event.enter(size)
        if all(_play_by_dice(event) for _ in range(played)):
            return event.players()


def _play_by_dice(event: Tournament) -> bool:
    for _ in range(200):
        names = event.active()
        event.dice.shuffle(names)
        byes = [names.pop()] if len(names) % 2 else []
        tables = list(zip(names[::2], names[1::2], strict=True))
        is_new = all(other not in event.entries[name].met for name, other in tables)
        if is_new and not any(event.entries[name].byes for name in byes):
            event.play(tables, byes)
            return True
    return False
