"""Reading JSON without trusting its form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.errors import SearchError
from quaere.search.api import Fields, fields_of, from_parts, iso_date, items_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
)


def test_what_is_there_is_read() -> None:
    inner: dict[str, object] = {"i": {"t": "deep"}}
    listed: list[object] = ["a", 1, inner]
    fields = Fields({"t": "x", "n": 7, "f": 0.5, "yes": "Y", "o": inner, "l": listed})
    assert (fields.text("t"), fields.text("n"), fields.number("f")) == ("x", "7", 0.5)
    assert fields.flag("yes")
    assert fields.inner("o", "i").text("t") == "deep"
    assert fields.texts("l") == ("a",)
    assert len(fields.each("l")) == 1


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, True, "1", None])
def test_what_is_no_number_counts_nothing(value: object) -> None:
    assert Fields({"n": value}).number("n") == 0.0


@given(JSON)
def test_no_form_is_too_odd(value: object) -> None:
    fields = Fields({"x": value})
    assert isinstance(fields.text("x"), str)
    assert isinstance(fields.number("x"), float)
    assert isinstance(fields.flag("x"), bool)
    assert fields.inner("x", "a", "b").names() is not None
    assert all(isinstance(each, Fields) for each in fields.each("x"))


@pytest.mark.parametrize("answer", [None, [], "x", 5])
def test_an_answer_is_an_object(answer: object) -> None:
    with pytest.raises(SearchError, match="moths returned an answer in an undocumented form"):
        fields_of("moths", answer)


@pytest.mark.parametrize("items", [None, {}, "x", [None], [1, "x"]])
def test_a_list_of_objects_is_one(items: object) -> None:
    with pytest.raises(SearchError, match="moths"):
        items_of("moths", Fields({"items": items}), "items")


def test_an_empty_list_is_no_error() -> None:
    assert items_of("moths", Fields({"items": []}), "items") == ()


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2024-03-05", "2024-03-05"),
        ("2024-03-05T17:59:59Z", "2024-03-05"),
        ("2024-03", "2024-03"),
        ("2024", "2024"),
        ("2024-02-31", "2024-02"),
        ("2024-13-01", "2024"),
        ("Mar 5, 2024", "2024-03-05"),
        ("5 March 2024", "2024-03-05"),
        ("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05"),
        ("3 days ago", ""),
        ("the 1990s", ""),
        ("0000-00-00", ""),
        ("20240305", ""),
        ("", ""),
    ],
)
def test_dates_are_iso(text: str, date: str) -> None:
    assert iso_date(text) == date


@pytest.mark.parametrize(
    ("parts", "date"),
    [
        (("2020", "Nov", "9"), "2020-11-09"),
        (("2020", "november", ""), "2020-11"),
        (("2020", "9", "31"), "2020-09"),
        (("2020", "", "9"), "2020"),
        (("2020", "1", "1"), "2020-01-01"),
        (("2020", "12", "31"), "2020-12-31"),
        (("2020", "Dec", ""), "2020-12"),
        (("2020", "13", "1"), "2020"),
        (("2020", "0", "1"), "2020"),
        (("0200", "1", "1"), ""),
        (("２０２０", "1", "1"), ""),
        (("None",), ""),
    ],
)
def test_parts_that_cannot_be_are_left_out(parts: tuple[str, ...], date: str) -> None:
    assert from_parts(*parts) == date


@given(st.text(max_size=120))
def test_any_text_is_taken(text: str) -> None:
    assert len(iso_date(text)) in {0, 4, 7, 10}
