"""Turns checked sentences into an answer: their order, their markers and the numbered list."""
