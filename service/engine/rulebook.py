"""A rulebook: the rules of a game in one wording, cross-linked, and compared with another one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from service.engine.editions import Edition
from service.engine.linking import Link, Linker, card_names
from service.engine.texts import Language, Words
from service.engine.values import Json

MEANING = ("kind", "enforced_by", "meaning")
MEANING_FIRST = 1


@dataclass(frozen=True, kw_only=True)
class Rulebook:
    """The rules of an edition in one of its wordings. words: of its display.yaml and the cards.

    rules: id → entry, in the order of rules.yaml.
    """

    edition: Edition
    rules: Mapping[str, Json]
    words: Words

    @cached_property
    def seen_by(self) -> Mapping[str, list[str]]:
        """Rule → those that name it under `see`, in their order."""
        found: dict[str, list[str]] = {rule: [] for rule in self.rules}
        for rule, entry in self.rules.items():
            for other in entry["see"]:
                found[other].append(rule)
        return found

    def links(self, rule: str, language: Language) -> list[Link]:
        """Return where the text of a rule names the terms of others."""
        return self._linkers[language].links(self.rules[rule][f"text_{language}"], rule)

    @cached_property
    def _linkers(self) -> Mapping[Language, Linker]:
        languages: tuple[Language, ...] = ("ja", "en")
        return {
            language: Linker(self.rules, card_names(self.words, language), language)
            for language in languages
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What two rulebooks say differently: ids in the order of the later one, then of the earlier.

    wording: rules that mean the same in other words. is_worded_anew: how facts, actions and
    refusals are worded.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    meaning: tuple[str, ...]
    wording: tuple[str, ...]
    is_worded_anew: bool


def compared(old: Rulebook, new: Rulebook) -> Comparison:
    """Compare two rulebooks of a game."""
    kept = [rule for rule in new.rules if rule in old.rules]
    meaning = tuple(rule for rule in kept if has_changed(rule, old.rules, new.rules))
    return Comparison(
        added=tuple(rule for rule in new.rules if rule not in old.rules),
        removed=tuple(rule for rule in old.rules if rule not in new.rules),
        meaning=meaning,
        wording=tuple(
            rule for rule in kept if rule not in meaning and old.rules[rule] != new.rules[rule]
        ),
        is_worded_anew=old.words.display != new.words.display,
    )


def has_changed(rule: str, old_rules: Mapping[str, Json], new_rules: Mapping[str, Json]) -> bool:
    """Tell whether a rule means something else, or is there no more: other words change nothing."""
    return _meaning(rule, old_rules) != _meaning(rule, new_rules)


def is_same(rule: str, one: Rulebook, other: Rulebook) -> bool:
    """Tell whether a rule stands in both rulebooks in the same words with the same meaning."""
    return one.rules.get(rule) == other.rules.get(rule)


def worded_as(earlier: Mapping[str, Json], later: Mapping[str, Json]) -> dict[str, dict[str, Json]]:
    """Return an earlier display.yaml with all that only the later one words.

    A match may hold what its own does not know, as facts on which people agreed.
    """
    display = {name: {**part, **earlier.get(name, {})} for name, part in later.items()}
    words = earlier.get("words", {})
    display["words"] = display["words"] | {
        name: {**part, **words.get(name, {})} for name, part in later["words"].items()
    }
    return display


def _meaning(rule: str, rules: Mapping[str, Json]) -> list[Json] | None:
    if rule not in rules:
        return None
    return [rules[rule].get(key, MEANING_FIRST) for key in MEANING]
