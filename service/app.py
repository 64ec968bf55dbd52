"""The WSGI app: API and pages of one installation."""

from __future__ import annotations

from flask import Flask

from service.api.application import api_app
from service.installation import Installation, open_installation
from service.settings import read_settings
from service.web.pages import WEB


def app_of(installation: Installation) -> Flask:
    """Return the app that serves an installation."""
    app = api_app(installation)
    app.register_blueprint(WEB)
    return app


def create_app() -> Flask:
    """Return the app of the environment's installation, for gunicorn."""
    return app_of(open_installation(read_settings()))
