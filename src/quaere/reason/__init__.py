"""Reasoners: what plans, evaluates and writes."""
