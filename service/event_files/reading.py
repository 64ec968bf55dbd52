"""Read an event file of any format that is known, told by its content."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from schemas.event_files import FILE_BYTES_MAX, read_form
from schemas.strict import Unreadable
from service.event_files.forms import ReadEvent
from service.event_files.own import CSV_HEAD, read_event_csv, read_event_json
from service.event_files.platforms import read_platform
from service.event_files.tom import read_tdf, read_tom_json
from service.event_files.trf import read_trf

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Glance(Struct, frozen=True, kw_only=True):
    """What tells one JSON from another."""

    of_platform: Raw | UnsetType = msgspec.field(default=UNSET, name="Rounds")
    of_tom: Raw | UnsetType = msgspec.field(default=UNSET, name="rounds")
    of_ours: Raw | UnsetType = msgspec.field(default=UNSET, name="kifu_event")


def read_event(body: bytes, *, division: str | None = None) -> ReadEvent:
    """Return the event of a file; raises `Unreadable` with the place of a fault.

    division: category of the pod to read of a `.tdf` with several.
    """
    if len(body) > FILE_BYTES_MAX:
        raise Unreadable(f"more than {FILE_BYTES_MAX} bytes")
    body = body.removeprefix(BYTE_ORDER_MARK)
    start = body[:200].lstrip()
    if start.startswith(b"<"):
        return read_tdf(body.lstrip(), division)
    if start.startswith(b"{"):
        return _read_json(body)
    if start.startswith(",".join(CSV_HEAD[:3]).encode()):
        return read_event_csv(body)
    if b"\n001 " in b"\n" + body:
        return read_trf(body)
    raise Unreadable("no event of Melee, TopDeck, TOM, TRF16 or our own form")


def _read_json(body: bytes) -> ReadEvent:
    glance = read_form(body, Glance)
    if glance.of_platform is not UNSET:
        return read_platform(body)
    if glance.of_ours is not UNSET:
        return read_event_json(body)
    if glance.of_tom is not UNSET:
        return read_tom_json(body)
    raise Unreadable("JSON without `Rounds`, `rounds` or `kifu_event`")
