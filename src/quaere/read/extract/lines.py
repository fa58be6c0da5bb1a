"""Walks through the lines of a text without a copy of them all."""

from __future__ import annotations

from collections.abc import Iterator


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines of ``text`` without their ends."""
    at = 0
    while at < len(text):
        line, at = line_at(text, at)
        yield line


def line_at(text: str, at: int) -> tuple[str, int]:
    """Return the line that begins at offset ``at``, and where the next one begins."""
    end = text.find("\n", at)
    return (text[at:], len(text)) if end < 0 else (text[at:end], end + 1)
