"""One folder per game, code only; a folder offers its `GAME` to the catalogue."""
