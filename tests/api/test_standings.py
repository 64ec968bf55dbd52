"""Standings over HTTP: those of the record, with their reasons, and the event for others."""

from __future__ import annotations

from fractions import Fraction

import pytest

from service.aggregates.tournaments.records import record_of
from service.aggregates.tournaments.scoring import profile_of
from service.engine.values import Json
from service.event_files.own import read_event_csv, read_event_json
from service.event_files.trf import read_trf
from service.standings.profiles import PROFILES, Profile
from service.standings.records import Round, rounds_of
from service.standings.tables import table_of
from service.tournament_exchange import verify_tournament_lines
from tests.api.cups import SWISS, TOP_4, Cup, cup_of
from tests.api.tables import Hall, refused
from tests.conftest import CATALOGUE


@pytest.fixture
def cup(hall: Hall) -> Cup:
    """Nine players, one of whom leaves after the first round, after two rounds of three."""
    cup = cup_of(hall, SWISS, TOP_4, players=9)
    for number in (1, 2):
        cup.begin()
        cup.finish(number)
        if number == 1:
            leaver = cup.seated(1, 4)[0]
            cup.post(f"/players/{leaver}/drop", {"reason": "home"}, cup.players[leaver])
    return cup


def expected(cup: Cup, number: int, profile: Profile) -> list[Json]:
    """What the record of a tournament gives without the API."""
    found = table_of(record_of(cup.state, to_round=number), profile)
    return [
        {
            "rank": row.rank,
            "player": row.player,
            "points": str(row.points),
            "exact": {label: str(value) for label, value in row.values.items()},
            "tied": row.tied,
        }
        for row in found.rows
    ]


def told(cup: Cup, **query: Json) -> list[Json]:
    names = ("rank", "player", "points", "exact", "tied")
    rows = cup.get("/standings", **query)["items"]
    return [{name: row[name] for name in names} for row in rows]


def test_every_table_is_that_of_the_record(cup: Cup) -> None:
    own = profile_of(cup.state)
    cup.begin()
    for number in (1, 2, 3):
        assert told(cup, round=number) == expected(cup, number, own)
    assert told(cup) == expected(cup, 3, own)
    for name, profile in PROFILES.items():
        assert told(cup, round=2, profile=name) == expected(cup, 2, profile), name


def test_a_table_says_whether_it_is_provisional_and_what_it_rests_on(cup: Cup) -> None:
    shown = cup.get("/standings")
    assert (shown["phase"], shown["round"], shown["profile"]) == (1, 2, "mtr-2024")
    assert not shown["provisional"]
    cup.begin()
    assert cup.get("/standings")["provisional"]
    assert not cup.get("/standings", round=2)["provisional"]
    counted = [sum(row["levels"].values()) for row in cup.get("/standings")["items"]]
    played = sum(len(one.tables) for one in cup.state.rounds.values() if one.number < 3)
    assert sum(counted) == 2 * played
    row = shown["items"][0]
    assert row["values"]["omw"] == pytest.approx(float(Fraction(row["exact"]["omw"])), abs=1e-9)


def test_a_table_comes_in_pages(cup: Cup) -> None:
    whole, found = cup.get("/standings")["items"], []
    after: dict[str, Json] = {}
    while True:
        page = cup.get("/standings", limit=4, **after)
        found += page["items"]
        if page["next"] is None:
            break
        after = {"after": page["next"]}
    assert found == whole
    wrong = cup.hall.anybody.get(f"{cup.path}/standings", after="x")
    refused(wrong, 422, "invalid")


def test_a_table_that_is_not_there_is_not_found(cup: Cup) -> None:
    for query, status in (
        ({"round": 3}, 404),
        ({"phase": 2}, 404),
        ({"profile": "none"}, 422),
        ({"round": 0}, 422),
        ({"colour": "red"}, 422),
    ):
        answer = cup.hall.anybody.get(f"{cup.path}/standings", **query)
        assert answer.status_code == status, query


def test_every_value_is_the_sum_of_its_parts(cup: Cup) -> None:
    rows = cup.get("/standings")["items"]
    for row in rows:
        found = cup.get(f"/standings/{row['player']}/why")
        assert found["row"] == row
        for reason in found["reasons"]:
            parts = [Fraction(part["value"]) for part in reason["parts"] if part["counted"]]
            total = sum(parts, Fraction(0)) / max(reason["divisor"], 1)
            assert total == Fraction(reason["value"]) == Fraction(row["exact"][reason["criterion"]])
            opponents = {part["opponent"] for part in reason["parts"]} - {None}
            assert opponents <= set(cup.players)
    other = cup.get(f"/standings/{rows[0]['player']}/why", profile="buchholz", round=1)
    assert (other["profile"], other["round"]) == ("buchholz", 1)
    refused(cup.hall.anybody.get(f"{cup.path}/standings/nobody/why"), 404, "not-found")


