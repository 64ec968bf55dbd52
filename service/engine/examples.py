"""Worked examples: a position, actions, and what must come of them (FORMAT 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from service.engine.contract import Form, PositionFault, Record, Rejection, Ruleset
from service.engine.draws import DrawFault, Draws, ScriptedSource
from service.engine.matching import at_path, matches, missing_from
from service.engine.play import perform, written
from service.engine.templates import is_listed, same_entries
from service.engine.values import (
    JUDGE,
    SPECTATOR,
    Action,
    Actor,
    Fact,
    Json,
    Position,
    Viewer,
    same,
)

REQUIRED = {"id", "title", "rules", "actions", "expect"}
OPTIONAL = {"position", "rng"}


@dataclass(slots=True, kw_only=True)
class Run:
    """What an example did: the records in order, the refusal that ended it, the last position."""

    position: Position
    records: list[Record] = field(default_factory=list)
    actions: list[tuple[Actor, Action]] = field(default_factory=list)
    refused: Rejection | None = None
    draws: ScriptedSource = field(default_factory=lambda: ScriptedSource([]))

    @property
    def facts(self) -> list[Fact]:
        """All facts of the run in order."""
        return [fact for record in self.records for fact in record.facts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """An example that was played. run: None if it could not be; faults: what is wrong with it."""

    run: Run | None
    faults: list[str]


def faults_of(example: Json, ruleset: Ruleset) -> list[str]:
    """Return what is wrong with an example: its form, or where the engine and `expect` differ."""
    return played(example, ruleset).faults


def played(example: Json, ruleset: Ruleset) -> Played:
    """Play an example and compare what comes of it with `expect`."""
    faults = _faults_of_form(example)
    if faults:
        return Played(run=None, faults=faults)
    try:
        run = play(example, ruleset)
        faults = _faults_of_position(run, ruleset)
        faults += _faults_of_refusal(example["expect"], run)
        for key, expected in example["expect"].items():
            if key != "rejected":
                faults += CHECKS[key](expected, run, ruleset)
        return Played(run=run, faults=faults + _faults_of_forms(run, ruleset))
    except (PositionFault, DrawFault) as fault:
        return Played(run=None, faults=[str(fault)])


def is_example(entry: Json) -> bool:
    """Tell whether an entry has the form of an example, so that it can be told and played."""
    if _faults_of_form(entry):
        return False
    named = [entry["id"], entry["title"], *entry["rules"]]
    return all(isinstance(one, str) for one in named)


def play(example: Mapping[str, Json], ruleset: Ruleset) -> Run:
    """Decide the actions of an example one after the other, until one is refused."""
    run = Run(position=ruleset.normalise(example.get("position", {})))
    run.draws = ScriptedSource(example.get("rng", []))
    for entry in example["actions"]:
        actor = entry["actor"]
        sent = ruleset.clean({key: value for key, value in entry.items() if key != "actor"})
        run.actions.append((actor, sent))
        outcome = perform(ruleset, run.position, actor, written(ruleset, sent), Draws(run.draws))
        if isinstance(outcome, Rejection):
            run.refused = outcome
            break
        run.records.append(outcome)
        run.position = outcome.after
    return run


def viewers_of(ruleset: Ruleset, position: Position) -> tuple[Viewer, ...]:
    """Return every viewer of a position: its seats, the spectator, the judge."""
    return (*ruleset.seats(position), SPECTATOR, JUDGE)


def _faults_of_form(example: Json) -> list[str]:
    if not isinstance(example, dict):
        return ["an example is an object"]
    keys = set(example)
    faults = [f"unknown key {key!r}" for key in sorted(keys - REQUIRED - OPTIONAL)]
    faults += [f"missing key {key!r}" for key in sorted(REQUIRED - keys)]
    expect = example.get("expect", {})
    if not isinstance(expect, dict) or not expect:
        return [*faults, "expect is an object with at least one key"]
    unknown = set(expect) - set(CHECKS) - {"rejected"}
    faults += [f"unknown key {key!r} in expect" for key in sorted(unknown)]
    for name, kind in (("actions", list), ("rng", list), ("rules", list)):
        if not isinstance(example.get(name, []), kind):
            faults.append(f"{name} is a list")
    if not faults and not all(
        isinstance(entry, dict) and "actor" in entry for entry in example["actions"]
    ):
        faults.append("every action is an object with an actor")
    rejected = expect.get("rejected")
    if "rejected" in expect and not (
        isinstance(rejected, dict) and set(rejected) == {"at", "rule"}
    ):
        faults.append("rejected holds at and rule")
    return faults


def _faults_of_position(run: Run, ruleset: Ruleset) -> list[str]:
    """Check a position on which nothing is decided; where something is, `decide` checks it."""
    rule = None if run.actions else ruleset.position_fault(run.position)
    return [] if rule is None else [f"position: breaks {rule}"]


def _faults_of_refusal(expect: Mapping[str, Json], run: Run) -> list[str]:
    expected = expect.get("rejected")
    found = run.refused and {"at": len(run.records), "rule": run.refused.rule}
    if not same(expected, found):
        return [f"rejected: expected {expected}, found {found}"]
    if run.refused is None:
        run.draws.finish()
    return []


def _facts(expected: Sequence[Json], run: Run, ruleset: Ruleset) -> list[str]:
    at = missing_from(expected, run.facts)
    return [] if at is None else [f"facts: no fact for entry {at}: {expected[at]}"]


def _no_facts(expected: Sequence[Json], run: Run, ruleset: Ruleset) -> list[str]:
    faults = []
    for entry in expected:
        partial = {"fact": entry} if isinstance(entry, str) else entry
        faults += [f"no_facts: {fact}" for fact in run.facts if matches(partial, fact)]
    return faults


def _position(expected: Mapping[str, Json], run: Run, ruleset: Ruleset) -> list[str]:
    return _faults_of_paths("position", expected, run.position)


def _winner(expected: Json, run: Run, ruleset: Ruleset) -> list[str]:
    outcome = ruleset.outcome(run.position)
    found = None if outcome is None else outcome["winner"]
    return [] if same(expected, found) else [f"winner: expected {expected!r}, found {found!r}"]


def _view(expected: Mapping[Viewer, Json], run: Run, ruleset: Ruleset) -> list[str]:
    faults = []
    for viewer, paths in expected.items():
        faults += _faults_of_paths(f"view {viewer}", paths, ruleset.view(run.position, viewer))
    return faults


def _seen_facts(expected: Mapping[Viewer, Json], run: Run, ruleset: Ruleset) -> list[str]:
    faults = []
    for viewer, partials in expected.items():
        forms = [ruleset.redact(record, viewer) for record in run.records]
        seen = [fact for form in forms for fact in form["facts"] if fact is not None]
        at = missing_from(partials, seen)
        if at is not None:
            faults.append(f"seen_facts {viewer}: no fact for entry {at}: {partials[at]}")
    return faults


def _seen_actions(expected: Mapping[Viewer, Json], run: Run, ruleset: Ruleset) -> list[str]:
    faults = []
    for viewer, paths in expected.items():
        seen = [
            _seen(sent, record, ruleset.redact(record, viewer))
            for (_, sent), record in zip(run.actions, run.records, strict=False)
        ]
        if run.refused is not None:
            actor, sent = run.actions[-1]
            seen.append({"actor": actor, **sent} if viewer in (actor, JUDGE) else None)
        faults += _faults_of_paths(f"seen_actions {viewer}", paths, seen)
    return faults


def _seen(sent: Action, record: Record, form: Form) -> Json:
    if form["action"] is None:
        return None
    return {"actor": form["actor"], **_as_written(sent, record.action, form["action"])}


def _as_written(sent: Json, decided: Json, seen: Json) -> Json:
    """Return what was seen, with decks that are shown in full as they were written (`"@name"`)."""
    if isinstance(sent, str) and not same(sent, decided) and same(seen, decided):
        return sent
    if isinstance(sent, dict) and isinstance(decided, dict) and isinstance(seen, dict):
        return {
            key: _as_written(sent[key], decided[key], value)
            if key in sent and key in decided
            else value
            for key, value in seen.items()
        }
    return seen


def _legal(expected: Mapping[Actor, Json], run: Run, ruleset: Ruleset) -> list[str]:
    found = ruleset.legal_actions(run.position)
    return [
        f"legal {actor}: expected {entries}, found {found.get(actor, [])}"
        for actor, entries in expected.items()
        if not same_entries(entries, found.get(actor, []))
    ]


def _not_legal(expected: Mapping[Actor, Json], run: Run, ruleset: Ruleset) -> list[str]:
    found = ruleset.legal_actions(run.position)
    return [
        f"not_legal {actor}: {action} is listed"
        for actor, actions in expected.items()
        for action in actions
        if is_listed(action, found.get(actor, []))
    ]


def _faults_of_paths(name: str, expected: Mapping[str, Json], value: Json) -> list[str]:
    return [
        f"{name}: {path}: expected {wanted!r}, found {at_path(value, str(path))!r}"
        for path, wanted in expected.items()
        if not same(wanted, at_path(value, str(path)))
    ]


def _faults_of_forms(run: Run, ruleset: Ruleset) -> list[str]:
    """Check that every viewer has all facts and draws of the record, and misses no key."""
    faults = []
    for number, record in enumerate(run.records):
        for viewer in viewers_of(ruleset, record.after):
            form = ruleset.redact(record, viewer)
            for name, full, seen in (
                ("facts", record.facts, form["facts"]),
                ("draws", list(record.draws), form["draws"]),
                ("action", [record.action], [form["action"]]),
            ):
                if not _has_every_key(full, seen):
                    faults.append(f"action {number}: {viewer} misses part of the {name}")
    return faults


def _has_every_key(full: Sequence[Json], seen: Sequence[Json]) -> bool:
    return len(full) == len(seen) and all(
        part is None or whole.keys() <= part.keys() for whole, part in zip(full, seen, strict=True)
    )


CHECKS: Mapping[str, Callable[[Json, Run, Ruleset], list[str]]] = {
    "facts": _facts,
    "no_facts": _no_facts,
    "position": _position,
    "winner": _winner,
    "view": _view,
    "seen_facts": _seen_facts,
    "seen_actions": _seen_actions,
    "legal": _legal,
    "not_legal": _not_legal,
}
