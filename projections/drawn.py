"""The draws of a match as a viewer is shown them, each with what makes it again (integrity 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec import Struct

from projections.replay import MatchHistory
from service.aggregates.backups import ORDERED
from service.aggregates.events import (
    ActionPlayed,
    Corrected,
    MatchReopened,
    Roots,
    SecretsOpened,
)
from service.aggregates.matches import Match, counted, evolve
from service.engine.contract import Ruleset
from service.engine.draws import DrawFault, Draws, RecordedSource
from service.engine.play import perform
from service.engine.texts import Language, Scene, Words
from service.engine.values import JUDGE, Draw, Json, Viewer
from service.integrity.chain import form_for
from service.integrity.sealing import match_event_of

OPEN, CLOSED = "open", "closed"


class Made(Struct, frozen=True, kw_only=True):
    """How a draw came about. label: of its stream; root: whose key it is drawn with.

    before: what was shuffled, in the order of before, where the viewer may know it; else null.
    """

    label: str
    root: str
    before: list[Json] | None
    text: str


class Drawn(Struct, frozen=True, kw_only=True):
    """The draws of one event and how each was made; null for one that is withheld."""

    seq: int
    draws: list[Draw | None]
    made: list[Made | None]


class Period(Struct, frozen=True, kw_only=True):
    """Events whose draws follow from the same roots, from `since` on.

    sealed: the commitments; open, closed: the roots, as far as they were opened.
    """

    since: int
    sealed: Roots | None
    open: str | None = None
    closed: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """The draws of one match for one viewer in one language. names: seat → display name."""

    log: MatchHistory
    match: Match
    ruleset: Ruleset
    words: Words
    names: dict[str, str]
    viewer: Viewer
    language: Language

    def draws(self, start: int, to: int) -> Iterator[Drawn]:
        """Yield the events with `start` < seq ≤ `to` for which something was drawn."""
        state = self.log.match(self.match.id, version=start) if start else None
        for sealed in self.log.sealed_of(self.match.id, after=start, to=to):
            event = match_event_of(sealed)
            if state is not None and isinstance(event, ActionPlayed | Corrected) and event.draws:
                shown = form_for(sealed, self.viewer)["draws"]
                yield self._drawn(state, event, shown)
            state = evolve(state, event, self.ruleset, match_id=self.match.id)

    def seals(self) -> dict[str, str | None]:
        """Return the sealed seeds: seat → commitment, None for a seat that gave none."""
        return {seat: one.seed_commitment for seat, one in sorted(self.match.readied.items())}

    def periods(self) -> list[Period]:
        """Return the roots of the match since it was opened, and since each time it was reopened.

        They are opened by the last events, of all lines, that the viewer is shown.
        """
        found = [Period(since=1, sealed=self.match.opened.roots)]
        if self.match.closed is None and not self.match.reopened:
            return found
        events = self.log.events_of(self.match.id, after=1, to=self.match.version)
        for seq, event in enumerate(events, start=2):
            if isinstance(event, SecretsOpened):
                last = found[-1]
                found[-1] = Period(
                    since=last.since, sealed=last.sealed, open=event.open, closed=event.closed
                )
            elif isinstance(event, MatchReopened):
                found.append(Period(since=seq, sealed=event.roots))
        return found

    def _drawn(
        self, state: Match, event: ActionPlayed | Corrected, shown: Sequence[Draw | None]
    ) -> Drawn:
        before = self._before(state, event)
        labels = _labels(state, event.draws)
        made = [
            None if seen is None else self._made(draw, label, items)
            for seen, draw, label, items in zip(shown, event.draws, labels, before, strict=True)
        ]
        return Drawn(seq=state.version + 1, draws=list(shown), made=made)

    def _made(self, draw: Draw, label: str, before: list[Json] | None) -> Made:
        is_open = "die" in draw or draw["shuffle"] in self.ruleset.open_draws
        return Made(
            label=label,
            root=OPEN if is_open else CLOSED,
            before=before if is_open or self.viewer == JUDGE else None,
            text=self._text(draw),
        )

    def _text(self, draw: Draw) -> str:
        """Return a draw in words: its name and, of a die, what it shows."""
        plain = draw
        if "shuffle" in draw:
            plain = {**draw, "shuffle": draw["shuffle"].removeprefix(ORDERED)}
        scene = Scene(names=self.names, definition_of=lambda _: None)
        return self.words.draw(plain, scene, self.language)

    def _before(self, state: Match, event: ActionPlayed | Corrected) -> list[list[Json] | None]:
        """Return what each draw was asked with, as far as this program can still tell."""
        if isinstance(event, Corrected):
            return self._piles(state, event)
        asked = Listening(event.draws)
        try:
            perform(self.ruleset, state.position, event.actor, event.action, Draws(asked))
        except DrawFault:
            # An older program decided it; what it asked with is not known any more.
            asked.before.clear()
        left = len(event.draws) - len(asked.before)
        return [*asked.before, *[None] * left]

    def _piles(self, state: Match, event: Corrected) -> list[list[Json] | None]:
        """Return the piles as they lay before a judge had them shuffled: behind the facts given."""
        position = state.position
        for fact in event.facts[: -len(event.draws)]:
            position = self.ruleset.evolve(position, fact)
        piles = self.ruleset.piles(position)
        names = [draw["shuffle"].removeprefix(ORDERED) for draw in event.draws]
        return [list(piles[name]) if name in piles else None for name in names]


class Listening(RecordedSource):
    """Answers with recorded draws and notes what they are asked with, None for a die (`before`)."""

    def __init__(self, draws: Sequence[Draw]) -> None:
        """Answer with `draws`; nothing was asked yet."""
        super().__init__(draws)
        self.before: list[list[Json] | None] = []

    def ordered(self, name: str, items: Sequence[Json]) -> list[Json]:
        """Answer a shuffle."""
        self.before.append(list(items))
        return super().ordered(name, items)

    def rolled(self, sides: int) -> int:
        """Answer a die."""
        self.before.append(None)
        return super().rolled(sides)


def _labels(state: Match, draws: Sequence[Draw]) -> list[str]:
    """Return the labels of draws from a state on: each name with how often it was drawn before."""
    counts, found = state.counts, []
    for draw in draws:
        after = counted(counts, [draw])
        (name,) = (one for one in after if after[one] != counts.get(one))
        found.append(f"{name}/{after[name] - 1}")
        counts = after
    return found
