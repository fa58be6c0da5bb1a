"""A run replayed from its cassette is the run that was recorded, with nothing else at hand."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.contracts.human import CLARIFICATION, REPLIES, TOPICS
from tests.graphs.minds import Mind, thinking
from tests.graphs.misbehaving import OddProvider, OddReader, hang, refuse_search, stumble
from tests.graphs.test_plan import Narrow
from tests.graphs.world import HOP, NOTHING, PLAIN, TIMED, Desk, Shelf, Still, engine, told

from quaere.domain.events import IndexProgress
from quaere.domain.question import Query, SourceKind
from quaere.domain.report import AnswerStatus, RunWarning
from quaere.domain.source import Hit, Page
from quaere.domain.team import Inquiry, Reply
from quaere.errors import (
    CircuitOpen,
    FolderIndexError,
    ModelError,
    ModelRejected,
    ModelTimeout,
    QuaereError,
    ReadError,
    SearchError,
    SearchTimeout,
    SearchUnreachable,
    ServiceAway,
)
from quaere.index.folder_index import FolderProvider
from quaere.models.entailment import ServedEntailment
from quaere.models.meter import Meter
from quaere.ports.read import Body, Reader
from quaere.ports.search import Preparable, SearchProvider, TermStatistics
from quaere.read.chunker import PassageChunker
from quaere.read.extractor import SafeExtractor
from quaere.read.reader import read_file
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.reason.llm.reasoner import ModelReasoner, Models
from quaere.resilience.timing import Clock
from quaere.runtime.engine import Engine, SystemClock
from quaere.store.recording.cassette import (
    Cassette,
    CassetteError,
    Recorder,
    read_cassette,
    write_cassette,
)
from quaere.store.recording.replay import NotRecorded, Replay
from quaere.testing import QueueModel, ScriptedEmbedder, ScriptedModel

pytestmark = pytest.mark.anyio

QUERY = Query(text="flax", focus=("linen",))
RUN = "run-1"


def recorded(asked: Engine) -> tuple[Engine, Recorder]:
    """Return ``asked`` with all of its ports but the clock recorded."""
    recorder = Recorder(Still())
    providers = [recorder.provider(each) for each in asked.providers]
    reader = recorder.reader(asked.reader)
    return replace(asked, providers=providers, reader=reader), recorder


def replayed(cassette: Cassette, like: Engine, *, clock: Clock | None = None) -> Engine:
    """Return an engine that has nothing but ``cassette``."""
    player = Replay(cassette)
    return replace(
        like, providers=player.providers, reader=player.reader, clock=clock or player.clock
    )


async def report_of(asked: Engine, question: str) -> str:
    return (await told(asked, question, run_id=RUN)).report.model_dump_json()


class Counting(Shelf):
    """Prepares, and knows how common words are."""

    async def prepare(self, progress: Callable[[int, int, int], None]) -> Sequence[RunWarning]:
        for done in range(3):
            progress(done, 2, 5 * done)
        return [RunWarning(kind="index", message="one is torn", subject="/torn.pdf")]

    def document_share(self, word: str) -> float:
        return (len(word) % 7) / 70


class Hurt(Shelf):
    """Answers every other query, and fails in ways of its own with the rest."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        hits = await super().search(query, limit=limit)
        match len(self.asked) % 3:
            case 1:
                return hits
            case 2:
                raise SearchTimeout(f"hurt by {query.text}", retry_after=3.5)
            case _:
                raise Rejected("the key is not good")


class Rejected(SearchError):
    retryable = False


class Moved(Desk):
    """Reads under another URL, and not everything."""

    async def read(self, hit: Hit) -> Page:
        page = await super().read(hit)
        if "hask" in hit.url:
            raise ReadError(f"{hit.url} is locked", status="encrypted")
        return page.model_copy(update={"url": f"{hit.url}/moved", "published": "1931"})


