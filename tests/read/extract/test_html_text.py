from __future__ import annotations

import pytest

from quaere.read.extract.html_text import MOST_CELLS, render, spread_spans
from quaere.text.markup import parse_html


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one\n two</p><p>three", "one two\n\nthree"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("<h1>Pell</h1><h3>By <i>sea</i></h3>x", "# Pell\n\n### By sea\n\nx"),
        ("<ul><li>one</li><li><p>two</p></li></ul><ul><li></li></ul>", "- one\n- two"),
        ("<ol><li>one<ol><li>in</li></ol></li><li>two</li></ol>", "1. one\n- in\n2. two"),
        ("<ol start=7><li>one</li></ol><ol start=x><li>two</li></ol>", "7. one\n1. two"),
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


def test_a_numbered_list_of_an_extraction_is_numbered() -> None:
    items = "<item>one</item><item>two</item>"
    for rend, marks in (("ol", ("1.", "2.")), ("ul", ("-", "-"))):
        text = render(parse_html(f'<list rend="{rend}">{items}</list>'))
        assert text == f"{marks[0]} one\n{marks[1]} two"


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


def rows(table: str) -> list[str]:
    root = parse_html(f"<html><body><table>{table}</table></body></html>")
    spread_spans(root)
    return render(root).split("\n")


def test_a_cell_over_several_rows_is_in_each() -> None:
    table = (
        "<tr><th>Pier<th>Ship<th>Leaves"
        "<tr><td rowspan=2>North<td>Heron<td>07:15"
        "<tr><td>Sorrel<td>09:40"
        "<tr><td>South<td rowspan=0>Tern<td>11:00"
        "<tr><td>West<td>12:00"
    )
    assert rows(table) == [
        "| Pier | Ship | Leaves |",
        "| North | Heron | 07:15 |",
        "| North | Sorrel | 09:40 |",
        "| South | Tern | 11:00 |",
        "| West | Tern | 12:00 |",
    ]


@pytest.mark.parametrize(
    ("table", "first"),
    [
        ("<tr><td>Weight<td>1.3 kg<tr><td>Cable<td>80 cm", "|  |  |"),
        ("<tr><td>Price<td>£ 40<tr><td>Post<td>free", "|  |  |"),
        ("<tr><th>Carrier<td>Posten<tr><th>Country<td>Norway", "|  |  |"),
        ("<tr><th>Carrier<td>Posten<td>Bring<tr><th>Days<td>5<td>4", "|  |  |  |"),
        ("<tr><td>Carrier<td>Country<tr><td>Posten<td>Norway", "| Carrier | Country |"),
        ("<tr><td>Wages<td>2023<tr><td>Crew<td>610", "| Wages | 2023 |"),
        ("<tr><td>Size 5<td>3 kg<tr><td>Size 6<td>4 kg", "| Size 5 | 3 kg |"),
        ("<tr><th>Ship<th>Days<tr><th>Tern<td>5", "| Ship | Days |"),
    ],
)
def test_labels_with_their_values_have_an_empty_head(table: str, first: str) -> None:
    head, *_ = rows(table)
    assert head == first


def test_heads_in_two_rows_are_one() -> None:
    table = (
        "<tr><th rowspan=2>Pier<th colspan=2>2023<th colspan=2>2024"
        "<tr><th>Ships<th>Cars<th>Ships<th>Cars"
        "<tr><td>North<td>1<td>2<td>3<td>4"
        "<tr><td colspan=4>Cars in all<td>6"
    )
    assert rows(table) == [
        "| Pier | 2023 Ships | 2023 Cars | 2024 Ships | 2024 Cars |",
        "| North | 1 | 2 | 3 | 4 |",
        "| Cars in all |  |  |  | 6 |",
    ]


@pytest.mark.parametrize(
    "table",
    [
        "<tr><td colspan=3>Ships of the sound<tr><td>North<td>Heron<td>07:15",
        "<tr><td rowspan=x>North<td>Heron<tr><td>South<td>Tern",
        "<tr><td rowspan=³>North<td>Heron<tr><td>South<td>Tern",
        f"<tr><td rowspan=2>{'word ' * 60}<td>Heron<tr><td>Tern<td>South",
        "<tr><td rowspan=2>North<td><table><tr><td>a<td>b</table><tr><td>Tern<td>South",
        f"<tr>{'<td rowspan=500 colspan=50>x' * (MOST_CELLS // 25_000 + 1)}<tr><td>a<td>b",
    ],
)
def test_layout_and_nonsense_stay_as_they_are(table: str) -> None:
    plain = render(parse_html(f"<html><body><table>{table}</table></body></html>")).split("\n")
    assert rows(table) == plain


def test_rows_that_head_a_table_are_one_whatever_tags_they_are_in() -> None:
    assert rows(
        "<tr><td><td>Season to May<td><tr><td><td>2023<td>2024<tr><td>Herring<td>14<td>19"
    ) == ["Season to May", "", "|  | 2023 | 2024 |", "| Herring | 14 | 19 |"]
    assert rows(
        "<tr><td><td>Landed<td><td>Sold<tr><td><td>2023<td>2024<td>2024<tr><td>Cod<td>4<td>9<td>8"
    ) == ["|  | Landed 2023 | Landed 2024 | Sold 2024 |", "| Cod | 4 | 9 | 8 |"]


def test_the_name_of_a_part_does_not_part_a_table_from_its_heads() -> None:
    told = rows(
        "<tr><td><td>2023<td>2024<tr><td>Landed:<td><td><tr><td>Herring<td>14<td>19"
        "<tr><td>Cod<td>4<td>9"
    )
    assert told == [
        "|  | 2023 | 2024 |",
        "| Landed: |  |  |",
        "| Herring | 14 | 19 |",
        "| Cod | 4 | 9 |",
    ]
