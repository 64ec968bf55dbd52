"""Random keys of the installation, made when they are first asked for."""

from __future__ import annotations

import secrets

from projections.tables import Database
from service.store.wrapping import Wrapping

KEY_BYTES = 32


class InstallationKeys:
    """Keys by name, such as `web`; stored like the secrets of matches, wrapped if they are."""

    def __init__(self, database: Database, wrapping: Wrapping) -> None:
        """Keep them in a database whose tables are there."""
        self._database = database
        self._wrapping = wrapping
        self._known: dict[str, bytes] = {}

    def key(self, name: str) -> bytes:
        """Return 32 random bytes, the same in every process of the installation.

        Raises `WrongKey` if they were wrapped by a key that is not here.
        """
        if name not in self._known:
            self._known[name] = self._read(name) or self._made(name)
        return self._known[name]

    def _made(self, name: str) -> bytes:
        body = self._wrapping.wrapped_key(secrets.token_bytes(KEY_BYTES))
        with self._database.transaction() as tables:
            tables.execute(
                "INSERT INTO installation_keys (name, key_id, body) VALUES (?,?,?) "
                "ON CONFLICT DO NOTHING",
                *(name, self._wrapping.key_id, body),
            )
        found = self._read(name)
        assert found is not None, "the key was made, here or by another process"
        return found

    def _read(self, name: str) -> bytes | None:
        with self._database.reading() as tables:
            rows = tables.rows("SELECT key_id, body FROM installation_keys WHERE name = ?", name)
        return self._wrapping.unwrapped_key(rows[0][0], bytes(rows[0][1])) if rows else None
