"""A tournament's file: the same elsewhere, and no change of it goes unnoticed."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.strict import canonical, encoded
from service.aggregates.matches import Match
from service.aggregates.tournaments.linking import LinkMatch
from service.aggregates.tournaments.placing import standings_of
from service.aggregates.tournaments.rounds import DraftRound, PublishRound
from service.aggregates.tournaments.state import Tournament
from service.aggregates.world import Conflict
from service.cli.holding import Holding, hold
from service.commands.simulations import (
    simulate,
    simulated_seat,
    simulated_secrets,
    simulated_setup,
    simulation_key,
)
from service.commands.tournaments import carry_out
from service.engine.values import SPECTATOR, Json
from service.exchange import report_on
from service.installation import Installation, clock
from service.integrity.chain import Header, event_hash, genesis, seal
from service.integrity.files import Statement, last_line
from service.integrity.signing import LogKey
from service.integrity.tournament_files import STREAM, read_tournament_file
from service.integrity.tournament_verify import TournamentReport
from service.tournament_exchange import (
    export_tournament,
    import_tournament,
    verify_tournament_lines,
)
from tests.cli.small_demo import SMALL, signing_installation
from tests.conftest import CATALOGUE, opened, settings_in

DATABASES = ("sqlite", "postgresql")
Lines = list[bytes]
OTHERS: tuple[Json, ...] = (
    *(None, True, 0, -1, 7, 10**9),
    *("", "ann", "nobody", "swiss", "0" * 64),
    *([], {}),
)
MATCHES = 7
DRAFTED = 30
some = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A tournament that was held. lines: its whole file; stated: without files of matches."""

    installation: Installation
    key: LogKey
    tournament: Tournament
    lines: Lines
    stated: Lines

    def verify(self, lines: Lines) -> TournamentReport:
        found = verify_tournament_lines(CATALOGUE, lines, trusted=[self.key.public])
        return found.report


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Held]:
    installation, key_file = signing_installation(tmp_path_factory.mktemp("held"))
    tournament = hold(installation, SMALL)
    yield Held(
        installation=installation,
        key=LogKey(key_file.read_text()),
        tournament=tournament,
        lines=export_tournament(installation, tournament),
        stated=export_tournament(installation, tournament, with_files=False),
    )
    installation.close()


def unsigned(lines: Lines, count: int) -> Lines:
    """Return the file as a log without a key would end it after so many lines."""
    header = json.loads(lines[0])
    events = [json.loads(line) for line in lines[1:count] if b'"form":' in line]
    statement = Statement(
        origin=header["origin"],
        match=STREAM + header["tournament"],
        events=len(events),
        head=events[-1]["hash"],
        time=events[-1]["header"]["time"],
    )
    return [*lines[:count], last_line(lines[:count], statement, None)]


def forged(lines: Lines, events: list[Json]) -> Lines:
    """Return a file whose events somebody changed, and sealed and linked again."""
    header = json.loads(lines[0])
    previous = genesis(header["origin"], STREAM + header["tournament"])
    found = [lines[0]]
    for event in events:
        head = Header(**event["header"])
        seals = {SPECTATOR: seal(head, SPECTATOR, b"", event["form"])}
        previous = event_hash(previous, head, seals)
        found.append(encoded({**event, "hash": previous}) + b"\n")
    rest = lines[1 + len(read_tournament_file(lines).events) : -1]
    statement = Statement(
        origin=header["origin"],
        match=STREAM + header["tournament"],
        events=len(events),
        head=previous,
        time=events[-1]["header"]["time"],
    )
    return [*found, *rest, last_line([*found, *rest], statement, None)]


def events_in(lines: Lines) -> list[Json]:
    count = len(read_tournament_file(lines).events)
    return [json.loads(line) for line in lines[1 : 1 + count]]


def numbered(events: list[Json], name: str) -> list[int]:
    """The indices of the events of a kind."""
    tag = f"tournament.{name}.1"
    return [at for at, event in enumerate(events) if event["header"]["type"] == tag]


