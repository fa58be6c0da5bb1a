"""Pages that the asker named are what is found, whatever is asked."""

from __future__ import annotations

import pytest
from tests.graphs.world import DOCUMENTS, HOP, Desk, engine, told, url_of

from quaere.domain.question import Intent, Query
from quaere.errors import UsageError
from quaere.search.in_memory import GivenPages

pytestmark = pytest.mark.anyio

URLS = ("https://a.org/1", "https://A.org/1#part", " https://b.org/2 ")


@pytest.mark.parametrize("intent", list(Intent))
async def test_every_query_finds_each_page_once_in_the_order_given(intent: Intent) -> None:
    given = GivenPages(URLS)
    hits = await given.search(Query(text="moth", intent=intent), limit=9)
    assert [hit.url for hit in hits] == ["https://a.org/1", "https://b.org/2"]
    assert [hit.rank for hit in hits] == [0, 1]
    assert len(await given.search(Query(text="moth"), limit=1)) == 1


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "file://host/a", "/etc/passwd", "javascript:alert(1)", "", "a.org"],
)
def test_what_is_no_web_page_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="is not the URL of a web page"):
        GivenPages(["https://a.org/1", url])


async def test_a_run_answers_from_the_pages_given_and_tells_which_it_could_not_read() -> None:
    pages = [url_of(title) for title in ("Odile Varga", "Quill Observatory")]
    gone, desk = "https://shelf.test/gone", Desk(DOCUMENTS)
    run = await told(engine(GivenPages([*pages, gone]), reader=desk), HOP)
    assert "Tressel Ford in 1861 [" in run.report.answer
    assert {citation.url for citation in run.report.citations} <= set(pages)
    assert sorted(desk.opened) == sorted([*pages, gone])
    (warning,) = run.report.warnings
    assert (warning.kind, warning.subject) == ("read", gone)


async def test_what_a_first_loop_has_no_budget_to_open_is_opened_in_the_next() -> None:
    titles = ("Hask", "Flax", "Dunmere", "Mount Sorrel", "Quill Observatory", "Odile Varga")
    desk = Desk()
    given = GivenPages([url_of(title) for title in titles])
    run = await told(
        engine(given, reader=desk),
        HOP,
        max_reads=6,
        max_iters=3,
    )
    assert sorted(desk.opened) == sorted(given.urls)
    assert "Tressel Ford" in run.report.answer
