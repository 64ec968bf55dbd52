"""Files of Pokémon TOM: XML and JSON say the same; outcomes, drops, divisions, places."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.strict import Unreadable
from service.event_files.differences import differences
from service.event_files.reading import read_event
from service.standings.profiles import PROFILES
from service.standings.records import Event
from service.standings.tables import table_of
from tests.event_files import made_up
from tests.standings import oracle
from tests.standings.events import event

seeds = st.integers(0, 10**6)
TOM = PROFILES["pokemon-tom"]
SCORES = ("1-0", "1-0", "0-1", "0-1", "0-0-1")


def without_games(one: Event) -> Event:
    """TOM tells who won, not the games."""
    phases = tuple(
        replace(
            phase,
            rounds=tuple(
                replace(
                    number,
                    results=tuple(replace(result, games=(0, 0, 0)) for result in number.results),
                )
                for number in phase.rounds
            ),
        )
        for phase in one.phases
    )
    return replace(one, phases=phases)


def places(one: Event) -> dict[str, int]:
    """Return the places by the plain formulas, head to head left to the profile."""
    values = {player.id: oracle.of_tom(one, player.id) for player in one.players}
    keys = {name: (own["points"], own["ow"], own["oow"]) for name, own in values.items()}
    return {name: 1 + sum(other > key for other in keys.values()) for name, key in keys.items()}


@given(seed=seeds)
@settings(max_examples=25)
def test_xml_and_json_say_the_same(seed: int) -> None:
    one = made_up.swiss(seed, alone=("bye", "bye", "assigned_loss"), scores=SCORES)
    order = [row.player for row in table_of(one, TOM).rows]
    cut = made_up.with_cut(one, order, seed)
    seeded = replace(
        cut,
        players=tuple(
            replace(player, seed=order.index(player.id) + 1) if player.id in order[:2] else player
            for player in cut.players
        ),
    )
    for given_event in (one, seeded):
        of_xml = read_event(made_up.tdf(given_event))
        of_json = read_event(made_up.tom_json(given_event))
        assert of_xml.event.phases == of_json.event.phases
        assert of_xml.event.players == of_json.event.players
        assert without_games(of_xml.event).phases[0].rounds == (
            without_games(given_event).phases[0].rounds
        )
        assert [(one.id, one.dropped_after, one.seed) for one in of_xml.event.players] == [
            (one.id, one.dropped_after, one.seed) for one in given_event.players
        ]


@given(seed=seeds)
@settings(max_examples=25)
def test_the_places_of_tom_come_out(seed: int) -> None:
    one = made_up.swiss(seed, scores=SCORES)
    read = read_event(made_up.tdf(one, places(one)))
    ranks = {row.player: row.rank for row in table_of(one, TOM).rows}
    found = differences(read, TOM)
    # What head to head resolves is the profile's; all other places are the plain ones.
    resolved = {name for name, place in places(one).items() if ranks[name] != place}
    assert {difference.player for difference in found} <= resolved
    assert {difference.field for difference in found} <= {"place"}


@pytest.mark.parametrize(
    ("outcome", "kind", "winner"),
    [
        ("0", "unreported", None),
        ("1", "played", "first"),
        ("2", "played", "second"),
        ("3", "played", None),
        ("4", "forfeit", "first"),
        ("8", "forfeit", "second"),
        ("10", "double_loss", None),
    ],
)
def test_outcomes_of_two(outcome: str, kind: str, winner: str | None) -> None:
    body = GOOD.replace(b'outcome="1"', f'outcome="{outcome}"'.encode())
    ((result,),) = (one.results for one in read_event(body).event.phases[0].rounds)
    assert (result.kind, result.winner) == (kind, winner)


def test_a_cut_round_without_result_and_its_seeds() -> None:
    one = event("A B C D", "A-C 1-0, B-D 1-0", "A-B 1-0, C-D 1-0", bracket=["A-B unreported"])
    seeded = replace(
        one,
        players=tuple(
            replace(player, seed=seed)
            for player, seed in zip(one.players, (2, 1, None, None), strict=True)
        ),
    )
    read = read_event(made_up.tdf(seeded))
    assert read.notes == ("Round 3: 1 without result",)
    found = differences(read, TOM)
    assert [(one.player, one.field, one.published, one.computed) for one in found] == [
        ("A", "seed", "2", "1"),
        ("B", "seed", "1", "2 to 3"),
    ]


def test_who_left_and_who_never_came() -> None:
    one = event("A B C D", "A-B 1-0, C bye", "A-C 1-0", B=1, D=1)
    found = {row.player: row for row in table_of(read_event(made_up.tdf(one)).event, TOM).rows}
    assert (found["B"].rank, found["D"].rank) == (3, 4)
    assert [found["D"].values["wp"], found["D"].values["ow"]] == [0.25, 0]
    won = event("A B", "A-B 1-0", "B bye", A=1)
    stayed = event("A B", "A-B 1-0", A=1)
    for one, share in ((won, 0.75), (stayed, 1)):
        rows = table_of(read_event(made_up.tdf(one)).event, TOM).rows
        assert [row.values["wp"] for row in rows if row.player == "A"] == [share]


def test_places_are_compared_inside_a_division() -> None:
    one = event("A B C D", "A-B 1-0, C-D 1-0", "A-C 1-0, B-D 1-0")
    body = made_up.tdf(one, {"A": 1, "D": 2}).replace(
        b"</standings>",
        b'<pod category="1" type="finished"><player id="C" place="1"/><player id="B" place="2"/>'
        b"</pod></standings>",
    )
    assert differences(read_event(body), TOM) == []
    turned = body.replace(b'id="C" place="1"', b'id="C" place="3"')
    assert [one.player for one in differences(read_event(turned), TOM)] == ["C"]


def test_a_file_with_several_pods() -> None:
    masters = event("A B C D", "A-B 1-0, C-D 1-0")
    body = made_up.tdf(masters)
    junior = (
        b'<pod category="0"><rounds><round number="1" type="3"><matches><match outcome="2">'
        b'<player1 userid="A"/><player2 userid="B"/></match></matches></round></rounds></pod>'
        b"</pods>"
    )
    both = body.replace(b"</pods>", junior)
    read = read_event(both)
    assert read.notes == ("pod 2 was read, not 0",)
    assert [player.id for player in read.event.players] == ["A", "B", "C", "D"]
    other = read_event(both, division="0")
    assert [player.id for player in other.event.players] == ["A", "B"]
    assert other.event.phases[0].rounds[0].results[0].winner == "second"
    with pytest.raises(Unreadable, match="none with rounds in 7"):
        read_event(both, division="7")


GOOD = made_up.tdf(event("A B", "A-B 1-0"))
GOOD_JSON = made_up.tom_json(event("A B", "A-B 1-0"))
BOMB = b"""<?xml version="1.0"?><!DOCTYPE t [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;">]><tournament><data><name>&c;</name></data></tournament>"""
OUTSIDE = b"""<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]><tournament>&a;</tournament>"""


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (BOMB, "document type"),
        (OUTSIDE, "document type"),
        (b'<!DOCTYPE t SYSTEM "http://127.0.0.1:9/"><tournament/>', "document type"),
        (GOOD.replace(b"</round>", b""), "line 2 column"),
        (b"<tournament>", "line 1"),
        (b"<other/>", "no tournament"),
        (b"<tournament/>", "none with rounds"),
        (b'<?xml version="1.0" encoding="nonsense"?><tournament/>', "no XML"),
        (GOOD.replace(b'outcome="1"', b'outcome="77"'), "round 1, match 1: outcome '77'"),
        (GOOD.replace(b'outcome="1"', b""), "round 1, match 1: outcome ''"),
        (GOOD.replace(b'<player2 userid="B"/>', b""), "outcome '1' of a player alone"),
        (GOOD.replace(b'player1 userid="A"', b"player1"), "outcome '1' of a player alone"),
        (GOOD.replace(b'player2 userid="B"', b'player2 userid="Z"'), "round 1: Z is no player"),
        (GOOD.replace(b'number="1"', b'number="x"'), "round 1: 'x' is no number"),
        (GOOD.replace(b"<lastname/>", b"<dropped><round>-9</round></dropped>"), "player 1: '-9'"),
        (b"<a>" * 10**5, "line 1"),
        (GOOD_JSON.replace(b'"swiss"', b'"chess"'), "'chess'"),
        (GOOD_JSON.replace(b'"p1": "A"', b'"p1": 1'), "matches[0].p1"),
    ],
)  # fmt: skip
def test_a_fault_names_its_place(body: bytes, place: str) -> None:
    with pytest.raises(Unreadable) as fault:
        read_event(body)
    assert place in str(fault.value)
