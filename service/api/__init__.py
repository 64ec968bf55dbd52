"""The HTTP API: read, call one command or query, write."""
