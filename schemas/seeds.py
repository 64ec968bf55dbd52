"""The common form of the seed files of a game: rules, display, glossary (FORMAT 2 and 9)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

Json = Any
Faults = list[tuple[str, str]]
"""(place in the file, what is wrong there), in the order of the file."""

KINDS = (
    "definition",
    "procedure",
    "restriction",
    "computation",
    "win_condition",
    "visibility",
    "assumption",
)
ENFORCERS = ("engine", "card", "table")
ASSUMPTION_FIELDS = ("topic", "question", "answer", "why", "public_source")
PLACEHOLDER = re.compile(r"\{([a-z_A-Z][a-zA-Z0-9_.]*)(?::(card|player|zone|number))?\}")
BRACE = re.compile(r"[{}]")
WORDS_MIN, WORDS_MAX, WORD_LENGTH_MAX = 2, 20, 40
SHOWN = ("row", "line", "grid", "pile", "number")


class Strict(Schema):
    """A schema that refuses unknown keys."""

    class Meta:
        """Options of marshmallow."""

        unknown = RAISE


class SourceSchema(Strict):
    """Where a rule comes from."""

    seed = fields.String()
    evidence = fields.String()
    place = fields.String()
    heading = fields.String(required=True)


class RuleSchema(Strict):
    """One entry of rules.yaml."""

    id = fields.String(required=True, validate=validate.Regexp(r"^[A-Z]{2}-[0-9]{3}$"))
    term_ja = fields.String(required=True, validate=validate.Length(min=1))
    term_en = fields.String(required=True, validate=validate.Length(min=1))
    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    text_en = fields.String(required=True, validate=validate.Length(min=1))
    text_ja = fields.String(required=True, validate=validate.Length(min=1))
    source = fields.Nested(SourceSchema, required=True)
    see = fields.List(fields.String(), required=True)
    enforced_by = fields.String(required=True, validate=validate.OneOf(ENFORCERS))
    meaning = fields.Integer(strict=True)
    topic = fields.String()
    question = fields.String()
    answer = fields.String()
    why = fields.String()
    public_source = fields.String()

    @validates_schema
    def assumptions_only(self, entry: Mapping[str, Json], **_: Json) -> None:
        """Refuse the fields of an assumption in any other rule."""
        if entry.get("kind") == "assumption":
            return
        for name in ASSUMPTION_FIELDS:
            if name in entry:
                raise ValidationError("only with kind assumption", name)


def _sentence(text: str) -> None:
    """Refuse a text with a brace that is no placeholder."""
    if BRACE.search(PLACEHOLDER.sub("", text)):
        raise ValidationError("a brace that is no placeholder {field} or {field:kind}")


class WordSchema(Strict):
    """A word in both languages."""

    ja = fields.String(required=True, validate=_sentence)
    en = fields.String(required=True, validate=_sentence)


class CaseSchema(WordSchema):
    """A text for facts or actions that match `when`."""

    when = fields.Dict(keys=fields.String(), required=True)
    hidden = fields.Nested(WordSchema)


class TextSchema(WordSchema):
    """The text of a fact or action."""

    hidden = fields.Nested(WordSchema)
    cases = fields.List(fields.Nested(CaseSchema))
    quiet = fields.Boolean()


class TileNumberSchema(Strict):
    """A number on a tile."""

    counter = fields.String(required=True)
    path = fields.String(required=True)
    of = fields.String()
    not_ = fields.Raw(data_key="not")


class TileMarkSchema(Strict):
    """A mark on a tile."""

    counter = fields.String(required=True)
    path = fields.String(required=True)
    is_ = fields.Raw(data_key="is")


class ZoneSchema(Strict):
    """A zone of the board."""

    zone = fields.String(required=True)
    path = fields.String(required=True)
    shown = fields.String(required=True, validate=validate.OneOf(SHOWN))
    rows = fields.Integer(strict=True)
    columns = fields.Integer(strict=True)
    cell = fields.String()
    face = fields.String(validate=validate.OneOf(("up", "down", "owner")))
    top = fields.String(validate=validate.OneOf(("first", "last")))
    tile = fields.String()


class TileSchema(Strict):
    """How a card is drawn."""

    card = fields.Raw(required=True)
    title = fields.String()
    art = fields.String()
    numbers = fields.List(fields.Nested(TileNumberSchema))
    marks = fields.List(fields.Nested(TileMarkSchema))
    turned = fields.String()
    covered = fields.String()
    inside = fields.List(fields.Nested(ZoneSchema))


class BoardSchema(Strict):
    """The layout of a position. total: the zone of a side that is drawn over the whole match."""

    total = fields.String()
    side = fields.List(fields.Nested(ZoneSchema), required=True)
    middle = fields.List(fields.Nested(ZoneSchema), required=True)
    tiles = fields.Dict(keys=fields.String(), values=fields.Nested(TileSchema), required=True)


def _words(schema: type[Schema]) -> fields.Dict:
    return fields.Dict(keys=fields.String(), values=fields.Nested(schema), required=True)


class DisplaySchema(Strict):
    """display.yaml as a whole."""

    facts = _words(TextSchema)
    actions = _words(TextSchema)
    reasons = _words(WordSchema)
    draws = _words(WordSchema)
    zones = _words(WordSchema)
    counters = _words(WordSchema)
    keywords = _words(WordSchema)
    words = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.Nested(WordSchema)),
        required=True,
    )
    board = fields.Nested(BoardSchema, required=True)


def rule_faults(rules: Json) -> Faults:
    """Return every fault of a parsed rules.yaml."""
    if not isinstance(rules, list):
        return [("", "rules.yaml is a list of rules")]
    faults, schema = [], RuleSchema()
    for number, entry in enumerate(rules):
        name = entry.get("id") if isinstance(entry, dict) else None
        faults += _schema_faults(schema, entry, str(name or f"entry {number}"))
    ids = [entry.get("id") for entry in rules if isinstance(entry, dict)]
    faults += [(str(one), "this id stands twice") for one in sorted(_repeated(ids))]
    for entry in rules:
        if isinstance(entry, dict) and isinstance(entry.get("see"), list):
            faults += [
                (f"{entry.get('id')}.see", f"no rule {other!r} here")
                for other in entry["see"]
                if other not in ids
            ]
    return faults


def display_faults(
    display: Json, *, facts: frozenset[str], actions: frozenset[str], rules: frozenset[str]
) -> Faults:
    """Return every fault of a parsed display.yaml against the names that a game uses."""
    faults = _schema_faults(DisplaySchema(), display, "")
    if faults:
        return faults
    faults += _difference("facts", set(display["facts"]), facts)
    faults += _difference("actions", set(display["actions"]), actions)
    unknown = sorted(set(display["reasons"]) - rules - {"default"})
    faults += [(f"reasons.{rule}", "no rule of this id") for rule in unknown]
    if "default" not in display["reasons"]:
        faults.append(("reasons", "the reason `default` is missing"))
    return faults + _board_faults(display)


def glossary_faults(glossary: Json) -> Faults:
    """Return every fault of a parsed glossary.yaml: groups of words for the same thing."""
    if not isinstance(glossary, list):
        return [("", "a list of groups is expected")]
    return [
        (f"{number}", text)
        for number, group in enumerate(glossary)
        for text in _group_faults(group)
    ]


def _group_faults(group: Json) -> Iterator[str]:
    if not isinstance(group, list) or not WORDS_MIN <= len(group) <= WORDS_MAX:
        yield f"a list of {WORDS_MIN} to {WORDS_MAX} words is expected"
        return
    for word in group:
        if not isinstance(word, str) or not 1 <= len(word.strip()) <= WORD_LENGTH_MAX:
            yield f"{word!r} is no word of 1 to {WORD_LENGTH_MAX} characters"
    yield from (f"{word!r} stands there twice" for word in sorted(_repeated(group)))


def _difference(section: str, given: set[str], used: frozenset[str]) -> Faults:
    return [
        (f"{section}.{name}", "the game has nothing of this name") for name in sorted(given - used)
    ] + [(section, f"no text for {name!r}") for name in sorted(used - given)]


def _board_faults(display: Json) -> Faults:
    board = display["board"]
    faults: Faults = []
    if "total" in board and board["total"] not in {zone["zone"] for zone in board["side"]}:
        faults.append(("board.total", f"no zone {board['total']!r} at a side"))
    for place, zone in _zones(board):
        if zone["zone"] not in display["zones"]:
            faults.append((place, f"no zone {zone['zone']!r} in zones"))
        if zone.get("tile", "card") not in board["tiles"]:
            faults.append((place, f"no tile {zone.get('tile', 'card')!r} in tiles"))
    for name, tile in board["tiles"].items():
        for part in (*tile.get("numbers", []), *tile.get("marks", [])):
            if part["counter"] not in display["counters"]:
                faults.append(
                    (f"board.tiles.{name}", f"no counter {part['counter']!r} in counters")
                )
    return faults


def _zones(board: Json) -> Iterator[tuple[str, Json]]:
    for row in ("side", "middle"):
        for number, zone in enumerate(board[row]):
            yield f"board.{row}.{number}", zone
    for name, tile in board["tiles"].items():
        for number, zone in enumerate(tile.get("inside", [])):
            yield f"board.tiles.{name}.inside.{number}", zone


def _repeated(values: list[Json]) -> set[Json]:
    return {value for value in values if isinstance(value, str) and values.count(value) > 1}


def _schema_faults(schema: Schema, value: Json, place: str) -> Faults:
    if not isinstance(value, dict):
        return [(place, "an object is expected")]
    return list(_flattened(schema.validate(value), place))


def _flattened(messages: Json, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(messages, dict):
        for key, part in messages.items():
            inner = place if key in ("_schema", "value", "key") else f"{place}.{key}".lstrip(".")
            yield from _flattened(part, inner)
    elif isinstance(messages, list):
        for part in messages:
            yield from _flattened(part, place)
    else:
        yield place, str(messages)
