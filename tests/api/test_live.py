"""The life of a match over HTTP: opened, seated, readied, played, held, ended, for every game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.aggregates.access import Role, place_of_match
from service.engine.values import Json
from service.installation import Installation, clock
from service.offline import verify_lines
from service.settings import MatchLimits, Settings
from service.times import moved
from service.worker import meet_deadlines
from tests.api.tables import MATCHES, Caller, Hall, good, refused

BEASTS: dict[str, Json] = {
    "mode": "machine_beast",
    "mothership": "HM-901",
    "beast_deck": "@beasts-continental",
    "first": "P1",
    "options": {"facility_sacrifice": True, "windows": "auto"},
}
SETUPS: dict[str, tuple[str, int, dict[str, Json]]] = {
    "hi-story": ("hi-story", 2, {"first": "P2"}),
    "formation": (
        "formation",
        2,
        {"first": "P2", "options": {"hand_size": 4, "round_limit": 7}},
    ),
    "versus": (
        "hagmi",
        2,
        {
            "mode": "versus",
            "first": "P2",
            "options": {"facility_sacrifice": True, "windows": "auto"},
        },
    ),
    "alone against beasts": ("hagmi", 1, BEASTS),
    "three against beasts": ("hagmi", 3, BEASTS),
}
"""Name → game, seats, a setup with every field that the game has."""
PLAYED = 60
OFFICES: tuple[Role, ...] = ("operator", "organizer", "head_judge", "judge", "auditor")
NOTHING_SAID = {"reason": "because"}


def paths(match_id: str) -> str:
    return f"{MATCHES}/{match_id}"


def people(hall: Hall, count: int = 2) -> list[Caller]:
    return [hall.person(f"Person {number}") for number in range(1, count + 1)]


def judge_of(hall: Hall, match_id: str) -> Caller:
    return hall.person("Judge", "judge", place=place_of_match(match_id))


def state_of(hall: Hall, match_id: str) -> Json:
    return good(hall.anybody.get(paths(match_id)), 200)


def report_of(hall: Hall, match_id: str, viewer: str = "judge") -> tuple[str, str]:
    """Return what an offline verification says of a match and of its draws."""
    file = hall.anybody.get(f"{paths(match_id)}/export", **{"as": viewer})
    lines = file.get_data().splitlines(keepends=True)
    report = verify_lines(hall.installation.catalogue, lines)
    return report.overall, report.checks["fair"].verdict


# A whole match of every game and mode.


def check_played(hall: Hall, name: str, most: int) -> None:
    """Play a match with everything set to its end; after so many actions all concede."""
    game, count, setup = SETUPS[name]
    players = people(hall, count)
    match_id = hall.begin(
        game,
        players,
        setup=setup,
        policy={"after_end": "all", "delay_events": 0, "delay_s": 0},
        visibility="link",
        cards="sample",
    )
    shown = state_of(hall, match_id)
    kept = {key: shown["setup"][key] for key in setup if key != "beast_deck"}
    assert kept == {key: setup[key] for key in kept}
    assert "@" not in str(shown["setup"]), "names of the pool are spelled out"
    assert (shown["state"], shown["visibility"], shown["kind"]) == ("running", "link", "live")
    for one in players if hall.play(players, match_id, most) == most else ():
        if state_of(hall, match_id)["state"] == "running":
            good(one.post(f"{paths(match_id)}/actions", {"action": {"type": "concede"}}))
    shown = state_of(hall, match_id)
    assert (shown["state"], shown["cause"]) == ("closed", "rules")
    assert shown["outcome"]["reason"]
    assert report_of(hall, match_id) == ("exact", "joint")
    answer = players[0].post(f"{paths(match_id)}/actions", {"action": {"type": "concede"}})
    refused(answer, 409, "closed")


@pytest.mark.parametrize("name", SETUPS)
def test_a_match_with_everything_set_is_played_to_its_end(hall: Hall, name: str) -> None:
    check_played(hall, name, PLAYED)


# Who opens, who sits down.


def test_an_open_seat_is_joined_by_a_link(hall: Hall) -> None:
    one, two, late = people(hall, 3)
    match_id = hall.open(one, {"P1": one.person, "P2": "open"}, visibility="link")
    listed = good(two.get(MATCHES), 200)["items"]
    assert listed == [], "whoever has the link finds it, nobody else"
    body = good(two.post(f"{paths(match_id)}/seats", {"seat": "P2"}))
    assert body["viewer"] == "P2"
    assert state_of(hall, match_id)["seats"] == {"P1": "Person 1", "P2": "Person 2"}
    again = good(two.post(f"{paths(match_id)}/seats", {"seat": "P2"}))
    assert (again["since"], again["version"], again["events"]) == (2, 2, [])
    refused(late.post(f"{paths(match_id)}/seats", {"seat": "P2"}), 409, "conflict")
    refused(two.post(f"{paths(match_id)}/seats", {"seat": "P1"}), 409, "conflict")
    refused(late.post(f"{paths(match_id)}/seats", {"seat": "P3"}), 409, "conflict")
    refused(late.post(f"{paths(match_id)}/seats", {"seat": "judge"}), 422, "invalid")
    refused(hall.anybody.post(f"{paths(match_id)}/seats", {"seat": "P2"}), 401, "unauthenticated")
    assert [item["id"] for item in good(two.get(MATCHES), 200)["items"]] == [match_id]


@pytest.mark.parametrize("office", OFFICES)
def test_offices_open_matches_for_others(hall: Hall, office: Role) -> None:
    one, two, other = *people(hall), hall.person("Office", office)
    body = {"game": "hi-story", "seats": {"P1": one.person, "P2": two.person}}
    answer = other.post(MATCHES, body)
    if office in ("operator", "auditor"):
        refused(answer, 403, "forbidden")
    else:
        assert good(answer)["viewer"] == "spectator"
    refused(hall.anybody.post(MATCHES, body), 401, "unauthenticated")
    refused(hall.person("Stranger").post(MATCHES, body), 403, "forbidden")
    without = hall.with_scopes(one.person, "read", "seat", "judge", "operate")
    refused(without.post(MATCHES, body), 403, "forbidden")
    narrowed = hall.with_scopes(one.person, "act", place="match/another")
    refused(narrowed.post(MATCHES, body), 403, "forbidden")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"game": "chess"}, "game"),
        ({"game": "Hi-Story"}, "game"),
        ({"cards": "no such pool"}, "cards"),
        ({"cards": "../../etc/passwd"}, "cards"),
        ({"edition": "hi-story@99"}, "edition"),
        ({"seats": {}}, "seats"),
        ({"seats": {"P1": "{one}"}}, "seats"),
        ({"seats": {"P1": "{one}", "P3": "{two}"}}, "seats"),
        ({"seats": {"P1": "{one}", "P2": "{one}"}}, "seats"),
        ({"seats": {"P1": "{one}", "P2": "nobody"}}, "seats.P2"),
        ({"seats": {"P1": "{one}", "judge": "{two}"}}, "seats.judge.key"),
        ({"seats": {"P1": "{one}", "P2": None}}, "seats.P2.value"),
        ({"setup": None}, "setup"),
        ({"setup": {"first": "P3"}}, "setup.first"),
        ({"setup": {"decks": {}}}, "setup.decks"),
        ({"setup": {"options": {}}}, "setup.options"),
        ({"visibility": "0"}, "visibility"),
        ({"visibility": "public"}, "visibility"),
        ({"policy": {"after_end": "some"}}, "policy.after_end"),
        ({"policy": {"delay_events": -1}}, "policy.delay_events"),
        ({"policy": {"delay_s": "5"}}, "policy.delay_s"),
        ({"policy": {"colour": 1}}, "policy.colour"),
        ({"seed": "00"}, "seed"),
        ({"opened_by": "{two}"}, "opened_by"),
    ],
)
def test_what_does_not_fit_a_match_is_named_and_nothing_is_opened(
    wide_hall: Hall, change: dict[str, Json], place: str
) -> None:
    hall = wide_hall
    hall.installation.register_editions()
    one, two = people(hall)
    good(one.get(MATCHES), 200)
    body: dict[str, Json] = {"game": "hi-story", "seats": {"P1": one.person, "P2": two.person}}
    seats = (body | change)["seats"]
    ids = {"{one}": one.person, "{two}": two.person}
    body |= change | {"seats": {seat: ids.get(str(who), who) for seat, who in seats.items()}}
    before = hall.installation.log.last_position()
    assert list(refused(one.post(MATCHES, body), 422, "invalid")["errors"]) == [place]
    assert hall.installation.log.last_position() == before


@pytest.mark.parametrize("game", ["formation", "hagmi"])
def test_faults_inside_a_setup_are_named(hall: Hall, game: str) -> None:
    one, two = people(hall)
    seats = {"P1": one.person, "P2": two.person}
    wrong: dict[str, list[tuple[Json, str]]] = {
        "formation": [
            ({"options": {"hand_size": 0}}, "setup.options.hand_size"),
            ({"options": {"hand_size": "5"}}, "setup.options.hand_size"),
            ({"options": {"colour": 1}}, "setup.options.colour"),
            ({"options": []}, "setup.options"),
            ([], "setup"),
        ],
        "hagmi": [
            ({"mode": "machine_beast"}, "seats"),
            ({"mode": "chess"}, "setup.mode"),
            ({"mothership": "HM-901"}, "setup.mothership"),
            ({"options": {"windows": True}}, "setup.options.windows"),
            ({"options": {"facility_sacrifice": 1}}, "setup.options.facility_sacrifice"),
        ],
    }
    for setup, place in wrong[game]:
        given = {"P1": one.person, "P3": two.person} if place == "seats" else seats
        answer = one.post(MATCHES, {"game": game, "seats": given, "setup": setup})
        assert list(refused(answer, 422, "invalid")["errors"]) == [place], setup


@pytest.fixture
def small_hall(settings: Settings, hall: Hall) -> Hall:
    """A hall in which everybody may leave two matches open."""
    limits = replace(settings.match_limits, open_matches=2)
    installation = replace(hall.installation, match_limits=limits)
    app = hall.client.application
    app.extensions["kifu"] = installation
    return replace(hall, installation=installation)


def test_nobody_leaves_too_many_matches_open(small_hall: Hall) -> None:
    assert MatchLimits().open_matches == 20
    one, two, three = people(small_hall, 3)
    first = small_hall.open(one, {"P1": one.person, "P2": "open"})
    small_hall.open(one, {"P1": one.person, "P2": two.person})
    third = small_hall.open(three, {"P1": three.person, "P2": "open"})
    seats = {"P1": one.person, "P2": three.person}
    refused(one.post(MATCHES, {"game": "hi-story", "seats": seats}), 409, "conflict")
    refused(one.post(f"{paths(third)}/seats", {"seat": "P2"}), 409, "conflict")
    refused(three.post(MATCHES, {"game": "hi-story", "seats": seats}), 409, "conflict")
    good(one.post(f"{paths(first)}/cancellation", NOTHING_SAID))
    good(one.post(f"{paths(third)}/seats", {"seat": "P2"}))


# Decks and seeds.


def test_a_deck_against_the_rules_is_refused_in_both_languages(hall: Hall) -> None:
    for game in hall.installation.catalogue.names():
        one, two = people(hall)
        match_id = hall.open(one, {"P1": one.person, "P2": two.person}, game=game)
        before = hall.installation.log.last_position()
        for deck in ("@no such deck", [], {}, "", 7, {"x": 1}, ["x*999"]):
            told = {
                language: refused(
                    one.post(f"{paths(match_id)}/readiness", {"deck": deck}, lang=language),
                    422,
                    "rule",
                )
                for language in ("ja", "en")
            }
            assert told["ja"]["rule"] == told["en"]["rule"]
            assert told["ja"]["reason"] != told["en"]["reason"]
            assert told["en"]["reason"].isascii()
            assert told["en"]["rule_url"] == f"/api/v1/rules/{told['en']['rule']}"
            good(hall.anybody.get(told["en"]["rule_url"]), 200)
        assert hall.installation.log.last_position() == before


@pytest.mark.parametrize(
    "seed",
    [
        *("", "00" * 31, "00" * 33, "AB" * 32, "-" + "1" * 63, "0x" + "1" * 62),
        *("x" * 64, "００" * 32, "00" * 32 + "\n", -1, 12, [1] * 4, None, {"seed": "00" * 32}),
    ],
    ids=str,
)
def test_a_malformed_seed_is_named_and_nothing_is_stored(wide_hall: Hall, seed: Json) -> None:
    hall = wide_hall
    one, two = people(hall)
    match_id = hall.open(one, {"P1": one.person, "P2": two.person})
    before = hall.installation.log.last_position()
    sent = {"deck": hall.deck_of("hi-story"), "seed_commitment": seed}
    body = refused(one.post(f"{paths(match_id)}/readiness", sent), 422, "invalid")
    assert list(body["errors"]) == ["seed_commitment"]
    body = refused(one.post(f"{paths(match_id)}/seeds", {"seed": seed}), 422, "invalid")
    assert list(body["errors"]) == ["seed"]
    assert hall.installation.log.last_position() == before


def test_seeds_are_opened_in_order_and_are_those_that_were_sealed(hall: Hall) -> None:
    one, two = people(hall)
    match_id = hall.open(one, {"P1": one.person, "P2": two.person})
    seeds = [bytes([number]) * 32 for number in (1, 2)]

    def opened(who: Caller, seed: bytes) -> int:
        return who.post(f"{paths(match_id)}/seeds", {"seed": seed.hex()}).status_code

    hall.ready(one, match_id, seeds[0])
    assert opened(one, seeds[0]) == 409, "not before all are ready"
    hall.ready(two, match_id, seeds[1])
    assert opened(two, seeds[1]) == 409, "P1 is first"
    assert opened(one, seeds[1]) == 409, "that is another one"
    assert opened(one, seeds[0]) == 201
    assert opened(one, seeds[0]) == 409, "once"
    assert state_of(hall, match_id)["state"] == "beginning"
    refused(one.post(f"{paths(match_id)}/actions", {"action": {"type": "x"}}), 409, "conflict")
    answer = one.post(f"{paths(match_id)}/readiness", {"deck": hall.deck_of("hi-story")})
    refused(answer, 409, "conflict")
    assert opened(two, seeds[1]) == 201
    assert state_of(hall, match_id)["state"] == "running"


# Deadlines. The times are given: nothing waits.


def meet(installation: Installation, **later: int) -> None:
    seconds = later.get("minutes", 0) * 60 + later.get("days", 0) * 24 * 60 * 60
    meet_deadlines(installation, moved(clock(), seconds))


def test_a_match_whose_seats_are_late_is_cancelled(hall: Hall) -> None:
    one, two = people(hall)
    match_id = hall.open(one, {"P1": one.person, "P2": two.person})
    hall.ready(one, match_id)
    meet(hall.installation, minutes=9)
    assert state_of(hall, match_id)["state"] == "beginning"
    meet(hall.installation, minutes=11)
    shown = state_of(hall, match_id)
    assert (shown["state"], shown["cause"]) == ("cancelled", "not_ready")
    deck = hall.deck_of("hi-story")
    refused(two.post(f"{paths(match_id)}/readiness", {"deck": deck}), 409, "closed")
    meet(hall.installation, minutes=30)
    assert state_of(hall, match_id)["events"] == shown["events"]


def test_a_late_seed_counts_as_none_and_the_record_says_so(hall: Hall) -> None:
    one, two = people(hall)
    match_id = hall.open(one, {"P1": one.person, "P2": two.person})
    seed = bytes(31) + b"1"
    hall.ready(one, match_id, seed)
    hall.ready(two, match_id, seed[::-1])
    good(one.post(f"{paths(match_id)}/seeds", {"seed": seed.hex()}))
    meet(hall.installation, minutes=11)
    assert state_of(hall, match_id)["state"] == "running"
    drawn = good(hall.anybody.get(f"{paths(match_id)}/random"), 200)
    assert drawn["seeds"] == {"P1": seed.hex(), "P2": None}
    refused(two.post(f"{paths(match_id)}/seeds", {"seed": seed[::-1].hex()}), 409, "conflict")
    good(two.post(f"{paths(match_id)}/actions", {"action": {"type": "concede"}}))
    assert report_of(hall, match_id) == ("exact", "mixed")


def test_a_match_in_which_nothing_happens_is_abandoned(hall: Hall) -> None:
    one, two = people(hall)
    match_id = hall.begin("formation", [one, two])
    held = hall.begin("hi-story", [one, two])
    good(judge_of(hall, held).post(f"{paths(held)}/hold", NOTHING_SAID))
    meet(hall.installation, days=29)
    assert state_of(hall, match_id)["state"] == "running"
    meet(hall.installation, days=31)
    for ended in (match_id, held):
        shown = state_of(hall, ended)
        assert (shown["state"], shown["cause"]) == ("closed", "abandoned")
        assert shown["outcome"] is None
        assert report_of(hall, ended) == ("exact", "joint")
