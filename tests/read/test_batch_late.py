"""Pages that take far longer than the others of their run."""

from __future__ import annotations

import asyncio
import gc
import math
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from tests.look_alikes.server import Asked, LookAlikeServer, Reply

from quaere.domain.events import SourceRead
from quaere.domain.question import Query, SourceKind
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.forwarding import ForwardingReader
from quaere.ports.read import Reader
from quaere.read import batch
from quaere.read.batch import LATE, LEAST_PAGES, LEAST_S, PunctualReader, late_after_s
from quaere.runtime.app import App
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.runtime.wiring import assemble, settle
from quaere.store.recording.entries import Answer, AnyAnswer, Recorded
from quaere.store.recording.recording import Recording, T

pytestmark = pytest.mark.anyio

seconds = st.floats(0.0, 30.0)


@given(st.lists(seconds, max_size=20), st.integers(0, 20))
def test_a_page_is_late_only_where_most_others_have_come(took: list[float], open_: int) -> None:
    after = late_after_s(took, len(took) + open_)
    if len(took) < LEAST_PAGES or len(took) < 2 * open_:
        assert after == math.inf
    else:
        assert LEAST_S <= after < math.inf
        assert sum(each <= after for each in took) >= len(took) / 2


@given(st.lists(seconds, min_size=LEAST_PAGES, max_size=20), st.floats(1.0, 5.0))
def test_where_all_are_slow_all_have_more_time(took: list[float], times: float) -> None:
    slower = [each * times for each in took]
    assert late_after_s(slower, len(slower)) >= late_after_s(took, len(took))


def hit(name: str) -> Hit:
    return Hit(url=f"https://towns.example/{name}", title=name, provider="p", rank=0)


QUICK = [hit(name) for name in "abcd"]
MORE = [hit(name) for name in "efgh"]
GONE = "it is gone"


class Gated:
    """Reads all pages at once but those called slow, which come when the gate opens."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.asked: list[str] = []
        self.left: list[str] = []

    async def read(self, hit: Hit) -> Page:
        self.asked.append(hit.title)
        try:
            if "slow" in hit.title:
                await self.gate.wait()
        except asyncio.CancelledError:
            self.left.append(hit.title)
            raise
        if "gone" in hit.title:
            raise ReadError(GONE, status=ReadStatus.NOT_FOUND)
        return Page(url=hit.url, title=hit.title, text="text")


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "LEAST_S", 0.05)
    monkeypatch.setattr(batch, "LOOK_S", 0.01)


async def outcome(reader: Reader, hit: Hit) -> str:
    try:
        return (await reader.read(hit)).title
    except ReadError as error:
        return error.message


@pytest.mark.usefixtures("hasty")
async def test_a_late_page_is_read_on_and_given_to_who_asks_again() -> None:
    gated = Gated()
    async with aclosing(PunctualReader(gated)) as reader:
        told = await asyncio.gather(*(outcome(reader, each) for each in [hit("slow"), *QUICK]))
        assert told == [LATE, *"abcd"]
        assert await outcome(reader, hit("slow")) == LATE
        gated.gate.set()
        assert await outcome(reader, hit("slow")) == "slow"
    assert gated.asked.count("slow") == 1
    assert gated.left == []


@pytest.mark.usefixtures("hasty")
async def test_a_late_page_that_fails_says_why_when_it_is_asked_for_again() -> None:
    gated = Gated()
    async with aclosing(PunctualReader(gated)) as reader:
        await asyncio.gather(*(outcome(reader, each) for each in [hit("slow gone"), *QUICK]))
        gated.gate.set()
        assert await outcome(reader, hit("slow gone")) == GONE


@pytest.mark.usefixtures("hasty")
async def test_a_late_page_that_fails_unasked_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[dict[str, object]] = []
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "call_exception_handler", told.append)
    gated = Gated()
    async with aclosing(PunctualReader(gated)) as reader:
        await asyncio.gather(*(outcome(reader, each) for each in [hit("slow gone"), *QUICK]))
        gated.gate.set()
        await asyncio.sleep(0.02)
    del reader
    gc.collect()
    assert told == []


@pytest.mark.usefixtures("hasty")
async def test_pages_that_failed_are_not_waited_for() -> None:
    gated = Gated()
    hits = [hit("slow"), *QUICK, *(hit(f"gone {number}") for number in range(4))]
    async with aclosing(PunctualReader(gated)) as reader, asyncio.timeout(5):
        told = await asyncio.gather(*(outcome(reader, each) for each in hits))
    assert told == [LATE, *"abcd", *[GONE] * 4]


@pytest.mark.usefixtures("hasty")
async def test_one_late_reading_of_a_page_goes_on_however_often_and_as_what_it_was_asked() -> None:
    gated = Gated()
    twice = [hit("slow"), hit("slow").model_copy(update={"url": f"{hit('slow').url}/"})]
    async with aclosing(PunctualReader(gated)) as reader:
        told = await asyncio.gather(*(outcome(reader, each) for each in [*twice, *QUICK, *MORE]))
        assert told[:2] == [LATE, LATE]
        await asyncio.sleep(0.02)
        assert gated.left == ["slow"]
        gated.gate.set()
        assert await outcome(reader, twice[1]) == "slow"
    assert gated.asked.count("slow") == 2


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("quick", [QUICK[:3], [*QUICK[:3], hit("gone")]])
async def test_few_pages_are_waited_for(quick: Sequence[Hit]) -> None:
    gated = Gated()
    async with aclosing(PunctualReader(gated)) as reader:
        told = asyncio.gather(*(outcome(reader, each) for each in [hit("slow"), *quick]))
        await asyncio.sleep(0.2)
        gated.gate.set()
        assert (await told)[0] == "slow"


@pytest.mark.usefixtures("hasty")
async def test_nothing_is_read_on_after_the_run() -> None:
    gated = Gated()
    reader = PunctualReader(gated)
    await asyncio.gather(*(outcome(reader, each) for each in [hit("slow"), *QUICK]))
    waiting = asyncio.create_task(reader.read(hit("slower")))
    await asyncio.sleep(0.02)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert gated.left == ["slower"]
    await reader.aclose()
    assert gated.left == ["slower", "slow"]


class Noting(Recording):
    """Keeps what is answered."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[Recorded] = []

    async def record(self, answer: Answer[T]) -> None:
        self.kept.append(Recorded(at=0.0, answer=cast("AnyAnswer", answer)))


