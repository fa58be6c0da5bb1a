"""Fan-out over providers that behave, and over those that do not."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import cast

import pytest

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.errors import FolderIndexError, SearchError
from quaere.ports.search import SearchProvider
from quaere.resilience.provider import Resilience, ResilientProvider
from quaere.search import fanout
from quaere.search.fanout import GRACE_S, Answer, Failure, Outcome, _error, fan_out, summarize

pytestmark = pytest.mark.anyio

LICHEN, MOSS = Query(text="lichen"), Query(text="moss")


def hit(name: str, rank: int = 0) -> Hit:
    return Hit(url=f"https://{name}.test/{rank}", title=name, provider=name, rank=rank)


class Good:
    """Answers at once with as many hits as asked for."""

    def __init__(self, name: str = "good", kinds: Sequence[SourceKind] = (SourceKind.WEB,)) -> None:
        self.name = name
        self.kinds = frozenset(kinds)
        self.asked: list[str] = []

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.asked.append(query.text)
        return [hit(self.name, rank) for rank in range(limit)]


class Empty(Good):
    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        return []


class Generous(Good):
    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        return [hit(self.name, rank) for rank in range(limit * 3)]


class Raising(Good):
    def __init__(self, error: BaseException) -> None:
        super().__init__("raising")
        self.error = error

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        raise self.error


class NotAsync:
    name = "not async"
    kinds = frozenset({SourceKind.WEB})

    def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        raise RuntimeError(query.text)


class Slow(Good):
    """Answers the later queries sooner."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        await asyncio.sleep(0.02 if query is LICHEN else 0.001)
        return [hit(self.name)]


class Hanging(Good):
    cancelled = 0

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled += 1
        raise AssertionError


class Deaf(Good):
    """Goes on when cancelled, until the test lets it go."""

    def __init__(self) -> None:
        super().__init__("deaf")
        self.released = asyncio.Event()

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        while not self.released.is_set():
            try:
                await self.released.wait()
            except asyncio.CancelledError:
                continue
        return []


class Wrong(Good):
    """Returns what no provider may return."""

    def __init__(self, result: object) -> None:
        super().__init__("wrong")
        self.result = result

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        return cast("Sequence[Hit]", self.result)


class Generator:
    name = "generator"
    kinds = frozenset({SourceKind.WEB})

    async def search(self, query: Query, *, limit: int) -> AsyncIterator[Hit]:
        yield hit(self.name)


def good(query: Query, hits: int = 2) -> Answer:
    return Answer(query, "good", tuple(hit("good", rank) for rank in range(hits)))


async def test_r22_every_query_goes_to_every_provider_in_order() -> None:
    outcomes = await fan_out([LICHEN, MOSS], [Good("one"), Good("two")], limit=1, timeout_s=1)
    assert outcomes == tuple(
        Answer(query, name, (hit(name),)) for query in (LICHEN, MOSS) for name in ("one", "two")
    )


async def test_the_order_of_outcomes_is_not_the_order_of_arrival() -> None:
    outcomes = await fan_out([LICHEN, MOSS], [Slow("slow"), Good()], limit=1, timeout_s=1)
    assert [(o.query, o.provider) for o in outcomes] == [
        (LICHEN, "slow"),
        (LICHEN, "good"),
        (MOSS, "slow"),
        (MOSS, "good"),
    ]


async def test_r22_searches_run_concurrently() -> None:
    gate = asyncio.Barrier(4)

    class Meeting(Good):
        async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
            await gate.wait()
            return []

    providers = [Meeting("one"), Meeting("two")]
    outcomes = await fan_out([LICHEN, MOSS], providers, limit=1, timeout_s=30)
    assert all(isinstance(outcome, Answer) for outcome in outcomes)


