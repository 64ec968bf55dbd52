"""Stored events of every shape that there ever was are read for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.integrity.sealing import EVENTS, UPCASTS, event_of
from service.store.mapper import decoded, encoded

FOLDER = Path(__file__).parent / "events"


@pytest.mark.parametrize("tag", [*EVENTS, *UPCASTS])
def test_a_stored_event_is_read(tag: str) -> None:
    body = (FOLDER / f"{tag}.json").read_bytes()
    stored = decoded(body)
    assert stored.header.type == tag
    event = event_of(stored)
    newest = tag if tag in EVENTS else UPCASTS[tag][0]
    assert type(event) is EVENTS[newest]
    assert encoded(stored) == body


def test_a_match_of_before_persons_is_one_that_everybody_may_know_of() -> None:
    event = event_of(decoded((FOLDER / "match.match_opened.1.json").read_bytes()))
    assert (event.visibility, event.opened_by, event.setup) == ("listed", None, None)  # type: ignore[union-attr]
    assert {seat.person for seat in event.seats.values()} == {None}  # type: ignore[union-attr]
