"""What goes on by itself: resolving, phases, turns, until somebody has to act (6, 10)."""

from __future__ import annotations

from collections.abc import Mapping

from service.engine.values import Json
from service.rulesets.hi_story.attack import FIRST_TURNS, go_on
from service.rulesets.hi_story.effects import SELECTING, begin
from service.rulesets.hi_story.moving import leave
from service.rulesets.hi_story.offers import take_from_queue
from service.rulesets.hi_story.operations import OPERATIONS, Operation
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import fields_of, other
from service.rulesets.hi_story.terms import forbids
from service.rulesets.hi_story.triggers import (
    Trigger,
    delayed,
    of_card,
    of_delayed,
    of_phase,
    of_turn,
    queue,
    watching,
)

STEPS_MAX = 200
"""Operations and triggers without an action after which a chain is cut (HS-957)."""

ADVANCES_MAX = 5_000
"""More than any decision needs: a few for each step up to the cut, and those of one turn."""

NEXT_PHASE: Mapping[str, str] = {
    "summon": "effect",
    "effect": "set",
    "set": "attack",
    "attack": "end",
}


def advance(step: Step) -> None:
    """Go on until the game is over or waits for somebody (10)."""
    for _ in range(ADVANCES_MAX):
        if not _goes_on(step):
            return
    raise AssertionError("the game neither ends nor waits")


def _goes_on(step: Step) -> bool:
    """Do the next thing that happens by itself; return False if there is none."""
    position = step.position
    if position["result"] or position["pending"]:
        return False
    if position["frames"] or position["queue"]:
        _resolve(step)
    elif position["attack"]:
        return go_on(step)
    elif position["ending"]:
        begin_next_phase(step)
    else:
        return _passes(step)
    return True


def _resolve(step: Step) -> None:
    position = step.position
    if position["steps"] >= STEPS_MAX:
        step.emit("effects_cut", ["HS-957"], steps=position["steps"])
    elif position["frames"]:
        _go_on_with_frame(step, position["frames"][-1])
    else:
        take_from_queue(step, position["queue"][0])


def _go_on_with_frame(step: Step, frame: Mapping[str, Json]) -> None:
    """Carry out the next operation of an effect, or end the effect (HS-921)."""
    named = {"player": frame["player"], "card": frame["source"]}
    if not frame["ops"]:
        step.emit("effect_resolved", ["HS-921"], **named, effect=frame["effect"])
        return
    operation = frame["ops"][0]
    step.emit("operation_started", ["HS-921"], **named, op=operation["op"])
    _carry_out(step, operation)


def _carry_out(step: Step, operation: Operation) -> None:
    if operation["op"] in SELECTING:
        begin(step, operation)
    elif operation["op"] == "leave":
        leave(step, operation)
    else:
        OPERATIONS[operation["op"]](step, operation)


def _passes(step: Step) -> bool:
    """Pass on where a phase needs no action; return False where the turn player may act."""
    position = step.position
    if position["phase"] == "start":
        _begin_phase(step, "draw")
    elif position["phase"] == "draw" and position["turn"] == 1:
        step.emit("draw_skipped", ["HS-208"], player=position["active"])
        begin_summon_phase(step)
    elif position["phase"] == "end":
        _change_turn(step)
    else:
        return False
    return True


def begin_turn(step: Step, player: str, turn: int, extra: Mapping[str, bool]) -> None:
    """Begin a turn with what is due at its start (HS-301); `extra` is its key in an extra turn."""
    rules = ["HS-301", "HS-315"] if extra else ["HS-301"]
    step.emit("turn_started", rules, player=player, turn=turn, **extra)
    _queue_moment(step, "start")


def _queue_moment(step: Step, moment: str) -> None:
    """Queue the delayed effects and the triggers at the start or end of the turn (HS-415)."""
    due = delayed(step.position, moment)
    if due:
        ids = [entry["id"] for entry in due]
        step.emit("lasting_expired", ["HS-415", "HS-914"], ids=ids)
    queue(step, [*map(of_delayed, due), *of_turn(step.scene, moment)])


def _change_turn(step: Step) -> None:
    """End the turn and what lasted until now; the next player begins (HS-301, HS-315)."""
    turn, active, waiting = (step.position[key] for key in ("turn", "active", "extra"))
    step.emit("turn_ended", ["HS-301"], player=active, turn=turn)
    ended = [
        entry["id"]
        for entry in step.position["lasting"]
        if entry["turns"] is not None and entry["turns"][1] <= turn
    ]
    if ended:
        step.emit("lasting_expired", ["HS-914"], ids=ended)
    begin_turn(
        step,
        waiting[0] if waiting else other(active),
        turn + 1,
        {"extra": True} if waiting else {},
    )


def _begin_phase(step: Step, phase: str) -> None:
    step.emit("phase_started", ["HS-302"], phase=phase)
    queue(step, of_phase(step.scene, "phase_start", phase))


def begin_summon_phase(step: Step) -> None:
    """Refresh, begin the summon phase and turn the set cards up (HS-304, HS-305, HS-310)."""
    position, player = step.position, step.position["active"]
    # Some cards are kept from the refresh of a turn (HS-650).
    rested = [
        field
        for field, lying in fields_of(position, player)
        if lying["rest"] and not step.scene.has(lying["cards"][-1], "no_refresh")
    ]
    if rested:
        step.emit("stacks_readied", ["HS-304"], player=player, fields=rested)
    step.emit("phase_started", ["HS-302"], phase="summon")
    triggers = _turn_up(step, player)
    queue(step, [*triggers, *of_phase(step.scene, "phase_start", "summon")])


def _turn_up(step: Step, player: str) -> list[Trigger]:
    """Turn the set cards of a player up, one after the other, except where forbidden (HS-314).

    Everybody sees that a card stays down, and by which kind of ban (HS-950).
    """
    kept: list[Trigger] = []
    summoned: list[Trigger] = []
    for field, lying in fields_of(step.position, player):
        if not lying["set"]:
            continue
        card = lying["cards"][-1]
        turned = {"player": player, "field": field, "card": card}
        scene = step.scene
        if scene.has(card, "no_turn_up") or forbids(scene, player, "turn_up", card):
            step.emit("turn_up_prevented", ["HS-314"], **turned)
            kept += of_card(step.scene, "kept_down", card)
        else:
            step.emit("card_revealed", ["HS-310", "HS-311"], **turned)
            summoned += watching(step.scene, "summon", card)
    return [*kept, *summoned]


def end_phase(step: Step) -> None:
    """Leave the present phase; its `phase_end` triggers come first (7.8)."""
    triggers = of_phase(step.scene, "phase_end", step.position["phase"])
    if triggers:
        step.emit("phase_ended", ["HS-923"], phase=step.position["phase"])
        queue(step, triggers)
    else:
        begin_next_phase(step)


def begin_next_phase(step: Step) -> None:
    """Begin the phase after the present one; in first turns set and attack are skipped (HS-939)."""
    phase = step.position["phase"]
    following = NEXT_PHASE[phase]
    if phase == "effect" and step.position["turn"] <= FIRST_TURNS:
        step.emit("phase_skipped", ["HS-209"], phase="set")
        step.emit("phase_skipped", ["HS-210"], phase="attack")
        following = "end"
    _begin_phase(step, following)
    if following == "end":
        _queue_moment(step, "end")
