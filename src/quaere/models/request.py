"""Translates a request into the arguments of a vendor's client."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import cast

from pydantic import JsonValue

from quaere.domain.model import Message, ModelRequest, OutputSchema, Role
from quaere.domain.value import encodable
from quaere.models.vendors import Constraint, ModelAccess, ModelSpec

THINKING_TOKENS = 8_000
"""Added to the limit of models that think first: without it, their thoughts leave them no room to
write. OpenAI's advice for a start is 25,000, for tasks that are much harder than ours."""
THINKING_SHARE = 0.25
"""Share of a context window that they may take at most."""

Arguments = dict[str, object]

_ROLES = MappingProxyType({Role.SYSTEM: "system", Role.USER: "human", Role.ASSISTANT: "ai"})


Schema = Mapping[str, JsonValue]

LENGTHS = frozenset({"minLength", "maxLength"})
"""Keywords that no service is sent: we check them. A server that makes a grammar of the schema,
such as llama.cpp, spells a limit out character by character, takes ever longer to pick a token by
it, and refuses 2,000 and more with 400 (``MAX_REPETITION_THRESHOLD`` of its llama-grammar.cpp)."""
BOUNDS = LENGTHS | {"minItems", "maxItems", "minimum", "maximum"}
"""Keywords that Anthropic documents as refused with 400, and that Gemini answers with 400 when
their sum makes "too many states for serving".
Sources: https://platform.claude.com/docs/en/build-with-claude/structured-outputs and
https://github.com/googleapis/python-genai/issues/2170, 2026-11."""


def messages_of(
    spec: ModelSpec, access: ModelAccess, request: ModelRequest
) -> list[tuple[str, str]]:
    """Return pairs of role and text, with the schema where the prompt has to describe it."""
    turns = [_turn(message) for message in request.messages]
    described = {Constraint.WORDS, Constraint.JSON_OBJECT}
    if request.output is not None and turns and constraint_of(spec, access) in described:
        role, text = turns[-1]
        turns[-1] = (role, f"{text}\n\n{_in_words(request.output)}")
    return turns


def arguments_of(spec: ModelSpec, access: ModelAccess, request: ModelRequest) -> Arguments:
    """Return what the client's methods take for ``request`` besides its messages."""
    vendor = spec.about
    asked: Arguments = {vendor.limit: output_limit(spec, access, request)}
    if request.output is not None:
        asked |= _CONSTRAINTS[constraint_of(spec, access)](request.output)
    if vendor.options:
        asked["options"] = {
            vendor.limit: asked.pop(vendor.limit),
            "num_ctx": window_of(spec, access),
            **({} if access.temperature is None else {"temperature": access.temperature}),
        }
    return {"extra_body": asked} if vendor.body else asked


def constraint_of(spec: ModelSpec, access: ModelAccess) -> Constraint:
    """Return how the model is made to keep to a schema."""
    return access.constraint or spec.about.constraint_for(spec.model)


def output_limit(spec: ModelSpec, access: ModelAccess, request: ModelRequest) -> int:
    """Return the tokens that the answer may take, thoughts included."""
    return request.max_output_tokens + thinking_tokens(spec, access)


def thinking_tokens(spec: ModelSpec, access: ModelAccess) -> int:
    """Return the tokens that an answer may take beyond what is asked for, to think in."""
    if not spec.about.thinks_in(spec.model):
        return 0
    return min(THINKING_TOKENS, int(window_of(spec, access) * THINKING_SHARE))


def window_of(spec: ModelSpec, access: ModelAccess) -> int:
    """Return the tokens that prompt and completion may have together."""
    return access.context_tokens or spec.about.window(spec.model)


def _turn(message: Message) -> tuple[str, str]:
    return _ROLES[message.role], encodable(message.content)


def _in_words(output: OutputSchema) -> str:
    schema = json.dumps(output.definition, ensure_ascii=False)
    return f"Answer with one JSON object of this JSON schema and with nothing else:\n{schema}"


def _strictly(output: OutputSchema) -> Arguments:
    schema = strict(output.definition)
    if schema is None:
        return _by_schema(output)
    form = {"name": output.name, "schema": schema, "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": form}}


def _by_schema(output: OutputSchema) -> Arguments:
    return _formatted(output.name, without(output.definition, LENGTHS))


def _for_anthropic(output: OutputSchema) -> Arguments:
    return _formatted(output.name, without(output.definition, BOUNDS))


