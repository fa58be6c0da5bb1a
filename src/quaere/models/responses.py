"""Notes the HTTP responses of a stream, so that they can be closed when it is left.

Some clients form cycles of references: left to themselves, they clean up when the garbage collector
comes round, and the service writes on until then.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Response(Protocol):
    """An HTTP response whose body may not have been read yet."""

    async def aclose(self) -> None:
        """Close it, and its connection if there is more to come."""
        ...


_noted: ContextVar[list[Response] | None] = ContextVar("noted", default=None)


@contextmanager
def noting(responses: list[Response]) -> Generator[None]:
    """Add the responses that come in meanwhile to ``responses``."""
    token = _noted.set(responses)
    try:
        yield
    finally:
        _noted.reset(token)


async def note(response: Response) -> None:
    """Take note of ``response``; for the event hooks of an HTTP client."""
    responses = _noted.get()
    if responses is not None:
        responses.append(response)
