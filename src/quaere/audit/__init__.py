"""Checks a text that others wrote against the sources that it cites; needs no engine."""
