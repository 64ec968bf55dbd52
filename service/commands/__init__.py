"""One function per command: load, decide, append."""
