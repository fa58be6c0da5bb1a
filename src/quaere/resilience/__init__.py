"""Policies that keep a run going when a call fails: one policy a file, each round any port."""
