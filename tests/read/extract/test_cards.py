"""Cards in plain text, shown as records."""

from __future__ import annotations

import time

import pytest

from quaere.ports.read import Body
from quaere.read.extract.cards import with_records
from quaere.read.extract.markdown import TextExtractor

CARDS = """\
Staff of the harbour, kept by the clerk.

Name: Orla Quinn
Phone: 555 0101
Role: treasurer

Name: Piet Baas
Phone: 555 0202


Name: Nia Boyd
Phone: 555 0303
Role: chair

All of them are in on Mondays.
"""
RECORDS = (
    "Name: Orla Quinn; Phone: 555 0101; Role: treasurer",
    "Name: Piet Baas; Phone: 555 0202",
    "Name: Nia Boyd; Phone: 555 0303; Role: chair",
)


def test_each_card_is_a_record_at_its_first_line() -> None:
    assert with_records(CARDS.split("\n")) == [
        (1, "Staff of the harbour, kept by the clerk."),
        (2, ""),
        *zip((3, 7, 11), RECORDS, strict=True),
        (14, ""),
        (15, "All of them are in on Mondays."),
        (16, ""),
    ]


def test_a_page_cites_a_card_by_its_line() -> None:
    (page,) = TextExtractor().extract(Body(data=CARDS.encode(), url="file:///harbour/staff.txt"))
    labels = {page.text[mark.start :].partition("\n")[0]: mark.label for mark in page.marks}
    assert [labels[record] for record in RECORDS] == ["line 3", "line 7", "line 11"]


@pytest.mark.parametrize(
    "text",
    [
        "Name: Orla Quinn\nPhone: 555 0101",
        "Name: Orla\nPhone: 1\n\nItem: lamp\nPrice: 3",
        "Name: Orla\nPhone: 1\n\nName: Piet\nItem: lamp\nPrice: 3",
        "Q: Is it open?\nA: It is.\n\nQ: Is it warm?\nA: It is not.",
        "Ada: I was here at six.\nBo: So was I.\n\nAda: And then?\nBo: I left.",
        "Name: Orla\n\nName: Piet",
        "Name: Orla\nName: Piet\n\nName: Nia\nName: Bo",
        "Use: wood; steel\nPrice: 3\n\nUse: tin; lead\nPrice: 4",
        f"Name: {'long ' * 20}\nPhone: 1\n\nName: {'long ' * 20}\nPhone: 2",
        "name = Orla\nphone = 1\n\nname = Piet\nphone = 2",
        "Name: Orla\n  who keeps the books\nPhone: 1\n\nName: Piet\n  who writes\nPhone: 2",
        "",
    ],
)
def test_what_is_no_run_of_cards_stays_as_it_is(text: str) -> None:
    assert with_records(text.split("\n")) == list(enumerate(text.split("\n"), 1))


@pytest.mark.parametrize(
    "piece", ["a: b\n", "a b: c\n\n", "Aa ", "A: ", ": ", "\n", "Ab: c\nAd: e\n\n"]
)
def test_hostile_text_takes_time_in_proportion(piece: str) -> None:
    lines = (piece * (200_000 // len(piece))).split("\n")
    began = time.process_time()
    with_records(lines)
    assert time.process_time() - began < 3
