"""Playing cards (HG-210…HG-228, HG-241, HG-414, HG-415, HG-922, HG-928; spec 6.9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from service.engine.contract import Rejection
from service.engine.values import Action, Json
from service.rulesets.hagmi.costs import is_additional_paid, pay_additional, payment_refusals
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.definitions import Definition
from service.rulesets.hagmi.effects import carry_out_effect
from service.rulesets.hagmi.equipment import can_bear
from service.rulesets.hagmi.leaving import let_go
from service.rulesets.hagmi.numbers import cost_of
from service.rulesets.hagmi.selection import Context
from service.rulesets.hagmi.table import (
    Table,
    definition_of,
    field_of,
    is_unit,
    pile_of,
)
from service.rulesets.hagmi.targets import asks_for_more, target_refusals
from service.rulesets.hagmi.timing import MAIN, time_of, untimely_play
from service.rulesets.hagmi.triggers import trigger

PLAYED_KINDS = frozenset({"weapon", "armament", "facility", "order"})


def play_card(course: Course, player: str, action: Action) -> Rejection | None:
    """Play a card of the hand; it waits on the chain for answers.

    action: {"type": "play_card", "card": card id, "pay"?: [card id], "targets"?: [id],
    "allocation"?: {id: n}, "x"?: n, "host"?: unit that bears an armament,
    "additional"?: [card id]}.
    Facts: card_played, additional_cost_paid.
    Rejections: HG-210, HG-420, HG-419, HG-418, HG-211, HG-947, HG-414, HG-267, HG-256, HG-215,
    HG-219, those of targets, HG-908 a field the card does not ask for.
    """
    rule = next(_play_refusals(course, player, action), None)
    if rule is not None:
        return Rejection(rule)
    announce(course, player, action)
    return None


def _play_refusals(table: Table, player: str, action: Action) -> Iterator[str]:
    card = action["card"]
    if not is_playable(table, player, card):
        yield "HG-210"
    definition = definition_of(table, card)
    untimely = untimely_play(definition, time_of(table.position, player))
    if untimely is not None:
        yield untimely
    yield from payment_refusals(table, player, card, action.get("pay", []), action.get("x"))
    if not is_additional_paid(table, player, card, definition.additional, action):
        yield "HG-256"
    if definition.kind == "armament":
        yield from _host_refusals(table, player, card, action.get("host"))
    effect = definition.play_effect
    if effect is not None and effect.targets is not None:
        context = Context(source=card, player=player)
        yield from target_refusals(table, context, effect.targets, action, effect.targets.least)
    if _asks_for_more(definition, action) or asks_for_more(effect, action):
        yield "HG-908"


def is_playable(table: Table, player: str, card: str) -> bool:
    """Tell whether a card lies in a player's hand and is of a kind that is played (HG-210)."""
    in_hand = card in pile_of(table.position, player, "hand")
    return in_hand and definition_of(table, card).kind in PLAYED_KINDS


def _host_refusals(table: Table, player: str, card: str, host: str | None) -> Iterator[str]:
    if host is None or not is_unit(table, host):
        yield "HG-215"
    elif not can_bear(table, player, card, host):
        yield "HG-219"


def _asks_for_more(definition: Definition, action: Action) -> bool:
    return (
        ("x" in action and not definition.is_cost_x)
        or ("host" in action and definition.kind != "armament")
        or (bool(action.get("additional")) and definition.additional is None)
    )


def announce(course: Course, player: str, action: Action, *, is_emergency: bool = False) -> None:
    """Put a card with its payment on the chain and pay what is paid on announcement.

    Facts: those of substitutes that leave the battlefield, card_played, additional_cost_paid.
    """
    definition = definition_of(course, action["card"])
    link = _link(course, player, action, is_emergency=is_emergency)
    played = {key: link[key] for key in ("player", "card", "x", "how", "targets")}
    fields = {"kind": definition.kind, "cost": len(link["pay"]), "paid": link["pay"], **played}
    rules = _rules_of_play(course, link)
    for paid in link["open"]:
        let_go(course, paid)
    course.tell("card_played", fields, rules)
    course.chain(link)
    if not is_emergency:
        pay_additional(course, player, definition.additional, action.get("additional", []))


def _link(course: Course, player: str, action: Action, *, is_emergency: bool) -> dict[str, Json]:
    pay = list(action.get("pay", []))
    return {
        "t": "play",
        "card": action["card"],
        "player": player,
        "pay": pay,
        "open": [paid for paid in pay if paid in field_of(course.position, player)],
        "host": action.get("host"),
        "targets": list(action.get("targets", [])),
        "allocation": dict(action.get("allocation", {})),
        "x": action.get("x"),
        "how": "emergency" if is_emergency else "hand",
        "win": "play",
    }


def _rules_of_play(course: Course, link: Json) -> list[str]:
    card, player = link["card"], link["player"]
    definition = definition_of(course, card)
    hand = pile_of(course.position, player, "hand")
    is_emergency = link["how"] == "emergency"
    reasons = {
        "HG-419": not is_emergency and time_of(course.position, player) != MAIN,
        "HG-241": is_emergency,
        "HG-267": definition.is_cost_x,
        "HG-414": any(paid not in hand for paid in link["pay"]),
        "HG-411": cost_of(course, card) < definition.cost,
    }
    return [rule for rule, applies in reasons.items() if applies]


def resolve_play(course: Course, link: Json) -> None:
    """Let a played card take effect: it is produced, equipped, placed or carried out."""
    RESOLUTIONS[definition_of(course, link["card"]).kind](course, link)


def _produce(course: Course, link: Json) -> None:
    unit = link["card"]
    is_emergency = link["how"] == "emergency"
    fields = {"player": link["player"], "unit": unit, "fuel": link["pay"], "how": link["how"]}
    rules = ["HG-415"] if _has_substitute(course, link) else []
    course.tell("card_produced", fields, [*rules, *(["HG-241"] if is_emergency else [])])
    if is_emergency:
        course.push({"t": "compel_defence", "unit": unit})
    _enter_produced(course, unit)


def _has_substitute(course: Course, link: Json) -> bool:
    paid: Sequence[str] = link["pay"]
    return bool(link["open"]) or any(
        "secret" in definition_of(course, card).payment_zones for card in paid
    )


def _enter_produced(course: Course, card: str) -> None:
    """Let the skills on production trigger; those on entering follow when they are done."""
    trigger(course, card, "on_produced")
    course.push({"t": "on_enter", "card": card})


def _equip(course: Course, link: Json) -> None:
    armament, player = link["card"], link["player"]
    fits = can_bear(course, player, armament, link["host"])
    fields = {
        "armament": armament,
        "unit": link["host"] if fits else None,
        "player": player,
        "produced": True,
        "paid": link["pay"],
    }
    course.tell("armament_equipped", fields, ("HG-215",) if fits else ("HG-215", "HG-928"))
    _enter_produced(course, armament)


def _place(course: Course, link: Json) -> None:
    fields = {"player": link["player"], "facility": link["card"], "paid": link["pay"]}
    course.tell("facility_placed", fields)
    trigger(course, link["card"], "on_enter")


def _carry_out_order(course: Course, link: Json) -> None:
    card, player = link["card"], link["player"]
    effect = definition_of(course, card).play_effect
    if effect is not None:
        carry_out_effect(course, effect, card, link)
    course.tell("order_resolved", {"card": card, "player": player, "paid": link["pay"]})


RESOLUTIONS: Mapping[str, Callable[[Course, Json], None]] = {
    "weapon": _produce,
    "armament": _equip,
    "facility": _place,
    "order": _carry_out_order,
}
