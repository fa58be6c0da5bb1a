"""Contracts for what models write: from raw text to a checked value, or to a precise complaint."""
