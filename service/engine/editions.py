"""Editions: what a match pins when it opens, so that it is decided and read the same for ever."""

from __future__ import annotations

from dataclasses import dataclass, replace

POOL_LENGTH = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """An edition of a game's data. Digests are SHA-256 of canonical JSON, in hexadecimal.

    pool: the beginning of the digest of cards that were brought, else empty.

    rules_digest covers id, kind, enforced_by and `meaning` of every rule, texts_digest the wording.
    """

    game: str
    number: int
    engine: int
    rules_digest: str
    cards_digest: str
    texts_digest: str

    pool: str = ""

    @property
    def name(self) -> str:
        """As in `hi-story@1`, or `hi-story@1+0a1b2c3d4e5f` with a pool that was brought."""
        return f"{self.game}@{self.number}" + (f"+{self.pool}" if self.pool else "")

    def with_pool(self, digest: str) -> Edition:
        """Return the edition with the cards of this digest; its own cards change nothing."""
        if digest == self.cards_digest:
            return self
        return replace(self, cards_digest=digest, pool=digest[:POOL_LENGTH])
