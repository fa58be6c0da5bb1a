"""Test doubles of models and embedders: they need no network and remember what was asked."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypedDict, Unpack

from pydantic import BaseModel, JsonValue

from quaere.domain.model import Completion, Finish, ModelRequest, Role, Usage
from quaere.errors import ModelError, ModelRejected, ReasonError
from quaere.testing.schema_sample import obeyed, sample
from quaere.text.tokens import estimate_tokens


@dataclass(frozen=True, slots=True)
class CutOff:
    """An answer that is cut off: a stream gives ``text`` and then fails, a call fails at once."""

    text: str
    error: ModelError


Answer = str | Mapping[str, JsonValue] | BaseModel | Completion | ModelError | CutOff | None
"""What a double may be told to answer.

Text and completions are given as they are, mappings and pydantic models as their JSON; errors are
raised. For ``None`` the double makes something up: the smallest instance of the request's schema.
"""


class Options(TypedDict, total=False):
    """Options of every double besides its answers."""

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
    """Errors of the first calls, in order; ``None`` lets a call through."""


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


class QueueModel(ModelDouble):
    """Gives its answers one after another, whatever is asked.

    One call more is rejected, and the error says which one it was.
    """

    def __init__(self, *answers: Answer, **options: Unpack[Options]) -> None:
        """Give ``answers`` in order."""
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


class ObedientModel(ModelDouble):
    """Writes what it is ordered to wherever the order's trigger is anywhere in a user's message.

    Asked for plain text, it writes the order and nothing else. Asked for JSON, it writes an
    instance of the schema in which every free text is the order, every list holds it and every
    number is as large as may be; of an order that is a JSON object itself, the parts that the
    schema has a property for. So a run goes on. With ``verbatim`` it writes the order as it is,
    whatever the schema.

    A prompt without a trigger is answered by ``otherwise``.
    """

    def __init__(
        self,
        orders: Mapping[str, str],
        *,
        otherwise: Script | None = None,
        parts: Mapping[str, JsonValue] | None = None,
        verbatim: bool = False,
        **options: Unpack[Options],
    ) -> None:
        """Obey.

        Args:
            orders: What to write, by the text that triggers it; the first that is found counts.
            otherwise: Script for the requests that hold no trigger.
            parts: What the JSON of every order contains, by property, such as
                ``{"sufficient": False}`` for a run that goes on.
            verbatim: Whether to break the contract of a schema rather than change an order.
            options: What every double can be told.
        """
        super().__init__(**options)
        self._orders = orders
        self._otherwise = ScriptedModel(otherwise or {})
        self._parts = parts or {}
        self._verbatim = verbatim
        self.obeyed: list[str] = []
        """Steps in which an order was carried out."""

    def answer(self, request: ModelRequest) -> Answer:
        """Return what the prompt orders."""
        order = self._order(request)
        if order is None:
            return self._otherwise.answer(request)
        self.obeyed.append(request.step)
        if request.output is None or self._verbatim:
            return order
        parts = {**self._parts, **_parts(order)}
        written = obeyed(request.output.definition, text=order, parts=parts)
        return json.dumps(written, ensure_ascii=False)

    def _order(self, request: ModelRequest) -> str | None:
        shown = "\n".join(m.content for m in request.messages if m.role is not Role.SYSTEM)
        return next((order for trigger, order in self._orders.items() if trigger in shown), None)


def _parts(order: str) -> Mapping[str, JsonValue]:
    try:
        parsed: JsonValue = json.loads(order)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


Likeness = Callable[[str, str], float]


class ScriptedEmbedder:
    """A `quaere.ports.Embedder` that rates two texts as it is told to, and remembers them."""

    def __init__(
        self,
        likeness: Likeness,
        *,
        name: str = "test:all-MiniLM-L6-v2",
        error: ReasonError | None = None,
    ) -> None:
        """Rate each pair with ``likeness``.

        Args:
            likeness: Returns the cosine, -1 to 1.
            name: ``vendor:model``. By the one it has when left out it counts as an embedder that
                was measured, so that verification and the topic check ask it.
            error: Raised in place of any answer.
        """
        self.name = name
        self.asked: list[tuple[str, str]] = []
        """All pairs, in the order in which they came."""
        self._likeness = likeness
        self._error = error

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the cosine of each pair."""
        self.asked += pairs
        if self._error:
            raise self._error
        return [self._likeness(a, b) for a, b in pairs]
