"""Plain text from what services mark up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.timing import cpu_s

from quaere.errors import SearchError
from quaere.search.markup import (
    line,
    one_line,
    paragraphs,
    parse_html,
    parse_xml,
    shortened,
    words_at,
    words_of,
)


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
def test_any_text_is_taken(text: str) -> None:
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
    "data", [BOMB.format("").encode(), BOMB.format(' encoding="utf-16"').encode("utf-16")]
)
def test_xml_that_declares_entities_is_refused_in_every_encoding(data: bytes) -> None:
    with pytest.raises(SearchError, match="moths answered with XML that declares entities"):
        parse_xml("moths", data)


@pytest.mark.parametrize("data", [b"", b"<a>", b"busy", b"<a></b>"])
def test_what_is_no_xml_is_an_error_of_the_service(data: bytes) -> None:
    with pytest.raises(SearchError, match="moths answered with something that is not XML"):
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