async def test_kinds_decide_who_is_asked() -> None:
    web, papers = Good("web"), Good("papers", [SourceKind.PUBMED, SourceKind.SCHOLARLY])
    queries = [
        Query(text="anywhere"),
        Query(text="papers", source_kinds=(SourceKind.PUBMED,)),
        Query(text="either", source_kinds=(SourceKind.WEB, SourceKind.SCHOLARLY)),
        Query(text="nobody has it", source_kinds=(SourceKind.STANDARDS,)),
    ]
    await fan_out(queries, [web, papers], limit=1, timeout_s=1)
    assert web.asked == ["anywhere", "either", "nobody has it"]
    assert papers.asked == ["anywhere", "papers", "either", "nobody has it"]


async def test_what_is_in_the_syntax_of_one_service_goes_where_it_is_understood() -> None:
    """R4.2"""
    web, papers = Good("web"), Good("papers", [SourceKind.PUBMED, SourceKind.SCHOLARLY])
    tagged, sited = Query(text="lichen[ti] AND 2020[pdat]"), Query(text="lichen site:moss.test")
    outcomes = await fan_out([tagged, sited, LICHEN], [web, papers], limit=1, timeout_s=1)
    assert [(outcome.query, outcome.provider) for outcome in outcomes] == [
        (tagged, "papers"),
        (sited, "web"),
        (LICHEN, "web"),
        (LICHEN, "papers"),
    ]
    for alone, query in ((web, tagged), (papers, sited)):
        (outcome,) = await fan_out([query], [alone], limit=1, timeout_s=1)
        assert outcome.provider == alone.name, "nobody else could be asked"


async def test_a_site_is_looked_for_by_those_that_search_what_is_asked_for() -> None:
    web, news = Good("web"), Good("news", [SourceKind.NEWS])
    papers = Good("papers", [SourceKind.PUBMED])
    query = Query(text="lichen site:moss.test", source_kinds=(SourceKind.NEWS,))
    outcomes = await fan_out([query], [web, papers, news], limit=1, timeout_s=1)
    assert [outcome.provider for outcome in outcomes] == ["news"]


async def test_nothing_found_is_an_answer_without_hits() -> None:
    assert await fan_out([LICHEN], [Empty()], limit=1, timeout_s=1) == (Answer(LICHEN, "good", ()),)


async def test_more_hits_than_asked_for_are_cut() -> None:
    assert await fan_out([LICHEN], [Generous()], limit=2, timeout_s=1) == (good(LICHEN),)


@pytest.mark.parametrize(("queries", "providers"), [([], [Good()]), ([LICHEN], []), ([], [])])
async def test_nobody_to_ask_or_nothing_to_ask(queries: list[Query], providers: list[Good]) -> None:
    assert await fan_out(queries, providers, limit=1, timeout_s=1) == ()


@pytest.mark.parametrize(
    ("error", "error_type", "retryable"),
    [
        (SearchError("HTTP 429"), "search_error", True),
        (FolderIndexError("no"), "folder_index_error", False),
    ],
)
async def test_typed_errors_become_failures_and_cost_the_others_nothing(
    error: SearchError | FolderIndexError, error_type: str, retryable: bool
) -> None:
    outcomes = await fan_out([LICHEN], [Raising(error), Good()], limit=2, timeout_s=1)
    failure = Failure(LICHEN, "raising", error_type, error.message, retryable)
    assert outcomes == (failure, good(LICHEN))


@pytest.mark.parametrize(
    ("bad", "error_type"),
    [
        (Raising(KeyError("token=s3cret")), "KeyError"),
        (Raising(ExceptionGroup("several", [ValueError("token=s3cret")])), "ExceptionGroup"),
        (cast("SearchProvider", NotAsync()), "RuntimeError"),
        (cast("SearchProvider", Generator()), "TypeError"),
        (Wrong(None), "TypeError"),
        (Wrong("hits"), "TypeError"),
        (Wrong([hit("wrong"), {"url": "https://wrong.test"}]), "TypeError"),
        (Wrong(42), "TypeError"),
    ],
)
async def test_a_bug_becomes_a_failure_with_its_name_and_a_logged_traceback(
    bad: SearchProvider, error_type: str, caplog: pytest.LogCaptureFixture
) -> None:
    failure, answer = await fan_out([LICHEN], [bad, Good()], limit=2, timeout_s=1)
    assert failure == Failure(
        LICHEN, bad.name, error_type, f"{error_type}, a bug in this provider", False
    )
    assert answer == good(LICHEN)
    (record,) = caplog.records
    assert record.exc_info is not None
    assert bad.name in record.getMessage()


