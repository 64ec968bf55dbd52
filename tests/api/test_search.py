"""Search over HTTP: what is answered, what is refused, and who finds what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.aggregates.access import ROLES, place_of_match, place_of_tournament
from service.aggregates.events import TableGame
from service.aggregates.tournaments.entries import EnterPlayer
from service.aggregates.tournaments.events import Phase
from service.aggregates.tournaments.opening import OpenTournament
from service.commands.tournaments import carry_out, open_tournament
from service.engine.values import Json
from service.installation import Installation
from service.standings.profiles import PROFILES
from tests.api.tables import MATCHES, Caller, Hall, good, refused
from tests.projections.disputed import NOW, Disputed

SEARCH = "/api/v1/search"
KINDS = ("rulings", "disputes", "comments")
WORD, SECRET = "共通語", "極秘"
CUP, OTHER_CUP = "cup", "other"


def found(one: Caller, q: str, **more: Json) -> Any:
    return good(one.get(SEARCH, q=q, **more), 200)


def ids(answer: Any) -> list[str]:
    return [item["id"] for item in answer["items"]]


@pytest.fixture
def rules(hall: Hall) -> Hall:
    hall.installation.register_editions()
    return hall


# What is answered.


def test_rules_are_found_with_what_was_looked_for_marked(rules: Hall) -> None:
    answer = found(rules.anybody, "ﾄｹﾞﾄｹﾞ", game="formation", limit=2)
    first = answer["items"][0]
    assert (first["id"], first["kind"], first["lang"]) == ("FM-601", "rules", "ja")
    assert (first["game"], first["edition"]) == ("formation", "formation@1")
    assert (first["match"], first["dispute"], first["number"]) == (None, None, None)
    for part in (first["heading"], first["snippet"]):
        assert [part["text"][one["start"] : one["end"]] for one in part["highlights"]][:1] == [
            "トゲトゲ"
        ]
    assert (answer["count"] > 2, answer["capped"], answer["widened"]) == (True, False, False)


def test_pages_follow_each_other(rules: Hall) -> None:
    whole = ids(found(rules.anybody, "攻撃", limit=500))
    pages: list[str] = []
    after: dict[str, str] = {}
    while True:
        page = found(rules.anybody, "攻撃", limit=60, **after)
        pages += ids(page)
        if page["next"] is None:
            break
        after = {"after": page["next"]}
    assert pages == whole
    assert len(pages) == len(set(pages)) > 60
    wrong = {"q": "攻撃", "in": "comments", "after": after["after"]}
    assert set(refused(rules.anybody.get(SEARCH, **wrong), 422, "invalid")["errors"]) == {"after"}


def test_synonyms_are_told_and_used_when_asked(rules: Hall) -> None:
    plain = found(rules.anybody, "捨て札", game="hagmi")
    assert "墓地" in plain["synonyms"]
    wide = found(rules.anybody, "捨て札", game="hagmi", synonyms="1")
    assert wide["count"] > plain["count"]
    assert (wide["synonyms"], wide["widened"]) == (plain["synonyms"], True)
    assert found(rules.anybody, "射程")["synonyms"] == []


def test_a_language_and_a_game_narrow_the_search(rules: Hall) -> None:
    for lang in ("ja", "en"):
        answer = found(rules.anybody, "p", lang=lang, game="hi-story")
        assert {(item["lang"], item["game"]) for item in answer["items"]} == {(lang, "hi-story")}
    assert found(rules.anybody, "p", game="nothing")["items"] == []


# What is refused.


@pytest.mark.parametrize("q", ["", " ", "・", '"', "*", "🎴", "x" * 10_000, "a " * 21, "\0"])
def test_what_cannot_be_looked_for_is_refused(hall: Hall, q: str) -> None:
    body = refused(hall.anybody.get(SEARCH, q=q), 400, "malformed-query")
    assert body["detail"]
    assert refused(hall.anybody.get(SEARCH, q=q, lang="en"), 400, "malformed-query")["title"]


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"q": "a", "in": "matches"},
        {"q": "a", "limit": 0},
        {"q": "a", "limit": 501},
        {"q": "a", "after": "x"},
        {"q": "a", "synonyms": "maybe"},
        {"q": "a", "lang": "fr"},
        {"q": "a", "game": "x" * 41},
        {"q": "a", "more": "b"},
    ],
)
def test_a_query_of_another_form_is_invalid(hall: Hall, query: Mapping[str, Json]) -> None:
    assert refused(hall.anybody.get(SEARCH, **query), 422, "invalid")["errors"]


def test_no_query_is_a_fault_of_the_service(rules: Hall) -> None:
    @given(q=st.text(max_size=30) | st.text("\"'*^:()-+|&!<> NEARあ亜aＡ\0%?", max_size=30))
    @settings(max_examples=20)
    def ask(q: str) -> None:
        assert rules.anybody.get(SEARCH, q=q).status_code in (200, 400)

    ask()


# Who finds what.


def played(hall: Hall, players: list[Caller], *, is_over: bool = True, **more: Json) -> str:
    match_id = hall.begin("hi-story", players, **more)
    if is_over:
        good(players[0].post(f"{MATCHES}/{match_id}/actions", {"action": {"type": "concede"}}))
    return match_id


def dispute(hall: Hall, name: str, match_id: str, cup: str | None = None) -> None:
    """Open a dispute, with a text of every kind that can be looked for, and one that cannot."""
    table = None if cup is None else TableGame(tournament=cup, phase=1, round=1, table=1, game=1)
    one = Disputed(here=hall.installation, dispute=name, match_id=match_id, table=table)
    one.open(WORD).comment(WORD).comment(f"{WORD} {SECRET}", "judges").rule(WORD)


def cup(here: Installation, tournament_id: str, *players: Caller) -> None:
    command = OpenTournament(
        tournament_id=tournament_id,
        name="ab" * 32,
        game="hi-story",
        cards="sample",
        setup={},
        phases=[Phase(format="swiss", rounds=1)],
        profile=PROFILES["mtr-2024"],
        by="olga",
    )
    open_tournament(here.tournaments, command, now=NOW)
    for one in players:
        entered = EnterPlayer(
            tournament_id=tournament_id,
            player=one.person,
            person=one.person,
            name="ab" * 32,
            by="olga",
        )
        carry_out(here.tournaments, entered, now=NOW)


def seen(one: Caller) -> set[tuple[str, str]]:
    """Return the dispute and kind of everything that somebody finds; what is counted is shown."""
    shown = set()
    for kind in KINDS:
        answer = one.get(SEARCH, q=WORD, **{"in": kind})
        body = good(answer, 200)
        assert body["count"] == len(body["items"])
        assert SECRET not in answer.get_data(as_text=True)
        shown |= {(item["dispute"], kind) for item in body["items"]}
    return shown


def of(*disputes: str) -> set[tuple[str, str]]:
    return {(name, kind) for name in disputes for kind in KINDS}


def test_who_finds_what(hall: Hall) -> None:
    ann, bob = hall.person("Ann"), hall.person("Bob")
    players = [ann, bob]
    judge_who_plays = hall.person("Jo", "judge")
    opener = hall.person("Oda", "organizer", place=place_of_tournament("elsewhere"))
    dispute(hall, "open", played(hall, players))
    running = played(hall, players, is_over=False)
    dispute(hall, "running", running)
    dispute(hall, "ended", played(hall, players, policy={"after_end": "nothing"}))
    dispute(hall, "private", played(hall, players, visibility="participants"))
    dispute(hall, "linked", played(hall, players, visibility="link"))
    dispute(hall, "delayed", played(hall, players, policy={"delay_s": 600}))
    cup(hall.installation, CUP, judge_who_plays)
    dispute(hall, "cup", played(hall, players, is_over=False), CUP)
    dispute(hall, "others", played(hall, [opener, bob], is_over=False), OTHER_CUP)
    all_of_ann = of("open", "running", "ended", "private", "linked", "delayed", "cup")
    everybody = of("open") | {("ended", "rulings")}
    everything = all_of_ann | of("others")

    assert seen(hall.anybody) == everybody
    assert seen(hall.person("Stranger")) == everybody
    assert seen(ann) == all_of_ann
    assert seen(bob) == everything, "he sits in all of them"
    assert found(bob, SECRET, **{"in": "comments"})["count"] == 0
    assert seen(hall.with_scopes(ann.person, "read")) == all_of_ann
    narrow = hall.with_scopes(ann.person, "read", place=place_of_match("elsewhere"))
    assert seen(narrow) == everybody
    for role in ROLES:
        reads_all = role in ("judge", "head_judge", "organizer")
        assert seen(hall.person(role, role)) == (everything if reads_all else everybody)
    judge = hall.person("Judge", "judge")
    assert seen(hall.with_scopes(judge.person, "read", "act")) == everybody
    in_cup = hall.with_scopes(judge.person, "judge", place=place_of_tournament(CUP))
    assert seen(in_cup) == everybody | of("cup")
    assert seen(hall.person("J", "judge", place=place_of_tournament(CUP))) == everybody | of("cup")
    assert seen(hall.person("M", "judge", place=place_of_match(running))) == (
        everybody | of("running")
    )
    assert seen(judge_who_plays) == everything - of("cup"), "he plays in the cup"


def test_who_only_opened_a_match_finds_no_more_than_others(hall: Hall) -> None:
    opener = hall.person("Opener", "organizer")
    players = [hall.person("Ann"), hall.person("Bob")]
    seats = {f"P{number}": one.person for number, one in enumerate(players, start=1)}
    match_id = hall.open(opener, seats)
    dispute(hall, "d", match_id)
    assert seen(hall.with_scopes(opener.person, "read", "act", "seat")) == set()
    assert seen(players[1]) == of("d")


def test_a_ruling_is_told_with_its_place(hall: Hall) -> None:
    players = [hall.person("Ann"), hall.person("Bob")]
    match_id = played(hall, players)
    dispute(hall, "d", match_id, CUP)
    (item,) = found(hall.anybody, WORD, **{"in": "rulings"})["items"]
    assert (item["id"], item["dispute"], item["number"]) == ("d.1", "d", 1)
    assert (item["match"], item["tournament"], item["lang"]) == (match_id, CUP, "ja")
    assert (item["heading"], item["edition"]) == (None, None)
    assert item["snippet"]["highlights"] == [{"start": 0, "end": len(WORD)}]
    assert ids(found(hall.anybody, WORD, **{"in": "disputes"})) == ["d"]
