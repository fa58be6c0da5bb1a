from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.read.extract.records import Record, render


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
