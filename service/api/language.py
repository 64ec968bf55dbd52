"""The language of an answer: `?lang`, the cookie, `Accept-Language`, else Japanese."""

from __future__ import annotations

from flask import request
from werkzeug.datastructures import LanguageAccept

from service.engine.texts import LANGUAGES, Language

COOKIE = "lang"


def language_of_request() -> Language:
    """Return the language in which the present request is answered."""
    asked = request.args.get("lang") or request.cookies.get(COOKIE)
    return language_of(asked, request.accept_languages)


def language_of(asked: str | None, accepted: LanguageAccept) -> Language:
    """Return the language that was asked for, if it is one of ours, else the one accepted best."""
    for language in LANGUAGES:
        if asked == language:
            return language
    best = accepted.best_match(LANGUAGES)
    return "en" if best == "en" else "ja"
