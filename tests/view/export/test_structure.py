"""Paragraphs and lists pass from a model's text through an answer into every form."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from docx import api
from markdown_it import MarkdownIt
from rich.console import Console
from tests.synthesize.drafts import EVIDENCE, PASSAGES, reported

from quaere.domain.question import AnswerForm, Checklist
from quaere.domain.report import Opens, Report
from quaere.faces.cli.render import rendered
from quaere.reason.llm.sentences import SentenceReader
from quaere.synthesize.compose import Draft
from quaere.synthesize.layout import Layout, stretches
from quaere.verify.repair import pool_of, verify_sentence
from quaere.view.export.document import Section
from quaere.view.export.docx import docx
from quaere.view.export.html import html
from quaere.view.export.markdown import long_markdown, markdown
from quaere.view.export.sections import document

WRITTEN = """\
The bridge spans 312 metres [2]. It cost 2.4 million crowns [2].

What else is known:

- Velling has 18,450 inhabitants [1].
- The ferry sank in 1888 [3].
  It is not known why.

1. It spans 312 metres [2].
2. It cost 2.4 million crowns [2].
"""


def report(form: AnswerForm | None = None) -> Report:
    """Return the report of WRITTEN, as it comes in pieces, after it was checked."""
    reader = SentenceReader(dict.fromkeys((entry.id for entry in EVIDENCE), None))
    sentences = [
        sentence
        for at in range(0, len(WRITTEN), 7)
        for sentence in reader.feed(WRITTEN[at : at + 7])
    ]
    pool = pool_of(EVIDENCE, PASSAGES)
    draft = Draft(EVIDENCE, PASSAGES)
    for written in (*sentences, *reader.close()):
        if shown := verify_sentence(written, pool).sentence:
            draft.add(shown)
    composed = draft.finish(layout=Layout(form, Checklist()))
    return reported(draft.sentences).model_copy(
        update={"answer": composed.answer, "citations": composed.citations}
    )


def test_the_answer_has_the_paragraphs_and_lists_that_were_written() -> None:
    paragraph, lead, town, ferry, *numbered = report().answer.replace("\n\n", "\n").split("\n")
    assert paragraph.count(". ") == 1
    assert lead == "What else is known:"
    assert (town.startswith("- Velling"), ferry.startswith("- The ferry sank")) == (True, True)
    assert [each[:3] for each in numbered] == ["1. ", "2. "]
    kinds = [each.kind for each in stretches(report().sentences)]
    assert kinds == [
        *[Opens.PARAGRAPH] * 2,
        *[Opens.ITEM] * 2,
        *[Opens.NUMBERED] * 2,
    ]


@pytest.mark.parametrize("form", [None, AnswerForm.LIST, AnswerForm.REPORT])
def test_every_form_shows_them(form: AnswerForm | None) -> None:
    made = report(form)
    short = MarkdownIt().render(markdown(made))
    answer = short[: short.index("<h2>Citations")]
    assert (answer.count("<ul>"), answer.count("<ol>")) == (1, 1)
    page = html(document(made))
    part = page[page.index('id="part-0"') : page.index('id="sources"')]
    assert (part.count("<ul>"), part.count("<ol>"), part.count("<li ")) == (1, 1, 4)
    long = MarkdownIt().render(long_markdown(document(made)))
    assert long.count("<ul>") >= 1
    word = api.Document(io.BytesIO(docx(document(made))))
    styles = [each.style.name for each in word.paragraphs if each.style]
    assert min(styles.count("List Bullet"), styles.count("List Number")) >= 2
    shown = rendered(made, Console(width=100))
    assert "\n- Velling has 18,450 inhabitants [" in shown


def test_headings_in_word_go_four_levels_deep() -> None:
    section = Section(id="level-6", title="Level 6")
    for level in range(5, 0, -1):
        section = Section(id=f"level-{level}", title=f"Level {level}", sections=(section,))
    whole = replace(document(report()), sections=(section,))
    word = api.Document(io.BytesIO(docx(whole)))
    titled = (each for each in word.paragraphs if each.text.startswith("Level"))
    headings = [(each.text, each.style.name if each.style else "") for each in titled]
    assert headings == [(f"Level {n}", f"Heading {min(n, 4)}") for n in range(1, 7)]


def test_the_short_answer_of_a_report_keeps_lists_too() -> None:
    page = html(document(report()))
    short = page[page.index('id="answer"') : page.index('id="parts"')]
    assert short.count("<li ") >= 2
    assert "inhabitants [" not in short


def test_a_table_is_a_table_in_markdown() -> None:
    shown = MarkdownIt().enable("table").render(markdown(report(AnswerForm.TABLE)))
    answer = shown[: shown.index("<h2>Citations")]
    assert answer.count("<tr>") == 1 + len(report().sentences)
