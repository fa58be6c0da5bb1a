from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.read.extract.pdf import reflow


def one(text: str) -> str:
    return reflow([text])[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the respon\x02sibility of all", "the responsibility of all"),
        ("the respon\ufffe\nsibility of all", "the responsibility of all"),
        ("the respon-\nsibility of all", "the responsibility of all"),
        ("a well-known port; a well\x02known pier", "a well-known port; a well-known pier"),
        ("based on equity, equity-\nbased", "based on equity, equity-based"),
        ("the over is all; overall, an over-\nall", "the over is all; overall, an overall"),
        ("in 2004-\n2005 Anglo-\nDutch trade", "in 2004-2005 Anglo-Dutch trade"),
        ("two- and threefold", "two- and threefold"),
        ("irregular tides; an irre- gular one", "irregular tides; an irregular one"),
        ("the ﬁrst ﬂood ‘‘tide’’", 'the first flood "tide"'),
        ("fixed\u00a0space", "fixed space"),
    ],
)  # fmt: skip
def test_words_are_made_whole(text: str, expected: str) -> None:
    assert one(text) == expected


PARAGRAPH = """The pilot boat left the inner basin before dawn and
came back at noon with the mail. Nobody had expected
it before the evening, because the wind had been
against it since Tuesday."""


def test_lines_of_a_paragraph_are_joined() -> None:
    assert one(PARAGRAPH) == PARAGRAPH.replace("\n", " ")


def test_a_heading_stands_alone() -> None:
    assert one(f"Pilot boats\n{PARAGRAPH}\n{PARAGRAPH}").startswith("Pilot boats\n\nThe pilot")


def test_rows_of_a_table_stay_rows() -> None:
    table = "Year 2023 2024\nPassengers carried 1,200 1,350\nCars on both ferries (75) 542"
    assert one(f"{PARAGRAPH}\n{table}").endswith(f"\n\n{table}")


def test_rows_with_a_space_behind_the_currency_stay_rows() -> None:
    table = (
        "Revenues of ferries $ 36,397 $ 34,350\nHarbour dues and pilotage 20,441 19,038\nLeft $ 3"
    )
    assert one(f"{PARAGRAPH}\n{table}").endswith(f"\n\n{table}")


def test_items_of_a_list_stay_items() -> None:
    items = "• rope of forty metres and a hook\n• oil for the lamp of the north mole\n• bread"
    assert one(items) == items


def test_two_lines_that_were_taken_for_one_do_not_spoil_the_width() -> None:
    lines = PARAGRAPH.split("\n")
    text = "\n".join([*lines[:2], f"{lines[2]} {lines[2]} {lines[2]}", *lines[:2], lines[3]])
    assert "\n" not in one(text)


def printed(number: int, *body: str) -> str:
    return "\n".join(["Harbour report 2024", *body, f"page {number} of 9"])


def test_running_heads_and_feet_go() -> None:
    pages = [printed(n, f"Berth {'abcdefghi'[n]} was repaired.") for n in range(1, 6)]
    assert reflow(pages) == [f"Berth {'abcdefghi'[n]} was repaired." for n in range(1, 6)]


def test_heads_that_change_with_the_chapter_go_as_well() -> None:
    pages = [
        f"Chapter {'One' if n < 4 else 'Two'}\n{'abcdefgh'[n]} was repaired.\n{n}" for n in range(8)
    ]
    assert reflow(pages) == [f"{'abcdefgh'[n]} was repaired." for n in range(8)]


def test_heads_that_differ_from_left_to_right_go_as_well() -> None:
    heads = ("Harbour report", "Orrin Ferries")
    pages = [f"{heads[n % 2]}\n{'abcdefghijkl'[n]} was repaired." for n in range(12)]
    assert reflow(pages) == [f"{'abcdefghijkl'[n]} was repaired." for n in range(12)]


def test_what_a_few_pages_share_stays() -> None:
    pages = [f"{'abcdefghijklmnop'[n]} was repaired." for n in range(16)]
    pages[6:10] = [f"Orrin Ferries and subsidiaries\n{page}" for page in pages[6:10]]
    assert all("subsidiaries" in page for page in reflow(pages)[6:10])


def test_two_pages_are_too_few_to_tell() -> None:
    pages = [printed(n, "Berths were repaired.") for n in (1, 2)]
    assert all("Harbour report" in page for page in reflow(pages))


def test_a_page_of_nothing_but_running_heads_is_empty() -> None:
    assert reflow([printed(n) for n in range(5)]) == [""] * 5


@given(st.lists(st.text(), max_size=6))
def test_any_pages_come_back_one_for_one(pages: list[str]) -> None:
    assert len(reflow(pages)) == len(pages)


WORDS = st.lists(st.from_regex(r"[a-z]{2,9}", fullmatch=True), min_size=1, max_size=60)


@given(WORDS, st.integers(20, 60))
def test_wrapping_loses_no_word(words: list[str], width: int) -> None:
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    assert one("\n".join(lines)).split() == words
