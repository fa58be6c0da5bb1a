from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.read.documents import body

from quaere.domain.source import Mark, ReadStatus
from quaere.errors import ReadError
from quaere.read.extract.records import Record, RecordPages, line_at, lines_of, render
from quaere.read.formats import Format


def test_a_record_with_a_body_is_its_body() -> None:
    fields = [("doc_id", "17"), ("dataset", "x"), ("title", "Pell"), ("text", "Pell is a port.")]
    assert render(fields) == Record("Pell", "Pell is a port.")


def test_short_fields_follow_the_body_unless_they_keep_the_books() -> None:
    record = render(
        [
            ("sha256", "ab12"),
            ("Name", "Pell"),
            ("Abstract", "Pell is a port."),
            ("cars", "11"),
            ("source_url", "https://x.test"),
            ("remarks", "long " * 40),
        ]
    )
    assert record == Record("Pell", "Pell is a port.\n\ncars: 11")


def test_an_article_that_is_sold_is_a_field_like_others() -> None:
    ware = render([("Article", "Brass wheel"), ("Price", "12.50")])
    assert ware.text == "Article: Brass wheel; Price: 12.50"
    story = "The keeper of the light wrote down each ship that came in that winter, and its cargo."
    assert render([("Article", story), ("Price", "12.50")]).text.startswith(story)


def test_what_is_short_has_eighty_characters_at_most() -> None:
    ware, story = "w" * 80, "s" * 81
    assert render([("article", ware)]).text == f"article: {ware}"
    assert render([("article", story)]).text == story
    fields = [("text", "Pell."), ("a", ware), ("b", story), ("c", "two\nlines"), ("n" * 81, "1")]
    assert render(fields).text == f"Pell.\n\na: {ware}"


def test_a_record_without_a_body_is_all_its_fields() -> None:
    assert render([("name", "Pell"), ("cars", " 11 "), ("note", "")]) == Record(
        "Pell", "name: Pell; cars: 11"
    )


def test_author_date_and_language_are_told_apart() -> None:
    record = render(
        [("author", "M. Lind"), ("date", "2024-05-06T00:00"), ("lang", "DE"), ("text", "Fähre")]
    )
    assert (record.author, record.published, record.language) == ("M. Lind", "2024-05-06", "de")


def test_a_date_in_words_is_no_iso_date() -> None:
    assert render([("date", "last May"), ("text", "x")]).published == ""


def test_an_empty_record_has_no_text() -> None:
    assert render([("name", " "), ("text", "")]).text == ""


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=100)), max_size=8))
def test_any_fields_can_be_rendered(fields: list[tuple[str, str]]) -> None:
    record = render(fields)
    assert bool(record.text) == any(value.strip() for _, value in fields)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\nb", ["a", "", "b"]),
        ("\na", ["", "a"]),
    ],
)
def test_lines_come_without_their_ends(text: str, lines: list[str]) -> None:
    assert list(lines_of(text)) == lines


def test_a_line_is_told_with_where_the_next_one_begins() -> None:
    assert line_at("ab\ncd", 0) == ("ab", 3)
    assert line_at("ab\ncd", 1) == ("b", 3)
    assert line_at("ab\ncd", 3) == ("cd", 5)


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        (("cars", "x" * 80), True),
        (("cars", "x" * 81), False),
        (("c" * 81, "11"), False),
        (("cars", "11\n12"), False),
        (("Lang", "eng"), False),
        (("shard", "7"), False),
    ],
)
def test_short_fields_of_one_line_are_shown_with_a_body(
    field: tuple[str, str], *, shown: bool
) -> None:
    text = render([("text", "Pell is a port."), field]).text
    assert text == "Pell is a port." + (f"\n\n{field[0]}: {field[1]}" if shown else "")


def pages() -> RecordPages:
    return RecordPages(body("x", "ports.csv"), Format.CSV, "row")


def test_a_record_is_a_page_of_its_own() -> None:
    made = pages()
    page = made.page(7, [("name", "Pell"), ("lang", "english"), ("author", "M. Lind")])
    assert page is not None
    assert page.url.endswith("ports.csv#row=7")
    assert (page.title, page.marks) == ("Pell", (Mark(start=0, label="row 7"),))
    assert (page.language, page.author) == ("en", "M. Lind")
    unnamed = made.page(8, [("cars", "11")])
    assert unnamed is not None
    assert unnamed.title == "ports.csv row 8"
    made.close()


def test_a_file_without_a_record_is_empty() -> None:
    made = pages()
    assert made.page(1, [("name", " ")]) is None
    with pytest.raises(ReadError) as caught:
        made.close()
    assert caught.value.status is ReadStatus.EMPTY


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        (1, "was read but for 1 of 3 records (line 1: torn); correct these"),
        (3, "3 of 5 records (line 1: torn; line 2: torn; line 3: torn); correct"),
        (4, "4 of 6 records (line 1: torn; line 2: torn; line 3: torn; ...); correct"),
    ],
)
def test_of_records_that_are_lost_some_are_named(lost: int, told: str) -> None:
    made = pages()
    assert made.page(1, [("name", "Pell")])
    assert made.page(2, [("name", "Morn")])
    for number in range(1, lost + 1):
        made.lose(f"line {number}", "torn")
    with pytest.raises(ReadError) as caught:
        made.close()
    assert caught.value.status is ReadStatus.BROKEN
    assert told in str(caught.value)
