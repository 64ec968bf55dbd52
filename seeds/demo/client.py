"""An example client: plays a match between two persons through the HTTP API, at random.

The tokens of the two persons (scopes `seat` and `act`) come on standard input, one a line, so that
they stand neither in the list of processes nor in the history of a shell:

    kifu token create PERSON --scope seat --scope act         # once for each of the two
    python client.py http://127.0.0.1:8000 hi-story < tokens

It prints the address of the match, and at the end the outcome. Every route that it uses is
described by `/api/v1/openapi.json` at the same address.
"""

import argparse
import hashlib
import json
import random
import secrets
import sys
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

DECKS = {"hi-story": "@tenka", "hagmi": "@deck-ironrain", "formation": "@red_green_charge"}
ANSWER_WAIT_S = 30
AGAIN_WAIT_S = 2
TRIES_MAX = 5
PICKS_MAX = 64


class Problem(Exception):
    """A request that was refused. body: JSON about it (RFC 9457), if the server answered itself."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(f"{status}: {body.decode(errors='replace')}")
        self.status = status
        self.is_rule = b'"/problems/rule"' in body


class Player:
    """Somebody who calls the API with a token."""

    def __init__(self, address: str, token: str) -> None:
        self._root = f"{address.rstrip('/')}/api/v1"
        self._headers = {"Authorization": f"Bearer {token}", "Accept-Language": "en"}

    def get(self, path: str) -> Any:
        """Return what can be read at a path."""
        return self._answer(Request(f"{self._root}/{path}", headers=self._headers))

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send a command and return what it did."""
        # One key for each command: sent again when an answer is lost, it cannot be done twice.
        more = {"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(16)}
        data = json.dumps(body).encode()
        return self._answer(Request(f"{self._root}/{path}", data, {**self._headers, **more}))

    def _answer(self, request: Request) -> Any:
        """Return the answer; wait and ask again where that helps, else raise `Problem`."""
        for _ in range(TRIES_MAX):
            try:
                with urlopen(request, timeout=ANSWER_WAIT_S) as answer:
                    return json.load(answer)
            except HTTPError as error:
                # Too often (429) and not ready (503) pass by themselves; nothing else does.
                if error.code not in (429, 503):
                    raise Problem(error.code, error.read()) from error
                wait_s = int(error.headers.get("Retry-After", AGAIN_WAIT_S))
            except (OSError, HTTPException):
                wait_s = AGAIN_WAIT_S
            time.sleep(wait_s)
        raise Problem(503, f"no answer from {self._root}".encode())


def commitment(match: str, seat: str, seed: bytes) -> str:
    """Return the hash by which a seat seals its seed; each part stands behind its length."""
    parts = (match.encode(), seat.encode(), seed)
    joined = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hashlib.sha256(b"kifu-seed-v1\0" + joined).hexdigest()


def begin(players: Mapping[str, Player], game: str) -> str:
    """Open a match, make both seats ready and open their seeds; return the id of the match.

    All draws follow from a secret of the server and from the seeds of both seats. All of these are
    sealed before the first one is opened, so nobody can choose the draws.
    """
    persons = {seat: player.get("persons/me")["id"] for seat, player in players.items()}
    match: str = players["P1"].post("matches", {"game": game, "seats": persons})["match"]
    seeds = {seat: secrets.token_bytes(32) for seat in players}
    for seat, player in players.items():
        sealed = commitment(match, seat, seeds[seat])
        player.post(f"matches/{match}/readiness", {"deck": DECKS[game], "seed_commitment": sealed})
    for seat, player in players.items():
        player.post(f"matches/{match}/seeds", {"seed": seeds[seat].hex()})
    return match


def play(players: Sequence[Player], match: str, pause_s: float) -> Any:
    """Play random actions until the match is over; return the match as it is listed then."""
    while True:
        # In some games both seats may act at the same time: neither should always come first.
        if not any(has_played(one, match) for one in random.sample(players, len(players))):
            found = players[0].get(f"matches/{match}")
            if found["state"] in ("closed", "cancelled"):
                return found
        time.sleep(pause_s)


def has_played(player: Player, match: str) -> bool:
    """Let a player play one random action, if the match waits for him; tell whether it did."""
    listed = player.get(f"matches/{match}/legal-actions")
    entries = [entry for entry in listed["actions"] if entry["type"] != "concede"]
    if listed["seat"] not in listed["awaited"] or not entries:
        return False
    body = {"action": filled(random.choice(entries)), "expected_version": listed["version"]}
    try:
        player.post(f"matches/{match}/actions", body)
    except Problem as problem:
        # 409: the match has gone on, is held, or is over: look again. A rule may refuse (422) what
        # depends on two choices that no template can express: choose again.
        if problem.status != 409 and not problem.is_rule:
            raise
        time.sleep(AGAIN_WAIT_S if problem.status == 409 else 0)
    return True


def filled(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an action made of a listed entry; what depends on another field (`by`) comes last."""
    choosers: Mapping[str, Any] = entry.get("choose", {})
    action = {field: value for field, value in entry.items() if field != "choose"}
    for field, chooser in choosers.items():
        if "by" not in chooser:
            sums = [one.get("sum") for one in choosers.values() if one.get("by") == field]
            action[field] = chosen(chooser, most=min(filter(None, sums), default=None))
    for field, chooser in choosers.items():
        if "by" in chooser:
            action[field] = chosen_by(chooser, action[chooser["by"]])
    return action


def chosen(chooser: Mapping[str, Any], most: int | None) -> Any:
    """Return one of `from`, or a list of `min` to `max` of them; most: what can be shared out."""
    values = list(chooser["from"])
    if "min" not in chooser:
        return random.choice(values)
    repeat, low, high = chooser.get("repeat"), chooser["min"], chooser["max"]
    high = high if repeat else min(high, len(values))
    if most is not None:
        low, high = max(low, min(most, 1)), min(high, most)
    for _ in range(PICKS_MAX):
        count = random.randint(low, high)
        picked = random.choices(values, k=count) if repeat else random.sample(values, count)
        # Together they weigh `at_most` or less, and no two have the same mark in `unlike`.
        marks = [chooser["unlike"][one] for one in picked] if "unlike" in chooser else []
        weight = sum(chooser["weights"][one] for one in picked) if "weights" in chooser else 0
        if weight <= chooser.get("at_most", weight) and len(set(marks)) == len(marks):
            return picked
    return values[:low]


def chosen_by(chooser: Mapping[str, Any], elements: Sequence[Any]) -> Any:
    """Return a value for each element of another field; with `sum` shares of 1 or more each."""
    if "sum" not in chooser:
        given = chooser["from"]
        return [random.choice(given[one] if isinstance(given, dict) else given) for one in elements]
    shares = dict.fromkeys(elements, 1)
    for _ in range(chooser["sum"] - len(elements)):
        shares[random.choice(elements)] += 1
    return shares


def main() -> None:
    """Play as the command line says; exit code 0: played to the end, 1: something was refused."""
    parser = argparse.ArgumentParser(description="Play a match at random through the API of Kifu.")
    parser.add_argument("address", help="of the server, such as http://127.0.0.1:8000")
    parser.add_argument("game", choices=sorted(DECKS))
    parser.add_argument("--pause", type=float, default=2.5, help="seconds between two actions")
    parser.add_argument("--match", help="go on with this running match of the two persons")
    asked = parser.parse_args()
    tokens = sys.stdin.read().split()
    if len(tokens) != 2:
        parser.error("two tokens are expected on standard input, one a line")
    one, two = (Player(asked.address, token) for token in tokens)
    try:
        match = asked.match or begin({"P1": one, "P2": two}, asked.game)
        print(f"{asked.address.rstrip('/')}/matches/{match}", flush=True)
        ended = play([one, two], match, asked.pause)
    except Problem as problem:
        sys.exit(f"refused: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
    print(f"{ended['state']}: {json.dumps(ended['outcome'])}")


if __name__ == "__main__":
    main()
