"""The WSGI app: API and pages of one installation."""

from __future__ import annotations

from flask import Flask

from service.api.application import api_app
from service.installation import Installation, open_installation
from service.settings import Settings, read_settings
from service.web.adjudication_pages import ADJUDICATION_PAGES
from service.web.dispute_pages import DISPUTE_PAGES
from service.web.docs_pages import DOCS
from service.web.operation_pages import OPERATION_PAGES
from service.web.pages import WEB
from service.web.player_pages import PLAYER_PAGES
from service.web.printing import PRINTING
from service.web.random_pages import RANDOM_PAGES
from service.web.rule_pages import RULEBOOK
from service.web.search_pages import SEARCH_PAGES
from service.web.session_pages import SESSION_PAGES
from service.web.tournament_pages import TOURNAMENT_PAGES
from service.web.tournament_place_pages import PLACE_PAGES
from service.web.tournament_staff_pages import TOURNAMENT_STAFF_PAGES


def app_of(installation: Installation, settings: Settings) -> Flask:
    """Return the app that serves an installation."""
    app = api_app(
        installation,
        redis_url=settings.redis_url,
        rate_limit=settings.rate_limit,
        streams=settings.live.web,
    )
    app.register_blueprint(WEB)
    app.register_blueprint(PRINTING)
    for pages in (RANDOM_PAGES, OPERATION_PAGES, DOCS):
        app.register_blueprint(pages)
    for pages in (RULEBOOK, SEARCH_PAGES, ADJUDICATION_PAGES):
        app.register_blueprint(pages)
    for pages in (SESSION_PAGES, DISPUTE_PAGES, PLAYER_PAGES):
        app.register_blueprint(pages)
    app.register_blueprint(TOURNAMENT_PAGES)
    app.register_blueprint(PLACE_PAGES)
    app.register_blueprint(TOURNAMENT_STAFF_PAGES)
    return app


def create_app() -> Flask:
    """Return the app of the environment's installation, for gunicorn."""
    settings = read_settings()
    return app_of(open_installation(settings), settings)
