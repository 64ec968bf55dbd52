"""Fair chance: draws follow from roots and seeds that were fixed beforehand (integrity 5)."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence

from msgspec import Struct

from service.aggregates.events import Roots
from service.engine.draws import KeyedSource
from service.engine.hashes import joined, tagged_hash
from service.engine.values import Json

SECRET_BYTES = 32
NO_SEED = bytes(SECRET_BYTES)


class Secrets(Struct, frozen=True, kw_only=True):
    """What the installation keeps to itself about a match.

    salt_key: salts of the sealed forms. root_open, root_closed: 32 bytes each, the roots of the
    draws; None for a match whose draws come with its record.
    """

    salt_key: bytes
    root_open: bytes | None = None
    root_closed: bytes | None = None


def roots_since(secrets: Secrets, reopened: int) -> Secrets:
    """Return the secrets with the roots of the draws since a match was reopened so often.

    Those of before are open to all by then, so that nobody could be surprised by a draw. The fresh
    ones are HMAC(salt key, "kifu-reopened-v1", number, name): the salt key is never opened.
    """
    if reopened == 0 or secrets.root_open is None or secrets.root_closed is None:
        return secrets

    def fresh(name: bytes) -> bytes:
        parts = joined(b"kifu-reopened-v1", str(reopened).encode(), name)
        return hmac.digest(secrets.salt_key, parts, "sha256")

    return Secrets(
        salt_key=secrets.salt_key, root_open=fresh(b"open"), root_closed=fresh(b"closed")
    )


def root_commitment(match_id: str, name: str, root: bytes) -> str:
    """Return C_r = H("kifu-root-v1", match, r, S_r) of the root `open` or `closed`."""
    return tagged_hash("kifu-root-v1", match_id.encode(), name.encode(), root).hex()


def commitments_of(match_id: str, secrets: Secrets) -> Roots | None:
    """Return the commitments to both roots, None where the draws come with the record."""
    if secrets.root_open is None or secrets.root_closed is None:
        return None
    return Roots(
        open=root_commitment(match_id, "open", secrets.root_open),
        closed=root_commitment(match_id, "closed", secrets.root_closed),
    )


def seed_commitment(match_id: str, seat: str, seed: bytes) -> str:
    """Return H("kifu-seed-v1", match, seat, seed), which a seat gives before it opens its seed."""
    return tagged_hash("kifu-seed-v1", match_id.encode(), seat.encode(), seed).hex()


def deck_seal(match_id: str, seat: str, salt: bytes, deck: bytes) -> str:
    """Return H("kifu-deck-v1", match, seat, salt, deck): salted, since decks can be guessed.

    deck: canonical bytes.
    """
    return tagged_hash("kifu-deck-v1", match_id.encode(), seat.encode(), salt, deck).hex()


def draw_key(root: bytes, match_id: str, seeds: Sequence[bytes]) -> bytes:
    """Return K_r = HMAC(S_r, "kifu-key-v1", match, seeds in the order of the seats)."""
    return hmac.digest(root, joined(b"kifu-key-v1", match_id.encode(), *seeds), "sha256")


class FairSource:
    """Draws from two keys: one for what all may see at once, one for everything else.

    open_names: the shuffles whose result all may see; dice always are. counts: as in `KeyedSource`.
    """

    def __init__(
        self,
        open_key: bytes,
        closed_key: bytes,
        *,
        counts: Mapping[str, int],
        open_names: frozenset[str],
    ) -> None:
        """Draw, going on from `counts`."""
        self._open = KeyedSource(open_key, counts)
        self._closed = KeyedSource(closed_key, counts)
        self._open_names = open_names

    def ordered(self, name: str, items: Sequence[Json]) -> list[Json]:
        """Answer a shuffle."""
        source = self._open if name in self._open_names else self._closed
        return source.ordered(name, items)

    def rolled(self, sides: int) -> int:
        """Answer a die."""
        return self._open.rolled(sides)


def source_of(
    secrets: Secrets,
    match_id: str,
    *,
    seeds: Sequence[bytes | None],
    counts: Mapping[str, int],
    open_names: frozenset[str],
) -> FairSource:
    """Return the source of a match's draws; seeds: in the order of the seats, None if not given."""
    assert secrets.root_open is not None, "the draws of this match come with its record"
    assert secrets.root_closed is not None
    given = [seed or NO_SEED for seed in seeds]
    return FairSource(
        draw_key(secrets.root_open, match_id, given),
        draw_key(secrets.root_closed, match_id, given),
        counts=counts,
        open_names=open_names,
    )
