"""Whoever asked the question, where a run has to ask back."""

from __future__ import annotations

from typing import Protocol

from quaere.domain.team import Inquiry, Reply


class Consult(Protocol):
    """Puts an inquiry to whoever asked the question."""

    async def __call__(self, inquiry: Inquiry) -> Reply:
        """Return the asker's reply; the time it takes is not the run's."""
        ...
