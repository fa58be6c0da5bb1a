"""What every policy around a port does: what it does not change comes through.

Subclass one of these for each policy, with the policy put around whatever it is given.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import cast

import pytest
from tests.resilience.models import ANSWER, REQUEST, ToldModel, heard, whole

from quaere.domain.model import Traits
from quaere.domain.question import Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit
from quaere.ports.forwarding import ForwardingModel, ForwardingProvider
from quaere.ports.model import ChatModel, Piece, thinking_tokens, traits_of
from quaere.ports.search import Preparable, Progress, SearchProvider, TermStatistics

QUERY = Query(text="lichen")
HIT = Hit(url="https://l.test/", title="Lichen", provider="plain", rank=0, score=1.0)


class Plain:
    """A provider that can do nothing but search."""

    name = "plain"
    kinds = frozenset({SourceKind.NEWS})

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        return (HIT,) if (query.text, limit) == (QUERY.text, 7) else ()


class Prepared(Plain):
    """A provider with an index."""

    async def prepare(self, progress: Progress) -> Sequence[RunWarning]:
        progress(1, 2, 3)
        return (RunWarning(kind="index", message="one file is empty"),)


class Counting(Plain):
    """A provider that knows how common words are."""

    def document_share(self, word: str) -> float:
        return 0.25 if word == "lichen" else 0.0


class Both(Prepared, Counting):
    """A provider that can do all."""


class Thinker(ToldModel):
    """A model that thinks before it writes."""

    thinking_tokens = 800


class Measured(ToldModel):
    """A model that counts how often it is asked for its traits."""

    asked = 0

    @property
    def traits(self) -> Traits:
        """Return them."""
        self.asked += 1
        return Traits(small=True)


class ForwardingProviderContract:
    """The behaviour of every policy around a search provider."""

    pytestmark = pytest.mark.anyio

    def around(self, inner: SearchProvider) -> ForwardingProvider:
        raise NotImplementedError

    async def test_name_kinds_and_hits_come_through(self) -> None:
        provider = self.around(Plain())
        assert (provider.name, provider.kinds) == (Plain.name, Plain.kinds)
        assert tuple(await provider.search(QUERY, limit=7)) == (HIT,)

    @pytest.mark.parametrize("make", [Plain, Prepared, Counting, Both])
    def test_it_can_do_what_the_inner_provider_can_and_claims_no_more(
        self, make: type[Plain]
    ) -> None:
        inner = make()
        provider: object = self.around(self.around(inner))
        for port in (Preparable, TermStatistics):
            assert isinstance(provider, port) == isinstance(inner, port)

    async def test_preparation_and_statistics_come_through(self) -> None:
        provider: object = self.around(Both())
        steps: list[tuple[int, int, int]] = []
        assert isinstance(provider, Preparable)

        def told(done: int, total: int, passages: int) -> None:
            steps.append((done, total, passages))

        warnings = await provider.prepare(told)
        assert [warning.message for warning in warnings] == ["one file is empty"]
        assert steps == [(1, 2, 3)]
        assert isinstance(provider, TermStatistics)
        assert (provider.document_share("lichen"), provider.document_share("moss")) == (0.25, 0)


class ForwardingModelContract:
    """The behaviour of every policy around a model."""

    pytestmark = pytest.mark.anyio

    def around(self, inner: ChatModel) -> ForwardingModel:
        raise NotImplementedError

    async def test_what_a_model_is_and_says_comes_through(self) -> None:
        thinker = Thinker(ANSWER, name="v:m", context_tokens=4_096)
        model = self.around(thinker)
        assert (model.name, model.context_tokens, thinking_tokens(model)) == ("v:m", 4_096, 800)
        assert thinking_tokens(self.around(ToldModel(ANSWER))) == 0
        assert await model.complete(REQUEST) == whole()
        again = self.around(Thinker(ANSWER)).stream(REQUEST)
        pieces: list[Piece] = [piece async for piece in again]
        assert pieces == list(ANSWER)

    def test_traits_are_read_once_through_any_number_of_policies(self) -> None:
        """They are asked for with every sentence; twice in each of four policies is 16 times."""
        inner = Measured(ANSWER)
        model: ChatModel = inner
        for _ in range(4):
            model = self.around(model)
        assert traits_of(model).small
        assert inner.asked == 1

    async def test_a_stream_that_is_left_is_closed(self) -> None:
        inner = ToldModel(ANSWER)
        pieces = cast("AsyncGenerator[Piece]", self.around(inner).stream(REQUEST))
        await heard(pieces, most=1)
        assert inner.closed == 1
