"""What providers read out of an answer and put into a request: ids, periods, snippets."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.scope import Scope
from quaere.search.api import MEDLINE_LANGUAGES, Fields, described, doi_of, doi_url, period

MOTHS = "10.1234/moths.2031"


@pytest.mark.parametrize(
    "text",
    [
        MOTHS,
        f" doi: {MOTHS}\n",
        f"DOI:{MOTHS}",
        f"https://doi.org/{MOTHS}",
        f"http://dx.doi.org/{MOTHS}",
    ],
)
def test_a_doi_is_known_however_it_is_written(text: str) -> None:
    assert doi_of(text) == MOTHS


@pytest.mark.parametrize(
    "text", ["", "10.12/x", "10.1234/", f"see {MOTHS}", f"{MOTHS} and more", "https://a.org/10"]
)
def test_what_only_contains_a_doi_is_none(text: str) -> None:
    assert doi_of(text) == ""


@given(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=20))
def test_the_address_of_a_work_is_one_address(suffix: str) -> None:
    url = doi_url(f"10.1234/{suffix}")
    assert url.startswith("https://doi.org/10.1234/")
    assert not set(url) & set(" ?#<>\"'%") - {"%"}
    assert doi_url("") == ""


def test_what_every_address_may_hold_stays_readable() -> None:
    assert doi_url("10.1002/(SICI)1;2:3").endswith("/10.1002/(SICI)1;2:3")


@pytest.mark.parametrize("scope", [None, Scope(), Scope(languages=("de",))])
def test_a_scope_without_dates_has_no_period(scope: Scope | None) -> None:
    assert period(scope) is None


@given(st.none() | st.dates(date(1700, 1, 1)), st.none() | st.dates(date(1700, 1, 1)))
def test_a_period_has_both_ends_in_order_and_keeps_those_that_are_given(
    after: date | None, before: date | None
) -> None:
    if (after and before and after > before) or not (after or before):
        return
    found = period(Scope(published_after=after, published_before=before))
    assert found is not None
    first, last = found
    assert first == (after or date(1800, 1, 1))
    today = datetime.now(UTC).date()
    if before:
        assert last == before
    else:
        # The day may have ended since it was asked for.
        assert last in {max(first, day) for day in (today, today - timedelta(days=1))}


def test_a_snippet_names_the_parts_that_are_there_and_begins_the_abstract() -> None:
    assert described(" It\n flies. ", "J. Moths.", "", " 2031 ") == "J. Moths. 2031. It flies."
    assert described("", "J. Moths", "2031") == "J. Moths. 2031."
    assert described("It flies.") == "It flies."
    assert described("") == ""


def test_a_long_abstract_is_cut() -> None:
    told = described("lichen " * 100, "J. Moths")
    assert told.startswith("J. Moths. lichen lichen")
    assert 250 < len(told) < 350


@pytest.mark.parametrize(
    ("value", "text"),
    [(7, "7"), (-(10**18) + 1, str(-(10**18) + 1)), (10**18, ""), (True, ""), (1.5, ""), ([], "")],
)
def test_a_whole_number_of_a_size_that_ids_have_reads_as_text(value: object, text: str) -> None:
    assert Fields({"id": value}).text("id") == text


@pytest.mark.parametrize(
    ("value", "is_set"),
    [(True, True), ("yes", True), ("TRUE", True), ("n", False), (1, False), (None, False)],
)
def test_a_flag_is_true_or_says_so(value: object, *, is_set: bool) -> None:
    assert Fields({"flag": value}).flag("flag") is is_set


def test_fields_tell_what_is_there() -> None:
    fields = Fields({"a": None, "b": []})
    assert fields.names() == ("a", "b")
    assert "a" in fields
    assert "c" not in fields
    assert fields.has_list("b")
    assert not fields.has_list("a")


def test_codes_of_medline_are_three_letters() -> None:
    assert MEDLINE_LANGUAGES["de"] == "ger"
    assert {(len(two), len(three)) for two, three in MEDLINE_LANGUAGES.items()} == {(2, 3)}
