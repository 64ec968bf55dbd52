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


class Roots(Struct, frozen=True, kw_only=True):
    """The roots of the draws of one time, as far as they are opened."""

    open: bytes | None = None
    closed: bytes | None = None


class Chance(Struct, frozen=True, kw_only=True):
    """What a file tells of its draws. roots: of the time since the match was opened, then reopened.

    seeds: in the order of the seats.
    """

    check: Check
    roots: list[Roots] = []
    seeds: list[bytes] = []

    def secrets(self, reopened: int) -> Secrets | None:
        """Return both roots of the time since the match was reopened so often, if all is good."""
        if self.check.failed or reopened >= len(self.roots):
            return None
        roots = self.roots[reopened]
        if roots.open is None or roots.closed is None:
            return None
        return Secrets(salt_key=b"", root_open=roots.open, root_closed=roots.closed)


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
    reopened = _forms(file, "match_reopened")
    sealed = [commitments, *(form.get("roots") for _, form in reopened)]
    ends = [*(seq for seq, _ in reopened), len(file.events) + 1]
    opened, found = _forms(file, "secrets_opened"), []
    for commitment, begin, end in zip(sealed, [0, *ends], ends, strict=False):
        here = [one for one in opened if begin < one[0] < end][:1]
        roots = _roots_of(file.header.match, commitment, here)
        if isinstance(roots, Check):
            return Chance(check=roots)
        found.append(roots)
    return Chance(check=_verdict(found, who, seats), roots=found, seeds=given)


def _roots_of(match_id: str, commitments: Json, opened: Forms) -> Roots | Check:
    """Return the roots that an event opened, none if there is none, or what is wrong with them."""
    for seq, form in opened:
        roots = Roots(open=_bytes_of(form.get("open")), closed=_bytes_of(form.get("closed")))
        for name, root in (("open", roots.open), ("closed", roots.closed)):
            if root is not None and not _opens(commitments, match_id, name, root):
                return failed(seq, f"the {name} root is not the one that was sealed")
        return failed(seq, "the open root is missing") if roots.open is None else roots
    return Roots()


def _verdict(roots: Sequence[Roots], who: Sequence[str], seats: int) -> Check:
    if roots[-1].open is None:
        return Check(verdict="closed", text="the roots of the draws are not opened")
    if any(one.closed is None for one in roots):
        text = "the root of what stays hidden is not opened; dice were checked"
        return Check(verdict="closed", text=text)
    return _said(who, seats)


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
    if chance.check.failed or all(roots.open is None for roots in chance.roots):
        return chance.check
    keys = [
        None if roots.open is None else draw_key(roots.open, file.header.match, chance.seeds)
        for roots in chance.roots
    ]
    reopened, counts = 0, [dict[str, int]()]
    for line in file.events:
        if _is(line, "match_reopened"):
            reopened += 1
        at = line.form.get("to") if _is(line, "backed_up") else line.header.seq - 1
        if type(at) is not int or not 0 <= at < len(counts):
            return failed(line.header.seq, "the index that is backed up to is not there")
        thrown = _thrown(line, keys[reopened], counts[at])
        if isinstance(thrown, Check):
            return thrown
        counts.append(thrown)
    text = f"{chance.check.text}; of the draws only the dice shown could be checked"
    return replace(chance.check, text=text)


def _thrown(
    line: EventLine, key: bytes | None, counts: Mapping[str, int]
) -> dict[str, int] | Check:
    """Return the counts of dice behind an event, or what is wrong with one of them."""
    source = KeyedSource(key or b"", counts)
    for draw in _dice(line):
        number = source.rolled(draw["sides"])
        if key is not None and number != draw["die"]:
            return failed(
                line.header.seq,
                "a die does not follow from the root and the seeds",
                expected=str(number),
                found=str(draw["die"]),
            )
    return source.counts


def _dice(line: EventLine) -> list[Mapping[str, Json]]:
    draws = line.form.get("draws")
    found = draws if isinstance(draws, list) else []
    return [
        draw
        for draw in found
        if isinstance(draw, dict) and type(draw.get("sides")) is int and draw["sides"] > 0
    ]


def _forms(file: ExchangeFile, event: str) -> Forms:
    return [(line.header.seq, line.form) for line in file.events if _is(line, event)]


def _is(line: EventLine, event: str) -> bool:
    return line.header.type.startswith(f"match.{event}.")


def _opens(commitments: Json, match_id: str, name: str, root: bytes) -> bool:
    sealed = commitments.get(name) if isinstance(commitments, dict) else None
    return bool(sealed == root_commitment(match_id, name, root))


def _bytes_of(text: Json) -> bytes | None:
    try:
        found = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        return None
    return found if len(found) == HEX_BYTES else None
