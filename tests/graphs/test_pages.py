"""The loop with pages that cannot be read, with readers that misbehave, and with few reads."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.graphs.misbehaving import (
    Fault,
    OddReader,
    deafness,
    give_nothing,
    give_text,
    give_up,
    hang,
    refuse_read,
    stumble,
)
from tests.graphs.reasoners import Insatiable
from tests.graphs.world import (
    DOCUMENTS,
    Desk,
    Shelf,
    engine,
    told,
    url_of,
)

from quaere.domain.events import SourceRead, WarningRaised
from quaere.domain.question import Query
from quaere.domain.report import AnswerStatus
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.domain.verdict import StopReason
from quaere.errors import ReadError

pytestmark = pytest.mark.anyio

LIMIT_S = 0.4


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (refuse_read, ReadStatus.BROKEN),
        (stumble, ReadStatus.BROKEN),
        (give_nothing, ReadStatus.BROKEN),
        (give_text, ReadStatus.BROKEN),
        (give_up, ReadStatus.TIMEOUT),
    ],
)
async def test_sources_that_cannot_be_read_are_warnings(fault: Fault, status: ReadStatus) -> None:
    run = await told(engine(Shelf(with_text=False), reader=OddReader(fault)))
    report = run.report
    assert report.status is AnswerStatus.NO_EVIDENCE
    assert report.stop_reason is StopReason.NO_NEW_INFORMATION
    assert {event.status for event in run.of(SourceRead)} == {status}
    assert {w.kind for w in report.warnings} == {"read"}
    assert report.spend.reads == len(run.of(WarningRaised)) > 0
    tried = {event.url for event in run.of(SourceRead)}
    assert sorted(each.subject for each in report.warnings) == sorted(tried), "each page once"
    assert report.steps[-1].read == 0
    assert "not a key" not in report.model_dump_json()


class Quoting(Shelf):
    """A web search: it quotes each page it finds, and leaves its text to be read."""

    def __init__(self) -> None:
        super().__init__(with_text=False)

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the hits with the first 200 characters of each."""
        found = await super().search(query, limit=limit)
        texts = {url_of(title): text for title, text in DOCUMENTS.items()}
        return [hit.model_copy(update={"snippet": texts[hit.url][:200]}) for hit in found]


def reading_as(status: ReadStatus) -> Fault:
    async def fault() -> object:
        raise ReadError("The page could not be read.", status=status)

    return fault


@pytest.mark.parametrize(
    "status", [ReadStatus.TIMEOUT, ReadStatus.BLOCKED, ReadStatus.BROKEN, ReadStatus.EMPTY]
)
async def test_what_a_search_quotes_of_a_page_stands_in_for_one_that_cannot_be_read_r3_5(
    status: ReadStatus,
) -> None:
    run = await told(engine(Quoting(), reader=OddReader(reading_as(status))))
    report = run.report
    assert "Odile Varga" in report.answer
    assert url_of("Odile Varga") in {citation.url for citation in report.citations}
    assert {event.status for event in run.of(SourceRead)} == {status}
    assert report.steps[-1].read == 0, "a page that was quoted was not read"
    assert all("quoted" in warning.message for warning in report.warnings)


@pytest.mark.parametrize("status", [ReadStatus.REFUSED, ReadStatus.NOT_FOUND])
async def test_nothing_is_cited_that_nobody_could_look_up(status: ReadStatus) -> None:
    report = (await told(engine(Quoting(), reader=OddReader(reading_as(status))))).report
    assert report.status is AnswerStatus.NO_EVIDENCE
    assert not any("quoted" in warning.message for warning in report.warnings)


async def test_readers_that_hang_end_with_the_time() -> None:
    async with deafness() as deaf:
        for fault in (hang, deaf):
            run = await told(
                engine(Shelf(with_text=False), reader=OddReader(fault)),
                max_execution_time_s=LIMIT_S,
            )
            assert LIMIT_S <= run.seconds < LIMIT_S + 1
            assert run.report.stop_reason is StopReason.TIMEOUT
            assert run.report.status is AnswerStatus.NO_EVIDENCE


class Stuttering(Desk):
    """Fails at every page the first ``times`` times, with ``status``."""

    def __init__(self, status: ReadStatus, times: int) -> None:
        super().__init__()
        self._status, self._times = status, times

    async def read(self, hit: Hit) -> Page:
        page = await super().read(hit)
        if self.opened.count(hit.url) <= self._times:
            raise ReadError("Not now.", status=self._status)
        return page


