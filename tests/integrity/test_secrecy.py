"""What a player holds confirms no guess, and gives no draw away before the end."""

from __future__ import annotations

import json

import pytest

from schemas.strict import encoded
from service.aggregates.fairness import draw_key
from service.engine.draws import KeyedSource
from service.engine.hashes import tagged_hash
from service.engine.values import Json
from service.integrity.chain import position_hash
from tests.integrity.conftest import Lines, Signed

CANDIDATES = 20


@pytest.fixture
def held(signed: Signed) -> Lines:
    """What P1 holds of a match, up to its first set: before anything of the end is opened."""
    lines = signed.lines(signed.simulated["hi-story"], "P1")
    return [line for line in lines if b"secrets_opened" not in line and b"statement" not in line]


def hidden_set(signed: Signed) -> tuple[int, Json]:
    """Return seq and judge's action of the first card that P2 set face down."""
    for line in signed.lines(signed.simulated["hi-story"], "judge")[2:-1]:
        body = json.loads(line)
        action = body["form"].get("action") or {}
        if body["header"]["actor"] == "P2" and action.get("type") == "set_card":
            return body["header"]["seq"], body["form"]
    raise AssertionError("P2 set no card")


def test_no_hash_that_an_opponent_holds_confirms_a_guess(signed: Signed, held: Lines) -> None:
    """He tries all candidates for the hidden card in every form, without the salt he lacks."""
    seq, truth = hidden_set(signed)
    digests = {value for line in held for value in hexadecimals(json.loads(line))}
    salts = [b"", bytes(16)]
    salts += [
        bytes.fromhex(salt) for line in held[2:] for salt in json.loads(line)["salts"].values()
    ]
    match_id = json.loads(held[0])["match"].encode()
    cards = [f"b{number}" for number in range(1, CANDIDATES + 1)]
    assert truth["action"]["card"] in {f"b{number}" for number in range(1, 33)}
    for card in (truth["action"]["card"], *cards):
        guess = json.loads(json.dumps(truth).replace(f'"{truth["action"]["card"]}"', f'"{card}"'))
        for part in (guess, guess["action"], guess["facts"]):
            assert position_hash(part) not in digests
        for viewer in ("judge", "P2"):
            for salt in salts:
                parts = (match_id, str(seq).encode(), viewer.encode(), salt, encoded(guess))
                assert tagged_hash("kifu-form-v1", *parts).hex() not in digests


def test_the_judges_position_hash_is_for_the_judge(signed: Signed, held: Lines) -> None:
    judges = {
        json.loads(line)["form"]["position_hash"]
        for line in signed.lines(signed.simulated["hi-story"], "judge")[7:-1]
    }
    shown = {value for line in held for value in hexadecimals(json.loads(line))}
    assert not judges & shown


def test_only_the_roots_that_are_opened_at_the_end_give_the_decks(
    signed: Signed, held: Lines
) -> None:
    """Every documented derivation from everything he holds gives another order of his deck."""
    judges = [json.loads(line) for line in signed.lines(signed.simulated["hi-story"])[2:-1]]
    start = next(body["form"] for body in judges if body["form"].get("draws"))
    truth = start["draws"][0]["order"]
    ids = [f"a{number}" for number in range(1, 33)]
    match_id = json.loads(held[0])["match"]
    bodies = [json.loads(line) for line in held[2:]]
    seeds = [bytes.fromhex(body["form"]["seed"]) for body in bodies if "seed" in body["form"]]
    assert len(seeds) == 2

    def order(key: bytes) -> list[str]:
        return KeyedSource(key, {}).ordered("P1.deck", ids)

    for value in {bytes.fromhex(one) for line in held for one in hexadecimals(json.loads(line))}:
        assert order(value) != truth
        assert order(draw_key(value, match_id, seeds)) != truth
    (root,) = [body["form"]["closed"] for body in judges if "closed" in body["form"]]
    assert order(draw_key(bytes.fromhex(root), match_id, seeds)) == truth


def hexadecimals(value: Json) -> set[str]:
    """Return every digest in a value."""
    if isinstance(value, str):
        return {value} if len(value) == 64 and set(value) <= set("0123456789abcdef") else set()
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {found for part in parts for found in hexadecimals(part)}
