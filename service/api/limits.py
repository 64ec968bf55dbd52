"""How often one caller may ask: over all routes, and with tokens that are not good."""

from __future__ import annotations

from flask import Flask, current_app, request
from flask_limiter import Limiter, RateLimitExceeded
from limits import RateLimitItemPerMinute, parse_many
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from redis import RedisError

from service.accounts.sign_ins import block_of
from service.aggregates.world import TooMany
from service.api.requests import noted

KEY = "kifu_limits"
MEMORY = "memory://"
REDIS_WAIT_S = 1
FAILURES = RateLimitItemPerMinute(10)
WAIT_S = FAILURES.get_expiry()


class Limits:
    """The limits of an app. rate: of each caller over all routes, as in "1200 per minute".

    Counted in Redis, so that all processes count together; in the memory of this process without
    Redis or while it is away. Raises `ValueError` for a rate that is none.
    """

    def __init__(self, app: Flask, *, redis_url: str | None, rate: str) -> None:
        """Check every request of the app."""
        parse_many(rate)
        timeouts = {"socket_connect_timeout": REDIS_WAIT_S, "socket_timeout": REDIS_WAIT_S}
        self._limiter = Limiter(
            caller,
            application_limits=[rate],
            storage_uri=redis_url or MEMORY,
            storage_options={} if redis_url is None else dict(timeouts),
            in_memory_fallback_enabled=True,
        )
        self._beside = FixedWindowRateLimiter(MemoryStorage())
        self._limiter.init_app(app)

    def count_failure(self, block: str) -> None:
        """Count a token that is not good; raises `TooMany` over 10 a minute from a block."""
        try:
            is_within = self._limiter.limiter.hit(FAILURES, "failures", block)
        except RedisError:
            is_within = self._beside.hit(FAILURES, "failures", block)
        if not is_within:
            raise TooMany("too many failed sign-ins from your network", wait_s=WAIT_S)


def install(app: Flask, *, redis_url: str | None, rate: str) -> None:
    """Limit the requests of an app, from here on: who asks has to be known before."""
    app.extensions[KEY] = Limits(app, redis_url=redis_url, rate=rate)


def limits() -> Limits:
    """Return the limits of the present app."""
    found: Limits = current_app.extensions[KEY]
    return found


def rate_fault(error: RateLimitExceeded) -> TooMany:
    """Return what the library refuses as a fault of the world; at the latest it ends after that."""
    return TooMany("too many requests", wait_s=error.limit.limit.get_expiry())


def caller() -> str:
    """Return whom the present request is counted for: the person, else the block of addresses."""
    return noted().get("person") or address_block()


def address_block() -> str:
    """Return the block of addresses that the present request came from.

    Taken from the connection: a header like `X-Forwarded-For` is whatever its sender wrote.
    """
    return block_of(request.remote_addr)
