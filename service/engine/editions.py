"""Editions: what a match pins when it opens, so that it is decided and read the same for ever."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

POOL_LENGTH = 12
NAME = re.compile(
    r"(?:(?P<game>[a-z0-9][a-z0-9_-]{0,39})@)?"
    r"(?P<number>[1-9][0-9]{0,5})(?:\.(?P<revision>[0-9]{1,5}))?(?:\+[0-9a-f]{1,64})?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """An edition of a game's data. Digests are SHA-256 of canonical JSON, in hexadecimal.

    pool: the beginning of the digest of cards that were brought, else empty. revision: 0 for the
    wording with which the edition was registered.

    rules_digest covers id, kind, enforced_by and `meaning` of every rule, texts_digest the wording.
    """

    game: str
    number: int
    engine: int
    rules_digest: str
    cards_digest: str
    texts_digest: str

    pool: str = ""
    revision: int = 0

    @property
    def name(self) -> str:
        """As in `hi-story@1`, or `hi-story@1+0a1b2c3d4e5f` with a pool that was brought."""
        return f"{self.game}@{self.number}" + (f"+{self.pool}" if self.pool else "")

    @property
    def wording(self) -> str:
        """As in `hi-story@3`, or `hi-story@3.2` for its second revision."""
        return f"{self.game}@{self.number}" + (f".{self.revision}" if self.revision else "")

    def with_pool(self, digest: str) -> Edition:
        """Return the edition with the cards of this digest; its own cards change nothing."""
        if digest == self.cards_digest:
            return self
        return replace(self, cards_digest=digest, pool=digest[:POOL_LENGTH])


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionName:
    """An edition as it is asked for. game: None if only the number is given, as in `3.2`."""

    game: str | None
    number: int
    revision: int


def edition_name(text: str) -> EditionName | None:
    """Read `hi-story@3`, `hi-story@3.2`, `3` or `3.2`; None for anything else.

    Cards that were brought, as in `hi-story@3+0a1b2c3d4e5f`, change no rule and are passed over.
    """
    found = NAME.fullmatch(text)
    if found is None:
        return None
    return EditionName(
        game=found["game"], number=int(found["number"]), revision=int(found["revision"] or 0)
    )
