"""Room for the thoughts of models that think before they write."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from quaere.ports import ChatModel


@runtime_checkable
class Thinking(Protocol):
    """A model that may be given more output than a request asks for, to think in."""

    @property
    def thinking_tokens(self) -> int:
        """Tokens on top of ``ModelRequest.max_output_tokens``."""
        ...


def thinking_tokens(model: ChatModel) -> int:
    """Return the output tokens that a call of ``model`` may take beyond those that it asks for."""
    return model.thinking_tokens if isinstance(model, Thinking) else 0
