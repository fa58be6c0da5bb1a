"""What is said to a language model, what comes back, and what it costs, whatever its vendor."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import Field, JsonValue

from quaere.domain.budget import Amount
from quaere.domain.value import Count, MessageText, Value


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class Traits(Value):
    """What else there is to know of a model."""

    small: bool = False
    """Whether it is asked little at a time: few parameters, or little room."""
    schema_unseen: bool = False
    """Whether the schema of an answer stands outside its prompt and holds it from there."""


NO_TRAITS = Traits()


class Message(Value):
    """One turn of a conversation."""

    role: Role
    content: str


class OutputSchema(Value):
    """The JSON schema that an answer must have."""

    name: Annotated[str, Field(pattern=r"^[a-z_]{1,60}$")]
    definition: dict[str, JsonValue]
    """JSON Schema, draft 2020-12, of an object."""


class ModelRequest(Value):
    """One call of a model."""

    step: str
    """What the call is for: ``plan``, ``evaluate``, ``synthesize``, ``check``, ``brief`` ..."""
    messages: tuple[Message, ...]
    output: OutputSchema | None = None
    """QuestionText for by the vendor's own mechanism where it has one; ``None`` for plain text."""
    max_output_tokens: Annotated[int, Field(ge=1)]
    attempt: Annotated[int, Field(ge=1, exclude=True)] = 1
    """Above 1 where the reply to the attempt before could not be used; no part of what is sent."""


class Finish(StrEnum):
    """Why a model stopped writing."""

    STOP = "stop"
    LENGTH = "length"
    """The output was cut off at its limit."""
    REFUSAL = "refusal"
    """The model, or a filter of its vendor, declined."""


class Usage(Value):
    """Tokens of one call, as its vendor counts them."""

    prompt_tokens: Count = 0
    completion_tokens: Count = 0
    """All that was written, reasoning included."""
    cached_tokens: Count = 0
    """The part of the prompt that was read from the vendor's cache."""
    reasoning_tokens: Count = 0
    """The part of the completion that is not shown."""
    estimated: bool = False
    """Whether the vendor gave no figures, so that these were estimated from the text."""

    @property
    def total_tokens(self) -> int:
        """Prompt and completion."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        """Return the tokens of both."""
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            estimated=self.estimated or other.estimated,
        )


class Completion(Value):
    """What a model answered."""

    text: str
    """Plain text, or the JSON that was asked for as the model wrote it: not yet checked."""
    finish: Finish = Finish.STOP
    usage: Usage = Usage()
    model: str = ""
    """``vendor:model`` of the one that answered."""


NOT_WAITED_FOR = "it was not waited for"
"""Why a call brought nothing whose rest was not wanted any more: no fault of the model."""


class ModelCall(Value):
    """One line of a run's ledger: a call that was made, whether or not it could be used."""

    step: str
    model: str
    usage: Usage = Usage()
    cost_usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    """``None`` where no price is known."""
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    error: MessageText = ""
    """Why it brought nothing; empty when it brought something."""
    attempt: Annotated[int, Field(ge=1)] = 1
    """Above 1 where the reply to the attempt before could not be used."""


PER = 1_000_000
"""Tokens that prices are given for."""

_VERSION = re.compile(r"[-@]\d{3,}(?:-[\w-]*)?")


class Price(Value):
    """Dollars for a million tokens of one model."""

    input_usd: Amount
    output_usd: Amount
    cached_usd: Amount | None = None
    """For a prompt's tokens that come from the vendor's cache; as ``input_usd`` when not given."""

    def cost(self, usage: Usage) -> float:
        """Return the dollars that ``usage`` costs; more prompt or completion is never cheaper."""
        cached = min(usage.cached_tokens, usage.prompt_tokens)
        cached_usd = self.input_usd if self.cached_usd is None else self.cached_usd
        return (
            (usage.prompt_tokens - cached) * self.input_usd
            + cached * cached_usd
            + usage.completion_tokens * self.output_usd
        ) / PER


class Prices(Value):
    """Prices by name of model, ``vendor:model``."""

    models: Mapping[Annotated[str, Field(min_length=1)], Price] = {}
    """A name that ends with a colon or a slash stands for all that begin with it. Any other stands
    for itself and its dated versions, such as ``-2025-08-07`` or ``@20250929``: what only begins
    alike, as ``gpt-5-pro`` does, is another model at another price, and what ``-latest`` means
    changes."""

    def of(self, model: str) -> Price | None:
        """Return the price of ``model`` by the longest name that matches it, if any does."""
        names = [name for name in self.models if _stands_for(name, model)]
        return self.models[max(names, key=len)] if names else None

    def cost(self, model: str, usage: Usage) -> float | None:
        """Return the dollars that ``usage`` of ``model`` costs, ``None`` if no price is known."""
        price = self.of(model)
        return None if price is None else price.cost(usage)

    def extended(self, other: Prices) -> Prices:
        """Return these prices with those of ``other`` added and in place of equal names."""
        return Prices(models={**self.models, **other.models})


NO_PRICES = Prices()


def _stands_for(name: str, model: str) -> bool:
    if not model.startswith(name):
        return False
    rest = model[len(name) :]
    return not rest or name.endswith((":", "/")) or _VERSION.fullmatch(rest) is not None
