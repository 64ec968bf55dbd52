"""The check `fair`: who had a say in the draws, and do commitments open (integrity 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from service.aggregates.fairness import (
    NO_SEED,
    Secrets,
    draw_key,
    root_commitment,
    seed_commitment,
)
from service.engine.draws import KeyedSource
from service.engine.values import Json
from service.integrity.files import EventLine
from service.integrity.reading import ExchangeFile
from service.integrity.report import Check, CheckVerdict, failed

Forms = list[tuple[int, Mapping[str, Json]]]
HEX_BYTES = 32


class Chance(Struct, frozen=True, kw_only=True):
    """What a file tells of its draws. secrets: the roots, if both are opened."""

    check: Check
    secrets: Secrets | None = None
    open_root: bytes | None = None
    seeds: list[bytes] = []


def chance_of(file: ExchangeFile) -> Chance:
    """Check the commitments of a file whose chain holds; works on every viewer's forms."""
    commitments = file.events[0].form.get("roots")
    if commitments is None:
        return Chance(check=Check(verdict="supplied", text="the draws came with the record"))
    seats = [viewer for viewer in file.header.viewers if viewer in file.header.names]
    sealed = {
        str(form.get("seat")): form.get("seed_commitment")
        for _, form in _forms(file, "seat_readied")
    }
    seeds: dict[str, bytes] = {}
    for seq, form in _forms(file, "seed_opened"):
        seed = _bytes_of(form.get("seed"))
        seat = str(form.get("seat"))
        if seed is None or sealed.get(seat) != seed_commitment(file.header.match, seat, seed):
            return Chance(check=failed(seq, f"the seed of {seat} is not the one that it sealed"))
        seeds[seat] = seed
    given = [seeds.get(seat, NO_SEED) for seat in seats]
    return _with_roots(file, commitments, given, sorted(seeds), len(seats))


def _with_roots(
    file: ExchangeFile,
    commitments: Json,
    given: list[bytes],
    who: Sequence[str],
    seats: int,
) -> Chance:
    opened = _forms(file, "secrets_opened")
    if not opened:
        text = "the roots of the draws are not opened"
        return Chance(check=Check(verdict="closed", text=text))
    seq, form = opened[0]
    roots = {name: _bytes_of(form.get(name)) for name in ("open", "closed")}
    for name, root in roots.items():
        if root is not None and not _opens(commitments, file.header.match, name, root):
            return Chance(check=failed(seq, f"the {name} root is not the one that was sealed"))
    open_root, closed_root = roots["open"], roots["closed"]
    if open_root is None:
        return Chance(check=failed(seq, "the open root is missing"))
    if closed_root is None:
        text = "the root of what stays hidden is not opened; dice were checked"
        check = Check(verdict="closed", text=text)
        return Chance(check=check, open_root=open_root, seeds=given)
    return Chance(
        check=_said(who, seats),
        secrets=Secrets(salt_key=b"", root_open=open_root, root_closed=closed_root),
        open_root=open_root,
        seeds=given,
    )


def _said(who: Sequence[str], seats: int) -> Check:
    verdict: CheckVerdict = "joint" if len(who) == seats else "mixed" if who else "server"
    texts = {
        "joint": "every seat gave a seed: nobody could choose the draws alone",
        "mixed": f"seeds came from {', '.join(who)} only",
        "server": "no seat gave a seed: the draws were fixed beforehand by the server alone",
    }
    return Check(verdict=verdict, text=texts[verdict])


def check_dice(file: ExchangeFile, chance: Chance) -> Check:
    """Throw every die that the file shows again."""
    if chance.check.failed or chance.open_root is None:
        return chance.check
    key = draw_key(chance.open_root, file.header.match, chance.seeds)
    source = KeyedSource(key, {})
    for line in file.events:
        for draw in _dice(line):
            number = source.rolled(draw["sides"])
            if number != draw["die"]:
                return failed(
                    line.header.seq,
                    "a die does not follow from the root and the seeds",
                    expected=str(number),
                    found=str(draw["die"]),
                )
    text = f"{chance.check.text}; of the draws only the dice shown could be checked"
    return replace(chance.check, text=text)


def _dice(line: EventLine) -> list[Mapping[str, Json]]:
    draws = line.form.get("draws")
    found = draws if isinstance(draws, list) else []
    return [
        draw
        for draw in found
        if isinstance(draw, dict) and type(draw.get("sides")) is int and draw["sides"] > 0
    ]


def _forms(file: ExchangeFile, event: str) -> Forms:
    tag = f"match.{event}."
    return [
        (line.header.seq, line.form) for line in file.events if line.header.type.startswith(tag)
    ]


def _opens(commitments: Json, match_id: str, name: str, root: bytes) -> bool:
    sealed = commitments.get(name) if isinstance(commitments, dict) else None
    return bool(sealed == root_commitment(match_id, name, root))


def _bytes_of(text: Json) -> bytes | None:
    try:
        found = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        return None
    return found if len(found) == HEX_BYTES else None