async def test_r014_a_timeout_degrades_gracefully() -> None:
    hanging, began = Hanging("hanging"), time.monotonic()
    outcomes = await fan_out([LICHEN], [hanging, Good()], limit=2, timeout_s=0.05)
    assert time.monotonic() - began < 10
    assert outcomes == (
        Failure(LICHEN, "hanging", "search_timeout", "no answer within 0.05 s", True),
        good(LICHEN),
    )
    assert hanging.cancelled == 1


async def test_a_silent_service_does_not_keep_others_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fanout, "SILENT_S", 0.1)
    hanging, began = Hanging("hanging"), time.monotonic()
    failure, answer = await fan_out([LICHEN], [hanging, Good()], limit=2, timeout_s=30)
    assert time.monotonic() - began < 10
    assert (failure, answer) == (
        Failure(LICHEN, "hanging", "search_timeout", fanout.SILENT, True),
        good(LICHEN),
    )
    assert isinstance(failure, Failure)
    assert failure.seconds < 10
    assert hanging.cancelled == 1


PAPERS = Good("papers")
WEB_FOUND = Answer(LICHEN, "web", (hit("web"),), seconds=1.0)
PAPERS_SPOKE = Answer(MOSS, "papers", (hit("papers"),), seconds=3.0)


@pytest.mark.parametrize(
    ("outcomes", "waited_s", "silent"),
    [
        ([WEB_FOUND], 5.1, True),
        ([WEB_FOUND], 4.9, False),
        ([], 60.0, False),
        ([Failure(LICHEN, "web", "search_error", "down", True)], 60.0, False),
        ([replace(WEB_FOUND, hits=())], 60.0, False),
        ([replace(WEB_FOUND, query=MOSS)], 60.0, False),
        ([replace(WEB_FOUND, seconds=4.0)], 11.9, False),
        ([replace(WEB_FOUND, seconds=4.0)], 12.1, True),
        ([WEB_FOUND, PAPERS_SPOKE], 11.9, False),
        ([WEB_FOUND, PAPERS_SPOKE], 12.1, True),
    ],
    ids=[
        "long silent", "not yet", "nobody answered", "the other failed", "nothing found",
        "another query", "all are slow", "slower still", "spoke meanwhile", "spoke long ago",
    ],
)  # fmt: skip
def test_a_service_is_silent_where_others_have_found_something_long_ago(
    outcomes: Sequence[Outcome], waited_s: float, silent: bool
) -> None:
    left = [(LICHEN, PAPERS)]
    assert fanout.are_silent(left, dict(enumerate(outcomes)), waited_s) is silent


def test_a_folder_is_waited_for_whoever_has_answered() -> None:
    folder = Good("folder", (SourceKind.FOLDER,))
    assert not fanout.are_silent([(LICHEN, folder)], {0: WEB_FOUND}, 60.0)


async def test_one_that_there_was_no_time_for_is_said_to_have_had_none() -> None:
    (outcome,) = await fan_out([LICHEN], [Hanging("hanging")], limit=2, timeout_s=-0.001)
    late = "no time was left to wait for an answer"
    assert outcome == Failure(LICHEN, "hanging", "search_timeout", late, True)


async def test_no_time_is_lost_when_all_have_answered() -> None:
    began = time.monotonic()
    await fan_out([LICHEN], [Good(), Raising(SearchError("no"))], limit=1, timeout_s=30)
    assert time.monotonic() - began < 10


