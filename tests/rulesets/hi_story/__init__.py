"""Hi! story: the traps of its rulebook and the faults of its pools."""
