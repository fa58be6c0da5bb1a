"""A model in memory that fails as it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from quaere.domain.model import Completion, Message, ModelRequest, Role, Usage
from quaere.ports.model import Piece

REQUEST = ModelRequest(
    step="synthesize",
    messages=(Message(role=Role.USER, content="Who kept the lighthouse?"),),
    max_output_tokens=100,
)
USAGE = Usage(prompt_tokens=20, completion_tokens=5)


@dataclass(frozen=True)
class Wait:
    """A pause."""

    seconds: float


Step = Piece | Wait | BaseException
"""A piece, the whole answer, a pause, or an error."""


class ToldModel:
    """Plays one script a call, the last one again and again."""

    def __init__(
        self, *scripts: Sequence[Step], name: str = "tower:keeper", context_tokens: int = 8000
    ) -> None:
        self._name = name
        self._context_tokens = context_tokens
        self._scripts = list(scripts)
        self.requests: list[ModelRequest] = []
        self.closed = 0
        """Streams that ended, in whatever way."""

    @property
    def name(self) -> str:
        return self._name

    @property
    def context_tokens(self) -> int:
        return self._context_tokens

    async def complete(self, request: ModelRequest) -> Completion:
        answer = Completion(text="")
        async for piece in self.stream(request):
            if isinstance(piece, Completion):
                answer = piece
        return answer

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece]:
        self.requests.append(request)
        script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        try:
            for step in script:
                if isinstance(step, BaseException):
                    raise step
                if isinstance(step, Wait):
                    await asyncio.sleep(step.seconds)
                else:
                    yield step
        finally:
            self.closed += 1


def whole(text: str = "Ada Brook.", usage: Usage = USAGE) -> Completion:
    return Completion(text=text, usage=usage, model="tower:keeper-2026-01-01")


ANSWER: tuple[Step, ...] = ("Ada ", "Brook.", whole())


async def heard(pieces: AsyncGenerator[Piece], most: int = 99) -> list[Piece]:
    """Return the first ``most`` pieces and close the stream."""
    taken: list[Piece] = []
    async for piece in pieces:
        taken.append(piece)
        if len(taken) == most:
            break
    await pieces.aclose()
    return taken
