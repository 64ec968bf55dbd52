"""Strikes: order, hits, pierce (HG-111…HG-128, HG-514, HG-912…HG-914, HG-916, HG-943; spec 6.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from service.engine.values import Json
from service.rulesets.hagmi.attack import end_combat
from service.rulesets.hagmi.cores import cores_left, is_armour_reached, spend_cores
from service.rulesets.hagmi.course import Course, Job
from service.rulesets.hagmi.damage import Hit, compute, mark, player_damage
from service.rulesets.hagmi.destruction import destroy
from service.rulesets.hagmi.numbers import armour_of, has_keyword, hits_of, power_of
from service.rulesets.hagmi.selection import defenders
from service.rulesets.hagmi.table import (
    MB,
    Table,
    controller_of,
    definition_of,
    entry_of,
    in_play,
    is_versus,
    living,
)

FIRST = "FIRST"


def start_combat(course: Course, job: Job) -> None:
    """Close the defences: who strikes whom is fixed (HG-115). Fact: combat_started."""
    combat = course.combat
    pairs = [[target, receiver_for(combat, target)] for target in combat["targets"]]
    course.tell("combat_started", {"attacker": combat["attacker"], "pairs": pairs})


def receiver_for(combat: Json, target: str) -> str:
    """Return what the hits on a target strike: its guard, else itself (HG-910)."""
    made = combat["defences"].get(target)
    return str(made["by"]) if made is not None else target


def take_strike_step(course: Course, job: Job) -> None:
    """Begin a strike step with those whose step it is; without any it is skipped (HG-120)."""
    step = job["step"]
    strikers = [unit for unit in _fighters(course) if _strikes_in(course, unit, step)]
    if not strikers:
        return
    course.set_combat(step=step, struck=[*course.combat["struck"], *strikers])
    course.push(
        {"t": "end_strike_step", "step": step},
        {"t": "strike_round", "step": step, "round": 1, "strikers": strikers},
    )


def _fighters(course: Course) -> Iterator[str]:
    """Yield the attacker, then the defenders, as far as they have not struck and can (HG-115)."""
    combat = course.combat
    for unit in (combat["attacker"], *defenders(combat)):
        entry = entry_of(course.position, unit)
        if entry is not None and not entry["down"] and unit not in combat["struck"]:
            yield unit


def _strikes_in(table: Table, unit: str, step: str) -> bool:
    """Tell whether it is a unit's step: first strikes meet each other at once (HG-122, HG-123)."""
    if has_keyword(table, unit, "first_strike"):
        return step == FIRST
    return definition_of(table, unit).range == step


def take_strike_round(course: Course, job: Job) -> None:
    """Let every striker deal its next hit: compute all, mark all, then see who falls (HG-913).

    Facts: damage_computed, barrier_spent, damage_marked, core_removed, lethal_reached,
    pierce_carried; what players receive follows as jobs.
    """
    there = [unit for unit in job["strikers"] if entry_of(course.position, unit) is not None]
    strikers = [unit for unit in there if hits_of(course, unit) >= job["round"]]
    if not strikers:
        return
    course.push({**job, "round": job["round"] + 1})
    hits = [hit for unit in strikers for hit in _hits_of(course, unit, strikers, job)]
    computed = [(hit, compute(course, hit)) for hit in hits]
    players = course.position["players"]
    jobs = [player_damage(hit, amount) for hit, amount in computed if hit.target in players]
    marked: dict[str, Hit] = {}
    for hit, amount in computed:
        if hit.target not in players and mark(course, hit, amount):
            marked.setdefault(hit.target, hit)
    for hit in marked.values():
        jobs += _judge(course, hit)
    course.push(*reversed(jobs))


