"""Secrets of matches at rest: wrapped by a key that lies outside the database."""

from __future__ import annotations

import msgspec
from cryptography.fernet import Fernet, InvalidToken

from service.aggregates.fairness import Secrets
from service.engine.hashes import tagged_hash

UNWRAPPED = "none"


class WrongKey(ValueError):
    """A secret was wrapped by a key that is not here; the text names it."""


class Wrapping:
    """Wraps and unwraps secrets. key: a Fernet key, or None: they are stored as they are."""

    def __init__(self, key: bytes | None) -> None:
        """Use a key; its id is the beginning of its hash."""
        self._fernet = None if key is None else Fernet(key)
        self.key_id = UNWRAPPED if key is None else _key_id(key)

    def wrapped(self, secrets: Secrets) -> bytes:
        """Return secrets as they are stored."""
        plain = msgspec.msgpack.encode(secrets)
        return plain if self._fernet is None else self._fernet.encrypt(plain)

    def unwrapped(self, key_id: str, body: bytes) -> Secrets:
        """Return stored secrets; raises `WrongKey`."""
        if key_id == UNWRAPPED:
            return msgspec.msgpack.decode(body, type=Secrets)
        if self._fernet is None or key_id != self.key_id:
            raise WrongKey(f"the secrets are wrapped by the key {key_id}, which is not here")
        try:
            return msgspec.msgpack.decode(self._fernet.decrypt(body), type=Secrets)
        except InvalidToken as fault:
            raise WrongKey(f"the key {key_id} does not open these secrets") from fault


def _key_id(key: bytes) -> str:
    return tagged_hash("kifu-wrapping-key-v1", key).hex()[:16]
