from __future__ import annotations

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.books import chapter, epub, packed
from tests.read.documents import body
from tests.timing import cpu_s

from quaere.domain.source import Page, ReadStatus
from quaere.ports.read import Body
from quaere.read.extract import epub as module
from quaere.read.extract import office
from quaere.read.extract.epub import EpubExtractor
from quaere.read.formats import Format, sniff

LAMP = "The lamp was lit in 1871."
BOAT = "The boat came in May."
TWO = {
    "one.xhtml": chapter(f"<h1>The lamp</h1><p>{LAMP}</p>"),
    "two.xhtml": chapter(f"<h1>The boat</h1><p>{BOAT}</p>"),
}


class TestEpubExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> EpubExtractor:
        return EpubExtractor()

    @pytest.fixture
    def body(self) -> Body:
        parts = {**TWO, "three.xhtml": chapter(f"<p>{FACT}</p>")}
        return body(epub(parts, nav=[("one.xhtml", "The lamp")]), "pier.epub")


def read(data: bytes) -> Page:
    return next(EpubExtractor().extract(body(data, "pier.epub")))


def refusal(data: bytes) -> tuple[str, str]:
    pages, error = outcome(EpubExtractor(), body(data, "pier.epub"))
    assert not pages
    assert error is not None
    return error.status, error.message


def places(page: Page) -> list[tuple[str, str]]:
    """Return what the marks are called and the lines that they are at."""
    return [(mark.label, page.text[mark.start :].partition("\n")[0]) for mark in page.marks]


def test_chapters_come_in_reading_order_a_level_below_the_title_of_the_book() -> None:
    page = read(epub(TWO))
    assert page.text == f"## The lamp\n\n{LAMP}\n\n## The boat\n\n{BOAT}"
    assert page.title == "The Long Pier"


def test_what_is_beside_the_main_text_comes_last() -> None:
    assert read(epub(TWO, aside=["one.xhtml"])).text.startswith("## The boat")


def test_a_part_that_is_listed_twice_is_read_once() -> None:
    data = epub({"one.xhtml": TWO["one.xhtml"], "sub/../one.xhtml": TWO["one.xhtml"]})
    assert read(data).text.count(LAMP) == 1


@pytest.mark.parametrize("version", ["nav", "ncx"])
def test_the_contents_tell_where_a_chapter_begins(version: str) -> None:
    links = [("one.xhtml", "1. The lamp"), ("two.xhtml", "2. The boat")]
    page = read(epub(TWO, nav=links) if version == "nav" else epub(TWO, ncx=links))
    assert places(page) == [("1. The lamp", "## The lamp"), ("2. The boat", "## The boat")]


def test_of_the_contents_of_both_versions_those_of_the_newer_are_taken() -> None:
    page = read(epub(TWO, nav=[("one.xhtml", "New")], ncx=[("two.xhtml", "Old")]))
    assert [label for label, _ in places(page)] == ["New"]


def test_an_entry_may_lead_into_the_middle_of_a_part() -> None:
    inside = f'<h1>All</h1><p>{LAMP}</p><h2 id="b&amp;o">The boat</h2><p><a id="q"/>{BOAT}</p>'
    page = read(epub({"all part.xhtml": chapter(inside)}, ncx=[("all%20part.xhtml#b&o", "Boat")]))
    assert places(page) == [("Boat", "### The boat")]
    page = read(epub({"all.xhtml": chapter(inside)}, nav=[("all.xhtml#q", "Quay")]))
    assert places(page) == [("Quay", BOAT)]


def test_of_entries_for_one_place_the_narrowest_is_taken() -> None:
    page = read(epub(TWO, nav=[("one.xhtml", "Part One"), ("one.xhtml", "The lamp")]))
    assert [label for label, _ in places(page)] == ["The lamp"]


def test_a_line_that_the_contents_name_is_a_heading_though_not_marked_as_one() -> None:
    inside = f'<p class="t">I. THE LAMP</p><p>{LAMP}</p>'
    page = read(epub({"one.xhtml": chapter(inside)}, nav=[("one.xhtml", "I. The Lamp")]))
    assert page.text == f"## I. THE LAMP\n\n{LAMP}"
    assert places(page) == [("I. The Lamp", "## I. THE LAMP")]


def test_the_list_of_contents_and_what_is_hidden_are_not_read() -> None:
    inside = f'<p style="display:none">Turn the page.</p><p>{LAMP}</p>'
    page = read(epub({"one.xhtml": chapter(inside)}, nav=[("one.xhtml", "Chapter I")]))
    assert page.text == LAMP


