from __future__ import annotations

import socket
from pathlib import Path

import pytest
from tests.contracts.extractor import FACT, ExtractorContract
from tests.read.documents import LOREM, body, web_page

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.html import HtmlExtractor, HtmlRules

ARTICLE = (
    f"<p>{LOREM * 2}</p><h2>Crossing</h2><p>{FACT} {LOREM}</p><ul><li>Oil</li><li>Rope</li></ul>"
)


class TestHtmlExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> HtmlExtractor:
        return HtmlExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(web_page(ARTICLE), "ferry.html")


def read(html: str | bytes, content_type: str = "text/html") -> Page:
    return next(HtmlExtractor().extract(body(html, "ferry.html", content_type)))


def test_the_article_comes_without_what_surrounds_it() -> None:
    page = read(web_page(ARTICLE))
    assert "Subscribe today" not in page.text
    assert "Ten boats" not in page.text
    assert "All rights reserved" not in page.text
    assert "## Crossing\n\n" in page.text
    assert "- Oil\n- Rope" in page.text


def test_headings_and_lists_stay_where_a_page_has_no_article_around_them() -> None:
    """Of such a page trafilatura takes the paragraphs alone."""
    opening = "<h2>Hours</h2><p>The mill is open from nine to five, but not on rainy days.</p>"
    prices = "<h2>Prices</h2><ul><li>Grown-ups: 7 euros</li><li>Over-60s: 4 euros</li></ul>"
    tours = f"<h2>Tours</h2><p>{LOREM}</p><h2>Arrival</h2><p>{FACT}</p>"
    around = ('<nav><a href="/">Home</a></nav>', "<footer>All rights reserved</footer>")
    page = read(f"<h1>The mill</h1>{opening}{prices}{tours}".join(around))
    assert "## Prices\n\n- Grown-ups: 7 euros\n- Over-60s: 4 euros" in page.text
    assert f"## Arrival\n\n{FACT}" in page.text
    assert "Home" not in page.text
    assert "All rights reserved" not in page.text


def test_the_title_is_not_repeated_in_the_text() -> None:
    page = read(web_page(ARTICLE, title="Ferries of the sound"))
    assert page.title == "Ferries of the sound"
    assert page.text.startswith("Mooring lines")


def test_title_author_date_and_language_are_told() -> None:
    head = (
        '<meta name="author" content="Mara Lind">'
        '<meta property="article:published_time" content="2024-05-06T07:08:09Z">'
    )
    page = read(web_page(ARTICLE, title="Ferries of the sound", head=head))
    assert page.title == "Ferries of the sound"
    assert page.author == "Mara Lind"
    assert page.published == "2024-05-06"
    assert page.language == "en"


def test_a_date_that_is_yet_to_come_is_not_believed() -> None:
    head = '<meta property="article:published_time" content="2999-01-01">'
    assert read(web_page(ARTICLE, head=head)).published < "2999"


def test_the_address_is_the_one_that_was_read() -> None:
    head = '<link rel="canonical" href="https://elsewhere.test/x"><base href="https://b.test/">'
    assert read(web_page(ARTICLE, head=head)).url == "file:///docs/ferry.html"


@pytest.mark.parametrize(
    "hidden",
    [
        '<p style="display:none">SECRET</p>',
        '<p style="color:red; visibility : hidden">SECRET</p>',
        '<p style="position:absolute;left:-9999px">SECRET</p>',
        '<p style="font-size:0">SECRET</p>',
        "<p hidden>SECRET</p>",
        '<p>It was built.<span role="tooltip">SECRET</span></p>',
        "<template><p>SECRET</p></template>",
        "<script>var SECRET = 1</script>",
        "<!-- SECRET -->",
        "<noscript>SECRET</noscript>",
    ],
)
def test_what_no_reader_sees_is_not_read(hidden: str) -> None:
    text = read(web_page(ARTICLE + hidden + f"<p>{LOREM}</p>")).text
    assert "SECRET" not in text
    assert "ferry" in text


def test_a_page_of_few_words_is_read_whole() -> None:
    assert read("<html><body><div>High water at six.</div></body></html>").text == (
        "High water at six."
    )


def test_a_page_of_a_hundred_thousand_links_is_read() -> None:
    page = read(web_page(f"<p>{FACT}</p>" + "<p>word <a href=/x>link</a></p>" * 30_000))
    assert FACT in page.text


