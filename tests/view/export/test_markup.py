"""What a competent model writes reaches the reader whole: bold words, code, brackets, tables."""

from __future__ import annotations

import io

import pytest
from docx import api
from markdown_it import MarkdownIt
from rich.console import Console
from tests.synthesize.drafts import markers, reported
from tests.verify.samples import entry, passage

from quaere.domain.question import AnswerForm, Checklist
from quaere.domain.report import Opens, Report, Support
from quaere.faces.cli.render import rendered
from quaere.reason.llm.sentences import SentenceReader, with_ids
from quaere.synthesize.brief import brief
from quaere.synthesize.compose import Draft
from quaere.synthesize.layout import Layout
from quaere.verify.repair import pool_of, verify_sentence
from quaere.view.export.docx import docx
from quaere.view.export.html import html
from quaere.view.export.markdown import long_markdown, markdown
from quaere.view.export.sections import document

MANUAL = passage(
    "The queue keeps its first job in arr[0], and its next one in arr[1]. "
    'The log says "recieved [sic] 3 jobs" on start. Set max_jobs before the queue opens:\n\n'
    "    queue.max_jobs = [3]\n    queue.open(wait=True)\n\n"
    "Jobs are kept for 30 days."
)
SIZES = passage(
    "| Plan | Jobs | Price |\n| --- | --- | --- |\n| Small | 3 | 10 crowns |\n"
    "| Large | 40 | 90 crowns |\n"
)
EVIDENCE = (entry(1, MANUAL), entry(2, SIZES))
PASSAGES = (MANUAL, SIZES)
CODE = "queue.max_jobs = [3]\nqueue.open(wait=True)"
WRITTEN = f"""\
The queue keeps its **first job** in `arr[0]`, and its next one in `arr[1]` [1]. \
The log says "recieved [sic] 3 jobs" on start [1].

1. Set `max_jobs` before the queue opens [1]:

```python
{CODE}
```

2. Jobs are kept for 30 days [1].

| Plan | Jobs | Price |
|------|-----:|-------|
| Small | 3 | 10 crowns [2] |
| **Large** | 40 | 90 crowns [2] |

Jobs are kept for **30 days** [1].
"""


def report(form: AnswerForm | None = None, *, size: int = 7) -> Report:
    """Return the report of WRITTEN, as it comes in pieces of ``size``, after it was checked."""
    reader = SentenceReader({1: None, 2: None}, f"{MANUAL.text}\n{SIZES.text}")
    pieces = (WRITTEN[at : at + size] for at in range(0, len(WRITTEN), size))
    written = [sentence for piece in pieces for sentence in reader.feed(piece)]
    pool = pool_of(EVIDENCE, PASSAGES)
    draft = Draft(EVIDENCE, PASSAGES)
    for each in (*written, *reader.close()):
        if shown := verify_sentence(each, pool).sentence:
            draft.add(shown)
    composed = draft.finish(layout=Layout(form, Checklist()))
    return reported(draft.sentences, EVIDENCE, PASSAGES).model_copy(
        update={"answer": composed.answer, "citations": composed.citations}
    )


def test_no_sentence_is_lost_or_doubted_for_its_marks() -> None:
    claims = [each for each in report().sentences if each.support is not Support.NOT_A_CLAIM]
    assert len(claims) >= 7
    assert all(each.support.holds for each in claims), [(c.text, c.reason) for c in claims]
    assert {each.opens for each in claims} >= {Opens.CODE, Opens.ROW, Opens.NUMBERED}


