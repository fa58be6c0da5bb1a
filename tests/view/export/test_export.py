# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""A report as a file of every form: read back by what reads such files."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from importlib.util import find_spec

import docx as word
import pypdfium2
import pytest
from lxml import html as parser
from tests.synthesize.drafts import unanswered
from tests.timing import cpu_s
from tests.view.export.reports import JAPANESE, PERSIAN, long, valley

from quaere.domain.report import Report
from quaere.errors import QuaereError, UsageError
from quaere.view.export import export as module
from quaere.view.export.document import Bullets, Document, Section, words
from quaere.view.export.export import Form, export
from quaere.view.export.html import pdf

REPORT = valley()
NUMBERS = {citation.id for citation in REPORT.citations}


def page() -> parser.HtmlElement:
    return parser.document_fromstring(export(REPORT, Form.HTML))


def test_the_page_needs_nothing_and_runs_nothing() -> None:
    found = page()
    assert not found.xpath("//script|//img|//link|//iframe|//object|//form|//base")
    assert not found.xpath("//@*[starts-with(name(), 'on')]")
    policy = found.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    for address in found.xpath("//@href"):
        assert address.startswith(("#", "https://", "http://", "file:///")), address
    assert "javascript:" not in export(REPORT, Form.HTML).decode().casefold()
    assert "\u202e" not in found.text_content()


def test_every_marker_leads_to_its_source_and_says_its_quote() -> None:
    found = page()
    targets = set(found.xpath("//li/@id"))
    markers = found.xpath("//span[@class='marker']/a")
    assert {int(marker.text_content().strip("[]")) for marker in markers} == NUMBERS
    for marker in markers:
        assert marker.get("href").removeprefix("#") in targets
        hint = found.get_element_by_id(marker.get("aria-describedby"))
        assert hint.xpath("string(q)").strip()
    assert found.xpath("//section/@aria-labelledby")


def test_other_scripts_carry_their_language_and_direction() -> None:
    found = page()
    assert PERSIAN.partition(" و ")[0] in found.text_content()
    assert JAPANESE in found.text_content()
    assert found.xpath("//*[@lang='ja']")
    assert found.xpath("//blockquote[@dir='auto']")


def test_word_can_be_opened_and_says_the_same() -> None:
    opened = word.Document(io.BytesIO(export(REPORT, Form.DOCX)))
    text = "\n".join(paragraph.text for paragraph in opened.paragraphs)
    assert REPORT.question in text
    assert JAPANESE in text
    assert {int(n) for n in re.findall(r"\[(\d+)\]", text)} >= NUMBERS
    assert opened.tables


@pytest.mark.skipif(find_spec("weasyprint") is None, reason="weasyprint is not installed")
def test_paper_says_the_same() -> None:
    made = pypdfium2.PdfDocument(export(REPORT, Form.PDF))
    text = "\n".join(made[number].get_textpage().get_text_range() for number in range(len(made)))
    made.close()
    assert REPORT.question.split()[0] in text
    assert all(f"[{number}]" in text for number in NUMBERS)


@pytest.mark.skipif(find_spec("weasyprint") is None, reason="weasyprint is not installed")
def test_paper_tells_headings_and_tables_to_readers_aloud() -> None:
    with closing(pypdfium2.PdfDocument(export(REPORT, Form.PDF))) as made:
        assert pypdfium2.raw.FPDFCatalog_IsTagged(made)


@pytest.mark.skipif(find_spec("weasyprint") is None, reason="weasyprint is not installed")
def test_a_list_that_goes_on_keeps_its_numbers_on_paper() -> None:
    steps = Bullets((words("Lower the deck."),), numbered=True, first=7)
    section = Section(id="answer", title="Answer", blocks=(steps,))
    made = pypdfium2.PdfDocument(
        pdf(Document(title="Q", summary=(), sections=(section,), written=""))
    )
    text = made[0].get_textpage().get_text_range()
    made.close()
    assert re.search(r"\b7\.\s*Lower the deck", text)


