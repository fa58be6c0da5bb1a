"""A model behind one of LangChain's clients, and what its server says that it does not take.

A gateway is known by its address alone: its model may want a temperature of its own, or
have another way of keeping to a schema, or none, or less room than is usual.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, TypeVar, cast

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import from_json

from quaere.domain.model import Completion, ModelRequest, Traits
from quaere.errors import ModelError, ModelRejected
from quaere.models.client import Client, Reply, Response, check, close, make, recording_responses
from quaere.models.failures import failure, is_unusable, timeout, words_of
from quaere.models.replies import Draft
from quaere.models.request import (
    arguments_of,
    messages_of,
    output_limit,
    thinking_tokens,
    window_of,
)
from quaere.models.vendors import Constraint, ModelAccess, ModelSpec
from quaere.text.lazy_regex import lazy_regex

ASKED_S = 1.0
"""Seconds that a server has to tell."""


class _Room(BaseModel):
    n_ctx: Annotated[int, Field(ge=256)]


class _Properties(BaseModel):
    default_generation_settings: _Room


def context_told(url: str, access: ModelAccess) -> int | None:
    """Return the tokens that prompt and answer may have together; None where ``url`` does not say.

    A server that is down is reported by the first call that needs it.
    """
    import httpx2  # noqa: PLC0415 - slow to import, and seldom needed

    key = access.api_key.get_secret_value()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        said = httpx2.get(url, headers=headers, timeout=ASKED_S, trust_env=False)
        return _Properties.model_validate_json(said.content).default_generation_settings.n_ctx
    except (httpx2.HTTPError, httpx2.InvalidURL, ValidationError):
        return None


T = TypeVar("T")


def open_model(spec: ModelSpec, access: ModelAccess) -> LangChainModel:
    """Return the model of that name. Nothing is imported or requested yet.

    Raises:
        SettingsError: when the vendor's extra, the key or the base URL is missing.
    """
    check(spec, access)
    return LangChainModel(spec, access)


class LangChainModel:
    """Implements the ``ChatModel`` port for every vendor of ``VENDORS``.

    A call is made once: retrying is up to the caller. Only what a server refuses, a temperature,
    a schema or a stream, is left out at once and for good. A call ends at the latest when
    ``ModelAccess.timeout_s`` is over, however slowly bytes drip in; time that the taker of a stream
    takes for itself does not count. A call that is cancelled, or a stream that is closed, closes
    its connection.
    """

    def __init__(self, spec: ModelSpec, access: ModelAccess) -> None:
        self._spec = spec
        self._access = access
        self._unstreamed = False  # whether its server answers in one piece all the same
        # Connections belong to the event loop in which they were opened.
        self._opened: dict[asyncio.AbstractEventLoop, _Opened] = {}

    @property
    def name(self) -> str:
        """``vendor:model``."""
        return self._spec.name

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and completion may have together, as set, or as far as known."""
        return window_of(self._spec, self._access)

    @property
    def thinking_tokens(self) -> int:
        """Output tokens that a call may take beyond those that it asks for, to think in."""
        return thinking_tokens(self._spec, self._access)

    @property
    def traits(self) -> Traits:
        """What is known of it, by its name and by its server."""
        about, window = self._spec.about, window_of(self._spec, self._access)
        known = self._access.context_tokens is not None
        return Traits(
            small=about.is_small(self._spec.model, window, known=known),
            schema_unseen=about.schema_unseen and self._access.constraint is None,
        )

    def learn(self) -> None:
        """Ask a server that tells, and that is there, for the size of its context.

        Blocks for a second at most. The smaller counts of what was set and what it says.
        """
        path = self._spec.about.properties
        if not path:
            return
        base = self._access.base_url or self._spec.about.base_url
        self._keep_within(context_told(f"{base.rstrip('/')}/{path}", self._access))

    def _keep_within(self, told: int | None) -> None:
        if told:
            tokens = min(told, self._access.context_tokens or told)
            self._access = self._access.model_copy(update={"context_tokens": tokens})

    async def warm(self) -> None:
        """Import the vendor's client, in a thread, and make one.

        The first call does so anyway; begun earlier, it costs that call no time.
        """
        await self._client()

    async def aclose(self) -> None:
        """Close the connections of the running event loop; the next call opens new ones."""
        opened = self._opened.pop(asyncio.get_running_loop(), None)
        if opened is not None and opened.client is not None:
            await close(self._spec.about, opened.client)

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the answer, unchecked.

        Raises:
            ModelError: when there is none; ``retryable`` says whether to ask again.
        """
        while True:
            access = self._access
            try:
                return await self._completed(request, access)
            except ModelRejected as error:
                if not await self._yields(access, error):
                    raise

    async def _completed(self, request: ModelRequest, access: ModelAccess) -> Completion:
        client = await self._client()
        turns = messages_of(self._spec, access, request)
        arguments = arguments_of(self._spec, access, request)
        draft = self._draft(request)
        reply = client.ainvoke(turns, **arguments)
        draft.add(await self._within(self._access.timeout_s, reply))
        return draft.finished()

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        """Yield the answer piece by piece as text; the last item is the whole completion.

        One that goes on far beyond the length that was asked for is cut off.

        Raises:
            ModelError: as ``complete``, also in the middle of the answer.
        """
        whole = request.output is not None and not self._spec.about.streams_json
        while not (whole or self._unstreamed):
            access, begun = self._access, False
            try:
                async with aclosing(self._streamed(request, access)) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
                return
            except _InOnePieceError:
                self._unstreamed = True
            except ModelRejected as error:
                if begun or not await self._yields(access, error):
                    raise
        completion = await self.complete(request)
        if completion.text:
            yield completion.text
        yield completion

    async def _streamed(
        self, request: ModelRequest, access: ModelAccess
    ) -> AsyncGenerator[str | Completion]:
        client = await self._client()
        turns = messages_of(self._spec, access, request)
        arguments = arguments_of(self._spec, access, request)
        draft = self._draft(request)
        responses: list[Response] = []
        try:
            async with aclosing(client.astream(turns, **arguments)) as replies:
                async for reply in self._timed(replies, responses):
                    if text := draft.add(reply):
                        yield text
                    if draft.endless:
                        break
        except ModelError as error:
            whole = [await _is_whole(response) for response in responses]
            if not draft.begun and any(whole):
                raise _InOnePieceError from error
            raise
        finally:
            await _close(responses)
        yield draft.streamed()

    async def _yields(self, asked: ModelAccess, error: ModelRejected) -> bool:
        """Return whether to ask again, without what the server refused of a call to ``asked``."""
        if is_unusable(error) or error.__cause__ is None:
            return False
        cause = cast("Exception", error.__cause__)
        yielded = without_refused(cause, self._spec, asked)
        if yielded == asked:
            return False
        kept = {"temperature": yielded.temperature, "constraint": yielded.constraint}
        self._access = self._access.model_copy(update=kept)
        if yielded.temperature != asked.temperature:
            await self.aclose()  # its client was made with one
        return True

    def _draft(self, request: ModelRequest) -> Draft:
        return Draft(self._spec, request, output_limit(self._spec, self._access, request))

    async def _client(self) -> Client:
        for loop in [loop for loop in self._opened if loop.is_closed()]:
            del self._opened[loop]
        opened = self._opened.setdefault(asyncio.get_running_loop(), _Opened())
        async with opened.lock:
            if opened.client is None:
                opened.client = await asyncio.to_thread(make, self._spec, self._access)
            return opened.client

    async def _timed(
        self, replies: AsyncGenerator[Reply, None], responses: list[Response]
    ) -> AsyncIterator[Reply]:
        loop = asyncio.get_running_loop()
        left_s = self._access.timeout_s
        while True:
            began = loop.time()
            with recording_responses(responses):
                reply = await self._within(left_s, anext(replies, None))
            if reply is None:
                return
            left_s -= loop.time() - began
            yield reply

    async def _within(self, seconds: float, waiting: Awaitable[T]) -> T:
        """Return what ``waiting`` on the vendor's client brings.

        Raises:
            ModelError: for whatever the client raises, and when it takes longer than ``seconds``.
        """
        try:
            async with asyncio.timeout(seconds):
                return await waiting
        except TimeoutError as error:
            raise timeout(self._spec, self._access) from error
        except Exception as error:
            self._keep_within(context_in(error))
            raise failure(error, self._spec, self._access) from error


class _InOnePieceError(Exception):
    """A server that was asked for a stream gave a whole answer, or an error with status 200."""


async def _is_whole(response: Response) -> bool:
    """Return whether ``response`` came in one piece, unspoilt, and not as an error of HTTP."""
    kind = response.headers.get("content-type", "")
    if response.status_code != HTTPStatus.OK or not kind.startswith("application/json"):
        return False
    try:
        return isinstance(from_json(await response.aread()), dict)
    except ValueError:
        return False


async def _close(responses: Iterable[Response]) -> None:
    for response in responses:
        await response.aclose()


@dataclass(slots=True)
class _Opened:
    """The client of one event loop."""

    client: Client | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


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
