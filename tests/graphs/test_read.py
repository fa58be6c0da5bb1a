"""The step that opens pages: which ones and in what order, and what it makes of their ends."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import cast

import pytest
from tests.graphs.world import HOP, Desk, engine, passage_of, url_of

from quaere.domain.budget import Spend
from quaere.domain.events import Event, SourceRead, WarningRaised
from quaere.domain.question import Checklist, Question, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.domain.verdict import NextAction, Reflection
from quaere.errors import ReadError
from quaere.graphs.context import RunContext
from quaere.graphs.flow import Runtime, run_flow
from quaere.graphs.nodes.read import read
from quaere.graphs.state import LoopState, initial_state
from quaere.resilience.timing import SystemClock

pytestmark = pytest.mark.anyio

TRIES_AGAIN = (ReadStatus.TIMEOUT, ReadStatus.UNREACHABLE, ReadStatus.BROKEN)
GONE = (ReadStatus.REFUSED, ReadStatus.NOT_FOUND, ReadStatus.UNKNOWN_HOST)


def hit(name: str, *, kind: SourceKind = SourceKind.WEB, snippet: str = "") -> Hit:
    return Hit(url=url_of(name), title=name, provider="shelf", rank=0, kind=kind, snippet=snippet)


def state(*unread: Hit, reads: int = 50, loops: int = 1, **fields: object) -> LoopState:
    made = initial_state(Question(text=HOP), requested=None, limits={})
    made.update({"unread": unread, **fields})  # type: ignore[typeddict-item]
    made["budget"] = made["budget"].override({"max_reads": reads, "max_iters": loops})
    return made


class Pages(Desk):
    """Opens every page, but for those that end otherwise; some are moved."""

    def __init__(
        self, ends: Mapping[str, ReadStatus] | None = None, moved: Mapping[str, str] | None = None
    ) -> None:
        super().__init__()
        self._ends, self._moved = ends or {}, moved or {}

    async def read(self, hit: Hit) -> Page:
        self.opened.append(hit.title)
        if hit.title in self._ends:
            raise ReadError("It could not be read.", status=self._ends[hit.title])
        return Page(
            url=self._moved.get(hit.title, hit.url),
            title=hit.title,
            text=f"On {hit.title} of Hask.",
            size=77,
            retrieved_at="2031-05-04T03:02:01Z",
        )


def context_of(reader: Desk) -> RunContext:
    return engine(reader=reader)._run_context(SystemClock().monotonic())


async def opened(
    of: LoopState, reader: Desk | None = None, *, context: RunContext | None = None
) -> tuple[LoopState, list[SourceRead], list[Event]]:
    """Return what reading adds to the state, what is told of each page, and all that is told."""
    events: list[Event] = []
    within = context or context_of(reader or Pages())
    update = await read(of, Runtime(within, events.append, run_flow))
    reads = [each for each in events if isinstance(each, SourceRead)]
    return cast("LoopState", update), reads, events


# Which


@pytest.mark.parametrize(
    ("reads", "loops", "count"), [(50, 1, 9), (3, 1, 3), (0, 1, 0), (6, 3, 4), (12, 3, 6)]
)
async def test_no_more_is_opened_than_this_loop_may(reads: int, loops: int, count: int) -> None:
    hits = [hit(f"Leaf {n}") for n in range(9)]
    desk = Pages()
    update, told, _ = await opened(state(*hits, reads=reads, loops=loops), desk)
    assert desk.opened == [f"Leaf {n}" for n in range(count)]
    assert len(told) == count
    assert update["spend"] == Spend(reads=count)
    assert update["tried"] == tuple(each.url for each in hits[:count])


async def test_the_kinds_that_are_wanted_come_first_and_before_them_what_is_being_opened() -> None:
    wanted = Reflection(
        next_action=NextAction.SEARCH_MORE,
        confidence=0.5,
        checklist=Checklist(),
        target_source_types=("news",),
    )
    plain, begun = hit("Plain"), hit("Begun")
    news = hit("News", kind=SourceKind.NEWS)
    desk = Pages()
    context = context_of(desk)
    context.ahead.begin([begun])
    update, _, _ = await opened(
        state(plain, news, begun, reads=2, reflection=wanted), context=context
    )
    assert desk.opened == ["Begun", "News"]
    assert update["tried"] == (begun.url, news.url)


async def test_once_the_search_is_to_end_only_pages_that_are_there_are_taken() -> None:
    class Half(Pages):
        async def read(self, hit: Hit) -> Page:
            if hit.title == "Slow":
                await asyncio.sleep(60)
            return await super().read(hit)

    desk = Half()
    context = context_of(desk)
    context.ahead.begin([hit("Slow"), hit("There")])
    await asyncio.sleep(0.05)
    context.stop_requested.set()
    update, told, _ = await opened(state(hit("Slow"), hit("There"), hit("Later")), context=context)
    assert [each.title for each in told] == ["There"]
    assert update["opened"] == (url_of("There"),)
    assert desk.opened == ["There"]


# What is told of them


async def test_a_page_is_told_with_where_it_was_found_and_what_it_holds() -> None:
    desk = Pages(moved={"Mill": url_of("New mill")})
    _, (mill, weir), _ = await opened(state(hit("Mill"), hit("Weir")), desk)
    assert (mill.url, mill.final_url) == (url_of("Mill"), url_of("New mill"))
    assert (weir.url, weir.final_url) == (url_of("Weir"), "")
    for told in (mill, weir):
        assert (told.provider, told.status, told.passages) == ("shelf", ReadStatus.OK, 1)
        assert (told.bytes, told.retrieved_at) == (77, "2031-05-04T03:02:01Z")
        assert told.reason == ""


async def test_sources_are_counted_as_they_come_those_of_before_and_those_with_text_too() -> None:
    given = passage_of("Given", "Text of Hask.", url_of("Given"))
    context = context_of(Pages({"Gone": ReadStatus.NOT_FOUND}))
    context.store.add([given])
    of = state(hit("Mill"), hit("Gone"), opened=(url_of("Old"),), arrivals=(given.id,))
    update, told, events = await opened(of, context=context)
    assert {each.title: each.sources_read for each in told}["Mill"] == 3
    assert events[-1].sources_read == 3
    assert update["opened"] == tuple(sorted((url_of("Given"), url_of("Mill"))))
    assert update["arrivals"][0] == given.id
    assert len(update["arrivals"]) == 2


async def test_a_page_of_which_only_a_quotation_is_there_does_not_count_as_read() -> None:
    quoted = passage_of("Quoted", "Text of Hask.", url_of("Quoted"))
    context = context_of(Pages())
    context.store.add([quoted])
    failed = RunWarning(kind="read", message="Not now.", subject=quoted.url)
    of = state(hit("Mill"), arrivals=(quoted.id,), warnings=(failed,))
    update, _, events = await opened(of, context=context)
    assert events[-1].sources_read == 1
    assert update["opened"] == (url_of("Mill"),)


# Ends


@pytest.mark.parametrize("status", [*TRIES_AGAIN, *GONE, ReadStatus.BLOCKED, ReadStatus.EMPTY])
async def test_what_may_pass_is_tried_in_the_next_loop_and_once_more_only(
    status: ReadStatus,
) -> None:
    desk = Pages({"Mill": status})
    update, (told,), events = await opened(state(hit("Mill")), desk)
    again = status in TRIES_AGAIN
    assert update["unread"] == ((hit("Mill"),) if again else ())
    assert update["tried"] == (() if again else (url_of("Mill"),))
    assert told.status is status
    (warning,) = update["warnings"]
    assert (warning.kind, warning.subject) == ("read", url_of("Mill"))
    assert [each.warning for each in events if isinstance(each, WarningRaised)] == [warning]
    failed = RunWarning(kind="read", message="Not now.", subject=url_of("Mill"))
    second, _, _ = await opened(state(hit("Mill"), warnings=(failed,)), desk)
    assert second["unread"] == ()
    assert second["tried"] == (url_of("Mill"),)
    of_search = failed.model_copy(update={"kind": "search"})
    third, _, _ = await opened(state(hit("Mill"), warnings=(of_search,)), desk)
    assert bool(third["unread"]) is again


@pytest.mark.parametrize("status", [*TRIES_AGAIN, *GONE])
async def test_what_was_quoted_of_a_page_is_used_where_somebody_could_look_it_up(
    status: ReadStatus,
) -> None:
    quoting = hit("Mill", snippet="The mill of Hask ground flax.")
    context = context_of(Pages({"Mill": status}))
    update, _, _ = await opened(state(quoting), context=context)
    (warning,) = update["warnings"]
    quoted = status not in GONE
    assert len(update["arrivals"]) == quoted
    said = "It could not be read; only what the search service quoted of it is used"
    assert warning.message == (said if quoted else "It could not be read.")
    held = context.store.of(quoting.url)
    assert [each.text for each in held] == ["The mill of Hask ground flax."] * quoted


async def test_nothing_stands_in_for_a_page_whose_own_text_is_there() -> None:
    quoting = hit("Mill", snippet="The mill of Hask ground flax.")
    context = context_of(Pages({"Mill": ReadStatus.TIMEOUT}))
    context.store.add([passage_of("Mill", "Its own text.", quoting.url)])
    update, _, _ = await opened(state(quoting), context=context)
    assert update["arrivals"] == ()
    assert [each.message for each in update["warnings"]] == ["It could not be read."]
