"""What went wrong in other projects, each failure re-enacted here for its whole kind.

Rows that another test shows at length have a short test here all the same:

| row | shown at length in |
| --- | --- |
| Fluorohydride/ygopro#412 | tests/integrity/test_later_editions.py |
| boardgameio/boardgame.io#828, #302 | tests/api/test_versions.py, tests/store/test_rivals.py |
| boardgameio/boardgame.io#399 | tests/api/test_hidden.py |
| smogon/pokemon-showdown#4665 | tests/api/test_live.py |
| NickTsitlakidis/event-nest#64, proteanhq/protean#1362 | tests/store/test_log.py |
| Cockatrice/Cockatrice#4290, #5780 | tests/api/test_conduct.py, tests/api/test_hidden.py |
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from service.aggregates.access import place_of_match
from service.engine.values import Json, same
from service.exchange import import_file
from service.installation import Installation, open_installation
from service.offline import verify_lines
from service.settings import Settings
from service.store.databases import migrate
from tests.api.tables import MATCHES, Caller, Hall, good, hall_of, refused
from tests.conftest import CATALOGUE, SEEDS, opened, settings_in

GAMES = CATALOGUE.names()
CONCEDE: dict[str, Json] = {"action": {"type": "concede"}}
NDJSON = "application/x-ndjson"


def table(hall: Hall, game: str = "hi-story", **more: Json) -> tuple[Caller, Caller, str, str]:
    """Return two persons, the path of a match that they play, and its id."""
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin(game, [one, two], **more)
    return one, two, f"{MATCHES}/{match_id}", match_id


def read(one: Caller, path: str, **query: Json) -> Any:
    return good(one.get(path, **query), 200)


def events_of(one: Caller, path: str, viewer: str = "spectator") -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = read(one, f"{path}/events", **{"as": viewer})["items"]
    return items


def judges_file(hall: Hall, path: str) -> list[bytes]:
    return hall.anybody.get(f"{path}/export", **{"as": "judge"}).get_data().splitlines(True)


def ended(hall: Hall, players: tuple[Caller, Caller], match_id: str) -> None:
    """Play a few actions, then agree on a draw."""
    hall.play(players, match_id, most=6)
    for one in players:
        one.post(f"{MATCHES}/{match_id}/end-offers", {"winner": "draw"})


@pytest.fixture
def changed_seeds(tmp_path: Path) -> Path:
    """The data of a later edition: the cards of every game have other names and numbers."""
    seeds = tmp_path / "seeds"
    shutil.copytree(SEEDS, seeds)
    for name, old, new in (
        ("hi-story", "power: 1000", "power: 1500"),
        ("formation", "hearts: 3", "hearts: 4"),
        ("hagmi", "name_en: ", "name_en: New "),
    ):
        cards = seeds / name / "cards.yaml"
        text = cards.read_text()
        assert old in text
        cards.write_text(text.replace(old, new))
    return seeds


# Replays.


def end_of_phase(hall: Hall, players: tuple[Caller, Caller], match_id: str) -> tuple[Caller, int]:
    """Play until somebody may end a phase behind which the next one begins; return him."""
    for _ in range(60):
        for one in players:
            listed = read(one, f"{MATCHES}/{match_id}/legal-actions")
            phase = read(one, f"{MATCHES}/{match_id}/position")["position"]["phase"]
            if {"type": "end_phase"} in listed["actions"] and phase in ("summon", "effect", "set"):
                return one, listed["version"]
        hall.play_one(players, match_id)
    raise AssertionError("nobody came to the end of a phase")


def test_what_is_taken_back_stays_in_the_log(hall: Hall) -> None:
    """boardgameio/boardgame.io#820: an undo put the state back, the log still told the move alone.

    Both seats agree to take an action back: that is an event, and the log shows both.
    """
    one, two, path, match_id = table(hall)
    doer, index = end_of_phase(hall, (one, two), match_id)
    other = two if doer is one else one
    seen = {"P1": one, "P2": two, "spectator": hall.anybody}
    before = {
        viewer: read(caller, f"{path}/position", **{"as": viewer})["position"]
        for viewer, caller in seen.items()
    }
    played = good(doer.post(f"{path}/actions", {"action": {"type": "end_phase"}}))
    (fact,) = played["events"][0]["facts"]
    back = {**fact["fact"], "phase": before["spectator"]["phase"]}
    body = {"facts": [back], "reason": "I did not mean to"}
    proposed = good(doer.post(f"{path}/proposals", body))["version"]
    answer: dict[str, Json] = {"proposed": proposed, "accepted": True}
    last = good(other.post(f"{path}/proposals/answers", answer))["version"]
    for viewer, caller in seen.items():
        for at in (index, last):
            found = read(caller, f"{path}/position", **{"as": viewer, "at": at})["position"]
            assert same(found, before[viewer]), (viewer, at)
        between = read(caller, f"{path}/position", **{"as": viewer, "at": index + 1})["position"]
        assert not same(between, before[viewer])
        told = [event["type"] for event in events_of(caller, path, viewer)[index:]]
        assert told == ["action_played", "facts_proposed", "proposal_answered", "corrected"]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_stays_on_the_cards_it_was_played_with(
    settings: Settings, changed_seeds: Path, game: str
) -> None:
    """Fluorohydride/ygopro#412: after a card patch old replays stopped in the middle."""
    first = hall_of(opened(settings))
    one, two, path, match_id = table(first, game)
    first.play([one, two], match_id, most=10)
    last = read(one, path)["events"]

    def states(hall: Hall) -> list[bytes]:
        return [hall.anybody.get(f"{path}/position", at=at).get_data() for at in range(last + 1)]

    before = states(first)
    first.installation.close()
    later = hall_of(open_installation(replace(settings, seeds=changed_seeds)))
    assert states(later) == before
    old, new = read(later.anybody, path), later.begin(game, people_of(later, one, two))
    assert old["cards_digest"] != read(later.anybody, f"{MATCHES}/{new}")["cards_digest"]
    later.play(people_of(later, one, two), match_id, most=4)
    assert read(later.anybody, path)["edition"] == old["edition"]
    later.installation.close()


