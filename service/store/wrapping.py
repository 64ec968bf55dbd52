"""Secrets of matches and keys at rest: wrapped by a key that lies outside the database."""

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
        """Return secrets of a match as they are stored."""
        return self.wrapped_key(msgspec.msgpack.encode(secrets))

    def unwrapped(self, key_id: str, body: bytes) -> Secrets:
        """Return stored secrets of a match; raises `WrongKey`."""
        return msgspec.msgpack.decode(self.unwrapped_key(key_id, body), type=Secrets)

    def wrapped_key(self, plain: bytes) -> bytes:
        """Return a key as it is stored."""
        return plain if self._fernet is None else self._fernet.encrypt(plain)

    def unwrapped_key(self, key_id: str, body: bytes) -> bytes:
        """Return a stored key; raises `WrongKey`."""
        if key_id == UNWRAPPED:
            return body
        if self._fernet is None or key_id != self.key_id:
            raise WrongKey(f"the secrets are wrapped by the key {key_id}, which is not here")
        try:
            return self._fernet.decrypt(body)
        except InvalidToken as fault:
            raise WrongKey(f"the key {key_id} does not open these secrets") from fault


def _key_id(key: bytes) -> str:
    return tagged_hash("kifu-wrapping-key-v1", key).hex()[:16]
