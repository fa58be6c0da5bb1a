"""The list of sources, the markers that lead to it, and BibTeX and RIS."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.faces.cli import samples

from quaere.domain.report import Citation, Quote, Report, Sentence, Support
from quaere.view.export.citations import (
    EDGE_CHARS,
    EXACT_CHARS,
    MARKER_CHARS,
    Citations,
    bibtex,
    fragment_link,
    ris,
    text_directive,
)
from quaere.view.export.document import Marker, Source, Tone, Words

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


def test_a_beginning_that_what_is_left_out_has_as_well_gets_it_as_its_prefix() -> None:
    name = "k" * EXACT_CHARS
    assert text_directive(f"Aha\nA {name}").startswith("text=Aha-,A,")
    assert text_directive(f"Eh\nA {name}").startswith("text=A,")


def test_an_end_that_the_quote_has_twice_gets_what_follows_as_its_suffix() -> None:
    quote = "First the mill burned down.\nThen the barn.\nFirst the mill burned down."
    assert text_directive(f"{quote}\n1861").endswith(",-1861")
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
        ("https://example.org/talk", "slide 3", "https://example.org/talk"),
        ("https://example.org/a.PDF", "", "https://example.org/a.PDF"),
        ("https://example.org/a.ods", "", "https://example.org/a.ods"),
        ("javascript:alert(1)", "", ""),
        ("https://example.org/a#mill", "", "https://example.org/a#mill:~:text=It%20rose."),
    ],
    ids=["a page", "a slide", "a document", "a spreadsheet", "no web page", "an element of a page"],
)
def test_only_what_stands_on_a_web_page_is_linked_by_its_words(
    url: str, locator: str, expected: str
) -> None:
    assert fragment_link(url, "It rose.", locator=locator) == expected


@given(st.lists(st.text("ab", min_size=1, max_size=EDGE_CHARS - 1), min_size=1, max_size=60))
def test_an_edge_is_as_many_whole_words_as_fit(words: list[str]) -> None:
    quote = " ".join(words)
    if len(quote) <= EXACT_CHARS:
        return
    start, end = unquote(text_directive(quote).removeprefix("text=")).split(",")
    opening = [" ".join(words[:n]) for n in range(1, len(words) + 1)]
    closing = [" ".join(words[-n:]) for n in range(1, len(words) + 1)]
    assert start == max((each for each in opening if len(each) <= EDGE_CHARS), key=len)
    assert end == max((each for each in closing if len(each) <= EDGE_CHARS), key=len)


def test_an_edge_without_a_pause_is_cut_where_it_is_full() -> None:
    start, end = unquote(text_directive("ab" * EXACT_CHARS).removeprefix("text=")).split(",")
    assert len(start) == len(end) == EDGE_CHARS


def cited(number: int, quote: str = "It rose.", locator: str = "") -> Citation:
    passage = f"p{number}"
    return Citation(
        id=number,
        evidence=number + 10,
        title=f"Source {number}",
        url="https://a.org",
        type="web",
        location="",
        locator=locator,
        quote=Quote(passage=passage, text=quote, start=0, end=len(quote)),
    )


CITED = Citations([cited(1), cited(2, "The mill burned.", "page 3")])


def test_markers_stand_where_the_sentence_has_them_and_show_what_it_rests_on() -> None:
    own = Quote(passage="p2", text="burned down", start=0, end=11)
    said = Sentence(
        text="It rose.", evidence=(12, 11, 99), quotes=(own,), support=Support.SUPPORTED
    )
    line = CITED.line(said, "It rose [2] and fell [1].")
    assert line == (
        Words("It rose "),
        Marker(2, "burned down", "Source 2, page 3"),
        Words(" and fell "),
        Marker(1, "It rose.", "Source 1"),
        Words("."),
    )
    assert CITED.numbers(said.evidence) == [1, 2], "what is not cited has no number"
    assert CITED.of_passages(["p2", "p9", "p1", "p2"]) == CITED.markers([1, 2])


def test_of_several_quotes_of_a_source_the_first_is_shown() -> None:
    quotes = tuple(Quote(passage="p1", text=text, start=0, end=5) for text in ("first", "other"))
    said = Sentence(text="It rose.", quotes=quotes, support=Support.SUPPORTED)
    assert CITED.line(said, "[1]") == (Marker(1, "first", "Source 1"),)


@pytest.mark.parametrize(
    ("support", "tones"),
    [
        (Support.SUPPORTED, [Tone.PLAIN, Tone.STRONG, Tone.CODE]),
        (Support.CONTRADICTED, [Tone.DOUBT, Tone.DOUBT, Tone.CODE]),
    ],
)
def test_a_doubt_is_louder_than_what_is_stressed_but_code_stays_code(
    support: Support, tones: list[Tone]
) -> None:
    said = Sentence(text="x", support=support)
    line = CITED.line(said, "It **rose**`[1]`")
    assert [part.tone for part in line if isinstance(part, Words)] == tones


@pytest.mark.parametrize("more", [0, 1])
def test_a_long_quote_is_cut_next_to_its_marker(more: int) -> None:
    long = Citations([cited(1, "x" * (MARKER_CHARS + more))])
    (marker,) = long.markers([1])
    assert isinstance(marker, Marker)
    assert len(marker.quote) == MARKER_CHARS
    assert marker.quote.endswith("…") is bool(more)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        pytest.param("x" * EXACT_CHARS, ["x" * EXACT_CHARS], id="just short enough"),
        pytest.param("x" * (EXACT_CHARS + 1), ["x" * EDGE_CHARS] * 2, id="one too long"),
        pytest.param("a " + "x" * EXACT_CHARS, ["a", "x" * EDGE_CHARS], id="a word of one letter"),
        pytest.param(
            "字" * EXACT_CHARS + "。",
            ["字" * EDGE_CHARS, "字" * (EDGE_CHARS - 1) + "。"],
            id="a pause at the end alone",
        ),
        pytest.param(
            "字" * 30 + "。" + "字" * 50 + "、" + "字" * 30,
            ["字" * 30, "字" * 30],
            id="pauses without spaces",
        ),
        pytest.param("Go\nsix ch\nfive5", ["six ch"], id="six letters are enough"),
        pytest.param("## 3. The mill\n- It burned", ["The mill", "It burned"], id="marks of lines"),
    ],
)
def test_a_quote_is_cut_where_a_browser_finds_it(words: str, parts: list[str]) -> None:
    told = text_directive(words).removeprefix("text=").split(",")
    assert list(map(unquote, told)) == parts


def test_what_follows_an_end_may_be_of_the_quote_itself() -> None:
    quote = "The mill burned\nThe barn stood\nThe mill burned\n1861\n1862"
    assert unquote(text_directive(quote)).endswith(",The mill burned,-1861")


def test_an_address_keeps_its_element_and_gets_one_directive() -> None:
    url = "https://example.org/a#mill:~:text=old"
    assert fragment_link(url, "It rose.") == "https://example.org/a#mill:~:text=It%20rose."
    assert fragment_link("https://example.org/a.html", "It rose.") == (
        "https://example.org/a.html#:~:text=It%20rose."
    )


def test_the_list_of_sources_tells_where_when_and_what_was_read() -> None:
    read = cited(1, "It\nrose.", "section 2").model_copy(
        update={"retrieved_at": "2026-01-02T03:04:05Z", "content_hash": "ab12"}
    )
    local = cited(2).model_copy(
        update={"url": "file:///notes/mill.md", "type": "folder", "location": "/notes/mill.md"}
    )
    section = Citations([local, read]).section("Sources")
    assert (section.id, section.title) == ("sources", "Sources")
    second, first = section.blocks
    assert isinstance(first, Source)
    assert isinstance(second, Source)
    assert (first.number, first.title, first.quote) == (1, "Source 1", "It rose.")
    assert first.href.startswith("https://a.org")
    assert (first.file, first.place) == ("", "section 2")
    assert first.facts == ("web", "read 2026-01-02T03:04:05Z", "SHA-256 ab12")
    assert (second.href, second.place) == ("", "/notes/mill.md")
    assert second.file == "file:///notes/mill.md"
    assert second.facts == ("folder",)


def test_rows_that_are_quoted_are_told_on_one_line() -> None:
    table = cited(1, "| Berth | Depth |\n| --- | --- |\n| Four | 3 m |")
    (source,) = Citations([table]).section("Sources").blocks
    assert isinstance(source, Source)
    assert source.quote == "Berth | Depth / Four | 3 m"


def test_the_words_beside_a_marker_end_without_a_space_before_the_dots() -> None:
    (marker,) = Citations([cited(1, "x" * (MARKER_CHARS - 2) + " yz")]).markers([1])
    assert isinstance(marker, Marker)
    assert marker.quote == "x" * (MARKER_CHARS - 2) + "…"


(CITATION,) = samples.report().citations
PAPER = CITATION.model_copy(
    update={
        "title": "Mühlen am Orrin",
        "url": "https://example.org/mills",
        "author": "Tamsin Wray; Ida Holm and Per Lund",
        "published": "2024-05-17T09:00:00Z",
        "retrieved_at": "2026-01-02T03:04:05Z",
        "type": "web",
        "locator": "",
    }
)


def test_a_key_is_number_site_and_title_or_the_number_alone() -> None:
    nameless = CITATION.model_copy(update={"title": "…", "url": "", "type": "…"})
    report = samples.report().model_copy(update={"citations": (PAPER, nameless)})
    told = [line.removeprefix("ID  - ") for line in ris(report).split("\r\n") if "ID  - " in line]
    assert told == ["src1-example-org-muhlen-am-orrin", "src1"]


def test_ris_has_a_line_for_all_that_is_known_in_its_order() -> None:
    report = samples.report().model_copy(update={"citations": (PAPER,)})
    told = [tuple(line.split("  - ")) for line in ris(report).split("\r\n") if line]
    assert told[:-2] == [
        ("TY", "ELEC"),
        ("ID", "src1-example-org-muhlen-am-orrin"),
        ("TI", "Mühlen am Orrin"),
        ("AU", "Tamsin Wray"),
        ("AU", "Ida Holm"),
        ("AU", "Per Lund"),
        ("PY", "2024"),
        ("DA", "2024/05/17"),
        ("UR", "https://example.org/mills"),
        ("Y2", "2026/01/02"),
    ]
    assert told[-2][0] == "N2"
    assert told[-1] == ("ER", "")


def test_a_source_without_a_url_is_where_its_passage_is() -> None:
    told = ris(samples.report()).split("\r\n")
    assert told[0] == "TY  - GEN"
    assert "N1  - mill.pdf, page 3" in told
    assert not any(line.startswith(("UR", "PY", "AU", "DO")) for line in told)
    assert "note = {mill.pdf, page 3}" in bibtex(samples.report())


def test_a_source_that_is_cited_twice_is_one_entry_with_both_places() -> None:
    quote = CITATION.quote.model_copy(update={"text": "It has two wheels."})
    again = CITATION.model_copy(update={"id": 2, "locator": "page 9", "quote": quote})
    report = samples.report().model_copy(update={"citations": (CITATION, again, PAPER)})
    assert bibtex(report).count("@") == ris(report).count("TY  - ") == 2
    assert "note = {mill.pdf, page 3; page 9}" in bibtex(report)
    assert "N1  - mill.pdf, page 3; page 9\r\n" in ris(report)
    assert f"N2  - {CITATION.quote.text} … It has two wheels.\r\n" in ris(report)


def test_rows_of_a_table_are_told_apart_in_a_reference_and_have_no_marks_around_them() -> None:
    rows = "| Rye | 40 |\n| --- | --- |\n| Oats | 12 |"
    quote = CITATION.quote.model_copy(update={"text": rows})
    cited = CITATION.model_copy(update={"quote": quote})
    report = samples.report().model_copy(update={"citations": (cited,)})
    assert "N2  - Rye | 40 / Oats | 12\r\n" in ris(report)


@pytest.mark.parametrize("form", [bibtex, ris])
def test_a_doi_in_an_address_holds_nothing_that_a_terminal_would_do(
    form: Callable[[Report], str],
) -> None:
    url = "https://doi.org/10.1000/a%1b%5b2Jx%07%E2%80%AE"
    cited = PAPER.model_copy(update={"url": url})
    told = form(samples.report().model_copy(update={"citations": (cited,)}))
    assert "10.1000/a" in told
    assert not {"\x1b", "\x07", "\u202e"} & set(told)


@pytest.mark.parametrize("form", [bibtex, ris])
def test_a_moment_that_is_none_says_nothing(form: Callable[[Report], str]) -> None:
    for moment in ("\nAU  - X}}", "2024}}\n@a", "٢٠٢٤-٠١-٠١"):
        cited = PAPER.model_copy(update={"retrieved_at": moment, "published": moment})
        told = form(samples.report().model_copy(update={"citations": (cited,)}))
        assert "\nAU  - X" not in told
        assert "\n@a" not in told
        assert "٢" not in told


@pytest.mark.parametrize("form", [bibtex, ris])
@pytest.mark.parametrize("url", ["http://[mill", "https://a]b[/"])
def test_an_address_that_is_none_is_left_out(form: Callable[[Report], str], url: str) -> None:
    cited = PAPER.model_copy(update={"url": url})
    told = form(samples.report().model_copy(update={"citations": (cited,)}))
    assert "src1-web-muhlen-am-orrin" in told
    assert "http" not in told
