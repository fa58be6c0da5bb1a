"""What an exported report says of itself is not checked; its answer is."""

from __future__ import annotations

import pytest
from tests.faces.cli import samples

from quaere.audit.cited_text import cited_text
from quaere.audit.own_report import about_itself
from quaere.domain.report import Report
from quaere.text.languages.language import frame_of
from quaere.view.export.export import Form, export
from quaere.view.export.markdown import markdown

ASKED = (
    "Who built the mill at Orrin?",
    "Wer hat die Mühle in Orrin gebaut?",
    "¿Quién construyó el molino de Orrin?",
    "オリンの水車小屋は誰が建てましたか。",
)


def _report(question: str) -> Report:
    return samples.report().model_copy(update={"question": question})


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize("is_long", [True, False])
def test_only_the_answer_of_a_report_is_read(question: str, is_long: bool) -> None:
    report = _report(question)
    text = export(report, Form.REPORT).decode() if is_long else markdown(report)
    named = frame_of(question).headings
    sources = text.index(f"## {named.sources if is_long else named.citations}")
    read = cited_text(text)
    begins = text.index(f"## {named.short}") if is_long else 0
    assert read.sentences
    assert all(begins < sentence.start < sources for sentence in read.sentences)
    assert read.sources
    assert all(source.listed for source in read.sources)


def test_a_report_that_does_not_say_how_the_search_ended_is_one() -> None:
    text = export(_report(ASKED[0]), Form.REPORT).decode()
    named = frame_of(ASKED[0]).headings
    assert list(about_itself(text.replace(named.ended, "The end")))


def test_another_text_that_tells_what_was_checked_is_read_as_it_is() -> None:
    text = (
        "The brakes are safe [1].\n\n# Brakes\n\n## What was checked\n\nThe pads are new [1].\n\n"
        "## Findings\n\nThe discs are worn [2].\n\n## Limits\n\nThe hand brake is missing [2].\n"
    )
    assert not list(about_itself(text))


def test_another_text_with_a_method_is_read_as_it_is() -> None:
    text = (
        "# Mills\n\nThe mill was built in 1788.\n\n## Method\n\nWe asked every miller in Orrin.\n"
    )
    assert not list(about_itself(text))
    assert len(cited_text(text).sentences) == 2