def test_every_form_names_places_to_look_and_cites_none_of_them() -> None:
    nothing = unanswered()
    said = "Salt was sold by (7) guilds | <b>Ada</b>."
    page = parser.document_fromstring(export(nothing, Form.HTML))
    assert said in page.get_element_by_id("look").text_content()
    assert not page.xpath("//ol[@class='sources']|//blockquote|//a[@class='marker']")
    opened = word.Document(io.BytesIO(export(nothing, Form.DOCX)))
    assert any(said in each.text for each in opened.paragraphs)
    paper = pypdfium2.PdfDocument(export(nothing, Form.PDF))
    text = " ".join(paper[0].get_textpage().get_text_range().split())
    assert "(/notes/velling.md, lines 3-9): Salt was sold by (7) guilds" in text
    written = export(nothing, Form.REPORT).decode()
    assert "Salt was sold by (7) `guilds` \\| \\<b\\>Ada" in written
    assert not export(nothing, Form.BIBTEX).strip()


def test_references_have_stable_keys_and_every_source_once() -> None:
    entries = re.findall(r"^@(\w+)\{([^,]+),", export(REPORT, Form.BIBTEX).decode(), re.MULTILINE)
    ids = re.findall(r"^ID  - ([^\r\n]+)", export(REPORT, Form.RIS).decode(), re.MULTILINE)
    assert [key for _, key in entries] == ids
    assert len(entries) == len(REPORT.citations)
    assert {kind for kind, _ in entries} <= {"online", "misc"}


def test_bibtex_keeps_its_braces_in_pairs() -> None:
    text = export(REPORT, Form.BIBTEX).decode()
    depth = 0
    for char in re.sub(r"\\[{}]", "", text):
        depth += {"{": 1, "}": -1}.get(char, 0)
        assert depth >= 0
    assert depth == 0
    assert "javascript" not in text


def test_bibtex_names_the_place_in_a_source_and_where_a_source_without_url_is() -> None:
    text = export(REPORT, Form.BIBTEX).decode()
    for entry, citation in zip(text.split("\n\n"), REPORT.citations, strict=True):
        if citation.locator:
            assert re.search(rf"note = {{(?:.+, )?{re.escape(citation.locator)}}}", entry)
        elif citation.url.startswith("https:"):
            assert "note = " not in entry
    assert any(citation.locator for citation in REPORT.citations)


@pytest.mark.parametrize(
    ("told", "author"),
    [
        ("Odile Varga <odile@mill.example>", "Odile Varga"),
        ('"Varga, Odile" <odile@mill.example>', "Varga, Odile"),
        ("<odile@mill.example>", "odile@mill.example"),
        ("odile@mill.example", "odile@mill.example"),
    ],
)
def test_the_writer_of_a_letter_is_named_without_an_address(told: str, author: str) -> None:
    first, *others = REPORT.citations
    letter = REPORT.model_copy(
        update={"citations": (first.model_copy(update={"author": told}), *others)}
    )
    assert f"AU  - {author}\r\n" in export(letter, Form.RIS).decode()
    assert f"author = {{{{{author}}}}}," in export(letter, Form.BIBTEX).decode()


def test_references_say_who_wrote_a_source_when_and_under_which_doi() -> None:
    known = {
        "url": "https://doi.org/10.1000/orrin_1891",
        "author": "Wray, Tamsin; Odile Varga & Sons",
        "published": "1891-05-17T08:00",
    }
    first, *others = REPORT.citations
    dated = REPORT.model_copy(update={"citations": (first.model_copy(update=known), *others)})
    entry, *rest = export(dated, Form.BIBTEX).decode().split("\n\n")
    assert "author = {{Wray, Tamsin} and {Odile Varga \\& Sons}}," in entry
    assert "date = {1891-05-17}," in entry
    assert "year = {1891}," in entry
    assert "doi = {10.1000/orrin_1891}," in entry, "which is not read as TeX"
    assert not re.search(r"(?m)^  (?:author|date|year|doi) = ", "\n".join(rest))
    record = export(dated, Form.RIS).decode().split("ER  - ")[0].split("\r\n")
    assert {"AU  - Wray, Tamsin", "AU  - Odile Varga & Sons", "PY  - 1891"} <= {*record}
    assert {"DA  - 1891/05/17", "DO  - 10.1000/orrin_1891"} <= {*record}


