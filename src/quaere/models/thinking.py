"""Room for the thoughts of models that think before they write."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class Thinking(Protocol):
    """A model, or what reasons with some, that is given more output than is asked for."""

    @property
    def thinking_tokens(self) -> int:
        """Tokens on top of ``ModelRequest.max_output_tokens``."""
        ...


def thinking_tokens(of: object) -> int:
    """Return the output tokens that a call may take beyond those that it asks for.

    Args:
        of: A model, or what reasons with some.
    """
    return of.thinking_tokens if isinstance(of, Thinking) else 0
