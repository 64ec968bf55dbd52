"""The installation that a request is served by."""

from __future__ import annotations

from flask import Flask, current_app

from service.installation import Installation
from service.live.following import Live
from service.live.windows import Windows

KEY = "kifu"
WINDOWS = "kifu_windows"
FOLLOWED = "kifu_live"


def installation() -> Installation:
    """Return the installation of the present app."""
    found: Installation = current_app.extensions[KEY]
    return found


def windows() -> Windows:
    """Return the rendered windows that are kept for the present app."""
    found: Windows = current_app.extensions[WINDOWS]
    return found


def followed_in(app: Flask) -> Live:
    """Return what is followed live in an app."""
    found: Live = app.extensions[FOLLOWED]
    return found
