"""Operations without a selector: draws, bans and other lasting terms, options, conditions (9.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from service.engine.values import Json
from service.rulesets.hi_story.durations import lasts, moved_bounds
from service.rulesets.hi_story.measure import condition, count, sides
from service.rulesets.hi_story.standing import being_resolved
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import other
from service.rulesets.hi_story.terms import forbids

Operation: TypeAlias = dict[str, Json]

MOMENT_OF: Mapping[str, str] = {
    "turn_end": "end",
    "next_own_start": "start",
    "next_own_end": "end",
    "next_opponent_start": "start",
    "next_opponent_end": "end",
}
"""The moment of a turn at which a delayed effect is due (HS-415)."""

TERMS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "forbid": ("HS-929", ("action", "filter")),
    "prevent": ("HS-930", ("times", "ask")),
    "limit": ("HS-645", ("actions", "count", "filter")),
    "duty": ("HS-644", ("action",)),
    "allow_set": ("HS-514", ("ranks", "filter")),
}
"""The rule and the keys of the lasting entry of an operation that speaks of a player (9.5)."""


def skip(step: Step, operation: Operation, reason: str, rule: str, player: str = "") -> None:
    """Record that an operation does nothing; `player` is the effect's player unless given."""
    player = player or being_resolved(step.scene).player
    step.emit("operation_skipped", [rule], player=player, op=operation["op"], reason=reason)


def add_lasting(step: Step, operation: Operation, rules: Sequence[str], **terms: Json) -> None:
    """Add a lasting entry of an effect; its id is one above the largest (9.5, HS-914)."""
    source = being_resolved(step.scene).source
    numbers = [int(entry["id"][1:]) for entry in step.position["lasting"]]
    entry = {
        "id": f"m{max(numbers, default=0) + 1}",
        "source": source,
        "op": operation["op"],
        **terms,
        **lasts(step.position, operation["until"], source),
    }
    step.emit("lasting_added", [*rules, "HS-914"], entry=entry)


def lacks_attack(step: Step, operation: Operation) -> bool:
    """Tell whether an operation would last until the end of an attack that is not there (9.7)."""
    return operation["until"] == "attack" and step.position["attack"] is None


def _add_terms(step: Step, operation: Operation) -> None:
    """Add the terms of a ban, prevention, limit, duty or permission for each player concerned."""
    if lacks_attack(step, operation):
        skip(step, operation, "no_attack", "HS-922")
        return
    rule, keys = TERMS[operation["op"]]
    reading = being_resolved(step.scene)
    terms = {key: operation[key] for key in keys if key in operation}
    if "count" in terms:
        terms["count"] = count(reading, terms["count"])
    for player in sides(reading, operation["player"]):
        add_lasting(step, operation, [rule], player=player, **terms)


def _draw(step: Step, operation: Operation) -> None:
    """Draw (HS-925); up to a number the player names it first (HS-419)."""
    reading = being_resolved(step.scene)
    players = sides(reading, operation["player"])
    number = count(reading, operation["count"])
    if not operation.get("up_to"):
        draw_each(step, players, number)
        return
    step.emit(
        "choice_requested",
        ["HS-924", "HS-419"],
        player=players[0],
        kind="number",
        card=reading.source,
        op="draw",
        min=0,
        max=number,
        operation=operation,
    )


def draw_each(step: Step, players: tuple[str, ...], number: int) -> None:
    """Let players draw by an effect (HS-925); the decks are tested after all of it."""
    for player in players:
        step.draw(player, number, "HS-925", "effect")
    step.test_decks()


def _mill(step: Step, operation: Operation) -> None:
    """Send cards of decks to the graveyard (HS-926), where no ban protects the deck (HS-648)."""
    reading = being_resolved(step.scene)
    number = count(reading, operation["count"])
    for player in sides(reading, operation["player"]):
        if player != reading.player and forbids(step.scene, reading.player, "mill"):
            skip(step, operation, "forbidden", "HS-648", player)
        else:
            step.mill(player, number, "HS-926")
    step.test_decks()


def _later(step: Step, operation: Operation) -> None:
    """Note operations for a later moment (HS-415)."""
    frame = step.position["frames"][-1]
    reacts = {"it": frame["it"]} if "it" in frame else {}
    moment = operation["at"]
    add_lasting(
        step,
        {"op": "later", "until": moment},
        ["HS-415"],
        player=frame["player"],
        effect=frame["effect"],
        at=MOMENT_OF[moment],
        ops=operation["do"],
        **reacts,
    )


def _extra_turn(step: Step, operation: Operation) -> None:
    """Grant the turn player another turn, one at a time (HS-315, HS-958)."""
    position = step.position
    player = being_resolved(step.scene).player
    if position["extra"] or position["extra_now"] or position["active"] != player:
        skip(step, operation, "extra_turn", "HS-958")
        return
    turns = moved_bounds(position, player)
    step.emit("extra_turn_granted", ["HS-315", "HS-948"], player=player, turns=turns)


def _shuffle(step: Step, operation: Operation) -> None:
    for player in sides(being_resolved(step.scene), operation["player"]):
        step.shuffle(player, operation["zone"], "HS-931")


def _end_phase(step: Step, operation: Operation) -> None:
    """End the effect phase as soon as nothing is left to resolve (HS-423)."""
    if step.position["phase"] == "effect":
        step.emit("phase_ended", ["HS-423"], phase="effect")
    else:
        skip(step, operation, "phase", "HS-423")


def _choose_one(step: Step, operation: Operation) -> None:
    """Ask for one option or several of those that are offered (HS-418)."""
    reading = being_resolved(step.scene)
    offered = [
        option
        for option in operation["options"]
        if "if" not in option or condition(reading, option["if"])
    ]
    if not offered:
        skip(step, operation, "no_candidates", "HS-922")
        return
    chooser = other(reading.player) if operation.get("by") == "opponent" else reading.player
    step.emit(
        "choice_requested",
        ["HS-418", "HS-924"] if "count" in operation else ["HS-924"],
        player=chooser,
        kind="option",
        card=reading.source,
        options=len(offered),
        operation={**operation, "options": offered},
        **_number_of_options(operation, len(offered)),
    )


def _number_of_options(operation: Operation, offered: int) -> dict[str, int]:
    if "count" not in operation:
        return {}
    wanted = operation["count"]
    if isinstance(wanted, int):
        return {"min": min(wanted, offered), "max": min(wanted, offered)}
    return {"min": 0, "max": min(wanted["up_to"], offered)}


def _if(step: Step, operation: Operation) -> None:
    """Test a condition and insert the operations of its branch (HS-921)."""
    reading = being_resolved(step.scene)
    result = condition(reading, operation["cond"])
    step.emit(
        "condition_checked", ["HS-921"], player=reading.player, card=reading.source, result=result
    )
    branch = operation["then"] if result else operation.get("else", [])
    step.emit("operations_inserted", ["HS-921"], ops=branch)


OPERATIONS: Mapping[str, Callable[[Step, Operation], None]] = {
    "draw": _draw,
    "mill": _mill,
    "forbid": _add_terms,
    "prevent": _add_terms,
    "limit": _add_terms,
    "duty": _add_terms,
    "allow_set": _add_terms,
    "later": _later,
    "extra_turn": _extra_turn,
    "shuffle": _shuffle,
    "end_phase": _end_phase,
    "choose_one": _choose_one,
    "if": _if,
}
