"""What every game shares: the contract of a ruleset, labelled draws, positions, examples, logs."""
