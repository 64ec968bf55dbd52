"""Read and write TRF16, the report file of FIDE: fixed columns, a line for each player.

A round of a player is ten columns: opponent, colour (the first of a table has white), result.
Results: 1, 0, = and W, L, D played; + and - forfeits; F, U, H, Z byes of a full point (asked for or
assigned), half a point, none (nothing says the same); - without an opponent is an absence; nothing
or Z with one is not reported. Both lines of a table must fit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NamedTuple

from schemas.event_files import PLAYERS_MAX, ROUNDS_MAX
from schemas.strict import Unreadable
from service.event_files.forms import (
    Published,
    ReadEvent,
    checked,
    exact,
    plain_name,
    players_of,
    unreported,
    with_presence,
)
from service.standings.profiles import PROFILES
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
    rounds_of,
)
from service.standings.tables import table

POINTS_MAX = 10_000
NAME_WIDTH = 33
NUMBER_MAX = 9_999
ROUND_START, ROUND_WIDTH = 91, 10
_PAIRS: dict[tuple[str, str], tuple[Kind, Side | None]] = {
    ("1", "0"): ("played", FIRST),
    ("0", "1"): ("played", SECOND),
    ("=", "="): ("played", None),
    ("0", "0"): ("double_loss", None),
    ("+", "-"): ("forfeit", FIRST),
    ("-", "+"): ("forfeit", SECOND),
    ("-", "-"): ("forfeit", None),
    (" ", " "): ("unreported", None),
}
_ALONE: dict[str, Kind] = {
    "F": "awarded_bye",
    "U": "bye",
    "H": "half_bye",
    "Z": "zero_bye",
    "-": "absence",
    " ": "zero_bye",
    "+": "bye",
}
_SAME = {"W": "1", "L": "0", "D": "=", "Z": " "}
_LEFT_OUT = {"013": "teams", "XXA": "accelerated points", "XXP": "forbidden pairs"}


class Cell(NamedTuple):
    """A round in a player's line. opponent: his starting number, 0 for none."""

    opponent: int
    colour: str
    result: str


class Line(NamedTuple):
    """A player's line. number: his starting number; at: the line in the file."""

    at: int
    number: int
    name: str
    points: str
    rank: str
    cells: list[Cell]


