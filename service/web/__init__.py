"""Pages: a client of the API; no rule is decided here or in the browser."""
