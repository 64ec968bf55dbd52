"""Deciding an action of High Card: the start, a card, an exchange, giving up (HC-002 to HC-012)."""

from __future__ import annotations

from collections.abc import Mapping

from service.engine.contract import Decision, Rejection
from service.engine.draws import Draws
from service.engine.values import SYSTEM, Action, Actor, Entry, Fact, Json, Position

from .folding import evolve
from .position import OVER, PLAYERS, SETUP, opponent

START_MATCH = "start_match"
DRAW, LOT = "draw", "first"
DECK_MIN, DECK_MAX = 3, 9
HAND_SIZE = 2
SIDES = 6
LETTERS = {"P1": "a", "P2": "b"}
ACTIONS: Mapping[str, frozenset[str]] = {
    START_MATCH: frozenset({"decks", "first"}),
    "play_card": frozenset({"card"}),
    "exchange": frozenset({"card"}),
    "concede": frozenset(),
}
"""Type → its fields, all of which must be there."""


class Course:
    """A decision under way: the position so far and the facts that led there."""

    def __init__(self, cards: Mapping[str, Json], position: Position, draws: Draws) -> None:
        self.cards = cards
        self.position = position
        self.draws = draws
        self.facts: list[Fact] = []

    def add(self, name: str, rule: str, **fields: Json) -> None:
        """Let a fact come about."""
        fact = {"fact": name, "rules": [rule], **fields}
        self.facts.append(fact)
        self.position = evolve(self.position, fact)

    def own(self, player: str) -> Json:
        """Return what a player has."""
        return self.position["players"][player]

    def value(self, player: str) -> int:
        """Return the value of the card that a player has on the table."""
        card = self.own(player)["table"][0]
        return int(self.cards[self.position["cards"][card]["card"]]["value"])


def decide(
    cards: Mapping[str, Json], position: Position, actor: Actor, action: Action, draws: Draws
) -> Decision:
    """Return the facts of an action, or the rule that forbids it."""
    rejection = _refusal(cards, position, actor, action)
    if rejection is not None:
        return rejection
    course = Course(cards, position, draws)
    kind = action["type"]
    if kind == START_MATCH:
        _start(course, action)
    elif kind == "concede":
        course.add("match_conceded", "HC-010", player=actor)
        _win(course, opponent(actor), "concession", "HC-010")
    elif kind == "exchange":
        _exchange(course, actor, action["card"])
    else:
        _play(course, actor, action["card"])
    return course.facts


def _refusal(
    cards: Mapping[str, Json], position: Position, actor: Actor, action: Action
) -> Rejection | None:
    kind = action.get("type")
    if position["phase"] == OVER:
        return Rejection("HC-013")
    if not isinstance(kind, str) or ACTIONS.get(kind) != frozenset(action) - {"type"}:
        return Rejection("HC-012")
    if kind == START_MATCH:
        return _refusal_of_start(cards, position, actor, action)
    if position["phase"] == SETUP:
        return Rejection("HC-002")
    if actor not in PLAYERS or (kind != "concede" and actor != position["turn"]):
        return Rejection("HC-005")
    return None if kind == "concede" else _refusal_of_card(position["players"][actor], action)


def _refusal_of_start(
    cards: Mapping[str, Json], position: Position, actor: Actor, action: Action
) -> Rejection | None:
    if actor != SYSTEM or position["phase"] != SETUP:
        return Rejection("HC-002")
    decks = action["decks"]
    if not isinstance(decks, dict) or decks.keys() != set(PLAYERS):
        return Rejection("HC-012")
    if not all(_is_deck(cards, deck) for deck in decks.values()):
        return Rejection("HC-002")
    return None if action["first"] in (*PLAYERS, DRAW) else Rejection("HC-003")


def _refusal_of_card(own: Json, action: Action) -> Rejection | None:
    if action["card"] not in own["hand"]:
        return Rejection("HC-006")
    if action["type"] == "exchange" and (own["exchanged"] or not own["deck"]):
        return Rejection("HC-011")
    return None


def _is_deck(cards: Mapping[str, Json], deck: Json) -> bool:
    return (
        isinstance(deck, list)
        and DECK_MIN <= len(deck) <= DECK_MAX
        and all(isinstance(card, str) and card in cards for card in deck)
    )


def _start(course: Course, action: Action) -> None:
    first = action["first"]
    if first == DRAW:
        first = course.draws.shuffle(LOT, PLAYERS)[0]
    course.add("match_started", "HC-003", first=first)
    for player in PLAYERS:
        deck = sorted(action["decks"][player])
        ids = {f"{LETTERS[player]}{n}": {"card": card} for n, card in enumerate(deck, 1)}
        course.add("deck_registered", "HC-002", player=player, size=len(deck), cards=ids)
    for player in PLAYERS:
        _shuffle(course, player)
    for player in PLAYERS:
        for _ in range(HAND_SIZE):
            _draw(course, player)
    course.add("turn_started", "HC-005", player=first)


def _shuffle(course: Course, player: str) -> None:
    order = course.draws.shuffle(f"deck:{player}", course.own(player)["deck"])
    course.add("deck_shuffled", "HC-002", player=player, order=order)


def _draw(course: Course, player: str) -> None:
    card = course.own(player)["deck"][0]
    course.add("card_drawn", "HC-004", player=player, card=card)


def _exchange(course: Course, actor: Actor, card: str) -> None:
    course.add("card_exchanged", "HC-011", player=actor, card=card)
    _shuffle(course, actor)
    _draw(course, actor)


def _play(course: Course, actor: Actor, card: str) -> None:
    course.add("card_played", "HC-006", player=actor, card=card)
    other = opponent(actor)
    if not course.own(other)["table"]:
        course.add("turn_started", "HC-005", player=other)
        return
    first = course.position["first"]
    base, against = course.value(first), course.value(opponent(first))
    course.add(
        "lead_computed",
        "HC-007",
        player=first,
        base=base,
        modifiers=[{"rules": ["HC-007"], "amount": -against}],
        total=base - against,
    )
    if base != against:
        winner = first if base > against else opponent(first)
        _win(course, winner, "higher", "HC-001")
        return
    die = course.draws.die(SIDES)
    winner = first if die > SIDES // 2 else opponent(first)
    course.add("die_thrown", "HC-008", die=die, sides=SIDES, winner=winner)
    _win(course, winner, "die", "HC-008")


def _win(course: Course, winner: str, reason: str, rule: str) -> None:
    course.add("match_won", rule, winner=winner, reason=reason)


def legal_actions(position: Position) -> dict[Actor, list[Entry]]:
    """Return what each actor may do; nothing when the match is over."""
    if position["phase"] == OVER:
        return {}
    if position["phase"] == SETUP:
        return {SYSTEM: []}
    listed: dict[Actor, list[Entry]] = {player: [{"type": "concede"}] for player in PLAYERS}
    actor = position["turn"]
    own = position["players"][actor]
    entries: list[Entry] = [{"type": "play_card", "choose": {"card": {"from": own["hand"]}}}]
    if own["deck"] and not own["exchanged"]:
        entries.append({"type": "exchange", "choose": {"card": {"from": own["hand"]}}})
    listed[actor] = [*entries, *listed[actor]]
    return listed
