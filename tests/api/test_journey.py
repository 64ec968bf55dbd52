"""A whole match over HTTP, watched by everybody at every event."""

from __future__ import annotations

import json
import random
from dataclasses import replace

from service.offline import verify_lines
from service.worker import follow
from tests.api.tables import MATCHES, Caller, Hall, good

IN_WINDOWS = ("events", "frames", "random")
WINDOW = 20
SHORT = 9
"""A seed with which random play comes to an end early."""

Answers = dict[tuple[str, str, int, int], bytes]


def answer_to(one: Caller, match_id: str, asked: tuple[str, str, int, int]) -> bytes:
    """Return what a caller is answered, byte for byte. asked: what, as whom, from where, to."""
    name, viewer, start, to = asked
    query = {"at": to} if name == "position" else {"from": start, "to": to}
    answer = one.get(f"{MATCHES}/{match_id}/{name}", **{"as": viewer}, **query)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    if name == "random":
        # The roots of the draws are told, too, once they are opened.
        return json.dumps(answer.get_json()["items"]).encode()
    return answer.get_data()


def test_two_persons_play_a_whole_match(hall: Hall) -> None:
    """All three see each position when it comes about and all that led there a little later."""
    hall = replace(hall, random=random.Random(SHORT))
    one, two, nobody = hall.person("一郎"), hall.person("Two"), hall.anybody
    match_id = hall.begin("hi-story", [one, two])
    watching = {"P1": one, "P2": two, "spectator": nobody}
    live: Answers = {}
    goes_on, last, read = True, -1, 0
    while goes_on:
        goes_on = last < 0 or hall.play_one([one, two], match_id)
        version = good(nobody.get(f"{MATCHES}/{match_id}"), 200)["events"]
        for viewer, caller in watching.items():
            asked = [("position", viewer, at, at) for at in range(last + 1, version + 1)]
            if version >= read + WINDOW or not goes_on:
                asked += [(name, viewer, read, version) for name in IN_WINDOWS]
            live |= {what: answer_to(caller, match_id, what) for what in asked}
        if version >= read + WINDOW:
            read = version
        last = version
    ended = good(nobody.get(f"{MATCHES}/{match_id}"), 200)
    assert (ended["state"], ended["events"]) == ("closed", last)
    assert ended["viewers"] == ["spectator", "P1", "P2", "judge"]
    positions = {(viewer, at) for name, viewer, at, _ in live if name == "position"}
    assert positions == {(viewer, at) for viewer in watching for at in range(last + 1)}
    follow(hall.installation, 0)
    for asked_before, answer in live.items():
        assert answer_to(nobody, match_id, asked_before) == answer, asked_before
    file = nobody.get(f"{MATCHES}/{match_id}/export", **{"as": "judge"}).get_data()
    report = verify_lines(hall.installation.catalogue, file.splitlines(keepends=True))
    assert (report.overall, report.checks["fair"].verdict) == ("exact", "joint"), report
