"""Disputes and rulings: the queue, a dispute beside the board at its event, precedents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, render_template, request

from schemas.disputes import JUDGEMENTS, PENALTIES, STANDINGS, STATES
from service.api.disputes import list_disputes, show_dispute
from service.api.explanations import explain
from service.api.language import language_of_request
from service.api.matches import show_match
from service.api.rulesets import list_rulesets
from service.api.rulings import list_rulings, show_ruling
from service.api.sessions import signed_in
from service.engine.values import JUDGE, SPECTATOR, Json, Viewer
from service.installation import clock
from service.web.address import number_in
from service.web.cases import age, case_of, history_of, queue_of, remedies_of, rules_in_question
from service.web.texts import script_texts

DISPUTE_PAGES = Blueprint("dispute_pages", __name__)
WAITING = ("open", "assigned", "appealed")
"""The states in which a dispute waits for somebody with an office."""
SHOWN_MAX = 30
WAITING_MAX = 50
PRECEDENTS_MAX = 5
RULES_MAX = 3
DIGITS_MAX = 6


@DISPUTE_PAGES.get("/disputes")
def disputes() -> str:
    """List the disputes: those that wait, the longest waiting first; then the others."""
    asked, state = _asked("game", "match", "tournament"), _one_of("state", STATES)
    after = _asked("after")
    person = (signed_in() or {}).get("id")
    if state is not None:
        asked["state"] = state
    is_whole = state is None and not after
    waiting = queue_of(_waiting(asked), person) if is_whole else []
    page = list_disputes({"limit": SHOWN_MAX, **asked, **after})
    others = [row for row in page["items"] if state is not None or row["state"] not in WAITING]
    return render_template(
        "disputes.html",
        waiting=waiting,
        others=[case_of(row, person) for row in others],
        is_whole=is_whole,
        next=page["next"],
        filters=asked,
        states=STATES,
        games=_games(),
    )


def _waiting(asked: Mapping[str, Json]) -> list[Json]:
    pages = [list_disputes({"limit": WAITING_MAX, **asked, "state": one}) for one in WAITING]
    return [row for page in pages for row in page["items"]]


@DISPUTE_PAGES.get("/disputes/<dispute_id>")
def dispute(dispute_id: str) -> str:
    """Show a dispute beside the board at its event, with what the caller may do about it."""
    found = show_dispute({}, dispute_id)
    match = show_match({}, found["match"])
    viewer = _viewer_of(match)
    told = _told(match, viewer, found["seq"])
    return render_template(
        "dispute.html",
        dispute=found,
        match=match,
        viewer=viewer,
        told=told,
        history=history_of(found),
        rules=rules_in_question(found, told),
        precedents=_precedents(found),
        remedies=remedies_of(match),
        judgements=JUDGEMENTS,
        penalties=PENALTIES,
        script_texts=script_texts(language_of_request()),
    )


@DISPUTE_PAGES.get("/matches/<match_id>/disputes/new")
def new_dispute(match_id: str) -> str:
    """Dispute an event of a match: the event, and what is wrong with it."""
    match = show_match({}, match_id)
    viewer = _viewer_of(match)
    seq = min(number_in("seq", DIGITS_MAX) or match["events"], match["events"])
    return render_template(
        "dispute_new.html",
        match=match,
        viewer=viewer,
        seq=seq,
        told=_told(match, viewer, seq),
        script_texts=script_texts(language_of_request()),
    )


@DISPUTE_PAGES.get("/rulings")
def rulings() -> str:
    """List the rulings by the rules they cite and whether they still hold."""
    asked, standing = _asked("game", "rule", "after"), _one_of("standing", STANDINGS)
    asked["rule"] = asked.get("rule", "").strip().upper()
    wanted = {name: value for name, value in asked.items() if value}
    if standing is not None:
        wanted["standing"] = standing
    page = list_rulings({"limit": SHOWN_MAX, **wanted})
    return render_template(
        "rulings.html",
        rulings=page["items"],
        next=page["next"],
        filters={name: value for name, value in wanted.items() if name != "after"},
        standings=STANDINGS,
        games=_games(),
    )


@DISPUTE_PAGES.get("/rulings/<ruling_id>")
def ruling(ruling_id: str) -> str:
    """Show a ruling in both languages, with what it did and what was ruled on the same rules."""
    found = show_ruling({}, ruling_id)
    return render_template(
        "ruling.html",
        ruling=found,
        match=show_match({}, found["match"]),
        precedents=_precedents(found),
    )


def _precedents(found: Json) -> list[Json]:
    """Return other rulings that cite the same rules, the last given first.

    found: a dispute with its rulings, or a ruling.
    """
    given = found.get("given", [])
    cited = dict.fromkeys(one["rule"] for part in (found, *given) for one in part["rules"])
    known: dict[str, Json] = {}
    for rule in list(cited)[:RULES_MAX]:
        page = list_rulings({"limit": PRECEDENTS_MAX, "rule": rule})
        known |= {one["id"]: one for one in page["items"]}
    dispute_id = found.get("dispute", found["id"])
    others = [one for one in known.values() if one["dispute"] != dispute_id]
    return sorted(others, key=lambda one: str(one["time"]), reverse=True)[:PRECEDENTS_MAX]


def _told(match: Json, viewer: Viewer, seq: int) -> Json:
    """Return the explanation of an event; None if the caller is not shown that far."""
    if not 1 <= seq <= match["events"]:
        return None
    return explain({"as_": viewer}, match["id"], str(seq))


def _viewer_of(match: Json) -> Viewer:
    """Return by whose eyes a match is shown: as asked for, else the most that the caller may."""
    asked = request.args.get("as", "")
    wanted = (asked, JUDGE, match["seat"])
    return next((one for one in wanted if one in match["viewers"]), SPECTATOR)


def _asked(*names: str) -> dict[str, Any]:
    """Return what the query says of these names."""
    found = {name: request.args.get(name, "") for name in names}
    return {name: value for name, value in found.items() if value}


def _one_of(name: str, values: tuple[str, ...]) -> str | None:
    return next((one for one in values if one == request.args.get(name)), None)


def _games() -> list[str]:
    return [found["game"] for found in list_rulesets({})["items"]]


@DISPUTE_PAGES.app_template_filter("age")
def age_now(moment: str) -> str:
    """Return how long ago a moment was."""
    return age(moment, clock(), language_of_request())
