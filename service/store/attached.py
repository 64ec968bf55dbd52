"""The statements that save what is attached to events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.aggregates.attachments import Attached

Statement = tuple[str, tuple[Any, ...]]


def statements(attached: Attached, stream: str, *, since: int, version: int) -> Iterator[Statement]:
    """Yield the statements with their parameters for events with `since` < version ≤ `version`."""
    if attached.command is not None:
        yield (
            "INSERT INTO commands (command_id, stream, since, version, body_digest) "
            "VALUES (?,?,?,?,?)",
            (attached.command.id, stream, since, version, attached.command.body_digest),
        )
    if attached.wrapped_secrets is not None:
        yield (
            "INSERT INTO match_secrets (stream, key_id, body) VALUES (?,?,?)",
            (stream, attached.wrapped_secrets.key_id, attached.wrapped_secrets.body),
        )
    for text in attached.texts:
        yield (
            "INSERT INTO texts (digest, salt, body) VALUES (?,?,?) ON CONFLICT DO NOTHING",
            (text.digest, text.salt, text.body),
        )
    for digest, body in attached.documents.items():
        yield (
            "INSERT INTO documents (digest, body) VALUES (?,?) ON CONFLICT DO NOTHING",
            (digest, body),
        )
