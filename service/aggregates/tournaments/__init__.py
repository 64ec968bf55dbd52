"""A tournament: who enters, who meets whom, what came of it, who is where; pure."""
