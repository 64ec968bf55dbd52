"""The checks of a seat's or spectator's file: what he holds is what was sealed for him."""

from __future__ import annotations

from service.integrity.chain import position_hash
from service.integrity.chance import chance_of, check_dice
from service.integrity.deciding import Redecided
from service.integrity.files import carries_view
from service.integrity.reading import ExchangeFile
from service.integrity.report import GOOD, Check, failed

HIDDEN = Check(verdict="not checkable", text="not checkable: hidden parts")


def check_seen(file: ExchangeFile) -> Redecided:
    """Check the views that a redacted file carries, and the dice that it shows."""
    return Redecided(fold=_check_views(file), legal=HIDDEN, fair=check_dice(file, chance_of(file)))


def _check_views(file: ExchangeFile) -> Check:
    for line in file.events:
        if line.view is None:
            if carries_view(line.header.seq, len(file.events)):
                return failed(line.header.seq, "the position that belongs here is missing")
            continue
        expected = str(line.form.get("position_hash"))
        found = position_hash(line.view)
        if found != expected:
            text = "the position that is shown is not the one that was sealed"
            return failed(line.header.seq, text, expected=expected, found=found)
    return GOOD