def without_heads(tournament: Tournament) -> Tournament:
    return replace(tournament, head="")


def test_a_whole_file_is_exact(held: Held) -> None:
    report = held.verify(held.lines)
    assert (report.overall, report.genuine, report.first_bad) == ("exact", True, None)
    assert report.matches == {"exact": MATCHES}


def test_without_files_it_is_partial(held: Held) -> None:
    report = held.verify(held.stated)
    assert (report.overall, report.genuine) == ("partial", True)
    assert report.matches == {"stated": MATCHES}


def test_another_key_is_not_genuine(held: Held) -> None:
    other = verify_tournament_lines(CATALOGUE, held.stated, trusted=["kifu-ed25519:other"]).report
    assert (other.overall, other.genuine) == ("tampered", False)


def test_it_is_the_same_elsewhere(held: Held, installation: Installation) -> None:
    report, matches = import_tournament(installation, held.lines, trusted=[held.key.public])
    assert report.overall == "exact"
    found = installation.tournaments.tournament(held.tournament.id)
    assert without_heads(found) == without_heads(held.tournament)
    assert standings_of(found, 1) == standings_of(held.tournament, 1)
    assert installation.tournaments.events(found.id) == held.installation.tournaments.events(
        found.id
    )
    assert installation.log.text(found.opened.name) == SMALL.name
    assert len(matches) == MATCHES
    for there, here in matches.items():
        match = installation.log.match(here)
        closed = held.installation.log.match(there).closed
        assert match.closed is not None
        assert closed is not None
        assert match.closed.outcome == closed.outcome
    match = installation.log.match(next(iter(matches.values())))
    assert report_on(installation, match, "judge").overall == "exact"
    import_tournament(installation, held.lines)
    assert installation.tournaments.tournament(found.id) == found
    again = export_tournament(installation, found)
    assert events_of(again) == events_of(held.lines)


def events_of(lines: Lines) -> list[tuple[Json, Json]]:
    return [(event["header"], event["form"]) for event in events_in(lines)]


def test_where_it_was_held_nothing_is_new(held: Held) -> None:
    before = held.installation.log.last_position()
    report, matches = import_tournament(held.installation, held.lines)
    assert (report.overall, matches) == ("exact", {})
    assert held.installation.log.last_position() == before


def test_a_later_file_adds_what_came_after(held: Held, installation: Installation) -> None:
    earlier = held.installation.tournaments.at_version(held.tournament.id, DRAFTED)
    (before, *_) = held.installation.log.sealed_of(
        f"tournament/{earlier.id}", after=DRAFTED - 1, to=DRAFTED
    )
    lines = export_tournament(
        held.installation, replace(earlier, head=before.hash), with_files=False
    )
    report, _ = import_tournament(installation, lines, trusted=[held.key.public])
    assert report.overall == "partial"
    assert installation.tournaments.tournament(earlier.id).version == DRAFTED
    import_tournament(installation, held.stated)
    found = installation.tournaments.tournament(earlier.id)
    assert without_heads(found) == without_heads(held.tournament)


def test_another_tournament_of_this_id_is_a_conflict(
    held: Held, installation: Installation
) -> None:
    import_tournament(installation, held.stated)
    events = events_in(held.stated)
    events[0]["form"]["by"] = "somebody else"
    with pytest.raises(Conflict):
        import_tournament(installation, forged(held.stated, events))


def test_what_is_not_good_is_not_stored(held: Held, tmp_path: Path) -> None:
    other = opened(settings_in(tmp_path))
    lines = [*held.stated]
    del lines[5]
    report, matches = import_tournament(other, lines)
    assert (report.overall, matches) == ("tampered", {})
    assert other.tournaments.find(held.tournament.id) is None
    other.close()


