"""A report as Markdown, and its long form, whose words stay text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

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
from tests.view.export.reports import HOSTILE, long, valley

from quaere.domain.evidence import Evidence
from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.report import Degradation, Report, RunWarning, Sentence
from quaere.domain.source import Passage
from quaere.domain.verdict import StopReason
from quaere.synthesize.compose import shown_text
from quaere.synthesize.inert import one_line
from quaere.synthesize.wording import STOP_REASONS
from quaere.text.inline import Form, stretches, unmarked
from quaere.view.export.document import (
    Bullets,
    Code,
    Document,
    Marker,
    Paragraph,
    Section,
    Source,
    Table,
    Tone,
    Words,
    words,
)
from quaere.view.export.markdown import long_markdown, markdown
from quaere.view.export.sections import document

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


def test_a_follow_up_is_told_as_it_was_read_below_its_heading() -> None:
    asked = {"question": "And its mill?", "read_as": "Who built the mill of Orrin?"}
    made = report(compose([TOWNSFOLK], EVIDENCE, PASSAGES)).model_copy(update=asked)
    head = "# And its mill?\n\nQuestion as it was understood: Who built the mill of Orrin?\n\n"
    assert markdown(made).startswith(head)


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


def test_a_place_with_controls_and_line_breaks_is_told_on_one_line() -> None:
    held = passage(BRIDGE, title="Bridge").model_copy(
        update={"locator": "\x1b[31mp\u202e\n\n# Two"}
    )
    said = SPANS.model_copy(update={"quotes": (quote(held, "It spans"),)})
    made = reported([said], [entry(1, held)], [held])
    told = made.model_copy(
        update={"citations": (made.citations[0].model_copy(update={"locator": held.locator}),)}
    )
    written = markdown(told)
    assert "p \\# Two" in written
    assert "\x1b" not in written
    assert "\u202e" not in written


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


HASH = "SHA-256 abc"


def parsed(text: str) -> list[Token]:
    tokens = MarkdownIt("commonmark", {"linkify": False}).enable("table").parse(text)
    return [child for token in tokens for child in (token, *(token.children or ()))]


def test_it_renders_as_what_it_is() -> None:
    text = long_markdown(document(valley()))
    tokens = parsed(text)
    kinds = {token.type for token in tokens}
    assert not kinds & {"html_block", "html_inline", "image", "code_block", "fence"}
    assert sum(token.type == "table_open" for token in tokens) == 6
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1


def test_the_only_links_are_those_of_the_web_sources() -> None:
    tokens = parsed(long_markdown(document(valley())))
    links = [str(token.attrGet("href")) for token in tokens if token.type == "link_open"]
    assert [link.split("#")[0] for link in links] == [
        "https://valley.example/orrin-bridge",
        "https://fa.valley.example/%D9%BE%D9%84",
        "https://ja.valley.example/%E6%A9%8B",
        "https://valley.example/ferries?id=3",
    ]
    assert all(":~:text=" in link for link in links)


def test_a_source_has_quote_place_time_and_hash() -> None:
    """R0.9: whoever reads it can check it."""
    text = long_markdown(document(valley()))
    assert (
        "5. Velling, /valley/velling town.md, page 2\n\n"
        "   > Velling has 18,450 inhabitants.\n\n"
        f"   folder; read 2026-11-02T08:00:00Z; {HASH}\n"
    ) in text


def test_a_hostile_title_stays_text() -> None:
    text = long_markdown(document(valley()))
    assert HOSTILE not in text
    assert "\u202e" not in text
    assert "javascript:" not in text
    assert "[9]" not in text


def test_words_that_would_start_a_list_or_a_row_do_not() -> None:
    table = Table("", ("One", "Two"), ((words("a|b"), words("- c")),))
    section = Section("s", "1. A # title", (Paragraph(words("+ no list")), table))
    text = long_markdown(Document("# T", words("S"), (section,), ""))
    kinds = [token.type for token in parsed(text)]
    assert "bullet_list_open" not in kinds
    assert kinds.count("td_open") == 2
    assert kinds.count("heading_open") == 2


def test_sources_of_two_and_three_figures_keep_their_quotes() -> None:
    tokens = parsed(long_markdown(document(long(120))))
    assert sum(token.type == "ordered_list_open" for token in tokens) == 1
    assert sum(token.type == "blockquote_open" for token in tokens) == 120
    assert not any(token.type == "code_block" for token in tokens)


def test_a_part_of_a_section_is_a_level_below_it_and_a_table_has_its_title_above() -> None:
    cell = words("21")
    named = Table(title="Mills", head=("Year",), rows=((cell,),))
    plain = Table(title="", head=("Year",), rows=((cell,),))
    part = Section(id="b", title="Older mills", blocks=(plain,))
    section = Section(id="a", title="Mills", blocks=(named,), sections=(part,))
    text = long_markdown(Document(title="Q", summary=(), sections=(section,), written=""))
    assert "\n## Mills\n\n*Mills*\n\n| Year |\n" in text
    assert "\n### Older mills\n\n| Year |\n" in text


def test_each_kind_of_block_is_written_as_commonmark_has_it() -> None:
    items = (words("one"), words("two"))
    source = Source(
        number=12,
        title="A mill",
        href="https://a.org",
        file="",
        place="page 3",
        quote="It burned.",
        facts=("web", "read"),
    )
    line = (Words("so "), Words("x*y", Tone.CODE), Words(" is "), Words("old", Tone.STRONG))
    blocks = (
        Bullets(items),
        Bullets(items, numbered=True, first=3),
        Code("a\n  b", words("[1]")),
        Paragraph((*line, Marker(2, "", ""))),
        source,
        replace(source, number=3, href="", facts=()),
    )
    made = Document("Q", words("S"), (Section("a", "A", blocks),), "")
    assert long_markdown(made) == (
        "# Q\n\nS\n\n## A\n\n- one\n- two\n\n3. one\n4. two\n\n```\na\n  b\n```\n[1]\n\n"
        "so `x*y` is **old**[2]\n\n"
        "12. [A mill](<https://a.org>), page 3\n\n    > It burned.\n\n    web; read\n\n"
        "3. A mill, page 3\n\n   > It burned.\n"
    )
