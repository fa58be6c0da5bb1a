"""Mends what LangChain's client of OpenAI makes of a streamed piece.

It takes the first choice in a piece whichever it is, although servers may send several side by
side, and it drops a refusal that comes beside the text.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from functools import wraps
from typing import Protocol, cast

_METHOD = "_convert_chunk_to_generation_chunk"

Fields = Mapping[str, object]


class _Message(Protocol):
    additional_kwargs: MutableMapping[str, object]


class _Piece(Protocol):
    message: _Message


class _Convert(Protocol):
    def __call__(self, chunk: Fields, kind: type, base: object, /) -> _Piece | None: ...


def keep_to_first_choice(client: object) -> None:
    """Have ``client`` read choice 0 of streamed pieces and no other, its refusal included."""
    convert = cast("_Convert | None", getattr(client, _METHOD, None))
    if convert is None:
        return

    @wraps(convert)
    def converted(chunk: Fields, kind: type, base: object, /) -> _Piece | None:
        choices = cast("Sequence[Fields]", chunk.get("choices") or ())
        first = [choice for choice in choices if not choice.get("index")]
        if choices and not first:
            return None
        piece = convert({**chunk, "choices": first}, kind, base)
        if piece is not None and (refusal := _refusal(first)):
            piece.message.additional_kwargs["refusal"] = refusal
        return piece

    # The client is a model of pydantic, which takes no attributes but its own.
    object.__setattr__(client, _METHOD, converted)


def _refusal(choices: Sequence[Fields]) -> object:
    deltas = [cast("Fields | None", choice.get("delta")) or {} for choice in choices]
    return next((delta["refusal"] for delta in deltas if delta.get("refusal")), None)
