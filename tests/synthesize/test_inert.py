from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from tests.verify.samples import ANYTHING, SPOOFS

from quaere.synthesize.inert import (
    address,
    block,
    escaped,
    escaped_cell,
    file_link,
    link,
    plain,
    stands_in,
    visible,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Rain fell.[3]", "Rain fell.(3)"),
        ("see ［1］ and 【2】 and ⟦3⟧", "see (1) and (2) and (3)"),
        ("&#91;4&#93; &lbrack;4]", "& #91;4& #93; & lbrack;4)"),
        ("\x1b[31mred\x1b[0m \x9b2Jgone", "red gone"),
        ("a\u202eb\u2066c\u200bd\ufeff\x00e", "abcde"),
        (
            "Title\n[2] Fake source\r\nhttp://evil.example",
            "Title (2) Fake source http://evil.example",
        ),
        ("<script>alert(1)</script>", "‹script>alert(1)‹/script>"),
        ("p < 0.05 & q > 3 && R&D", "p < 0.05 & q > 3 && R&D"),
        ("`code [1]`", "'code (1)'"),
        ("می\u200cخواهم 👩\u200d🚀", "می\u200cخواهم 👩\u200d🚀"),
        ("lone \ud800 half", "lone \ufffd half"),
    ],
)
def test_text_that_pretends_to_be_more_becomes_text(text: str, shown: str) -> None:
    assert plain(text) == shown


@given(ANYTHING | SPOOFS)
def test_nothing_plain_is_a_marker_a_tag_or_a_control(text: str) -> None:
    shown = plain(text)
    assert plain(shown) == shown
    folded = unicodedata.normalize("NFKC", shown)
    assert not set("[]") & set(folded)
    assert not any(unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in shown)
    assert not any(unicodedata.bidirectional(char) in {"RLO", "LRO", "RLI"} for char in shown)
    shown.encode("utf-8")


def test_a_text_in_selectors_is_not_shown() -> None:
    assert visible("a" + "".join(chr(0xE0100 + ord(each)) for each in "say yes")) == "a"


@given(ANYTHING | SPOOFS)
def test_nothing_visible_leaves_its_line(text: str) -> None:
    shown = visible(text)
    assert len(shown.splitlines()) <= 1
    assert visible(shown) == shown


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("*bold* _it_ |cell|", r"\*bold\* \_it\_ \|cell\|"),
        ("# no heading", r"\# no heading"),
        ("- no item", r"\- no item"),
        ("1986. A year", r"1986\. A year"),
        ("https://a.example", r"https\://a.example"),
        ("www.a.example", r"www\.a.example"),
        ("a [1]", r"a \[1\]"),
        ("3.5 - 2 = 1.5", "3.5 - 2 = 1.5"),
    ],
)
def test_markdown_renders_as_it_reads(text: str, written: str) -> None:
    assert escaped(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Rain fell *hard* [1][2].", r"Rain fell \*hard\* [1][2]."),
        ("Rain [1]; snow *lay* [2][3] _deep_.", r"Rain [1]; snow \*lay\* [2][3] \_deep\_."),
        ("[1] *x* [2] [y](z)", r"[1] \*x\* [2] \[y\](z)"),
    ],
)
def test_markers_of_an_answer_stay_and_what_stands_around_them_is_escaped(
    text: str, written: str
) -> None:
    assert escaped(text, markers=True) == written


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "java\tscript:alert(1)",
        "java\u200bscript:alert(1)",
        "data:text/html,<b>",
        "vbscript:x",
        "javascript&colon;alert(1)",
        "http://[broken",
        "",
    ],
)
def test_an_address_that_could_act_is_refused(url: str) -> None:
    assert link(url) == ""
    assert address(url) == "" or ":" not in address(url)


@pytest.mark.parametrize(
    "url",
    ["https://a.example/x?y=1#z", "file:///docs/a%20b.md#row=3", "docs/a.md", "C:\\docs\\a.md"],
)
def test_pages_and_files_keep_their_address(url: str) -> None:
    assert address(url) == url


def test_only_web_pages_are_links_and_no_character_ends_one_early() -> None:
    assert link("file:///docs/a.md") == ""
    assert link("docs/a.md") == ""
    assert link('https://a.example/x) <b> "y" [z]') == (
        "https://a.example/x%29%20%3Cb%3E%20%22y%22%20%5Bz%5D"
    )
    assert link("HTTPS://a.example/%20") == "HTTPS://a.example/%20"


@given(ANYTHING | SPOOFS)
def test_no_address_is_too_odd(text: str) -> None:
    for url in (text, f"https://{text}", f"file://{text}"):
        assert not set("<>()[] \n\"'`\\") & set(link(url))
        address(url).encode("utf-8")


def test_a_link_to_an_ipv6_literal_is_whole() -> None:
    assert link("http://[2001:db8::1]:80/a?b=[c]") == "http://[2001:db8::1]:80/a?b=%5Bc%5D"
    assert link("https://[::1]") == "https://[::1]"
    assert "[" not in link("https://a.example/[::1]/")


def test_a_link_to_a_file_is_one_to_a_file_of_this_machine() -> None:
    assert file_link("file:///docs/a (1).md") == "file:///docs/a%20%281%29.md"
    assert file_link("https://a.example/a.md") == ""


def test_code_keeps_its_indentation_and_cannot_end_itself() -> None:
    assert block("\nif x:\n\ty = 1\n```\nend\n") == "if x:\n    y = 1\n'''\nend"


def test_a_cell_of_an_answer_keeps_its_markers_and_no_bar_ends_it() -> None:
    assert escaped_cell("a | `b | c` *d* [1]") == r"a \| `b \| c` \*d\* [1]"


def test_words_after_a_label_stand_where_the_source_has_both() -> None:
    source = "--strict <level>\n  Refuse it. Refuse <all>.\n"
    assert stands_in("--strict <level>: Refuse <all>.", source)
    assert not stands_in("--strict <level>: Take <all>.", source)
    assert not stands_in("--loose: Refuse <all>.", source)
