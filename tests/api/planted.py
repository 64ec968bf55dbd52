"""A running match whose second deck holds cards that are named like nothing else."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from werkzeug.test import TestResponse

from service.engine.values import Json
from service.settings import Settings
from tests.api.tables import MATCHES, Caller, Hall, good, hall_of
from tests.conftest import CATALOGUE, opened

GAME, POOL = "hi-story", "planted"
SECRET = re.compile(r"secret-[a-z0-9-]+")
DATA = b"data: "
EVENT_STREAM = "text/event-stream"
NDJSON = "application/x-ndjson"
"""A file of a match. Its second line is the whole pool: what cards there are is known to all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A hall with one match, which P1 has begun. hidden: ids of P2's cards in hand and deck.

    dispute: one about the match, where there is one.
    """

    hall: Hall
    one: Caller
    two: Caller
    match_id: str
    hidden: frozenset[str]
    dispute: str = ""

    @property
    def path(self) -> str:
        return f"{MATCHES}/{self.match_id}"


def planted_pool(folder: Path) -> Path:
    """Write a pool in which the deck `mare` holds secrets; return its file."""
    cards = copy.deepcopy(CATALOGUE.game(GAME).sample.cards)
    deck = cards["decks"]["mare"]
    by_id = {card["id"]: card for card in cards["cards"]}
    entries = []
    for entry in deck["list"]:
        name, _, count = entry.partition("*")
        # The rules count the copies of a card by its Japanese name; its title is told with it.
        told = {field: f"SECRET-{name}" for field in ("title_ja", "name_en")}
        cards["cards"].append(by_id[name] | {"id": f"secret-{name}"} | told)
        entries.append(f"secret-{name}*{count}")
    deck["list"] = entries
    path = folder / "planted.yaml"
    path.write_text(yaml.safe_dump(cards, allow_unicode=True))
    return path


def planted_match(settings: Settings, folder: Path, **more: Json) -> Planted:
    """Begin a match with secrets and let P1 play until it is P2's turn."""
    hall = hall_of(opened(settings, {POOL: planted_pool(folder)}))
    one, two = hall.person("One"), hall.person("Two")
    decks = ["@tenka", "@mare"]
    match_id = hall.begin(GAME, [one, two], decks, cards=POOL, setup={"first": "P1"}, **more)
    for who in (one, two):
        keep = {"action": {"type": "keep_hand"}}
        who.post(f"{MATCHES}/{match_id}/actions", keep)
    for _ in range(60):
        if hall.choose(one, match_id)[1] is None:
            break
        hall.play_one([one], match_id)
    view = good(two.get(f"{MATCHES}/{match_id}/position", **{"as": "P2"}), 200)["position"]
    judged = hall.installation.log.match(match_id).position["players"]["P2"]
    hidden = frozenset([*judged["hand"], *judged["deck"]])
    assert SECRET.findall(json.dumps(view)), "P2 holds secrets"
    return Planted(hall=hall, one=one, two=two, match_id=match_id, hidden=hidden)


def secrets_in(answer: TestResponse) -> set[str]:
    """Return the secret names in the bytes of an answer, headers and all."""
    body = b"\n".join(_lines(answer)).decode()
    return set(SECRET.findall(f"{body}\n{answer.headers}".lower()))


def texts_in(answer: TestResponse) -> set[str]:
    """Return every text in the JSON of an answer, keys and parts of patches' paths included."""
    return {text for line in _lines(answer) for text in _texts(json.loads(line))}


def _lines(answer: TestResponse) -> list[bytes]:
    """Return the lines of an answer, without the pool in a file."""
    lines = answer.get_data().splitlines()
    if answer.mimetype == EVENT_STREAM:
        return [line.removeprefix(DATA) for line in lines if line.startswith(DATA)]
    return [*lines[:1], *lines[2:]] if answer.mimetype == NDJSON else lines


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        yield from value.split("/")
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
