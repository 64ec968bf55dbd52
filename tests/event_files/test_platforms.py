"""Files of Melee and TopDeck: what they publish comes out, and what they leave open is told."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.strict import Unreadable
from service.event_files.differences import differences
from service.event_files.reading import read_event
from service.standings.cuts import final_placing
from service.standings.profiles import PROFILES
from service.standings.tables import table_of
from tests.event_files import made_up

seeds = st.integers(0, 10**6)
THIRD = Fraction(1, 3)


@given(seed=seeds)
@settings(max_examples=25)
@pytest.mark.parametrize("profile", ["melee-floor", "melee-raw"])
def test_the_table_of_melee_comes_out(profile: str, seed: int) -> None:
    one = made_up.swiss(seed, alone=("bye", "bye", "assigned_loss"))
    rows = made_up.rows(one, THIRD, raw=profile == "melee-raw")
    read = read_event(made_up.platform(one, rows))
    assert (read.format, read.event.phases, read.notes) == ("melee", one.phases, ())
    assert read.event.players == one.players
    assert differences(read, PROFILES[profile]) == []


@given(seed=seeds)
@settings(max_examples=25)
def test_a_cut_is_read_and_the_table_is_of_the_swiss_rounds(seed: int) -> None:
    one = made_up.swiss(seed)
    rows = made_up.rows(one, THIRD, raw=False)
    table = table_of(one, PROFILES["melee-floor"])
    cut = made_up.with_cut(one, [row.player for row in table.rows], seed)
    read = read_event(made_up.platform(cut, rows))
    assert read.event.phases == cut.phases
    assert differences(read, PROFILES["melee-floor"]) == []
    assert table_of(read.event, PROFILES["melee-floor"]).rows == table.rows


@given(seed=seeds)
@settings(max_examples=25)
def test_the_final_placing_of_topdeck_comes_out(seed: int) -> None:
    """Its results are won matches; its shares of games are those of games that it does not tell."""
    one = made_up.swiss(seed, scores=("1-0", "0-1", "0-0-1"))
    stated = {
        player.id: Fraction(index + 1, 3 * len(one.players))
        for index, player in enumerate(one.players)
    }
    known = replace(
        one,
        players=tuple(replace(player, game_wins=stated[player.id]) for player in one.players),
    )
    rows = made_up.rows(known, Fraction(33, 100), raw=True)
    order = [row["Player"] for row in rows]
    cut = made_up.with_cut(known, order, seed)
    places = final_placing(cut, table_of(cut, PROFILES["topdeck"]), bracket=1)
    by_place = {place.player: place.place for place in places}
    published = [row | {"Rank": by_place[row["Player"]]} for row in rows]
    names = {"Quarterfinals": "Top 8", "Semifinals": "Top 4", "Finals": "Top 2"}
    body = made_up.platform(
        cut, published, lambda name: names.get(name) or name.removeprefix("Round ")
    )
    read = read_event(body.replace(b'"2-0-0"', b'"1-0-0"').replace(b'"1-2-0"', b'"0-1-0"'))
    assert read.format == "topdeck"
    assert "GW is taken from the table" in read.notes[0]
    assert differences(read, PROFILES["topdeck"]) == []


def test_every_kind_of_difference_is_listed() -> None:
    one = made_up.swiss(3)
    rows = made_up.rows(one, THIRD, raw=False)
    order = [row.player for row in table_of(one, PROFILES["melee-floor"]).rows]
    body = json.loads(made_up.platform(made_up.with_cut(one, order, 3), rows))
    first, second = body["Standings"][:2]
    first |= {"Rank": 2, "Points": first["Points"] + 1}
    second |= {"Rank": 1, "OMWP": 0.5, "GWP": 0.25, "OGWP": 0.125}
    tables = next(one for one in body["Rounds"] if one["RoundName"] == "Quarterfinals")["Matches"]
    tables[0]["Player2"], tables[1]["Player2"] = tables[1]["Player2"], tables[0]["Player2"]
    for later in body["Rounds"][-2:]:
        body["Rounds"].remove(later)
    body["Standings"].append({"Rank": 99, "Player": "Nobody"})
    found = differences(read_event(json.dumps(body).encode()), PROFILES["melee-floor"])
    assert {(one.player, one.field) for one in found} >= {
        (first["Player"], "points"), (first["Player"], "place"), (second["Player"], "place"),
        (second["Player"], "omw"), (second["Player"], "gw"), (second["Player"], "ogw"),
        (first["Player"], "cut"),
    }  # fmt: skip


def file(*rounds: Any, standings: Any = None) -> bytes:
    return json.dumps(
        {
            "Rounds": [
                {
                    "RoundName": name,
                    "Matches": [
                        dict(zip(("Player1", "Player2", "Result"), match.split(), strict=True))
                        for match in matches
                    ],
                }
                for name, *matches in rounds
            ],
            "Standings": standings,
        }
    ).encode()


def kinds(body: bytes) -> list[str]:
    read = read_event(body)
    return [
        result.kind for phase in read.event.phases for one in phase.rounds for result in one.results
    ]


@pytest.mark.parametrize(
    ("match", "kind"),
    [
        ("A - 2-0-0", "bye"),
        ("A - 1-0", "bye"),
        ("A - 0-0-1", "bye"),
        ("- A 0-2-0", "bye"),
        ("A - 0-2-0", "assigned_loss"),
        ("- A 2-0-0", "assigned_loss"),
        ("A - 0-0-0", "absence"),
        ("A B 0-0-3", "intentional_draw"),
        ("A B 0-0-1", "played"),
        ("A B 1-1-0", "played"),
        ("A B 2-1", "played"),
        ("A B 0-0-0", "unreported"),
    ],
)
def test_what_a_result_means(match: str, kind: str) -> None:
    assert kinds(file(("Round 1", match))) == [kind]


def test_what_0_0_0_means_depends_on_the_round_and_the_table() -> None:
    closed = file(("Round 1", "A B 0-0-0"), ("Round 2", "A B 2-0-0"))
    assert kinds(closed) == ["double_loss", "played"]
    points = [{"Player": "A", "Points": 4}, {"Player": "B", "Points": 1}]
    drawn = file(("Round 1", "A B 0-0-0"), ("Round 2", "A B 2-0-0"), standings=points)
    assert kinds(drawn) == ["intentional_draw", "played"]
    assert "0-0-0: intentional_draw" in read_event(drawn).notes[0]
    last = file(("Round 1", "A B 2-0-0"), ("Round 2", "A B 0-0-0"))
    assert kinds(last) == ["played", "unreported"]
    assert table_of(read_event(last).event, PROFILES["melee-floor"]).provisional
    assert kinds(file(("Semifinals", "A B 0-0-0"), ("Finals", "A C 2-0-0")))[0] == "unreported"


def test_a_last_round_that_was_not_over_is_left_out_as_the_platform_did() -> None:
    rounds = (("Round 1", "A B 2-0-0", "C D 2-0-0"), ("Round 2", "A C 2-1-0", "B D 0-0-0"))
    points = {"before": (3, 0, 3, 0), "after": (6, 0, 3, 0), "drawn": (6, 1, 3, 1)}
    found = {}
    for name, of_each in points.items():
        standings = [
            {"Player": one, "Points": own} for one, own in zip("ABCD", of_each, strict=True)
        ]
        found[name] = read_event(file(*rounds, standings=standings))
    assert [len(read.event.phases[0].rounds) for read in found.values()] == [1, 2, 2]
    assert "Round 2 was not over" in found["before"].notes[0]
    assert [read.event.phases[0].rounds[-1].results[-1].kind for read in found.values()] == [
        "played", "unreported", "intentional_draw"
    ]  # fmt: skip
    for read in found.values():
        assert differences(read, PROFILES["melee-floor"]) == []


def test_shares_of_games_are_taken_only_where_the_results_give_others() -> None:
    rounds = (("Round 1", "A B 1-0-0", "C - 2-0-0"), ("Round 2", "A C 1-0-0", "B - 2-0-0"))
    shares = {"A": (1.0, 0.8), "B": (2 / 3, 0.75), "C": (2 / 3, 0.75)}
    for place, stated in ((0, None), (1, Fraction(4, 5))):
        standings = [{"Player": name, "GWP": own[place]} for name, own in shares.items()]
        read = read_event(file(*rounds, standings=standings))
        assert read.event.players[0].game_wins == stated
        assert len(read.notes) == place


def test_rounds_in_any_order_and_matches_there_twice() -> None:
    body = file(
        ("Finals", "A C 2-0-0"),
        ("Round 10", "A B 2-0-0"),
        ("Semifinals", "A B 2-0-0", "C D 2-0-0"),
        ("Round 9", "A B 2-1-0", "B A 1-2-0", "C D 1-1-0", "C D 1-1-0", "- - 0-0-0"),
    )
    read = read_event(body)
    assert [[one.name for one in phase.rounds] for phase in read.event.phases] == [
        ["Round 9", "Round 10"], ["Semifinals", "Finals"]
    ]  # fmt: skip
    assert [len(one.results) for one in read.event.phases[0].rounds] == [2, 1]
    assert len(read.notes) == 3


@pytest.mark.parametrize(
    ("names", "bracket"),
    [
        (["Round 1", "Swiss Round 2", "Day Two Round 3", "Draft Round 4", "5"], False),
        (["Quarterfinals", "Semi-Finals", "Final", "Top 8", "Round of 16", "Playoff 1"], True),
        (["Winners Bracket Round 1", "3rd Place Match", "Single Elimination 1"], True),
    ],
)
def test_names_of_rounds(names: list[str], bracket: bool) -> None:
    for name in names:
        (phase,) = read_event(file((name, "A B 2-0-0"))).event.phases
        assert (phase.kind == "single_elimination") is bracket, name


def test_a_single_elimination_that_does_not_say_so() -> None:
    rounds = (
        ("Round 1", "A - 2-0-0", "D E 2-1-0", "B - 2-0-0", "C - 2-0-0"),
        ("Round 2", "A D 2-0-0", "B C 2-0-0"),
        ("Round 3", "B A 2-0-0"),
    )
    read = read_event(file(*rounds))
    assert [phase.kind for phase in read.event.phases] == ["single_elimination"]
    assert [player.dropped_after for player in read.event.players] == [None] * 5
    table = table_of(read.event, PROFILES["melee-floor"])
    assert [row.player for row in table.rows][:2] == ["B", "A"]
    assert [row.points for row in table.rows][:2] == [9, 6]
    placing = final_placing(read.event, table, bracket=0)
    assert [place.player for place in placing] == ["B", "A", "C", "D", "E"]
    again = read_event(file(*rounds[:2], ("Round 3", "B E 2-0-0")))
    assert [phase.kind for phase in again.event.phases] == ["swiss"]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (file(("Round 1", "A B 2:0")), "round 'Round 1', match 1: the result '2:0'"),
        (file(("Round 1", "A B 2-0-0", "C A 2-0-0")), "round 1: A is there twice"),
        (file(("Round 1", "A A 2-0-0")), "round 1: A is there twice"),
        (file(("Round 1", "A B 1000-0-0")), "match 1"),
        (file(standings=[{"Player": "A"}, {"Player": "A"}]), "row 2"),
        (file(standings=[{"Player": "A", "OMWP": 1.5}]), "Standings, A, OMWP"),
        (file(standings=[{"Player": "A", "Points": 1e9}]), "Standings, A, Points"),
        (file(standings=[{"Player": "A", "OMWP": "NaN"}]), "Standings, A, OMWP"),
        (b'{"Rounds": [], "Standings": [{"Player": "A", "GWP": 1e-99999999}]}', "A, GWP"),
        (b'{"Rounds": [], "Standings": [{"Player": "A", "Points": 1e99999999}]}', "A, Points"),
        (file(standings=[{"Player": "\u0007"}]), "control characters"),
        (file(standings=[{"Player": "A" * 201}]), "$.Standings[0].Player"),
        (b'{"Rounds": [{"RoundName": "1", "Matches": [{"Result": 1}]}]}', "$.Rounds[0].Matches[0]"),
        (b'{"Rounds": 7}', "$.Rounds"),
        (json.dumps({"Rounds": [{"RoundName": "1", "Matches": []}] * 101}).encode(), "$.Rounds"),
        (b'{"Rounds": []' + b"[" * 10**5, "byte"),
        (b'{"Rounds": ' + b"[" * 10**5, "nested"),
    ],
)  # fmt: skip
def test_a_fault_names_its_place(body: bytes, place: str) -> None:
    with pytest.raises(Unreadable) as fault:
        read_event(body)
    assert place in str(fault.value)
