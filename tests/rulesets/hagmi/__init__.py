"""HAGMI!: the traps of its rulebook, the faults of its pools, who sees what."""
