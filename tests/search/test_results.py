from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from quaere.domain.source import Hit, Passage
from quaere.read.chunker import PassageChunker
from quaere.search.results import MAX_CHARS, WHOLE_CHARS, ProvidedText, is_web_url

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
