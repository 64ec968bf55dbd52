"""Read the JSON of Melee and TopDeck: rounds of matches with games, and a published table.

`-` or nothing as opponent: a bye if the player's side won or drew, an assigned loss if it lost.
0-0-0 in a Swiss round leaves open what happened (`open_results`). Where results tell who won a
match and not the games in it, as those of TopDeck do, and the published shares of games are others,
these are taken as they are published.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from msgspec.structs import replace

from schemas.event_files import (
    PlatformFile,
    PlatformMatch,
    PlatformRound,
    PlatformStanding,
    read_form,
)
from schemas.strict import Unreadable
from service.event_files.forms import (
    Format,
    Published,
    ReadEvent,
    checked,
    exact,
    plain_name,
    players_of,
    unreported,
    with_presence,
)
from service.event_files.open_results import with_open_results
from service.event_files.round_names import (
    bracket_size,
    is_bare_number,
    is_bracket,
    is_elimination,
    swiss_number,
)
from service.standings.profiles import PROFILES
from service.standings.records import (
    FIRST,
    NO_GAMES,
    SECOND,
    Event,
    Games,
    Kind,
    Phase,
    Player,
    Result,
    Round,
    Side,
)
from service.standings.tables import table

NOBODY = ("-", "", None)
POINTS_MAX = 10_000
DENOMINATOR_MAX = 1_000
SAME = Fraction(1, 10**9)
NEAR = Fraction(2, 10**6)
_RESULT = re.compile(r"([0-9]{1,3})-([0-9]{1,3})(?:-([0-9]{1,3}))?")


def read_platform(body: bytes) -> ReadEvent:
    """Return an event of Melee or TopDeck; raises `Unreadable` with the place of a fault."""
    file = read_form(body, PlatformFile)
    notes: list[str] = []
    swiss, bracket = _ordered(file.rounds)
    phases = [
        _phase("swiss", swiss, 0, notes),
        _phase("single_elimination", bracket, len(swiss), notes),
    ]
    standings = file.standings or []
    players = _players(phases, standings)
    points = {_named(row.player) or "": _points_of(row) for row in standings}
    phases[0] = with_open_results(players, phases[0], points, notes)
    if _tells_winners_only(phases):
        players = _with_stated_games(players, phases[0], standings, notes)
    if is_elimination(phases[0].rounds):
        phases[0] = replace(phases[0], kind="single_elimination")
        notes.append(f"rounds 1 to {len(swiss)} are a single elimination")
    else:
        players = _with_presence(players, phases)
    form = _format_of(file, swiss)
    return checked(
        ReadEvent(
            format=form,
            event=Event(
                name=plain_name(file.tournament.name if file.tournament else None) or form,
                players=tuple(players),
                phases=tuple(phase for phase in phases if phase.rounds),
            ),
            published=tuple(_published(standings)),
            notes=tuple([*notes, *unreported(phases)]),
        )
    )


def _ordered(rounds: Iterable[PlatformRound]) -> tuple[list[PlatformRound], list[PlatformRound]]:
    """Return the Swiss rounds by number, if each has its own, and the bracket, widest first."""
    swiss: list[PlatformRound] = []
    bracket: list[PlatformRound] = []
    for one in rounds:
        (bracket if is_bracket(one.round_name) else swiss).append(one)
    numbers = [swiss_number(one.round_name) for one in swiss]
    if None not in numbers and len(set(numbers)) == len(numbers):
        swiss.sort(key=lambda one: swiss_number(one.round_name) or 0)
    bracket.sort(key=lambda one: -bracket_size(one.round_name, len(one.matches)))
    return swiss, bracket


def _phase(kind: str, rounds: Sequence[PlatformRound], before: int, notes: list[str]) -> Phase:
    found = tuple(
        Round(
            number=number,
            name=plain_name(one.round_name) or f"Round {number}",
            results=tuple(_results(one, notes)),
        )
        for number, one in enumerate(rounds, start=before + 1)
    )
    return Phase(kind="swiss" if kind == "swiss" else "single_elimination", rounds=found)


def _results(one: PlatformRound, notes: list[str]) -> list[Result]:
    """Return the results of a round, one that is there twice but once."""
    found: dict[Result, None] = {}
    for index, match in enumerate(one.matches):
        place = f"round {one.round_name!r}, match {index + 1}"
        result = _result(match, place)
        if result is None:
            notes.append(f"{place}: nobody against nobody")
        elif result in found or _turned(result) in found:
            notes.append(f"{place}: there twice")
        else:
            found[result] = None
    return list(found)


def _result(match: PlatformMatch, place: str) -> Result | None:
    parts = _RESULT.fullmatch(match.result)
    if parts is None:
        raise Unreadable(f"{place}: the result {match.result!r} is not won-lost-drawn")
    won, lost, drawn = (int(part or 0) for part in parts.groups())
    first, second = _named(match.player1), _named(match.player2)
    if first is None or second is None:
        if first is None:
            first, won, lost = second, lost, won
        return None if first is None else _alone(first, won, lost, drawn)
    winner: Side | None = FIRST if won > lost else SECOND if lost > won else None
    games = (won, lost, drawn)
    return Result(first=first, second=second, kind=_kind_of(games), winner=winner, games=games)


def _kind_of(games: Games) -> Kind:
    if games == NO_GAMES:
        return "unreported"
    return "played" if max(games[:2]) or games[2] == 1 else "intentional_draw"


def _named(player: str | None) -> str | None:
    name = plain_name(player)
    return None if name in NOBODY else name


def _alone(player: str, won: int, lost: int, drawn: int) -> Result:
    if won == lost == drawn == 0:
        return Result(first=player, kind="absence")
    return Result(first=player, kind="assigned_loss" if lost > won else "bye")


def _turned(result: Result) -> Result:
    """Return the same result from the other side of the table."""
    if result.second is None:
        return result
    won, lost, drawn = result.games
    turned: dict[Side | None, Side] = {FIRST: SECOND, SECOND: FIRST}
    return replace(
        result,
        first=result.second,
        second=result.first,
        winner=turned.get(result.winner),
        games=(lost, won, drawn),
    )


def _players(phases: Sequence[Phase], standings: Sequence[PlatformStanding]) -> list[Player]:
    """Return all whom the table or a round names."""
    names: dict[str, None] = {}
    for index, row in enumerate(standings):
        name = _named(row.player)
        if name is None or name in names:
            raise Unreadable(f"Standings, row {index + 1}: no player, or one that is there twice")
        names[name] = None
    for phase in phases:
        for one in phase.rounds:
            for result in one.results:
                names |= dict.fromkeys(players_of(result))
    return [Player(id=name, name=name) for name in sorted(names)]


def _with_presence(players: Sequence[Player], phases: Sequence[Phase]) -> list[Player]:
    """Return the players with when they came and left, as the Swiss rounds tell."""
    listed = defaultdict(list)
    for one in phases[0].rounds:
        for result in one.results:
            for player in players_of(result):
                listed[player].append(one.number)
    later = frozenset(
        player
        for one in phases[1].rounds
        for result in one.results
        for player in players_of(result)
    )
    return with_presence(players, listed, [one.number for one in phases[0].rounds], later)


def _format_of(file: PlatformFile, swiss: Sequence[PlatformRound]) -> Format:
    """Return the platform: by its address, else by rounds that are named by their number alone."""
    uri = (file.tournament.uri if file.tournament else None) or ""
    if "topdeck" in uri or "melee" in uri:
        return "topdeck" if "topdeck" in uri else "melee"
    bare = bool(swiss) and all(is_bare_number(one.round_name) for one in swiss)
    return "topdeck" if bare else "melee"


def _tells_winners_only(phases: Iterable[Phase]) -> bool:
    return all(
        sum(result.games) == 1
        for phase in phases
        for one in phase.rounds
        for result in one.results
        if result.kind == "played"
    )


def _with_stated_games(
    players: list[Player], phase: Phase, standings: Sequence[PlatformStanding], notes: list[str]
) -> list[Player]:
    """Return the players with the published shares of games, if the results give others."""
    stated = {
        _named(row.player): _simplest(row.gw, f"Standings, {row.player}, GWP")
        for row in standings
        if row.gw is not None
    }
    rows = table(players, phase.rounds, PROFILES["topdeck"]).rows
    own = {row.player: row.values["gw"] for row in rows}
    floors = (Fraction(0), Fraction(33, 100), Fraction(1, 3))
    if all(
        any(abs(max(own[name], floor) - share) <= NEAR for floor in floors)
        for name, share in stated.items()
        if name is not None
    ):
        return players
    notes.append("results tell who won a match, not the games: GW is taken from the table")
    return [replace(player, game_wins=stated.get(player.id)) for player in players]


def _simplest(value: Decimal, place: str) -> Fraction:
    """Return the fraction that a rounded share stands for: one of few games, if there is one."""
    given = exact(value, 1, place)
    near = given.limit_denominator(DENOMINATOR_MAX)
    return near if abs(near - given) <= SAME else given


def _points_of(row: PlatformStanding) -> Fraction | None:
    if row.points is None:
        return None
    return exact(row.points, POINTS_MAX, f"Standings, {row.player}, Points")


def _published(standings: Sequence[PlatformStanding]) -> Iterable[Published]:
    for row in standings:
        shares = {"omw": row.omw, "gw": row.gw, "ogw": row.ogw}
        yield Published(
            player=_named(row.player) or "",
            place=row.rank,
            points=_points_of(row),
            values={
                name: exact(value, 1, f"Standings, {row.player}, {name.upper()}P")
                for name, value in shares.items()
                if value is not None
            },
        )
