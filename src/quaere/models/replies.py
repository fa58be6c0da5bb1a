"""Assembles a completion from the replies of a vendor's client."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from quaere.domain.model import Completion, Finish, ModelRequest, Usage
from quaere.domain.value import encodable
from quaere.errors import ModelError
from quaere.models.client import ANSWERS, THOUGHTS, Reply
from quaere.models.vendors import ModelSpec
from quaere.text.tokens import estimate_tokens

REPEATED_CHARS = 20
"""Length of an answer from which one more piece that is all of it says it once more."""

REPEATS = 200
"""Times that one piece comes again in a row from which a model is caught in a loop: it would go on
to its limit, which can take a minute."""

CHARS_PER_TOKEN, PIECES_PER_TOKEN = 8, 2
"""More than a text has on average, and more pieces than it comes in: beyond both, the server keeps
to no limit of tokens."""

_FINISHES: Mapping[str, Finish | None] = {
    # OpenAI and its kind, Groq, Mistral, DeepSeek
    "stop": Finish.STOP,
    "length": Finish.LENGTH,
    "model_length": Finish.LENGTH,
    "content_filter": Finish.REFUSAL,
    "error": None,
    "insufficient_system_resource": None,
    # Anthropic
    "end_turn": Finish.STOP,
    "stop_sequence": Finish.STOP,
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "refusal": Finish.REFUSAL,
    # Google, in small letters
    "safety": Finish.REFUSAL,
    "recitation": Finish.REFUSAL,
    "blocklist": Finish.REFUSAL,
    "prohibited_content": Finish.REFUSAL,
    "spii": Finish.REFUSAL,
    "language": Finish.REFUSAL,
    "other": None,
    "malformed_response": None,
    "malformed_function_call": None,
    # Ollama
    "load": None,
}
"""What the words of the vendors mean, ``None`` for a failure. A word that is not here means that
the model finished."""


class Echoes:
    """Tells what is new in the pieces of an answer from what a server sends again.

    Some send every piece twice, or with every piece all that came before it; no answer begins like
    that by itself. Others say all of it once more at the end.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._chars = 0
        self._all = ""
        self._seen = 0
        self._grows = self._doubles = self._is_second = False

    def new_in(self, piece: str) -> str:
        """Return what ``piece`` adds to those before it."""
        if not piece:
            return ""
        self._seen += 1
        if self._seen == 2 and len(self._pieces[0].strip()) > 1:
            self._all = self._pieces[0]
            self._doubles = piece == self._all
            self._grows = not self._doubles and piece.startswith(self._all)
        new = self._doubled(piece) if self._doubles else self._grown(piece)
        if new:
            self._pieces.append(new)
            self._chars += len(new)
        return new

    def _doubled(self, piece: str) -> str:
        """Return ``piece`` unless it is the second of a pair; one alone ends the doubling."""
        if self._is_second:
            self._is_second = False
        elif piece == self._pieces[-1]:
            self._is_second = True
            return ""
        else:
            self._doubles = False
        return piece

    def _grown(self, piece: str) -> str:
        if self._grows and piece.startswith(self._all):
            new, self._all = piece[len(self._all) :], piece
            return new
        self._grows = False
        if REPEATED_CHARS <= self._chars == len(piece) and piece == "".join(self._pieces):
            return ""
        return piece


def _json_in(thoughts: str) -> str:
    """Return ``thoughts`` that are the answer itself; nothing of those that only mention some."""
    return thoughts if thoughts.lstrip().startswith(("{", "[", "```")) else ""


