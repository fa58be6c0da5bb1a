"""A recorded port is the port that it records."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import cast

import pytest
from tests.contracts.forwarding import ForwardingModelContract, ForwardingProviderContract
from tests.contracts.search_provider import DOCUMENTS, SearchProviderContract
from tests.graphs.misbehaving import OddProvider, refuse_search
from tests.graphs.world import Desk, Shelf, Still

from quaere.domain.question import Query
from quaere.domain.source import Hit
from quaere.ports.forwarding import ForwardingModel, ForwardingProvider
from quaere.ports.model import ChatModel
from quaere.ports.search import SearchProvider
from quaere.store.recording.cassette import Marks, ProviderEntry, Recorder, Ticks
from quaere.store.recording.entries import FinishRequest, Recorded, Search
from quaere.store.recording.recording import RecordedModel, Recording

pytestmark = pytest.mark.anyio


class Yielding(Shelf):
    """Lets others go on before it answers, as whatever waits for an answer does."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        await asyncio.sleep(0)
        return await super().search(query, limit=limit)


class TestForwardingProvider(ForwardingProviderContract):
    def around(self, inner: SearchProvider) -> ForwardingProvider:
        return cast("ForwardingProvider", Recorder(Still()).provider(inner))


class TestForwardingModel(ForwardingModelContract):
    def around(self, inner: ChatModel) -> ForwardingModel:
        return RecordedModel(inner, Recorder(Still()))


class TestRecordedProvider(SearchProviderContract):
    @pytest.fixture
    async def provider(self) -> SearchProvider:
        return Recorder(Still()).provider(Yielding(DOCUMENTS))

    @pytest.fixture
    async def unavailable(self) -> SearchProvider:
        return Recorder(Still()).provider(OddProvider(refuse_search))


async def test_answers_stand_in_the_order_in_which_they_came() -> None:
    recorder = Recorder(Still())
    provider = recorder.provider(Shelf())
    for text in ("flax", "wool"):
        await provider.search(Query(text=text), limit=3)
    who, marks, ticks, *_ = recorder.cassette.entries
    assert isinstance(who, ProviderEntry)
    assert (marks, ticks) == (Marks(word=recorder.marks), Ticks(seconds=()))
    searches = recorder.cassette.answers(Search)
    assert [search.query.text for search in searches] == ["flax", "wool"]


def test_time_counts_from_the_first_look_at_the_clock() -> None:
    inner = Still(100.0)
    recorder = Recorder(inner)
    inner.seconds = 200.0  # what goes before the run is not its time
    readings = [recorder.clock.monotonic()]
    inner.seconds = 201.5
    readings.append(recorder.clock.monotonic())
    assert readings == [0.0, 1.5]
    assert recorder.cassette.of(Ticks) == [Ticks(seconds=(0.0, 1.5))]
    assert recorder.clock.now() == inner.now() == recorder.cassette.recorded


async def test_recording_changes_nothing_of_an_answer() -> None:
    shelf, query = Shelf(), Query(text="flax in the Maren valley")
    recorder = Recorder(Still())
    hits = await shelf.search(query, limit=4)
    assert list(await recorder.provider(shelf).search(query, limit=4)) == list(hits)
    assert await recorder.reader(Desk()).read(hits[0]) == await Desk().read(hits[0])


async def test_many_answers_at_once_are_all_recorded() -> None:
    recorder = Recorder(Still())
    provider = recorder.provider(Yielding())
    queries = [Query(text=f"flax {n}") for n in range(40)]
    await asyncio.gather(*(provider.search(query, limit=2) for query in queries))
    taken = [search.query for search in recorder.cassette.answers(Search)]
    assert sorted(taken, key=str) == sorted(queries, key=str)


async def test_a_run_that_was_told_to_finish_finishes_once_it_has_all_it_had_by_then() -> None:
    query = Query(text="flax")
    search = Search.of("shelf", query, 3)
    recording = Recording(
        [
            Recorded(at=1.0, answer=search.with_outcome(())),
            Recorded(at=2.0, answer=FinishRequest(result=True)),
        ]
    )
    assert await recording.answer(search, _refused) == ()
    beyond = asyncio.create_task(recording.go_beyond())
    await asyncio.sleep(0)
    assert recording.finishing.is_set(), "no call of then is left that could be waited for"
    await beyond


async def _refused() -> tuple[Hit, ...]:
    raise AssertionError("it is recorded")
