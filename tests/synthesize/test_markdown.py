from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.synthesize.drafts import (
    EVIDENCE,
    HERE,
    PASSAGES,
    SPANS,
    TEXT,
    TOWNSFOLK,
    compose,
    drafts,
    report,
    reported,
    unanswered,
)
from tests.verify.samples import BRIDGE, entry, passage, quote

from quaere.domain.evidence import Evidence
from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.report import Degradation, Report, RunWarning, Sentence
from quaere.domain.source import Passage
from quaere.domain.verdict import StopReason
from quaere.synthesize.compose import shown_text
from quaere.synthesize.inert import one_line
from quaere.synthesize.markdown import markdown
from quaere.synthesize.wording import STOP_REASONS
from quaere.text.markdown import Form, stretches, unmarked

RENDERER = MarkdownIt("commonmark", {"html": True}).enable("table")


def tokens(text: str) -> Iterator[Token]:
    for token in RENDERER.parse(text):
        yield token
        yield from token.children or ()


def test_a_report_in_markdown_shows_everything_a_reader_may_check() -> None:
    composed = compose([TOWNSFOLK, SPANS], EVIDENCE, PASSAGES, gaps=())
    text = markdown(
        report(
            composed,
            stop_reason=StopReason.TIMEOUT,
            gaps=("who paid",),
            checklist=Checklist(
                items=(
                    Item(
                        id="a",
                        description="How long | wide",
                        status=ItemStatus.SATISFIED,
                        evidence=(HERE.id, "not cited"),
                    ),
                    Item(id="b", description="Who paid"),
                )
            ),
            degradations=(Degradation(step="plan", reason="no model"),),
        ).model_copy(
            update={"warnings": (RunWarning(kind="read", message="gone", subject="x.md"),)}
        )
    )
    assert text == (
        "# How long is the bridge?\n"
        "\n"
        "Velling has 18,450 inhabitants [1]. It spans 312 metres [2]. "
        "The evidence found does not cover every part of the question.\n"
        "\n"
        "## Citations\n"
        "\n"
        "1. Velling, /valley/velling town.md, page 2 (read 2026-11-02T08:00:00Z)\n"
        "\n"
        "   > Velling has 18,450 inhabitants.\n"
        "\n"
        f"2. [Orrin Bridge](<{HERE.url}>), page 2 (read 2026-11-02T08:00:00Z)\n"
        "\n"
        "   > It spans 312 metres\n"
        "\n"
        "## Coverage\n"
        "\n"
        "| Part of the question | Status | Citations |\n"
        "| --- | --- | --- |\n"
        "| How long \\| wide | Answered | [2] |\n"
        "| Who paid | Open |  |\n"
        "\n"
        "## What is missing\n"
        "\n"
        "- who paid\n"
        "\n"
        "## How the search ended\n"
        "\n"
        "- Stopped because the time was up (timeout).\n"
        "- Confidence: 0%; coverage: 50%\n"
        "- Loops: 2 of at most 2\n"
        "- Queries: 3 of at most 3\n"
        "- Degraded (plan): no model\n"
        "\n"
        "## Checks\n"
        "\n"
        "Of 2 sentences written, 0 were supported as they were, 0 repaired, 0 marked and 0 dropped."
        "\n\n"
        "## Warnings\n"
        "\n"
        "- read: x.md: gone\n"
        "\n"
        "## Cost\n"
        "\n"
        "0.0 s; 0 sources found, 0 read, 1 refused\n"
    )


def test_where_nothing_answers_places_to_look_are_listed_as_what_they_are() -> None:
    assert (
        "## Where to look\n"
        "\n"
        "None of this answers the question; it comes nearest to it.\n"
        "\n"
        "- Velling, Market › Salt (/notes/velling.md, lines 3-9): Salt was sold by (7) 'guilds' "
        "\\| ‹b\\>Ada‹/b\\>.\n"
        "- Ferries (/notes/ferries.md, lines 3-9): The ferry \\*\\*sank\\*\\*.\n"
        "\n"
        "## How the search ended\n"
    ) in markdown(unanswered())
    assert "Where to look" not in markdown(reported([SPANS]))


