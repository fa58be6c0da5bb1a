"""Measures the engine on real questions with known answers."""
