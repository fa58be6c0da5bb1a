from __future__ import annotations

import io
import zipfile

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import body
from tests.read.opendocuments import LOCK, cell, document, flat, frame, opendocument, paragraph, row

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract import office
from quaere.read.extract import opendocument_tables as module
from quaere.read.extract.opendocument import OdpExtractor, OdsExtractor, OdtExtractor

TEXT = opendocument("text", f"<text:p>{FACT}</text:p>")
SHEET = opendocument("spreadsheet", f'<table:table table:name="Ferries">{row(FACT)}</table:table>')
SLIDES = opendocument("presentation", f"<draw:page>{frame(f'<text:p>{FACT}</text:p>')}</draw:page>")
KINDS = [(OdtExtractor, TEXT), (OdsExtractor, SHEET), (OdpExtractor, SLIDES)]
each_kind = pytest.mark.parametrize(("reader", "data"), KINDS, ids=["odt", "ods", "odp"])


class TestOdtExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> OdtExtractor:
        return OdtExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(TEXT, "ferries.odt")


class TestOdsExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> OdsExtractor:
        return OdsExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(SHEET, "ferries.ods")


class TestOdpExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> OdpExtractor:
        return OdpExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(SLIDES, "ferries.odp")


Reader = type[OdtExtractor] | type[OdsExtractor] | type[OdpExtractor]


def error_of(reader: Reader, data: bytes) -> ReadError:
    pages, error = outcome(reader(), body(data, "kept.od"))
    assert not pages
    assert error is not None
    return error


def text_of(content: str, *, styles: str = "") -> str:
    (page,) = OdtExtractor().extract(body(opendocument("text", content, styles=styles), "a.odt"))
    return page.text


def sheet_of(*rows: str) -> Page:
    content = f'<table:table table:name="Fees">{"".join(rows)}</table:table>'
    (page,) = OdsExtractor().extract(body(opendocument("spreadsheet", content), "a.ods"))
    return page


def slides_of(content: str, **given: str) -> Page:
    data = opendocument("presentation", content, styles=given.pop("styles", ""), parts=given)
    (page,) = OdpExtractor().extract(body(data, "a.odp"))
    return page


@each_kind
def test_title_author_and_date_are_told(reader: Reader, data: bytes) -> None:
    (page,) = reader().extract(body(data, "kept.od"))
    assert (page.title, page.author, page.published) == ("kept.od", "Mara Lind", "2031-05-04")


@each_kind
def test_a_document_without_words_is_empty(reader: Reader, data: bytes) -> None:
    assert error_of(reader, changed(data, FACT, " ")).status is ReadStatus.EMPTY


@each_kind
def test_a_document_of_another_kind_is_empty(reader: Reader, data: bytes) -> None:
    other = next(held for kind, held in KINDS if kind is not reader)
    assert error_of(reader, other).status is ReadStatus.EMPTY
    assert data != other


@each_kind
@pytest.mark.parametrize("name", ["META-INF/manifest.xml", "encrypted-package"])
def test_a_password_is_told_of(reader: Reader, data: bytes, name: str) -> None:
    with zipfile.ZipFile(out := io.BytesIO(data), "a") as archive:
        archive.writestr(name, LOCK)
    error = error_of(reader, out.getvalue())
    assert error.status is ReadStatus.ENCRYPTED
    assert "save it without one" in error.message


@each_kind
def test_a_bomb_is_too_large(reader: Reader, data: bytes) -> None:
    bomb = changed(data, FACT, " " * (office.MAX_PART_BYTES + 1))
    assert len(bomb) < 100_000
    assert error_of(reader, bomb).status is ReadStatus.TOO_LARGE


@each_kind
def test_a_document_without_content_says_what_to_do(reader: Reader, data: bytes) -> None:
    with zipfile.ZipFile(out := io.BytesIO(), "w") as archive:
        archive.writestr("mimetype", data[:10])
    error = error_of(reader, out.getvalue())
    assert error.status is ReadStatus.BROKEN
    assert "it lacks content.xml; download it again, or open it in" in error.message