@some
@given(data=st.data())
def test_no_byte_can_be_changed(held: Held, data: st.DataObject) -> None:
    lines = [*held.stated]
    if data.draw(st.booleans()):
        lines = unsigned(lines, len(lines) - 1)
    at = data.draw(st.integers(0, len(lines) - 1))
    place = data.draw(st.integers(0, len(lines[at]) - 1))
    new = data.draw(st.integers(0, 255).filter(lambda byte: byte != lines[at][place]))
    lines[at] = lines[at][:place] + bytes([new]) + lines[at][place + 1 :]
    report = verify_tournament_lines(CATALOGUE, lines).report
    assert report.overall in ("tampered", "malformed")
    assert report.first_bad is not None or report.line is not None


def test_nor_one_in_the_file_of_a_match(held: Held) -> None:
    for at in range(len(held.stated) - MATCHES, len(held.lines) - 1, 97):
        lines = [*held.lines]
        lines[at] = lines[at][:40] + b"x" + lines[at][41:]
        assert held.verify(lines).overall in ("tampered", "malformed")


@some
@given(data=st.data())
def test_no_line_can_be_dropped_doubled_or_moved(held: Held, data: st.DataObject) -> None:
    lines = [*held.stated]
    at = data.draw(st.integers(0, len(lines) - 2))
    change = data.draw(st.sampled_from(["drop", "double", "swap"]))
    if change == "drop":
        del lines[at]
    elif change == "double":
        lines.insert(at, lines[at])
    else:
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
    assert held.verify(lines).overall in ("tampered", "malformed")


def test_a_file_that_is_cut_is_partial(held: Held) -> None:
    report = held.verify(held.stated[:20])
    assert (report.overall, report.first_bad) == ("partial", 20)
    assert report.checks["complete"].verdict == "open"


def test_a_forged_result_is_found_by_the_standings(held: Held) -> None:
    events = events_in(held.lines)
    at = numbered(events, "result_reported")[-2]
    form = events[at]["form"]
    form["games"] = [form["games"][1], form["games"][0], 0]
    table = held.tournament.rounds[form["round"]].tables[form["table"]]
    form["winner"] = table.opponent_of(form["winner"])
    report = verify_tournament_lines(CATALOGUE, forged(held.lines, events)).report
    assert (report.overall, report.checks["standings"].failed) == ("diverged", True)


@pytest.mark.parametrize(
    ("kind", "field"),
    [("cut_made", "ranking"), ("cut_made", "seeds"), ("tournament_closed", "placing")],
)
def test_forged_standings_are_found(held: Held, kind: str, field: str) -> None:
    events = events_in(held.stated)
    (at,) = numbered(events, kind)
    events[at]["form"][field].reverse()
    report = verify_tournament_lines(CATALOGUE, forged(held.stated, events)).report
    assert (report.overall, report.first_bad) == ("diverged", at + 1)


def test_a_forged_link_is_found_by_the_log_of_the_match(held: Held) -> None:
    events = events_in(held.lines)
    at = numbered(events, "match_linked")[-1]
    form = events[at]["form"]
    form["winner"] = next(one for one in form["seats"].values() if one != form["winner"])
    report = verify_tournament_lines(CATALOGUE, forged(held.lines, events)).report
    assert (report.overall, report.checks["matches"].failed) == ("diverged", True)
    assert verify_tournament_lines(CATALOGUE, forged(held.stated, events)).report.overall != "exact"


def test_a_time_that_is_none_is_found(held: Held) -> None:
    events = events_in(held.stated)
    events[3]["header"]["time"] = "yesterday"
    report = verify_tournament_lines(CATALOGUE, forged(held.stated, events)).report
    assert (report.overall, report.first_bad) == ("tampered", 4)


