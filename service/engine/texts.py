"""Facts, actions, draws and refusals in words, in Japanese and English (FORMAT 9)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from service.engine.contract import Rejection
from service.engine.matching import matches
from service.engine.values import Action, Actor, Draw, Fact, Json

Language: TypeAlias = Literal["ja", "en"]
LANGUAGES: tuple[Language, ...] = ("ja", "en")

PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_.]*)(?::(card|player|zone|number))?\}")
BETWEEN: Mapping[Language, str] = {"ja": "、", "en": ", "}
HIDDEN = "?"
OPEN = "…"
"""Stands for what is still to be chosen in a listed action or fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a text needs beside the fact itself.

    names: seat → display name. definition_of: the definition id that a reference stands for to this
    viewer, or None.
    """

    names: Mapping[str, str]
    definition_of: Callable[[Json], str | None]


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one game. display: a checked display.yaml; cards: definition id → definition."""

    display: Mapping[str, Json]
    cards: Mapping[str, Json]
    terms: Mapping[str, Mapping[str, str]]

    def fact(self, fact: Fact, scene: Scene, language: Language) -> str:
        """Return a fact as a sentence."""
        return self._sentence(self.display["facts"][fact["fact"]], fact, scene, language)

    def kinds(self, fact: str) -> Mapping[str, str]:
        """Return the kinds of the fields that sentences of a fact tell: card, player, zone, number.

        A field that is told as a plain word has none.
        """
        told = self.display["facts"][fact]
        texts = [told, *told.get("cases", ()), *([told["hidden"]] if "hidden" in told else [])]
        found: dict[str, str] = {}
        for text in texts:
            for field, kind in PLACEHOLDER.findall(text[LANGUAGES[0]]):
                if kind:
                    found.setdefault(field, kind)
        return found

    def value(self, fact: str, field: str, value: Json, scene: Scene, language: Language) -> str:
        """Return the value of a field as sentences of a fact tell it."""
        return self._filled(field, self.kinds(fact).get(field), {field: value}, scene, language)

    def is_quiet(self, fact: Fact) -> bool:
        """Tell whether an account of the match leaves this fact out."""
        return bool(self.display["facts"][fact["fact"]].get("quiet", False))

    def action(self, actor: Actor, action: Action, scene: Scene, language: Language) -> str:
        """Return an action as a sentence."""
        fields = {**action, "actor": actor}
        return self._sentence(self.display["actions"][action["type"]], fields, scene, language)

    def reason(self, rejection: Rejection, scene: Scene, language: Language) -> str:
        """Return why an action was refused."""
        reasons = self.display["reasons"]
        text = reasons.get(rejection.rule, reasons["default"])
        term = self.terms.get(rejection.rule, {}).get(language, rejection.rule)
        fields = {"rule": rejection.rule, "term": term, **rejection.values}
        return self._sentence(text, fields, scene, language)

    def draw(self, draw: Draw, scene: Scene, language: Language) -> str:
        """Return a draw in words."""
        if "die" in draw:
            return self._sentence(self.display["draws"]["die"], draw, scene, language)
        for pattern, text in self.display["draws"].items():
            found = _pattern(pattern).fullmatch(draw["shuffle"])
            if found is not None:
                return self._sentence(text, found.groupdict(), scene, language)
        return str(draw["shuffle"])

    def zone(self, zone: Json, language: Language) -> str:
        """Return the name of a zone."""
        told = self.display["zones"].get(zone, {}) if isinstance(zone, str) else {}
        return str(told.get(language, zone))

    def card(self, definition_id: str, language: Language) -> str:
        """Return the name of a card: title and name, as far as it has them in the language."""
        definition = self.cards[definition_id]
        name = definition.get(f"name_{language}") or definition.get("name_ja", definition_id)
        title = definition.get(f"title_{language}", "")
        if not title:
            return str(name)
        return f"{title}{name}" if language == "ja" else f"{title} {name}"

    def _sentence(
        self, text: Mapping[str, Json], fields: Mapping[str, Json], scene: Scene, language: Language
    ) -> str:
        cases = text.get("cases", ())
        taken = next((case for case in cases if matches(case["when"], dict(fields))), text)
        if "hidden" in taken and _names_hidden(taken[language], fields):
            taken = taken["hidden"]
        filled = PLACEHOLDER.sub(
            lambda found: self._filled(found[1], found[2], fields, scene, language), taken[language]
        )
        return filled[:1].upper() + filled[1:] if language == "en" else filled

    def _filled(
        self,
        path: str,
        kind: str | None,
        fields: Mapping[str, Json],
        scene: Scene,
        language: Language,
    ) -> str:
        value = _field(fields, path)
        if kind == "number":
            return str(_number(value))
        items = value if isinstance(value, list) else [value]
        if not items:
            return self._word("list", "empty", language)
        name = path.rsplit(".", maxsplit=1)[-1]
        return BETWEEN[language].join(
            self._item(item, kind, name, scene, language) for item in _shown(items)
        )

    def _item(
        self, item: Json, kind: str | None, name: str, scene: Scene, language: Language
    ) -> str:
        if kind == "card":
            return self._card_or_player(item, scene, language)
        if kind == "player":
            known = scene.names.get(item) if isinstance(item, str) else None
            return known or self._word("player", item, language)
        if kind == "zone":
            return self.zone(item, language)
        return self._word(name, item, language)

    def _card_or_player(self, item: Json, scene: Scene, language: Language) -> str:
        if isinstance(item, str) and item in scene.names:
            return scene.names[item]
        if isinstance(item, str) and item in self.display["words"].get("player", {}):
            return self._word("player", item, language)
        definition = None if item in (None, HIDDEN) else scene.definition_of(item)
        if definition is None or definition not in self.cards:
            return self._word("card", "hidden", language)
        return self.card(definition, language)

    def _word(self, name: str, value: Json, language: Language) -> str:
        key = str(value).lower() if isinstance(value, bool) else value
        words = self.display["words"].get(name, {})
        if isinstance(key, str) and key in words:
            return str(words[key][language])
        return "" if value is None else str(key)


