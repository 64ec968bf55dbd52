"""Generations of read models: which tables stand for the names that projections write and read.

A read model is rebuilt in tables beside those that are read. Generation 0 has the tables as they
are named; those of generation 2 of `matches_3` are `matches_3__2`, `matches_3__2_persons`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

GENERATIONS = "projection_generations"
"""Table of those that are read: name of the projection, number; without a row it is 0."""

# A name with its version, as tables and indexes of a projection begin with it.
_NAME = re.compile(r"\b([a-z][a-z_]*_[0-9]+)(?![0-9a-z]|__[0-9])")
_GENERATION = re.compile(r"(.+?)__([0-9]+)")
_TABLE = re.compile(r"([a-z][a-z_]*_[0-9]+(?:__[0-9]+)?)(?:_.*)?")


def generation_name(name: str, number: int) -> str:
    """Return what stands for the name of a projection in a generation."""
    return f"{name}__{number}" if number else name


def parted_name(generation: str) -> tuple[str, int]:
    """Return the projection and the number of a generation."""
    found = _GENERATION.fullmatch(generation)
    return (generation, 0) if found is None else (found[1], int(found[2]))


def generation_of_table(table: str) -> str | None:
    """Return the generation that a table belongs to, or None: as its name begins."""
    found = _TABLE.fullmatch(table)
    return None if found is None else found[1]


def names_in(statement: str) -> set[str]:
    """Return the names in a statement that may be those of projections."""
    return set(_NAME.findall(statement))


def in_generations(statement: str, generations: Mapping[str, str]) -> str:
    """Return a statement on the tables of generations. generations: projection → its name there."""
    return _NAME.sub(lambda found: generations.get(found[1], found[1]), statement)
