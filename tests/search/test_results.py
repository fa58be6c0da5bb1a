"""Queries are worded for services, and their results become hits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Query
from quaere.domain.source import Hit, Passage
from quaere.errors import SearchError
from quaere.read.chunker import PassageChunker
from quaere.resilience.provider import Resilience
from quaere.search import fanout, results
from quaere.search.results import (
    MAX_CHARS,
    MAX_LISTED,
    MAX_LOOSE,
    WHOLE_CHARS,
    Batch,
    Found,
    ProvidedText,
    batch,
    by_url,
    hits,
    is_web_url,
    keywords,
    pages,
    quoted,
    snippet_passages,
    widening,
    worded,
)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("salt  lichen\r\nX-Header: 1", "salt lichen X-Header: 1"),
        ("one two three four", "one two"),
        ("abcdefghijkl", "abcdefghij"),
        ("one two th", "one two th"),
        ("\x00\x07\u202e", ""),
        ("\ud800moth", "moth"),
    ],
)
def test_words_are_cut_behind_a_word(text: str, kept: str) -> None:
    limit = 100 if "X-Header" in text else 10
    assert worded(text, max_chars=limit) == kept


def test_words_are_counted() -> None:
    assert worded("a b c d", max_chars=100, max_words=3) == "a b c"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What does the lantern moth feed on?", ("lantern", "moth", "feed")),
        ("IL-6 and TNF-α in COVID-19", ("IL-6", "TNF-α", "COVID-19")),
        ('"salt lichen" or "moth"', ("salt lichen", "moth")),
        ('an "open quote', ("open", "quote")),
        ("moth[tiab] AND 2020:2021[dp]", ("moth", "2020", "2021")),
        ("moth MOTH Moth", ("moth",)),
        ("AND OR NOT", ()),
        ('"(((" && ||', ()),
        ("灯蛾とは何ですか", ("灯蛾とは何ですか",)),
    ],
)
def test_keywords_say_what_it_is_about(text: str, words: tuple[str, ...]) -> None:
    assert keywords(text) == words


def test_there_are_not_too_many() -> None:
    assert len(keywords(" ".join(f"word{n}" for n in range(1_000)))) == MAX_LOOSE


@given(st.text(max_size=300))
def test_nothing_breaks_out_of_its_quotes(text: str) -> None:
    for word in quoted(keywords(text)):
        assert word.isalnum() or (word[0] == word[-1] == '"' and '"' not in word[1:-1])
        assert not set("()[]{}:\\^~*?\n\x00") & set(word)
        word.encode()


HIT = Hit(url="https://quay.example/log", title="Log", provider="p", rank=0, published="1911-02-03")


class FixedClock:
    def monotonic(self) -> float:
        return 0.0

    def now(self) -> datetime:
        return datetime(2031, 5, 4, 3, 2, 1, tzinfo=UTC)


def last_two(passages: Sequence[Passage], wanted: str) -> Sequence[Passage]:
    assert wanted == "lichen"
    return [passages[-1], passages[-2]]


KEEP = ProvidedText(PassageChunker(), last_two, FixedClock())


def paragraphs(characters: int) -> str:
    sentence = "The keeper wrote down what the tide had left at the gate that day. "
    return "\n\n".join([sentence * 8] * (characters // (8 * len(sentence)) + 1))


def test_a_short_text_is_one_passage_with_all_of_it() -> None:
    (passage,) = KEEP.passages(HIT, "\n  An abstract.\n\nAims: none. ", "lichen")
    assert passage.text == "An abstract.\n\nAims: none."
    assert passage.start == 3
    assert passage.provided
    assert passage.retrieved_at == "2031-05-04T03:02:01+00:00"
    assert passage.published == "1911-02-03"


def test_a_long_text_gives_what_is_chosen_of_it_in_that_order() -> None:
    text = paragraphs(2 * WHOLE_CHARS)
    last, before = KEEP.passages(HIT, text, "lichen")
    assert before.end <= last.start
    assert text[last.start : last.end] == last.text
    assert len(last.text) < WHOLE_CHARS
    assert last.provided
    assert before.provided


@pytest.mark.parametrize(
    ("url", "is_web"),
    [
        ("https://quay.example/log", True),
        ("HTTP://quay.example", True),
        (f"https://quay.example/{'x' * 3_979}", True),
        (f"https://quay.example/{'x' * 3_980}", False),
        ("ftp://quay.example/log", False),
        ("file:///quay/log", False),
        ("https:///log", False),
        ("quay.example/log", False),
        ("https://[quay/log", False),
        ("", False),
    ],
)
def test_what_the_address_of_a_web_page_is(url: str, *, is_web: bool) -> None:
    assert is_web_url(url) is is_web


def test_no_text_gives_no_passage() -> None:
    assert KEEP.passages(HIT, " \n ", "lichen") == ()


def test_what_lies_beyond_the_limit_is_left() -> None:
    last, _ = KEEP.passages(HIT, paragraphs(3 * MAX_CHARS), "lichen")
    assert last.end <= MAX_CHARS


def test_no_more_of_a_text_is_looked_at_than_its_limit() -> None:
    seen: list[int] = []

    def choose(passages: Sequence[Passage], _: str) -> Sequence[Passage]:
        seen.append(passages[-1].end)
        return passages

    ProvidedText(PassageChunker(), choose, FixedClock()).passages(HIT, "x. " * MAX_CHARS, "lichen")
    assert seen[0] <= MAX_CHARS


@pytest.mark.parametrize(("more", "chosen"), [(0, False), (1, True)])
def test_an_abstract_with_all_its_sections_stays_whole(more: int, *, chosen: bool) -> None:
    text = "x" * (WHOLE_CHARS - 1 + more) + "."
    asked: list[str] = []

    def choose(passages: Sequence[Passage], wanted: str) -> Sequence[Passage]:
        asked.append(wanted)
        return passages[:1]

    keep = ProvidedText(PassageChunker(), choose, FixedClock())
    assert keep.passages(HIT, text, "lichen")
    assert bool(asked) is chosen


def test_what_the_service_quoted_is_a_passage_that_came_along() -> None:
    quoted = HIT.model_copy(update={"snippet": " The moth rests. "})
    (passage,) = snippet_passages(quoted, FixedClock())
    assert (passage.text, passage.start, passage.end) == ("The moth rests.", 1, 16)
    assert passage.provided
    assert snippet_passages(HIT, FixedClock()) == ()


def found(*numbers: int) -> tuple[Found, ...]:
    return tuple(Found(url=f"https://quay.example/{n}", title=f"Log {n}") for n in numbers)


class Service:
    """Has ``total`` results, and lists ``size`` of them on a page; from page ``fails`` on, none."""

    def __init__(self, total: int, size: int, fails: int | None = None) -> None:
        self.asked: list[int] = []
        self._total, self._size, self._fails = total, size, fails

    async def page(self, number: int) -> Batch:
        self.asked.append(number)
        if self._fails is not None and number >= self._fails:
            raise SearchError("the tide is in")
        first = number * self._size
        listed = found(*range(first, min(first + self._size, self._total)))
        return Batch(listed, len(listed))


@pytest.mark.anyio
@given(
    total=st.integers(0, 30),
    limit=st.integers(1, 30),
    size=st.integers(1, 8),
    most=st.integers(1, 30),
)
async def test_pages_bring_all_that_is_wanted_in_as_few_requests_as_it_takes(
    total: int, limit: int, size: int, most: int
) -> None:
    service = Service(total, size)
    brought = await pages(service.page, limit=limit, size=size, most=most)
    wanted = min(limit, most)
    assert brought == list(found(*range(min(wanted, total))))
    needed = -(-wanted // size)
    # A page that is not full is the last; a full one may be, but that is not seen.
    seen_to_end = total // size + 1
    assert service.asked == list(range(min(needed, seen_to_end)))


@pytest.mark.anyio
@given(
    lengths=st.lists(st.integers(1, 6), max_size=6),
    limit=st.integers(1, 20),
    most=st.integers(1, 20),
)
async def test_uneven_pages_end_with_the_first_that_brings_nothing_new(
    lengths: list[int], limit: int, most: int
) -> None:
    asked: list[int] = []

    async def fetch(number: int) -> Batch:
        asked.append(number)
        before = sum(lengths[:number])
        # Each page repeats the last result of the one before it.
        listed = found(*range(max(0, before - 1), sum(lengths[: number + 1])))
        return Batch(listed, len(listed))

    brought = await pages(fetch, limit=limit, size=2, most=most, uneven=True)
    requests = -(-most // 2)
    there = sum(lengths[:requests])
    assert brought == list(found(*range(min(limit, most, there))))
    assert asked == list(range(len(asked)))
    enough = next(
        (n + 1 for n in range(len(lengths)) if sum(lengths[: n + 1]) >= min(limit, most)), 99
    )
    assert len(asked) == min(requests, len(lengths) + 1, enough)


@pytest.mark.anyio
async def test_a_page_that_fails_costs_none_of_the_finds_before_it() -> None:
    brought = await pages(Service(9, 3, fails=1).page, limit=9, size=3, most=9)
    assert [each.url for each in brought] == [each.url for each in found(0, 1, 2)]
    assert {each.incomplete for each in brought} == {
        "page 2 of its results is missing: the tide is in"
    }
    with pytest.raises(SearchError, match="the tide is in"):
        await pages(Service(9, 3, fails=0).page, limit=9, size=3, most=9)


@pytest.mark.anyio
@pytest.mark.parametrize(("seconds", "asked"), [(0.05, [0, 1]), (0.0, [0])])
async def test_a_page_that_does_not_come_costs_none_of_the_finds_before_it(
    monkeypatch: pytest.MonkeyPatch, seconds: float, asked: Sequence[int]
) -> None:
    monkeypatch.setattr(results, "LATER_PAGES_S", seconds)
    service = Service(9, 3)

    async def fetch(number: int) -> Batch:
        page = await service.page(number)
        if number:
            await asyncio.Event().wait()
        return page

    brought = await pages(fetch, limit=9, size=3, most=9)
    assert [each.url for each in brought] == [each.url for each in found(0, 1, 2)]
    assert {each.incomplete for each in brought} == {
        "page 2 of its results is missing: there was no time for it."
    }
    assert service.asked == asked


def test_later_pages_leave_an_attempt_time_to_end() -> None:
    assert Resilience().attempt_timeout_s > results.LATER_PAGES_S + 1


def test_a_service_whose_first_page_came_is_not_left_as_silent_for_the_others() -> None:
    """Beside a folder, which answers at once, it would lose what it has found already."""
    assert fanout.SILENT_S >= results.LATER_PAGES_S + 1


@pytest.mark.anyio
async def test_items_that_cannot_be_used_are_counted_and_left_out() -> None:
    odd = Found(url="quay", title="no address"), Found(url="https://quay.example/x", title="")
    kept = await batch("quay", [None, *odd, *found(1)], 4)
    assert kept == Batch(found(1), 4)
    assert await batch("quay", [], 0) == Batch((), 0)
    with pytest.raises(SearchError, match="quay returned"):
        await batch("quay", [None, *odd], 3)


@pytest.mark.anyio
async def test_an_answer_that_lists_without_end_is_read_to_a_limit() -> None:
    lazily = (found(number)[0] for number in range(10**9))
    assert len((await batch("quay", lazily, 1)).found) == MAX_LISTED


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("limit", "enough", "asked"),
    [
        (2, None, ["moth", "lamp"]),
        (2, 1, ["moth"]),
        (1, None, ["moth"]),
        (9, 9, ["moth", "lamp", "sea"]),
    ],
)
async def test_wider_words_are_tried_while_there_is_too_little(
    limit: int, enough: int | None, asked: list[str]
) -> None:
    there = {"moth": found(1), "lamp": found(1, 2), "sea": found(3)}
    tried: list[str] = []

    async def ask(wording: str) -> Sequence[Found]:
        tried.append(wording)
        return there[wording]

    brought = await widening(
        ["moth", "moth", "lamp", "sea"], ask, limit=limit, key=by_url, enough=enough
    )
    assert tried == asked
    assert brought == list(found(1, 2, 3))[: min(limit, len(asked))]


@pytest.mark.anyio
async def test_hits_keep_the_order_and_tell_what_no_longer_stands() -> None:
    withdrawn = Found(url="https://quay.example/1", title="On moths", standing="Withdrawn")
    said_so = Found(url="https://quay.example/2", title="WITHDRAWN: On moths", standing="Withdrawn")
    made = await hits("quay", [withdrawn, said_so], Query(text="moths"))
    assert [(hit.rank, hit.title) for hit in made] == [
        (0, "Withdrawn: On moths"),
        (1, "WITHDRAWN: On moths"),
    ]
    assert not any(hit.passages for hit in made)


@pytest.mark.anyio
@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("url", ["https://quay.example/full", "ftp://quay.example/full", ""])
async def test_the_open_full_text_is_told_where_it_is_wanted_and_can_be_read(
    url: str, *, wanted: bool
) -> None:
    keep = ProvidedText(PassageChunker(), last_two, FixedClock(), full_texts=wanted)
    each = Found(url="https://quay.example/1", title="On moths", text="It flies.", full_text=url)
    (hit,) = await hits("quay", [each], Query(text="lichen"), keep)
    assert hit.full_text == (url if wanted and url.startswith("https") else "")
    assert [passage.text for passage in hit.passages] == ["It flies."]
