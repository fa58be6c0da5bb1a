from __future__ import annotations

import time

import pytest
from tests.contracts.extractor import FACT, ExtractorContract
from tests.read.documents import body

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.chunker import PassageChunker
from quaere.read.extract.markdown import MarkdownExtractor

DOCUMENT = f"""---
title: "Ferries of the sound"
author: Mara Lind
date: 2024-05-06T10:00
lang: en-GB
---
# Ferries

Ostrow and **Pell** are [linked](https://pell.test/a_(b)) by `one_ferry`.

{FACT}
"""


class TestMarkdownExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> MarkdownExtractor:
        return MarkdownExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(DOCUMENT, "ferries.md")


def read(text: str, name: str = "ferries.md") -> Page:
    return next(MarkdownExtractor().extract(body(text, name)))


def test_front_matter_says_what_the_page_is() -> None:
    page = read(DOCUMENT)
    assert page.title == "Ferries of the sound"
    assert page.author == "Mara Lind"
    assert page.published == "2024-05-06"
    assert page.language == "en"
    assert page.text.startswith("# Ferries\n")


def test_passages_name_the_lines_of_the_file() -> None:
    (passage,) = PassageChunker()(read(DOCUMENT))
    assert passage.locator == "lines 7-11"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("intro\n\n# The [Pell](x) *line*\n", "The Pell line"),
        ("## The Pell line\ntext", "The Pell line"),
        ("intro\n\n## Timetable\n", "ferries"),
        ('<h1 align="center">The <b>Pell</b></h1>\n\n## Timetable\n', "The Pell"),
        ("Ferry\n=====\ntext", "Ferry"),
        ("no heading", "ferries"),
        ("---\nnot front matter\n", "ferries"),
        ("---\ntitle: never closed\n", "ferries"),
        ("```\n# a comment in code\n```\n\n# Real\n", "Real"),
    ],
)
def test_the_title_is_the_first_heading_or_the_file_name(text: str, title: str) -> None:
    assert read(text).title == title


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("**Bold** and _soft_ and __strong__ words", "Bold and soft and strong words"),
        ("snake_case_name and 2*3*4 stay", "snake_case_name and 2*3*4 stay"),
        ("see [the log](log.md 'title') or [this][ref]", "see the log or this"),
        ("two [`Port`][]s, [`port.shut()`][shut]", "two `Port`s, `port.shut()`"),
        ("[`shut`](#shut) and [the `-v` flag](flags.md)", "`shut` and the `-v` flag"),
        ("`[a][b]` and `x[0](1)`", "`[a][b]` and `x[0](1)`"),
        ("[![badge](b.svg)](x) words", "badge words"),
        ("![a chart](chart.png)", "a chart"),
        ("in `code **stays** [so](x)`", "in `code **stays** [so](x)`"),
        ("<b>tags</b> go, a < b and b > c stay", "tags go, a < b and b > c stay"),
        ("<https://pell.test/x> stays", "https://pell.test/x stays"),
        (r"1\. not a \*list\*", "1. not a *list*"),
        ("a<!-- hidden\nfor two lines -->b", "a\nb"),
        ("text[^1]\n\n[ref]: https://x.test", "text[^1]"),
        (
            "text[^1][^b].\n\n[^1]: Not on islands.\n[^b]: Nor *here*.",
            "text.\n\nNot on islands.\nNor here.",
        ),
        ("`[^1]` and [^a-z]\n\n[^1]: A note.", "`[^1]` and [^a-z]\n\nA note."),
        (
            "# Fees[^1]\n\n```\n[^1]: code\n```\n\n[^1]: In euros.",
            "# Fees\n\n[^1]: code\n\nIn euros.",
        ),
        ("## Closed ##", "## Closed"),
        ("- item\n* item", "- item\n* item"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", "| a | b |\n| 1 | 2 |"),
        ("Ferry\n-----\nwords", "## Ferry\n\nwords"),
        ("one\n\n***\n\ntwo", "one\n\ntwo"),
        ("one\n\n\n\n\ntwo", "one\n\ntwo"),
        ("~~~py\n# kept *as* is\n```\n~~~\nend", "# kept *as* is\n\nend"),
        ("1. Do:\n\n      ```sh\n      row *on*\n      ```\n", "1. Do:\n\n      row *on*"),
        ("    ```x``` *y*", "    ```x``` y"),
    ],
)
def test_words_come_out_without_their_markup(markup: str, shown: str) -> None:
    assert read(markup).text == shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Wray &mdash; a carpenter &amp; smith", "Wray — a carpenter & smith"),
        ("4&nbsp;m wide, the owner&#8217;s, 5&#x20AC;", "4 m wide, the owner’s, 5€"),
        ("the &lt;title&gt; element", "the <title> element"),
        ("`&amp;` is code, \\&copy; is escaped", "`&amp;` is code, &copy; is escaped"),
        ("AT&T; a&b; &nothing; &copy 2020", "AT&T; a&b; &nothing; &copy 2020"),
        ("| a &#124; b | &ast;c&ast; |", "| a &#124; b | &ast;c&ast; |"),
        ("one&NewLine;line, &shy;un&shy;seen&zwj;&zwnj;&zwj;", "one&NewLine;line, unseen"),
    ],
)
def test_entities_are_the_characters_they_stand_for(written: str, shown: str) -> None:
    assert read(written).text.strip() == shown


