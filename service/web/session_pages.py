"""Signing in, with a token."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from service.api.language import language_of_request
from service.web.texts import script_texts

SESSION_PAGES = Blueprint("session_pages", __name__)
HOME = "/"


@SESSION_PAGES.get("/sign-in")
def sign_in() -> str:
    """Sign in, or see who is signed in; then go on where one was."""
    return render_template(
        "sign_in.html",
        next=page_named(request.args.get("next", HOME)),
        script_texts=script_texts(language_of_request()),
    )


def page_named(address: str) -> str:
    """Return an address if it is one of this site, else that of the first page.

    Browsers take a backslash for a slash and pass over control characters.
    """
    is_here = address.startswith("/") and not address.startswith(("//", "/\\"))
    is_plain = address.isprintable() and "\\" not in address
    return address if is_here and is_plain else HOME
