"""Streamed answers: waiting for the first piece, and letting go of the rest."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

from quaere.domain.model import Completion
from quaere.errors import ModelError

Piece = str | Completion
"""Text, or as the last item the whole answer."""


async def begin(pieces: AsyncIterator[Piece]) -> AsyncGenerator[Piece]:
    """Return ``pieces`` once the first one that holds anything is there.

    Raises:
        ModelError: when there is none; whatever ``pieces`` raises before it passes through.
    """
    async for piece in pieces:
        if piece:
            return _joined(piece, pieces)
    raise ModelError("the stream ended before it began")


@asynccontextmanager
async def released(pieces: AsyncIterator[Piece]) -> AsyncGenerator[AsyncIterator[Piece]]:
    """Close ``pieces`` at the end, so that what is left of an answer is not waited for."""
    try:
        yield pieces
    finally:
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()


async def _joined(first: Piece, rest: AsyncIterator[Piece]) -> AsyncGenerator[Piece]:
    async with released(rest):
        yield first
        async for piece in rest:
            yield piece
