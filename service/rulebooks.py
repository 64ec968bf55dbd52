"""The rulebooks of an installation: those of the games that are here, and all that were before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from schemas.strict import read_json
from service.aggregates.editions import Editions, edition_of, newest, placed
from service.aggregates.world import NotFound
from service.catalogue import Catalogue, LoadedGame, terms_of
from service.commands.editions import editions_of, register_edition, usable_edition
from service.commands.ports import PublicLog
from service.engine.editions import Edition, EditionName, edition_name
from service.engine.rulebook import Rulebook, worded_as
from service.engine.texts import Words
from service.engine.values import Json


class RulebookLog(PublicLog, Protocol):
    """The log with the documents that were saved beside its events."""

    def document(self, digest: str) -> bytes | None:
        """Return a stored file by its SHA-256, or None."""
        ...


class Rulebooks:
    """Every edition of every game in each of its wordings.

    Texts are read when they are first asked for, and kept.
    """

    def __init__(self, catalogue: Catalogue, log: RulebookLog) -> None:
        """Know the games that are here and the log in which editions are registered."""
        self._catalogue = catalogue
        self._log = log
        self._texts: dict[str, tuple[Mapping[str, Json], Mapping[str, Json]]] = {}
        self._books: dict[Edition, Rulebook] = {}

    def register(self, game: str, *, now: str) -> Edition:
        """Give the game's rules, cards and texts a number and a revision, if they are new."""
        loaded = self._catalogue.game(game)
        return register_edition(self._log, loaded.edition, loaded.texts, now=now)

    def usable(self, game: str, *, now: str) -> Edition:
        """Return the edition under which a new match opens; raises `Refused` if withdrawn."""
        loaded = self._catalogue.game(game)
        return usable_edition(self._log, loaded.edition, loaded.texts, now=now)

    def editions(self, game: str) -> Editions:
        """Return the registered editions of a game; raises `UnknownGame`."""
        self._catalogue.game(game)
        return editions_of(self._log, game)

    def present(self, game: str) -> Rulebook:
        """Return the rulebook by which new matches are played; raises `UnknownGame`."""
        return self._present(self.editions(game))

    def last(self, game: str) -> Rulebook:
        """Return the latest rulebook: the present one, unless a later one was registered before."""
        known = self.editions(game)
        present, registered = self._present(known), newest(known)
        if registered is None or _order(registered) <= _order(present.edition):
            return present
        return self._book(registered) or present

    def find(self, game: str, name: EditionName) -> Rulebook | None:
        """Return the rulebook of an edition of a game; raises `UnknownGame`.

        None if there is no such edition, or its texts were not kept when it was registered.
        """
        known = self.editions(game)
        present, asked = self._present(known), (name.number, name.revision)
        if name.game not in (None, game):
            return None
        if asked == _order(present.edition):
            return present
        found = edition_of(known, *asked)
        return None if found is None else self._book(found)

    def rules_of(self, edition: str) -> Mapping[str, Json]:
        """Return the rules of an edition by its name, id → entry; raises `NotFound`.

        edition: as `hi-story@3`, `hi-story@3.2`, `hi-story@3+0a1b2c3d4e5f`.
        """
        name = edition_name(edition)
        if name is not None and name.game in self._catalogue.names():
            book = self.find(name.game, name)
            if book is not None:
                return book.rules
        raise NotFound(f"no rules of an edition {edition}")

    def rules_at(self, edition: str, game: str) -> Mapping[str, Json]:
        """Return the rules of an edition of a game, id → entry.

        Those of today where its texts were not kept: ids are never used again.
        """
        try:
            return self.rules_of(edition)
        except NotFound:
            return self.present(game).rules

    def words_of(self, game: str, texts_digest: str, words: Words) -> Words:
        """Return words as they were in a wording; as they are now if it was not kept.

        words: of the cards that are to be named.
        """
        loaded = self._catalogue.game(game)
        if texts_digest == loaded.edition.texts_digest:
            return words
        found = self._texts_of(loaded, texts_digest)
        if found is None:
            return words
        rules, display = found
        return Words(
            display=worded_as(display, loaded.display),
            cards=words.cards,
            terms={**words.terms, **terms_of(rules)},
        )

    def _present(self, known: Editions) -> Rulebook:
        loaded = self._catalogue.game(known.game)
        book = self._book(placed(known, loaded.edition))
        assert book is not None, "the texts of the games that are here are at hand"
        return book

    def _book(self, edition: Edition) -> Rulebook | None:
        """Return the rulebook of an edition, or None if its texts were not kept."""
        if edition not in self._books:
            loaded = self._catalogue.game(edition.game)
            found = self._texts_of(loaded, edition.texts_digest)
            if found is None:
                return None
            rules, display = found
            cards = loaded.sample.words.cards
            words = Words(display=display, cards=cards, terms=terms_of(rules))
            self._books[edition] = Rulebook(edition=edition, rules=rules, words=words)
        return self._books[edition]

    def _texts_of(
        self, loaded: LoadedGame, digest: str
    ) -> tuple[Mapping[str, Json], Mapping[str, Json]] | None:
        """Return the rules and the display.yaml of a wording, or None if it was not kept."""
        if digest == loaded.edition.texts_digest:
            return loaded.rules, loaded.display
        if digest not in self._texts:
            body = self._log.document(digest)
            if body is None:
                return None
            rules, display = read_json(body)
            self._texts[digest] = {rule["id"]: rule for rule in rules}, display
        return self._texts[digest]


def _order(edition: Edition) -> tuple[int, int]:
    return edition.number, edition.revision