def _pattern(pattern: str) -> re.Pattern[str]:
    parts = PLACEHOLDER.split(pattern)
    literals, names = parts[::3], parts[1::3]
    regex = re.escape(literals[0])
    for name, literal in zip(names, literals[1:], strict=True):
        regex += f"(?P<{name}>[^.:]+)" + re.escape(literal)
    return re.compile(regex)


def _field(fields: Mapping[str, Json], path: str) -> Json:
    value: Json = fields
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _number(value: Json) -> Json:
    if isinstance(value, dict) and "hidden" in value:
        return _count_hidden(value) + len(_part_shown(value))
    return len(value) if isinstance(value, list | dict) else value


def _shown(items: Sequence[Json]) -> list[Json]:
    """Return the elements of a list; of a partly hidden one the shown, then one for the rest."""
    if len(items) == 1 and isinstance(items[0], dict) and "hidden" in items[0]:
        return [*_part_shown(items[0]), HIDDEN]
    return list(items)


def _part_shown(partly_hidden: Mapping[str, Json]) -> list[Json]:
    # Facts on which people agreed hold anything.
    shown = partly_hidden.get("shown")
    return shown if isinstance(shown, list) else []


def _count_hidden(partly_hidden: Mapping[str, Json]) -> int:
    count = partly_hidden["hidden"]
    return count if isinstance(count, int) else 0


def _names_hidden(text: str, fields: Mapping[str, Json]) -> bool:
    return any(
        kind != "number" and _is_hidden(_field(fields, path))
        for path, kind in PLACEHOLDER.findall(text)
    )


def _is_hidden(value: Json) -> bool:
    if value is None or value == HIDDEN:
        return True
    if isinstance(value, list):
        return any(map(_is_hidden, value))
    return isinstance(value, dict) and value.get("hidden", 0) not in (0, None, False)
