"""Asks a model for a value, and once more with its own error where it wrote none."""

from __future__ import annotations

import re

from quaere.domain.model import Completion, Finish, Message, ModelRequest, Role
from quaere.errors import ContractError
from quaere.models.structured.contract import Check, T, parse
from quaere.models.structured.find_json import visible
from quaere.models.structured.schema import output_schema
from quaere.ports.model import ChatModel, thinking_tokens
from quaere.text.tokens import estimate_tokens

MAX_OUTPUT_TOKENS = 16_000
"""What a cut-off answer may grow to."""
GROWTH = 2
"""What its limit is multiplied by."""
SHOWN_CHARS = 2_000
"""How much of its own answer a model is shown: its begin and its end."""
MIN_ROOM_TOKENS = 100
"""In less than that no answer is written."""


REPEATED = 4
"""Repetitions of one stretch at the end of an answer from which its model is caught in it:
with more room it would only write more of the same."""
STRETCH_CHARS, LEAST_CHARS = 240, 48
"""The longest stretch that is looked for, and what all its repetitions take at least."""


async def ask(
    model: ChatModel, request: ModelRequest, contract: type[T], *, check: Check[T] | None = None
) -> T:
    """Return what ``model`` answers as a ``contract``.

    An answer that breaks it, or that ``check`` objects to, is asked for a second time in the same
    conversation, with more room if it was cut off. A refusal is not argued with; what the model's
    context has no room for is not asked, nor what it was cut off in while it repeated itself.

    Raises:
        ContractError: when the last answer breaks it, too.
        ModelError: when a call fails.
        BudgetExceeded: when a call would cost more than is left.
    """
    if request.output is None:
        request = request.model_copy(update={"output": output_schema(contract)})
    completion = await model.complete(request)
    try:
        return parse(completion.text, completion.finish, contract, check)
    except ContractError as error:
        request = _corrected(request, completion, error)
        size = sum(estimate_tokens(message.content) for message in request.messages)
        room = model.context_tokens - thinking_tokens(model) - size
        hopeless = completion.finish is Finish.REFUSAL or _is_caught(completion)
        if hopeless or room < MIN_ROOM_TOKENS:
            raise
        limit = min(request.max_output_tokens, room)
        request = request.model_copy(update={"max_output_tokens": limit})
    completion = await model.complete(request)
    return parse(completion.text, completion.finish, contract, check)


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
    if len(text) <= SHOWN_CHARS:
        return text
    half = SHOWN_CHARS // 2
    return f"{text[:half]}\n[…]\n{text[-half:]}"
