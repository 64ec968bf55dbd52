"""Whether the service lives and whether it can answer, for who starts and watches it."""

from __future__ import annotations

from typing import Any

import redis
from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue

from projections.runner import POSITIONS
from service.api.wiring import installation
from service.installation import PROJECTIONS, Installation

HEALTH = Blueprint("health", __name__)
REDIS_URL = "KIFU_REDIS_URL"
WAIT_S = 1


@HEALTH.get("/healthz")
def live() -> ResponseReturnValue:
    """Tell that the process answers; nothing else is asked."""
    return jsonify({"status": "alive"})


@HEALTH.get("/readyz")
def ready() -> ResponseReturnValue:
    """Tell whether requests can be answered: 200, or 503 with what is missing.

    database: ok or away; lag: events that each read model has not seen, null without a database;
    signing, redis: for information, they keep nobody from being answered.
    """
    lags = _lags()
    body: dict[str, Any] = {
        "status": "unready" if lags is None else "ready",
        "database": "away" if lags is None else "ok",
        "lag": lags,
        "signing": "off" if installation().log_key is None else "on",
        "redis": _redis(),
    }
    return jsonify(body), 503 if lags is None else 200


def lags_of(here: Installation) -> dict[str, int]:
    """Return for each read model how many places of the log it has not seen."""
    last = here.log.last_position()
    with here.database.reading() as tables:
        rows = (
            tables.rows(f"SELECT name, position FROM {POSITIONS}")
            if tables.exists(POSITIONS)
            else []
        )
    reached = {name: int(position) for name, position in rows}
    return {one.name: max(last - reached.get(one.name, 0), 0) for one in PROJECTIONS}


def _lags() -> dict[str, int] | None:
    """Return the lags; None if the database does not answer, or not as ours would."""
    try:
        here = installation()
        here.log.rows("SELECT id FROM installation")
        return lags_of(here)
    # The drivers have no base in common, and whatever went wrong is the answer asked for.
    except Exception:
        return None


def _redis() -> str:
    """Tell of Redis: unused, ok, or away; without it limits are counted by each process."""
    url = current_app.config[REDIS_URL]
    if url is None:
        return "unused"
    try:
        with redis.Redis.from_url(
            url, socket_connect_timeout=WAIT_S, socket_timeout=WAIT_S
        ) as client:
            client.ping()
    except redis.RedisError:
        return "away"
    return "ok"
