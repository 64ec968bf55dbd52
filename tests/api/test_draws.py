"""The draws of a match over HTTP: with roots and seeds everybody makes each of them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from service.aggregates.fairness import NO_SEED, draw_key, root_commitment, seed_commitment
from service.engine.draws import numbers
from service.engine.values import Json
from service.installation import Installation
from tests.api.tables import MATCHES, Caller, Hall, good, hall_of
from tests.api.test_judging import Court, court_of, last_action
from tests.conftest import CATALOGUE, import_log, log_of

PLAYED = 6


def draws_of(caller: Caller, match: str, viewer: str = "judge", **query: Json) -> Json:
    path = f"{MATCHES}/{match}"
    events = good(caller.get(path), 200)["events"]
    return good(caller.get(f"{path}/random", to=events, **{"as": viewer, **query}), 200)


def each(told: Json) -> Iterator[tuple[int, Json, Json]]:
    for item in told["items"]:
        for draw, made in zip(item["draws"], item["made"], strict=True):
            yield item["seq"], draw, made


def made_again(told: Json, seq: int, made: Mapping[str, Json], sides: int | None) -> Json:
    """Make a draw from what is opened alone: the number of a die, or a shuffled list."""
    period = next(one for one in reversed(told["periods"]) if one["since"] <= seq)
    given = [bytes.fromhex(told["seeds"].get(seat) or NO_SEED.hex()) for seat in ("P1", "P2")]
    key = draw_key(bytes.fromhex(period[made["root"]]), told["match"], given)
    below = numbers(key, made["label"])
    if sides is not None:
        return below(sides) + 1
    order = list(made["before"])
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def check_all(told: Json) -> int:
    """Check seals, roots and draws; return how many draws there are."""
    match, count = told["match"], 0
    for period in told["periods"]:
        for name in ("open", "closed"):
            opened = root_commitment(match, name, bytes.fromhex(period[name]))
            assert opened == period["sealed"][name]
    for seat, sealed in told["seals"].items():
        assert seed_commitment(match, seat, bytes.fromhex(told["seeds"][seat])) == sealed
    for seq, draw, made in each(told):
        assert made_again(told, seq, made, draw.get("sides")) == draw.get("die", draw.get("order"))
        assert made["text"]
        count += 1
    return count


def finish(court: Court) -> None:
    """Let P1 give up, and play what is left."""
    if court.shown(court.judge)["state"] == "running":
        path = f"{court.path}/actions"
        good(court.players[0].post(path, {"action": {"type": "concede"}}))
    if court.shown(court.judge)["state"] != "closed":
        court.hall.play(court.players, court.match)


@pytest.mark.parametrize("game", CATALOGUE.names())
def test_every_draw_is_made_again_also_after_a_backup(
    installation: Installation, game: str
) -> None:
    court = court_of(installation, game, played=4)
    disputed = last_action(court)
    dispute = court.dispute(court.players[1], disputed["seq"])
    match = installation.log.match(court.match)
    pile = min(installation.log.ruleset_of(match.opened).piles(match.position))
    good(court.rule(court.head, dispute, kind="partial_fix", shuffles=[pile]))
    other = court.dispute(court.players[1], disputed["seq"])
    good(court.rule(court.head, other, kind="full_backup", to=disputed["seq"] - 1))
    court.hall.play(court.players, court.match, PLAYED)
    finish(court)
    told = draws_of(court.hall.anybody, court.match)
    assert check_all(told) > 2
    assert any(made["label"].startswith("shuffle/ruling:") for _, _, made in each(told))
    labels = [made["label"] for _, _, made in each(told)]
    late = draws_of(court.hall.anybody, court.match, **{"from": disputed["seq"]})
    assert [made["label"] for _, _, made in each(late)] == labels[-len(list(each(late))) :]


def test_what_is_hidden_stays_so(installation: Installation) -> None:
    hall = hall_of(installation)
    players = [hall.person("One"), hall.person("Two")]
    match = hall.begin("formation", players)
    for caller, viewer in ((hall.anybody, "spectator"), (players[0], "P1")):
        told = draws_of(caller, match, viewer)
        assert [(one["open"], one["closed"]) for one in told["periods"]] == [(None, None)]
        for _, draw, made in each(told):
            assert (draw is None) == (made is None)
            if made is not None and made["root"] == "closed":
                assert made["before"] is None
    first = next(each(draws_of(hall.anybody, match, "spectator")))
    assert (first[2]["label"], first[2]["before"]) == ("shuffle/first/0", ["P1", "P2"])


def test_draws_that_came_with_the_record_have_no_roots(
    installation: Installation, hall: Hall
) -> None:
    match = import_log(installation, log_of("hi-story", 1))
    told = draws_of(hall.anybody, match)
    assert told["periods"] == [{"since": 1, "sealed": None, "open": None, "closed": None}]
    assert [made["text"] for _, _, made in each(told)]