def read_trf(body: bytes) -> ReadEvent:
    """Return an event of TRF16; raises `Unreadable` with the line of a fault."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise Unreadable(f"no UTF-8 at byte {fault.start}") from fault
    lines: list[Line] = []
    titles: dict[str, str] = {}
    notes: set[str] = set()
    for at, line in enumerate(text.splitlines(), start=1):
        code = line[:3]
        if code == "001":
            lines.append(_line(at, line))
            if len(lines) > PLAYERS_MAX:
                raise Unreadable(f"line {at}: more than {PLAYERS_MAX} players")
        elif code in _LEFT_OUT:
            notes.add(f"{_LEFT_OUT[code]} are left out")
        else:
            titles[code] = line[4:].strip()
    if not lines:
        raise Unreadable("no line of a player")
    notes.update(_missing(text))
    planned, count = titles.get("XXR", ""), _count_of_rounds(lines)
    if planned.isdigit() and planned != str(count):
        notes.add(f"{count} of {planned[:6]} rounds")
    return _event_of(lines, plain_name(titles.get("012")) or "trf", sorted(notes))


def _missing(text: str) -> Iterable[str]:
    columns = ((48, 52, "ratings"), (10, 13, "titles"), (53, 56, "federations"))
    players = [line for line in text.splitlines() if line.startswith("001")]
    for start, end, name in columns:
        if any(line[start:end].strip() for line in players):
            yield f"{name} are left out"


def _line(at: int, line: str) -> Line:
    rounds = line[ROUND_START:].rstrip()
    count = -(-len(rounds) // ROUND_WIDTH)
    if count > ROUNDS_MAX:
        raise Unreadable(f"line {at}: more than {ROUNDS_MAX} rounds")
    return Line(
        at=at,
        number=_number(line[4:8], f"line {at}: starting number"),
        name=plain_name(line[14:47]),
        points=line[80:84].strip(),
        rank=line[85:89].strip(),
        cells=[
            _cell(rounds[place * ROUND_WIDTH : (place + 1) * ROUND_WIDTH], at, place + 1)
            for place in range(count)
        ],
    )


def _cell(text: str, at: int, number: int) -> Cell:
    text = text.ljust(ROUND_WIDTH)
    place = f"line {at}, round {number}"
    opponent = 0 if not text[:4].strip() else _number(text[:4], f"{place}: opponent")
    result = text[7].upper()
    if opponent:
        result = _SAME.get(result, result)
    return Cell(opponent, text[5].lower(), result)


def _number(text: str, place: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit()):
        raise Unreadable(f"{place}: {text!r} is no number")
    return int(text)


def _event_of(lines: Sequence[Line], name: str, notes: list[str]) -> ReadEvent:
    by_number = {line.number: line for line in lines}
    if len(by_number) != len(lines) or 0 in by_number:
        raise Unreadable("001: a starting number that is 0 or there twice")
    ids = _ids(lines)
    count = _count_of_rounds(lines)
    rounds = tuple(
        Round(
            number=place + 1,
            name=f"Round {place + 1}",
            results=tuple(_results(by_number, ids, place)),
        )
        for place in range(count)
    )
    phase = Phase(kind="swiss", rounds=rounds)
    players = [
        Player(id=ids[number], name=by_number[number].name or ids[number])
        for number in sorted(by_number)
    ]
    return checked(
        ReadEvent(
            format="trf",
            event=Event(
                name=name,
                players=tuple(with_presence(players, _there(rounds), [*range(1, count + 1)])),
                phases=(phase,),
            ),
            published=tuple(_published(lines, ids)),
            notes=tuple([*notes, *unreported([phase])]),
        )
    )


def _count_of_rounds(lines: Iterable[Line]) -> int:
    """Return the last round that gave anybody an opponent or a bye with points.

    Behind it there may be a column that only tells who will be absent.
    """
    return max(
        place
        for line in lines
        for place, cell in enumerate([Cell(1, "", ""), *line.cells])
        if cell.opponent or _ALONE.get(cell.result) not in ("absence", "zero_bye")
    )


def _ids(lines: Iterable[Line]) -> dict[int, str]:
    """Return the id by starting number: the name if nobody else has it, else the number."""
    names = Counter(line.name for line in lines)
    return {
        line.number: line.name if line.name and names[line.name] == 1 else f"#{line.number}"
        for line in lines
    }


def _results(lines: Mapping[int, Line], ids: Mapping[int, str], place: int) -> Iterator[Result]:
    """Yield the results of a round in the order of the starting numbers."""
    for number in sorted(lines):
        line = lines[number]
        cell = line.cells[place] if place < len(line.cells) else Cell(0, " ", " ")
        at = f"line {line.at}, round {place + 1}"
        if not cell.opponent:
            if cell.result not in _ALONE:
                raise Unreadable(f"{at}: the result {cell.result!r} without an opponent")
            yield Result(first=ids[number], kind=_ALONE[cell.result])
            continue
        other = lines.get(cell.opponent)
        back = other.cells[place] if other and place < len(other.cells) else None
        if back is None or back.opponent != number or cell.opponent == number:
            raise Unreadable(f"{at}: {cell.opponent} does not name {number} as his opponent")
        if (cell.result, back.result) not in _PAIRS:
            raise Unreadable(f"{at}: the results {cell.result!r} and {back.result!r} do not fit")
        if _is_first(number, cell, back):
            kind, winner = _PAIRS[cell.result, back.result]
            yield Result(first=ids[number], second=ids[cell.opponent], kind=kind, winner=winner)


def _is_first(number: int, cell: Cell, back: Cell) -> bool:
    """Tell whether a player has white; without colours, whether his number is the lower one."""
    if {cell.colour, back.colour} == {"w", "b"}:
        return cell.colour == "w"
    return number < cell.opponent


def _there(rounds: Iterable[Round]) -> Mapping[str, list[int]]:
    """Return the rounds that a player did not miss."""
    found = defaultdict(list)
    for one in rounds:
        for result in one.results:
            if result.kind not in ("absence", "half_bye", "zero_bye"):
                for player in players_of(result):
                    found[player].append(one.number)
    return found


def _published(lines: Sequence[Line], ids: Mapping[int, str]) -> Iterator[Published]:
    """Yield points and places: by rank if all have one, else by line if points fall."""
    points = [_points_of(line) for line in lines]
    given = [one for one in points if one is not None]
    falling = len(given) == len(lines) and given == sorted(given, reverse=True)
    ranked = all(line.rank.isascii() and line.rank.isdigit() for line in lines)
    for place, (line, own) in enumerate(zip(lines, points, strict=True), start=1):
        yield Published(
            player=ids[line.number],
            place=int(line.rank) if ranked else place if falling else None,
            points=own,
        )


def _points_of(line: Line) -> Fraction | None:
    if not line.points:
        return None
    try:
        return exact(Decimal(line.points), POINTS_MAX, f"line {line.at}: points")
    except InvalidOperation as fault:
        raise Unreadable(f"line {line.at}: the points {line.points!r} are no number") from fault


_CODES: dict[tuple[Kind, Side | None], tuple[str, str]] = {
    **{value: key for key, value in _PAIRS.items()},
    ("intentional_draw", None): ("=", "="),
}
_CODES_ALONE: dict[Kind, str] = {
    "awarded_bye": "F",
    "bye": "U",
    "half_bye": "H",
    "zero_bye": "Z",
    "absence": "-",
    "assigned_loss": "-",
}


def written_trf(event: Event) -> str:
    """Return an event as TRF16, its rounds as one row; raises `Unreadable` for too many players.

    TRF16 has no phases, games, seeds or intentional draws, 33 characters for a name, and nothing
    for a loss that was assigned: it is written as an absence.
    """
    if len(event.players) > NUMBER_MAX:
        raise Unreadable(f"TRF16 has room for {NUMBER_MAX} players")
    numbers = {player.id: number for number, player in enumerate(event.players, start=1)}
    rounds = [*rounds_of(event)]
    cells = {player.id: [_written(0, " ", "Z")] * len(rounds) for player in event.players}
    for place, one in enumerate(rounds):
        for result in one.results:
            if result.second is None:
                cells[result.first][place] = _written(0, " ", _CODES_ALONE[result.kind])
                continue
            mine, other = _CODES[result.kind, result.winner]
            cells[result.first][place] = _written(numbers[result.second], "w", mine)
            cells[result.second][place] = _written(numbers[result.first], "b", other)
    rows = {row.player: row for row in table(event.players, rounds, PROFILES["buchholz"]).rows}
    lines = [
        f"012 {event.name}",
        f"062 {len(event.players)}",
        "092 Individual: Swiss-System",
        f"XXR {len(rounds)}",
    ]
    for player in event.players:
        row = rows[player.id]
        name = player.name[:NAME_WIDTH]
        head = f"001 {numbers[player.id]:>4}      {name:<{NAME_WIDTH}}"
        lines.append(
            f"{head:<80}{float(row.points):4.1f} {row.rank:>4}  {''.join(cells[player.id])}"
        )
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _written(opponent: int, colour: str, result: str) -> str:
    return f"{opponent or '':>4} {colour} {result}  "
