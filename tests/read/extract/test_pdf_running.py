"""Heads and feet that run over the pages of a PDF, and sentences that go on over a page."""

from __future__ import annotations

import pytest
from tests.read.documents import body, pdf

from quaere.read.chunker import PassageChunker
from quaere.read.extract.pdf import PdfExtractor
from quaere.read.extract.pdf_running import goes_on, joined_pages
from quaere.text.sentences import sentences

PROSE = [
    ["The board met in May and spoke about the yard,", "and decided that the north quay of"],
    [
        "Oss would be rebuilt in four years. Work began",
        "in June, and went on through the winter of",
    ],
    ["that year without a pause. The cranes came from", "Pell by barge."],
]


def test_a_sentence_goes_on_over_a_page_with_a_head_and_a_foot() -> None:
    pages = [
        ["Harbour Board, Annual Review 1999", *lines, f"Page {number} of 3"]
        for number, lines in enumerate(PROSE, 1)
    ]
    page = next(PdfExtractor().extract(body(pdf(pages), "review.pdf")))
    assert page.text.count("Annual Review 1999") == 1
    assert page.text.count("Page") == 1
    told = [" ".join(page.text[start:end].split()) for start, end in sentences(page.text)]
    assert told[1:4] == [
        f"{' '.join(PROSE[0])} Oss would be rebuilt in four years.",
        "Work began in June, and went on through the winter of that year without a pause.",
        "The cranes came from Pell by barge.",
    ]
    assert [page.text[mark.start :].split()[0] for mark in page.marks] == ["Harbour", "Oss", "that"]


def test_passages_still_say_their_page() -> None:
    pages = [[*lines, str(number)] for number, lines in enumerate(PROSE, 5)]
    page = next(PdfExtractor().extract(body(pdf(pages), "review.pdf")))
    assert {"5", "6", "7"} & set(page.text.split()) == {"7"}
    first, second, third = PassageChunker()(page)
    assert first.text.endswith("rebuilt in four years.")
    assert second.text.startswith("Work began")
    assert second.text.endswith("without a pause.")
    assert [each.locator for each in (first, second, third)] == ["pages 1-2", "pages 2-3", "page 3"]


@pytest.mark.parametrize(
    ("heads", "is_left_out"),
    [
        (["Page 1", "Page 2", "Page 3"], True),
        (["1", "2", "3"], True),
        (["Review", "Review", "Review"], True),
        (["Left", "", "Left", "", "Left"], True),
        (["Left", "", "", "Left", "", "", "Left"], False),
        (["Review", "Review"], False),
        (["2019", "2019", "2019"], False),
        (["1 of 7", "5 of 7", "2 of 7"], False),
        (["| Year |", "| Year |", "| Year |"], False),
        (["## Year", "## Year", "## Year"], False),
    ],
)
def test_only_what_pages_close_together_have_alike_runs_over_them(
    heads: list[str], *, is_left_out: bool
) -> None:
    words = ("one", "two", "six", "ten", "all", "few", "none")
    own = [f"what the board said of {word}\nit said in May and {word}" for word in words]
    pages = [f"{head}\n{text}".strip() for head, text in zip(heads, own, strict=False)]
    first, *others = joined_pages(pages)
    assert first.startswith(heads[0])  # nothing goes on into the first page
    left = [head for head, page in zip(heads[1:], others, strict=True) if head and head in page]
    assert left == ([] if is_left_out else [head for head in heads[1:] if head])


def test_what_parts_no_sentence_stays_as_it_stands() -> None:
    pages = [f"Review\nThe board met in {year} and paid.\nPage {year}" for year in range(1, 5)]
    assert joined_pages(pages) == [*(f"{page}\n\n" for page in pages[:-1]), pages[-1]]


def test_what_is_alike_below_another_line_stays() -> None:
    titles = ("Income", "Balance sheet", "Cash flows")
    below = "(in millions)\nSales of which the board says\nthat they were good and"
    pages = [f"{title}\n{below} {title}" for title in titles]
    assert all("(in millions)" in page for page in joined_pages(pages))


@pytest.mark.parametrize(
    ("page", "following", "told"),
    [
        ("The board met in May,\nand decided that the quay", "would be rebuilt.", True),
        ("The board met in May,\nand decided that the quay.", "Work began.", False),
        ("The board met in May,\nand decided that the quay", "1. Cranes", False),
        ("The board met in May,\nand decided that the quay", "- cranes", False),
        ("The board met in May,\nand decided that the quay", "| Year |", False),
        ("The board met in May, and decided\nso", "would be rebuilt.", False),
        ("The board met in May,\nand paid 4,000 in 1999", "Cranes", False),
        ("The board met the mayor\nand decided that the quay of", "Oss would be rebuilt.", True),
        ("The board met the mayor\nThe quay was rebuilt by the", "Oss yard.", True),
        ("The board met the mayor\nand it paid for the whole", "Oss yard.", True),
        ("The board met the mayor\nThe rent is 400 a month", "Deposit and fees", False),
        ("The board met", "", False),
        ("", "The board met", False),
    ],
)
def test_a_page_goes_on_where_its_last_line_is_full_and_open(
    page: str, following: str, told: bool
) -> None:
    assert goes_on(page, following) is told
