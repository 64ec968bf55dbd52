"""Settings: the only place that reads the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DATABASE_URL = "KIFU_DATABASE_URL"
SEEDS = "KIFU_SEEDS"
HOST = "KIFU_HOST"
PORT = "KIFU_PORT"
LOG_KEY = "KIFU_LOG_KEY"
SECRETS_KEY = "KIFU_SECRETS_KEY"
TRUSTED_LOGS = "KIFU_TRUSTED_LOGS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How this installation runs.

    database_url (`KIFU_DATABASE_URL`): default `sqlite:///kifu.sqlite`, a file in the working
    folder. seeds (`KIFU_SEEDS`): the folder with one folder of data per game; default: the
    checkout's.
    host, port (`KIFU_HOST`, `KIFU_PORT`): where `kifu serve` listens.
    log_key (`KIFU_LOG_KEY`): file with the key that signs statements and receipts.
    secrets_key (`KIFU_SECRETS_KEY`): file with the key that wraps the secrets of matches.
    trusted_logs (`KIFU_TRUSTED_LOGS`): public keys of logs, separated by commas.
    """

    database_url: str
    seeds: Path
    host: str
    port: int
    log_key: Path | None = None
    secrets_key: Path | None = None
    trusted_logs: tuple[str, ...] = ()


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings of an environment."""
    return Settings(
        database_url=environment.get(DATABASE_URL, "sqlite:///kifu.sqlite"),
        seeds=Path(environment.get(SEEDS, Path(__file__).parent.parent / "seeds")),
        host=environment.get(HOST, "127.0.0.1"),
        port=int(environment.get(PORT, "8000")),
        log_key=_path(environment.get(LOG_KEY)),
        secrets_key=_path(environment.get(SECRETS_KEY)),
        trusted_logs=tuple(filter(None, environment.get(TRUSTED_LOGS, "").split(","))),
    )


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None
