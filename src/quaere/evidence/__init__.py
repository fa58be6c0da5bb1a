"""Passages become evidence: scored against the question, linked to each other, selected."""
