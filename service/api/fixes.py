"""Partial fixes beforehand: what facts that a judge would give say, and which he could give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from projections.replay import Replay
from schemas.fixes import FixesBody, FixesRequest
from schemas.strict import canonical
from service.aggregates.matches import check_open
from service.aggregates.world import Invalid
from service.api.language import language_of_request
from service.api.problems import said
from service.api.routing import noun, route
from service.api.seeing import SeenMatch
from service.api.wiring import installation
from service.engine.contract import Fault
from service.engine.corrections import corrected
from service.engine.explaining import scene_of_fact, scene_of_view
from service.engine.templates import CHOOSE
from service.engine.texts import OPEN, Scene
from service.engine.values import JUDGE, Entry, Fact, Json, Position

FIXES = noun("fixes", prefix="/api/v1/matches")
ORDER = ("player", "zone", "card", None, "number")
"""In which order fields are chosen, by their kinds: one often follows from those before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The match that a judge looks at. positions: the present one, then that after each fact."""

    replay: Replay
    facts: Sequence[Fact]
    positions: Sequence[Position]

    @property
    def scene(self) -> Scene:
        """What a judge sees behind the facts, with a sign for what is left open."""
        position, names = self.positions[-1], self.replay.names
        seen = scene_of_view(self.replay.ruleset, names, position)
        return replace(seen, names={**names, OPEN: OPEN})


@route(
    FIXES,
    "/<match_id>/fixes",
    method="POST",
    action="rule_on_dispute",
    answer=FixesBody,
    takes=FixesRequest,
)
def foresee_fixes(query: dict[str, Any], body: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """Tell what facts would say and what could follow, to a judge who looks into the match."""
    seen.viewer(JUDGE)
    match, facts = seen.present, body["facts"]
    check_open(match)
    replay = installation().replay(match, JUDGE, language_of_request())
    fault = _fault_of(replay, facts)
    bench = Bench(replay=replay, facts=facts, positions=list(_positions(replay, facts)))
    return {
        "match": match.id,
        "version": match.version,
        "told": [*_told(bench), *_shuffles_told(bench, body["shuffles"])],
        "fault": fault,
        "items": list(_items(bench)),
        "shuffles": _shuffles(bench),
    }


def _fault_of(replay: Replay, facts: Sequence[Fact]) -> str | None:
    """Return what is wrong with the position after facts; raises `Invalid` for a fact itself."""
    found = corrected(replay.ruleset, replay.match.position, facts) if facts else None
    if not isinstance(found, Fault):
        return None
    if found.place != "position":
        raise Invalid({found.place: [found.text]})
    return said(found.text) or found.text


def _positions(replay: Replay, facts: Sequence[Fact]) -> Iterator[Position]:
    position = replay.match.position
    yield position
    for fact in facts:
        position = replay.ruleset.evolve(position, fact)
        yield position


def _told(bench: Bench) -> Iterator[dict[str, Json]]:
    replay = bench.replay
    for number, fact in enumerate(bench.facts):
        scene = scene_of_fact(replay.ruleset, replay.names, fact, bench.positions, number)
        yield _in_words(replay, fact, scene)


def _shuffles_told(bench: Bench, names: Sequence[str]) -> Iterator[dict[str, Json]]:
    """Yield what ordered shuffles say; raises `Invalid` for a pile that is not there."""
    ruleset, position = bench.replay.ruleset, bench.positions[-1]
    piles = ruleset.piles(position)
    for at, name in enumerate(names):
        if name not in piles or name in names[:at]:
            raise Invalid({f"shuffles.{at}": [f"one of {', '.join(piles)}, once"]})
        yield _in_words(bench.replay, ruleset.shuffled(name, piles[name]), bench.scene)


def _in_words(replay: Replay, fact: Fact, scene: Scene) -> dict[str, Json]:
    text = replay.words.fact(fact, scene, replay.language)
    return {"fact": fact, "text": text, "rules": fact["rules"]}


def _shuffles(bench: Bench) -> list[dict[str, Json]]:
    ruleset, position = bench.replay.ruleset, bench.positions[-1]
    told = {
        name: _in_words(bench.replay, ruleset.shuffled(name, pile), bench.scene)
        for name, pile in ruleset.piles(position).items()
    }
    return [{"name": name, "text": one["text"]} for name, one in told.items()]


def _items(bench: Bench) -> Iterator[dict[str, Json]]:
    """Yield the kinds of facts that could be given, in the order of the game."""
    replay = bench.replay
    kinds: dict[str, list[Entry]] = {}
    for entry in replay.ruleset.fixes(bench.positions[-1]):
        kinds.setdefault(entry["fact"], []).append(entry)
    for name, entries in kinds.items():
        values = _values(entries)
        fact = {key: part for key, part in entries[0].items() if key != CHOOSE}
        shown = fact | dict.fromkeys(values, OPEN)
        yield {
            "fact": name,
            "text": replay.words.fact(shown, bench.scene, replay.language),
            "fields_": _fields(bench, name, entries, values),
            "entries": entries,
        }


def _values(entries: Sequence[Entry]) -> dict[str, list[Json]]:
    """Return the fields that are chosen, by an entry or in it, with what they may hold."""
    found: dict[str, dict[bytes, Json]] = {}
    chosen = {field for entry in entries for field in entry.get(CHOOSE, {})}
    for entry in entries:
        fixed = {key: [part] for key, part in entry.items() if key != CHOOSE}
        free = {field: chooser["from"] for field, chooser in entry.get(CHOOSE, {}).items()}
        for field, values in (fixed | free).items():
            found.setdefault(field, {}).update((canonical(value), value) for value in values)
    for field in ("fact", "rules"):
        del found[field]
    return {
        field: list(values.values())
        for field, values in found.items()
        if len(values) > 1 or field in chosen
    }


def _fields(
    bench: Bench, name: str, entries: Sequence[Entry], values: Mapping[str, Sequence[Json]]
) -> list[dict[str, Json]]:
    """Return the fields in the order in which they are chosen, those of choosers last."""
    kinds = bench.replay.words.kinds(name)
    chosen = {field for entry in entries for field in entry.get(CHOOSE, {})}
    in_order = sorted(values, key=lambda one: (one in chosen, ORDER.index(kinds.get(one))))
    return [
        {"name": one, "kind": kinds.get(one), "values": _in_choice(bench, name, one, values[one])}
        for one in in_order
    ]


def _in_choice(
    bench: Bench, name: str, field: str, values: Sequence[Json]
) -> list[dict[str, Json]]:
    words, language = bench.replay.words, bench.replay.language
    return [
        {"value": value, "text": words.value(name, field, value, bench.scene, language)}
        for value in values
    ]