def people_of(hall: Hall, *callers: Caller) -> list[Caller]:
    """Return the same persons in another hall over the same database."""
    return [replace(one, client=hall.client) for one in callers]


@pytest.mark.parametrize("game", GAMES)
def test_other_definitions_are_told_at_the_first_event_that_differs(hall: Hall, game: str) -> None:
    """wingedsheep/argentum-engine#1390: a viewer showed a game that never happened."""
    one, two, path, match_id = table(hall, game)
    ended(hall, (one, two), match_id)
    lines = judges_file(hall, path)
    assert verify_lines(CATALOGUE, lines).overall == "exact"
    pool = json.loads(lines[1])
    changed: Json
    for changed in (with_other_numbers(pool), {"cards": {}}, {"cards": {**pool["cards"], "x": 1}}):
        forged = [lines[0], json.dumps(changed).encode() + b"\n", *lines[2:]]
        report = verify_lines(CATALOGUE, forged)
        assert report.overall not in ("exact", "partial")
        assert report.first_bad is not None or report.line is not None
    answer = hall.client.post("/api/v1/verify", data=b"".join(forged), content_type=NDJSON)
    assert answer.get_json()["overall"] == report.overall


def with_other_numbers(value: Json) -> Json:
    """Return a pool in which every number is one more."""
    if isinstance(value, dict):
        return {key: with_other_numbers(part) for key, part in value.items()}
    if isinstance(value, list):
        return [with_other_numbers(part) for part in value]
    return value + 1 if isinstance(value, int) and not isinstance(value, bool) else value


