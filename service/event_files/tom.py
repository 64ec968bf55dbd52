"""Read files of Pokémon TOM: `.tdf`, which is XML, and a JSON with the same content.

Outcome codes: 0 not reported; 1 and 2 the first or the second player won; 3 tie; 4 and 8 the same
as 1 and 2, but the other did not come; 5 bye; 10 double loss. A player alone has a bye with 5, a
loss for coming late with 2 or 8.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse
from msgspec.structs import replace

from schemas.event_files import TomFile, TomMatch, TomPlace, TomPlayer, TomRound, read_form
from schemas.strict import Unreadable
from service.event_files.forms import (
    Published,
    ReadEvent,
    checked,
    plain_name,
    players_of,
    unreported,
)
from service.standings.records import FIRST, SECOND, Event, Kind, Phase, Player, Result, Round, Side

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

ELEMENTS_MAX = 4_000_000
_PAIRS: dict[str, tuple[Kind, Side | None]] = {
    "0": ("unreported", None),
    "1": ("played", FIRST),
    "2": ("played", SECOND),
    "3": ("played", None),
    "4": ("forfeit", FIRST),
    "8": ("forfeit", SECOND),
    "10": ("double_loss", None),
}
_ALONE: dict[str, Kind] = {
    "0": "absence",
    "2": "assigned_loss",
    "5": "bye",
    "8": "assigned_loss",
    "10": "assigned_loss",
}
# TOM's codes of a kind of round: 1 is the cut, the others are Swiss.
_CUT = "1"
_KINDS = {"swiss": "swiss", "single-elimination": "single_elimination"}


def read_tom_json(body: bytes) -> ReadEvent:
    """Return an event of TOM from JSON; raises `Unreadable` with the place of a fault."""
    return _event_of(read_form(body, TomFile), "tom", [])


def read_tdf(body: bytes, division: str | None = None) -> ReadEvent:
    """Return an event of TOM from `.tdf`; raises `Unreadable` with the place of a fault.

    division: category of the pod, needed only to read another than the largest.
    """
    root = _parsed(body)
    pods = [pod for pod in root.iterfind("pods/pod") if pod.find("rounds/round") is not None]
    if division is not None:
        pods = [pod for pod in pods if pod.get("category") == division]
    if not pods:
        raise Unreadable("pods: none with rounds" + (f" in {division}" if division else ""))
    pod = max(pods, key=lambda one: sum(1 for _ in one.iter("match")))
    others = sorted(one.get("category", "") for one in pods if one is not pod)
    notes = [f"pod {pod.get('category')} was read, not {', '.join(others)}"] if others else []
    file = TomFile(
        players=_players(root, pod, alone=not others and division is None),
        rounds=[_round(one, index) for index, one in enumerate(pod.iterfind("rounds/round"))],
        published=_places(root),
    )
    return _event_of(file, plain_name(root.findtext("data/name")) or "tom", notes)


def _parsed(body: bytes) -> Element:
    """Return the root; entities, document types and too many elements are refused."""
    root: Element | None = None
    try:
        parser = iterparse(io.BytesIO(body), events=("start",), forbid_dtd=True)
        for count, (_, element) in enumerate(parser):
            if root is None:
                root = element
            if count >= ELEMENTS_MAX:
                raise Unreadable(f"more than {ELEMENTS_MAX} elements")
    except ParseError as fault:
        line, column = fault.position
        raise Unreadable(f"line {line} column {column + 1}: no XML: {fault}") from fault
    except DefusedXmlException as fault:
        raise Unreadable(f"XML with a document type or entities: {fault}") from fault
    except (LookupError, ValueError) as fault:
        raise Unreadable(f"no XML: {fault}") from fault
    if root is None or root.tag != "tournament":
        raise Unreadable("the root is no tournament")
    return root


def _players(root: Element, pod: Element, *, alone: bool) -> list[TomPlayer]:
    """Return the players of a pod; all players of the file if it is the only one."""
    inside = {one.get("userid") for one in pod.iter() if one.get("userid")}
    found = []
    for index, one in enumerate(root.iterfind("players/player")):
        player = one.get("userid") or ""
        if not alone and player not in inside:
            continue
        name = f"{one.findtext('firstname') or ''} {one.findtext('lastname') or ''}"
        place = f"players, player {index + 1}"
        found.append(
            TomPlayer(
                id=player,
                name=plain_name(name) or player,
                dropped_after_round=_number(one.findtext("dropped/round"), place),
                cut_seed=_number(one.findtext("seed"), place),
            )
        )
    return found


def _round(one: Element, index: int) -> TomRound:
    place = f"round {index + 1}"
    matches = [
        _match(match, f"{place}, match {number}")
        for number, match in enumerate(one.iterfind("matches/match"), start=1)
    ]
    return TomRound(
        number=_number(one.get("number"), place) or 0,
        kind="single-elimination" if one.get("type") == _CUT else "swiss",
        matches=matches,
    )


def _match(match: Element, place: str) -> TomMatch:
    players = [
        element.get("userid")
        for element in (match.find(tag) for tag in ("player", "player1", "player2"))
        if element is not None
    ]
    named = [player for player in players if player]
    if not 1 <= len(named) <= 2:
        raise Unreadable(f"{place}: {len(named)} players")
    return TomMatch(
        p1=named[0], p2=named[1] if len(named) == 2 else None, outcome=match.get("outcome", "")
    )


def _places(root: Element) -> list[TomPlace]:
    found = []
    for pod in root.iterfind("standings/pod"):
        if pod.get("type") == "dnf":
            continue
        for index, one in enumerate(pod.iterfind("player")):
            place = _number(one.get("place"), f"standings, player {index + 1}")
            if place is not None:
                found.append(
                    TomPlace(division=pod.get("category"), place=place, id=one.get("id") or "")
                )
    return found


def _number(text: str | None, place: str) -> int | None:
    text = (text or "").strip()
    if not text or text == "-1":
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise Unreadable(f"{place}: {text[:20]!r} is no number")
    return int(text)


def _event_of(file: TomFile, name: str, notes: list[str]) -> ReadEvent:
    phases: list[Phase] = []
    for one in file.rounds:
        if one.kind not in _KINDS:
            raise Unreadable(f"round {one.number}: {one.kind!r} is no kind of round")
        played = Round(
            number=one.number,
            name=f"Round {one.number}",
            results=tuple(
                _result(match, one.number, index) for index, match in enumerate(one.matches)
            ),
        )
        kind = _KINDS[one.kind]
        if phases and phases[-1].kind == kind:
            phases[-1] = replace(phases[-1], rounds=(*phases[-1].rounds, played))
        else:
            phases.append(
                Phase(kind="swiss" if kind == "swiss" else "single_elimination", rounds=(played,))
            )
    return checked(
        ReadEvent(
            format="tom",
            event=Event(
                name=name,
                players=tuple(_with_first_rounds(file.players, phases)),
                phases=tuple(phases),
            ),
            published=tuple(_published(file.published or [])),
            notes=tuple([*notes, *unreported(phases)]),
        )
    )


def _result(match: TomMatch, number: int, index: int) -> Result:
    place = f"round {number}, match {index + 1}"
    if match.p2 is None:
        if match.outcome not in _ALONE:
            raise Unreadable(f"{place}: outcome {match.outcome!r} of a player alone")
        return Result(first=match.p1, kind=_ALONE[match.outcome])
    if match.outcome not in _PAIRS:
        raise Unreadable(f"{place}: outcome {match.outcome!r} of two players")
    kind, winner = _PAIRS[match.outcome]
    return Result(first=match.p1, second=match.p2, kind=kind, winner=winner)


def _with_first_rounds(players: Iterable[TomPlayer], phases: Sequence[Phase]) -> Iterable[Player]:
    """Yield the players; the file says who left, and its rounds who came late."""
    listed: dict[str, int] = {}
    for phase in phases[:1]:
        for one in phase.rounds:
            for result in one.results:
                for named in players_of(result):
                    listed.setdefault(named, one.number)
    for player in players:
        yield Player(
            id=player.id,
            name=player.name or player.id,
            entered=listed.get(player.id, 1),
            dropped_after=player.dropped_after_round,
            seed=player.cut_seed,
        )


def _published(places: Iterable[TomPlace]) -> Iterable[Published]:
    for row in places:
        yield Published(player=row.id, place=row.place, division=row.division or "")
