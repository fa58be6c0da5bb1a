# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""What the user's own documents say stands in every form as it is there, and acts in none."""

from __future__ import annotations

import io

import docx as word
import pytest
from lxml import html as parser
from markdown_it import MarkdownIt
from tests.synthesize.drafts import reported
from tests.verify.samples import entry, passage, quote

from quaere.domain.report import Report, Sentence, Support
from quaere.view.export.export import Form, export
from quaere.view.export.markdown import long_markdown, markdown
from quaere.view.export.sections import document

TEXTS = [
    "Call print([*tools]) & read [the guide](javascript:alert(1)) on KEY <str>.",
    "Use <script>alert(1)</script>, <img src=x onerror=alert(2)>, *stars* and __lines__.",
    "Name it `SHELL' or `PATH', and no `code'.",
    "See [1]: it is at http://10.0.0.7/x_y_z; costs $5 | or `SHELL' ~~none~~.",
]


def _report(text: str) -> Report:
    held = passage(text, url="file:///valley/notes.md")
    said = Sentence(text=text, evidence=(1,), quotes=(quote(held, text),), support=Support.QUOTED)
    return reported([said], (entry(1, held),), (held,))


def _expected(text: str) -> str:
    """One exception: what would pass for a citation."""
    return text.replace("[1]", "(1)").rstrip(".")


@pytest.mark.parametrize("text", TEXTS)
def test_markdown_renders_it_as_text(text: str) -> None:
    report = _report(text)
    for made in (markdown(report), long_markdown(document(report))):
        page = parser.document_fromstring(MarkdownIt("commonmark").enable("table").render(made))
        assert _expected(text) in " ".join(page.text_content().split())
        assert text in " ".join(page.text_content().split())  # the quote
        assert not page.xpath("//script|//img|//a|//em[.='stars']|//strong[.='lines']")


@pytest.mark.parametrize("text", TEXTS)
def test_a_web_page_shows_it_as_text(text: str) -> None:
    page = parser.document_fromstring(export(_report(text), Form.HTML))
    shown = " ".join(page.text_content().split())
    assert _expected(text) in shown
    assert text in shown
    assert not page.xpath("//script|//img|//@onerror")
    assert not [href for href in page.xpath("//@href") if href.startswith("javascript")]


@pytest.mark.parametrize("text", TEXTS)
def test_word_shows_it_as_text(text: str) -> None:
    opened = word.Document(io.BytesIO(export(_report(text), Form.DOCX)))
    shown = " ".join(paragraph.text for paragraph in opened.paragraphs)
    assert _expected(text) in shown
