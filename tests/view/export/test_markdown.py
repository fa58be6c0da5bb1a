"""The long form as Markdown, read back by a parser of CommonMark."""

from __future__ import annotations

import re
from dataclasses import replace

from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.view.export.reports import HOSTILE, long, valley

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
from quaere.view.export.markdown import long_markdown
from quaere.view.export.sections import document

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