SETUPS: dict[str, dict[str, Json]] = {
    "hi-story": {"first": "P2"},
    "formation": {"first": "P2", "options": {"hand_size": 4, "round_limit": 7}},
    "hagmi": {
        "mode": "versus",
        "first": "P2",
        "options": {"facility_sacrifice": True, "windows": "auto"},
    },
}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Installation]:
    """Another installation."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    settings = settings_in(folder)
    migrate(settings.database_url)
    found = opened(settings)
    yield found
    found.close()


@pytest.mark.parametrize("game", GAMES)
def test_no_field_of_a_setup_is_lost_on_the_way(
    hall: Hall, elsewhere: Installation, game: str
) -> None:
    """openfrontio/OpenFrontIO#4819: an archive left out fields, and its replay went astray."""
    one, two, path, match_id = table(hall, game, setup=SETUPS[game])
    hall.play([one, two], match_id)
    assert read(one, path)["setup"] == SETUPS[game]
    lines = judges_file(hall, path)
    report, audit, imported = import_file(elsewhere, lines)
    assert (report.overall, report.first_bad) == ("exact", None)
    assert audit is not None
    assert audit.verdict == "legal"
    assert imported is not None
    here, there = hall.installation.log.match(match_id), elsewhere.log.match(imported)
    assert same(there.position, here.position)
    assert there.closed is not None
    for field in SETUPS[game]:
        opened = json.loads(lines[2])
        del opened["form"]["setup"][field]
        changed = [*lines[:2], json.dumps(opened).encode() + b"\n", *lines[3:]]
        report, _, imported = import_file(elsewhere, changed)
        assert (report.overall in ("exact", "partial"), imported) == (False, None)


@pytest.mark.parametrize("game", GAMES)
def test_a_record_says_how_its_draws_were_made(
    hall: Hall, elsewhere: Installation, game: str
) -> None:
    """smogon/pokemon-showdown#10806: with a new generator old seeds gave other results."""
    one, two, path, match_id = table(hall, game)
    ended(hall, (one, two), match_id)
    assert read(one, path)["roots"]["generator"] == "hmac-sha256.1"
    lines = judges_file(hall, path)
    assert verify_lines(CATALOGUE, lines).checks["fair"].verdict == "joint"
    report, _, imported = import_file(elsewhere, lines)
    assert report.overall == "exact"
    assert imported is not None
    other = [line.replace(b"hmac-sha256.1", b"hmac-sha256.2") for line in lines]
    answer = hall.client.post("/api/v1/verify", data=b"".join(other), content_type=NDJSON)
    assert answer.get_json()["overall"] not in ("exact", "partial")
    assert import_file(elsewhere, other)[2] is None


def test_a_malformed_seed_is_never_replaced_by_another(hall: Hall) -> None:
    """smogon/pokemon-showdown#4665: twelve numbers for four were quietly a default team."""
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.open(one, {"P1": one.person, "P2": two.person})
    path = f"{MATCHES}/{match_id}"
    for seed in ([1] * 12, "1" * 63, -1, "text"):
        body: dict[str, Json] = {"deck": hall.deck_of("hi-story"), "seed_commitment": seed}
        answer = refused(one.post(f"{path}/readiness", body), 422, "invalid")
        assert list(answer["errors"]) == ["seed_commitment"]
    assert read(one, path)["events"] == 1


@pytest.mark.parametrize("game", GAMES)
def test_what_was_refused_is_in_no_record(hall: Hall, game: str) -> None:
    """Fluorohydride/ygopro#3113: an invalid answer was recorded, and no replay got past it."""
    one, two, path, match_id = table(hall, game)
    judge = hall.person("Judge", "judge", place=place_of_match(match_id))
    for number in range(4):
        before = read(one, path)["events"]
        for wrong in ({"type": "no such action"}, {"type": "concede", "actor": "P2", "x": [1]}):
            answer = one.post(f"{path}/actions", {"action": {**wrong, "type": "no such action"}})
            refused(answer, 422, "rule")
        assert read(one, path)["events"] == before
        assert read(judge, f"{path}/refusals")["counts"] == {"P1": 2 * (number + 1)}
        hall.play_one([one, two], match_id)
    ended(hall, (one, two), match_id)
    assert verify_lines(CATALOGUE, judges_file(hall, path)).overall == "exact"