class Draft:
    """An answer as it comes in, whole or in pieces."""

    def __init__(self, spec: ModelSpec, request: ModelRequest, max_tokens: int) -> None:
        """Begin the answer to ``request``, which may take ``max_tokens``, thoughts included."""
        self._spec = spec
        self._request = request
        self._room = float(max_tokens)
        self._text: list[str] = []
        self._repeated = 0
        self._echoes = Echoes()
        self._last = ""
        self._thoughts: list[str] = []
        self._tools = ToolCalls()
        self._ending = ""
        self._refused = False
        self._usage = Usage()

    def add(self, reply: Reply) -> str:
        """Take the next piece; return the text in it, which may be none.

        Raises:
            ModelError: when it is not the model that is said to speak.
        """
        if reply.type not in ANSWERS:
            speaker = reply.type.removesuffix("MessageChunk").lower()
            raise ModelError(f"{self._spec.name} answered in the role {speaker!r}.")
        said = encodable(str(reply.text))
        text = self._echoes.new_in(said)
        self._text.append(text)
        self._thoughts.append(_text(reply.additional_kwargs.get(THOUGHTS)))
        self._tools.add(reply)
        self._repeated = self._repeated + 1 if said and said == self._last else 0
        self._last = said
        self._room -= max(1 / PIECES_PER_TOKEN, len(said) / CHARS_PER_TOKEN)
        metadata = reply.response_metadata
        self._ending = _ending(metadata) or self._ending
        blocked = _at(metadata, "prompt_feedback", "block_reason") is not None
        self._refused |= blocked or bool(reply.additional_kwargs.get("refusal"))
        if reply.usage_metadata is not None:
            self._usage = _together(self._usage, _usage(reply.usage_metadata))
        return text

    @property
    def begun(self) -> bool:
        """Whether anything came."""
        return bool(self._text)

    @property
    def endless(self) -> bool:
        """Whether it repeats itself, or is so long that the server keeps to no limit."""
        return self._room < 0 or self._repeated > REPEATS

    def finished(self) -> Completion:
        """Return the whole answer.

        Where JSON was asked for and there is no text, it is what the model gave a tool by that name
        for arguments, or else what its server takes for its thoughts: many that look for the end of
        thoughts find none where a grammar left no room for them.

        Raises:
            ModelError: when it did not end well.
        """
        finish = _FINISHES.get(self._ending, Finish.STOP)
        if self._refused:
            finish = Finish.REFUSAL
        if finish is None:
            raise ModelError(
                f"{self._spec.name} stopped with an error in the middle of its answer."
            )
        text = "".join(self._text)
        if self._request.output is not None and not text.strip():
            arguments = self._tools.arguments_for(self._request.output.name)
            text = encodable(arguments or _json_in("".join(self._thoughts)))
        prompt = [message.content for message in self._request.messages]
        usage = _completed(self._usage, prompt, text)
        return Completion(text=text, finish=finish, usage=usage, model=self._spec.name)

    def streamed(self) -> Completion:
        """Return the whole answer, which has to say that it is at its end.

        JSON that does not say so is taken for cut off, since its reader sees whether it is
        complete.

        Raises:
            ModelError: when it does not, because its connection was cut, or did not end well.
        """
        if self._ending or self._refused:
            return self.finished()
        completion = self.finished().model_copy(update={"finish": Finish.LENGTH})
        usable = self.endless or self._request.output is not None
        if not usable or not completion.text:
            raise ModelError(f"{self._spec.name} ended its answer half-way.")
        return completion


def _ending(metadata: Mapping[str, object]) -> str:
    """Return why the answer ended, in lower case; empty as long as nobody has said."""
    said = [metadata.get(name) for name in ("finish_reason", "stop_reason", "done_reason")]
    return next((each.lower() for each in reversed(said) if each and isinstance(each, str)), "")


def _usage(counts: Mapping[str, object]) -> Usage:
    return Usage(
        prompt_tokens=_count(counts.get("input_tokens")),
        completion_tokens=_count(counts.get("output_tokens")),
        cached_tokens=_count(_at(counts, "input_token_details", "cache_read")),
        reasoning_tokens=_count(_at(counts, "output_token_details", "reasoning")),
    )


def _together(before: Usage, now: Usage) -> Usage:
    """Return the usage of two pieces.

    One that counts the prompt once more counts everything once more; others count what is new.
    """
    counts_all = before.prompt_tokens and now.prompt_tokens >= before.prompt_tokens
    return now if counts_all else before + now


def _completed(usage: Usage, prompt: Iterable[str], text: str) -> Usage:
    """Return ``usage`` with what the server did not count estimated."""
    missing: dict[str, int] = {}
    if not usage.prompt_tokens:
        missing["prompt_tokens"] = sum(map(estimate_tokens, prompt))
    if not usage.completion_tokens:
        missing["completion_tokens"] = estimate_tokens(text)
    return usage.model_copy(update={**missing, "estimated": any(missing.values())})


def _count(value: object) -> int:
    return max(0, value) if isinstance(value, int) else 0


def _at(values: Mapping[str, object], name: str, inner: str) -> object:
    """Return the value of ``inner`` in the mapping ``name``; ``None`` where there is none."""
    found = values.get(name)
    return cast("Mapping[str, object]", found).get(inner) if isinstance(found, Mapping) else None


Fields = Mapping[str, object]


class ToolCalls:
    """Collects tool calls, whole or streamed.

    Some models, and some servers in front of them, answer in the arguments of a tool named after
    the requested schema, although no tool was offered.
    """

    def __init__(self) -> None:
        self._names: dict[object, str] = {}
        self._arguments: dict[object, str] = {}

    def add(self, reply: Reply) -> None:
        """Take the next piece."""
        for place, name, arguments in _calls(reply):
            self._names[place] = self._names.get(place, "") + name
            self._arguments[place] = self._arguments.get(place, "") + arguments

    def arguments_for(self, name: str) -> str:
        """Return the arguments of the one call, if there is one and its tool has that name."""
        if [_bare(each) for each in self._names.values()] != [_bare(name)]:
            return ""
        (arguments,) = self._arguments.values()
        return arguments


def _calls(reply: Reply) -> Iterator[tuple[object, str, str]]:
    """Yield place, name and arguments, or pieces of them, of the calls in ``reply``."""
    pieces = _listed(reply, "tool_call_chunks")
    for piece in pieces:
        yield piece.get("index"), _text(piece.get("name")), _text(piece.get("args"))
    if pieces:
        return
    whole = [*_listed(reply, "tool_calls"), *_listed(reply, "invalid_tool_calls")]
    for place, call in enumerate(whole):
        yield place, _text(call.get("name")), _text(call.get("args"))


def _listed(reply: Reply, name: str) -> Sequence[Fields]:
    """Return a list of ``reply``, which only some kinds of reply have."""
    return cast("Sequence[Fields]", getattr(reply, name, ()))


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value)


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()