def _hits_of(course: Course, unit: str, strikers: Sequence[str], job: Job) -> Iterator[Hit]:
    """Yield the hits of a striker on all that is still there and was not doomed before."""
    combat = course.combat
    is_attacker = unit == combat["attacker"]
    targets = combat["targets"] if is_attacker else [combat["attacker"]]
    rules = {
        "HG-122" if job["step"] == FIRST else "HG-120": True,
        "HG-121": len(strikers) > 1,
        "HG-127": hits_of(course, unit) > 1,
    }
    for target in targets:
        receiver = receiver_for(combat, target) if is_attacker else target
        if receiver not in combat["doomed"] and _is_there(course, receiver):
            yield Hit(
                source=unit,
                target=receiver,
                base=power_of(course, unit),
                unreducible=has_keyword(course, unit, "unreducible"),
                unremovable=has_keyword(course, unit, "unremovable"),
                step=job["step"],
                number=job["round"],
                rules=tuple(rule for rule, applies in rules.items() if applies),
            )


def _is_there(table: Table, receiver: str) -> bool:
    """Tell whether a hit can reach a receiver; a fallen comrade has left the game (HG-958)."""
    position = table.position
    if receiver in position["players"]:
        return is_versus(position) or receiver in living(position)
    return entry_of(position, receiver) is not None


def _judge(course: Course, hit: Hit) -> list[Job]:
    """See whether a card that was hit falls, and where a piercing hit carries its surplus."""
    card = hit.target
    is_attack = hit.source == course.combat["attacker"]
    is_pierced = is_attack and has_keyword(course, hit.source, "pierce")
    if _is_spared(course, card):
        return []
    if cores_left(course, card) >= 1:
        spend_cores(course, card, is_pierced=is_pierced)
        if _is_spared(course, card):
            return []
    excess = entry_of(course.position, card)["damage"] - (armour_of(course, card) or 0)
    fields = {"card": card, "step": hit.step, "hit": hit.number, "excess": excess}
    is_facility = definition_of(course, card).kind == "facility"
    course.tell("lethal_reached", fields, ("HG-221",) if is_facility else ())
    course.set_combat(doomed={**course.combat["doomed"], card: True})
    carried_to = _behind(course, card) if is_pierced and excess >= 1 else None
    return [] if carried_to is None else _carry(course, hit, carried_to, excess)


def _is_spared(course: Course, card: str) -> bool:
    return course.is_over or not is_armour_reached(course, card)


def _behind(course: Course, card: str) -> str | None:
    """Return whom a surplus reaches: behind a guard its target, for a beast the player (HG-943)."""
    combat = course.combat
    if combat["side"] == MB:
        behind = [controller_of(course.position, card)] if card in defenders(combat) else []
    else:
        made = combat["defences"].items()
        behind = [t for t, d in made if d["by"] == card and d["kind"] == "guard"]
    return next((name for name in behind if name and _is_there(course, name)), None)


def _carry(course: Course, hit: Hit, to: str, amount: int) -> list[Job]:
    """Carry the surplus of a piercing hit on, as damage of its own (HG-124, HG-125, HG-514)."""
    rules = ["HG-125"] if hits_of(course, hit.source) > 1 else []
    rules += ["HG-514", "HG-943"] if course.combat["side"] == MB else []
    course.tell("pierce_carried", {"from": hit.target, "to": to, "amount": amount}, rules)
    carried = replace(hit, target=to, base=amount)
    total = compute(course, carried)
    if to in course.position["players"]:
        return [player_damage(carried, total)]
    return _judge(course, carried) if mark(course, carried, total) else []


def end_strike_step(course: Course, job: Job) -> None:
    """Destroy what the step has doomed, the attacker first; such a unit never strikes again."""
    combat = course.combat
    doomed = combat["doomed"]
    fallen = [card for _, card, _ in in_play(course.position) if card in doomed]
    fallen.sort(key=lambda card: card != combat["attacker"])
    course.set_combat(step=None, doomed={}, struck=[*combat["struck"], *fallen])
    for card in fallen:
        destroy(course, card, "damage")


def take_end_of_combat(course: Course, job: Job) -> None:
    """End the combat after its last strike step."""
    end_combat(course)
