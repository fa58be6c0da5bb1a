"""Reading pages as the engine does, and with the plain libraries."""

from __future__ import annotations

from tests.evals.page_sets import SECOND, SHEETS, STORY
from tests.read.documents import body, pdf, web_page

from quaere.ports.read import Body
from quaere_evals.page_readers import (
    TURNS,
    WebText,
    plain_pdf,
    plain_web_page,
    read_pdf,
    read_web_page,
    timed,
    timed_by_turns,
)

PAGE = body(
    web_page(f"<p>{STORY}</p><p>{SECOND}</p>", title="The ferry stays in port"),
    "ferry.html",
    "text/html",
)
VOID = body("<html><body></body></html>", "void.html", "text/html")
TORN = body(b"%PDF-1.7 and no more", "torn.pdf")
LEDGER = body(pdf(SHEETS), "ledger.pdf")


def test_both_ways_find_the_article_and_the_title() -> None:
    for read in (read_web_page, plain_web_page):
        found = read(PAGE)
        assert STORY in found.text
        assert SECOND in found.text
        assert "Ten boats" not in found.text
        assert found.title.startswith("The ferry stays in port")


def test_a_page_without_text_is_empty_both_ways() -> None:
    assert read_web_page(VOID) == WebText()
    assert plain_web_page(VOID).text == ""


def test_printed_pages_are_told_apart() -> None:
    for read in (read_pdf, plain_pdf):
        first, second = read(LEDGER)
        assert first.split() == " ".join(SHEETS[0]).split()
        assert second.split() == " ".join(SHEETS[1]).split()


def test_a_torn_file_has_no_pages() -> None:
    assert not read_pdf(TORN)
    assert not plain_pdf(TORN)


def test_the_clock_starts_when_everything_is_loaded() -> None:
    read: list[str] = []

    def note(given: Body) -> str:
        read.append(given.url)
        return given.url

    made, seconds = timed(note, iter([PAGE, VOID]))
    assert made == [PAGE.url, VOID.url]
    assert read == [PAGE.url, *made]
    assert 0 <= seconds < 1
    assert timed(note, [])[0] == []


def test_of_readers_that_take_turns_the_shortest_reading_counts() -> None:
    read: list[str] = []

    def slowly_once(given: Body) -> int:
        read.append("own")
        if len(read) == 1:
            sum(range(3_000_000))
        return len(read)

    def plainly(given: Body) -> str:
        read.append("plain")
        return given.url

    (own, seconds), (plain, plain_seconds) = timed_by_turns(slowly_once, plainly, PAGE)
    assert read == ["own", "plain"] * TURNS
    assert own > 1
    assert plain == PAGE.url
    assert max(seconds, plain_seconds) < 0.01
