from __future__ import annotations

from hypothesis import given
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.verify.samples import ANYTHING, SPOOFS

from quaere.audit.report import NO_CITATIONS, audit_markdown
from quaere.domain.audit import (
    Audit,
    CheckedSentence,
    CheckedSource,
    Place,
    summarized,
)
from quaere.domain.report import RunWarning, Support
from quaere.domain.source import ReadStatus
from quaere.synthesize.wording import VERDICTS


def audit(text: str) -> Audit:
    """Return an audit with ``text`` wherever a text or a source put words."""
    place = Place(source=1, text=text, start=0, end=len(text), locator=text)
    sentences = tuple(
        CheckedSentence(
            line=number,
            start=0,
            end=1,
            text=text,
            verdict=verdict,
            cites=() if verdict is Support.NOT_A_CLAIM else (1,),
            probability=0.5,
            place=place,
            reason=text,
            read=True,
        )
        for number, verdict in enumerate(Support, 1)
    )
    sources = (
        CheckedSource(
            number=1,
            address="https://valley.example/a",
            url="https://valley.example/b",
            title=text,
            status=ReadStatus.OK,
        ),
        CheckedSource(number=2, labels=(text,), status=ReadStatus.NOT_FOUND, reason=text),
    )
    return Audit(
        summary=summarized(sentences, sources),
        sentences=sentences,
        sources=sources,
        warnings=(RunWarning(kind="reason", message=text),),
    )


def tokens(text: str) -> list[Token]:
    parser = MarkdownIt("commonmark").enable("table")
    return [inner for token in parser.parse(text) for inner in (token, *(token.children or ()))]


def test_an_audit_in_markdown_has_every_sentence_its_words_and_the_figures() -> None:
    text = audit_markdown(audit("The mill stands."), name="report.md")
    assert "# Check of report.md" in text
    for verdict in Support:
        assert f"| {VERDICTS[verdict]} | 50% | The mill stands. |" in text
    assert "“The mill stands.” (https\\://valley.example/a, The mill stands.)" in text
    assert "| Citation precision | 40% |" in text
    assert "| Citation recall | 40% |" in text
    assert "<https://valley.example/a>" in text
    assert "read at https\\://valley.example/b" in text
    assert NO_CITATIONS not in text


def test_a_text_without_citations_says_so() -> None:
    said = CheckedSentence(line=1, start=0, end=3, text="So.", verdict=Support.NOT_JUDGED)
    made = Audit(summary=summarized([said], []), sentences=(said,), sources=())
    text = audit_markdown(made, name="x")
    assert NO_CITATIONS in text
    assert "| Citation precision | – |" in text
    assert "## Sources" not in text


@given(ANYTHING | SPOOFS)
def test_whatever_a_text_or_a_page_holds_renders_as_text(text: str) -> None:
    parsed = tokens(audit_markdown(audit(text), name=text))
    kinds = {token.type for token in parsed}
    assert not kinds & {"image", "html_inline", "html_block", "code_inline", "fence", "code_block"}
    hrefs = [token.attrs["href"] for token in parsed if token.type == "link_open"]
    assert hrefs == ["https://valley.example/a"]
    rows = [token for token in parsed if token.type == "tr_open"]
    assert len(rows) == 1 + 13 + 1 + len(Support) + 1 + 2