@pytest.mark.parametrize("form", [None, AnswerForm.LIST, AnswerForm.TABLE, AnswerForm.REPORT])
def test_the_answer_is_laid_out_as_it_was_written(form: AnswerForm | None) -> None:
    answer = report(form).answer
    assert "**first job** in `arr[0]`, and its next one in `arr[1]` [1]." in answer
    assert '"recieved [sic] 3 jobs"' in answer
    assert f"```\n{CODE}\n```\n[1]" in answer
    table = "| Plan | Jobs | Price |\n| --- | --- | --- |\n| Small | 3 | 10 crowns [2] |\n"
    assert table in answer
    assert "| **Large** | 40 | 90 crowns [2] |" in answer
    assert "2. Jobs are kept for 30 days [1]." in answer
    prose = answer.replace(f"```\n{CODE}\n```", "")
    assert set(markers(prose)) == {1, 2}


@pytest.mark.parametrize("size", [1, 64, 10_000])
def test_the_size_of_the_pieces_makes_no_difference(size: int) -> None:
    assert report(size=size) == report()


def test_markdown_renders_them() -> None:
    made = report()
    for text in (markdown(made), long_markdown(document(made))):
        page = MarkdownIt().enable("table").render(text)
        assert "<strong>first job</strong>" in page
        assert "<code>arr[0]</code>" in page
        assert "[sic]" in page
        assert "queue.max_jobs = [3]\nqueue.open(wait=True)" in page
        assert "<th>Plan</th>" in page
        assert '<ol start="2">' in page


def test_so_do_html_and_word() -> None:
    page = html(document(report()))
    part = page[page.index('id="part-0"') : page.index('id="findings"')]
    assert "<strong>first job</strong>" in part
    assert "<code>arr[0]</code>" in part
    assert f"<pre><code>{CODE}</code></pre>" in part
    assert '<th scope="col">Plan</th>' in part
    assert '<ol start="2">' in part
    word = api.Document(io.BytesIO(docx(document(report()))))
    runs = [run for paragraph in word.paragraphs for run in paragraph.runs]
    assert {run.text for run in runs if run.font.name == "Courier New"} >= {"arr[0]", CODE}
    assert any(run.bold and run.text == "first job" for run in runs)


def test_a_terminal_shows_code_with_its_indent_and_bold_words_without_marks() -> None:
    shown = rendered(report(), Console(width=120))
    assert "its first job in `arr[0]`, and" in shown
    assert "queue.max_jobs = [3]\n" in shown
    rows = [line for line in shown.splitlines() if line.startswith("|")]
    assert rows[0].startswith("| Plan ")
    assert len({line.index("|", 1) for line in rows[:3]}) == 1  # cells are below each other
    assert any(line.replace(" ", "") == "|Small|3|10crowns[2]|" for line in rows)


def test_a_brief_answer_is_prose() -> None:
    assert "```" not in brief(report()).answer


def test_ids_in_code_are_not_translated_and_those_of_a_fenced_answer_are() -> None:
    text = "Use `a[1]` [1].\n```\nx = [1]\n```\n```\nThe queue keeps 3 jobs [1].\n```\n"
    assert with_ids(text, {1: 7}) == (
        "Use `a[1]`[7].\n```\nx = [1]\n```\n```\nThe queue keeps 3 jobs[7].\n```\n"
    )


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("See [the page](http://evil.example) now", "the page now"),
        ("A [note][1] here", "(note)"),
        ("[lies]: see there", "(lies)"),
        ("An ![image] here", "!(image)"),
        (r"A \`trick` [x](y) ` here", "` [x](y) `"),
    ],
)
def test_no_bracket_that_stays_can_become_a_link(written: str, shown: str) -> None:
    said = reported(
        [report().sentences[0].model_copy(update={"text": written})], EVIDENCE, PASSAGES
    )
    page = MarkdownIt().render(said.answer)
    assert "<a" not in page
    assert "<img" not in page
    assert shown.replace("the page now", "the page") in said.answer


def test_a_list_that_begins_an_answer_is_counted_from_one() -> None:
    made = report()
    items = tuple(each for each in made.sentences if each.opens is Opens.NUMBERED)
    page = html(document(made.model_copy(update={"sentences": items})))
    assert "<ol>\n" in page
    assert "<ol start" not in page
