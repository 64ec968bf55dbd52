"""`kifu` with the games of a folder beside those of the checkout.

`python -m tests.fourth.beside FOLDER [ARGUMENT…]`: the catalogue discovers what lies on the path of
`service.rulesets`; nothing else is changed.
"""

from __future__ import annotations

import sys

from service import rulesets
from service.cli import main

if __name__ == "__main__":
    _, folder, *arguments = sys.argv
    rulesets.__path__.append(folder)
    main(arguments)
