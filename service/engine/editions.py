"""Editions: what a match pins when it opens, so that it is decided and read the same for ever."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """An edition of a game's data. Digests are SHA-256 of canonical JSON, in hexadecimal.

    rules_digest covers id, kind, enforced_by and `meaning` of every rule, texts_digest the wording.
    """

    game: str
    number: int
    engine: int
    rules_digest: str
    cards_digest: str
    texts_digest: str

    @property
    def name(self) -> str:
        """As in `hi-story@1`."""
        return f"{self.game}@{self.number}"
