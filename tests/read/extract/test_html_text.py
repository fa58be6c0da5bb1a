from __future__ import annotations

import pytest

from quaere.read.extract.html_text import render
from quaere.read.extract.markup import parse_html


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one\n two</p><p>three", "one two\n\nthree"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("<h1>Pell</h1><h3>By <i>sea</i></h3>x", "# Pell\n\n### By sea\n\nx"),
        ("<ul><li>one</li><li><p>two</p></li></ul><ul><li></li></ul>", "- one\n- two"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
        ("<p>a<script>no()</script><style>no</style>b<noscript>no</noscript></p>", "ab"),
        ("<p>in<b>line</b> <a href=x>words</a></p>", "inline words"),
        ("<pre>def f():\n    return 1</pre>", "def f():\nreturn 1"),
        ("<table><tr><th>Port</th><th>Cars</th></tr><tr><td>Pell</td><td>11</td></tr></table>",
         "| Port | Cars |\n| Pell | 11 |"),
        ("<table><tr><td><p>one</p><p>two</p></td><td>three</td></tr></table>",
         "one\n\ntwo\n\nthree"),
        ("<table><tr><td>alone</td></tr></table>", "alone"),
        ("<table><tr><td>a<br>b</td><td>c</td></tr></table>", "| a b | c |"),
        ("<dl><dt>Term</dt><dd>Meaning</dd></dl>", "Term\n\nMeaning"),
        ("x&nbsp;y &amp; z", "x y & z"),
        ("<select><option>no</option></select><button>no</button>yes", "yes"),
        ("<p></p>", ""),
    ],
)  # fmt: skip
def test_structure_becomes_lines(html: str, text: str) -> None:
    assert render(parse_html(f"<html><body>{html}</body></html>")) == text


def test_a_row_of_long_cells_lays_out_a_page() -> None:
    cells = "<td>" + "word " * 90 + "</td><td>" + "more " * 90 + "</td>"
    text = render(parse_html(f"<table><tr>{cells}</tr></table>"))
    assert "|" not in text
    assert text.count("\n\n") == 1


def test_tags_of_an_extraction_are_known_as_well() -> None:
    tree = parse_html(
        "<doc><head rend='h2'>Pell</head><list><item>one</item><item>two</item></list>"
        "<table><row><cell>a</cell><cell>b</cell></row></table><p>x<lb/>y</p></doc>"
    )
    assert "- one\n- two" in render(tree)
    assert "| a | b |" in render(tree)
    assert "x\ny" in render(tree)


def test_the_deepest_tree_there_is_can_be_written() -> None:
    assert render(parse_html("<div>" * 5000 + "deep" + "</div>" * 5000)) in ("deep", "")