def test_the_ledger_is_its_last_line() -> None:
    usage = Usage(prompt_tokens=4_000, completion_tokens=115)
    call = ModelCall(step="plan", model="openai:moth", usage=usage, cost_usd=0.002)
    composed = compose([TOWNSFOLK], EVIDENCE, PASSAGES)
    made = report(composed).model_copy(update={"calls": (call, call)})
    assert markdown(made).splitlines()[-1] == "2 model calls, 8,230 tokens, $0.004"


def test_every_citation_is_an_item_with_its_number_and_its_quote() -> None:
    many = [
        passage(f"Shaft {n} is {n} metres deep.", title=f"Shaft {n}", start=n) for n in range(1, 12)
    ]
    said = [
        Sentence(text=p.text, evidence=(n,), quotes=(quote(p, p.text),))
        for n, p in enumerate(many, start=1)
    ]
    text = markdown(reported(said, [entry(n, p) for n, p in enumerate(many, 1)], many))
    parsed = RENDERER.parse(text)
    items = [token for token in parsed if token.type == "list_item_open"]
    quotes = [token for token in parsed if token.type == "blockquote_open"]
    assert [token.info for token in items[:11]] == [str(n) for n in range(1, 12)]
    assert [token.level for token in quotes] == [2] * 11


def test_every_stop_reason_is_explained() -> None:
    for reason in StopReason:
        told = f"- Stopped because {STOP_REASONS[reason]} ({reason.value}).".replace("_", "\\_")
        assert told in markdown(reported([SPANS], stop_reason=reason))


def test_a_title_cannot_become_a_link_or_a_heading() -> None:
    title = "# [x](http://evil.example) <b>![y](javascript:alert(1))"
    held = passage(BRIDGE, title=title, url="javascript:alert(1)")
    said = SPANS.model_copy(update={"quotes": (quote(held, "It spans"),)})
    parsed = list(tokens(markdown(reported([said], [entry(1, held)], [held]))))
    assert not [t for t in parsed if t.type in {"link_open", "image", "html_inline", "html_block"}]
    assert sum(t.type == "heading_open" and t.tag == "h1" for t in parsed) == 1


_SHOWN = {"text", "text_special", "code_inline"}


def _checked(made: Report) -> None:
    parsed = list(tokens(markdown(made)))
    kinds = {token.type for token in parsed}
    assert not kinds & {"image", "html_inline", "html_block", "fence", "code_block", "em_open"}
    written = {form for said in made.sentences for form, _ in stretches(shown_text(said))}
    assert ("code_inline" in kinds) <= (Form.CODE in written)
    assert ("strong_open" in kinds) <= bool(written - {Form.PLAIN})
    assert sum(token.type == "heading_open" for token in parsed) <= 8
    hrefs = [str(token.attrs["href"]) for token in parsed if token.type == "link_open"]
    assert len(hrefs) <= len(made.citations)
    assert all(href.lower().startswith(("http://", "https://")) for href in hrefs)
    shown = "".join(
        token.content if token.type in _SHOWN else " "
        for token in parsed
        if token.type in {*_SHOWN, "softbreak", "hardbreak", "blockquote_open"}
    )
    squeezed = "".join(shown.split())
    assert "".join(unmarked(made.answer).split()) in squeezed
    for citation in made.citations:
        assert "".join(one_line(citation.quote.text).split()) in squeezed


@given(drafts(), TEXT)
def test_whatever_a_page_holds_renders_as_text(
    drafted: tuple[list[Sentence], tuple[Evidence, ...], tuple[Passage, ...]], odd: str
) -> None:
    sentences, evidence, passages = drafted
    composed = compose(sentences, evidence, passages)
    _checked(report(composed, question=odd, gaps=(odd,)))