def test_a_flat_file_is_read_and_a_damaged_one_is_broken() -> None:
    whole = flat("text", paragraph("Red."))
    assert next(OdtExtractor().extract(body(whole, "a.fodt"))).text == "Red."
    assert error_of(OdtExtractor, whole[:-20]).status is ReadStatus.BROKEN


def changed(data: bytes, old: str, new: str) -> bytes:
    """Return the document with ``old`` in its content replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w", 8) as after:
        for name in before.namelist():
            after.writestr(name, before.read(name).replace(old.encode(), new.encode()))
    return out.getvalue()


def test_headings_are_marked_by_their_levels_and_a_title_by_its_style() -> None:
    styles = '<style:style style:name="P1" style:parent-style-name="Title"/>'
    told = text_of(
        '<text:p text:style-name="P1">Lease</text:p>'
        '<text:h text:outline-level="2">The\n crane</text:h>'
        '<text:list><text:list-item><text:h text:outline-level="9">Rent</text:h></text:list-item>'
        "</text:list><text:section><text:p>Due.</text:p></text:section>",
        styles=styles,
    )
    assert told == "# Lease\n\n## The crane\n\n###### Rent\n\nDue."


def test_lists_are_told_with_their_levels() -> None:
    item = "<text:list-item><text:p>{}</text:p>{}</text:list-item>"
    inner = f"<text:list>{item.format('with tax', '')}</text:list>"
    told = text_of(
        f"<text:list><text:list-header><text:p>Terms</text:p></text:list-header>"
        f"{item.format('Rent', inner)}{item.format('Notice', '')}</text:list>"
    )
    assert told == "Terms\n\n- Rent\n  - with tax\n- Notice"
    assert (
        text_of(f"<text:list><text:list-item>{inner}</text:list-item></text:list>") == "- with tax"
    )


def test_white_space_is_what_the_document_shows() -> None:
    told = text_of(
        "<text:p>one\n   two<text:s text:c='9'/>three<text:tab/>four<text:line-break/> five"
        "<text:span> six</text:span></text:p>"
    )
    assert told == "one two three four\nfive six"


def test_what_is_deleted_remarked_or_said_elsewhere_is_left_out() -> None:
    told = text_of(
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>old</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes>"
        "<text:table-of-content><text:index-body><text:p>Crane 3</text:p></text:index-body>"
        "</text:table-of-content><text:p><office:annotation><text:p>Is it?</text:p>"
        "</office:annotation>The crane<text:ruby><text:ruby-base> is</text:ruby-base>"
        "<text:ruby-text>iz</text:ruby-text></text:ruby> red.<draw:frame><svg:title>a crane"
        "</svg:title></draw:frame></text:p>"
    )
    assert told == "The crane is red."


def test_the_text_of_a_frame_is_parted_from_what_is_around_it() -> None:
    framed = f"<draw:frame><draw:text-box>{paragraph('Fig. 1')}</draw:text-box></draw:frame>"
    assert text_of(f"<text:p>{framed}The crane.</text:p>") == "Fig. 1\nThe crane."


def test_what_libreoffice_opens_is_not_damaged() -> None:
    twice = '<text:list xml:id="a"/><text:list xml:id="a"/>'
    old = '<!DOCTYPE m PUBLIC "m" "Manifest.dtd"><manifest:manifest/>'
    data = opendocument("text", twice + paragraph("Red."), parts={"META-INF/manifest.xml": old})
    assert "Red." in next(OdtExtractor().extract(body(data, "a.odt"))).text


def test_notes_come_last() -> None:
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Since May."
        "</text:p></text:note-body></text:note>"
    )
    assert text_of(f"<text:p>Leased{note}.</text:p><text:p>Red.</text:p>") == (
        "Leased.\n\nRed.\n\nSince May."
    )


def test_cells_over_rows_are_in_each_and_over_columns_in_the_first() -> None:
    high = cell("North", about='table:number-rows-spanned="2"')
    wide = (
        '<table:table-cell table:number-columns-spanned="2"><text:list><text:list-item><text:p>all'
        "</text:p><text:p>of it</text:p></text:list-item></text:list></table:table-cell>"
    )
    under = "<table:covered-table-cell/>"
    rows = [row("Pier", "Ship", "Fee"), row(high, "Heron", "12"), row(under, "Sorrel", "9")]
    head, *rest = [*rows, row(under, wide, under)]
    table = f"<table:table-header-rows>{head}</table:table-header-rows>{''.join(rest)}"
    assert text_of(f"<table:table>{table}</table:table>") == (
        "| Pier | Ship | Fee |\n| North | Heron | 12 |\n| North | Sorrel | 9 |\n|  | all of it |  |"
    )


def valued(kind: str, shown: str, **values: str) -> str:
    """Return a cell with a remark, that shows ``shown`` of its value."""
    told = "".join(f' office:{name.replace("_", "-")}="{value}"' for name, value in values.items())
    remark = f"><office:annotation>{paragraph('Check.')}</office:annotation>"
    return cell(shown, about=f'office:value-type="{kind}"{told}').replace(">", remark, 1)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (valued("currency", "€ 1,234.50", value="1234.5"), "€ 1,234.50"),
        (valued("percentage", "12,5%", value="0.125"), "12,5%"),
        (valued("date", "03/04/31", date_value="2031-04-03"), "2031-04-03"),
        (valued("date", "3 Apr", date_value="2031-04-03T09:30:00"), "2031-04-03"),
        (valued("date", "3/4/31 9:30", date_value="2031-04-03T09:30:00"), "2031-04-03 09:30"),
        (valued("time", "09:30", time_value="PT09H30M00S"), "09:30"),
        (valued("boolean", "WAHR", boolean_value="true"), "yes"),
        (valued("float", "", value="7"), "7"),
        (valued("string", "", string_value="none"), "none"),
    ],
)
def test_cells_are_as_the_sheet_shows_them_but_dates_year_first(given: str, shown: str) -> None:
    assert (
        sheet_of(row("Item", "Told"), row("Crane", given))
        .text.strip()
        .endswith(f"| Crane | {shown} |")
    )


def test_rows_keep_their_numbers_and_hidden_ones_are_left_out() -> None:
    twice = row("Rope", "2", about='table:number-rows-repeated="2"')
    page = sheet_of(
        row("Item", "Fee"),
        row("Draft", "1", about='table:visibility="collapse"'),
        f"<table:table-row-group>{twice}</table:table-row-group>",
        row("", about='table:number-rows-repeated="1048000"'),
        row("Oil", "3"),
        row("Tar", "4"),
    )
    assert "Draft" not in page.text
    told = [page.text[mark.start :].partition("\n")[0] + f" {mark.label}" for mark in page.marks]
    assert told == [
        "| Item | Fee | Fees row 1",
        "| Rope | 2 | Fees row 3",
        "| Rope | 2 | Fees row 4",
        "| Oil | 3 | Fees row 1048005",
        "| Tar | 4 | Fees row 1048006",
    ]


def test_repetitions_are_bounded() -> None:
    many = cell("x", about='table:number-columns-repeated="16384"')
    page = sheet_of(row(many, about='table:number-rows-repeated="1048576"'), row("Oil", "3"))
    assert page.text.count("\n| x") == 501
    assert page.text.splitlines()[2].count("x") == 200
    assert page.marks[-1].label == "Fees row 1048577"


def test_hidden_sheets_are_left_out() -> None:
    properties = '<style:table-properties table:display="false"/>'
    styles = f'<style:style style:name="ta2">{properties}</style:style>'
    sheets = "".join(
        f'<table:table table:name="{name}" table:style-name="{style}">{row(name)}</table:table>'
        for name, style in (("Shown", "ta1"), ("Hidden", "ta2"))
    )
    data = opendocument("spreadsheet", sheets, styles=styles, title="Fees of 2031")
    (page,) = OdsExtractor().extract(body(data, "a.ods"))
    assert (page.title, page.text.strip()) == ("Fees of 2031", "## Shown\n\nShown")


def test_slides_come_under_their_titles_hidden_ones_left_out() -> None:
    properties = '<style:drawing-page-properties presentation:visibility="hidden"/>'
    styles = f'<style:style style:name="dp2">{properties}</style:style>'
    number = frame(paragraph("1"), place="page-number")
    notes = f"<presentation:notes>{number}{frame(paragraph('Slowly.'), place='notes')}"
    pages = "".join(
        f'<draw:page draw:style-name="{style}">{number}{frame(paragraph("More."))}'
        f"{frame(paragraph(name), place='title')}{notes}</presentation:notes></draw:page>"
        for name, style in (("Piers", "dp1"), ("Draft", "dp2"), ("Fees", "dp1"))
    )
    page = slides_of(pages, styles=styles)
    assert page.text == "\n\n".join(
        f"## {name}\n\nMore.\n\nNotes: Slowly." for name in ("Piers", "Fees")
    )
    assert [mark.label for mark in page.marks] == ["slide 1", "slide 3"]


def test_free_shapes_are_read_row_by_row_and_groups_as_one() -> None:
    def box(text: str, left: str, top: str) -> str:
        return frame(paragraph(text), at=(left, top))

    group = f"<draw:g>{box('b', '50mm', '2in')}{box('a', '4cm', '5cm')}</draw:g>"
    hidden = '<draw:custom-shape draw:display="none"><text:p>no</text:p></draw:custom-shape>'
    table = f"<draw:frame><table:table>{row('x', 'y')}</table:table></draw:frame>"
    shapes = box("last", "1cm", "6in") + box("right", "6in", "1in") + box("left", "1cm", "1in")
    told = slides_of(f"<draw:page>{shapes}{group}{hidden}{table}</draw:page>").text
    assert told == "## Slide 1\n\n| x | y |\n\nleft\n\nright\n\na\n\nb\n\nlast"


@pytest.mark.parametrize("place", ["1cm", "10mm", "0.394in", "28.4pt", "2.36pc", "37.8px"])
def test_a_place_may_be_told_in_any_unit(place: str) -> None:
    lefts = {"last": "1.1cm", "first": "0.9cm", "middle": place}
    shapes = "".join(frame(paragraph(text), at=(lefts[text], "1cm")) for text in lefts)
    told = slides_of(f"<draw:page>{shapes}</draw:page>").text
    assert told.split() == ["##", "Slide", "1", "first", "middle", "last"]


def test_a_chart_is_told_with_the_table_that_it_draws() -> None:
    drawn = document(
        "chart",
        "<chart:chart><chart:title><text:p>Calls</text:p></chart:title><table:table>"
        f"{row('', '2031')}{row('Cargo', '58')}</table:table></chart:chart>",
    )
    there = '<draw:object xlink:href="./Object 1"/><draw:object xlink:href="./Object 2"/>'
    page = f"<draw:page><draw:frame>{there}</draw:frame></draw:page>"
    told = slides_of(page, **{"Object 1/content.xml": drawn}).text
    assert told == "## Slide 1\n\nCalls\n\n|  | 2031 |\n| Cargo | 58 |"


def test_cells_beyond_the_last_column_of_a_program_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 18_000)
    many = cell("x", about='table:number-columns-repeated="200"')
    assert "Heron" in sheet_of(row(*[many] * 100), row("Heron", "Sorrel")).text


@pytest.mark.parametrize("figures", [4_300, 5_000])
def test_a_repetition_of_thousands_of_figures_is_none(figures: int) -> None:
    empty = row(about=f'table:number-rows-repeated="{"9" * figures}"')
    sheet = sheet_of(empty, empty, row(cell("North"), cell("140")))
    assert "| North | 140 |" in sheet.text
    assert [mark.label for mark in sheet.marks] == ["Fees row 3"]


def test_raised_figures_are_not_glued_to_what_is_before_them() -> None:
    style = (
        '<style:style style:name="{}"><style:text-properties style:text-position="{}"/>'
        "</style:style>"
    )
    styles = style.format("up", "super 58%") + style.format("low", "-33% 58%")
    said = (
        '10<text:span text:style-name="up">6</text:span> of '
        'H<text:span text:style-name="low">2</text:span>O'
    )
    data = opendocument("text", f"<text:p>{said}</text:p>", styles=styles)
    assert next(OdtExtractor().extract(body(data, "kiln.odt"))).text == "10⁶ of H2O"
