"""Setups and decks that strangers send: what is taken begins a match, all else is refused."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.strict import canonical
from service.catalogue import LoadedGame
from service.engine.contract import Rejection, Ruleset, Setup, SetupFault
from service.engine.draws import Draws, KeyedSource
from service.engine.play import follow_up
from service.engine.setups import deck_rejection, spelled_deck
from service.engine.values import Json, same
from tests.contract.walks import options_of

AUTOMATIC_MAX = 10
SEATS = ("P1", "P2", "P3", "P4")

WORDS = st.sampled_from(
    [
        *("first", "options", "mode", "mothership", "beast_deck", "hand_size", "round_limit"),
        *("windows", "facility_sacrifice", "decks", "P1", "P2", "draw", "versus", "auto"),
        *(
            "machine_beast",
            "always",
            "HM-901",
            "@beasts-continental",
            "weapon_deck",
            "operation_deck",
            "secret",
        ),
        *("damage_deck", ""),
    ]
)
SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | WORDS | st.text(max_size=8)
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(WORDS | st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)

drawn = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def nearly(parts: dict[str, list[Json]]) -> st.SearchStrategy[Json]:
    """Draw objects of which most parts are as they should be."""
    return st.fixed_dictionaries(
        {}, optional={key: st.sampled_from(values) | ANYTHING for key, values in parts.items()}
    )


NEARLY = nearly(
    {
        "first": ["P1", "P2", "draw"],
        "mode": ["versus", "machine_beast"],
        "options": [{}, {"hand_size": 1}, {"round_limit": 3}, {"windows": "auto"}],
        "mothership": ["HM-901"],
        "beast_deck": [{"HB-801": 5}],
    }
)


def deals(ruleset: Ruleset) -> list[Setup]:
    return [
        ruleset.deal(Draws(KeyedSource(bytes([n]) * 32, {})), options)
        for options in options_of(ruleset)
        for n in range(3)
    ]


def begins(ruleset: Ruleset, setup: Setup) -> bool:
    """Follow what `system` must do from the start; a refusal would be an assertion that fails."""
    draws = Draws(KeyedSource(b"begin", {}))
    position = ruleset.new_position()
    for _ in range(AUTOMATIC_MAX):
        record = follow_up(ruleset, position, setup, draws)
        if record is None:
            return ruleset.cards_in(position) != {}
        position = record.after
    return True


def test_what_is_dealt_is_prepared_and_begins(game: LoadedGame) -> None:
    ruleset = game.sample.ruleset
    for dealt in deals(ruleset):
        seats = tuple(dealt["decks"])
        sent = {key: value for key, value in dealt.items() if key != "decks"}
        setup = ruleset.prepared(sent, seats)
        assert same(ruleset.prepared(dict(setup), seats), dict(setup)), "prepared once"
        assert b"@" not in canonical(dict(setup))
        for seat, deck in dealt["decks"].items():
            assert deck_rejection(ruleset, setup, seats, deck) is None
            spelled = spelled_deck(ruleset, setup, seat, deck)
            assert same(spelled_deck(ruleset, setup, seat, spelled), spelled)
            assert b"@" not in canonical(spelled)
        decks = {seat: spelled_deck(ruleset, setup, seat, dealt["decks"][seat]) for seat in seats}
        assert begins(ruleset, {**setup, "decks": decks})


def test_an_empty_setup_is_completed(game: LoadedGame) -> None:
    setup = game.sample.ruleset.prepared({}, ("P1", "P2"))
    assert "decks" not in setup
    dealt = deals(game.sample.ruleset)[0]
    assert begins(game.sample.ruleset, {**setup, "decks": dealt["decks"]})


@drawn
@given(
    sent=ANYTHING | NEARLY,
    seats=st.lists(st.sampled_from([*SEATS, "MB", ""]), max_size=5)
    | st.integers(0, 4).map(lambda count: list(SEATS[:count])),
)
def test_any_setup_is_refused_with_its_place_or_begins(
    game: LoadedGame, sent: Json, seats: list[str]
) -> None:
    ruleset = game.sample.ruleset
    before = repr(sent)
    try:
        setup = ruleset.prepared(sent, seats)
    except SetupFault as found:
        fault: SetupFault | None = found
    else:
        fault = None
        deck = deals(ruleset)[0]["decks"]["P1"]
        assert begins(ruleset, {**setup, "decks": dict.fromkeys(seats, deck)})
    assert fault is None or (fault.place and fault.text)
    assert repr(sent) == before


@drawn
@given(data=st.data())
def test_any_deck_is_refused_with_a_rule_or_begins(game: LoadedGame, data: st.DataObject) -> None:
    ruleset = game.sample.ruleset
    dealt = data.draw(st.sampled_from(deals(ruleset)))
    seats = tuple(dealt["decks"])
    setup = ruleset.prepared({key: dealt[key] for key in dealt if key != "decks"}, seats)
    deck = data.draw(ANYTHING | st.text(max_size=9).map("@{}".format) | spoilt(ruleset, dealt))
    rejection = deck_rejection(ruleset, setup, seats, deck)
    spelled = spelled_deck(ruleset, setup, seats[0], deck)
    if isinstance(rejection, Rejection):
        assert rejection.rule in game.rules
    else:
        assert begins(ruleset, {**setup, "decks": dict.fromkeys(seats, spelled)})


def spoilt(ruleset: Ruleset, dealt: Setup) -> st.SearchStrategy[Json]:
    """Draw decks that are legal but for one entry."""
    deck = spelled_deck(ruleset, dealt, "P1", dealt["decks"]["P1"])
    if isinstance(deck, list):
        place = st.integers(0, len(deck) - 1)
        return st.tuples(place, ANYTHING).map(
            lambda to: [*deck[: to[0]], to[1], *deck[to[0] + 1 :]]
        )
    return st.tuples(st.sampled_from(sorted(deck)), ANYTHING).map(lambda to: deck | {to[0]: to[1]})


def test_seats_that_a_mode_has_not_are_refused(game: LoadedGame) -> None:
    for seats in ((), ("P1",), ("P1", "P1"), ("P2", "P3"), (*SEATS, "P5"), ("P1", "MB")):
        with pytest.raises(SetupFault) as fault:
            game.sample.ruleset.prepared({}, seats)
        assert fault.value.place == "seats"
