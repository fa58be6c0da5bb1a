from __future__ import annotations

import pytest
from tests.read.documents import body, word
from tests.read.extract.test_docx import changed

from quaere.read.extract.docx import DocxExtractor

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
