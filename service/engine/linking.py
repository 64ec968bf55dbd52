"""Where the text of a rule names another: longest terms first, never inside a card's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from service.engine.texts import Language, Words
from service.engine.values import Json

LATIN, KATAKANA, KANJI = "A-Za-z0-9", "ァ-ヺー", "一-鿿々"
BRACKETED = re.compile(r"\s*[（(][^（）()]*[）)]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A part of a text that names a rule. start, end: characters (code points) from 0."""

    start: int
    end: int
    rule: str


@dataclass(frozen=True, kw_only=True)
class _Name:
    """Something to be found in texts. rules: those with this term, in order; none for a card."""

    text: str
    rules: tuple[str, ...] = ()

    @cached_property
    def folded(self) -> str:
        return self.text.lower() if self.rules else self.text

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return _pattern(self.text, is_term=bool(self.rules))


class Linker:
    """Finds the terms and ids of the rules of a rulebook in its texts, in one language."""

    def __init__(self, rules: Mapping[str, Json], cards: Iterable[str], language: Language) -> None:
        """Know the rules, id → entry, and the names of cards."""
        terms: dict[str, tuple[str, ...]] = {}
        for rule, entry in rules.items():
            for term in (rule, *_forms(entry[f"term_{language}"])):
                terms[term] = (*terms.get(term, ()), rule)
        names = [_Name(text=name) for name in sorted(set(cards))]
        names += [_Name(text=term, rules=ids) for term, ids in sorted(terms.items())]
        # A card that is named like a term comes before it: the sort keeps the order of equals.
        self._names = sorted(names, key=lambda name: -len(name.text))

    def links(self, text: str, own: str) -> list[Link]:
        """Return the links in the text of the rule `own` in their order; none to itself."""
        free, found, folded = [True] * len(text), [], text.lower()
        for name in self._names:
            # Most names are not in a text: looking for them plainly is much faster.
            if name.folded not in (folded if name.rules else text):
                continue
            for match in name.pattern.finditer(text):
                start, end = match.span()
                if not all(free[start:end]):
                    continue
                free[start:end] = [False] * (end - start)
                if name.rules and own not in name.rules:
                    found.append(Link(start=start, end=end, rule=name.rules[0]))
        return sorted(found, key=lambda link: link.start)


def card_names(words: Words, language: Language) -> set[str]:
    """Return what the cards of a pool are called in a language, with and without their titles."""
    names = {words.card(one, language) for one in words.cards}
    for definition in words.cards.values():
        names |= {
            str(value)
            for key, value in definition.items()
            if key == f"name_{language}" or key.endswith("_name")
        }
    return names - {""}


def _forms(term: str) -> list[str]:
    """Return a term as it stands in texts: also without what it explains in brackets."""
    short = BRACKETED.sub("", term).strip()
    return [term] if short in ("", term) else [term, short]


def _pattern(text: str, *, is_term: bool) -> re.Pattern[str]:
    """Return what finds a name as a word of its own.

    An English term is found in any case and with an s; a card's name is written as it is. In
    Japanese words of several kanji join freely; one alone is a word only between other signs.
    """
    plural = "s?" if is_term and _script(text[-1]) == LATIN else ""
    before, after = (_border(text, character) for character in (text[0], text[-1]))
    return re.compile(
        (f"(?<!{before})" if before else "")
        + re.escape(text)
        + plural
        + (f"(?!{after})" if after else ""),
        re.IGNORECASE if is_term else 0,
    )


def _border(text: str, character: str) -> str:
    """Return the signs that must not stand beside a character at the border of a name."""
    script = _script(character)
    is_free = script == "" or (script == KANJI and len(text) > 1)
    return "" if is_free else f"[{script}]"


def _script(character: str) -> str:
    return next(
        (script for script in (LATIN, KATAKANA, KANJI) if re.match(f"[{script}]", character)), ""
    )
