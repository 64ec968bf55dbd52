"""Answers to choices: what is a valid one, and what follows from it (7.13, HS-924)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from service.engine.contract import Rejection
from service.engine.values import (
    Action,
    Actor,
    Json,
    Position,
    is_integer,
    is_integer_in,
    is_list_of_strings,
)
from service.rulesets.hi_story.battle import prevent_loss, take_loss
from service.rulesets.hi_story.effects import apply
from service.rulesets.hi_story.moving import let_leave, let_stay
from service.rulesets.hi_story.offers import answer_offer
from service.rulesets.hi_story.operations import draw_each
from service.rulesets.hi_story.sight import visible
from service.rulesets.hi_story.standing import Scene
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import card_at, definition
from service.rulesets.hi_story.targets import PLACING

Pending: TypeAlias = Mapping[str, Json]
Answer: TypeAlias = dict[str, Json]
"""The fields of `choice_made` besides the player, cards named by id."""


def read_answer(scene: Scene, actor: Actor, action: Action) -> Answer | None:
    """Return what a player answers to the pending choice, or None if that is no answer (HS-924)."""
    pending = scene.position["pending"]
    given = action.keys() - {"type"}
    if action.get("type") != "choose" or actor != pending["player"]:
        return None
    if not _required(pending) <= given <= _allowed(pending):
        return None
    return _READ[pending["kind"]](scene, pending, action)


def _required(pending: Pending) -> set[str]:
    if pending["kind"] == "option":
        return {"options" if "min" in pending else "option"}
    return {"accept" if pending["kind"] == "confirm" else pending["kind"]}


def _allowed(pending: Pending) -> set[str]:
    return _required(pending) | ({"fields"} if pending.get("op") in PLACING else set())


def _read_confirm(scene: Scene, pending: Pending, action: Action) -> Answer | None:
    accept = action["accept"]
    return {"accept": accept} if isinstance(accept, bool) else None


def _read_number(scene: Scene, pending: Pending, action: Action) -> Answer | None:
    number = action["number"]
    fits = is_integer_in(number, pending["min"], pending["max"])
    return {"number": number} if fits else None


def _read_option(scene: Scene, pending: Pending, action: Action) -> Answer | None:
    last = pending["options"] - 1
    if "min" not in pending:
        option = action["option"]
        return {"option": option} if is_integer_in(option, 0, last) else None
    options = action["options"]
    if not isinstance(options, list) or not all(is_integer_in(one, 0, last) for one in options):
        return None
    if not _are_as_many_different(options, pending):
        return None
    return {"options": sorted(options)}


def _are_as_many_different(values: Sequence[Json], pending: Pending) -> bool:
    differ = len(set(values)) == len(values)
    return differ and bool(pending["min"] <= len(values) <= pending["max"])


def _read_cards(scene: Scene, pending: Pending, action: Action) -> Answer | None:
    cards = _ids(scene.position, pending["player"], action["cards"])
    if cards is None or not set(cards) <= set(pending["candidates"]):
        return None
    if not _are_as_many_different(cards, pending) or not _is_within_bounds(scene, pending, cards):
        return None
    if pending["op"] not in PLACING:
        return {"cards": cards}
    fields = action.get("fields", None if cards else [])
    if not isinstance(fields, list) or not all(is_integer(field) for field in fields):
        return None
    if len(fields) != len(cards):
        return None
    return {"cards": cards, "fields": fields} if fields else {"cards": cards}


def _ids(position: Position, player: str, cards: Json) -> list[str] | None:
    """Return the ids of cards named by id or place; None if one is hidden or lies nowhere.

    A hidden id is refused whether or not it is a candidate, so that ids cannot be tried out.
    """
    if not is_list_of_strings(cards):
        return None
    ids = []
    for name in cards:
        card = name if name in position["cards"] else card_at(position, name)
        if card is None or (card == name and not visible(position, player, card)):
            return None
        ids.append(card)
    return ids


def _is_within_bounds(scene: Scene, pending: Pending, cards: list[str]) -> bool:
    printed = [definition(scene.pool, scene.position, card) for card in cards]
    if "sum" in pending:
        bound = pending["sum"]
        return bool(sum(card[bound["of"]] for card in printed) <= bound["at_most"])
    if "distinct" in pending:
        values = [card[DISTINCT[pending["distinct"]]] for card in printed]
        return len(set(values)) == len(values)
    return True


DISTINCT: Mapping[str, str] = {"rank": "rank", "name": "name_ja"}
"""The printed value by which chosen cards have to differ."""

_READ: Mapping[str, Callable[[Scene, Pending, Action], Answer | None]] = {
    "confirm": _read_confirm,
    "option": _read_option,
    "number": _read_number,
    "cards": _read_cards,
}


def choose_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return HS-924 for anything but a valid answer to the pending choice, or None."""
    return "HS-924" if read_answer(scene, actor, action) is None else None


