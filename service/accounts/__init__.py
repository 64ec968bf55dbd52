"""Persons, tokens and sign-ins: what lies beside the log and can be changed and erased."""
