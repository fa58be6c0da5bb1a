"""Frozen values; no I/O, no async, standard library and pydantic only."""