async def test_one_that_ignores_its_cancellation_is_left_behind(
    caplog: pytest.LogCaptureFixture,
) -> None:
    deaf, began = Deaf(), time.monotonic()
    outcomes = await fan_out([LICHEN], [deaf, Good()], limit=2, timeout_s=0.05)
    took_s = time.monotonic() - began
    deaf.released.set()
    assert 0.05 + GRACE_S <= took_s < 10
    assert outcomes == (
        Failure(LICHEN, "deaf", "search_timeout", "no answer within 0.05 s", True),
        good(LICHEN),
    )
    assert caplog.messages == ["1 searches go on although they were cancelled"]


async def test_one_that_cancels_itself_fails_alone() -> None:
    outcomes = await fan_out(
        [LICHEN], [Raising(asyncio.CancelledError()), Good()], limit=2, timeout_s=1
    )
    assert outcomes[0] == Failure(
        LICHEN, "raising", "CancelledError", "the provider cancelled itself", True
    )
    assert outcomes[1] == good(LICHEN)


async def test_cancelling_the_whole_cancels_the_parts() -> None:
    hanging = Hanging("hanging")
    whole = asyncio.create_task(fan_out([LICHEN, MOSS], [hanging], limit=1, timeout_s=30))
    await asyncio.sleep(0.01)
    whole.cancel()
    with pytest.raises(asyncio.CancelledError):
        await whole
    assert hanging.cancelled == 2


async def test_an_outage_is_never_an_empty_result_even_behind_all_policies() -> None:
    provider = ResilientProvider(Hanging("hanging"), Resilience(attempt_timeout_s=0.01))
    outcomes = await fan_out([LICHEN, MOSS], [provider], limit=1, timeout_s=0.1)
    assert [type(outcome) for outcome in outcomes] == [Failure, Failure]


@pytest.mark.parametrize(
    ("hits", "answered", "said"),
    [
        (2, True, ("", "")),
        (0, True, ("", "web: down")),
        (0, False, ("web: down", "")),
    ],
)
def test_an_empty_result_beside_an_outage_says_what_was_not_heard(
    hits: int, answered: bool, said: tuple[str, str]
) -> None:
    down = Failure(LICHEN, "web", "search_error", "down", retryable=True)
    results = [*[good(LICHEN, hits)] * answered, down]
    ((outcome,), _) = summarize([LICHEN], results, known=(), iteration=0)
    assert (outcome.error, outcome.unheard) == said
    assert outcome.failed is (hits == 0)


@pytest.mark.parametrize("make", [Good, Empty, Generous])
async def test_same_input_same_outcome(make: Callable[[], Good]) -> None:
    first = await fan_out([LICHEN, MOSS], [make(), Good("b")], limit=3, timeout_s=1)
    assert first == await fan_out([LICHEN, MOSS], [make(), Good("b")], limit=3, timeout_s=1)


async def test_every_outcome_is_told_as_soon_as_it_is_there_r3_10() -> None:
    told: list[tuple[str, str]] = []

    def tell(outcome: Outcome) -> None:
        told.append((outcome.query.text, type(outcome).__name__))

    providers = [Slow(), Raising(SearchError("down"))]
    await fan_out([LICHEN, MOSS], providers, limit=3, timeout_s=5, on_outcome=tell)
    answers = [text for text, kind in told if kind == "Answer"]
    assert answers == ["moss", "lichen"], "the later query was answered sooner"
    assert sorted(told[:2]) == [("lichen", "Failure"), ("moss", "Failure")]


async def test_where_no_time_is_left_every_search_fails_and_none_is_a_fault() -> None:
    (outcome,) = await fan_out([LICHEN], [Hanging("hanging")], limit=3, timeout_s=-0.001)
    assert isinstance(outcome, Failure)
    assert outcome.seconds == 0


async def test_why_several_services_failed_is_told_in_one_sentence() -> None:
    down = [Raising(SearchError("raising is down.")), Raising(SearchError("raising is late."))]
    results = await fan_out([LICHEN], down, limit=2, timeout_s=1)
    assert _error(results) == "raising is down; raising is late."
