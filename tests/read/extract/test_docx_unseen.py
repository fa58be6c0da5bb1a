from __future__ import annotations

import io
import zipfile

import pytest
from tests.read.documents import body, word
from tests.read.extract.test_docx import changed, read, status_of
from tests.timing import cpu_s

from quaere.read.extract.docx import DocxExtractor
from quaere.read.extract.docx_unseen import drop_unseen
from quaere.text.markup import parse_xml

SEEN = "Berth four was repaired."
BASE = word([SEEN, "MOST"])
STYLES = "</w:styles>"


def told(properties: str, *, paragraph: str = "", style: str = "", around: str = "{}") -> str:
    """Return what is read of a document with a run that has these ``properties``."""
    run = f"<w:r><w:rPr>{properties}</w:rPr><w:t>SECRET</w:t></w:r>"
    inner = f"<w:p><w:pPr>{paragraph}</w:pPr>{run}</w:p>"
    data = changed(BASE, "word/document.xml", "<w:t>MOST</w:t>", "<w:t>TOLD</w:t>")
    data = changed(data, "word/document.xml", "<w:tbl>", around.format(inner) + "<w:tbl>")
    data = changed(data, "word/styles.xml", STYLES, style + STYLES)
    text = next(DocxExtractor().extract(body(data, "report.docx"))).text
    assert SEEN in text
    assert "TOLD" in text
    return text


HIDING = '<w:style w:type="{}" w:styleId="x"><w:rPr>{}</w:rPr></w:style>'
WHITE = '<w:color w:val="FFFFFF"/>'


@pytest.mark.parametrize(
    "properties", ["<w:vanish/>", '<w:sz w:val="2"/>', WHITE, '<w:color w:val="fefefe"/>']
)
def test_a_run_that_is_not_seen_is_not_read(properties: str) -> None:
    assert "SECRET" not in told(properties)


def test_a_run_that_a_style_hides_is_not_read() -> None:
    own = HIDING.format("character", "<w:vanish/>")
    assert "SECRET" not in told('<w:rStyle w:val="x"/>', style=own)
    assert "SECRET" in told('<w:rStyle w:val="x"/><w:vanish w:val="0"/>', style=own)
    of_paragraph = HIDING.format("paragraph", '<w:sz w:val="1"/>')
    assert "SECRET" not in told("", paragraph='<w:pStyle w:val="x"/>', style=of_paragraph)
    large = '<w:sz w:val="24"/>'
    assert "SECRET" in told(large, paragraph='<w:pStyle w:val="x"/>', style=of_paragraph)
    assert "SECRET" not in told(f'<w:rStyle w:val="x"/>{large}', style=own)


def test_white_letters_on_a_ground_are_read() -> None:
    shading = '<w:shd w:val="clear" w:fill="1F3864"/>'
    assert "SECRET" in told(WHITE + shading)
    assert "SECRET" in told(f'{WHITE}<w:highlight w:val="blue"/>')
    assert "SECRET" in told(WHITE, paragraph=shading)
    cell = "<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>"
    assert "SECRET" in told(WHITE, around=cell)


def test_white_letters_over_a_picture_are_read() -> None:
    picture = (
        '<w:p><w:r><w:drawing><wp:anchor behindDoc="1" '
        'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"/>'
        "</w:drawing></w:r></w:p>{}"
    )
    assert "SECRET" in told(WHITE, around=picture)


def based(kind: str, identity: str, properties: str, on: str) -> str:
    """Return a style of that ``kind`` that is based ``on`` another."""
    return (
        f'<w:style w:type="{kind}" w:styleId="{identity}"><w:basedOn w:val="{on}"/>'
        f"{properties}</w:style>"
    )


OF_PARAGRAPH, OF_CHARACTERS = '<w:pStyle w:val="y"/>', '<w:rStyle w:val="y"/>'


