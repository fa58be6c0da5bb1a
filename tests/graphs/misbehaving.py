"""Providers, readers and reasoners that do what they must not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from typing import cast

from quaere.domain.question import Query, SourceKind
from quaere.domain.report import Sentence
from quaere.domain.source import Hit, Page
from quaere.domain.verdict import Opening, Reflection
from quaere.errors import ContractError, ReadError, ReasonError, SearchError
from quaere.ports.reason import Assignment, FirstLook, Review
from quaere.reason.extractive.reasoner import ExtractiveReasoner

Fault = Callable[[], Awaitable[object]]


async def refuse_search() -> object:
    raise SearchError("503 from the shelf")


async def refuse_read() -> object:
    raise ReadError("torn in two", status="torn")


async def refuse_reason() -> object:
    raise ReasonError("no tokens left at the vendor")


async def break_contract() -> object:
    raise ContractError("a plan without a checklist")


async def stumble() -> object:
    raise KeyError("not a key")


async def give_up() -> object:
    """Cancel itself, which nobody asked for."""
    raise asyncio.CancelledError


async def hang() -> object:
    await asyncio.Event().wait()
    raise AssertionError


async def dawdle() -> object:
    """Answer long after any deadline of these tests."""
    await asyncio.sleep(30)
    return ()


async def give_nothing() -> object:
    return None


async def give_text() -> object:
    return "here you are"


async def give_words() -> object:
    return ["not", "hits"]


class Deaf:
    """A fault that ignores being cancelled until the test is over."""

    def __init__(self) -> None:
        self._released = asyncio.Event()
        self._left: list[asyncio.Task[object]] = []

    async def __call__(self) -> object:
        task = asyncio.current_task()
        assert task
        self._left.append(task)
        while not self._released.is_set():
            try:
                await self._released.wait()
            except asyncio.CancelledError:
                continue
        return None

    async def release(self) -> None:
        """Let go of all that are still waiting."""
        self._released.set()
        if self._left:
            await asyncio.wait(self._left)


@asynccontextmanager
async def deafness() -> AsyncGenerator[Deaf]:
    """Yield a deaf fault, and let it go afterwards."""
    deaf = Deaf()
    try:
        yield deaf
    finally:
        await deaf.release()


class OddProvider:
    """A search provider whose every search meets ``fault``."""

    kinds = frozenset({SourceKind.WEB})

    def __init__(self, fault: Fault, name: str = "odd") -> None:
        self.name, self._fault = name, fault

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Do what must not be done."""
        return cast("Sequence[Hit]", await self._fault())


class OddReader:
    """A reader whose every reading meets ``fault``."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    async def read(self, hit: Hit) -> Page:
        """Do what must not be done."""
        return cast("Page", await self._fault())


class OddReasoner(ExtractiveReasoner):
    """The extractive reasoner with ``fault`` in some of its steps."""

    name = "odd"

    def __init__(self, steps: Collection[str], fault: Fault) -> None:
        super().__init__()
        self._steps, self._fault = steps, fault

    async def plan(self, look: FirstLook) -> Opening:
        """Plan, or not."""
        if "plan" in self._steps:
            return cast("Opening", await self._fault())
        return await super().plan(look)

    async def evaluate(self, review: Review) -> Reflection:
        """Evaluate, or not."""
        if "evaluate" in self._steps:
            return cast("Reflection", await self._fault())
        return await super().evaluate(review)

    async def synthesize(self, assignment: Assignment) -> AsyncIterator[Sentence]:
        """Write, or not."""
        if "synthesize" in self._steps:
            yield cast("Sentence", await self._fault())
        async for sentence in super().synthesize(assignment):
            yield sentence
