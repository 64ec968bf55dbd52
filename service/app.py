"""The WSGI app: API and pages of one installation."""

from __future__ import annotations

from flask import Flask

from service.api.application import api_app
from service.installation import Installation, open_installation
from service.settings import Settings, read_settings
from service.web.pages import WEB
from service.web.printing import PRINTING


def app_of(installation: Installation, settings: Settings) -> Flask:
    """Return the app that serves an installation."""
    app = api_app(installation, redis_url=settings.redis_url, rate_limit=settings.rate_limit)
    app.register_blueprint(WEB)
    app.register_blueprint(PRINTING)
    return app


def create_app() -> Flask:
    """Return the app of the environment's installation, for gunicorn."""
    settings = read_settings()
    return app_of(open_installation(settings), settings)
