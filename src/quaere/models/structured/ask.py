"""Asks a model for a value of a contract, and once more with its own error where it wrote none.

The contract goes out as a JSON schema, as a vendor takes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from quaere.domain.model import Completion, Finish, Message, ModelRequest, OutputSchema, Role
from quaere.errors import ContractError
from quaere.models.structured.find_json import MAX_CHARS, read, visible
from quaere.models.structured.lenient_json import SHOWN_CHARS, Unreadable, canonical, whole_part
from quaere.ports.model import ChatModel, thinking_tokens
from quaere.text.tokens import estimate_tokens

Schema = Mapping[str, JsonValue]

_DROPPED = frozenset({"$defs", "$ref", "title", "default", "discriminator"})
"""What says nothing to a model. Defaults are ours: what is left out is left out."""
_ONE = frozenset({"items", "additionalProperties", "not"})
_SEVERAL = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})


@cache
def output_schema(contract: type[BaseModel]) -> OutputSchema:
    """Return the schema of ``contract``: plain, with definitions in place and descriptions kept.

    Raises:
        ValueError: when the contract contains itself, which no vendor's mechanism can follow.
    """
    schema: dict[str, JsonValue] = contract.model_json_schema()
    found = schema.get("$defs")
    definitions = found if isinstance(found, dict) else {}
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", contract.__name__).lower()
    return OutputSchema(name=name, definition=_plain(schema, definitions, ()))


def properties(schema: Schema) -> Mapping[str, Schema]:
    """Return the properties of an object, none for anything else."""
    inner = schema.get("properties")
    if not isinstance(inner, dict):
        return {}
    return {name: value for name, value in inner.items() if isinstance(value, dict)}


def required(schema: Schema) -> frozenset[str]:
    """Return the names of the properties that must be there."""
    names = schema.get("required")
    return frozenset(map(str, names)) if isinstance(names, list) else frozenset()


def present(schema: Schema) -> Schema:
    """Return what a value has to be when it is there at all: ``X`` for ``X`` or null.

    It is empty, which allows everything, where several kinds of value are allowed.
    """
    choices = schema.get("anyOf")
    if not isinstance(choices, list):
        return schema
    kinds = list(_kinds(choices))
    if len(kinds) != 1:
        return {}
    return {**kinds[0], **{key: value for key, value in schema.items() if key != "anyOf"}}


def _kinds(choices: Iterable[JsonValue]) -> Iterator[Schema]:
    for kind in choices:
        if isinstance(kind, dict) and kind.get("type") != "null":
            yield kind


def _plain(schema: Schema, definitions: Schema, within: tuple[str, ...]) -> dict[str, JsonValue]:
    def inner(value: JsonValue) -> JsonValue:
        return _plain(value, definitions, within) if isinstance(value, dict) else value

    def each_inner(keyword: str, value: JsonValue) -> JsonValue:
        if isinstance(value, dict) and keyword == "properties":
            return {name: inner(kind) for name, kind in value.items()}
        if isinstance(value, list) and keyword in _SEVERAL:
            return list(map(inner, value))
        return inner(value) if keyword in _ONE else value

    plain = _referred(schema, definitions, within)
    for keyword, value in schema.items():
        if keyword not in _DROPPED:
            plain[keyword] = each_inner(keyword, value)
        if keyword == "properties" and isinstance(value, dict):
            plain.setdefault("additionalProperties", False)
    return plain


def _referred(schema: Schema, definitions: Schema, within: tuple[str, ...]) -> dict[str, JsonValue]:
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return {}
    name = reference.rpartition("/")[2]
    definition = definitions[name]
    if name in within or not isinstance(definition, dict):
        raise ValueError(f"The contract {name} contains itself.")
    return _plain(definition, definitions, (*within, name))


T = TypeVar("T", bound=BaseModel)
Check = Callable[[T], None]
"""Looks at what a schema cannot say, such as ids that must exist; raises ``ContractError``."""

MAX_PROBLEMS = 5
"""Problems that one message lists: enough to correct an answer by, and short."""
MAX_OBJECTS = 20
"""Looked at, since models write examples and drafts before they answer."""
_ENVELOPES = frozenset({"answer", "data", "json", "output", "response", "result"})
_PLACEHOLDER = re.compile(r"\.{2,}|…|string|<[^<>]{1,60}>", re.IGNORECASE)
"""What a model copies from a schema or an example in place of a value."""


_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
MAX_OUTPUT_TOKENS = 16_000
"""What a cut-off answer may grow to."""
GROWTH = 2
"""What its limit is multiplied by."""
SHOWN_ANSWER_CHARS = 2_000
"""How much of its own answer a model is shown: its begin and its end."""
MIN_ROOM_TOKENS = 100
"""In less than that no answer is written."""


REPEATED = 4
"""Repetitions of one stretch at the end of an answer from which its model is caught in it:
with more room it would only write more of the same."""
STRETCH_CHARS, LEAST_CHARS = 240, 48
"""The longest stretch that is looked for, and what all its repetitions take at least."""


Complete = Callable[[ModelRequest], Awaitable[Completion]]
"""Makes a call."""


async def ask(
    model: ChatModel,
    request: ModelRequest,
    contract: type[T],
    *,
    check: Check[T] | None = None,
    complete: Complete | None = None,
    unsaid: Schema | None = None,
) -> T:
    """Return what ``model`` answers as a ``contract``.

    An answer that breaks it, or that ``check`` objects to, is asked for a second time in the same
    conversation, with more room if it was cut off. A refusal is not argued with; what the model's
    context has no room for is not asked, nor what it was cut off in while it repeated itself.
    Of one that is cut off all the same, what was whole is taken, with ``unsaid`` for the rest.

    Args:
        model: Who is asked.
        request: What for; its schema is that of ``contract`` unless it has one.
        contract: What the answer has to be.
        check: Looks at what a schema cannot say.
        complete: Makes the calls in place of the model's own method.
        unsaid: What stands for fields that were cut off; None where a part is of no use.

    Raises:
        ContractError: when the last answer breaks it, too.
        ModelError: when a call fails.
        BudgetExceeded: when a call would cost more than is left.
    """
    if request.output is None:
        request = request.model_copy(update={"output": output_schema(contract)})
    complete = complete or model.complete
    completion = await complete(request)
    try:
        return parse(completion.text, completion.finish, contract, check)
    except ContractError as error:
        again = _again(_corrected(request, completion, error), completion, model)
        if again is None:
            return _whole_part(completion, contract, unsaid, error)
    completion = await complete(again)
    try:
        return parse(completion.text, completion.finish, contract, check)
    except ContractError as error:
        return _whole_part(completion, contract, unsaid, error)


def _again(request: ModelRequest, completion: Completion, model: ChatModel) -> ModelRequest | None:
    """Return ``request`` within the room there is; None where asking once more is of no use."""
    size = sum(estimate_tokens(message.content) for message in request.messages)
    room = model.context_tokens - thinking_tokens(model) - size
    hopeless = completion.finish is Finish.REFUSAL or _is_caught(completion)
    if hopeless or room < MIN_ROOM_TOKENS:
        return None
    limit = min(request.max_output_tokens, room)
    return request.model_copy(update={"max_output_tokens": limit})


def _whole_part(
    completion: Completion, contract: type[T], unsaid: Schema | None, error: ContractError
) -> T:
    """Return what is whole in ``completion``, if it was cut off; else raise ``error``."""
    is_cut = completion.finish is Finish.LENGTH and len(completion.text) <= MAX_CHARS
    if not is_cut or unsaid is None:
        raise error
    said = whole_part(visible(completion.text))
    if not said:
        raise error
    try:
        return fit({**unsaid, **said}, contract)
    except ContractError:
        raise error from None


def _is_caught(completion: Completion) -> bool:
    return completion.finish is Finish.LENGTH and repeats(completion.text)


def repeats(text: str) -> bool:
    """Return whether ``text`` ends with the same stretch several times over, but for its numbers.

    A model that counts writes ``{"id": 7}, {"id": 8}, {"id": 9}`` to the end of its room.
    """
    tail = _NUMBER.sub("0", text[-4 * STRETCH_CHARS * REPEATED :])
    for length in range(1, STRETCH_CHARS + 1):
        whole = max(REPEATED * length, LEAST_CHARS)
        if len(tail) < whole:
            return False
        if tail[-whole:-length] == tail[-whole + length :]:
            return True
    return False


_NUMBER = re.compile(r"\d+")


def _corrected(request: ModelRequest, completion: Completion, error: ContractError) -> ModelRequest:
    """Return the request for the second answer."""
    told = f"Your answer cannot be used. {error.message}\n"
    if completion.finish is Finish.LENGTH:
        told += "It was cut off at its limit of length: write less.\n"
    told += "Write the whole answer again, corrected: one JSON object and nothing else."
    messages = (
        *request.messages,
        Message(role=Role.ASSISTANT, content=_shortened(visible(completion.text)) or "(nothing)"),
        Message(role=Role.USER, content=told),
    )
    limit = request.max_output_tokens
    if completion.finish is Finish.LENGTH:
        limit = max(limit, min(limit * GROWTH, MAX_OUTPUT_TOKENS))
    again = {"messages": messages, "max_output_tokens": limit, "attempt": request.attempt + 1}
    return request.model_copy(update=again)


def _shortened(text: str) -> str:
    if len(text) <= SHOWN_ANSWER_CHARS:
        return text
    half = SHOWN_ANSWER_CHARS // 2
    return f"{text[:half]}\n[…]\n{text[-half:]}"


def parse(text: str, finish: Finish, contract: type[T], check: Check[T] | None = None) -> T:
    """Return the one value in ``text`` that keeps ``contract`` and passes ``check``.

    Types are strict: "3" is not 3, and null is nothing but an optional field left out.

    Raises:
        ContractError: saying what is wrong and where, in words fit for the model that wrote it.
    """
    kept: dict[str, T] = {}
    broken: list[ContractError] = []
    for value in _objects(text, finish, contract):
        try:
            fitting = fit(value, contract)
        except ContractError as error:
            broken.append(error)
        else:
            kept[fitting.model_dump_json()] = fitting
    if not kept:
        raise broken[-1]
    if len(kept) > 1:
        raise ContractError(f"There are {len(kept)} different answers. Only one may be given.")
    (result,) = kept.values()
    if check:
        check(result)
    return result


def fit(value: dict[str, JsonValue], contract: type[T]) -> T:
    """Return ``value`` as a ``contract``.

    Raises:
        ContractError: naming each field that is missing or wrong, and what was found there.
    """
    schema = output_schema(contract).definition
    tidied = tidy(value, schema)
    if not tidied:
        raise ContractError(f"The object has none of the fields {', '.join(properties(schema))}.")
    try:
        result = contract.model_validate_json(json.dumps(tidied), strict=True)
    except ValidationError as error:
        raise ContractError(_problems(error)) from None
    if placeholder := next(_placeholders(tidied, ()), None):
        raise ContractError(f"{placeholder} holds a placeholder in place of a value.")
    return result


def _objects(text: str, finish: Finish, contract: type[T]) -> list[dict[str, JsonValue]]:
    """Return the objects in ``text`` that may be meant."""
    try:
        values = read(text, finish)
    except Unreadable as complaint:
        raise ContractError(complaint.message) from None
    schema = output_schema(contract)
    unwrapped = [_unwrapped(value, schema) for value in values]
    objects = [value for value in unwrapped if isinstance(value, dict)]
    if not objects:
        raise ContractError(f"A JSON object was expected, but this is {_shown(unwrapped[-1])}.")
    if len(objects) > MAX_OBJECTS:
        raise ContractError(f"There are {len(objects)} objects. Only one may be given.")
    return objects


def _unwrapped(value: JsonValue, schema: OutputSchema) -> JsonValue:
    """Return what is in a list of one object, however often, or in an envelope of that name.

    An envelope may hold a remark besides, but no field of ``schema``.
    """
    if isinstance(value, list) and len(set(map(canonical, value))) == 1:
        value = value[0]
    return _out_of_envelope(value, schema) if isinstance(value, dict) else value


def _out_of_envelope(value: dict[str, JsonValue], schema: OutputSchema) -> JsonValue:
    fields = properties(schema.definition).keys()
    envelopes = _ENVELOPES | {schema.name} - fields
    inside = [name for name, inner in value.items() if isinstance(inner, dict)]
    is_envelope = [name.lower() in envelopes for name in inside] == [True]
    return value[inside[0]] if is_envelope and fields.isdisjoint({*value} - {*inside}) else value


def _problems(error: ValidationError) -> str:
    problems = error.errors()
    told = [
        f"{_path(problem['loc'])}: {_said(problem['msg'])}"
        + ("" if problem["type"] == "missing" else f", but is {_shown(problem['input'])}")
        for problem in problems[:MAX_PROBLEMS]
    ]
    more = len(problems) - len(told)
    return "; ".join(told) + (f"; and {more} more" if more else "") + "."


def _said(message: str) -> str:
    return message.removeprefix("Value error, ").replace("Input should", "should")


def _path(location: tuple[int | str, ...]) -> str:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return path.removeprefix(".") or "the object"


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"


def _placeholders(value: JsonValue, location: tuple[int | str, ...]) -> Iterator[str]:
    """Yield the paths of the strings that stand for a value that was never filled in."""
    if isinstance(value, str) and _PLACEHOLDER.fullmatch(value.strip()):
        yield _path(location)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _placeholders(item, (*location, place))
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _placeholders(inner, (*location, name))


def tidy(value: JsonValue, schema: Schema) -> JsonValue:
    """Return ``value`` without what says nothing, names and choices spelt as in ``schema``.

    Dropped are unknown fields, null in an optional field (that is how vendors' strict modes leave
    one out), blank strings in lists, and control characters but for line breaks and tabs, which
    would go into queries and databases. 2.0 is the integer 2, as JSON Schema has it; nothing else
    is converted.
    """
    if isinstance(value, str):
        value = _CONTROL.sub("", value)
    schema = present(schema)
    if isinstance(value, dict) and "properties" in schema:
        return _fields(value, schema)
    if isinstance(value, list):
        return _items(value, schema)
    if isinstance(value, float):
        return _number(value, schema)
    return _spelt(value, schema) if isinstance(value, str) else value


def _number(value: float, schema: Schema) -> int | float:
    whole = schema.get("type") == "integer" and value.is_integer()
    return int(value) if whole else value


def _fields(value: dict[str, JsonValue], schema: Schema) -> dict[str, JsonValue]:
    needed = required(schema)
    fields: dict[str, JsonValue] = {}
    for name, inner in properties(schema).items():
        key = name if name in value else _matching(name, list(value))
        if key in value and (value[key] is not None or name in needed):
            fields[name] = tidy(value[key], inner)
    return fields


def _items(value: list[JsonValue], schema: Schema) -> list[JsonValue]:
    kind = schema.get("items")
    inner = kind if isinstance(kind, dict) else {}
    return [tidy(item, inner) for item in value if not _is_blank(item)]


def _is_blank(item: JsonValue) -> bool:
    return isinstance(item, str) and not item.strip()


def _spelt(value: str, schema: Schema) -> str:
    choices = schema.get("enum", [schema.get("const")])
    if not isinstance(choices, list) or value in choices:
        return value
    return _matching(value, [choice for choice in choices if isinstance(choice, str)])


def _matching(text: str, names: list[str]) -> str:
    """Return the only one of ``names`` that is ``text`` but for case and space, or ``text``."""
    folded = text.strip().casefold()
    same = [name for name in names if name.strip().casefold() == folded]
    return same[0] if len(same) == 1 else text