def test_a_book_on_one_page_is_read_whole() -> None:
    assert read(web_page(f"<p>{LOREM}</p>" * 6000)).text.count("Mooring lines") == 6000


def test_charset_names_that_are_no_charsets_do_no_harm() -> None:
    for name in ("base64", "zlib", "mbcs", "utf-7", "nonsense"):
        assert FACT in read(web_page(ARTICLE), f"text/html; charset={name}").text


@pytest.mark.parametrize(
    ("title", "status"),
    [
        ("404 - Page not found", ReadStatus.NOT_FOUND),
        ("Page not found", ReadStatus.NOT_FOUND),
        ("Gazette - 404 error", ReadStatus.NOT_FOUND),
        ("Just a moment...", ReadStatus.BLOCKED),
        ("Access Denied", ReadStatus.BLOCKED),
    ],
)
def test_a_mere_notice_is_no_source(title: str, status: ReadStatus) -> None:
    with pytest.raises(ReadError) as caught:
        read(f"<html><head><title>{title}</title></head><body><p>Sorry, no page.</p></body></html>")
    assert caught.value.status == status


def test_an_article_about_errors_is_a_source() -> None:
    assert read(web_page(ARTICLE * 2, title="404 not found")).title == "404 not found"
    assert read(web_page(f"<p>{FACT}</p>", title="The Peugeot 404")).text


