"""The pages: the matches, the replay of one, its verification; all can be read without script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any
from urllib.parse import urlencode

from flask import (
    Blueprint,
    Response,
    current_app,
    redirect,
    render_template,
    request,
    stream_template,
    url_for,
)
from flask.typing import ResponseReturnValue

from schemas.queries import PAGE_MAX, PLACE, SPOILERS, VERDICTS
from service.api.language import language_of_request
from service.api.matches import list_events, list_matches, show_match
from service.api.notes import list_notes
from service.api.routing import PROBLEM_JSON
from service.api.rulesets import list_rulesets, name_of_game, show_ruleset
from service.api.seeing import seen_match
from service.api.seeing_disputes import sees_disputes
from service.api.sessions import signed_in
from service.api.verification import verify_match
from service.engine.texts import Language
from service.engine.values import JUDGE, SPECTATOR, Json, Viewer
from service.web.address import number_in
from service.web.files import answer, files, imports_of
from service.web.front import front
from service.web.match_window import EVENTS_PER_PAGE, asked_first, window_at
from service.web.texts import script_texts, text
from service.web.verdicts import CHECKS, TONES, UNKNOWN, tone

MATCHES_PER_PAGE = 30
LIST_QUERY = ("game", "verdict", "after")
"""Parts of the query of the list of matches."""
DIGITS_MAX = 9
DECIDED = ("forfeit", "agreed", "time", "ruling")
"""The causes of an end that people decided, not the rules."""
THEMES = ("light", "dark")
POLICY = "; ".join(
    (
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)

WEB = Blueprint("web", __name__, template_folder="templates")


@WEB.get("/static/<digest>/<filename>")
def static(digest: str, filename: str) -> Response:
    """Answer with a script, a style or a picture."""
    return answer(digest, filename)


@WEB.url_defaults
def name_content(endpoint: str, values: dict[str, Any]) -> None:
    """Have addresses of files name what is in them."""
    if endpoint == "web.static":
        values.setdefault("digest", files().digest)


@WEB.get("/")
def home() -> ResponseReturnValue:
    """Show what is going on. Results stay untold with `results=off`.

    An address with the filters of the list of matches, which once stood here, leads there.
    """
    if any(name in request.args for name in LIST_QUERY):
        return redirect(f"{url_for('web.matches')}?{urlencode(request.args.to_dict())}")
    shown = front()
    return render_template(
        "home.html",
        **shown | {"recent": _with_results(shown["recent"])},
        results=request.args.get("results") != "off",
    )


@WEB.get("/matches")
def matches() -> str:
    """List the matches, the last opened first."""
    asked: dict[str, Json] = {"limit": MATCHES_PER_PAGE, **_filters()}
    if after := request.args.get("after"):
        asked["after"] = after
    page = list_matches(asked)
    return render_template(
        "matches.html",
        matches=_with_results(page["items"]),
        next=page["next"],
        filters=_filters(),
        games=[found["game"] for found in list_rulesets({})["items"]],
        verdicts=VERDICTS,
    )


def _with_results(rows: Iterable[Mapping[str, Json]]) -> list[Mapping[str, Json]]:
    """Return rows of the list of matches, each with its result in words."""
    language = language_of_request()
    return [{**row, "result": result_of(row, language)} for row in rows]


@WEB.get("/matches/<match_id>")
def match(match_id: str) -> str:
    """Show the replay of a match; without script, its events as a list."""
    watched = _watched()
    shown = show_match(watched, match_id)
    viewer = request.args.get("as", SPECTATOR)
    if viewer not in shown["viewers"]:
        viewer = SPECTATOR
    start, to = window_at(shown["events"])
    if "from" in request.args:
        start = min(number_in("from", DIGITS_MAX) or 0, max(shown["events"] - 1, 0))
        to = min(start + EVENTS_PER_PAGE, shown["events"])
    window = {"as_": viewer, "from_": start, "to": to, **watched}
    account = list_events(window, match_id)
    return render_template(
        "match.html",
        match=shown,
        viewer=viewer,
        result=result_of(shown, language_of_request()),
        events=account["items"],
        notes=list_notes({**window, "limit": PAGE_MAX}, match_id)["items"],
        before=max(start - EVENTS_PER_PAGE, 0) if start else None,
        after=to if to < shown["events"] else None,
        knows_disputes=not watched and sees_disputes(seen_match(match_id, "read_match")),
        asked_first=asked_first(shown, viewer, watched),
        script_texts=script_texts(language_of_request()),
    )


@WEB.get("/matches/<match_id>/verify")
def verify(match_id: str) -> Iterator[str]:
    """Verify a match as a viewer holds it; the page comes while the checks are still under way."""
    shown = show_match({}, match_id)
    viewer = request.args.get("as")
    if viewer not in shown["viewers"]:
        viewer = JUDGE if JUDGE in shown["viewers"] else SPECTATOR

    def report_of() -> Json:
        """Return the report, or None while the worker verifies a long match."""
        found = verify_match({"as_": viewer}, match_id)
        return None if isinstance(found, Response) else found

    return _verification(shown, viewer, report_of)


@WEB.get("/verify")
def verify_file() -> Iterator[str]:
    """Verify a file that somebody brings."""
    return _verification(None, None, lambda: None)


def _watched() -> dict[str, Json]:
    """Return how far the match was watched, if the address asks for no more than that."""
    if request.args.get("spoilers") not in SPOILERS:
        return {}
    at = request.args.get("at", "")
    return {"spoilers": "off", "at": at if PLACE.fullmatch(at) else "0"}


def _verification(
    match: Json, viewer: Viewer | None, report_of: Callable[[], Json]
) -> Iterator[str]:
    return stream_template(
        "verify.html",
        match=match,
        viewer=viewer,
        report_of=report_of,
        checks=CHECKS,
        tones=TONES,
        bytes_max=current_app.config["MAX_CONTENT_LENGTH"],
        script_texts=script_texts(language_of_request()),
    )


def _filters() -> dict[str, str]:
    """Return the filters of the list that the address names; it may name a game that is not."""
    found = {name: request.args.get(name, "") for name in ("game", "verdict")}
    if found["verdict"] not in VERDICTS:
        found["verdict"] = ""
    return {name: value for name, value in found.items() if value}


def result_of(match: Mapping[str, Json], language: Language) -> str | None:
    """Return how a match ended, in words; None while it goes on."""
    if match["closed_at"] is None:
        return None
    outcome = match["outcome"]
    if outcome is None:
        return text(language, f"cause.{match['cause']}")
    words = show_ruleset({}, match["game"])["words"]
    if match["cause"] in DECIDED:
        reason = text(language, f"reason.{outcome['reason']}")
    else:
        reason = _word(words, "reason", outcome["reason"], language)
    winner = outcome["winner"]
    if winner in (None, "draw"):
        is_draw = winner == "draw" or match["cause"] not in DECIDED
        return text(language, "result.drawn" if is_draw else "result.none", reason=reason)
    name = match["seats"].get(winner) or _word(words, "player", winner, language)
    return text(language, "result.won", name=name, reason=reason)


def standing_of(match: Mapping[str, Json], language: Language) -> str:
    """Return how far a match is that has not ended, in words."""
    return text(language, f"standing.{match['state']}")


def _word(words: Json, field: str, value: str | None, language: Language) -> str:
    return str(words.get(field, {}).get(value, {}).get(language, value or ""))


@WEB.app_template_filter("day")
def day(moment: str, language: Language) -> str:
    """Return the day of a moment, as it is written in the language."""
    found = date.fromisoformat(moment[:10])
    return text(
        language, "day", day=found.day, month=found.month, name=f"{found:%b}", year=found.year
    )


@WEB.app_template_filter("second")
def second(moment: str) -> str:
    """Return a moment to the second, in UTC."""
    return f"{moment[:19].replace('T', ' ')} UTC"


WEB.add_app_template_filter(tone, "tone")
WEB.add_app_template_filter(standing_of, "standing")
WEB.add_app_template_filter(name_of_game, "game")
WEB.add_app_template_global(imports_of)


@WEB.app_context_processor
def shared() -> dict[str, Any]:
    """Return what every template uses."""
    language = language_of_request()

    def say(key: str, **fields: Any) -> str:
        return text(language, key, **fields)

    return {
        "language": language,
        "other_language": "en" if language == "ja" else "ja",
        "theme": next((name for name in THEMES if name == request.cookies.get("theme")), None),
        "say": say,
        "query": request.args.to_dict(),
        "signed_in": signed_in(),
        "unknown": UNKNOWN,
    }


@WEB.after_app_request
def finish(response: Response) -> Response:
    """Tell problems of pages as pages, and keep pages from running anything but their files."""
    if response.mimetype == PROBLEM_JSON and not request.path.startswith("/api/"):
        body = response.get_json(force=True)
        response.set_data(render_template("problem.html", problem=body))
        response.mimetype = "text/html"
    if response.mimetype == "text/html":
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["Referrer-Policy"] = "same-origin"
    return response
