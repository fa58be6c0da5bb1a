"""Puts back the apostrophes that people leave out when they type a question."""

from __future__ import annotations

import re
from typing import Final

_BEFORE_IS = r"what|who|where|when|how|why|that|there"
_NOT = r"do|does|did|is|are|was|were|ca|could|wo|would|should|has|have|had"
_LEFT_OUT: Final = re.compile(
    rf"(?i)\b(?:(?P<asked>{_BEFORE_IS})(?P<is>s)|(?P<verb>(?:{_NOT})n)(?P<not>t))(?![\w'’-])"
)
"""Those that are not words themselves, as "its", "were", "wed" and "ill" are."""


def with_apostrophes(text: str) -> str:
    """Return English ``text`` with "whats" as "what's" and "dont" as "don't"."""
    return _LEFT_OUT.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    if found["asked"]:
        return f"{found['asked']}'{found['is']}"
    return f"{found['verb']}'{found['not']}"
