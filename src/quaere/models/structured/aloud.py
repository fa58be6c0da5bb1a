"""Asks a model for a value of which one string is wanted while it is being written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Generic, Protocol, TypeVar, cast

from pydantic import BaseModel, JsonValue

from quaere.domain.model import Completion, ModelRequest
from quaere.errors import ContractError, ModelError
from quaere.models.structured.ask import ask, fit, parse
from quaere.ports.model import ChatModel, released

T = TypeVar("T", bound=BaseModel)
T_contra = TypeVar("T_contra", bound=BaseModel, contravariant=True)

_BEGIN = re.compile(r"\s*(?:```(?:json)?\s*)?(?=\{)")
"""What may precede the object; anything else may be thoughts or an example."""
_MAY_BEGIN = re.compile(r"\s*(?:`{0,3}|```j?s?o?|```(?:json)?\s*)")
_MARK = re.compile(r'[{}\[\]:,]|"(?:[^"\\]|\\.)*"|"', re.DOTALL)
_CHARACTERS = re.compile(r'(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_HALF_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\Z")
_ESCAPE_CHARS = 6


class Spoken(Protocol[T_contra]):
    """Takes the string."""

    @property
    def field(self) -> str:
        """Its name; the contract has to do without the fields that follow it."""
        ...

    def begins(self, so_far: T_contra) -> bool:
        """Return whether to take it, after the fields that come before it."""
        ...

    async def take(self, text: str) -> None:
        """Take the next part of it."""
        ...

    async def ends(self) -> None:
        """Take note that it is whole."""
        ...

    def breaks_off(self, error: str) -> bool:
        """Take note that there will be no more of it, and return whether what was taken stands."""
        ...


async def ask_aloud(
    model: ChatModel,
    request: ModelRequest,
    contract: type[T],
    spoken: Spoken[T],
    *,
    unsaid: Mapping[str, JsonValue] | None = None,
) -> T:
    """Return what ``model`` answers as a ``contract``, as `ask` does, and give ``spoken`` its part.

    An answer that fails after its string has begun is returned as far as it came where ``spoken``
    cannot take back what it has taken. Else all is as with `ask`.

    Raises:
        ContractError: when the last answer breaks the contract.
        ModelError: when a call fails.
        BudgetExceeded: when a call would cost more than is left.
    """
    hearing = _Hearing(contract, spoken)

    async def complete(request: ModelRequest) -> Completion:
        nonlocal hearing
        if hearing.so_far is not None:  # a stream that ended in the middle may do so again
            return await model.complete(request)
        hearing = _Hearing(contract, spoken)
        return await hearing.completed(model, request)

    try:
        return await ask(model, request, contract, complete=complete, unsaid=unsaid)
    except _BrokenOffError as end:
        so_far = hearing.so_far
        if so_far is None:
            raise ContractError(str(end)) from end
        return so_far


class _BrokenOffError(Exception):
    """The answer failed after its string had begun."""


class _Hearing(Generic[T]):
    def __init__(self, contract: type[T], spoken: Spoken[T]) -> None:
        self._contract, self._spoken = contract, spoken
        self._string = StringField(spoken.field)
        self._before: T | None = None
        self._taken = False
        self._passed_over = False
        self._come = False

    @property
    def so_far(self) -> T | None:
        """The answer as far as it has come; None before its string has begun."""
        said = {self._spoken.field: self._string.value}
        return self._before.model_copy(update=said) if self._before else None

    async def completed(self, model: ChatModel, request: ModelRequest) -> Completion:
        """Return the completion; where nothing was kept of it, it is for `ask` to check.

        Raises:
            ModelError: when there is none.
        """
        try:
            completion = await self._streamed(model, request)
        except ModelError as error:
            if self._is_kept(error.message):
                raise _BrokenOffError(error.message) from error
            # A stream is not asked for again by others once it has begun.
            if not (self._come and error.retryable):
                raise
            return await model.complete(request)
        if self._taken:
            await self._end(completion)
        return completion

    async def _streamed(self, model: ChatModel, request: ModelRequest) -> Completion:
        async with released(model.stream(request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Completion):
                    return piece
                self._come = True
                await self._take(piece)
        return await model.complete(request)

    async def _end(self, completion: Completion) -> None:
        try:
            parse(completion.text, completion.finish, self._contract)
        except ContractError as error:
            if self._is_kept(error.message):
                raise _BrokenOffError(error.message) from error
        else:
            await self._spoken.ends()

    def _is_kept(self, error: str) -> bool:
        """Return whether something was taken that is not taken back."""
        return self._taken and self._spoken.breaks_off(error)

    async def _take(self, piece: str) -> None:
        text = self._string.feed(piece)
        if self._before is None and self._string.before is not None and not self._passed_over:
            self._begin(self._string.before)
        if self._taken and text:
            await self._spoken.take(text)

    def _begin(self, before: dict[str, JsonValue]) -> None:
        try:
            self._before = fit(before, self._contract)
        except ContractError:  # what is missing may follow: the whole is checked at the end
            self._passed_over = True
        else:
            self._taken = self._spoken.begins(self._before)


class StringField:
    """The string ``name`` at the top level of an object, as far as it has come."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._raw = ""
        self._at = 0
        self._start = 0
        self._depth = 0
        self._key, self._key_start = "", 0
        self._is_value = False
        self._inside = False
        self._over = False
        self.before: dict[str, JsonValue] | None = None
        """The fields before it; None as long as it has not begun."""
        self.value = ""
        """As much of it as is there."""

    def feed(self, piece: str) -> str:
        """Take the next ``piece`` of the object and return what it adds to the string.

        Nothing where the text does not begin with an object, or what precedes the string is none.
        """
        if self._over:
            return ""
        self._raw += piece
        if self._at == 0 and not self._begun():
            return ""
        if not self._inside:
            self._seek()
        return self._decoded() if self._inside else ""

    def _begun(self) -> bool:
        begin = _BEGIN.match(self._raw)
        if begin is None:
            self._over = _MAY_BEGIN.fullmatch(self._raw) is None
            return False
        self._start = self._at = begin.end()
        return True

    def _seek(self) -> None:
        """Go on to where the string begins, as far as whole marks and strings are there."""
        while not self._inside and not self._over and (mark := _MARK.search(self._raw, self._at)):
            sign = mark[0]
            if sign[0] == '"' and self._is_at_value():
                self._enter(self._key_start, mark.start() + 1)
            elif sign == '"':
                return  # its end is still to come
            else:
                self._at = mark.end()
                self._pass(sign, mark.start())

    def _is_at_value(self) -> bool:
        """Return whether the next string is the one that is looked for."""
        return self._is_value and self._depth == 1 and self._key == self._name

    def _pass(self, sign: str, start: int) -> None:
        if sign in "{[":
            self._depth += 1
            self._is_value = False
        elif sign in "}]":
            self._depth -= 1
            self._over = self._depth <= 0
        elif self._depth == 1:
            self._is_value = sign == ":"
            if sign[0] == '"':
                self._key, self._key_start = sign[1:-1], start

    def _enter(self, key_start: int, at: int) -> None:
        head = self._raw[self._start : key_start].rstrip().rstrip(",")
        try:
            self.before = cast("dict[str, JsonValue]", json.loads(f"{head}}}"))
        except ValueError:
            self._over = True
        else:
            self._inside, self._at = True, at

    def _decoded(self) -> str:
        whole = _CHARACTERS.match(self._raw, self._at)
        text = whole[0] if whole else ""
        end = self._at + len(text)
        ended = self._raw.startswith('"', end)
        if not ended:
            text = _HALF_PAIR.sub("", text)
            left = len(self._raw) - end
            self._over = left >= _ESCAPE_CHARS  # an escape that JSON does not have
        self._at += len(text)
        self._over |= ended
        added = cast("str", json.loads(f'"{text}"', strict=False))
        self.value += added
        return added