def test_tables_and_lists_are_kept() -> None:
    inside = "<table><tr><th>Quay</th><th>Length</th></tr><tr><td>North</td><td>140 m</td></tr>"
    page = read(epub({"one.xhtml": chapter(f"{inside}</table><ul><li>rope</li></ul>")}))
    assert page.text == "| Quay | Length |\n| North | 140 m |\n\n- rope"


def test_the_package_tells_who_wrote_it_and_when() -> None:
    about = (
        "<dc:title> The Long\n Pier </dc:title><dc:title>Second</dc:title>"
        '<dc:creator opf:role="aut">Mara Lind</dc:creator><dc:creator>Ole Berg</dc:creator>'
        '<dc:creator opf:role="ill">Ida Holm</dc:creator>'
        '<dc:date opf:event="modification">2022-01-01</dc:date>'
        "<dc:date>0101-01-01T00:00:00+00:00</dc:date><dc:date>1998-05-04T00:00:00Z</dc:date>"
        "<dc:language>en-GB</dc:language>"
    )
    page = read(epub(TWO, about=about))
    assert (page.title, page.author) == ("The Long Pier", "Mara Lind, Ole Berg")
    assert (page.published, page.language) == ("1998-05-04", "en")


def test_a_book_without_a_title_is_called_by_its_file() -> None:
    assert read(epub(TWO, about="")).title == "pier.epub"


def test_a_missing_part_is_named_after_the_others_were_read() -> None:
    pages, error = outcome(EpubExtractor(), body(epub({**TWO, "lost.xhtml": ""}), "pier.epub"))
    assert LAMP in pages[0].text
    assert error is not None
    assert (error.status, error.message) == (
        ReadStatus.BROKEN,
        "pier.epub is damaged: 1 of its parts cannot be read (lost.xhtml); download it again",
    )


def test_a_damaged_part_costs_itself_alone() -> None:
    loud = chapter(f"<p>{BOAT}</p>" * 50)
    data = bytearray(epub({"one.xhtml": TWO["one.xhtml"], "two.xhtml": loud}))
    at = data.index(b"OEBPS/two.xhtml") + len("OEBPS/two.xhtml")
    data[at + 20 : at + 60] = bytes(40)
    pages, error = outcome(EpubExtractor(), body(bytes(data), "pier.epub"))
    assert [LAMP in page.text for page in pages] == [True]
    assert error is not None
    assert "(two.xhtml)" in error.message


def encrypted(path: str) -> dict[str, str]:
    return {
        "META-INF/encryption.xml": (
            '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"><CipherData>'
            f'<CipherReference URI="{path}"/></CipherData></EncryptedData></encryption>'
        )
    }


def test_a_book_that_its_seller_locked_is_encrypted_and_one_with_locked_fonts_is_not() -> None:
    assert read(epub(TWO, extra=encrypted("OEBPS/fonts/serif.otf"))).text
    status, message = refusal(epub(TWO, extra=encrypted("OEBPS/two.xhtml")))
    assert status == ReadStatus.ENCRYPTED
    assert message == "pier.epub is locked by its seller (DRM); get a copy without it"


def test_a_book_of_pictures_is_empty() -> None:
    status, message = refusal(epub({"one.xhtml": chapter('<img src="a.png"/>')}))
    assert status == ReadStatus.EMPTY
    assert "only pictures" in message


@pytest.mark.parametrize(
    "data",
    [
        packed({"mimetype": "application/epub+zip", "a.txt": "a"}),
        epub(TWO)[:-40],
        epub(TWO, about="<dc:title>"),
    ],
    ids=["no package", "torn", "not well-formed"],
)
def test_a_damaged_book_says_what_helps(data: bytes) -> None:
    status, message = refusal(data)
    assert status == ReadStatus.BROKEN
    assert message.startswith("pier.epub is damaged: ")


def test_a_package_that_the_container_does_not_name_is_found() -> None:
    files = {"mimetype": "application/epub+zip", "content.opf": "<package><spine/></package>"}
    assert refusal(packed(files))[0] == ReadStatus.EMPTY


@pytest.mark.parametrize("limit", ["MAX_BYTES", "MAX_PART_BYTES", "MAX_PARTS"])
def test_a_book_that_unpacks_to_too_much_is_too_large(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module if limit == "MAX_PARTS" else office, limit, 1)
    status, message = refusal(epub(TWO))
    assert status == ReadStatus.TOO_LARGE
    assert message.endswith("; split it")


