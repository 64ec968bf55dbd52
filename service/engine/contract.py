"""The contract between the service and a game: a record of pure functions (FORMAT 11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypedDict

from service.engine.draws import Draws
from service.engine.values import Action, Actor, Draw, Entry, Fact, Json, Position, View, Viewer


@dataclass(frozen=True, slots=True)
class Rejection:
    """A rule says no. A value, never an exception.

    rule: id of the rule that forbids the action, as `HS-301`.
    values: fills the placeholders of the reason; nothing outside the actor's view.
    """

    rule: str
    values: Mapping[str, Json] = field(default_factory=dict)


Decision: TypeAlias = list[Fact] | Rejection


class PositionFault(ValueError):
    """A position that cannot be normalised. place: path in it, as `players.P1.hand`."""

    def __init__(self, place: str, text: str) -> None:
        """Say what is wrong at a place."""
        super().__init__(f"{place}: {text}")
        self.place = place
        self.text = text


class SetupFault(ValueError):
    """A setup that no match between people can have. place: path in it, as `options.hand_size`."""

    def __init__(self, place: str, text: str) -> None:
        """Say what is wrong at a place."""
        super().__init__(f"{place}: {text}")
        self.place = place
        self.text = text


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault in a data file. place: path in the file, as `cards.yasuke.effects.0.do.1.op`."""

    place: str
    text: str


class Outcome(TypedDict):
    """How a match ended. winner: a player, `players`, `MB`, `draw`, null; reason: a word."""

    winner: str | None
    reason: str | None


class Form(TypedDict):
    """One viewer's form of a record (FORMAT 10); what is withheld as a whole is null."""

    actor: Actor
    action: Action | None
    draws: list[Draw | None]
    facts: list[Fact | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A fact with the positions before and after it."""

    before: Position
    fact: Fact
    after: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """An accepted action with all that it brought about (FORMAT 10)."""

    actor: Actor
    action: Action
    draws: tuple[Draw, ...]
    steps: tuple[Step, ...]
    before: Position
    after: Position

    @property
    def facts(self) -> list[Fact]:
        """The facts in their order."""
        return [step.fact for step in self.steps]


Setup: TypeAlias = Mapping[str, Json]
"""What is fixed before a match: `{decks: {P: deck}, options?, first?, …}`, as the game says."""


def _sound(_: Position) -> str | None:
    """Find no fault: for games that normalise sound positions only."""
    return None


def _lasting(_: Json) -> bool:
    """Take no reference for a place: for games that call cards by their ids alone."""
    return False


def _none(_: Position) -> list[Entry]:
    """Offer nothing: for games whose judges write all facts themselves."""
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """What people may say of a game. facts: the names it may use; rules: ids of its rulebook."""

    facts: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """A game bound to a card pool. All functions are pure and leave their inputs untouched.

    vocabulary: of facts that people give in place of the rules; bound by the catalogue.
    open_draws: the shuffles whose result is public at once, as dice always are (FORMAT 10).
    position_fault: the rule that a normalised position breaks, so that no action is decided on it,
        or None; a game whose `normalise` refuses all such positions leaves it out.
    new_position: the position before anything has happened.
    normalise: the full position of a shorthand; idempotent; raises `PositionFault`.
    clean: the action that is decided and stored; idempotent; looks at the action alone.
    spell_out: the action with every `"@name"` of a deck replaced by the deck (FORMAT 3).
    decide: the facts of an action, or a rejection.
    evolve: the position after one fact; total, no rule logic.
    legal_actions: `{actor: [entry]}` (FORMAT 8).
    automatic: the action that `system` must do now, or None.
    view, redact: the only places that hide anything (FORMAT 10).
    seats: the players of a position in order, before the start as far as known.
    outcome: how the match ended, or None.
    cards_in: every card that lies somewhere, id → what identifies it; the same after a correction.
    piles: what a judge may have shuffled, by the name of its shuffle: its elements in order.
    shuffled: the fact of such a shuffle, from the name and the new order.
    fixes: the facts that a judge gives most in a position, as templates (FORMAT 8) with `fact` and
        `rules` in place of `type`; a game without such facts leaves it out.
    summary: `final` of expected.json.
    definition_of: the definition id that an id, place or entry of a view stands for, or None.
    is_place: whether a reference calls a card by where it lies, so that it may be another card in
        another view; a game without places leaves it out.
    prepared: the setup of a match between people, without decks, from what one of them sent and
        the seats of the match: complete, every `"@name"` spelled out, so that with legal decks
        what `automatic` then gives is never refused; raises `SetupFault`.
    deal: a setup for a simulated match, chosen by labelled draws from the decks of the pool;
        options: `{mode?, seats?}`; raises ValueError for options the game does not have.
    header_fault: what is wrong with the header of a plain log beyond the common form, or None.
    header_of: the further keys of the header of a plain log, from its first action.
    """

    game: str
    engine: int
    cards: Mapping[str, Json]
    vocabulary: Vocabulary = Vocabulary()
    open_draws: frozenset[str] = frozenset()
    position_fault: Callable[[Position], str | None] = _sound
    is_place: Callable[[Json], bool] = _lasting
    fixes: Callable[[Position], list[Entry]] = _none
    new_position: Callable[[], Position]
    normalise: Callable[[Json], Position]
    clean: Callable[[Action], Action]
    spell_out: Callable[[Action], Action]
    decide: Callable[[Position, Actor, Action, Draws], Decision]
    evolve: Callable[[Position, Fact], Position]
    legal_actions: Callable[[Position], dict[Actor, list[Entry]]]
    automatic: Callable[[Position, Setup], Action | None]
    view: Callable[[Position, Viewer], View]
    redact: Callable[[Record, Viewer], Form]
    seats: Callable[[Position], tuple[str, ...]]
    outcome: Callable[[Position], Outcome | None]
    cards_in: Callable[[Position], Mapping[str, Json]]
    piles: Callable[[Position], Mapping[str, Sequence[Json]]]
    shuffled: Callable[[str, Sequence[Json]], Fact]
    summary: Callable[[Position], Json]
    definition_of: Callable[[View, Json], str | None]
    prepared: Callable[[Json, Sequence[str]], Setup]
    deal: Callable[[Draws, Mapping[str, Json]], Setup]
    header_fault: Callable[[Mapping[str, Json]], str | None]
    header_of: Callable[[Action], Mapping[str, Json]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """What a game's folder offers to the catalogue.

    name: as in `seeds/<name>/`. engine: raised by any change that alters a decision, a fold, a view
    or a redaction for some input. oldest_engine: the first whose decisions are still here.
    facts, actions: every name the game may use, for display.yaml.
    pool_faults: every fault of a parsed cards file, with its place.
    ruleset: binds the game to a parsed cards file without faults.
    """

    name: str
    engine: int
    facts: frozenset[str]
    actions: frozenset[str]
    pool_faults: Callable[[Json], list[Fault]]
    ruleset: Callable[[Json], Ruleset]
    oldest_engine: int = 1
