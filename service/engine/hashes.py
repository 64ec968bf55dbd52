"""Tagged hashes: unambiguous whatever the parts hold (integrity, first paragraph)."""

from __future__ import annotations

import hashlib

LENGTH_BYTES = 4


def tagged_hash(tag: str, *parts: bytes) -> bytes:
    """Return H(tag, parts…) = SHA-256(tag | 0x00 | for each part: 4-byte length | bytes)."""
    return hashlib.sha256(tag.encode() + b"\x00" + joined(*parts)).digest()


def joined(*parts: bytes) -> bytes:
    """Return the parts one after the other, each behind its length in 4 bytes, big-endian."""
    return b"".join(len(part).to_bytes(LENGTH_BYTES, "big") + part for part in parts)
