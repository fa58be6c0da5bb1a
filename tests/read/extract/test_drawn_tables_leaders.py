"""Lines on which dots lead from a label to its value."""

from __future__ import annotations

import pytest

from quaere.ports.read import Body
from quaere.read.extract.drawn_tables import without_leaders
from quaere.read.extract.markdown import MarkdownExtractor, TextExtractor


def test_a_list_of_prices_is_read_as_labels_and_values() -> None:
    lines = ["Plum tart ........ 3.20", "Cider . . . . . £4", "Cheese: ……… 5.10", "Open daily."]
    assert without_leaders(lines) == [
        "Plum tart: 3.20",
        "Cider: £4",
        "Cheese: 5.10",
        "Open daily.",
    ]


@pytest.mark.parametrize("extractor", [TextExtractor(), MarkdownExtractor()])
def test_contents_keep_the_number_of_each_line(
    extractor: TextExtractor | MarkdownExtractor,
) -> None:
    data = b"The weir\n\n1 Stones ....... 4\n2 Sluices ...... 19\n"
    (page,) = extractor.extract(Body(url="file:///weir.txt", data=data))
    assert "1 Stones: 4\n2 Sluices: 19" in page.text
    assert page.label_at(page.text.index("2 Sluices")) == "line 4"


@pytest.mark.parametrize(
    "line",
    [
        "",
        " " * 9000,
        "." * 9000,
        "........ 7",
        "tests/mill.py ........ [ 40%]",
        "He waited ..... and then nobody came to the door of the mill",
        "one .... two .... three",
        "She looked away .... never again!",
        "他想了想……走了",
    ],
)
def test_other_dots_stay(line: str) -> None:
    assert without_leaders([line, "Bread ..... 2", "Salt ..... 1"])[0] == line


def test_a_single_line_may_be_a_pause() -> None:
    assert without_leaders(["Well ..... no", "That is all."]) == ["Well ..... no", "That is all."]
