"""How a match stands: its result, its summary, and the names behind ids (spec 15; FORMAT 7, 9)."""

from __future__ import annotations

from collections.abc import Mapping

from service.engine.contract import Outcome
from service.engine.values import Action, Json, Position, View
from service.rulesets.hagmi.definitions import Pool
from service.rulesets.hagmi.table import MACHINE_BEAST, MODES, PILES, PLAYERS, VERSUS, by_seq

BEAST_PILES = ("deck", "discard", "charge_units")
HEADER_KEYS = {"seats", "mode"}


def outcome(position: Position) -> Outcome | None:
    """Return how the match ended, or None."""
    result = position.get("result")
    return None if result is None else {"winner": result["winner"], "reason": result["reason"]}


def seats(position: Position) -> tuple[str, ...]:
    """Return the players; before the start nobody is known."""
    return tuple(sorted(position.get("players", {})))


def summary(pool: Pool, position: Position) -> Json:
    """Return `final` of expected.json: sizes of the piles, and what lies on the battlefields."""
    if not position:
        return None
    result = position["result"] or {"winner": None, "reason": None}
    players = {name: position["players"][name] for name in sorted(position["players"])}
    final: dict[str, Json] = {"turn": position["turn"], **result}
    for zone in PILES:
        final[zone] = {name: len(player[zone]) for name, player in players.items()}
    final["lost"] = {name: player["lost"] for name, player in players.items()}
    final["field"] = {name: _field(pool, player["field"]) for name, player in players.items()}
    if position["mode"] == MACHINE_BEAST:
        beast = position["beast"]
        sizes = {zone: len(beast[zone]) for zone in BEAST_PILES}
        final["beast"] = {**sizes, "field": _field(pool, beast["field"])}
    return final


def _field(pool: Pool, field: Mapping[str, Json]) -> list[Json]:
    return [_entry(pool, entry) for _, entry in by_seq(field)]


def _entry(pool: Pool, entry: Json) -> dict[str, Json]:
    short: dict[str, Json] = {
        "card": entry["card"],
        "damage": entry["damage"],
        "fuel": len(entry["fuel"]),
    }
    for kind in ("armaments", "stored"):
        if entry[kind]:
            short[kind] = [held["card"] for _, held in by_seq(entry[kind])]
    if any(entry["retrofit"].values()):
        short["retrofit"] = dict(entry["retrofit"])
    if pool.cards[entry["card"]].kind == "mothership":
        short["cores"] = entry["cores"]
    return short


def named_definition(pool: Pool, seen: View, reference: Json) -> str | None:
    """Return the definition that an instance of a view, a definition id or an entry stands for."""
    if isinstance(reference, dict):
        return named_definition(pool, seen, reference.get("card"))
    if not isinstance(reference, str):
        return None
    known = seen.get("cards", {}).get(reference)
    if known is not None:
        return str(known["card"])
    return reference if reference in pool.cards else None


def header_fault(header: Mapping[str, Json]) -> str | None:
    """Return what is wrong with the header of a plain log beyond the common form, or None."""
    unknown = sorted(header.keys() - HEADER_KEYS)
    if unknown:
        return f"unknown key {unknown[0]!r}"
    mode, names = header.get("mode"), set(header["seats"])
    if mode not in MODES:
        return f"mode is one of {', '.join(MODES)}"
    fits = names == set(PLAYERS[: len(names)]) and (
        mode != VERSUS or len(names) == len(PLAYERS[:2])
    )
    return None if fits else "seats names every player from P1 on"


def header_of(action: Action) -> Mapping[str, Json]:
    """Return the further key of the header of a plain log: the mode of its first action."""
    return {"mode": action.get("mode")}
