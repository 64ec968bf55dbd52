"""Made-up events: short to write by hand, or grown from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from msgspec import convert

from service.standings.records import (
    FIRST,
    SECOND,
    Event,
    Kind,
    Phase,
    Player,
    Result,
    Round,
    Side,
)

SCORES = ((2, 0, 0), (2, 1, 0), (1, 0, 0), (1, 1, 1), (1, 1, 0), (0, 2, 0), (1, 2, 0), (0, 0, 1))
ALONE: tuple[Kind, ...] = ("bye", "awarded_bye", "half_bye", "zero_bye", "absence", "assigned_loss")
TABLES: tuple[tuple[Kind, int], ...] = (
    ("played", 8),
    ("forfeit", 1),
    ("double_loss", 1),
    ("unreported", 1),
    ("intentional_draw", 1),
)
"""Kinds of a table, and how often each comes."""

WINNERS: tuple[Side | None, ...] = (FIRST, SECOND, None)
OTHER: dict[Side | None, Side] = {FIRST: SECOND, SECOND: FIRST}


def result(text: str) -> Result:
    """`A-B 2-1`, `A-B 1-1-1`, `A-B double_loss`, `A-B forfeit first`, `A bye`."""
    who, what, *more = text.split()
    first, _, second = who.partition("-")
    if not second:
        return convert({"first": first, "kind": what}, Result)
    if not what[0].isdigit():
        winner = more[0] if more else None
        return convert({"first": first, "second": second, "kind": what, "winner": winner}, Result)
    won, lost, drawn = (*map(int, what.split("-")), 0)[:3]
    kind: Kind = "intentional_draw" if (won, lost, drawn) == (0, 0, 3) else "played"
    return Result(
        first=first,
        second=second,
        kind=kind,
        winner=winner_of(won, lost),
        games=(won, lost, drawn),
    )


def winner_of(won: int, lost: int) -> Side | None:
    """Return the side with more games, by those that the first one won and lost."""
    return FIRST if won > lost else SECOND if lost > won else None


def rounds(*texts: str, start: int = 1) -> tuple[Round, ...]:
    return tuple(
        Round(
            number=number,
            name=f"Round {number}",
            results=tuple(result(one.strip()) for one in text.split(",") if one.strip()),
        )
        for number, text in enumerate(texts, start=start)
    )


def event(players: str, *texts: str, bracket: Sequence[str] = (), **dropped: int) -> Event:
    """players: ids by spaces; texts: a round each; dropped: last round of who left."""
    swiss = Phase(kind="swiss", rounds=rounds(*texts))
    final = Phase(kind="single_elimination", rounds=rounds(*bracket, start=len(texts) + 1))
    return Event(
        name="made up",
        players=tuple(
            Player(id=name, name=name, dropped_after=dropped.get(name)) for name in players.split()
        ),
        phases=(swiss, final) if bracket else (swiss,),
    )


def grown(seed: int) -> Event:
    """Return an event of up to 14 players and 7 rounds with every kind of result."""
    random = Random(seed)
    names = [f"p{number:02}" for number in range(random.randrange(15))]
    count = random.randrange(8)
    entered = {name: random.choice((1, 1, 1, 2, 3)) for name in names}
    dropped = {name: random.choice((None, None, None, 0, 1, 3)) for name in names}
    played = []
    for number in range(1, count + 1):
        here = [name for name in names if number <= (dropped[name] or count)]
        random.shuffle(here)
        late = [name for name in here if number < entered[name]]
        there = [name for name in here if number >= entered[name]]
        alone = [Result(first=name, kind=random.choice(ALONE)) for name in late]
        alone += [Result(first=name, kind=random.choice(ALONE)) for name in there[:1]]
        there = there[1:]
        pairs = zip(there[::2], there[1::2], strict=False)
        tables = [_table(random, first, second) for first, second in pairs]
        played.append(Round(number=number, name=f"Round {number}", results=(*alone, *tables)))
    return Event(
        name=f"grown {seed}",
        players=tuple(
            Player(
                id=name,
                name=f"Player {name}",
                entered=entered[name],
                dropped_after=dropped[name],
                game_wins=Fraction(random.randrange(5), 7) if random.random() < 0.1 else None,
            )
            for name in names
        ),
        phases=(Phase(kind="swiss", rounds=tuple(played)),),
    )


def _table(random: Random, first: str, second: str) -> Result:
    kind = random.choice([kind for kind, times in TABLES for _ in range(times)])
    if kind == "intentional_draw":
        return result(f"{first}-{second} 0-0-3")
    if kind != "played":
        winner = random.choice(WINNERS) if kind == "forfeit" else None
        return Result(first=first, second=second, kind=kind, winner=winner)
    return result(f"{first}-{second} {'-'.join(map(str, random.choice(SCORES)))}")


def shuffled(one: Event, seed: int) -> Event:
    """Return the same event written down in another order, tables from the other side."""
    random = Random(seed)
    players = list(one.players)
    random.shuffle(players)
    phases = []
    for phase in one.phases:
        turned = []
        for number in phase.rounds:
            results = [_turned(item) if random.random() < 0.5 else item for item in number.results]
            random.shuffle(results)
            turned.append(Round(number=number.number, name=number.name, results=tuple(results)))
        phases.append(Phase(kind=phase.kind, rounds=tuple(turned)))
    return Event(name=one.name, players=tuple(players), phases=tuple(phases))


def _turned(one: Result) -> Result:
    if one.second is None:
        return one
    won, lost, drawn = one.games
    winner = OTHER.get(one.winner)
    return Result(
        first=one.second, second=one.first, kind=one.kind, winner=winner, games=(lost, won, drawn)
    )
