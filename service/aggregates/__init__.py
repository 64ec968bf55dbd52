"""Events, states, decide and evolve of what happens over time; pure."""