@pytest.mark.parametrize("person", [None, "ann-herself"])
def test_who_sat_at_a_match_is_looked_at(installation: Installation, person: str | None) -> None:
    demo = replace(SMALL, id=f"seats of {person}", players=SMALL.players[:2])
    Holding(installation, demo).begin_phase(1)
    book, tournament_id = installation.tournaments, demo.tournament_id
    for command in (
        DraftRound(tournament_id=tournament_id, round=1, seed="ab" * 32, by="olga"),
        PublishRound(tournament_id=tournament_id, round=1, by="olga"),
    ):
        carry_out(book, command, now=clock())
    match = played_by(installation, person)
    assert match.closed is not None
    assert match.closed.outcome is not None
    first, second = book.tournament(tournament_id).rounds[1].tables[1].players
    linked = LinkMatch(
        tournament_id=tournament_id,
        round=1,
        table=1,
        game=1,
        match=match.id,
        played_for=match.opened.table,
        players={"P1": first, "P2": second},
        persons={},
        winner=match.closed.outcome["winner"],
        is_live=False,
        by="olga",
    )
    carry_out(book, linked, now=clock())
    lines = export_tournament(installation, book.tournament(tournament_id))
    report = verify_tournament_lines(CATALOGUE, lines).report
    expected = {None: ("partial", "good"), "ann-herself": ("diverged", "failed")}
    assert (report.overall, report.checks["matches"].verdict) == expected[person]


def played_by(installation: Installation, person: str | None) -> Match:
    """Play a match in which a person, or a mere name, has the first seat."""
    pool = installation.catalogue.game("formation").sample
    key = simulation_key("formation", 1, 1)
    setup = simulated_setup(pool.ruleset, key, {})
    names = installation.named_seats({"P1": "Ann", "P2": "Bob"})
    command = installation.open_command(
        "a match",
        pool,
        cards="sample",
        kind="simulated",
        seats={**names, "P1": dataclass_replace(names["P1"], person=person)},
        secrets=simulated_secrets(key),
    )
    decks = setup["decks"]
    clients = [simulated_seat(key, seat, deck, canonical(deck)) for seat, deck in decks.items()]
    rest = {name: value for name, value in setup.items() if name != "decks"}
    return simulate(installation.log, dataclass_replace(command, setup=rest), clients, clock=clock)


def changed(value: Json, data: st.DataObject) -> Json:
    """Return a value with one part of it replaced, doubled or left out."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: changed(value[key], data)}
    if isinstance(value, list) and value:
        at = data.draw(st.integers(0, len(value) - 1))
        choices = [[*value[:at], *value[at + 1 :]], [*value, value[at]], [*reversed(value)]]
        inside = [*value[:at], changed(value[at], data), *value[at + 1 :]]
        return data.draw(st.sampled_from([inside, *choices]))
    return data.draw(st.sampled_from(OTHERS))


@settings(max_examples=300, deadline=None, suppress_health_check=[*HealthCheck])
@given(data=st.data())
def test_forged_events_are_reported_never_a_bug(held: Held, data: st.DataObject) -> None:
    events = copy.deepcopy(events_in(held.stated))
    change = data.draw(st.sampled_from(["form", "form", "form", "drop", "swap", "double"]))
    at = data.draw(st.integers(0, len(events) - 2))
    if change == "form":
        key = data.draw(st.sampled_from(sorted(events[at]["form"])))
        events[at]["form"][key] = changed(events[at]["form"][key], data)
    elif change == "drop":
        del events[at]
    elif change == "double":
        events.insert(at, copy.deepcopy(events[at]))
    else:
        events[at], events[at + 1] = events[at + 1], events[at]
    time = events[0]["header"]["time"]
    for seq, event in enumerate(events, start=1):
        event["header"] |= {"seq": seq, "time": time}
    report = verify_tournament_lines(CATALOGUE, forged(held.stated, events)).report
    assert report.overall in ("partial", "diverged", "tampered", "malformed")


def test_names_come_along_and_the_rest_if_asked(held: Held) -> None:
    found = read_tournament_file(held.stated).header.texts
    bodies = {text.body for text in found.values() if text is not None}
    assert bodies == {SMALL.name, *(player.name for player in SMALL.players)}
    lines = export_tournament(
        held.installation, held.tournament, with_files=False, with_all_texts=True
    )
    more = {text.body for text in read_tournament_file(lines).header.texts.values() if text}
    assert bodies < more
    assert {"a train", "the log shows who won"} < more
