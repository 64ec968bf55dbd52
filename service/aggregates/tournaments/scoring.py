"""The profile of a tournament as it is stored: fractions are strings."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from service.aggregates.tournaments.state import Tournament
from service.aggregates.world import Invalid
from service.engine.values import Json
from service.standings.profiles import Profile, fault_of


def stored_profile(profile: Profile) -> dict[str, Json]:
    """Return a profile as an event holds it; raises `Invalid` for one that is wrong."""
    fault = fault_of(profile)
    if fault is not None:
        raise Invalid({"profile": [fault]})
    found: dict[str, Json] = msgspec.json.decode(msgspec.json.encode(profile, enc_hook=str))
    return found


def profile_of(tournament: Tournament) -> Profile:
    """Return the profile with which a tournament was opened."""
    return msgspec.convert(tournament.opened.profile, Profile, dec_hook=_fraction)


def _fraction(kind: type, value: Any) -> Fraction:
    assert kind is Fraction, "nothing else in a profile needs a way of its own"
    return Fraction(value)
