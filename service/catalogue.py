"""Finds the games, loads and checks `seeds/<game>/`, binds rulesets to card pools."""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path

from schemas.seeds import display_faults, glossary_faults, rule_faults
from schemas.strict import Unreadable, canonical, read_yaml
from service import rulesets
from service.engine.contract import Game, Ruleset, Vocabulary
from service.engine.editions import Edition
from service.engine.examples import is_example
from service.engine.texts import Words
from service.engine.values import Json

SAMPLE = "sample"
EDITION_NUMBER = 1
GLOSSARY = "glossary.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedFault:
    """A fault in a data file. place: entry and field, as `HS-001.kind`."""

    file: str
    place: str
    text: str

    def __str__(self) -> str:
        where = f"{self.file}: {self.place}" if self.place else self.file
        return f"{where}: {self.text}"


class SeedRefused(ValueError):
    """Data files that cannot be used; `faults` names every fault found."""

    def __init__(self, faults: Sequence[SeedFault]) -> None:
        """Keep the faults, one line each in the text."""
        super().__init__("\n".join(map(str, faults)))
        self.faults = tuple(faults)


class UnknownGame(LookupError):
    """No game of this name is installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A game bound to a checked card pool. body: the canonical bytes of the cards."""

    digest: str
    cards: Json
    body: bytes
    ruleset: Ruleset
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedGame:
    """A game with its checked data. rules: rule id → entry, in the order of rules.yaml.

    texts: the canonical bytes of rules.yaml and display.yaml together, as they are kept. glossary:
    groups of words for the same thing; a game may have none.
    """

    game: Game
    folder: Path
    edition: Edition
    texts: bytes
    rules: Mapping[str, Json]
    display: Mapping[str, Json]
    sample: Pool
    glossary: Sequence[Sequence[str]]

    def bound(self, cards: Json) -> Pool:
        """Bind the game to a parsed cards file without faults."""
        return _pool(self.game, cards, self.display, self.rules)


class Catalogue:
    """The games of this installation. seeds: the folder with one folder of data per game."""

    def __init__(self, seeds: Path) -> None:
        """Discover the games; their data are read when first asked for."""
        self._seeds = seeds
        self._games = {game.name: game for game in _discover()}
        self._loaded: dict[str, LoadedGame] = {}
        self._pools: dict[tuple[str, str], Pool] = {}
        self._takes: dict[tuple[str, Path], bool] = {}
        self._examples: dict[str, Mapping[str, Json]] = {}

    def names(self) -> list[str]:
        """Return the names of the games, sorted."""
        return sorted(self._games)

    def game(self, name: str) -> LoadedGame:
        """Return a game with its data; raises `UnknownGame`, `SeedRefused` naming every fault."""
        if name not in self._games:
            raise UnknownGame(f"no game {name!r}; there are: {', '.join(self.names())}")
        if name not in self._loaded:
            self._loaded[name] = load_game(self._games[name], self._seeds / name)
        return self._loaded[name]

    def examples(self, name: str) -> Mapping[str, Json]:
        """Return the worked examples of a game, id → example; raises `SeedRefused`.

        They show the present edition; a game need not have any.
        """
        if name not in self._examples:
            path = self.game(name).folder / "examples.yaml"
            entries = read_examples(path) if path.is_file() else []
            self._examples[name] = {entry["id"]: entry for entry in entries if is_example(entry)}
        return self._examples[name]

    def synonyms(self, game: str | None = None) -> list[Sequence[str]]:
        """Return the groups of words for the same thing, of one game or of all."""
        names = [name for name in self.names() if game in (None, name)]
        return [group for name in names for group in self.game(name).glossary]

    def known_pool(self, name: str, digest: str) -> Pool | None:
        """Return the pool of this digest if it was bound before."""
        sample = self.game(name).sample
        return sample if digest == sample.digest else self._pools.get((name, digest))

    def pool(self, name: str, cards: Json, *, file: str = "cards.yaml") -> Pool:
        """Bind a game to another card pool; raises `SeedRefused` naming every fault."""
        game = self.game(name)
        found = [
            SeedFault(file=file, place=fault.place, text=fault.text)
            for fault in game.game.pool_faults(cards)
        ]
        if found:
            raise SeedRefused(found)
        pool = game.bound(cards)
        return self.known_pool(name, pool.digest) or self._pools.setdefault(
            (name, pool.digest), pool
        )

    def without_pools(self) -> Catalogue:
        """Return a catalogue of the same data, read once for both, that has bound only samples."""
        found = copy(self)
        found._pools = {}
        return found

    def takes(self, name: str, path: Path) -> bool:
        """Tell whether a YAML file is a card pool of a game; the file is looked at once."""
        key = name, path
        if key not in self._takes:
            try:
                self.read_pool(name, path)
            except SeedRefused:
                self._takes[key] = False
            else:
                self._takes[key] = True
        return self._takes[key]

    def read_pool(self, name: str, path: Path) -> Pool:
        """Bind a game to the card pool in a YAML file; raises `SeedRefused`."""
        return self.pool(name, _read(path), file=path.name)


