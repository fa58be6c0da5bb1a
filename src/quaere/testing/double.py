"""What all models for tests share: a memory of requests, streaming, usage, latency and failures."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable, Mapping
from dataclasses import dataclass
from typing import TypedDict, Unpack

from pydantic import BaseModel, JsonValue

from quaere.domain.model import Completion, Finish, ModelRequest, Usage
from quaere.errors import ModelError, ModelRejected
from quaere.testing.sample import sample
from quaere.text.size import estimate_tokens


@dataclass(frozen=True, slots=True)
class CutOff:
    """An answer that breaks off: a stream gives ``text`` and then fails, a call fails at once."""

    text: str
    error: ModelError


Answer = str | Mapping[str, JsonValue] | BaseModel | Completion | ModelError | CutOff | None
"""What a double may be told to answer.

Text and completions are given as they are, mappings and pydantic models as their JSON; errors are
raised. For ``None`` the double makes something up: the smallest instance of the request's schema.
"""


class Options(TypedDict, total=False):
    """What every double can be told beside its answers."""

    name: str
    """``vendor:model``; ``test:`` and the kind of the double by default."""
    context_tokens: int
    """Tokens of prompt and completion together, 128,000 by default; a request for more is
    rejected, as services do."""
    latency_s: float
    """Seconds before an answer, or its first piece, comes."""
    piece_chars: int
    """Characters of each piece of a stream, 12 by default."""
    failures: Iterable[ModelError | None]
    """Errors of the first calls, in their order; ``None`` lets a call through."""


class ModelDouble(ABC):
    """A `quaere.ports.ChatModel` that needs no service.

    Usage is estimated from the text. Text that is longer than the request's ``max_output_tokens``
    is cut off there, and says so, unless it was told as a completion.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        """Behave as ``options`` say."""
        self.requests: list[ModelRequest] = []
        """Every request that came, in order, those that failed included."""
        self._name = options.get("name", f"test:{type(self).__name__.lower()}")
        self._context_tokens = options.get("context_tokens", 128_000)
        self._latency_s = options.get("latency_s", 0.0)
        self._piece_chars = options.get("piece_chars", 12)
        self._failures = iter(options.get("failures", ()))

    @property
    def name(self) -> str:
        """``vendor:model``."""
        return self._name

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and completion may have together."""
        return self._context_tokens

    @abstractmethod
    def answer(self, request: ModelRequest) -> Answer:
        """Return what is answered to ``request``."""

    def steps(self) -> list[str]:
        """Return what the requests were for, in order."""
        return [request.step for request in self.requests]

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the answer.

        Raises:
            ModelError: when that is what the double was told, or the request is too large.
        """
        answer = await self._answered(request)
        if isinstance(answer, CutOff):
            raise answer.error
        return answer

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Completion]:
        """Yield the answer in small pieces, then as a whole.

        Raises:
            ModelError: as ``complete``, also in the middle of the answer.
        """
        answer = await self._answered(request)
        for start in range(0, len(answer.text), self._piece_chars):
            await asyncio.sleep(0)
            yield answer.text[start : start + self._piece_chars]
        if isinstance(answer, CutOff):
            raise answer.error
        yield answer

    async def _answered(self, request: ModelRequest) -> Completion | CutOff:
        self.requests.append(request)
        await asyncio.sleep(self._latency_s)
        failure = next(self._failures, None)
        if failure is not None:
            raise failure
        self._check_size(request)
        answer = self.answer(request)
        if isinstance(answer, ModelError):
            raise answer
        if isinstance(answer, CutOff):
            return answer
        if isinstance(answer, Completion):
            return answer.model_copy(update={"model": answer.model or self.name})
        return self._completion(request, _text(answer, request))

    def _check_size(self, request: ModelRequest) -> None:
        wanted = prompt_tokens(request) + request.max_output_tokens
        if wanted > self.context_tokens:
            raise ModelRejected(
                f"The request takes {wanted:,} tokens, {request.max_output_tokens:,} of them for "
                f"the answer; {self.name} has room for {self.context_tokens:,}."
            )

    def _completion(self, request: ModelRequest, text: str) -> Completion:
        length, room = estimate_tokens(text), request.max_output_tokens
        whole = length <= room
        return Completion(
            text=text if whole else text[: len(text) * room // length],
            finish=Finish.STOP if whole else Finish.LENGTH,
            usage=Usage(
                prompt_tokens=prompt_tokens(request),
                completion_tokens=min(length, room),
                estimated=True,
            ),
            model=self.name,
        )


def prompt_tokens(request: ModelRequest) -> int:
    """Return about how many tokens the messages of ``request`` take."""
    return sum(estimate_tokens(message.content) for message in request.messages)


def _text(answer: str | Mapping[str, JsonValue] | BaseModel | None, request: ModelRequest) -> str:
    if isinstance(answer, str):
        return answer
    if isinstance(answer, BaseModel):
        return answer.model_dump_json(by_alias=True)
    if answer is None and request.output is None:
        return f"Nothing was scripted for the step {request.step}."
    made = sample(request.output.definition) if answer is None and request.output else answer
    return json.dumps(made, ensure_ascii=False)
