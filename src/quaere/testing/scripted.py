"""A model that follows a script."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Unpack

from quaere.domain.model import ModelRequest
from quaere.testing.double import Answer, ModelDouble, Options

Script = Callable[[ModelRequest], Answer] | Mapping[str, Answer]
"""What is answered: to a request, or in a step."""


class ScriptedModel(ModelDouble):
    """Answers each step with what the script holds for it.

    A step that the script leaves out, or answers with ``None``, gets the smallest instance of its
    schema.
    """

    def __init__(self, script: Script = MappingProxyType({}), **options: Unpack[Options]) -> None:
        """Follow ``script``: answers by step, or a function of the request."""
        super().__init__(**options)
        self._script = script

    def answer(self, request: ModelRequest) -> Answer:
        """Return the script's answer."""
        if callable(self._script):
            return self._script(request)
        return self._script.get(request.step)