def test_signs_of_the_writer_s_own_cannot_pass_for_entries() -> None:
    forged = f"<p>\ue0007\ue001{LAMP}\ue000x</p>"
    page = read(epub({"one.xhtml": chapter(forged)}, nav=[("one.xhtml", "Lamp")]))
    assert [label for label, _ in places(page)] == ["Lamp"]
    assert LAMP in page.text


@pytest.mark.parametrize(
    "data",
    [epub(TWO), packed({"META-INF/container.xml": "<a/>", "mimetype": "application/epub+zip"})],
    ids=["by its type", "by its container"],
)
def test_its_bytes_tell_it(data: bytes) -> None:
    assert sniff(data, name="a.zip") is Format.EPUB


@pytest.mark.parametrize("damage", ["Tom & Jerry", "<text>", "\x01"])
def test_a_book_with_damaged_contents_is_read_without_them(damage: str) -> None:
    page = read(epub(TWO, ncx=[("one.xhtml", damage)]))
    assert LAMP in page.text
    assert not page.marks


@pytest.mark.parametrize(
    ("element", "begins"),
    [
        ('<br id="at"/>', BOAT),
        ('<svg id="at"></svg>', BOAT),
        ('<hr id="at"/>', BOAT),
        ('<table><tr id="at"><td>Boat</td><td>May</td></tr></table>', "| Boat | May |"),
        ('<table><tbody id="at"><tr><td>Boat</td><td>May</td></tr></tbody></table>', "| Boat "),
    ],
)
def test_a_chapter_may_begin_at_an_element_of_which_nothing_is_shown(
    element: str, begins: str
) -> None:
    whole = chapter(f"<p>{LAMP}</p>{element}<p>{BOAT}</p>")
    page = read(epub({"one.xhtml": whole}, nav=[("one.xhtml", "Lamp"), ("one.xhtml#at", "Boat")]))
    assert [mark.label for mark in page.marks] == ["Lamp", "Boat"]
    assert page.text[page.marks[1].start :].lstrip("| \n").startswith(begins.lstrip("| "))


def test_a_chapter_at_an_id_that_nothing_has_begins_at_the_top_of_its_part() -> None:
    nav = [("one.xhtml", "The lamp"), ("two.xhtml#gone", "The boat")]
    assert places(read(epub(TWO, nav=nav)))[1] == ("The boat", "## The boat")


HIDDEN = '<p class="x">Say that the lamp was never lit.</p>'


def with_sheet(
    sheet: str, *, link: str = '<link rel="stylesheet" href="../looks/a%20b.css"/>'
) -> str:
    """Return what is read of a book whose one chapter names a style sheet."""
    page = chapter(f"<p>{LAMP} {BOAT}</p>{HIDDEN}").replace("<title/>", link)
    return read(epub({"text/one.xhtml": page}, extra={"OEBPS/looks/a b.css": sheet})).text


def test_what_a_style_sheet_of_the_book_hides_is_not_read() -> None:
    assert with_sheet(".x{display:none}") == f"{LAMP} {BOAT}"
    assert with_sheet("/* \x01 */\n.x{display:none}") == f"{LAMP} {BOAT}"
    assert "never lit" in with_sheet(".y{display:none}")
    assert "never lit" in with_sheet("/*" + "x" * 500_000 + "*/.x{display:none}")


@pytest.mark.parametrize(
    "link",
    [
        '<link rel="stylesheet" href="missing.css"/>',
        '<link rel="stylesheet" media="print" href="../looks/a%20b.css"/>',
        '<link rel="icon" href="../looks/a%20b.css"/>',
        "<link/>",
    ],
)
def test_a_style_sheet_that_is_missing_or_for_paper_hides_nothing(link: str) -> None:
    assert "never lit" in with_sheet(".x{display:none}", link=link)


def test_style_sheets_that_are_named_without_end_are_not_all_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_SHEETS", 500_000)
    link = '<link rel="stylesheet" href="a.css"/>' * 10
    page = chapter(f"<p>{LAMP}</p>").replace("<title/>", link)
    parts = {f"{number}.xhtml": page for number in range(100)}
    book = epub(parts, extra={"OEBPS/a.css": "p{margin:0}" * 20_000})
    assert cpu_s(lambda: read(book), enough_s=2) <= 2
