"""Skills: activating, choosing, ordering, resolving (HG-257, HG-258, HG-402, HG-431, HG-435)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from service.engine.contract import Rejection
from service.engine.values import Action, Json
from service.rulesets.hagmi.beasts import ranking
from service.rulesets.hagmi.costs import is_additional_paid, pay_additional
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.definitions import Effect, TargetGroup
from service.rulesets.hagmi.effects import carry_out_effect
from service.rulesets.hagmi.fuel import fuel_for, pay_fuel
from service.rulesets.hagmi.selection import Context, candidates
from service.rulesets.hagmi.table import (
    MB,
    Table,
    active_first,
    definition_of,
    effect_of,
    pile_of,
    skill_entry,
)
from service.rulesets.hagmi.targets import asks_for_more, target_refusals
from service.rulesets.hagmi.timing import INSTEAD_OF_ATTACK, time_of, untimely_skill


def activate_skill(course: Course, player: str, action: Action) -> Rejection | None:
    """Activate a skill of a card in play, or of one in the zone that the skill names.

    action: {"type": "activate_skill", "source": card id, "effect": effect id, "pay"?: [fuel id],
    "targets"?: [id], "allocation"?: {id: n}, "additional"?: [card id]}.
    Facts: fuel_paid, skill_activated, attack_forfeited, additional_cost_paid.
    Rejections: HG-208, HG-425, HG-926, HG-402, HG-901, HG-435, HG-246, HG-256, those of targets,
    HG-908 a field the effect does not ask for.
    """
    rule = next(_skill_refusals(course, player, action), None)
    if rule is not None:
        return Rejection(rule)
    source = action["source"]
    effect = effect_of(course, source, action["effect"])
    is_instead = time_of(course.position, player) == INSTEAD_OF_ATTACK
    if effect.fuel:
        paid = fuel_for(_entry(course, source), effect.fuel, action.get("pay"))
        pay_fuel(course, source, paid or [], "skill")
    _activate(course, effect, source, player, action, by_itself=False)
    if is_instead:
        course.tell("attack_forfeited", {"unit": source})
    pay_additional(course, player, effect.additional, action.get("additional", []))
    return None


def _skill_refusals(table: Table, player: str, action: Action) -> Iterator[str]:
    source, name = action["source"], action["effect"]
    effect = usable_effects(table, player, source).get(name)
    if effect is None:
        yield "HG-208"
        return
    entry = _entry(table, source)
    if entry is not None and entry["down"]:
        yield "HG-425"
    untimely = untimely_skill(table, player, source, effect, time_of(table.position, player))
    if untimely is not None:
        yield untimely
    if is_used_up(table, source, effect):
        yield "HG-435"
    if effect.fuel and (entry is None or fuel_for(entry, effect.fuel, action.get("pay")) is None):
        yield "HG-246"
    if not is_additional_paid(table, player, source, effect.additional, action):
        yield "HG-256"
    if effect.targets is not None:
        context = Context(source=source, player=player)
        yield from target_refusals(table, context, effect.targets, action, effect.targets.least)
    if _asks_for_more(effect, action):
        yield "HG-908"


def usable_effects(table: Table, player: str, source: str) -> dict[str, Effect]:
    """Return the skills that a player may activate from where a card lies (HG-208, HG-266)."""
    if source not in table.position["cards"]:
        return {}
    found = skill_entry(table.position, source)
    effects = definition_of(table, source).effects_when("activated")
    if found is not None:
        return {e.id: e for e in effects if found[0] == player and e.zone == "field"}
    return {e.id: e for e in effects if source in pile_of(table.position, player, e.zone)}


def _entry(table: Table, source: str) -> Json:
    found = skill_entry(table.position, source)
    return None if found is None else found[1]


def is_used_up(table: Table, source: str, effect: Effect) -> bool:
    """Tell whether a secret mechanism has been used this turn (HG-435)."""
    used = table.position["used"].get(f"{source}/{effect.id}")
    return effect.secret_mechanism and used == table.position["turn"]


def _asks_for_more(effect: Effect, action: Action) -> bool:
    return (
        (bool(action.get("pay")) and not effect.fuel)
        or (bool(action.get("additional")) and effect.additional is None)
        or asks_for_more(effect, action)
    )


def _activate(
    course: Course, effect: Effect, source: str, player: str, choice: Action, *, by_itself: bool
) -> None:
    """Put an activated skill on the chain: an object of its own (HG-431)."""
    targets = list(choice.get("targets", []))
    is_mechanism = effect.secret_mechanism and not by_itself
    fields = {
        "source": source,
        "effect": effect.id,
        "player": player,
        "targets": targets,
        "x": None,
        "mechanism": is_mechanism,
    }
    rules = ["HG-245"] if targets else []
    course.tell("skill_activated", fields, [*rules, *(["HG-435"] if is_mechanism else [])])
    link = {
        "t": "skill",
        "source": source,
        "effect": effect.id,
        "player": player,
        "targets": targets,
        "allocation": dict(choice.get("allocation", {})),
        "x": None,
        "trig": by_itself,
        "win": "skill",
    }
    course.chain(link)


def resolve_skill(course: Course, link: Json) -> None:
    """Carry a skill out, though its card may be gone (HG-431)."""
    effect = effect_of(course, link["source"], link["effect"])
    carry_out_effect(course, effect, link["source"], link)
    rules = ("HG-245",) if link["targets"] else ()
    fields = {"source": link["source"], "effect": link["effect"]}
    course.tell("skill_resolved", fields, rules)


def take_trigger(course: Course) -> bool:
    """Activate the first waiting skill, or ask for an order when several are not ordered (HG-942).

    Facts: skill_activated or skill_fizzled, or a prompt. Returns whether any skill waits.
    """
    waiting = course.position["triggers"]
    if not waiting:
        return False
    if sum(not trigger["ordered"] for trigger in waiting) > 1:
        player = active_first(course.position)[0]
        course.ask({"kind": "order_triggers", "player": player}, "HG-942")
        return True
    course.control(triggers=waiting[1:])
    _activate_trigger(course, waiting[0])
    return True


def _activate_trigger(course: Course, trigger: Json) -> None:
    source, player = trigger["source"], trigger["player"]
    effect = effect_of(course, source, trigger["effect"])
    group = effect.targets
    found = candidates_of(course, effect, source, player)
    if group is not None and group.least >= 1 and not found:
        fields = {"source": source, "effect": effect.id}
        course.tell("skill_fizzled", fields)
    elif player == MB or (group is not None and group.auto_all):
        choice = _choice_by_itself(course, group, found)
        _activate(course, effect, source, player, choice, by_itself=True)
    elif effect.optional or (group is not None and _is_open(group, found)):
        prompt = {"kind": "choose", "player": player, "source": source, "effect": effect.id}
        course.ask(prompt, "HG-257" if effect.optional else "HG-258")
    else:
        _activate(course, effect, source, player, {"targets": found}, by_itself=True)


def candidates_of(table: Table, effect: Effect, source: str, player: str) -> list[str]:
    """Return what an effect may target, for its controller."""
    if effect.targets is None:
        return []
    return candidates(table, Context(source=source, player=player), effect.targets.select)


def _is_open(group: TargetGroup, found: Sequence[str]) -> bool:
    return len(found) > group.least or group.allocate is not None


def _choice_by_itself(table: Table, group: TargetGroup | None, found: Sequence[str]) -> Action:
    """Choose as the beasts do: by `seq`, players by their ranking, as many as may be (HG-953)."""
    if group is None:
        return {}
    players = [player for player in ranking(table) if player in found]
    cards = [name for name in found if name not in players]
    most = group.most if group.allocate is None else min(group.most, group.allocate)
    targets = [*cards, *players][:most]
    if group.allocate is None or not targets:
        return {"targets": targets}
    rest = group.allocate - len(targets)
    shares = {target: 1 for target in targets}
    return {"targets": targets, "allocation": {**shares, targets[0]: 1 + rest}}


def choose(course: Course, player: str, action: Action) -> Rejection | None:
    """Decide about a skill that has triggered: whether to use it, and its targets.

    action: {"type": "choose", "use"?: bool (true), "targets"?: [id], "allocation"?: {id: n}}.
    Facts: skill_declined or skill_activated.
    Rejections: HG-908 not asked or a field not asked for, HG-258, those of targets.
    """
    prompt = course.position["prompt"]
    if prompt is None:
        return Rejection("HG-908")
    source = prompt["source"]
    effect = effect_of(course, source, prompt["effect"])
    rule = next(_choice_refusals(course, effect, prompt, action), None)
    if rule is not None:
        return Rejection(rule)
    course.control(prompt=None)
    if action.get("use", True):
        _activate(course, effect, source, player, action, by_itself=True)
    else:
        course.tell("skill_declined", {"source": source, "effect": effect.id})
    return None


def _choice_refusals(table: Table, effect: Effect, prompt: Json, action: Action) -> Iterator[str]:
    if not action.get("use", True):
        if not effect.optional:
            yield "HG-258"
        if action.keys() != {"type", "use"}:
            yield "HG-908"
        return
    source, player = prompt["source"], prompt["player"]
    if effect.targets is not None:
        there = len(candidates_of(table, effect, source, player))
        context = Context(source=source, player=player)
        least = min(effect.targets.least, there)
        yield from target_refusals(table, context, effect.targets, action, least)
    if asks_for_more(effect, action):
        yield "HG-908"


def order_triggers(course: Course, player: str, action: Action) -> Rejection | None:
    """Put the skills that wait unordered in an order; they follow those ordered before.

    action: {"type": "order_triggers", "order": [index]}. Fact: triggers_ordered.
    Rejections: HG-908 not asked, HG-942 not every skill once.
    """
    if course.position["prompt"] is None:
        return Rejection("HG-908")
    waiting = course.position["triggers"]
    unordered = [trigger for trigger in waiting if not trigger["ordered"]]
    if sorted(action["order"]) != list(range(len(unordered))):
        return Rejection("HG-942")
    placed = [{**unordered[at], "ordered": True} for at in action["order"]]
    ordered = [trigger for trigger in waiting if trigger["ordered"]]
    course.control(prompt=None, triggers=[*ordered, *placed])
    course.tell("triggers_ordered", {"order": list(action["order"])})
    return None
