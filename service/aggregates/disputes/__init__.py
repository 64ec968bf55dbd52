"""Disputes about events of matches: opened, discussed, ruled on, appealed, final (rulings 4)."""
