"""What pages tell of disputes: whose match it is, how long they wait, what was said in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from service.api.matches import show_match
from service.engine.texts import Language
from service.engine.values import Json
from service.web.texts import text

UNITS = (("days", timedelta(days=1)), ("hours", timedelta(hours=1)))
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A dispute in a list with its match. is_own: the caller is to rule on it."""

    row: Json
    match: Json
    is_own: bool


def case_of(row: Json, person: str | None) -> Case:
    """Return a dispute of a list with its match. person: who reads the list."""
    is_own = person is not None and row["judge"] == person
    return Case(row=row, match=show_match({}, row["match"]), is_own=is_own)


def queue_of(rows: Iterable[Json], person: str | None) -> list[Case]:
    """Return disputes that wait: the caller's own first, then the longest waiting."""
    cases = [case_of(row, person) for row in rows]
    return sorted(cases, key=lambda one: (not one.is_own, str(one.row["opened_at"])))


def age(moment: str, now: str, language: Language) -> str:
    """Return how long ago a moment was, in the largest unit that is over."""
    passed = max(datetime.fromisoformat(now) - datetime.fromisoformat(moment), timedelta(0))
    for unit, length in UNITS:
        if passed >= length:
            return text(language, f"dispute.age.{unit}", count=passed // length)
    minutes = passed // MINUTE
    return text(language, f"dispute.age.{'minutes' if minutes else 'now'}", count=minutes)


def history_of(dispute: Json) -> list[Json]:
    """Return what was said and ruled after the claim, in the order of time."""
    appeal = [] if dispute["appeal"] is None else [dispute["appeal"]]
    entries = [
        {"kind": kind, "time": one["time"], "body": one}
        for kind, bodies in (
            ("comment", dispute["comments"]),
            ("ruling", dispute["given"]),
            ("appeal", appeal),
        )
        for one in bodies
    ]
    return sorted(entries, key=lambda one: str(one["time"]))


def rules_in_question(dispute: Json, told: Json) -> list[Json]:
    """Return the rules that a dispute is about, then those that the event cites, with their terms.

    told: the explanation of the event, None if it is not shown.
    """
    terms = {} if told is None else {rule: one["term"] for rule, one in told["rules"].items()}
    claimed = [one["rule"] for one in dispute["rules"]]
    return [
        {"rule": rule, "term": terms.get(rule, ""), "is_claimed": rule in claimed}
        for rule in dict.fromkeys((*claimed, *terms))
    ]


def remedies_of(match: Json) -> list[str]:
    """Return what a ruling can do with a match, as far as that follows from what it is.

    `backup` is one of both kinds; which one, its cost tells.
    """
    is_closed = match["state"] == "closed"
    if match["state"] == "cancelled":
        return ["no_action"]
    return [
        "no_action",
        *(["backup"] if match["kind"] != "imported" else []),
        *([] if is_closed else ["partial_fix"]),
        "penalty",
        *(["result_amendment"] if is_closed else []),
    ]