@pytest.mark.usefixtures("hasty")
async def test_a_run_that_is_made_again_meets_the_same_late_pages() -> None:
    gated, noting = Gated(), Noting()
    async with aclosing(PunctualReader(gated)) as punctual:
        reader = noting.reader(punctual)
        told = await asyncio.gather(*(outcome(reader, each) for each in [hit("slow"), *QUICK]))
        gated.gate.set()
        told.append(await outcome(reader, hit("slow")))
    again = Recording(noting.kept).reader(punctual)
    assert [await outcome(again, each) for each in [hit("slow"), *QUICK, hit("slow")]] == told
    assert len(gated.asked) == 5


@pytest.mark.usefixtures("hasty")
async def test_pages_of_the_cache_make_no_other_late(tmp_path: Path) -> None:
    resources, gated = Resources(Settings(cache_dir=tmp_path)), Gated()
    request = RunRequest.of(question="Over what?", providers=["wikipedia"])
    spec = settle(resources, RunSpec(request=request))

    def reader_of_a_run() -> Reader:
        cached = assemble(resources, spec).reader
        assert isinstance(cached, ForwardingReader)
        assert isinstance(cached.inner, PunctualReader)
        cached.inner.inner = gated
        return cached

    await asyncio.gather(*map(reader_of_a_run().read, [*QUICK, *MORE]))
    again = reader_of_a_run()
    hits = [hit("slow"), *QUICK, *MORE]
    told = asyncio.gather(*(outcome(again, each) for each in hits))
    await asyncio.sleep(0.2)
    gated.gate.set()
    assert await told == [each.title for each in hits]
    assert gated.asked.count("a") == 1
    await resources.aclose()


MILLS = ("Orrin", "Tessel", "Wexford", "Halden", "Mirefall", "Brackwater")


class Mills(LookAlikeServer):
    """Has a page on each mill; that of Brackwater never comes."""

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if request.path.endswith(MILLS[-1]):
            await asyncio.sleep(600)
        return await super()._handle(request)


def page_of(asked: Asked) -> Reply:
    name = asked.path.rpartition("/")[2]
    text = f"<p>The mill at {name} was built by Tamsin Wray of {name} in 1788.</p>"
    return Reply(
        f"<html><title>{name}</title><article>{text}</article></html>".encode(), "text/html"
    )


class Web:
    """Finds all mills."""

    name, kinds = "mills", frozenset({SourceKind.WEB})

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        del query
        return [
            Hit(url=f"{self._base_url}/{name}", title=name, provider=self.name, rank=rank)
            for rank, name in enumerate(MILLS[:limit])
        ]


async def test_a_page_that_hangs_keeps_no_answer_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESEARCH_SOURCE_FETCH_TIMEOUT_SECONDS", "300")
    async with Mills(page_of) as site:
        place = urlsplit(site.base_url)
        settings = Settings(
            cache_dir=tmp_path / "cache",
            data_dir=tmp_path / "data",
            read_hosts=(str(place.hostname),),
            read_ports=(place.port or 80,),
            obey_robots=False,
        )
        async with App.open(settings, providers=[Web(site.base_url)]) as app:
            request = RunRequest.of(question="Who built the mill at Orrin?", providers=["mills"])
            run = await app.start(request)
            read = [each async for each in run.events() if isinstance(each, SourceRead)]
            report = await run.report()
    assert "Tamsin Wray" in report.answer
    reasons = {each.title: each.reason for each in read}
    assert reasons == {**dict.fromkeys(MILLS[:-1], ""), MILLS[-1]: LATE}
