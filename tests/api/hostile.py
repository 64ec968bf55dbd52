"""What somebody sends who wants to break it: bodies for every POST route of matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from service.api.application import ROUTES
from service.api.routing import Route
from service.engine.values import Json

GOOD: Mapping[str, dict[str, Json]] = {
    "": {"game": "hi-story", "seats": {"P1": "{one}", "P2": "{two}"}},
    "seats": {"seat": "P2"},
    "readiness": {"deck": "@mare"},
    "seeds": {"seed": "00" * 32},
    "visibility": {"visibility": "link"},
    "cancellation": {"reason": "because"},
    "actions": {"action": {"type": "end_phase"}},
    "proposals": {
        "facts": [{"fact": "hand_settled", "rules": ["HS-212"], "player": "P2"}],
        "reason": "because",
    },
    "proposals/answers": {"proposed": 1, "accepted": True},
    "end-offers": {"winner": "draw"},
    "hold": {"reason": "because"},
    "release": {},
    "closing": {"cause": "ruling", "winner": "P1", "reason": "because"},
    "inspections": {"reason": "because"},
    "grants": {"person": "{two}", "role": "judge"},
    "disputes": {"seq": 3, "hash": "ab" * 32, "claim": "no"},
    "notes": {"seq": 3, "audience": "public", "body": "no"},
    "fixes": {"facts": [{"fact": "hand_settled", "rules": ["HS-212"], "player": "P2"}]},
    "reviews": {"corrected": 3, "approved": True, "reason": "because"},
    "events/<seq>/explanation": {"actor": "P1", "action": {"type": "end_phase"}},
}
"""Part of the path behind the match → a body that its schema takes."""

POSTS = [one for one in ROUTES if one.method == "POST" and one.rule.startswith("/api/v1/matches")]


def part_of(one: Route) -> str:
    """Return the part of a route's path behind the match."""
    return one.rule.removeprefix("/api/v1/matches").partition("<match_id>")[2].strip("/")


WORDS = st.sampled_from(
    [
        *("P1", "P2", "draw", "open", "spectator", "judge", "system", "@mare", "@tenka", "sample"),
        *(
            "type",
            "card",
            "cards",
            "target",
            "attacker",
            "fact",
            "rules",
            "player",
            "decks",
            "deck",
        ),
        *("first", "options", "mode", "seats", "policy", "reason", "winner", "HS-212", "end_phase"),
        *("a1", "b1", "keep_hand", "mulligan", "piece", "row", "col", "weapon_deck", "windows", ""),
    ]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.sampled_from(
        [0, -1, 2**53 - 1, "０", "\u202e", "<script>", "../..", "'; --", "x" * 10_000]
    )
    | WORDS
    | st.text(max_size=8)
)
ANYTHING: st.SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(WORDS | st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=10,
)

CLAIMS: Mapping[str, Json] = {
    "actor": "P2",
    "seat": "P2",
    "person": "{two}",
    "by": "{two}",
    "viewer": "judge",
    "principal": "{two}",
    "time": "2020-01-01T00:00:00Z",
    "match": "{match}",
    "version": 1,
    "draws": [{"die": 6, "sides": 6}],
    "seq": 1,
    "id": "x",
}
"""What no body may say: who acts, when, and what is drawn."""


def mixed(good: Mapping[str, Json]) -> st.SearchStrategy[dict[str, Json]]:
    """Draw bodies that are nearly good: some fields spoilt, left out or added."""
    optional: dict[str, Any] = {key: st.just(value) | ANYTHING for key, value in good.items()}
    more = st.dictionaries(st.sampled_from(sorted(CLAIMS)), ANYTHING, max_size=2)
    whole = st.fixed_dictionaries({}, optional={**optional, "expected_version": ANYTHING})
    return st.tuples(whole, more).map(lambda parts: {**parts[1], **parts[0]})