def test_ris_has_one_record_a_source() -> None:
    text = export(REPORT, Form.RIS).decode()
    lines = text.split("\r\n")
    assert lines.pop() == ""
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - .*", line) for line in lines)
    assert sum(line.startswith("TY  - ") for line in lines) == len(REPORT.citations)
    assert sum(line == "ER  - " for line in lines) == len(REPORT.citations)


def test_forms_that_no_terminal_shows_are_known() -> None:
    assert {form for form in Form if form.binary} == {Form.PDF, Form.DOCX}
    written = {form for form in Form if form.writer}
    assert written == {
        Form.REPORT, Form.HTML, Form.PDF, Form.DOCX, Form.BIBTEX, Form.RIS
    }  # fmt: skip
    for form in set(Form) - written:
        with pytest.raises(ValueError, match="has no writer"):
            export(REPORT, form)


@pytest.mark.parametrize("form", [Form.REPORT, Form.HTML, Form.DOCX, Form.BIBTEX])
def test_a_long_report_is_written_in_a_moment(form: Form) -> None:
    report = long()
    assert export(report, form)
    assert cpu_s(lambda: export(report, form), enough_s=5) <= 5


@pytest.fixture
def forms_of(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple[Form, ...]]]:
    """Returns the formats that given plug-ins bring along."""

    def of(*found: module.ExportPlugin) -> tuple[Form, ...]:
        def plugins(*_: object) -> Sequence[module.ExportPlugin]:
            return found

        monkeypatch.setattr(module, "plugins", plugins)
        module.plugin_forms.cache_clear()
        return module.plugin_forms()

    yield of
    module.plugin_forms.cache_clear()


def failing(report: Report) -> bytes:
    raise LookupError(f"no template for {report.profile}")


def refusing(report: Report) -> bytes:
    raise UsageError(f"It is not for {report.profile}.")


def of_text(report: Report) -> bytes:
    return report.question  # pyright: ignore[reportReturnType]


@pytest.mark.parametrize(
    ("writer", "told"),
    [
        (failing, "The plug-in for odt could not write the report: LookupError: no template for "),
        (of_text, "The plug-in for odt could not write the report: it made str, not bytes."),
        (refusing, "It is not for "),
    ],
)
def test_what_an_installed_package_does_wrong_is_told_as_its_own_fault(
    writer: module.Writer, told: str, forms_of: Callable[..., tuple[Form, ...]]
) -> None:
    (odt,) = forms_of(module.ExportPlugin("odt", (".odt",), writer))
    with pytest.raises(QuaereError) as caught:
        export(REPORT, odt)
    assert caught.value.message.startswith(told)


def test_a_form_of_an_installed_package_stands_beside_the_own_ones(
    forms_of: Callable[..., tuple[Form, ...]],
) -> None:
    def written(report: Report) -> bytes:
        return report.question.encode()

    odt, plain = forms_of(
        module.ExportPlugin("odt", (".odt",), written, True, "application/odt"),
        module.ExportPlugin("plain", (".asc",), written),
        module.ExportPlugin("pdf", (".pdf",), written),
    )
    assert (str(odt), odt.value, odt.name) == ("odt", "odt", "ODT")
    assert (odt.suffixes, odt.binary, odt.media_type) == ((".odt",), True, "application/odt")
    assert (plain.binary, plain.media_type) == (False, "application/octet-stream")
    assert export(REPORT, odt) == REPORT.question.encode()
    assert odt not in set(Form)


def test_what_the_command_line_writes_itself_has_no_file_here() -> None:
    without = {form for form in Form if form.writer is None}
    assert without == {Form.TEXT, Form.JSON, Form.BRIEF, Form.MARKDOWN, Form.FULL}
    for form in without:
        with pytest.raises(ValueError, match="has no writer"):
            export(REPORT, form)
    assert {form for form in Form if form.binary} == {Form.PDF, Form.DOCX}
