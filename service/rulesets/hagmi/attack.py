"""Attack declarations (HG-101…HG-106, HG-116…HG-119, HG-405, HG-430, HG-924, HG-944)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from service.engine.contract import Rejection
from service.engine.values import Action, Json
from service.rulesets.hagmi.course import Course, Job
from service.rulesets.hagmi.fuel import fuel_for, pay_fuel
from service.rulesets.hagmi.numbers import act_of, has_keyword
from service.rulesets.hagmi.table import (
    MB,
    Table,
    controller_of,
    definition_of,
    entry_of,
    field_of,
    held_as,
    in_play,
    is_own_unit,
    is_unit,
    is_versus,
    opponents,
)
from service.rulesets.hagmi.triggers import trigger

STRIKE_STEPS = ("FIRST", "LONG", "MIDDLE", "SHORT")
COMBAT_JOBS = (
    "defence",
    "combat_start",
    "strike_step",
    "strike_round",
    "end_strike_step",
    "end_combat",
)
COMBAT_WINDOWS = ("attack", "combat")


def declare_attack(course: Course, player: str, action: Action) -> Rejection | None:
    """Attack with a unit, paying its act cost; also in the turn in which it entered (HG-923).

    action: {"type": "declare_attack", "unit": card id, "targets"?: [card id or player],
    "pay"?: [fuel id]}; with the area ALL the targets may be left out.
    Facts: fuel_paid, attack_declared. Rejections: HG-908 another unit has to attack, HG-101,
    HG-230, HG-425, HG-402, HG-103, HG-251, HG-119, HG-118, HG-424, HG-518, HG-116.
    """
    rule = next(_attack_refusals(course, player, action), None)
    if rule is not None:
        return Rejection(rule)
    unit = action["unit"]
    entry = entry_of(course.position, unit)
    is_forced = course.position["prompt"] is not None
    again = ("HG-406",) if entry["declared"] >= 1 and not is_forced else ()
    paid = fuel_for(entry, act_of(course, unit), action.get("pay")) or []
    pay_fuel(course, unit, paid, "attack", again)
    course.control(prompt=None)
    if definition_of(course, unit).area is None:
        targets = attackable(course, player)
    else:
        targets = list(action["targets"])
    declare(course, unit, player, targets, {"forced": True} if is_forced else {})
    return None


def _attack_refusals(course: Course, player: str, action: Action) -> Iterator[str]:
    unit, prompt = action["unit"], course.position["prompt"]
    if prompt is not None and prompt["unit"] != unit:
        yield "HG-908"
    if prompt is None and not is_preparing(course.position, player):
        yield "HG-101"
    if not is_own_unit(course, player, unit):
        yield "HG-230"
    entry = entry_of(course.position, unit)
    if entry["down"]:
        yield "HG-425"
    if entry["forfeited"]:
        yield "HG-402"
    if prompt is None and not has_declaration_left(entry):
        yield "HG-103"
    if fuel_for(entry, act_of(course, unit), action.get("pay")) is None:
        yield "HG-251"
    yield from _target_refusals(course, player, unit, action.get("targets"))


def _target_refusals(
    course: Course, player: str, unit: str, targets: Sequence[str] | None
) -> Iterator[str]:
    area = definition_of(course, unit).area
    allowed = attackable(course, player)
    if area is None and targets is None and allowed:
        return
    named = targets or []
    if len(set(named)) != len(named):
        yield "HG-119"
    if area is None and (not allowed or set(named) != set(allowed)):
        yield "HG-118"
    if area is not None and not 1 <= len(named) <= area:
        yield "HG-118"
    if any(held_as(course.position, target) for target in named):
        yield "HG-424"
    if any(_is_shielded_mothership(course, target) for target in named):
        yield "HG-518"
    if not set(named) <= set(allowed):
        yield "HG-116"


def is_preparing(position: Json, player: str) -> bool:
    """Tell whether a player is asked in their own attack-preparation step, with nothing open."""
    return (
        position["step"] == "attack_preparation"
        and position["active"] == player
        and position["window"] is None
        and not position["chain"]
    )


def has_declaration_left(entry: Json) -> bool:
    """Tell whether a unit may declare once more in this battle phase (HG-103, HG-405)."""
    return bool(entry["declared"] < 1 + entry["extra"])


def attackable(table: Table, side: str) -> list[str]:
    """Return what a side may attack: the opponent, then units and facilities, by `seq`.

    Nobody has to remove what stands before the opponent (HG-117). The mothership comes last,
    unless a beast guards it (HG-518, HG-519).
    """
    position = table.position
    (opponent,) = opponents(position, side)
    found = [card for owner, card, _ in in_play(position) if owner == opponent]
    kinds = {card: definition_of(table, card).kind for card in found}
    cards = [c for c in found if is_unit(table, c) or kinds[c] == "facility"]
    if not is_guarded(table):
        cards += [card for card in found if kinds[card] == "mothership"]
    return [opponent, *cards] if is_versus(position) else cards


def is_guarded(table: Table) -> bool:
    """Tell whether a beast with guard shields the mothership (HG-518)."""
    return any(has_keyword(table, card, "guard") for card in field_of(table.position, MB))


def _is_shielded_mothership(table: Table, target: str) -> bool:
    return (
        target in field_of(table.position, MB)
        and definition_of(table, target).kind == "mothership"
        and is_guarded(table)
    )


def declare(
    course: Course, unit: str, side: str, targets: list[str], further: dict[str, Json]
) -> None:
    """Open the combat of an attack: skills, window, defences, strikes (HG-102, HG-106).

    further: `forced` or, of a beast, `key`.
    """
    number = entry_of(course.position, unit)["declared"] + 1
    rules = ("HG-505", "HG-953") if side == MB else _rules_of_place(course)
    fields = {"unit": unit, "player": side, "targets": targets, "number": number, **further}
    course.tell("attack_declared", fields, rules)
    course.control(combat=_combat(course, unit, side, targets))
    course.push({"t": "end_combat"})
    course.push(*({"t": "strike_step", "step": step} for step in reversed(STRIKE_STEPS)))
    course.push({"t": "window", "kind": "combat"}, {"t": "combat_start"}, {"t": "defence"})
    course.push({"t": "window", "kind": "attack"})
    trigger(course, unit, "on_attack_declared")


def _rules_of_place(course: Course) -> tuple[str, ...]:
    is_extra = any(job["t"] == "end_extra_battle" for job in course.position["agenda"])
    return ("HG-102",) if is_extra else ()


def _combat(table: Table, unit: str, side: str, targets: Sequence[str]) -> dict[str, Json]:
    position = table.position
    attacked = {t if t in position["players"] else controller_of(position, t) for t in targets}
    return {
        "attacker": unit,
        "side": side,
        "targets": list(targets),
        "present": [card for _, card, _ in in_play(position)],
        "defences": {},
        "to_defend": [player for player in position["order"] if player in attacked],
        "must_defend": None,
        "step": None,
        "struck": [],
        "doomed": {},
    }


def end_combat(course: Course, *, is_attacker_gone: bool = False) -> None:
    """End the running combat and what was still to come of it; passing changes expire."""
    attacker = course.combat["attacker"]
    if is_attacker_gone:
        fields = {"attacker": attacker, "reason": "attacker_gone"}
        course.tell("combat_ended", fields, ("HG-914",))
    else:
        course.tell("combat_ended", {"attacker": attacker})
    left = [job for job in course.position["agenda"] if not _is_of_combat(job)]
    course.control(combat=None, agenda=left)
    expire(course, "end_of_combat")
    trigger(course, attacker, "on_attack_ended")


def _is_of_combat(job: Job) -> bool:
    return job["t"] in COMBAT_JOBS or (job["t"] == "window" and job["kind"] in COMBAT_WINDOWS)


def expire(course: Course, until: str) -> None:
    """Let the passing changes of one duration expire (HG-940)."""
    for mod in course.position["mods"]:
        if mod["until"] == until:
            what = "stat" if "stat" in mod else "keyword"
            course.tell(
                "modifier_expired", {"card": mod["card"], what: mod[what], "seq": mod["seq"]}
            )
