"""Numbers in the address of a page."""

from __future__ import annotations

from flask import request


def number_in(name: str, digits: int) -> int | None:
    """Return a number of the query with at most so many digits, None for anything else."""
    asked = request.args.get(name, "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= digits else None
