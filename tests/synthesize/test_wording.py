"""Outcomes and costs in words and columns, and what sources are called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verify.samples import BRIDGE, entry, passage, quote

from quaere.domain.model import ModelCall, Usage
from quaere.domain.report import Checks
from quaere.synthesize.wording import (
    MAX_TITLE_CHARS,
    calls_in_words,
    checks_in_words,
    columns,
    counted,
    format_usd,
    headline,
    location,
    locator_of,
    place_in,
    shown_title,
)
from quaere.text.languages.language import languages

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
        ("file:///notes/a.csv#row=12", "rows 12-14", "/notes/a.csv, rows 12-14"),
        ("file:///a.mbox#message=9", "message 9", "/a.mbox, message 9"),
        ("file:///a.mbox#message=9&attachment=2", "message 9", "/a.mbox, message 9, attachment 2"),
        (
            "file:///a.mbox#message=9&attachment=2&row=1",
            "row 1",
            "/a.mbox, message 9, attachment 2, row 1",
        ),
        ("file:///a.eml#attachment=1", "page 2", "/a.eml, attachment 1, page 2"),
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


@pytest.mark.parametrize(
    ("language", "place", "shown"),
    [
        ("de", "plan.pptx, slide 3", "plan.pptx, Folie 3"),
        ("fr", "page 2", "page 2"),
        ("ja", "slides 3-4", "スライド3-4"),
        ("de", "landslide 3", "landslide 3"),
        ("de", "talk.mbox, message 7, row 3", "talk.mbox, Nachricht 7, Tabellenzeile 3"),
        ("es", "messages 2-4", "mensajes 2-4"),
        ("fr", "item 3", "élément 3"),
    ],
)
def test_a_place_is_told_in_the_language_of_the_report(
    language: str, place: str, shown: str
) -> None:
    assert place_in(place, languages()[language].frame.account) == shown


def call(cost_usd: float | None, *, estimated: bool = False) -> ModelCall:
    usage = Usage(prompt_tokens=3_000, completion_tokens=1_115, estimated=estimated)
    return ModelCall(step="plan", model="openai:moth", usage=usage, cost_usd=cost_usd)


@pytest.mark.parametrize(
    ("calls", "line"),
    [
        ([], ""),
        ([call(0.001)], "1 model call, 4,115 tokens, $0.001"),
        ([call(0.001), call(0.002), call(0.001)], "3 model calls, 12,345 tokens, $0.004"),
        ([call(0.0)], "1 model call, 4,115 tokens, $0"),
        ([call(None)], "1 model call, 4,115 tokens, price not known"),
        (
            [call(None), call(0.25), call(None)],
            "3 model calls, 12,345 tokens, $0.25 and 2 of unknown price",
        ),
        (
            [call(1.0), call(0.5, estimated=True)],
            "2 model calls, about 8,230 tokens, $1.50",
        ),
    ],
)
def test_a_ledger_is_one_line(calls: list[ModelCall], line: str) -> None:
    assert calls_in_words(calls) == line


@pytest.mark.parametrize(
    ("usd", "shown"),
    [
        (0.0, "$0"),
        (0.00001, "under $0.0001"),
        (0.0001, "$0.0001"),
        (0.01084, "$0.0108"),
        (0.2, "$0.20"),
        (0.99999, "$1.00"),
        (1.006, "$1.01"),
        (12_345.6, "$12,345.60"),
    ],
)
def test_money_is_shown_as_finely_as_calls_cost(usd: float, shown: str) -> None:
    assert format_usd(usd) == shown


@given(st.floats(min_value=0.0001, max_value=1e6))
def test_what_is_shown_is_what_it_is(usd: float) -> None:
    shown = float(format_usd(usd).removeprefix("$").replace(",", ""))
    assert shown == pytest.approx(usd, abs=0.0051 if usd >= 1 else 0.000051)


@pytest.mark.parametrize(
    ("checks", "line"),
    [
        (Checks(written=1, supported=1), "Of 1 sentence written, 1 was supported as it was,"),
        (Checks(written=3, supported=2), "Of 3 sentences written, 2 were supported as they were,"),
    ],
)
def test_one_sentence_is_not_counted_as_many(checks: Checks, line: str) -> None:
    assert checks_in_words(checks) == f"{line} 0 repaired, 0 marked and 0 dropped."


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0 queries"), (1, "1 query"), (2, "2 queries"), (2_000, "2,000 queries")],
)
def test_a_number_has_its_noun_in_the_plural_where_it_is_not_one(number: int, told: str) -> None:
    assert counted(number, "query", "queries") == told


def test_a_plural_that_is_not_named_ends_in_s() -> None:
    assert (counted(1, "page"), counted(3, "page")) == ("1 page", "3 pages")


def test_columns_are_as_wide_as_their_widest_cell_and_lines_end_without_spaces() -> None:
    assert columns([("", "-", "+"), ("tokens", "12", "3,400")]) == (
        "        -   +\ntokens  12  3,400\n"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Who built\n the mill?", "Who built the mill?"),
        ("m" * 60, "m" * 60),
        ("m" * 61, "m" * 59 + "…"),
        ("m" * 58 + " and when?", "m" * 58 + "…"),
    ],
)
def test_a_headline_says_that_it_was_cut(text: str, shown: str) -> None:
    assert headline(text) == shown