@pytest.mark.parametrize("question", [HOP, PLAIN, NOTHING])
@pytest.mark.parametrize(
    "make",
    [
        lambda: engine(clock=Still()),
        lambda: engine(Counting(name="counting"), Shelf(name="plain"), clock=Still()),
        lambda: engine(Hurt(name="hurt"), Shelf(name="whole"), clock=Still()),
        lambda: engine(Shelf(with_text=False), reader=Moved(), clock=Still()),
        lambda: engine(OddProvider(refuse_search), clock=Still()),
        lambda: engine(Shelf(with_text=False), reader=OddReader(hang), clock=Late()),
    ],
    ids=["shelf", "two", "hurt", "reader", "outage", "late"],
)
async def test_a_replayed_run_comes_to_the_same_report_byte_for_byte(
    make: Callable[[], Engine], question: str, tmp_path: Path
) -> None:
    asked, recorder = recorded(make())
    report = await report_of(asked, question)
    write_cassette(tmp_path / "run.cassette.gz", recorder.cassette)
    again = replayed(read_cassette(tmp_path / "run.cassette.gz"), make(), clock=make().clock)
    assert await report_of(again, question) == report


class Late:
    """A clock on which next to nothing is left of a run's time once its first event has a date."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def monotonic(self) -> float:
        return self._seconds

    def now(self) -> datetime:
        self._seconds = 89.95
        return datetime(2031, 5, 4, tzinfo=UTC)


async def test_a_run_over_a_folder_is_replayed_without_the_folder(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "kiln.md").write_text("The kiln at Ferrow was built by Hanne Oort in 1852.\n")
    (docs / "oort.md").write_text("Hanne Oort was born in Lessing, a port on the Vane.\n")
    (docs / "torn.pdf").write_bytes(b"%PDF-1.7 and no more")
    question = "Who built the kiln at Ferrow?"
    with SafeExtractor() as extractor:
        folder = FolderProvider(
            [docs],
            cache=tmp_path / "cache",
            read=read_file,
            extractor=extractor,
            chunk=PassageChunker(),
        )
        recorder = Recorder(Still())
        provider = recorder.provider(folder)
        assert isinstance(provider, TermStatistics)
        asked = engine(provider, reasoner=ExtractiveReasoner(provider), clock=Still())
        report = await report_of(asked, question)
    assert "built by Hanne Oort in 1852 [1]" in report
    assert "torn.pdf" in report
    shutil.rmtree(docs)
    shutil.rmtree(tmp_path / "cache")
    player = Replay(recorder.cassette)
    (again,) = player.providers
    assert isinstance(again, TermStatistics)
    replay = engine(again, reasoner=ExtractiveReasoner(again), reader=player.reader, clock=Still())
    assert await report_of(replay, question) == report


async def test_time_on_a_cassette_is_the_time_of_the_recording() -> None:
    clock = Still(500.0)

    class Slow(Shelf):
        async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
            clock.seconds += 1 / 3
            return await super().search(query, limit=limit)

    recorder = Recorder(clock)
    asked = engine(recorder.provider(Slow()), clock=recorder.clock)
    report = (await told(asked, run_id=RUN)).report
    assert report.seconds > 0.3
    again = (await told(replayed(recorder.cassette, asked), run_id=RUN)).report
    assert again.model_dump(exclude=TIMED) == report.model_dump(exclude=TIMED)
    player = Replay(recorder.cassette)
    assert player.clock.now() == clock.now()
    readings = [player.clock.monotonic() for _ in range(500)]
    assert readings == sorted(readings)
    assert readings[0] == 0.0
    assert readings[-1] == pytest.approx(report.seconds)
    assert (player.clock.now() - clock.now()).total_seconds() == pytest.approx(report.seconds)


async def test_a_run_that_ended_for_lack_of_time_ends_so_again() -> None:
    recorder = Recorder(SystemClock())
    asked = engine(recorder.provider(OddProvider(hang)), clock=recorder.clock)
    first = (await told(asked, max_execution_time_s=0.2)).report
    second = await told(replayed(recorder.cassette, asked), max_execution_time_s=0.2)
    assert second.seconds < 0.15
    assert (first.stop_reason, first.status) == (second.report.stop_reason, second.report.status)
    assert (first.seconds, first.steps) == (second.report.seconds, second.report.steps)


class Told:
    """Answers with what is in ``answers``, one a call."""

    name = "told"
    kinds = frozenset({SourceKind.NEWS, SourceKind.WEB})

    def __init__(self, *answers: Sequence[Hit] | Exception) -> None:
        self._answers = list(answers)

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def hits(*titles: str) -> list[Hit]:
    return [
        Hit(url=f"https://h.test/{title}", title=title, provider="told", rank=rank, score=-rank)
        for rank, title in enumerate(titles)
    ]


async def outcome(call: Awaitable[object]) -> object:
    """Return what ``call`` returns, or all that can be told of what it raises."""
    try:
        return await call
    except QuaereError as error:
        told = {"message", "recalled"}  # the first is compared, and the second tells a replay
        held = {name: value for name, value in vars(error).items() if name not in told}
        return type(error).__name__, error.type, error.message, error.retryable, held


@pytest.mark.parametrize(
    "answer",
    [
        hits("b", "a", "c"),
        [],
        SearchError("HTTP 500"),
        SearchError("HTTP 429", retry_after=12.5),
        SearchTimeout("late"),
        CircuitOpen("it kept failing"),
        SearchUnreachable("connection refused"),
        ServiceAway("it is not there"),
        Rejected("no key"),
        FolderIndexError("damaged"),
        QuaereError("half of a \ud800 character"),
    ],
    ids=repr,
)
async def test_an_answer_or_error_is_replayed_exactly(
    answer: Sequence[Hit] | QuaereError, tmp_path: Path
) -> None:
    recorder = Recorder(Still())
    provider = recorder.provider(Told(answer))
    first = await outcome(provider.search(QUERY, limit=5))
    write_cassette(tmp_path / "a.cassette", recorder.cassette)
    (again,) = Replay(read_cassette(tmp_path / "a.cassette")).providers
    assert (again.name, again.kinds) == (provider.name, provider.kinds) == ("told", Told.kinds)
    second = await outcome(again.search(QUERY, limit=5))
    if isinstance(answer, SearchError) or not isinstance(answer, QuaereError):
        assert second == (tuple(answer) if isinstance(answer, list) else first)
    else:  # the port knows search errors alone; name and message are kept
        with pytest.raises(SearchError) as caught:
            await again.search(QUERY, limit=5)
        assert caught.value.type == answer.type
        assert caught.value.message == answer.message.replace("\ud800", "?")


async def test_search_errors_are_of_their_own_class() -> None:
    recorder = Recorder(Still())
    provider = recorder.provider(Told(SearchTimeout("late"), Rejected("no")))
    await outcome(provider.search(QUERY, limit=1))
    await outcome(provider.search(QUERY, limit=2))
    (again,) = Replay(recorder.cassette).providers
    with pytest.raises(SearchTimeout):
        await again.search(QUERY, limit=1)
    with pytest.raises(SearchError) as caught:
        await again.search(QUERY, limit=2)
    assert caught.value.retryable is False


async def test_what_was_asked_twice_is_answered_in_that_order_and_the_last_answer_stays() -> None:
    recorder = Recorder(Still())
    provider = recorder.provider(Told(SearchError("busy"), hits("a"), hits("b")))
    for _ in range(3):
        await outcome(provider.search(QUERY, limit=5))
    (again,) = Replay(recorder.cassette).providers
    with pytest.raises(SearchError, match="busy"):
        await again.search(QUERY, limit=5)
    titles = [[hit.title for hit in await again.search(QUERY, limit=5)] for _ in range(3)]
    assert titles == [["a"], ["b"], ["b"]]


@pytest.mark.parametrize(
    ("query", "limit"),
    [(Query(text="wool"), 5), (QUERY, 6), (QUERY.model_copy(update={"focus": ()}), 5)],
)
async def test_what_is_not_on_the_cassette_is_named(query: Query, limit: int) -> None:
    recorder = Recorder(Still())
    await recorder.provider(Told(hits("a"))).search(QUERY, limit=5)
    (again,) = Replay(recorder.cassette).providers
    with pytest.raises(NotRecorded) as caught:
        await again.search(query, limit=limit)
    assert caught.value.message == (
        f"the cassette contains no reply of told to {query.text!r} ({limit} hits)"
    )
    assert not caught.value.retryable


async def test_another_question_ends_in_a_report_that_says_why_there_is_no_answer() -> None:
    asked, recorder = recorded(engine(clock=Still()))
    await told(asked, HOP)
    report = (await told(replayed(recorder.cassette, asked), PLAIN)).report
    assert report.status is AnswerStatus.NO_EVIDENCE
    assert any("the cassette contains no reply of shelf to" in w.message for w in report.warnings)


async def test_a_page_that_is_not_on_the_cassette_is_named() -> None:
    recorder = Recorder(Still())
    reader = recorder.reader(Desk())
    known, unknown = (await Shelf().search(Query(text="Hask flax"), limit=2))[:2]
    page = await reader.read(known)
    again = Replay(recorder.cassette).reader
    assert await again.read(known) == page
    with pytest.raises(ReadError, match=f"the cassette does not contain {unknown.url}") as caught:
        await again.read(unknown)
    assert caught.value.status == "not_found"


async def test_statistics_that_are_not_on_the_cassette_are_named() -> None:
    recorder = Recorder(Still())
    provider = recorder.provider(Counting(name="counting"))
    assert isinstance(provider, TermStatistics)
    assert provider.document_share("flax") == provider.document_share("flax") == 4 / 70
    (again,) = Replay(recorder.cassette).providers
    assert isinstance(again, TermStatistics)
    assert again.document_share("flax") == 4 / 70
    with pytest.raises(CassetteError, match="how common 'wool' is in counting"):
        again.document_share("wool")


@pytest.mark.parametrize("make", [Shelf, Counting])
async def test_nobody_claims_more_than_the_recorded_provider(make: Callable[[], Shelf]) -> None:
    inner = make()
    recorder = Recorder(Still())
    wrapped: SearchProvider = recorder.provider(inner)
    again: SearchProvider
    (again,) = Replay(recorder.cassette).providers
    for port in (Preparable, TermStatistics):
        assert isinstance(inner, port) == isinstance(wrapped, port) == isinstance(again, port)


async def test_getting_ready_is_replayed() -> None:
    asked, recorder = recorded(engine(Counting(name="counting"), clock=Still()))
    first = await told(asked)
    second = await told(replayed(recorder.cassette, asked))
    assert first.of(IndexProgress)[-1].passages == 10
    (progress,) = second.of(IndexProgress)
    assert (progress.done, progress.total, progress.passages) == (2, 2, 10)
    assert second.report.warnings == first.report.warnings


class Unready(Shelf):
    """Meets ``fault`` while it gets ready."""

    def __init__(self, fault: Callable[[], Awaitable[object]]) -> None:
        super().__init__()
        self._fault = fault

    async def prepare(self, progress: Callable[[int, int, int], None]) -> Sequence[RunWarning]:
        progress(1, 2, 3)
        await self._fault()
        return []


async def test_a_provider_that_was_not_ready_in_time_is_not_ready_again() -> None:
    asked, recorder = recorded(engine(Unready(hang), clock=Still()))
    first = await told(asked, max_execution_time_s=0.3, run_id=RUN)
    again = replayed(recorder.cassette, asked, clock=Still())
    second = await told(again, max_execution_time_s=0.3, run_id=RUN)
    assert "was not finished" in first.report.warnings[0].message
    assert second.report == first.report


async def test_an_index_that_could_not_be_built_ends_the_run_again() -> None:
    async def break_down() -> object:
        raise FolderIndexError("the disk is full")

    asked, recorder = recorded(engine(Unready(break_down), clock=Still()))
    first = await told(asked)
    second = await told(replayed(recorder.cassette, asked))
    assert isinstance(second.error, FolderIndexError)
    assert str(first.error) == str(second.error)


@pytest.mark.parametrize("fault", [hang, stumble])
async def test_what_never_answered_is_an_error_and_never_an_empty_answer(
    fault: Callable[[], Awaitable[object]],
) -> None:
    recorder = Recorder(Still())
    provider = recorder.provider(OddProvider(fault))
    with pytest.raises((TimeoutError, KeyError)):
        await asyncio.wait_for(provider.search(QUERY, limit=5), 0.01)
    (again,) = Replay(recorder.cassette).providers
    with pytest.raises(SearchTimeout, match="odd did not answer while it was recorded"):
        await again.search(QUERY, limit=5)


async def test_a_reading_that_never_ended_is_a_timeout() -> None:
    recorder = Recorder(Still())
    reader: Reader = recorder.reader(OddReader(hang))
    (hit,) = hits("a")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(reader.read(hit), 0.01)
    with pytest.raises(ReadError, match="the run ran out of time") as caught:
        await Replay(recorder.cassette).reader.read(hit)
    assert caught.value.status == "timeout"


def test_a_body_is_not_part_of_a_cassette() -> None:
    """Only text is kept: what a parser makes of the bytes is what the run has seen."""
    assert not any(Body.__name__ in str(field) for field in Cassette.__annotations__.values())


@pytest.mark.parametrize("shelf", [Shelf, Narrow], ids=["at once", "names followed"])
async def test_a_run_with_a_model_is_played_without_it(shelf: Callable[[], Shelf]) -> None:
    model = ScriptedModel(Mind())
    recorder = Recorder(SystemClock())
    made = thinking(model, recorder.provider(shelf()), write=ScriptedModel(Mind(), name="test:w"))
    assert isinstance(made.reasoner, ModelReasoner)
    recorded = replace(
        made,
        reasoner=made.reasoner.wrapped(recorder.model),
        marks=recorder.marks,
        clock=recorder.clock,
    )
    first = (await told(recorded, HOP)).report
    player = Replay(recorder.cassette)
    played = replace(
        made,
        providers=player.providers,
        reasoner=ModelReasoner(Models(*player.models[:4], fallbacks=player.models[4:])),
        marks=player.marks,
        clock=player.clock,
    )
    called = len(model.requests)
    again = (await told(played, HOP)).report
    assert len(model.requests) == called > 0
    assert (again.answer, again.degradations) == (first.answer, ())
    assert [call.usage for call in again.calls] == [call.usage for call in first.calls]
    other = (await told(played, "Where was the founder of the Larkspur Society born?")).report
    assert any("the cassette contains no reply" in d.reason for d in other.degradations)


async def test_an_embedder_is_replayed_with_the_rest(tmp_path: Path) -> None:
    recorder = Recorder(Still())
    embedder = ScriptedEmbedder(lambda _, b: float(b == "brine"))
    pairs = [("salt", "brine"), ("salt", "moth")]
    assert list(await recorder.embedder(embedder).similarities(pairs)) == [1.0, 0.0]
    failing = ScriptedEmbedder(lambda _a, _b: 0.0, error=ModelTimeout("too slow"))
    with pytest.raises(ModelTimeout):
        await recorder.embedder(failing).similarities([("a", "b")])
    write_cassette(tmp_path / "run.cassette", recorder.cassette)
    player = Replay(read_cassette(tmp_path / "run.cassette")).embedder
    assert player
    assert player.name == embedder.name
    assert list(await player.similarities(pairs)) == [1.0, 0.0]
    with pytest.raises(ModelTimeout, match="too slow"):
        await player.similarities([("a", "b")])
    with pytest.raises(ModelRejected, match="does not contain"):
        await player.similarities([("c", "d")])
    assert Replay(Recorder(Still()).cassette).embedder is None


async def test_an_entailment_model_is_replayed_with_its_calls(tmp_path: Path) -> None:
    recorder = Recorder(Still())
    pairs = [("The dam is old.", "The dam is old."), ("The dam is old.", "It is new.")]
    served = ServedEntailment(QueueModel("yes", "perhaps", name="test:judge"))
    first = Meter()
    first.open(100_000, None)
    told = await recorder.entailment(served).entail(pairs, first, within_s=60.0)
    assert sum(each is None for each in told.each) == 1
    assert told.fault == "it answered neither yes nor no"
    write_cassette(tmp_path / "run.cassette", recorder.cassette)
    player = Replay(read_cassette(tmp_path / "run.cassette")).entailment
    assert player is not None
    assert player.name == "test:judge"
    await player.warm()
    again = Meter()
    again.open(100_000, None)
    assert await player.entail(pairs, again, within_s=60.0) == told
    calls = first.drain()
    assert len(calls) == 2
    assert again.drain() == calls
    with pytest.raises(ModelRejected, match="does not contain what test:judge says"):
        await player.entail([("a", "b")], again, within_s=60.0)
    assert Replay(Recorder(Still()).cassette).entailment is None


async def test_an_embedder_that_never_answered_is_told_so_again() -> None:
    class Hanging(ScriptedEmbedder):
        async def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
            await asyncio.sleep(600)
            return await super().similarities(pairs)

    recorder = Recorder(Still())
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await recorder.embedder(Hanging(lambda _a, _b: 0.0)).similarities([("a", "b")])
    player = Replay(recorder.cassette).embedder
    assert player
    with pytest.raises(ModelTimeout, match="while it was recorded"):
        await player.similarities([("a", "b")])


async def test_what_a_person_replied_is_replayed(tmp_path: Path) -> None:
    class Person:
        async def ask(self, inquiry: Inquiry) -> Reply:
            return REPLIES[inquiry.kind]

    recorder = Recorder(Still())
    assert Replay(recorder.cassette).human is None
    await recorder.human(Person()).ask(TOPICS)
    write_cassette(tmp_path / "run.cassette", recorder.cassette)
    human = Replay(read_cassette(tmp_path / "run.cassette")).human
    assert human
    assert await human.ask(TOPICS) == REPLIES[TOPICS.kind]
    with pytest.raises(CassetteError, match="no reply to this inquiry"):
        await human.ask(CLARIFICATION)


async def test_models_to_fall_back_on_are_replayed_with_the_rest() -> None:
    down = QueueModel(*(ModelError("down") for _ in range(9)), name="test:down")
    spare = ScriptedModel(Mind(), name="test:spare")
    made = replace(
        thinking(down), reasoner=ModelReasoner(Models(down, down, down, down, fallbacks=(spare,)))
    )
    recorder = Recorder(SystemClock())
    assert isinstance(made.reasoner, ModelReasoner)
    first = await told(
        replace(
            made,
            providers=[recorder.provider(each) for each in made.providers],
            reasoner=made.reasoner.wrapped(recorder.model),
            marks=recorder.marks,
            clock=recorder.clock,
        )
    )
    assert not first.report.degradations
    player = Replay(recorder.cassette)
    models = Models(*player.models[:4], fallbacks=player.models[4:])
    again = await told(
        replace(
            made,
            providers=player.providers,
            reasoner=ModelReasoner(models),
            marks=player.marks,
            clock=player.clock,
        )
    )
    assert again.report.answer == first.report.answer
    assert [(call.model, call.usage, call.error) for call in again.report.calls] == [
        (call.model, call.usage, call.error) for call in first.report.calls
    ]