def _formatted(name: str, schema: Schema) -> Arguments:
    form = {"name": name, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": form}}


def _for_google(output: OutputSchema) -> Arguments:
    return {
        "response_mime_type": "application/json",
        "response_json_schema": without(output.definition, BOUNDS),
    }


_CONSTRAINTS: Mapping[Constraint, Callable[[OutputSchema], Arguments]] = {
    Constraint.STRICT: _strictly,
    Constraint.SCHEMA: _by_schema,
    Constraint.JSON_OBJECT: lambda _output: {"response_format": {"type": "json_object"}},
    Constraint.ANTHROPIC: _for_anthropic,  # its client makes an ``output_config`` of it
    Constraint.GOOGLE: _for_google,
    Constraint.OLLAMA: lambda output: {"format": without(output.definition, LENGTHS)},
    Constraint.WORDS: lambda _output: {},
}


_DROPPED = frozenset(
    {"default", "discriminator", "examples", "maxLength", "minLength", "title", "uniqueItems"}
    | {"properties", "required", "additionalProperties"}
)
"""Keywords that strict schemas may not have; what they ask for is left to the reader to check. The
last three are rebuilt."""
_RENAMED = {"oneOf": "anyOf"}
_IMPOSSIBLE = frozenset(
    {"allOf", "dependentRequired", "dependentSchemas", "if", "not", "patternProperties"}
)
_NULL: dict[str, JsonValue] = {"type": "null"}


def strict(schema: Schema) -> dict[str, JsonValue] | None:
    """Return ``schema`` in the form that OpenAI's strict mode takes; ``None`` when it has none.

    Strict: every property is required and no others are allowed. So an optional property comes back
    as ``null`` where the model leaves it out, and the reader of the answer drops such nulls.
    Source: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas, 2026-11.

    None have those with free keys (``additionalProperties``, ``patternProperties``), with
    conditions, and those that combine by ``allOf``.
    """
    try:
        return _strict(schema)
    except _NoStrictFormError:
        return None


def without(schema: Schema, keywords: frozenset[str]) -> dict[str, JsonValue]:
    """Return ``schema`` without ``keywords`` at any level; properties of those names stay.

    Args:
        schema: What an answer must have.
        keywords: What is left to the reader of the answer to check.
    """

    def below(value: JsonValue) -> JsonValue:
        if isinstance(value, list):
            return [below(each) for each in value]
        return without(value, keywords) if isinstance(value, dict) else value

    kept: dict[str, JsonValue] = {}
    for word, value in schema.items():
        if word in _NAMING and isinstance(value, dict):
            kept[word] = {name: below(inner) for name, inner in value.items()}
        elif word not in keywords:
            kept[word] = value if word in _SPOKEN else below(value)
    return kept


_NAMING = frozenset({"properties", "$defs", "definitions"})
"""Keywords whose own keys are names."""
_SPOKEN = frozenset({"enum", "const"})


class _NoStrictFormError(Exception):
    pass


def _strict(schema: Schema) -> dict[str, JsonValue]:
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}  # it may have no neighbours
    if not _IMPOSSIBLE.isdisjoint(schema) or _has_free_keys(schema):
        raise _NoStrictFormError
    as_is = _DROPPED | _INNER.keys()
    kept = {word: value for word, value in schema.items() if word not in as_is}
    return {**kept, **_below(schema), **_properties(schema)}


def _below(schema: Schema) -> dict[str, JsonValue]:
    inner = [word for word in schema if word in _INNER]
    return {_RENAMED.get(word, word): _INNER[word](schema[word]) for word in inner}


def _named(schemas: JsonValue) -> JsonValue:
    return {name: _nested(inner) for name, inner in cast("Schema", schemas).items()}


def _listed(schemas: JsonValue) -> JsonValue:
    return [_nested(inner) for inner in cast("list[JsonValue]", schemas)]


def _nested(schema: JsonValue) -> dict[str, JsonValue]:
    if not isinstance(schema, dict) or not schema:
        raise _NoStrictFormError  # true, or {}: anything goes
    return _strict(schema)


_INNER: Mapping[str, Callable[[JsonValue], JsonValue]] = {
    "$defs": _named,
    "definitions": _named,
    "anyOf": _listed,
    "oneOf": _listed,
    "items": _nested,
}
"""Keywords with schemas below them."""


def _properties(schema: Schema) -> dict[str, JsonValue]:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return {}
    required = cast("list[str]", schema.get("required", []))
    inner = {
        name: _nested(value) if name in required else _nullable(_nested(value))
        for name, value in properties.items()
    }
    return {
        "properties": cast("JsonValue", inner),
        "required": list(inner),
        "additionalProperties": False,
    }


def _has_free_keys(schema: Schema) -> bool:
    if schema.get("additionalProperties", False) is not False:
        return True
    return schema.get("type") == "object" and "properties" not in schema


def _nullable(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    kinds = schema.get("type")
    if kinds == "null" or (isinstance(kinds, list) and "null" in kinds):
        return schema
    choices = schema.get("anyOf")
    if not isinstance(choices, list):
        return {"anyOf": [schema, _NULL]}
    return schema if _NULL in choices else {**schema, "anyOf": [*choices, _NULL]}
