"""Passages of an earlier run, and pages that the request names, are searched like any service."""

from __future__ import annotations

import pytest
from tests.graphs.world import DOCUMENTS, HOP, Desk, Shelf, engine, passage_of, told, url_of

from quaere.domain.question import Intent, Query
from quaere.errors import UsageError
from quaere.search.in_memory import EarlierEvidence, GivenPages

pytestmark = pytest.mark.anyio

PASSAGES = [passage_of(title, text) for title, text in DOCUMENTS.items()]
TOLD = "Evidence of an earlier run was used."


async def test_it_finds_passages_by_their_words_best_first() -> None:
    earlier = EarlierEvidence(PASSAGES, notice=TOLD)
    hits = await earlier.search(Query(text="Odile Varga born"), limit=2)
    assert hits[0].title == "Odile Varga"
    assert all(hit.passages for hit in hits)
    assert len(hits) == 2
    assert await earlier.search(Query(text="zyxomma"), limit=5) == []


async def test_a_run_draws_on_it_checks_it_again_and_says_so() -> None:
    nothing = Shelf({"Flax": "Flax is spun into linen."})
    run = await told(engine(EarlierEvidence(PASSAGES, notice=TOLD), nothing), HOP)
    assert "Tressel Ford in 1861 [1]" in run.report.answer
    assert run.report.citations[0].url.endswith("/odile-varga")
    assert [warning.message for warning in run.report.warnings] == [TOLD]
    assert run.report.checks.supported == run.report.checks.written


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
