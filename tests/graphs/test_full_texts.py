"""Item 17 of issue 21: the open full text behind a hit is read beside its abstract."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.graphs.world import Told, engine, passage_of, told

from quaere.domain.events import SourceRead
from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.domain.url import ABSTRACT, FULL_TEXT, pmc_url, pubmed_url
from quaere.errors import ReadError

pytestmark = pytest.mark.anyio

ASKED = "How many eggs does the lantern moth of Skarholm lay?"
ABOUT = "The lantern moth of Skarholm lays its eggs on sea rocket."
EGGS = "The lantern moth of Skarholm lays 212 eggs in a night."


class Library:
    """Finds works with their abstracts, and says where their full texts are."""

    name = "library"
    kinds = frozenset({SourceKind.PUBMED, SourceKind.SCHOLARLY})

    def __init__(self, count: int = 1) -> None:
        self.count = count

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        return tuple(map(self._hit, range(self.count)))

    def _hit(self, rank: int) -> Hit:
        title = f"Lantern moths of Skarholm, part {rank} of a long study"
        url = pubmed_url(str(4100 + rank))
        abstract = passage_of(title, f"{ABOUT} Part {rank}.", url).model_copy(
            update={"provided": True}
        )
        return Hit(
            url=url,
            title=title,
            provider=self.name,
            rank=rank,
            kind=SourceKind.PUBMED,
            passages=(abstract,),
            full_text=pmc_url(f"PMC{4100 + rank}"),
        )


class Archive:
    """Holds the full texts, or none."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.is_open = is_open
        self.opened: list[str] = []

    async def read(self, hit: Hit) -> Page:
        self.opened.append(hit.url)
        if not self.is_open:
            raise ReadError("it is not open", status=ReadStatus.NOT_FOUND)
        return Page(url=hit.url, title=hit.title, text=f"# Results\n\n{EGGS}")


async def asked(library: Library, archive: Archive) -> Told:
    return await told(engine(library, reader=archive), ASKED)


async def test_what_only_the_full_text_says_is_answered_and_cited_as_such() -> None:
    report = (await asked(Library(), Archive())).report
    assert "212 eggs" in report.answer
    cited = {citation.url: citation.part for citation in report.citations}
    assert cited[pmc_url("PMC4100")] == FULL_TEXT
    assert all(part == ABSTRACT for url, part in cited.items() if "pubmed" in url)


async def test_where_none_is_open_the_abstract_stays() -> None:
    run = await asked(Library(), Archive(is_open=False))
    assert "sea rocket" in run.report.answer
    assert {citation.part for citation in run.report.citations} == {ABSTRACT}
    assert [e.status for e in run.of(SourceRead)] == [ReadStatus.NOT_FOUND]


async def test_few_full_texts_are_opened_and_each_once() -> None:
    archive = Archive()
    await asked(Library(9), archive)
    loops = len(archive.opened) / 3
    assert loops == int(loops) >= 1
    assert len(set(archive.opened)) == len(archive.opened)
