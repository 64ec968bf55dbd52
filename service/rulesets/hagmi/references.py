"""References within a position: whatever names a card, player or effect must find it (spec 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from service.engine.values import Json, Position
from service.rulesets.hagmi.attack import COMBAT_JOBS
from service.rulesets.hagmi.damage import is_sacrifice_on
from service.rulesets.hagmi.definitions import Pool
from service.rulesets.hagmi.play import PLAYED_KINDS
from service.rulesets.hagmi.shapes import below
from service.rulesets.hagmi.shorthand import refuse
from service.rulesets.hagmi.table import MB, Table, definition_of, is_own_unit, is_versus

CARDS = ("card", "source", "unit", "host", "attacker", "must_defend", "by")
CARDS_OR_PLAYERS = (
    *("pay", "open", "targets", "present", "struck", "strikers", "attacked"),
    *("allocation", "defences", "doomed"),
)
SIDES = ("player", "holder", "side")
PLAYERS = ("left", "to_defend")


def check_references(pool: Pool, position: Position) -> None:
    """Raise a fault for a control value that names what is not there."""
    table = Table(pool=pool, position=position)
    for place, part in _parts(position):
        _check_names(position, part, place)
        if "effect" in part:
            _check_effect(table, part, place)
    for at, mod in enumerate(position["mods"]):
        kinds = [key for key in ("stat", "keyword") if key in mod]
        hows = [key for key in ("by", "times", "set") if key in mod]
        if len(kinds) != 1 or len(hows) != (kinds == ["stat"]):
            raise refuse(f"mods.{at}", "a stat with by, times or set, or a keyword is expected")
    for at, link in enumerate(position["chain"]):
        is_play = link["t"] == "play"
        if is_play and definition_of(table, link["card"]).kind not in PLAYED_KINDS:
            raise refuse(f"chain.{at}.card", "a card that cannot be played")
    _check_asked(table)
    _check_living(position)
    _check_agenda(position)


def _check_agenda(position: Position) -> None:
    """Check that jobs of a combat have one, and an attack that waits for its end has its end."""
    jobs = {job["t"] for job in position["agenda"]}
    if position["combat"] is None and jobs & set(COMBAT_JOBS):
        raise refuse("agenda", "jobs of a combat, but no combat")
    never_ends = position["combat"] is not None and "end_combat" not in jobs
    if never_ends and "forced_attack" in jobs:
        raise refuse("agenda", "an attack waits for the end of a combat that does not end")


def _parts(position: Position) -> Iterator[tuple[str, Json]]:
    """Yield the objects of a position that name cards, players and effects."""
    for key in ("mods", "chain", "triggers", "agenda"):
        for at, part in enumerate(position[key]):
            yield f"{key}.{at}", part
    for key in ("prompt", "window", "combat"):
        if position[key] is not None:
            yield key, position[key]
    if position["combat"] is not None:
        for target, made in position["combat"]["defences"].items():
            yield f"combat.defences.{target}", made
    yield "beast", {"attacked": position["beast"]["attacked"]}


def _check_names(position: Position, part: Json, place: str) -> None:
    cards: Collection[str] = position["cards"]
    players: Collection[str] = position["players"]
    sides = players if is_versus(position) else (*players, MB)
    allowed: dict[str, Collection[str]] = {
        **dict.fromkeys(CARDS, cards),
        **dict.fromkeys(CARDS_OR_PLAYERS, (*cards, *players)),
        **dict.fromkeys(SIDES, sides),
        **dict.fromkeys(PLAYERS, players),
    }
    for key, value in part.items():
        names = [value] if isinstance(value, str) else value
        if key in allowed and names is not None and isinstance(names, list | dict):
            for name in names:
                if name not in allowed[key]:
                    raise refuse(below(place, key), f"{name} is not there")


def _check_effect(table: Table, part: Json, place: str) -> None:
    definition = definition_of(table, part["source"])
    front = table.pool.fronts.get(definition.id, definition.id)
    if part["effect"] not in {*definition.effects, *table.pool.cards[front].effects}:
        raise refuse(below(place, "effect"), f"no effect of {part['source']}")


def _check_living(position: Position) -> None:
    """Check that a game that goes on waits for nobody who has lost (HG-273, HG-958)."""
    if position["result"] is not None:
        return
    prompt, window, combat = (position[key] or {} for key in ("prompt", "window", "combat"))
    waits = {
        "active": [] if prompt or window else [position["active"]],
        "prompt.player": [prompt.get("player")],
        "window.holder": [window.get("holder")],
        "combat.to_defend": combat.get("to_defend", []),
    }
    lost = [name for name, player in position["players"].items() if player["lost"]]
    for place, players in waits.items():
        for player in players:
            if player in lost:
                raise refuse(place, f"{player} has lost")


def _check_asked(table: Table) -> None:
    """Check that a prompt fits what is going on."""
    position = table.position
    prompt, agenda = position["prompt"], position["agenda"]
    if prompt is None:
        return
    kind, player = prompt["kind"], prompt["player"]
    if position["window"] is not None:
        raise refuse("prompt", "a window is open as well")
    if kind == "defence" and position["combat"] is None:
        raise refuse("prompt", "no combat to defend in")
    if kind == "forced_attack" and not is_own_unit(table, player, prompt["unit"]):
        raise refuse("prompt.unit", f"no unit of {player}")
    if kind == "absorb" and not (
        is_sacrifice_on(position) and agenda and agenda[-1]["t"] == "player_damage"
    ):
        raise refuse("prompt", "no damage to absorb")
