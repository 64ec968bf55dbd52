"""Whether the service lives and whether it can answer, for who starts and watches it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import redis
from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue

from projections.standing import Standing, live_standings
from service.api.wiring import followed_in, installation
from service.installation import PROJECTIONS, Installation, clock

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

    database: ok or away. lag, lag_s: events that each read model has not seen, and for how many
    seconds the first has waited; behind: those that have a lag; parked: read model → how many
    streams it passes over because of a fault. All null without a database; a reader brings them up
    to date, and a parked stream stops nothing else, so neither keeps anybody from being answered.
    signing, redis: for information; live: where streams hear from what goes on: `redis`, or the
    `log` while there is none; `idle` without streams.
    """
    found = _standings()
    body: dict[str, Any] = {
        "status": "unready" if found is None else "ready",
        "database": "away" if found is None else "ok",
        **_told(found),
        "signing": "off" if installation().log_key is None else "on",
        "redis": _redis(),
        "live": followed_in(current_app).source,
    }
    return jsonify(body), 503 if found is None else 200


def _told(found: Mapping[str, Standing] | None) -> dict[str, Any]:
    if found is None:
        return dict.fromkeys(("lag", "lag_s", "behind", "parked"))
    return {
        "lag": {name: one.lag for name, one in found.items()},
        "lag_s": {name: one.lag_s for name, one in found.items()},
        "behind": [name for name, one in found.items() if one.lag],
        "parked": {name: len(one.parked) for name, one in found.items() if one.parked},
    }


def standings_of(here: Installation) -> dict[str, Standing]:
    """Return how each read model stands."""
    return live_standings(here.database, here.log, PROJECTIONS, clock())


def _standings() -> dict[str, Standing] | None:
    """Return how each stands; None if the database does not answer, or not as ours would."""
    try:
        here = installation()
        here.log.rows("SELECT id FROM installation")
        return standings_of(here)
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
