"""What services answer is read without trusting its form."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.timing import cpu_s

from quaere.domain.scope import Scope
from quaere.errors import SearchError
from quaere.search.api import (
    MEDLINE_LANGUAGES,
    Fields,
    described,
    doi_of,
    doi_url,
    fields_of,
    from_parts,
    iso_date,
    items_of,
    line,
    one_line,
    paragraphs,
    parse_html,
    parse_xml,
    period,
    shortened,
    words_at,
    words_of,
)

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


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<strong>Salt</strong> &amp; lichen", "Salt & lichen"),
        ("p < 0.05 and n > 3", "p < 0.05 and n > 3"),
        ("&lt;b&gt; is a tag", "<b> is a tag"),
        ("H<sub>2</sub>O", "H2O"),
        ("one<br/>two<p>three", "one two three"),
        ("a<!-- hidden -->b", "ab"),
        ("tab\there\x00\u200b\u202e", "tab here"),
        ("\ud800 alone", "\ufffd alone"),
        ("caf&eacute; &#8212; &nbsp;x", "café — x"),
    ],
)
def test_a_line_is_what_a_reader_sees(markup: str, text: str) -> None:
    assert line(markup) == text


def test_plain_text_keeps_its_brackets() -> None:
    assert one_line(" a <b> &amp;\n c ") == "a <b> &amp; c"


@pytest.mark.parametrize(
    ("text", "short"),
    [("one two three", "one two…"), ("abcdefghijklm", "abcdefghi…"), ("one two", "one two")],
)
def test_long_text_is_cut_behind_a_word(text: str, short: str) -> None:
    assert shortened(text, 10) == short


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<h4>Aims</h4>To see.<h4>Results: </h4>Seen.", "Aims: To see.\n\nResults: Seen."),
        ("<p>One.</p><p>Two.</p>", "One.\n\nTwo."),
        ("<jats:title>Abstract</jats:title>\n<jats:p>All.</jats:p>", "All."),
        ("<h4></h4>No heading", "No heading"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_paragraphs_have_their_headings_in_front(markup: str, text: str) -> None:
    assert paragraphs(markup) == text


@given(st.text(alphabet=st.characters() | st.sampled_from("<>&;/!-\n\ud800"), max_size=200))
def test_any_markup_is_taken(text: str) -> None:
    shown = line(text, 50)
    assert len(shown) <= 50
    assert "\n" not in shown
    shown.encode()
    paragraphs(text).encode()


@pytest.mark.parametrize("piece", ["<!--", "<p ", "<h4>", "&#", " ", "\n", "<h4> ", "<b"])
def test_hostile_markup_takes_no_time(piece: str) -> None:
    text = piece * 300_000
    assert cpu_s(lambda: (line(text), paragraphs(text)), enough_s=1) <= 1


BOMB = '<?xml version="1.0"{}?><!DOCTYPE a [<!ENTITY x "boom">]><a>&x;</a>'


@pytest.mark.parametrize(
    "data",
    [
        BOMB.format("").encode(),
        BOMB.format(' encoding="utf-16"').encode("utf-16"),
        BOMB.format(' encoding="UTF-7"').replace("<!", "<+ACE-").encode(),
    ],
)
def test_xml_that_declares_entities_is_refused_in_every_encoding(data: bytes) -> None:
    with pytest.raises(SearchError, match="moths answered with XML that is broken or declares"):
        parse_xml("moths", data)


@pytest.mark.parametrize("data", [b"", b"<a>", b"busy", b"<a></b>"])
def test_what_is_no_xml_is_an_error_of_the_service(data: bytes) -> None:
    with pytest.raises(SearchError, match="moths answered with XML that is broken"):
        parse_xml("moths", data)


@pytest.mark.parametrize("data", [b"", b"<!-- nothing -->"])
def test_what_is_no_html_is_an_error_of_the_service(data: bytes) -> None:
    with pytest.raises(SearchError, match="moths answered with something that is not HTML"):
        parse_html("moths", data)


def test_words_are_read_without_what_nobody_sees() -> None:
    root = parse_html("moths", "<p>Caf\u00e9 <!-- hidden --> by <b>night</b>\n</p><?x y?>".encode())
    assert words_of(root) == "Caf\u00e9 by night"
    record = parse_xml("moths", b"<a><b>one <i>two</i></b><b>three</b></a>")
    assert words_at(record, "b") == "one two"
    assert words_at(record, "c") == words_of(None) == ""