@pytest.mark.parametrize(
    "html", ["", "   ", "<html></html>", "<html><body><img src=x></body></html>"]
)
def test_a_page_without_words_is_empty(html: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(html)
    assert caught.value.status == ReadStatus.EMPTY


@pytest.mark.parametrize(
    "html",
    [
        "<b><i>" * 20_000 + FACT,
        web_page("&amp;" * 100_000 + FACT),
        web_page(f"<p>{FACT}</p><p>" + "2024-13-45T99:99 1/2/3/4/5 " * 3000),
        "<table>" * 300 + f"<tr><td>{FACT}" + "</table>" * 300,
        web_page(ARTICLE, title="t" * 1_000_000),
        web_page(ARTICLE).replace("<p>", "<p\x00\x01>"),
    ],
    ids=["misnested", "entities", "dates", "tables", "title", "controls"],
)
def test_hostile_pages_end_in_text_or_a_typed_error(html: str) -> None:
    try:
        page = read(html)
    except ReadError:
        return
    assert len(page.title) <= 300


def test_what_precision_loses_of_an_article_is_read() -> None:
    log = [f"<p>On day {day} of the log: {LOREM}</p>" for day in range(10)]
    rest = f"<div class='extra border'>{''.join(log[2:])}</div>"
    text = read(f"<html><body><article>{log[0]}{log[1]}</article>{rest}</body></html>").text
    assert all(f"On day {day} of" in text for day in range(10))


TEASER = f"<div class='promo'><p><a href='/next'>More about whales</a></p><p>{FACT}</p></div>"


@pytest.mark.parametrize("precise", [True, False])
def test_of_two_readings_the_one_that_a_third_agrees_with_is_taken(precise: bool) -> None:
    story = "".join(f"<p>On day {day} of the log: {LOREM}</p>" for day in range(6))
    html = f"<html><body><article>{story}{TEASER}</article></body></html>"
    rules = HtmlRules(prefer_precise=precise)
    text = next(HtmlExtractor(rules).extract(body(html, "log.html"))).text
    assert all(f"On day {day} of" in text for day in range(6))
    assert (FACT in text) is not precise


PIERS = (
    "<tr><th>Pier</th><th>Ship</th></tr><tr><td>North</td><td>Heron</td></tr>"
    "<tr><td>South</td><td>Tern</td></tr>"
)


def test_a_document_that_nothing_surrounds_keeps_its_headings() -> None:
    html = (
        f"<html><body><h1>Piers</h1><p>{LOREM}</p><h2>Ships by pier</h2><table>{PIERS}</table>"
        f"<h2>Bathing</h2><p>{FACT}</p></body></html>"
    )
    text = read(html).text
    assert "## Ships by pier\n\n| Pier | Ship |" in text
    assert f"## Bathing\n\n{FACT}" in text


def test_a_table_is_not_run_together_where_a_page_has_hardly_more() -> None:
    links = "".join(f"<li><a href='/{n}'>Page {n}</a></li>" for n in range(8))
    more = "".join(f"<tr><td>West {n}</td><td>Ship {n}</td></tr>" for n in range(9))
    html = f"<html><body><nav>{links}</nav><h1>Piers</h1><table>{PIERS}{more}</table></body></html>"
    assert "| South | Tern |" in read(html).text


@pytest.mark.parametrize("said", ["Heron", "a boat waits here for wind and for rain and snow"])
def test_four_cells_of_up_to_a_dozen_words_are_not_run_together(said: str) -> None:
    north, south, east, west = (f"<td>{p}: {said}</td>" for p in ("North", "South", "East", "West"))
    links = "".join(f"<li><a href='/{n}'>The ships of page {n}</a></li>" for n in range(8))
    table = f"<table><tr>{north}{south}</tr><tr>{east}{west}</tr></table>"
    html = f"<html><body><nav>{links}</nav><h1>Piers</h1>{table}</body></html>"
    assert f"| North: {said} | South: {said} |\n| East: {said} | West: {said} |" in read(html).text


def test_nothing_is_fetched() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        at = f"http://127.0.0.1:{listener.getsockname()[1]}"
        head = (
            f'<base href="{at}/"><link rel="stylesheet" href="{at}/s.css">'
            f'<link rel="canonical" href="{at}/c">'
            f'<meta http-equiv="refresh" content="0;url={at}/r">'
            f'<script src="{at}/s.js"></script>'
        )
        read(web_page(f'<img src="{at}/i.png"><iframe src="{at}/f"></iframe>{ARTICLE}', head=head))
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_no_file_is_opened_by_a_page(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET")
    html = f'<!DOCTYPE html [<!ENTITY s SYSTEM "{secret.as_uri()}">]>{web_page(ARTICLE)}&s;'
    assert "SECRET" not in read(html).text


MANUAL = (
    f"<html><body><h1>Ferry</h1><p>{LOREM * 3}</p><h2>Aims</h2><div><ul><li>None is left behind."
    "</li></ul></div><dl><dt>bow</dt><dd>Where the lamp hangs.</dd></dl></body></html>"
)


def test_a_document_of_this_machine_is_read_whole() -> None:
    own = Body(url="file:///ferry.html", data=MANUAL.encode(), content_type="text/html")
    text = next(HtmlExtractor().extract(own)).text
    assert "## Aims" in text
    assert "None is left behind." in text
    assert "Where the lamp hangs." in text


def test_a_saved_page_of_a_site_is_read_without_what_surrounds_its_article() -> None:
    saved = Body(
        url="file:///ferry.html", data=web_page(ARTICLE).encode(), content_type="text/html"
    )
    assert "Subscribe today" not in next(HtmlExtractor().extract(saved)).text


def test_links_and_raised_numbers_are_written_as_markdown_where_citations_are_wanted() -> None:
    html = (
        "<!doctype html><p>The quay is <b>140 m</b> long<sup>2</sup>, says "
        '<a href="survey.md">the <i>survey</i></a>. <a href="#top">Up</a> <a href="a b">or</a> '
        "<a>down</a>.</p>"
    )
    plain = body(html, "quay.html")
    asked = plain.model_copy(update={"with_citations": True})
    assert next(HtmlExtractor().extract(asked)).text == (
        "The quay is 140 m long<sup>2</sup>, says [the survey](survey.md). Up or down."
    )
    assert next(HtmlExtractor().extract(plain)).text == (
        "The quay is 140 m long², says the survey. Up or down."
    )


def test_raised_figures_are_not_glued_to_what_is_before_them() -> None:
    told = (
        "It makes 3 × 10<sup>6</sup> bricks, lasts 10<sup>−3</sup> s and has 80 m<sup>2</sup>; of "
        'Ca<sup>2+</sup> nothing.<sup><a href="#n1">12</a>, <a href="#n2">13</a></sup> The '
        "1<sup>st</sup> kiln is older.<sup>[4]</sup>"
    )
    shown = (
        "It makes 3 × 10⁶ bricks, lasts 10⁻³ s and has 80 m²; of Ca²⁺ nothing.¹², ¹³ The 1st kiln "
        "is older."
    )
    page = next(HtmlExtractor().extract(body(f"<!doctype html><p>{told}</p>", "kiln.html")))
    assert page.text.removesuffix("[4]") == shown
