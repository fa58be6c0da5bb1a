"""Pages, their places, and ids that stay the same from run to run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.source import (
    LONGEST_LEAD_IN,
    LONGEST_LIST,
    Mark,
    Page,
    Passage,
    ReadStatus,
    headings_over,
    lead_in_over,
    passage_id,
    plain_headings,
    spanned_label,
)

TEXT = (
    "# gully\n\n## Options\n\n### keep\n\nDays.\n\n### level\n\nHow much.\n\n## Errors\n\nNone.\n"
)


@pytest.mark.parametrize(
    ("before", "headings"),
    [
        ("## Options", ""),
        ("Days", "## Options\n### keep"),
        ("### level", "## Options\n### keep"),
        ("How much", "## Options\n### level"),
        ("None", "## Errors"),
    ],
)
def test_a_heading_ends_those_of_its_level_and_below(before: str, headings: str) -> None:
    assert headings_over(TEXT, TEXT.index(before)) == headings


MANUAL = "HUSH(1)\n\nEXIT STATUS\n       It is 0.\n\nSEE ALSO\n       bell(1)\n\nNONE\n\nEnd.\n"


@pytest.mark.parametrize(
    ("before", "headings"),
    [("EXIT", ""), ("It is", "## EXIT STATUS"), ("bell", "## SEE ALSO"), ("End", "## SEE ALSO")],
)
def test_a_line_in_capitals_heads_what_is_indented_below_it(before: str, headings: str) -> None:
    assert headings_over(MANUAL, MANUAL.index(before)) == headings


def test_a_heading_that_begins_a_text_is_over_it() -> None:
    assert headings_over("## Options\n\nDays.\n", 12) == "## Options"


def test_a_place_is_reached_in_steps_as_at_once() -> None:
    at, path = 0, ""
    for end in (at for at in range(len(TEXT)) if TEXT[at - 1] == "\n"):
        path = headings_over(TEXT, end, path, start=at)
        at = end
        assert path == headings_over(TEXT, end)


def test_the_words_of_headings_have_no_marks() -> None:
    assert plain_headings("## Options\n### keep") == "Options\nkeep"


LEAD = "These need no key:"
ITEMS = "- one\n  of several\n- two\n\n- three"


@pytest.mark.parametrize(
    "text",
    [
        f"Some do. {LEAD}\n\n{ITEMS}",
        f"Above.\n\n{LEAD}\n{ITEMS}",
        f"{LEAD}\n1. one\n2) two\n- three",
        f"{LEAD}\n\n| name |\n|---|\n| one |\n- three",
    ],
)
def test_the_sentence_above_the_list_leads_in_each_item(text: str) -> None:
    assert lead_in_over(text, text.index("- three")) == LEAD


@pytest.mark.parametrize(
    "text",
    [
        f"No colon here.\n\n{ITEMS}",
        f"{LEAD}\n\nA paragraph.\n\n{ITEMS}",
        f"{'so ' * LONGEST_LEAD_IN}:\n\n{ITEMS}",
        "\n- ".join([LEAD, *["far"] * LONGEST_LIST, "three"]),
    ],
)
def test_without_a_sentence_with_a_colon_right_above_it_nothing_leads_in(text: str) -> None:
    assert lead_in_over(text, text.index("- three")) == ""


@pytest.mark.parametrize("lead", ["展示は次のとおりです。", "以下の設備がある："])
def test_japanese_leads_in_without_a_space_before(lead: str) -> None:
    text = f"館長は森です。{lead}\n\n- three"
    assert lead_in_over(text, text.index("- three")) == lead


def test_what_is_no_item_is_not_led_in() -> None:
    assert lead_in_over(f"{LEAD} three", len(LEAD) + 1) == ""


def test_a_stretch_keeps_its_lead_in_while_all_before_it_is_items() -> None:
    text = f"{ITEMS}\n\nThese do:\n\n- four"
    passage = Passage(id="a", url="a", title="", text=text, start=0, end=len(text), lead_in=LEAD)
    assert passage.stretch(text.index("- two"), len(text)).lead_in == LEAD
    assert passage.stretch(text.index("- four"), len(text)).lead_in == "These do:"
    assert passage.stretch(text.index("These"), len(text)).lead_in == ""


ANYTHING = st.text(st.characters())


def page(text: str = "Tides turn twice a day.", *marks: Mark) -> Page:
    return Page(url="file:///notes/tides.md", title="Tides", text=text, marks=marks)


@given(ANYTHING, st.integers(0, 10**9), ANYTHING)
def test_passage_ids_are_stable_and_short(url: str, start: int, text: str) -> None:
    one = passage_id(url, start, text)
    assert one == passage_id(url, start, text)
    assert len(one) == 16
    assert set(one) <= set("0123456789abcdef")


def test_passage_id_is_what_it_was() -> None:
    assert passage_id("file:///notes/tides.md", 0, "Tides turn.") == "795fc8c088bc08e7"


@given(
    st.lists(st.tuples(ANYTHING, st.integers(0, 99), ANYTHING), min_size=2, max_size=8, unique=True)
)
def test_different_places_or_words_have_different_ids(places: list[tuple[str, int, str]]) -> None:
    clear = [place for place in places if "\0" not in place[0] + place[2]]
    assert len({passage_id(*place) for place in clear}) == len(clear)


@given(ANYTHING)
def test_content_hash_depends_on_the_text_alone(text: str) -> None:
    one = page(text)
    other = Page(url="file:///other.md", title="Other", text=text)
    assert one.content_hash == other.content_hash
    assert one.content_hash != page(text + " ").content_hash


def test_content_hash_is_sha_256_of_the_utf_8_text() -> None:
    assert page("").content_hash == (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )


def test_records_of_older_versions_are_read_by_the_name_of_then() -> None:
    assert ReadStatus("blocked") is ReadStatus.BLOCKED
    with pytest.raises(ValueError, match="barred"):
        ReadStatus("barred")


def test_rows_of_a_whole_table_are_called_by_their_marks() -> None:
    marks = tuple(Mark(start=10 * row, label=f"row {row}") for row in (1, 2, 3))
    table = Passage(
        id="t", url="file:///a.csv", title="a", text="x" * 40, start=0, end=40, marks=marks
    )
    assert table.place_at(20, 30) == "row 2"
    assert table.place_at(10, 40) == "rows 1-3"
    assert table.place_at(0, 5) == ""
    assert spanned_label("page 2", "row 1") == "page 2 to row 1"


@pytest.mark.parametrize(
    ("first", "last", "label"),
    [
        ("row 2", "row 5", "rows 2-5"),
        ("row 2", "row 2", "row 2"),
        ("", "row 5", "row 5"),
        ("row 2", "", "row 2"),
        ("", "", ""),
        ("Intro", "Method", "Intro to Method"),
        ("Intro", "page 2", "Intro to page 2"),
        ("The old quay", "The old mole", "The old quay to The old mole"),
        ("12:04", "12:31", "12:04 to 12:31"),
        ("Berths row 2", "Berths row 5", "Berths rows 2-5"),
        ("Berths row 2", "Ships row 5", "Berths row 2 to Ships row 5"),
        ("Kapitel 1", "Kapitel 3", "Kapitel 1 to Kapitel 3"),
        ("The year 1914", "The year 1918", "The year 1914 to The year 1918"),
    ],
)
def test_a_stretch_is_called_by_where_it_begins_and_ends(first: str, last: str, label: str) -> None:
    assert spanned_label(first, last) == label


def test_a_place_of_a_page_is_called_by_the_mark_before_it() -> None:
    marked = page("x" * 30, Mark(start=5, label="page 1"), Mark(start=20, label="page 2"))
    assert [marked.label_at(at) for at in (0, 4, 5, 19, 20, 29, 1000)] == [
        *("", "", "page 1", "page 1", "page 2", "page 2", "page 2")
    ]


def test_a_list_within_an_item_is_led_in_to_by_that() -> None:
    text = (
        "The yard:\n\n- It is small. Not kept there:\n  - masts;\n  - sails;\n"
        "- Kept there:\n  - ropes\n- a gate\n"
    )
    over = {item: lead_in_over(text, text.index(item)) for item in ("- masts", "- sails")}
    assert set(over.values()) == {"Not kept there:"}
    assert lead_in_over(text, text.index("- ropes")) == "Kept there:"
    assert lead_in_over(text, text.index("- a gate")) == "The yard:"


def test_an_item_that_goes_on_leads_in_to_the_list_below_it() -> None:
    text = (
        "- Tern is small, and it\n  draws few letters. Not drawn:\n"
        "  - slanted ones;\n  - wide ones\n"
    )
    assert lead_in_over(text, text.index("- wide")) == "Not drawn:"
