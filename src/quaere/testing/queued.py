"""A model that answers in a row."""

from __future__ import annotations

from collections import deque
from typing import Unpack

from quaere.domain.model import ModelRequest
from quaere.errors import ModelRejected
from quaere.testing.double import Answer, ModelDouble, Options


class QueueModel(ModelDouble):
    """Gives its answers one after another, whatever is asked.

    A call too many is rejected, and the error says which one it was.
    """

    def __init__(self, *answers: Answer, **options: Unpack[Options]) -> None:
        """Give ``answers`` in their order."""
        super().__init__(**options)
        self._told = len(answers)
        self._left = deque(answers)

    @property
    def left(self) -> int:
        """How many answers nobody has asked for yet."""
        return len(self._left)

    def answer(self, request: ModelRequest) -> Answer:
        """Return the next answer."""
        if self._left:
            return self._left.popleft()
        return ModelRejected(
            f"The queue of {self.name} is empty: it held {self._told} "
            f"{'answer' if self._told == 1 else 'answers'}, and the step {request.step} asks for "
            "one more."
        )
