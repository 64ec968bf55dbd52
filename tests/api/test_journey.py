"""A whole match over HTTP, watched by everybody at every event."""

from __future__ import annotations

import pytest

from service.installation import Installation
from service.offline import verify_lines
from tests.api.tables import MATCHES, Caller, Hall, good, hall_of

READ = ("position", "events", "frames", "random")


@pytest.fixture
def hall(installation: Installation) -> Hall:
    return hall_of(installation)


def answers_at(one: Caller, match_id: str, viewer: str, index: int) -> dict[str, bytes]:
    """Return what a caller is answered about an index, byte for byte."""
    path, window = f"{MATCHES}/{match_id}", {"from": max(0, index - 5), "to": index}
    asked = {"position": {"at": index}, **dict.fromkeys(READ[1:], window)}
    found = {}
    for name, query in asked.items():
        answer = one.get(f"{path}/{name}", **{"as": viewer}, **query)
        assert answer.status_code == 200, answer.get_data(as_text=True)
        found[name] = answer.get_data()
    return found


def test_two_persons_play_a_whole_match(hall: Hall) -> None:
    one, two, nobody = hall.person("一郎"), hall.person("Two"), hall.anybody
    match_id = hall.begin("hi-story", [one, two])
    watching = {"P1": one, "P2": two, "spectator": nobody}
    live: dict[tuple[str, int], dict[str, bytes]] = {}
    goes_on, last = True, 0
    while goes_on:
        version = good(nobody.get(f"{MATCHES}/{match_id}"), 200)["events"]
        for index in range(last, version + 1, 3):
            for viewer, caller in watching.items():
                live[viewer, index] = answers_at(caller, match_id, viewer, index)
        last = version
        goes_on = hall.play_one([one, two], match_id)
    ended = good(nobody.get(f"{MATCHES}/{match_id}"), 200)
    assert ended["state"] == "closed"
    assert ended["viewers"] == ["spectator", "P1", "P2", "judge"]
    for (viewer, index), answers in live.items():
        assert answers_at(nobody, match_id, viewer, index) == answers, (viewer, index)
    file = nobody.get(f"{MATCHES}/{match_id}/export", **{"as": "judge"}).get_data()
    report = verify_lines(hall.installation.catalogue, file.splitlines(keepends=True))
    assert (report.overall, report.checks["fair"].verdict) == ("exact", "joint"), report
