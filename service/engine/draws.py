"""Labelled draws: the only way in which chance enters a decision (FORMAT 4 and 6).

A ruleset asks `Draws` for shuffles and dice by name; a source answers. What was drawn is recorded
in the order of asking, in the form of a plain log: `{"shuffle": name, "order": [...]}` or
`{"die": n, "sides": k}`.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from service.engine.hashes import joined
from service.engine.values import Draw, Json, is_integer, is_integer_in, same

WORD_BYTES = 4
WORD_VALUES = 2**32
WORDS_PER_VALUE_MAX = 128


class DrawFault(ValueError):
    """A given draw does not answer what was asked; the text says what was expected."""


class Source(Protocol):
    """Answers draws: `ordered` gives a permutation, `rolled` a number from 1 to `sides`."""

    def ordered(self, name: str, items: Sequence[Json]) -> list[Json]:
        """Answer the shuffle `name` of `items`."""
        ...

    def rolled(self, sides: int) -> int:
        """Answer a die."""
        ...


class Draws:
    """What a ruleset asks, and the record of the answers (`made`)."""

    def __init__(self, source: Source) -> None:
        """Ask `source`; nothing is drawn yet."""
        self._source = source
        self.made: list[Draw] = []

    def shuffle(self, name: str, items: Sequence[Json]) -> list[Json]:
        """Return the items in a new order."""
        order = self._source.ordered(name, items)
        self.made.append({"shuffle": name, "order": order})
        return list(order)

    def die(self, sides: int) -> int:
        """Return a number from 1 to `sides`."""
        number = self._source.rolled(sides)
        self.made.append({"die": number, "sides": sides})
        return number


class KeyedSource:
    """Draws that follow from a key: each label is a stream of HMAC-SHA-256 blocks.

    label = `die/<sides>/<count>` or `shuffle/<name>/<count>`; the count is kept per name in
    `counts`, which starts from the given one and is never shared with it.
    """

    def __init__(self, key: bytes, counts: Mapping[str, int]) -> None:
        """Draw with `key`, going on from `counts`."""
        self._key = key
        self.counts = dict(counts)

    def ordered(self, name: str, items: Sequence[Json]) -> list[Json]:
        """Shuffle by Fisher-Yates from the last index down."""
        below = numbers(self._key, self._label(f"shuffle/{name}"))
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def rolled(self, sides: int) -> int:
        """Roll a die."""
        return numbers(self._key, self._label(f"die/{sides}"))(sides) + 1

    def _label(self, name: str) -> str:
        count = self.counts.get(name, 0)
        self.counts[name] = count + 1
        return f"{name}/{count}"


def numbers(key: bytes, label: str) -> Callable[[int], int]:
    """Return the stream of a label: a function that gives the next even number below its argument.

    Block i is HMAC-SHA-256(key, joined(label, i in 4 bytes)), read 4 bytes at a time, big-endian; a
    word that would favour small numbers is passed over.
    """
    words: list[int] = []
    block = 0

    def below(limit: int) -> int:
        nonlocal block
        bound = WORD_VALUES - WORD_VALUES % limit
        for _ in range(WORDS_PER_VALUE_MAX):
            if not words:
                digest = hmac.digest(
                    key, joined(label.encode(), block.to_bytes(4, "big")), "sha256"
                )
                block += 1
                words.extend(
                    int.from_bytes(digest[at : at + WORD_BYTES], "big")
                    for at in range(len(digest) - WORD_BYTES, -1, -WORD_BYTES)
                )
            word = words.pop()
            if word < bound:
                return word % limit
        raise AssertionError("a stream of numbers gave no even one")

    return below


class RecordedSource:
    """The draws of a plain log: complete, in the order of asking, nothing left over."""

    def __init__(self, draws: Sequence[Json]) -> None:
        """Answer with `draws`, from the front."""
        self._left = list(draws)

    def ordered(self, name: str, items: Sequence[Json]) -> list[Json]:
        """Answer with the next draw, which must be a permutation under this name."""
        draw = self._next(f"shuffle {name}")
        if not isinstance(draw, dict) or set(draw) != {"shuffle", "order"}:
            raise DrawFault(f"expected the shuffle {name} with its complete order")
        if draw["shuffle"] != name:
            raise DrawFault(f"expected the shuffle {name}, found {draw['shuffle']!r}")
        if not _is_permutation(draw["order"], items):
            raise DrawFault(
                f"the order of {name} is no permutation of the {len(items)} elements there"
            )
        return list(draw["order"])

    def rolled(self, sides: int) -> int:
        """Answer with the next draw, which must be a die of these sides."""
        draw = self._next(f"a die with {sides} sides")
        if not isinstance(draw, dict) or set(draw) != {"die", "sides"}:
            raise DrawFault(f"expected a die with {sides} sides")
        if not same(draw["sides"], sides):
            raise DrawFault(f"expected a die with {sides} sides, found {draw['sides']!r}")
        if not is_integer_in(draw["die"], 1, sides):
            raise DrawFault(f"a die with {sides} sides cannot show {draw['die']!r}")
        return int(draw["die"])

    def finish(self) -> None:
        """Raise `DrawFault` if a draw is left over."""
        if self._left:
            raise DrawFault(f"draws left over: {len(self._left)}")

    def _next(self, wanted: str) -> Json:
        if not self._left:
            raise DrawFault(f"a draw is missing: {wanted}")
        return self._left.pop(0)


class ScriptedSource:
    """The `rng` list of an example, with its short forms (FORMAT 4)."""

    def __init__(self, rng: Sequence[Json]) -> None:
        """Answer with `rng`, from the front."""
        self._left = list(rng)

    def ordered(self, name: str, items: Sequence[Json]) -> list[Json]:
        """Answer a shuffle: elements listed first, the others behind in their present order.

        An entry for another shuffle or for a die is left for what comes after.
        """
        if not self._left or _is_for_another(self._left[0], name):
            return list(items)
        entry = self._left.pop(0)
        if entry == "keep":
            return list(items)
        if isinstance(entry, dict) and set(entry) <= {"shuffle", "order"} and "shuffle" in entry:
            entry = entry.get("order", [])
        if not isinstance(entry, list):
            raise DrawFault(f"the shuffle {name} met the entry {entry!r}")
        rest = list(items)
        for wanted in entry:
            at = next((i for i, item in enumerate(rest) if same(item, wanted)), None)
            if at is None:
                raise DrawFault(f"{wanted!r} is not among what the shuffle {name} orders")
            del rest[at]
        return [*entry, *rest]

    def rolled(self, sides: int) -> int:
        """Answer a die."""
        if not self._left:
            raise DrawFault(f"no entry for a die with {sides} sides")
        entry = self._left.pop(0)
        number = entry
        if isinstance(entry, dict) and set(entry) <= {"die", "sides"} and "die" in entry:
            if not same(entry.get("sides", sides), sides):
                raise DrawFault(f"expected a die with {sides} sides, found {entry!r}")
            number = entry["die"]
        if not is_integer_in(number, 1, sides):
            raise DrawFault(f"a die with {sides} sides met the entry {entry!r}")
        return int(number)

    def finish(self) -> None:
        """Raise `DrawFault` if an entry is left over."""
        if self._left:
            raise DrawFault(f"entries of rng left over: {self._left!r}")


def _is_for_another(entry: Json, name: str) -> bool:
    if isinstance(entry, dict) and "shuffle" in entry:
        return bool(entry["shuffle"] != name)
    return is_integer(entry) or (isinstance(entry, dict) and "die" in entry)


def _is_permutation(order: Json, items: Sequence[Json]) -> bool:
    if not isinstance(order, list) or len(order) != len(items):
        return False
    rest = list(items)
    for item in order:
        at = next((i for i, other in enumerate(rest) if same(item, other)), None)
        if at is None:
            return False
        del rest[at]
    return True
