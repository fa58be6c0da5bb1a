"""The step that asks the pending queries: whom it asks again, what it tells, what it has opened."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest
from tests.graphs.world import HOP, Desk, Shelf, engine, passage_of, url_of

from quaere.domain.budget import Spend
from quaere.domain.events import Event, Phase, PhaseStarted, SearchFinished, WarningRaised
from quaere.domain.model import ModelCall
from quaere.domain.question import Query, Question, SourceKind
from quaere.domain.report import QueryOutcome
from quaere.domain.source import Hit, Page
from quaere.errors import CircuitOpen, SearchError, ServiceAway
from quaere.graphs.context import RunContext
from quaere.graphs.flow import Runtime, run_flow
from quaere.graphs.nodes import search as step
from quaere.graphs.nodes.search import named_first
from quaere.graphs.state import LoopState, initial_state
from quaere.ports.search import SearchProvider
from quaere.resilience.timing import SystemClock
from quaere.store.recording.entries import Recorded, Search
from quaere.store.recording.recording import Recording

pytestmark = pytest.mark.anyio

MILL, WEIR = Query(text="mill of Hask"), Query(text="weir of Hask")


def state(*pending: Query, **fields: object) -> LoopState:
    made = initial_state(Question(text=HOP), requested=None, limits={})
    made.update({"pending": pending, **fields})  # type: ignore[typeddict-item]
    return made


def context_of(*providers: SearchProvider, reader: Desk | None = None) -> RunContext:
    return engine(*providers, reader=reader)._run_context(SystemClock().monotonic())


async def searched(
    of: LoopState, context: RunContext
) -> tuple[LoopState, list[SearchFinished], list[Event]]:
    """Return what a search adds to the state, what it told of each search, and all that it told."""
    events: list[Event] = []
    update = await step.search(of, Runtime(context, events.append, run_flow))
    added = cast("LoopState", update)
    return added, [each for each in events if isinstance(each, SearchFinished)], events


class Found:
    """Finds the hits that it was given, whatever is asked, after a while."""

    kinds = frozenset({SourceKind.WEB, SourceKind.NEWS})

    def __init__(self, *hits: Hit, name: str = "found", after_s: float = 0.0) -> None:
        self.name, self._hits, self._after_s = name, hits, after_s
        self.asked: list[str] = []

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.asked.append(query.text)
        await asyncio.sleep(self._after_s)
        return self._hits[:limit]


def hit(name: str, rank: int = 0, *, full_text: str = "", text: str = "") -> Hit:
    url = url_of(name)
    return Hit(
        url=url,
        title=name,
        provider="found",
        rank=rank,
        full_text=full_text,
        passages=(passage_of(name, text, url),) if text else (),
    )


# What is told


@pytest.mark.parametrize(
    ("loop", "phase"), [(0, Phase.SEARCHING), (1, Phase.ITERATING), (2, Phase.ITERATING)]
)
@pytest.mark.parametrize(
    ("pending", "message"), [((MILL,), "asking 1 query"), ((MILL, WEIR), "asking 2 queries")]
)
async def test_the_step_announces_what_it_asks(
    loop: int, phase: Phase, pending: tuple[Query, ...], message: str
) -> None:
    of = state(*pending, spend=Spend(iterations=loop))
    update, _, events = await searched(of, context_of(Found()))
    (begun,) = [each for each in events if isinstance(each, PhaseStarted)]
    assert (begun.phase, begun.message) == (phase, message)
    assert update["spend"] == Spend(queries=len(pending))


async def test_a_search_is_told_with_each_page_once_at_its_best_place() -> None:
    twice = (hit("Weir", 0), hit("Mill", 1), hit("Weir", 2))
    update, (told,), _ = await searched(state(MILL), context_of(Found(*twice)))
    assert [(each.title, each.rank) for each in told.found] == [("Weir", 0), ("Mill", 1)]
    assert (told.hits, told.fresh, told.known) == (2, 2, ())
    assert (told.query, told.intent, told.provider) == (MILL.text, MILL.intent, "found")
    assert told.kinds == (SourceKind.NEWS, SourceKind.WEB)
    assert told.error == ""
    assert update["considered"] == (url_of("Weir"), url_of("Mill"))


async def test_pages_that_were_found_before_are_named_and_not_counted_again() -> None:
    of = state(MILL, considered=(url_of("Mill"),))
    update, (told,), events = await searched(of, context_of(Found(hit("Mill"), hit("Weir", 1))))
    assert [each.title for each in told.found] == ["Weir"]
    assert len(told.known) == 1
    assert (told.hits, told.fresh) == (2, 1)
    assert update["considered"] == (url_of("Weir"),)
    assert events[-1].sources_considered <= 2


async def test_a_title_without_end_is_told_by_its_beginning() -> None:
    loud = hit("Mill").model_copy(update={"title": "M" * 5_000})
    _, (told,), _ = await searched(state(MILL), context_of(Found(loud)))
    assert [len(each.title) for each in told.found] == [step.TITLE_CHARS]


async def test_outcomes_are_in_the_order_of_the_queries_whoever_answers_first() -> None:
    slow, quick = Found(hit("Mill"), name="slow", after_s=0.05), Found(hit("Weir"), name="quick")
    update, told, _ = await searched(state(MILL, WEIR), context_of(slow, quick))
    assert [each.provider for each in told] == ["quick", "quick", "slow", "slow"]
    outcomes = update["outcomes"]
    assert [each.query for each in outcomes] == [MILL, WEIR]
    unread = update["unread"]
    assert {each.title for each in unread} == {"Mill", "Weir"}


async def test_nothing_is_asked_once_the_search_is_to_end() -> None:
    provider = Found(hit("Mill"))
    context = context_of(provider)
    context.stop_requested.set()
    assert await searched(state(MILL), context) == ({}, [], [])
    assert provider.asked == []


async def test_what_came_before_the_search_was_to_end_is_kept() -> None:
    quick, hanging = Found(hit("Mill")), Found(hit("Weir"), name="hanging", after_s=60)
    context = context_of(quick, hanging)
    asyncio.get_running_loop().call_later(0.2, context.stop_requested.set)
    update, told, _ = await searched(state(MILL), context)
    assert [each.provider for each in told] == ["found"]
    assert update["considered"] == (url_of("Mill"),)


# Services that are left alone


class Alone(Found):
    """Is left alone for the first ``times`` that it is asked."""

    def __init__(
        self, times: int, *, name: str = "alone", why: type[CircuitOpen] = CircuitOpen
    ) -> None:
        super().__init__(hit("Weir"), name=name)
        self._times, self._why = times, why

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.asked.append(query.text)
        if len(self.asked) <= self._times:
            raise self._why("left alone for a while")
        return self._hits[:limit]


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step, "PAUSE_S", 0.05)


@pytest.mark.usefixtures("brisk")
async def test_who_is_left_alone_is_asked_again_until_there_is_an_answer() -> None:
    provider = Alone(3)
    update, told, events = await searched(state(MILL), context_of(provider))
    assert provider.asked == [MILL.text] * 4
    assert [each.error for each in told] == [""], "it is told once, with how it ended"
    assert update["considered"] == (url_of("Weir"),)
    assert not [each for each in events if isinstance(each, WarningRaised)]


@pytest.mark.usefixtures("brisk")
async def test_a_wait_that_may_be_long_is_told_while_it_lasts() -> None:
    _, _, events = await searched(state(MILL), context_of(Alone(9, name="library")))
    (warned,) = [each for each in events if isinstance(each, WarningRaised)]
    assert warned.warning.message.startswith("library: left alone for a while. It is tried again")
    assert warned.warning.retryable
    kinds = [type(each) for each in events]
    assert kinds.index(WarningRaised) < kinds.index(SearchFinished)


async def test_what_was_waited_for_is_not_waited_for_again_from_a_recording() -> None:
    provider = Found(hit("Weir"), name="alone")
    context = context_of(provider)
    refused = Search.of("alone", MILL, context.hits_per_query).with_outcome(None, CircuitOpen("so"))
    past = [Recorded(at=second, answer=refused) for second in range(9)]
    recorded = Recording(past).provider(provider)
    async with asyncio.timeout(step.PAUSE_S):
        update, _, _ = await searched(state(MILL), replace(context, providers=[recorded]))
    assert provider.asked == [MILL.text]
    assert update["considered"] == (url_of("Weir"),)


@pytest.mark.usefixtures("brisk")
async def test_nobody_is_waited_for_who_is_not_the_only_one() -> None:
    alone, other = Alone(9), Found(hit("Mill"))
    _, told, _ = await searched(state(MILL), context_of(alone, other))
    assert alone.asked == other.asked == [MILL.text]
    assert {each.provider: bool(each.error) for each in told} == {"alone": True, "found": False}


@pytest.mark.usefixtures("brisk")
async def test_who_was_never_there_is_not_waited_for() -> None:
    provider = Alone(9, why=ServiceAway)
    _, told, _ = await searched(state(MILL), context_of(provider))
    assert provider.asked == [MILL.text]
    assert ["left alone" in each.error for each in told] == [True]


@pytest.mark.usefixtures("brisk")
async def test_who_was_there_and_has_gone_is_waited_for() -> None:
    provider = Alone(3, why=ServiceAway)
    before = QueryOutcome(query=WEIR, iteration=0, hits=4)
    update, _, _ = await searched(state(MILL, outcomes=(before,)), context_of(provider))
    assert provider.asked == [MILL.text] * 4
    assert update["considered"] == (url_of("Weir"),)


@pytest.mark.usefixtures("brisk")
async def test_who_is_not_there_does_not_keep_others_from_being_waited_for() -> None:
    gone, alone = Alone(9, name="gone", why=ServiceAway), Alone(2)
    update, _, _ = await searched(state(MILL), context_of(gone, alone))
    assert alone.asked == [MILL.text] * 3
    assert update["considered"] == (url_of("Weir"),)


@pytest.mark.usefixtures("brisk")
async def test_a_run_that_is_nearly_over_waits_for_nobody() -> None:
    provider = Alone(9)
    of = state(MILL)
    of["budget"] = of["budget"].override({"max_execution_time_s": 0.06})
    _, told, _ = await searched(of, context_of(provider))
    assert provider.asked == [MILL.text]
    assert ["left alone" in each.error for each in told] == [True]


@pytest.mark.usefixtures("brisk")
async def test_what_fails_otherwise_is_not_asked_again_with_it() -> None:
    class Odd(Found):
        async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
            self.asked.append(query.text)
            if query == MILL:
                raise SearchError("503")
            if self.asked.count(query.text) < 3:
                raise CircuitOpen("left alone for a while")
            return self._hits

    provider = Odd(hit("Weir"))
    update, told, _ = await searched(state(MILL, WEIR), context_of(provider))
    assert provider.asked.count(MILL.text) == 1
    assert provider.asked.count(WEIR.text) == 3
    assert [(each.query, bool(each.error)) for each in told] == [
        (MILL.text, True),
        (WEIR.text, False),
    ]
    outcomes = update["outcomes"]
    assert [bool(each.error) for each in outcomes] == [True, False]


@pytest.mark.usefixtures("brisk")
async def test_nobody_waits_for_the_rest_of_what_was_answered_in_part() -> None:
    """Once it has answered one query it is asked the others, without a pause, and once."""

    class Half(Found):
        async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
            self.asked.append(query.text)
            if query == WEIR:
                raise CircuitOpen("left alone for a while")
            return self._hits

    provider = Half(hit("Mill"))
    _, told, _ = await searched(state(MILL, WEIR), context_of(provider))
    assert provider.asked.count(MILL.text) == 1
    assert provider.asked.count(WEIR.text) == 2
    assert [(each.query, bool(each.error)) for each in told] == [
        (MILL.text, False),
        (WEIR.text, True),
    ]


# What is opened


class Opening(Desk):
    """Remembers which pages it is asked for; each holds its title."""

    async def read(self, hit: Hit) -> Page:
        self.opened.append(hit.title)
        return Page(url=hit.url, title=hit.title, text=f"On {hit.title}.")


PAGES = tuple(hit(f"Leaf {n}", n) for n in range(6))


@pytest.mark.parametrize(
    ("reads", "loops", "opened"), [(400, 9, step.FIRST_HITS), (6, 1, 3), (4, 1, 2), (1, 1, 0)]
)
async def test_the_first_pages_of_an_answer_are_opened_before_the_others_answer(
    reads: int, loops: int, opened: int
) -> None:
    desk = Opening()
    slow = Found(name="slow", after_s=0.2)
    of = state(MILL)
    of["budget"] = of["budget"].override({"max_reads": reads, "max_iters": loops})
    context = context_of(Found(*PAGES), slow, reader=desk)
    await searched(of, context)
    assert desk.opened == [page.title for page in PAGES[:opened]]


async def test_all_pages_that_may_be_read_are_opened_for_the_only_answer() -> None:
    desk = Opening()
    of = state(MILL)
    of["budget"] = of["budget"].override({"max_reads": 2, "max_iters": 1})
    await searched(of, context_of(Found(*PAGES), reader=desk))
    await asyncio.sleep(0.05)
    assert desk.opened == [page.title for page in PAGES[:2]]


async def test_of_these_the_page_that_the_query_names_comes_first_and_none_that_was_tried() -> None:
    desk = Opening()
    named = Query(text="how deep is Leaf 5 in autumn")
    of = state(named, tried=(PAGES[0].url,))
    await searched(of, context_of(Found(*PAGES), reader=desk))
    assert desk.opened[:2] == ["Leaf 5", "Leaf 1"]
    assert "Leaf 0" not in desk.opened


async def test_what_came_with_its_text_is_not_opened_and_arrives() -> None:
    whole = hit("Mill", text="The mill of Hask ground flax.")
    desk = Opening()
    context = context_of(Found(whole, hit("Weir", 1)), reader=desk)
    update, _, _ = await searched(state(MILL), context)
    assert desk.opened == ["Weir"]
    (passage,) = whole.passages
    assert update["arrivals"] == (passage.id,)
    assert context.store.passage(passage.id) == passage
    unread = update["unread"]
    assert [each.title for each in unread] == ["Weir"]


async def test_pages_without_text_come_before_full_texts_and_those_that_failed_come_last() -> None:
    works = tuple(
        hit(f"Work {n}", n, text=f"Abstract {n}.", full_text=f"https://archive.test/{n}")
        for n in range(5)
    )
    failed = (hit("Gone"), hit("Plain"))
    of = state(MILL, unread=failed, tried=("https://archive.test/1",))
    update, _, _ = await searched(of, context_of(Found(*works, hit("Plain", 5))))
    unread = update["unread"]
    archive = [f"https://archive.test/{n}" for n in (0, 2, 3)]
    assert len(archive) == step.FULL_TEXTS
    assert [each.url for each in unread] == [url_of("Plain"), *archive, url_of("Gone")]
    assert all(not each.passages and not each.snippet for each in unread)


@pytest.mark.parametrize("by_model", [True, False])
async def test_what_a_model_asks_for_is_looked_for_on_the_pages_that_were_opened(
    by_model: bool,
) -> None:
    context = context_of(Found())
    read = [
        passage_of("Log", text, url_of("Log"))
        for text in ("The mill of Hask was rebuilt.", "Ropes and barrels were counted.")
    ]
    context.store.add(read)
    calls = (ModelCall(step="plan", model="m"),) if by_model else ()
    of = state(MILL, opened=(url_of("Log"),), calls=calls)
    update, _, _ = await searched(of, context)
    assert set(update["arrivals"]) == ({each.id for each in read} if by_model else set())


async def test_a_page_that_is_found_again_brings_what_it_holds() -> None:
    context = context_of(Shelf({"Mill": "unused"}, with_text=False))
    read = passage_of("Mill", "The mill of Hask was rebuilt.", url_of("Mill"))
    context.store.add([read])
    update, _, _ = await searched(state(MILL, tried=(url_of("Mill"),)), context)
    assert update["arrivals"] == (read.id,)
    assert update["unread"] == ()


def titled(title: str, rank: int = 0, url: str = "") -> Hit:
    return Hit(
        url=url or f"https://example.org/{rank}",
        title=title,
        snippet="",
        provider="web",
        kind=SourceKind.WEB,
        rank=rank,
    )


def order(titles: list[str], *queries: str) -> list[str]:
    found = [titled(title, rank) for rank, title in enumerate(titles)]
    return [each.title for each in named_first(found, queries)]


def test_the_page_about_what_is_asked_precedes_pages_that_mention_it() -> None:
    found = ["Gold reserves of Iceland", "Map projection", "Iceland", "Icelandic"]
    assert order(found, "Where is Iceland located on the map?")[0] == "Iceland"


def test_those_that_are_named_keep_their_order_and_so_do_the_others() -> None:
    found = ["Rivers", "Brno", "Lakes", "Oslo"]
    assert order(found, "Brno or Oslo") == ["Brno", "Oslo", "Rivers", "Lakes"]


def test_any_of_the_queries_may_name_a_page() -> None:
    assert order(["Rivers", "Oslo"], "what lies in Brno", "how old is Oslo") == ["Oslo", "Rivers"]


@pytest.mark.parametrize(
    "title",
    [
        pytest.param("Oslo (city)", id="what tells it from others of its name"),
        pytest.param("OSLO", id="capitals"),
        pytest.param("Oslo - Example", id="the name of its site"),
        pytest.param("Oslo | Example", id="the name of its site behind a bar"),
    ],
)
def test_a_title_is_named_without_what_is_not_its_subject(title: str) -> None:
    assert order(["Rivers", title], "how old is Oslo") == [title, "Rivers"]


@pytest.mark.parametrize(
    ("title", "query"),
    [
        pytest.param("The", "who runs the port", id="a word that says nothing"),
        pytest.param("", "who runs the port", id="no title"),
        pytest.param("Port authority", "who has authority over the port", id="another order"),
        pytest.param("Ports", "who runs the port", id="another word"),
        pytest.param("Art", "who runs the party", id="part of a word"),
    ],
)
def test_what_a_query_does_not_name_stays_in_place(title: str, query: str) -> None:
    assert order(["Rivers", title], query) == ["Rivers", title]