@pytest.mark.parametrize("status", [ReadStatus.TIMEOUT, ReadStatus.UNREACHABLE, ReadStatus.BROKEN])
async def test_pages_that_could_not_be_opened_are_tried_again_in_the_next_loop(
    status: ReadStatus,
) -> None:
    """Nothing but these says what the first search was for."""
    desk = Stuttering(status, times=1)
    run = await told(engine(Shelf(with_text=False), reader=desk))
    first = run.of(SourceRead)[0].url
    statuses = [event.status for event in run.of(SourceRead) if event.url == first]
    assert statuses == [status, ReadStatus.OK]
    assert "Tressel Ford" in run.report.answer


@pytest.mark.parametrize(
    ("status", "times"), [(ReadStatus.TIMEOUT, 2), (ReadStatus.NOT_FOUND, 1)], ids=["twice", "gone"]
)
async def test_a_page_is_given_up_when_it_fails_twice_or_for_good(
    status: ReadStatus, times: int
) -> None:
    desk = Stuttering(status, times)
    await told(engine(Shelf(with_text=False), reader=desk))
    assert {desk.opened.count(url) for url in desk.opened} <= {times}


class HalfReader(Desk):
    """Stumbles over every page but one."""

    async def read(self, hit: Hit) -> Page:
        if hit.title != "Odile Varga":
            raise KeyError(hit.title)
        return await super().read(hit)


async def test_the_pages_that_can_be_read_are_enough_for_an_answer() -> None:
    reading = engine(Shelf(with_text=False), reader=HalfReader())
    run = await told(reading, "Where was Odile Varga born?")
    assert "She was born in Tressel Ford" in run.report.answer
    assert {e.title for e in run.report.evidence} == {"Odile Varga"}


async def test_pages_are_read_where_the_hit_has_no_text() -> None:
    desk = Desk()
    run = await told(engine(Shelf(with_text=False), reader=desk))
    plain = await told(engine())
    assert run.report.answer == plain.report.answer
    assert desk.opened
    assert run.report.spend.reads == len(desk.opened) == run.report.steps[-1].read
    assert [e.status for e in run.of(SourceRead)] == [ReadStatus.OK] * len(desk.opened)


@pytest.mark.parametrize("reads", [0, 1, 2])
async def test_no_more_pages_are_opened_than_allowed(reads: int) -> None:
    desk = Desk()
    run = await told(engine(Shelf(with_text=False), reader=desk), max_reads=reads)
    assert len(desk.opened) == run.report.spend.reads == reads


class Closed(Desk):
    """Refuses every page, and remembers which it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.refused: list[str] = []

    async def read(self, hit: Hit) -> Page:
        self.refused.append(hit.url)
        raise ReadError("closed", status=ReadStatus.BLOCKED)


async def test_a_page_that_could_not_be_read_is_not_tried_again() -> None:
    desk = Closed()
    run = await told(engine(Shelf(with_text=False), reader=desk))
    assert run.report.spend.iterations > 1
    assert desk.refused
    assert len(desk.refused) == len(set(desk.refused)) == run.report.spend.reads


async def test_a_page_found_again_answers_the_new_query_without_being_opened_again() -> None:
    filler = "The harbour log of Dunmere counts ropes, barrels and tides of that week. " * 8
    answer = "Odile Varga was buried in Hask."
    log = "\n\n".join([f"The cook kept his recipes here. {filler}"] * 3 + [filler, answer + filler])
    desk = Desk({"Harbour log": log})
    shelf = Shelf({"Harbour log": log}, with_text=False)
    asker = Insatiable(lambda _: [Query(text="buried Varga", places=1)])
    run = await told(engine(shelf, reader=desk, reasoner=asker), "Where did the cook keep recipes?")
    first, then = asker.reviews[:2]
    assert not any(answer in passage.text for passage in first.passages.values())
    assert any(answer in passage.text for passage in then.passages.values())
    assert len(desk.opened) == run.report.spend.reads == 1


class Wordy(Shelf):
    """Ranks what mentions the words of a query before the page that is about them."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the hits, worst first."""
        found = await super().search(query, limit=limit)
        return [hit.model_copy(update={"rank": n}) for n, hit in enumerate(reversed(found))]


@pytest.mark.parametrize("reads", [1, 2])
async def test_the_page_that_a_question_names_is_opened_first(reads: int) -> None:
    desk = Desk()
    shelf = Wordy(with_text=False)
    run = await told(
        engine(shelf, reader=desk), "What does Hask sell at its market?", max_reads=reads
    )
    assert desk.opened[0] == url_of("Hask")
    assert "wool, cheese and lamp oil" in run.report.answer
