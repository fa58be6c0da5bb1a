"""What a server says that it does not take, and how much room it has, by its own words.

A gateway is known by its address alone: its model may want a temperature of its own, or
have another way of keeping to a schema, or none, or less room than is usual.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, cast

from pydantic import BaseModel, Field, ValidationError

from quaere.models.failures import words_of
from quaere.models.vendors import Constraint, ModelAccess, ModelSpec
from quaere.text.lazy_regex import lazy_regex

_TEMPERATURE = lazy_regex(r"\btemperature\b", re.IGNORECASE)
_SCHEMA = lazy_regex(
    r"response_format|json_schema|response_json_schema|output_config|structured.outputs?|grammar",
    re.IGNORECASE,
)
_ANY_OBJECT = lazy_regex("json_object", re.IGNORECASE)
_ROOM = lazy_regex(
    r"(?:maximum|max\.?) (?:model )?(?:context|sequence) (?:length|window|size)\D{1,20}(\d{3,8})\b"
    r"|\bcontext (?:length|window|size) (?:is|of)(?: only)? (\d{3,8})\b",
    re.IGNORECASE,
)
"""As OpenAI, vLLM and most gateways tell it, and as LM Studio does."""


class _TooLong(BaseModel):
    """As llama.cpp tells it, by the field alone: of its words, none counts the room."""

    n_ctx: Annotated[int, Field(ge=256)]
    type: Annotated[str, Field(pattern="^exceed_context_size_error$")]


def context_in(error: Exception) -> int | None:
    """Return the tokens that a server has room for by its ``error``; None where it is another."""
    try:
        return _TooLong.model_validate(getattr(error, "body", None)).n_ctx
    except ValidationError:
        told = _ROOM.search(words_of(error))
        return int(told[1] or told[2]) if told else None


def without_refused(error: Exception, spec: ModelSpec, access: ModelAccess) -> ModelAccess:
    """Return ``access`` without what the server refuses in ``error``, which rejects a request.

    It is the same where the server names nothing that can be left out.
    """
    said, changes = words_of(error), dict[str, object]()
    if _TEMPERATURE.search(said) and access.temperature is not None:
        changes["temperature"] = None
    elif _SCHEMA.search(said):
        changes["constraint"] = _next(spec, access, object_taken=bool(_ANY_OBJECT.search(said)))
    return access.model_copy(update=cast("Mapping[str, object]", changes))


def _next(spec: ModelSpec, access: ModelAccess, *, object_taken: bool) -> Constraint:
    """Return the way to try next of keeping a model to a schema; words are taken by all."""
    tried = access.constraint or spec.about.constraint_for(spec.model)
    by_schema = tried in {Constraint.STRICT, Constraint.SCHEMA}
    return Constraint.JSON_OBJECT if by_schema and object_taken else Constraint.WORDS
