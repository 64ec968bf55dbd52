"""Following matches live: what goes on is rendered once and read by many spectators."""
