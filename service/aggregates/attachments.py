"""What is saved beside events in the same transaction, and never without them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from service.engine.hashes import tagged_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A name or free text outside the log, so that it can be erased: events hold its digest."""

    salt: bytes
    body: str

    @property
    def digest(self) -> str:
        """H("kifu-text-v1", salt, body) of integrity 2, in hexadecimal."""
        return tagged_hash("kifu-text-v1", self.salt, self.body.encode()).hex()


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """The command that the events answer, for recognising its repetition."""

    id: str
    body_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WrappedSecrets:
    """The secrets of a match as they are stored. key_id: of the key that wraps them."""

    key_id: str
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """Everything beside the events of one command. documents: SHA-256 → bytes."""

    command: Command | None = None
    wrapped_secrets: WrappedSecrets | None = None
    texts: Sequence[Text] = ()
    documents: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What a command did: events of a stream with `since` < version ≤ `version`, maybe none."""

    stream: str
    since: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What an earlier command with the same id did. body_digest: of the body that it came with."""

    saved: Saved
    body_digest: str
