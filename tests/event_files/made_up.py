"""Made-up event files of the shapes of real ones, with the table that the plain formulas give."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any
from xml.sax.saxutils import quoteattr

from msgspec.structs import replace

from service.standings.records import Event, Kind, Phase, Player, Result, Round
from tests.standings import oracle
from tests.standings.events import result

SWISS_SCORES = ("2-0", "2-0", "2-1", "1-2", "0-2", "1-1", "0-0-3", "1-1-1")


def swiss(
    seed: int, *, alone: tuple[Kind, ...] = ("bye",), scores: tuple[str, ...] = SWISS_SCORES
) -> Event:
    """Return an event of Swiss rounds in which some come late, leave or miss a round."""
    random = Random(seed)
    names = [f"P{number:03}" for number in range(1, random.randrange(5, 30))]
    left: set[str] = set()
    played = []
    count = random.randrange(2, 6)
    for number in range(1, count + 1):
        here = [name for name in names if name not in left and random.random() > 0.04]
        random.shuffle(here)
        odd = len(here) % 2
        results = [Result(first=name, kind=random.choice(alone)) for name in here[:odd]]
        results += [
            result(f"{first}-{second} {random.choice(scores)}")
            for first, second in zip(here[odd::2], here[odd + 1 :: 2], strict=True)
        ]
        played.append(Round(number=number, name=f"Round {number}", results=tuple(results)))
        left |= {name for name in names if random.random() < 0.05}
    listed = {
        name: [
            one.number
            for one in played
            for found in one.results
            if name in (found.first, found.second)
        ]
        for name in names
    }
    players = tuple(
        Player(
            id=name,
            name=name,
            entered=own[0] if own else 1,
            dropped_after=None if own and own[-1] == count else own[-1] if own else 0,
        )
        for name, own in listed.items()
    )
    return Event(
        name="made up", players=players, phases=(Phase(kind="swiss", rounds=tuple(played)),)
    )


def with_cut(one: Event, order: list[str], seed: int) -> Event:
    """Return the event with a bracket of the first 8, 4 or 2, seeds 1 and 8 at one table."""
    random = Random(seed)
    size = max(size for size in (2, 4, 8) if size <= len(order))
    slots = {2: [1, 2], 4: [1, 4, 3, 2], 8: [1, 8, 5, 4, 3, 6, 7, 2]}[size]
    there = [order[slot - 1] for slot in slots]
    rounds = []
    names = {8: "Quarterfinals", 4: "Semifinals", 2: "Finals"}
    number = len(one.phases[0].rounds)
    while len(there) > 1:
        number += 1
        tables = [
            result(f"{first}-{second} {random.choice(('2-0', '1-2'))}")
            for first, second in zip(there[::2], there[1::2], strict=True)
        ]
        rounds.append(Round(number=number, name=names[len(there)], results=tuple(tables)))
        there = [(t.first if t.winner == "first" else t.second) or "" for t in tables]
    inside = set(order[:size])
    return replace(
        one,
        players=tuple(
            replace(player, dropped_after=None) if player.id in inside else player
            for player in one.players
        ),
        phases=(*one.phases, Phase(kind="single_elimination", rounds=tuple(rounds))),
    )


def rows(event: Event, floor: Fraction, *, raw: bool) -> list[dict[str, Any]]:
    """Return the published rows that the plain formulas give, best first."""
    found = []
    for player in event.players:
        own = oracle.percentages(event, player.id, floor)
        gw = oracle.game_share(event, player.id) if raw else own["gw"]
        found.append((own["points"], own["omw"], gw, own["ogw"], player.id))
    found.sort(key=lambda row: (*(-value for value in row[:4]), row[4]))
    return [
        {
            "Rank": place,
            "Player": name,
            "Points": int(points),
            "Wins": 0,
            "OMWP": round(float(omw), 8),
            "GWP": round(float(gw), 8),
            "OGWP": round(float(ogw), 8),
        }
        for place, (points, omw, gw, ogw, name) in enumerate(found, start=1)
    ]


def platform(
    event: Event,
    standings: list[dict[str, Any]] | None,
    name: Callable[[str], str] = str,
) -> bytes:
    """Return an event as Melee writes it. name: of a round, from the usual one."""
    return json.dumps(
        {
            "Rounds": [
                {"RoundName": name(one.name), "Matches": [_match(item) for item in one.results]}
                for phase in event.phases
                for one in phase.rounds
            ],
            "Standings": standings,
        }
    ).encode()


def _match(one: Result) -> dict[str, str]:
    score = {"bye": "2-0-0", "assigned_loss": "0-2-0"}.get(one.kind)
    return {
        "Player1": one.first,
        "Player2": one.second or "-",
        "Result": score or "-".join(map(str, one.games)),
    }


_OUTCOMES = {"bye": "5", "assigned_loss": "8", "double_loss": "10", "unreported": "0"}


def outcome(one: Result) -> str:
    """Return TOM's code of a result."""
    if one.kind in _OUTCOMES:
        return _OUTCOMES[one.kind]
    return {"first": "1", "second": "2", None: "3"}[one.winner]


def tom_json(event: Event, places: dict[str, int] | None = None) -> bytes:
    """Return an event as the JSON of TOM."""
    return json.dumps(
        {
            "players": [
                {"id": one.id, "dropped_after_round": one.dropped_after, "cut_seed": one.seed}
                for one in event.players
            ],
            "rounds": [
                {
                    "number": one.number,
                    "type": "3" if phase.kind == "swiss" else "1",
                    "kind": "swiss" if phase.kind == "swiss" else "single-elimination",
                    "matches": [
                        {"p1": item.first, "p2": item.second, "outcome": outcome(item)}
                        for item in one.results
                    ],
                }
                for phase in event.phases
                for one in phase.rounds
            ],
            "published": [
                {"division": "0", "place": place, "id": name}
                for name, place in (places or {}).items()
            ],
        }
    ).encode()


def tdf(event: Event, places: dict[str, int] | None = None, category: str = "2") -> bytes:
    """Return an event as `.tdf`."""
    players = "".join(
        f"<player userid={quoteattr(one.id)}><firstname>{one.name}</firstname><lastname/>"
        + (f"<seed>{one.seed}</seed>" if one.seed else "")
        + (
            ""
            if one.dropped_after is None
            else f"<dropped><status>1</status><round>{one.dropped_after}</round></dropped>"
        )
        + "</player>"
        for one in event.players
    )
    rounds = "".join(
        f'<round number="{one.number}" type="{3 if phase.kind == "swiss" else 1}" stage="6">'
        f"<matches>{''.join(_element(item) for item in one.results)}</matches></round>"
        for phase in event.phases
        for one in phase.rounds
    )
    finished = "".join(
        f'<player id={quoteattr(name)} place="{place}"/>' for name, place in (places or {}).items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<tournament type="2" stage="5" version="1.80"><data><name>{event.name}</name></data>'
        f'<players>{players}</players><pods><pod category="{category}" stage="0">'
        f"<rounds>{rounds}</rounds></pod></pods><standings>"
        f'<pod category="{category}" type="finished">{finished}</pod>'
        f'<pod category="{category}" type="dnf"><player id="9"/></pod></standings></tournament>'
    ).encode()


def _element(one: Result) -> str:
    if one.second is None:
        return f'<match outcome="{outcome(one)}"><player userid={quoteattr(one.first)}/></match>'
    return (
        f'<match outcome="{outcome(one)}"><player1 userid={quoteattr(one.first)}/>'
        f"<player2 userid={quoteattr(one.second)}/><tablenumber>1</tablenumber></match>"
    )