def test_every_line_is_marked_with_its_number_in_the_file() -> None:
    text = "---\ntitle: x\n---\none\n\n\n\nfive\n\n| a |\n|---|\n| b |\n"
    page = read(text)
    lines = text.split("\n")
    for mark, following in zip(page.marks, (*page.marks[1:], None), strict=True):
        shown = page.text[mark.start : following.start - 1 if following else None]
        assert shown == lines[int(mark.label.removeprefix("line ")) - 1]


def test_markup_alone_is_no_text() -> None:
    with pytest.raises(ReadError) as caught:
        read("<!-- nothing -->\n\n---\n\n[ref]: https://x.test\n")
    assert caught.value.status == ReadStatus.EMPTY


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "![a](",
        "[a](b(",
        "<!--",
        "**a ",
        "_a ",
        "`a ``b ",
        "<a ",
        " ",
        "# ",
        "- - ",
        "&a",
        "&#1",
    ],
)
def test_hostile_markup_takes_no_more_than_linear_time(unit: str) -> None:
    started = time.process_time()
    _pages = list(MarkdownExtractor().extract(body(unit * (200_000 // len(unit)) + "\nend")))
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("line", "own"),
    [
        ("See [the *guide*](https://mill.example/a_b_c), **now**.",
         "See [the *guide*](https://mill.example/a_b_c), now."),
        ("Ask [us](mailto:a@mill.example) or [them](them.md).",
         "Ask [us](mailto:a@mill.example) or them."),
        ("![A mill](https://mill.example/a.png) and `[x](https://a.example)`.",
         "A mill and `[x](https://a.example)`."),
    ],
)  # fmt: skip
def test_in_a_file_links_to_the_web_stay(line: str, own: str) -> None:
    """Of a page of the web their words stay alone, and so they do in headings."""
    heading = "# The [mill](https://mill.example/)\n\n"
    text = f"{heading}{line}"
    (page,) = MarkdownExtractor().extract(Body(url="file:///a.md", data=text.encode()))
    assert page.text == f"# The mill\n\n{own}"
    assert page.title == "The mill"
    (page,) = MarkdownExtractor().extract(Body(url="https://a.example/a.md", data=text.encode()))
    assert "](https://" not in page.text.replace("`[x](https://a.example)`", "")


def test_heads_in_several_rows_are_told_as_one() -> None:
    table = (
        "|  | Season to May |  |\n|---|---|---|\n|  | 2023 | 2024 |\n| Herring | 14 | 19 |\n"
        "| Cod | 4 | 9 |\n"
    )
    told = "|  | Season to May 2023 | Season to May 2024 |\n| Herring | 14 | 19 |\n| Cod | 4 | 9 |"
    assert read(f"# Fish\n\n{table}").text.endswith(told)
    fenced = read(f"# Fish\n\n```\n{table}```\n").text
    assert "|  | 2023 | 2024 |" in fenced


def test_raised_figures_are_not_glued_to_what_is_before_them() -> None:
    told = "It makes 10<sup>6</sup> bricks.<SUP>12</SUP> The 1<sup>st</sup> is `10<sup>6</sup>`."
    assert read(told).text == "It makes 10⁶ bricks.¹² The 1st is `10<sup>6</sup>`."


def test_a_quoted_paragraph_reads_on_from_line_to_line() -> None:
    text = (
        "Ada said:\n\n> The ferry takes an hour instead of\n> ~20 min. It is free\n> of charge.\n"
    )
    shown = "Ada said:\n\n> The ferry takes an hour instead of\n~20 min. It is free\nof charge."
    assert read(text).text.strip() == shown


@pytest.mark.parametrize(
    "text",
    [
        "> - one\n> - two",
        "> [!NOTE]\n> It leaves at dusk.",
        "> # Ferries\n> They leave at dusk.",
        "> first\n>> a reply to it",
        "> first\n>\n> second",
        "```\n> row out\n> row back\n```",
    ],
)
def test_what_begins_anew_in_a_quotation_keeps_its_mark(text: str) -> None:
    quoted = [line for line in text.split("\n") if line.startswith(">")]
    assert read(text).text.strip().split("\n") == quoted
