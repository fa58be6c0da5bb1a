"""A link finds the words of a quote on its page, whatever else the page says."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.view.export.citations import EDGE_CHARS, EXACT_CHARS, fragment_link, text_directive

LONG = (
    "The river rose by two metres in one night, and the lower town was under water before anybody "
    "had been told to leave, so that forty families lost what they had in their cellars."
)


def test_a_short_quote_is_given_as_it_stands_with_its_hyphens_encoded() -> None:
    assert text_directive("A well-known, short quote.") == (
        "text=A%20well%2Dknown%2C%20short%20quote."
    )


def test_a_long_quote_is_given_by_its_first_and_its_last_words() -> None:
    start, end = unquote(text_directive(LONG).removeprefix("text=")).split(",")
    assert LONG.startswith(f"{start} ")
    assert LONG.endswith(f" {end}")


@given(st.integers(1, 40))
def test_the_limit_decides_whether_a_quote_is_cut(count: int) -> None:
    quote = " ".join(["river"] * count)
    assert ("," in text_directive(quote)) == (len(quote) > EXACT_CHARS)


@given(st.text("ab c", min_size=1, max_size=300).filter(lambda text: bool(text.strip())))
def test_neither_end_is_longer_than_an_edge_or_a_short_quote(words: str) -> None:
    parts = text_directive(words).removeprefix("text=").split(",")
    most = EDGE_CHARS if len(parts) > 1 else EXACT_CHARS
    assert all(len(unquote(part)) <= most for part in parts)


def test_words_that_the_page_has_before_get_those_in_front_of_them_as_their_prefix() -> None:
    told = text_directive("It rose.", before="It rose. Then the wind came.")
    assert unquote(told) == "text=It rose. Then the wind came.-,It rose."
    assert text_directive("It rose.", before="The wind came.") == "text=It%20rose."


def test_an_end_that_the_quote_has_twice_gets_what_follows_as_its_suffix() -> None:
    quote = "First the mill burned down.\nThen the barn.\nFirst the mill burned down."
    assert text_directive(quote, after="Nobody came.").endswith(",-Nobody%20came.")
    assert text_directive(quote).endswith("First%20the%20mill%20burned%20down.")


def test_of_several_lines_those_count_that_are_long_enough_to_be_found() -> None:
    told = text_directive("Go\n\nThe first line\n\nmid\n\nThe last line\n\n1861")
    assert unquote(told) == "text=The first line,The last line"


def test_of_short_lines_alone_the_first_and_the_last_count() -> None:
    assert text_directive("Plan | Price | Users") == "text=Plan,Users"


@pytest.mark.parametrize("words", ["", "---", "| --- | --- |"])
def test_what_holds_no_word_has_no_directive(words: str) -> None:
    assert text_directive(words) == ""
    assert fragment_link("https://example.org/a", words) == "https://example.org/a"


@pytest.mark.parametrize(
    ("url", "locator", "expected"),
    [
        ("https://example.org/a", "page 3", "https://example.org/a"),
        ("https://example.org/a.PDF", "", "https://example.org/a.PDF"),
        ("javascript:alert(1)", "", ""),
        ("https://example.org/a#mill", "", "https://example.org/a#mill:~:text=It%20rose."),
    ],
    ids=["a page of a document", "a document", "no web page", "an element of a page"],
)
def test_only_what_stands_on_a_web_page_is_linked_by_its_words(
    url: str, locator: str, expected: str
) -> None:
    assert fragment_link(url, "It rose.", locator=locator) == expected
