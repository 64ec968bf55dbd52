"""The installation that a request is served by."""

from __future__ import annotations

from flask import current_app

from service.installation import Installation

KEY = "kifu"


def installation() -> Installation:
    """Return the installation of the present app."""
    found: Installation = current_app.extensions[KEY]
    return found