@pytest.mark.parametrize("unseen", ["<w:vanish/>", '<w:sz w:val="2"/>', WHITE])
def test_a_run_that_is_hidden_by_what_its_style_is_based_on_is_not_read(unseen: str) -> None:
    style = HIDING.format("paragraph", unseen) + based("paragraph", "y", "", "x")
    assert "SECRET" not in told("", paragraph=OF_PARAGRAPH, style=style)
    style = HIDING.format("character", unseen) + based("character", "y", "", "x")
    assert "SECRET" not in told(OF_CHARACTERS, style=style)
    shown = '<w:rPr><w:vanish w:val="0"/><w:sz w:val="20"/><w:color w:val="000000"/></w:rPr>'
    style = HIDING.format("character", unseen) + based("character", "y", shown, "x")
    assert "SECRET" in told(OF_CHARACTERS, style=style)


def test_styles_that_are_based_on_each_other_say_what_they_say() -> None:
    style = based("paragraph", "y", "", "z") + based("paragraph", "z", "", "y")
    assert "SECRET" in told("", paragraph=OF_PARAGRAPH, style=style)
    hiding = based("paragraph", "z", "<w:rPr><w:vanish/></w:rPr>", "y")
    assert "SECRET" not in told(
        "", paragraph=OF_PARAGRAPH, style=based("paragraph", "y", "", "z") + hiding
    )


def test_a_long_chain_of_styles_takes_linear_time() -> None:
    chain = "".join(based("paragraph", f"s{n}", "", f"s{n + 1}") for n in range(20_000))
    runs = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="s{n}"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>'
        for n in range(0, 20_000, 10)
    )
    root = parse_xml(f'<w:d xmlns:w="w">{runs}</w:d>'.encode())
    styles = parse_xml(f'<w:d xmlns:w="w">{chain}</w:d>'.encode())
    assert cpu_s(lambda: drop_unseen(root, styles), enough_s=2) <= 2


def test_a_style_of_characters_shows_again_what_that_of_the_paragraph_hides() -> None:
    style = HIDING.format("paragraph", "<w:vanish/>") + based(
        "character", "y", "<w:rPr><w:vanish/></w:rPr>", ""
    )
    assert "SECRET" in told(OF_CHARACTERS, paragraph='<w:pStyle w:val="x"/>', style=style)


def test_white_letters_on_the_ground_of_what_their_style_is_based_on_are_read() -> None:
    ground = '<w:pPr><w:shd w:fill="1F3864"/></w:pPr>'
    style = based("paragraph", "x", ground, "") + based("paragraph", "y", "", "x")
    assert "SECRET" in told(WHITE, paragraph=OF_PARAGRAPH, style=style)


def test_the_style_of_a_table_and_that_of_all_paragraphs_hide_its_letters() -> None:
    hidden = "<w:rPr><w:vanish/></w:rPr>"
    table = "<w:tbl><w:tblPr><w:tblStyle w:val='y'/></w:tblPr><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>"
    assert "SECRET" not in told("", around=table, style=based("table", "y", hidden, ""))
    default = "<w:rPrDefault><w:rPr>"
    data = changed(BASE, "word/styles.xml", default, default + "<w:vanish/>")
    assert status_of(data) == "empty"


def test_a_row_that_was_deleted_is_not_read() -> None:
    row = '<w:tbl><w:tr><w:trPr><w:del w:id="1"/></w:trPr><w:tc>{}</w:tc></w:tr></w:tbl>'
    assert "SECRET" not in told("", around=row)


def test_white_letters_over_a_picture_that_heads_the_pages_are_read() -> None:
    data = changed(
        BASE, "word/document.xml", "<w:t>MOST</w:t>", f"<w:rPr>{WHITE}</w:rPr><w:t>MOST</w:t>"
    )
    assert "MOST" not in read(data).text
    with_header = io.BytesIO(data)
    with zipfile.ZipFile(with_header, "a") as archive:
        archive.writestr("word/header9.xml", '<a><anchor behindDoc="1"/></a>')
    assert "MOST" in read(with_header.getvalue()).text
