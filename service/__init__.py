"""Kifu (棋譜): event-sourced replay and audit of card games and an auto-battler."""
