"""What a match log proves, and how: sealed events, exchange files, offline verification."""