def choose(step: Step, actor: Actor, action: Action) -> Rejection | None:
    """Record the answer and go on with what asked for it (HS-924).

    Rejections: a destination that does not fit when its turn comes (HS-403, HS-404, HS-505, HS-932,
    HS-422).
    """
    pending = step.position["pending"]
    answer = read_answer(step.scene, actor, action)
    assert answer is not None, "the answer was tested"
    step.emit("choice_made", _rules(pending), player=actor, **answer)
    return _FOLLOW[_asked_for(pending)](step, pending, answer)


def _rules(pending: Pending) -> list[str]:
    if pending["kind"] == "confirm":
        return ["HS-923"]
    return ["HS-418", "HS-924"] if "options" in pending and "min" in pending else ["HS-924"]


def _asked_for(pending: Pending) -> str:
    """Return what asked: the kind of the choice, for a confirm the operation or `offer`."""
    if pending["kind"] != "confirm":
        return str(pending["kind"])
    return "offer" if "offer" in pending else str(pending["operation"]["op"])


def _follow_offer(step: Step, pending: Pending, answer: Answer) -> None:
    answer_offer(step, pending, accept=answer["accept"])


def _follow_leave(step: Step, pending: Pending, answer: Answer) -> None:
    """Let a card stay, or leave after all (HS-417)."""
    if answer["accept"]:
        let_stay(step, pending["card"], pending["effect"])
    else:
        let_leave(step, pending["operation"])


def _follow_prevention(step: Step, pending: Pending, answer: Answer) -> None:
    """Prevent a loss or take it; the rest of the battle follows (HS-646)."""
    asked = pending["operation"]
    if answer["accept"]:
        prevent_loss(step, asked["count"], asked["lasting"])
    else:
        take_loss(step, asked["count"], asked["rules"][0])


def _follow_option(step: Step, pending: Pending, answer: Answer) -> None:
    """Insert the operations of the chosen options, from the top (HS-418)."""
    offered = pending["operation"]["options"]
    chosen = answer["options"] if "options" in answer else [answer["option"]]
    ops = [operation for option in chosen for operation in offered[option]["do"]]
    step.emit("operations_inserted", _rules(pending), ops=ops)


def _follow_number(step: Step, pending: Pending, answer: Answer) -> None:
    """Draw as many cards as the player named (HS-419)."""
    draw_each(step, (pending["player"],), answer["number"])


def _follow_cards(step: Step, pending: Pending, answer: Answer) -> Rejection | None:
    return apply(step, pending["operation"], answer["cards"], answer.get("fields", []))


_FOLLOW: Mapping[str, Callable[[Step, Pending, Answer], Rejection | None]] = {
    "offer": _follow_offer,
    "leave": _follow_leave,
    "prevent_loss": _follow_prevention,
    "option": _follow_option,
    "number": _follow_number,
    "cards": _follow_cards,
}
