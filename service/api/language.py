"""The language of an answer: `?lang`, the cookie, `Accept-Language`, else Japanese."""

from __future__ import annotations

from flask import request

from service.engine.texts import LANGUAGES, Language

COOKIE = "lang"


def language_of_request() -> Language:
    """Return the language in which the present request is answered."""
    asked = request.args.get("lang") or request.cookies.get(COOKIE)
    for language in LANGUAGES:
        if asked == language:
            return language
    best = request.accept_languages.best_match(LANGUAGES)
    return "en" if best == "en" else "ja"
