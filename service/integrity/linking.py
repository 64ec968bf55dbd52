"""The check `chain`: forms, headers and links hash to the event hashes."""

from __future__ import annotations

from service.engine.values import JUDGE, Json, Viewer
from service.integrity.chain import event_hash, genesis, seal, viewers_in_order
from service.integrity.files import EventLine
from service.integrity.reading import ExchangeFile
from service.integrity.report import GOOD, Check, failed

OPENED = "match.match_opened."
TAKEN = "match.seat_taken."
PINNED = ("game", "edition", "engine", "rules_digest", "cards_digest")


def check_chain(file: ExchangeFile) -> Check:
    """Check every link, and that header, cards and names of the file are those that were pinned."""
    found = _check_opening(file)
    if found is not None:
        return found
    previous, time = genesis(file.header.origin, file.header.match), ""
    for number, line in enumerate(file.events, start=1):
        for check in (_check_place, _check_seals):
            found = check(file, line, number)
            if found is not None:
                return found
        if line.header.time < time:
            return failed(number, "the event is dated before the one before it")
        expected = event_hash(previous, line.header, line.seals)
        if line.hash != expected:
            text = "the hash of the event does not follow from its seals and the event before"
            return failed(number, text, expected=expected, found=line.hash)
        previous, time = line.hash, line.header.time
    return GOOD


def _check_opening(file: ExchangeFile) -> Check | None:
    if not file.events or not file.events[0].header.type.startswith(OPENED):
        return failed(1, "the record does not begin with match_opened")
    form = file.events[0].form
    for name in PINNED:
        stated = str(getattr(file.header, name))
        if str(form.get(name)) != stated:
            text = f"the file's header states another {name} than the match pinned"
            return failed(1, text, expected=str(form.get(name)), found=stated)
    if file.cards_digest != form.get("cards_digest"):
        text = "the card definitions are not those that the match pinned"
        return failed(1, text, expected=str(form.get("cards_digest")), found=file.cards_digest)
    return _check_seats(file)


def _check_seats(file: ExchangeFile) -> Check | None:
    seats = file.events[0].form.get("seats")
    if not isinstance(seats, dict) or set(seats) != set(file.header.names):
        return failed(1, "the names are not those of the seats")
    if file.header.viewers != viewers_in_order(list(seats)):
        return failed(1, "the viewers are not those of the seats")
    recorded: dict[str, Json] = {
        seat: one.get("name") if isinstance(one, dict) else None for seat, one in seats.items()
    }
    recorded |= {
        str(line.form.get("seat")): line.form.get("name")
        for line in file.events
        if line.header.type.startswith(TAKEN)
    }
    for seat, name in file.header.names.items():
        if name is not None and name.digest != recorded[seat]:
            return failed(1, f"the name of {seat} is not the one that was recorded")
    for digest, text in file.header.texts.items():
        if text is not None and text.digest != digest:
            return failed(1, "a text is not the one that was recorded")
    return None


def _check_place(file: ExchangeFile, line: EventLine, number: int) -> Check | None:
    header = line.header
    for name, expected, found in (
        ("sequence number", str(number), str(header.seq)),
        ("match", file.header.match, header.match),
        ("edition", file.header.edition, header.edition),
        ("viewers", str(file.header.viewers), str(header.viewers)),
    ):
        if expected != found:
            return failed(
                number, f"another {name} is expected here", expected=expected, found=found
            )
    return None


def _check_seals(file: ExchangeFile, line: EventLine, number: int) -> Check | None:
    viewer = file.header.viewer
    holds: list[Viewer] = line.header.viewers if viewer == JUDGE else [viewer]
    if set(line.seals) != set(line.header.viewers) or sorted(line.salts) != sorted(holds):
        return failed(number, "seals or salts of a viewer are missing")
    if not all(map(_is_digest, line.seals.values())) or not _is_digest(line.hash):
        return failed(number, "a seal or hash is no hexadecimal digest")
    try:
        salt = bytes.fromhex(line.salts[viewer])
    except ValueError:
        return failed(number, "a salt is no hexadecimal")
    expected = seal(line.header, viewer, salt, line.form)
    if line.seals[viewer] != expected:
        text = f"the form of {viewer} is not the one that was sealed"
        return failed(number, text, expected=line.seals[viewer], found=expected)
    return None


def _is_digest(text: str) -> bool:
    return len(text) == 64 and all(character in "0123456789abcdef" for character in text)
