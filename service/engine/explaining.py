"""Why a rule decided so: computations line by line, what else was legal, why not (rulings.md 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypedDict

from service.engine.contract import Rejection, Ruleset
from service.engine.draws import Draws
from service.engine.play import written
from service.engine.templates import CHOOSE
from service.engine.texts import BETWEEN, PLACEHOLDER, Language, Scene, Words
from service.engine.values import (
    Action,
    Actor,
    Entry,
    Fact,
    Json,
    Position,
    View,
    is_integer,
)

Kind: TypeAlias = Literal["base", "modifier", "rounding", "total"]

COMPUTATION = "computation"
"""The part of `words` in display.yaml that holds the lines of computations.

Its keys are `<fact>.base`, `.modifier`, `.rounding`, `.total`; for lists of modifiers also
`.times`, `.floor` and the id of a rule, for a trace `.trace.<step>`. Placeholders name fields of
the entry of the list, else of the fact; `value` is what comes of a modifier, `amount` and `by` have
their sign.
"""

BEGINNINGS = frozenset({"base", "overflow"})
SIGNED = ("amount", "by")
CHANGES = ("times", *SIGNED)
BOUNDS = frozenset({"raw", "floor"})
RULE_KEYS = ("rules", "rule")
DEPTH_MAX = 64
SPELLED_MAX = 64
NAMED_MAX = 8
OF_NAMED: Mapping[Language, str] = {"ja": "〔{names}のうち{count}〕", "en": "[{count} of: {names}]"}
OF_MANY: Mapping[Language, str] = {"ja": "〔{of}のうち{count}〕", "en": "[{count} of {of}]"}
TO: Mapping[Language, str] = {"ja": "～", "en": "–"}
CANDIDATE = "candidate"
CARD_TEXT = {"ja": f"{{{CANDIDATE}:card}}", "en": f"{{{CANDIDATE}:card}}"}


class Line(TypedDict):
    """A line of a computation. rules: those of this line; the others are cited by the fact."""

    kind: Kind
    text: str
    rules: list[str]


class Alternative(TypedDict):
    """Something that was legal: an action, or a template as in FORMAT 8."""

    action: Entry
    text: str


class Drawn(Exception):
    """Chance was asked for: everything that a rule could have refused is behind."""


class NoSource:
    """A source that answers no draw, so nothing can be learned from it."""

    def ordered(self, name: str, items: Sequence[Json]) -> list[Json]:
        """Stop at a shuffle."""
        raise Drawn(f"shuffle {name} of {len(items)}")

    def rolled(self, sides: int) -> int:
        """Stop at a die."""
        raise Drawn(f"die with {sides} sides")


def refused(ruleset: Ruleset, position: Position, actor: Actor, action: Action) -> Rejection | None:
    """Return why an action would be refused in a position, or None. Nothing is drawn or folded.

    No rule refuses an action after it has asked for a draw.
    """
    try:
        decided = ruleset.decide(position, actor, written(ruleset, action), Draws(NoSource()))
    except Drawn:
        return None
    return decided if isinstance(decided, Rejection) else None


def scene_of(
    ruleset: Ruleset,
    names: Mapping[str, str],
    seen: Mapping[str, Json],
    views: Sequence[View],
    places: View | None = None,
) -> Scene:
    """Return the scene of a fact, action or refusal: what a viewer knows from it and from views.

    views: where a card is looked up by its id, which is one card for ever; the first that shows it.
    places: the view of which the text speaks. In any other another card may lie at a place; without
    that view only `shown` says what lies there.
    """
    shown = seen.get("shown")

    def definition_of(reference: Json) -> str | None:
        if isinstance(shown, dict) and isinstance(reference, str) and reference in shown:
            return str(shown[reference])
        if ruleset.is_place(reference):
            return None if places is None else ruleset.definition_of(places, reference)
        found = (ruleset.definition_of(view, reference) for view in views)
        return next((name for name in found if name is not None), None)

    return Scene(names=names, definition_of=definition_of)


def scene_of_view(ruleset: Ruleset, names: Mapping[str, str], view: View) -> Scene:
    """Return the scene of what is said of a view: what could be done there, why it is refused."""
    return scene_of(ruleset, names, {}, [view], view)


def scene_of_fact(
    ruleset: Ruleset, names: Mapping[str, str], fact: Fact, views: Sequence[View], number: int
) -> Scene:
    """Return the scene of a fact, the `number`th from 0 of its record, in a viewer's form.

    views: the view before the record, then the one after each fact. A card that lies nowhere just
    then is known from where it lies at the end of the record, or lay before it.
    """
    around = [views[number + 1], views[number], views[-1], views[0]]
    return scene_of(ruleset, names, fact, around)


def scene_of_action(
    ruleset: Ruleset,
    names: Mapping[str, str],
    action: Action,
    views: Sequence[View],
    *,
    is_as_sent: bool,
) -> Scene:
    """Return the scene of the action of a record, in a viewer's form. views: as for its facts.

    is_as_sent: as it is shown to who acts and to the judge; he calls cards by where he saw them.
    """
    places = views[0] if is_as_sent else None
    return scene_of(ruleset, names, action, [views[0], views[-1]], places)


def rules_cited(value: Json, depth: int = 0) -> Iterator[str]:
    """Yield the ids of rules in a fact, at any depth, as they come."""
    if depth > DEPTH_MAX:
        return
    if isinstance(value, dict):
        for key, part in value.items():
            if key in RULE_KEYS:
                yield from _ids(part)
            else:
                yield from rules_cited(part, depth + 1)
    elif isinstance(value, list):
        for part in value:
            yield from rules_cited(part, depth + 1)


def _ids(cited: Json) -> list[str]:
    return [one for one in (cited if isinstance(cited, list) else [cited]) if isinstance(one, str)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explainer:
    """What explanations of one game are made of."""

    words: Words
    language: Language

    def computation(self, fact: Fact, scene: Scene) -> list[Line] | None:
        """Return the lines of a fact that shows its work, None for any other.

        The fact holds `base`, `modifiers` and `total`, or a `trace`, or just numbers for which the
        game has lines. A line that names a field without a value is left out; so is every line of
        facts on which people agreed and which do not add up to one.
        """
        lines = [
            *self._line("base", "base", fact, fact, scene),
            *self._steps(fact, scene),
            *self._line("rounding", "rounding", fact, fact, scene),
            *self._line("total", "total", fact, fact, scene),
        ]
        return lines or None

    def _steps(self, fact: Fact, scene: Scene) -> list[Line]:
        if isinstance(fact.get("trace"), list):
            return self._traced(fact, scene)
        if isinstance(fact.get("modifiers"), list):
            return self._modified(fact, scene)
        return self._line("modifier", "modifier", fact, fact, scene)

    def _traced(self, fact: Fact, scene: Scene) -> list[Line]:
        """Return the entries of a trace; a bound that changed nothing is left out."""
        lines: list[Line] = []
        before: Json = None
        for entry in fact["trace"]:
            if not isinstance(entry, dict) or not is_integer(entry.get("value")):
                return []
            step, value = str(entry.get("step")), entry["value"]
            if step not in BOUNDS:
                kind: Kind = "base" if step in BEGINNINGS else "modifier"
                lines += self._line(kind, f"trace.{step}", fact, entry, scene)
            elif value != before:
                lines += self._line("rounding", f"trace.{step}", fact, entry, scene)
            before = value
        return lines

    def _modified(self, fact: Fact, scene: Scene) -> list[Line]:
        """Return the modifiers in order, each with what it makes of the value, then the bound."""
        lines: list[Line] = []
        value: Json = fact.get("base")
        for entry in fact["modifiers"]:
            change = _change(entry)
            if change is None or not is_integer(value):
                return []
            is_factor = "times" in entry
            value = value * change if is_factor else value + change
            names = ("times",) if is_factor else (*rules_cited(entry), "modifier")
            told = next((name for name in names if self._text(fact, name)), names[-1])
            lines += self._line("modifier", told, fact, {**entry, "value": value}, scene)
        if is_integer(value) and value < 0 and fact.get("total") == 0:
            lines += self._line("rounding", "floor", fact, {"value": value}, scene)
        return lines

    def _text(self, fact: Fact, name: str) -> Mapping[str, str] | None:
        texts: Mapping[str, Mapping[str, str]] = self.words.display["words"].get(COMPUTATION, {})
        return texts.get(f"{fact['fact']}.{name}")

    def _line(
        self, kind: Kind, name: str, fact: Fact, entry: Mapping[str, Json], scene: Scene
    ) -> list[Line]:
        """Return a line that is worded from an entry and its fact, none if there is no such."""
        text = self._text(fact, name)
        if text is None:
            return []
        fields = {**fact, **entry}
        if any(_at(fields, path) is None for path, _ in PLACEHOLDER.findall(text[self.language])):
            return []
        if entry is fact:
            return [{"kind": kind, "text": self._sentence(text, fields, scene), "rules": []}]
        signed = {key: f"{entry[key]:+d}" for key in SIGNED if is_integer(entry.get(key))}
        worded = self._sentence(text, {**fields, **signed}, scene)
        return [{"kind": kind, "text": worded, "rules": list(rules_cited(dict(entry)))}]

    def _sentence(self, text: Mapping[str, str], fields: Mapping[str, Json], scene: Scene) -> str:
        """Return any text filled as that of a fact is."""
        words = replace(self.words, display={**self.words.display, "facts": {"": text}})
        return words.fact({**fields, "fact": ""}, scene, self.language)

    def alternatives(
        self, actor: Actor, entries: Sequence[Entry], scene: Scene
    ) -> list[Alternative]:
        """Word what an actor could have done: one by one where a choice makes another sentence."""
        found: list[Alternative] = []
        for entry in entries:
            worded: list[Alternative] = [
                {"action": one, "text": self._action(actor, one, scene)} for one in _spelled(entry)
            ]
            if len({one["text"] for one in worded}) == 1:
                worded = [{"action": entry, "text": worded[0]["text"]}]
            found += worded
        return found

    def _action(self, actor: Actor, entry: Entry, scene: Scene) -> str:
        """Return the sentence of an action; what is still to be chosen is named as a choice."""
        fixed = {key: value for key, value in entry.items() if key != CHOOSE}
        phrases = {
            field: self._choice(chooser, scene)
            for field, chooser in entry.get(CHOOSE, {}).items()
            if "from" in chooser and "by" not in chooser
        }
        # A phrase that is a name stands for itself, whatever the sentence takes its field for.
        named = replace(scene, names={**scene.names, **{one: one for one in phrases.values()}})
        return self.words.action(actor, {**fixed, **phrases}, named, self.language)

    def _choice(self, chooser: Json, scene: Scene) -> str:
        """Return what may be chosen, and how many of it."""
        low, high = chooser.get("min", 1), chooser.get("max", 1)
        count = str(low) if low == high else f"{low}{TO[self.language]}{high}"
        values = chooser["from"]
        names = list(dict.fromkeys(self._candidate(value, scene) for value in values))
        if len(names) > NAMED_MAX:
            return OF_MANY[self.language].format(count=count, of=len(values))
        if low == high == len(values):
            return BETWEEN[self.language].join(names)
        joined = BETWEEN[self.language].join(names)
        return OF_NAMED[self.language].format(count=count, names=joined)

    def _candidate(self, value: Json, scene: Scene) -> str:
        if not isinstance(value, str):
            return str(value)
        return self._sentence(CARD_TEXT, {CANDIDATE: value}, scene)


def _change(modifier: Json) -> int | None:
    """Return what a modifier adds, or by what it multiplies."""
    if not isinstance(modifier, dict):
        return None
    change: Json = next((modifier[key] for key in CHANGES if key in modifier), None)
    return int(change) if is_integer(change) else None


def _spelled(entry: Entry) -> list[Entry]:
    """Return an entry once for every way to make its single choices; at most so many."""
    found = [entry]
    for field, chooser in entry.get(CHOOSE, {}).items():
        if "min" in chooser or "by" in chooser or len(found) * len(chooser["from"]) > SPELLED_MAX:
            continue
        found = [_with(one, field, value) for one in found for value in chooser["from"]]
    return found


def _with(entry: Entry, field: str, value: Json) -> Entry:
    rest = {key: chooser for key, chooser in entry[CHOOSE].items() if key != field}
    made = {key: part for key, part in entry.items() if key != CHOOSE} | {field: value}
    return made | ({CHOOSE: rest} if rest else {})


def _at(fields: Mapping[str, Json], path: str) -> Json:
    value: Json = fields
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
