"""What a source is called where it is shown, and where it is."""

from __future__ import annotations

import pytest
from tests.verify.samples import BRIDGE, entry, passage, quote

from quaere.synthesize.places import MAX_TITLE_CHARS, location, locator_of, shown_title

HERE = passage(BRIDGE, title="Bridge")
WORDS = quote(HERE, "It spans 312 metres")


def called(title: str, of_entry: str = "", url: str = "", locator: str = "") -> str:
    here = HERE.model_copy(update={"title": title})
    kept = entry(1, HERE).model_copy(update={"title": of_entry})
    return shown_title(kept, here, url, locator)


@pytest.mark.parametrize(
    ("title", "of_entry", "url", "shown"),
    [
        ("Bridge", "Other", "https://a.example/x", "Bridge"),
        ("", "Other", "https://a.example/x", "Other"),
        ("", "", "https://a.example/x", "https://a.example/x"),
        ("", "", "file:///notes/a%20b.md", "/notes/a b.md"),
        ("", "", "", "Untitled"),
    ],
)
def test_a_source_is_called_by_its_title_else_by_where_it_is(
    title: str, of_entry: str, url: str, shown: str
) -> None:
    assert called(title, of_entry, url) == shown


def test_a_title_is_as_long_as_it_may_be_and_no_longer() -> None:
    assert called("T" * MAX_TITLE_CHARS) == "T" * MAX_TITLE_CHARS
    assert called("T" * (MAX_TITLE_CHARS + 1)) == "T" * (MAX_TITLE_CHARS - 1) + "…"
    spaced = "T" * (MAX_TITLE_CHARS - 2) + " TTT"
    assert called(spaced).endswith("T…")


@pytest.mark.parametrize(
    ("url", "locator", "shown"),
    [
        ("https://a.example/x#part", "page 3", "https://a.example/x#part, page 3"),
        ("https://a.example/x", "", "https://a.example/x"),
        ("file:///notes/a.csv#row%3D12", "", "/notes/a.csv#row=12"),
        ("file:///notes/a.csv#row%3D12", "row 12", "/notes/a.csv, row 12"),
        ("", "page 3", "no address, page 3"),
        ("", "", "no address"),
    ],
)
def test_a_place_is_a_path_or_an_address_with_the_place_in_it(
    url: str, locator: str, shown: str
) -> None:
    assert location(url, locator) == shown


@pytest.mark.parametrize(
    ("of_passage", "of_entry", "shown"),
    [("page 2", "page 9", "page 2"), ("", "page 9", "page 9"), ("", "", "")],
)
def test_the_place_in_a_source_is_that_of_its_passage_first(
    of_passage: str, of_entry: str, shown: str
) -> None:
    here = HERE.model_copy(update={"locator": of_passage})
    kept = entry(1, HERE).model_copy(update={"locator": of_entry})
    assert locator_of(kept, here, WORDS) == shown