@pytest.mark.parametrize("game", GAMES)
def test_everybody_counts_the_same_events(hall: Hall, game: str) -> None:
    """boardgameio/boardgame.io#795: after an automatic action the other log missed a move."""
    one, two, path, match_id = table(hall, game)
    hall.play([one, two], match_id, most=12)
    asked = {"P1": one, "P2": two, "spectator": hall.anybody}
    logs = {viewer: events_of(caller, path, viewer) for viewer, caller in asked.items()}
    assert "system" in {event["actor"] for event in logs["P1"]}
    for field in ("seq", "type", "actor", "time"):
        (told,) = {tuple(event[field] for event in log) for log in logs.values()}
        assert len(told) == read(one, path)["events"]
    (facts,) = {tuple(len(event["facts"]) for event in log) for log in logs.values()}
    assert sum(facts) > 0


def test_nothing_vanishes_when_two_act_at_one_version(hall: Hall) -> None:
    """boardgameio/boardgame.io#828 and #302: an action vanished, or was entered twice."""
    one, two, path, _ = table(hall)
    version = read(one, path)["events"]
    body: dict[str, Json] = {"winner": "draw", "expected_version": version}
    first = good(one.post(f"{path}/end-offers", body, key="k"))
    late = {**body, "winner": "P2"}
    assert refused(two.post(f"{path}/end-offers", late), 409, "conflict")["version"] == version + 1
    assert good(one.post(f"{path}/end-offers", body, key="k")) == first
    good(two.post(f"{path}/end-offers", {**late, "expected_version": version + 1}))
    offered = [event for event in events_of(one, path) if event["type"] == "end_offered"]
    assert [event["content"]["seat"] for event in offered] == ["P1", "P2"]


def test_an_event_is_found_by_its_number_not_by_what_it_says(hall: Hall) -> None:
    """Hanabi-Live/hanabi-live#1272: going to the later of two equal moves landed on the earlier."""
    one, two, path, match_id = table(hall)
    hall.play([one, two], match_id, most=30)
    log = events_of(one, path)
    twins: dict[str, list[dict[str, Any]]] = {}
    for event in log:
        if event["action"] is not None:
            twins.setdefault(json.dumps([event["actor"], event["action"]]), []).append(event)
    pairs = [found for found in twins.values() if len(found) > 1]
    assert pairs
    for found in pairs:
        for event in found:
            window = {"from": event["seq"] - 1, "to": event["seq"]}
            (told,) = read(one, f"{path}/events", **window)["items"]
            assert told == event
            frame = read(one, f"{path}/frames", **window)
            assert frame["position"] == read(one, f"{path}/position", at=window["from"])["position"]


def test_what_is_chosen_in_secret_is_told_as_chosen(hall: Hall) -> None:
    """online-go/online-go.com#522, govariants#174: planned moves were readable in an overview."""
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.open(one, {"P1": one.person, "P2": two.person})
    path = f"{MATCHES}/{match_id}"
    hall.ready(two, match_id, bytes(32))
    for asker in (one, hall.anybody):
        for name in ("", "/events", "/frames", "/position", "/random"):
            told = asker.get(f"{path}{name}").get_data(as_text=True)
            for card in ("kotaro", bytes(32).hex()):
                assert card not in told, name
        listed = asker.get(MATCHES).get_data(as_text=True)
        assert "kotaro" not in listed
    (event,) = (one for one in events_of(one, path, "P1") if one["type"] == "seat_readied")
    assert (event["content"]["deck"], event["content"]["deck_salt"]) == (None, None)
    assert event["content"]["deck_seal"]
    assert event["content"]["seed_commitment"]
