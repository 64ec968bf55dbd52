"""Settings: the only place that reads the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

DATABASE_URL = "KIFU_DATABASE_URL"
SEEDS = "KIFU_SEEDS"
CARD_POOLS = "KIFU_CARD_POOLS"
HOST = "KIFU_HOST"
PORT = "KIFU_PORT"
LOG_KEY = "KIFU_LOG_KEY"
SECRETS_KEY = "KIFU_SECRETS_KEY"
TRUSTED_LOGS = "KIFU_TRUSTED_LOGS"
REDIS_URL = "KIFU_REDIS_URL"
METRICS_PORT = "KIFU_METRICS_PORT"
RATE_LIMIT = "KIFU_RATE_LIMIT"
LIVE_HOST = "KIFU_LIVE_HOST"
LIVE_PORT = "KIFU_LIVE_PORT"
LIVE_STREAMS = "KIFU_LIVE_STREAMS"
LIVE_SPECTATORS = "KIFU_LIVE_SPECTATORS"
LIVE_PER_CALLER = "KIFU_LIVE_PER_CALLER"

READY_MINUTES = "KIFU_READY_MINUTES"
ABANDON_DAYS = "KIFU_ABANDON_DAYS"
OPEN_MATCHES = "KIFU_OPEN_MATCHES"

RATE_LIMIT_DEFAULT = "1200 per minute"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLimits:
    """How long matches may wait, and how many a person may leave open.

    ready_minutes (`KIFU_READY_MINUTES`): without an event before the first action, until a match
    goes on without seeds or is cancelled. abandon_days (`KIFU_ABANDON_DAYS`): without an event
    after it, until it is closed. open_matches (`KIFU_OPEN_MATCHES`): of one person at a time.
    """

    ready_minutes: int = 10
    abandon_days: int = 30
    open_matches: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamLimits:
    """How many may follow matches in one process. per_caller: of a person or network; None: all."""

    streams: int = 100
    per_caller: int | None = 50


STREAMS_DEFAULT = StreamLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSettings:
    """Where matches are followed.

    host, port (`KIFU_LIVE_HOST`, `KIFU_LIVE_PORT`): where `kifu live` listens. web: in a process of
    `kifu serve` (`KIFU_LIVE_STREAMS`), spectators: in `kifu live` (`KIFU_LIVE_SPECTATORS`); of one
    caller (`KIFU_LIVE_PER_CALLER`).
    """

    host: str = "127.0.0.1"
    port: int = 8001
    web: StreamLimits = StreamLimits()
    # They may all come from the address of one proxy.
    spectators: StreamLimits = StreamLimits(streams=5_000, per_caller=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How this installation runs.

    database_url (`KIFU_DATABASE_URL`): default `sqlite:///kifu.sqlite`, a file in the working
    folder. seeds (`KIFU_SEEDS`): the folder with one folder of data per game; default: the
    checkout's. card_pools (`KIFU_CARD_POOLS`): name → file of the card pools that organizers
    brought, written `name=file` and separated by commas.
    host, port (`KIFU_HOST`, `KIFU_PORT`): where `kifu serve` listens.
    log_key (`KIFU_LOG_KEY`): file with the key that signs statements and receipts.
    secrets_key (`KIFU_SECRETS_KEY`): file with the key that wraps the secrets of matches.
    trusted_logs (`KIFU_TRUSTED_LOGS`): public keys of logs, separated by commas.
    redis_url (`KIFU_REDIS_URL`): where all processes count requests together and tell each other
    which match has gone on.
    metrics_port (`KIFU_METRICS_PORT`): where Prometheus is answered; None: nowhere.
    rate_limit (`KIFU_RATE_LIMIT`): of each caller over all routes.
    match_limits, live: see there.
    """

    database_url: str
    seeds: Path
    host: str
    port: int
    card_pools: Mapping[str, Path] = field(default_factory=dict)
    log_key: Path | None = None
    secrets_key: Path | None = None
    trusted_logs: tuple[str, ...] = ()
    redis_url: str | None = None
    metrics_port: int | None = None
    rate_limit: str = RATE_LIMIT_DEFAULT
    match_limits: MatchLimits = MatchLimits()
    live: LiveSettings = LiveSettings()


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings of an environment."""
    return Settings(
        database_url=environment.get(DATABASE_URL, "sqlite:///kifu.sqlite"),
        seeds=Path(environment.get(SEEDS, Path(__file__).parent.parent / "seeds")),
        host=environment.get(HOST, "127.0.0.1"),
        port=int(environment.get(PORT, "8000")),
        card_pools=_pools(environment.get(CARD_POOLS, "")),
        log_key=_path(environment.get(LOG_KEY)),
        secrets_key=_path(environment.get(SECRETS_KEY)),
        trusted_logs=tuple(filter(None, environment.get(TRUSTED_LOGS, "").split(","))),
        redis_url=environment.get(REDIS_URL) or None,
        metrics_port=_port(environment.get(METRICS_PORT)),
        rate_limit=environment.get(RATE_LIMIT) or RATE_LIMIT_DEFAULT,
        match_limits=_match_limits(environment),
        live=_live(environment),
    )


def _match_limits(environment: Mapping[str, str]) -> MatchLimits:
    found = MatchLimits()
    return MatchLimits(
        ready_minutes=int(environment.get(READY_MINUTES) or found.ready_minutes),
        abandon_days=int(environment.get(ABANDON_DAYS) or found.abandon_days),
        open_matches=int(environment.get(OPEN_MATCHES) or found.open_matches),
    )


def _live(environment: Mapping[str, str]) -> LiveSettings:
    found = LiveSettings()
    per_caller = environment.get(LIVE_PER_CALLER)

    def limits(name: str, default: StreamLimits) -> StreamLimits:
        return StreamLimits(
            streams=int(environment.get(name) or default.streams),
            per_caller=int(per_caller) if per_caller else default.per_caller,
        )

    return LiveSettings(
        host=environment.get(LIVE_HOST) or found.host,
        port=int(environment.get(LIVE_PORT) or found.port),
        web=limits(LIVE_STREAMS, found.web),
        spectators=limits(LIVE_SPECTATORS, found.spectators),
    )


def _pools(text: str) -> dict[str, Path]:
    """Return name → file; raises ValueError for a part that is no `name=file`."""
    found = {}
    for part in filter(None, text.split(",")):
        name, equals, file = part.partition("=")
        if not (name and equals and file):
            raise ValueError(f"{CARD_POOLS}: {part!r} is not of the form name=file")
        found[name.strip()] = Path(file.strip())
    return found


def _port(text: str | None) -> int | None:
    return int(text) if text else None


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None
