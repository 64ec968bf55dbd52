"""What lies beside the events: names and texts, cards, secrets, the id of the installation."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from eventsourcing.application import LRUCache

from service.aggregates.attachments import Text
from service.aggregates.fairness import Secrets
from service.aggregates.world import NotFound
from service.store.wrapping import Wrapping


class BesideEvents:
    """The part of the log that reads what was saved with events."""

    wrapping: Wrapping
    known_secrets: LRUCache[str, Secrets]
    _installation: str | None = None

    @abstractmethod
    def rows(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""

    def text(self, digest: str) -> str | None:
        """Return a name or free text, or None if it was erased."""
        rows = self.rows("SELECT body FROM texts WHERE digest = ?", digest)
        return str(rows[0][0]) if rows else None

    def salted_text(self, digest: str) -> Text | None:
        """Return a name or free text with its salt, or None if it was erased."""
        rows = self.rows("SELECT salt, body FROM texts WHERE digest = ?", digest)
        return Text(salt=bytes(rows[0][0]), body=str(rows[0][1])) if rows else None

    def document(self, digest: str) -> bytes | None:
        """Return a stored file by its SHA-256, or None."""
        rows = self.rows("SELECT body FROM documents WHERE digest = ?", digest)
        return bytes(rows[0][0]) if rows else None

    def secrets(self, match_id: str) -> Secrets:
        """Return what the installation keeps about a match; raises `NotFound`, `WrongKey`."""
        try:
            return self.known_secrets.get(match_id)
        except KeyError:
            found = self._read_secrets(match_id)
            self.known_secrets.put(match_id, found)
            return found

    def _read_secrets(self, match_id: str) -> Secrets:
        rows = self.rows("SELECT key_id, body FROM match_secrets WHERE stream = ?", match_id)
        if not rows:
            raise NotFound(f"no match {match_id}")
        return self.wrapping.unwrapped(rows[0][0], bytes(rows[0][1]))

    def installation(self) -> str:
        """Return the random id of this installation, made with its database."""
        if self._installation is None:
            ((found,),) = self.rows("SELECT id FROM installation")
            self._installation = str(found)
        return self._installation