def test_the_swiss_table_is_frozen_at_the_cut(cup: Cup) -> None:
    cup.begin()
    cup.finish(3)
    before = cup.get("/standings")["items"]
    assert {row["frozen_rank"] for row in before} == {None}
    cup.post("/phases/2", {})
    frozen = {row["player"]: row["frozen_rank"] for row in cup.get("/standings")["items"]}
    assert frozen == {row["player"]: row["rank"] for row in before}
    number = 1
    table = cup.tables(number)[0]
    loser = next(one for one in table["players"] if one != table["result"]["winner"])
    body = {
        **cup.outcome(number, table["table"], loser),
        "reason": "late",
        "supersedes": table["result"]["seq"],
    }
    path = cup.pairing(number, table["table"])
    cup.post(f"{path}/corrections", body)
    after = cup.get("/standings")["items"]
    assert {row["player"]: row["frozen_rank"] for row in after} == frozen
    assert [row["exact"] for row in after] != [row["exact"] for row in before]
    cup.begin()
    shown = cup.get("/standings", phase=2)
    ranks = [row["rank"] for row in shown["items"]]
    assert (len(ranks), ranks[0], ranks) == (4, 1, sorted(ranks)), "a tie is one place"
    seed = shown["items"][0]["player"]
    refused(cup.hall.anybody.get(f"{cup.path}/standings/{seed}/why", phase=2), 404, "not-found")


def test_the_event_is_given_in_forms_that_are_read_again(cup: Cup) -> None:
    record = record_of(
        cup.state,
        names={cup.id: "Spring Cup", **{row["player"]: row["name"] for row in players(cup)}},
    )
    anybody = cup.hall.anybody
    json = anybody.get(f"{cup.path}/event")
    assert read_event_json(json.get_data()).event == record
    csv = anybody.get(f"{cup.path}/event.csv")
    assert csv.mimetype == "text/csv"
    assert read_event_csv(csv.get_data()).event == record
    trf = read_trf(anybody.get(f"{cup.path}/event.trf").get_data()).event
    assert [paired(one) for one in rounds_of(trf)] == [paired(one) for one in rounds_of(record)]
    table = anybody.get(f"{cup.path}/standings.csv", round=1).get_data(as_text=True)
    assert table.splitlines()[0].startswith("rank,player,name,points,omw")
    assert len(table.splitlines()) == 10
    empty = cup_of(cup.hall)
    for part in ("/event", "/event.csv", "/event.trf", "/standings.csv", "/standings", "/placing"):
        assert anybody.get(f"{empty.path}{part}").status_code == 200, part


def paired(one: Round) -> int:
    return sum(result.second is not None for result in one.results)


def players(cup: Cup) -> list[Json]:
    items: list[Json] = cup.get("/players")["items"]
    return items


def test_what_is_pinned_to_the_wall(cup: Cup) -> None:
    found = cup.get("/rounds/2/printable")
    assert (found["name"], found["round"]) == ("Spring Cup", 2)
    names = [seat["name"] for seat in found["seats"]]
    assert names == sorted(names)
    seated = {name: table["table"] for table in found["tables"] for name in table["names"]}
    assert {seat["name"]: seat["table"] for seat in found["seats"]} == seated
    assert len(found["seats"]) == 8
    assert [row["rank"] for row in found["standings"]] == [
        row["rank"] for row in cup.get("/standings", round=1)["items"]
    ]
    first = cup.get("/rounds/1/printable")
    assert first["standings"] == []
    assert [seat["kind"] for seat in first["seats"] if seat["table"] is None] == ["bye"]


def test_the_whole_event_is_one_file_that_can_be_verified(cup: Cup) -> None:
    file = cup.hall.anybody.get(f"{cup.path}/file")
    lines = file.get_data().splitlines(keepends=True)
    found = verify_tournament_lines(CATALOGUE, lines)
    assert found.report.overall == "partial", "the event goes on"
    assert found.state is not None
    assert found.state.rounds == cup.state.rounds
    cup.post("/rounds", {"round": 3})
    cup.post("/rounds", {"round": 3, "again": True})
    public = cup.hall.anybody.get(f"{cup.path}/file").get_data()
    found = verify_tournament_lines(CATALOGUE, public.splitlines(keepends=True))
    assert found.report.overall == "partial", "the event goes on"
    assert found.state is not None
    assert (found.state.draft, found.state.version) == (None, cup.state.version - 2)
    whole = cup.staff.get(f"{cup.path}/file").get_data()
    assert len(whole) > len(public)
