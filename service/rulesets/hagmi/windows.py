"""Windows and the prompt for defences (HG-113, HG-419, HG-433, HG-909, HG-946; spec 4)."""

from __future__ import annotations

from collections.abc import Sequence

from service.engine.contract import Rejection
from service.engine.values import Action
from service.rulesets.hagmi.course import Course, Job
from service.rulesets.hagmi.defence import ask_for_defence, defend_with_beasts
from service.rulesets.hagmi.legal import defences
from service.rulesets.hagmi.table import active_first, living, opponents
from service.rulesets.hagmi.usable import usable

ANSWERING = ("play", "skill")
RULES = {"play": ("HG-909",), "skill": ("HG-909", "HG-433")}


def take_window(course: Course, job: Job) -> None:
    """Open a window for all living players, the active one first (HG-419)."""
    open_window(course, job["kind"], active_first(course.position))


def open_window(course: Course, kind: str, holders: Sequence[str]) -> None:
    """Open a window for the first of its holders; with `auto` one who could use it (HG-946).

    Fact: window_opened, if there is such a holder.
    """
    course.control(window=None)
    is_always = course.position["options"]["windows"] == "always"
    for at, holder in enumerate(holders):
        if holder in living(course.position) and (is_always or _could_use(course, holder, kind)):
            left = list(holders[at + 1 :])
            course.control(window={"kind": kind, "holder": holder, "left": left})
            fields = {"window": kind, "holder": holder}
            course.tell("window_opened", fields, RULES.get(kind, ()))
            return


def _could_use(course: Course, holder: str, kind: str) -> bool:
    return next(usable(course, holder, kind), None) is not None


def pass_window(course: Course, player: str, action: Action) -> Rejection | None:
    """Let a window pass; it goes to the next holder.

    action: {"type": "pass"}. Fact: window_passed. Rejection: HG-908 no window is open.
    """
    window = course.position["window"]
    if window is None:
        return Rejection("HG-908")
    kind = window["kind"]
    course.tell("window_passed", {"window": kind, "player": player}, RULES.get(kind, ()))
    open_window(course, kind, window["left"])
    return None


def close_answered(course: Course) -> None:
    """Close a window that was used: the next opponent answers, or all are asked again later."""
    window = course.position["window"]
    if window is None:
        return
    if window["kind"] in ANSWERING:
        open_window(course, window["kind"], window["left"])
    else:
        course.control(window=None)
        course.push({"t": "window", "kind": window["kind"]})


def pass_on_window(course: Course) -> bool:
    """Hand the window of a fallen player on (HG-958); returns whether there was one."""
    window = course.position["window"]
    if window is None or window["holder"] in living(course.position):
        return False
    open_window(course, window["kind"], window["left"])
    return True


def open_window_of_link(course: Course) -> bool:
    """Open the window of an object just put on the chain, once, for its opponents (HG-909).

    Returns whether the top of the chain had its window before it.
    """
    chain = course.position["chain"]
    if not chain or "win" not in chain[-1]:
        return False
    link = {key: value for key, value in chain[-1].items() if key != "win"}
    course.control(chain=[*chain[:-1], link])
    open_window(course, chain[-1]["win"], opponents(course.position, link["player"]))
    return True


def take_defence(course: Course, job: Job) -> None:
    """Ask the attacked players for their defences, one after the other, in `order` (HG-113)."""
    defend_with_beasts(course)
    is_always = course.position["options"]["windows"] == "always"
    for player in course.combat["to_defend"]:
        if is_always or next(defences(course, player), None) is not None:
            course.push(job)
            ask_for_defence(course, player)
            return
        left = [other for other in course.combat["to_defend"] if other != player]
        course.set_combat(to_defend=left)
