"""A policy that changes nothing passes everything on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest

from quaere.domain.model import Completion, Message, ModelRequest, Role, Traits
from quaere.domain.question import Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.scope import Bound
from quaere.domain.source import Hit, Page
from quaere.ports.forwarding import (
    ForwardingEmbedder,
    ForwardingModel,
    ForwardingProvider,
    ForwardingReader,
)
from quaere.ports.search import Narrowing, Preparable, Progress, TermStatistics

pytestmark = pytest.mark.anyio

HIT = Hit(url="https://a.test/1", title="Mill", provider="shelf", rank=0)
PAGE = Page(url="https://a.test/1", title="Mill", text="The mill.")
WARNING = RunWarning(kind="index", message="one file is torn")
REQUEST = ModelRequest(
    step="plan", messages=(Message(role=Role.USER, content="Who?"),), max_output_tokens=10
)


class Plain:
    name = "shelf"
    kinds = frozenset({SourceKind.FOLDER})

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.asked.append((query.text, limit))
        return [HIT]


class Able(Plain):
    narrows = frozenset({Bound.DATES})

    async def prepare(self, progress: Progress) -> Sequence[RunWarning]:
        progress(1, 2, 3)
        return [WARNING]

    def document_share(self, word: str) -> float:
        return 0.25 if word == "mill" else 0.0


class Books:
    async def read(self, hit: Hit) -> Page:
        assert hit is HIT
        return PAGE


class Model:
    name = "tower:keeper"
    context_tokens = 8_000
    thinking_tokens = 500
    traits = Traits(small=True)

    async def complete(self, request: ModelRequest) -> Completion:
        return Completion(text=request.step)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        yield request.step


class Near:
    name = "near"

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        return [0.5] * len(pairs)


async def test_a_search_is_passed_on() -> None:
    inner = Plain()
    outer = ForwardingProvider(inner)
    assert (outer.name, outer.kinds) == (inner.name, inner.kinds)
    assert await outer.search(Query(text="mill"), limit=3) == [HIT]
    assert inner.asked == [("mill", 3)]


async def test_nothing_is_claimed_that_the_provider_cannot_do() -> None:
    plain = ForwardingProvider(Plain())
    assert not isinstance(plain, Preparable)
    assert not isinstance(plain, TermStatistics)
    assert not isinstance(plain, Narrowing)


async def test_all_that_the_provider_can_do_is_passed_on() -> None:
    able = ForwardingProvider(ForwardingProvider(Able()))
    assert isinstance(able, Preparable)
    assert isinstance(able, TermStatistics)
    assert isinstance(able, Narrowing)
    told: list[tuple[int, int, int]] = []

    def progress(done: int, total: int, passages: int) -> None:
        told.append((done, total, passages))

    assert await able.prepare(progress) == [WARNING]
    assert told == [(1, 2, 3)]
    assert (able.document_share("mill"), able.document_share("dam")) == (0.25, 0.0)
    assert able.narrows == {Bound.DATES}


async def test_a_page_is_passed_on() -> None:
    assert await ForwardingReader(Books()).read(HIT) is PAGE


async def test_a_model_is_passed_on_with_all_that_is_known_of_it() -> None:
    outer = ForwardingModel(ForwardingModel(Model()))
    assert (outer.name, outer.context_tokens) == ("tower:keeper", 8_000)
    assert (outer.thinking_tokens, outer.traits) == (500, Traits(small=True))
    assert (await outer.complete(REQUEST)).text == "plan"
    assert [piece async for piece in outer.stream(REQUEST)] == ["plan"]


async def test_an_embedder_is_passed_on() -> None:
    outer = ForwardingEmbedder(Near())
    assert outer.name == "near"
    assert await outer.similarities([("a", "b"), ("c", "d")]) == [0.5, 0.5]