def _discover() -> list[Game]:
    return [
        importlib.import_module(f"{rulesets.__name__}.{module.name}").GAME
        for module in pkgutil.iter_modules(rulesets.__path__)
        if module.ispkg
    ]


def load_game(game: Game, folder: Path) -> LoadedGame:
    """Read and check the data of a game; raises `SeedRefused` naming every fault of every file."""
    rules, display, cards = (
        _read(folder / f"{name}.yaml") for name in ("rules", "display", "cards")
    )
    faults = _named("rules.yaml", rule_faults(rules))
    ids = frozenset(rule["id"] for rule in rules) if not faults else frozenset()
    faults += _named(
        "display.yaml",
        display_faults(display, facts=game.facts, actions=game.actions, rules=ids),
    )
    glossary = _read(folder / GLOSSARY) if (folder / GLOSSARY).exists() else []
    faults += _named(GLOSSARY, glossary_faults(glossary))
    faults += _named("cards.yaml", [(f.place, f.text) for f in game.pool_faults(cards)])
    if faults:
        raise SeedRefused(
            [
                SeedFault(file=f"{folder.name}/{fault.file}", place=fault.place, text=fault.text)
                for fault in faults
            ]
        )
    by_id = {rule["id"]: rule for rule in rules}
    sample, texts = _pool(game, cards, display, by_id), canonical([rules, display])
    return LoadedGame(
        game=game,
        folder=folder,
        edition=_edition(game, rules, texts, sample.digest),
        texts=texts,
        rules=by_id,
        display=display,
        sample=sample,
        glossary=glossary,
    )


def read_examples(path: Path) -> list[Json]:
    """Return the entries of a file of worked examples (FORMAT 5); raises `SeedRefused`."""
    content = _read(path)
    entries = content.get("examples") if isinstance(content, dict) else content
    if not isinstance(entries, list) or (isinstance(content, dict) and len(content) != 1):
        text = "a list of examples, bare or as the only key `examples`"
        raise SeedRefused([SeedFault(file=path.name, place="", text=text)])
    return entries


def _read(path: Path) -> Json:
    try:
        return read_yaml(path.read_bytes())
    except OSError as fault:
        raise SeedRefused([SeedFault(file=str(path), place="", text="cannot be read")]) from fault
    except Unreadable as fault:
        raise SeedRefused([SeedFault(file=path.name, place="", text=str(fault))]) from fault


def _named(file: str, faults: Sequence[tuple[str, str]]) -> list[SeedFault]:
    return [SeedFault(file=file, place=place, text=text) for place, text in faults]


def digest_of(value: Json) -> str:
    """Return the SHA-256 of the canonical JSON of a value, in hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()


def _pool(game: Game, cards: Json, display: Json, rules: Mapping[str, Json]) -> Pool:
    vocabulary = Vocabulary(facts=game.facts, rules=frozenset(rules))
    ruleset, body = replace(game.ruleset(cards), vocabulary=vocabulary), canonical(cards)
    return Pool(
        digest=hashlib.sha256(body).hexdigest(),
        cards=cards,
        body=body,
        ruleset=ruleset,
        words=Words(display=display, cards=ruleset.cards, terms=terms_of(rules)),
    )


def terms_of(rules: Mapping[str, Json]) -> dict[str, dict[str, str]]:
    """Return what each rule is called, language → term."""
    return {rule: {"ja": entry["term_ja"], "en": entry["term_en"]} for rule, entry in rules.items()}


def _edition(game: Game, rules: Json, texts: bytes, cards_digest: str) -> Edition:
    meaning = [
        {key: rule.get(key, 1) for key in ("id", "kind", "enforced_by", "meaning")}
        for rule in rules
    ]
    return Edition(
        game=game.name,
        number=EDITION_NUMBER,
        engine=game.engine,
        rules_digest=digest_of(meaning),
        cards_digest=cards_digest,
        texts_digest=hashlib.sha256(texts).hexdigest(),
    )
