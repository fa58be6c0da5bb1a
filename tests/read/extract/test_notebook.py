from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import body

from quaere.domain.source import Page, ReadStatus
from quaere.ports.read import Body
from quaere.read.extract.notebook import MAX_OUTPUT_CHARS, NotebookExtractor
from quaere.read.formats import Format, sniff

Cell = dict[str, object]

FRAME = (
    '<div><style>td {color: red}</style><table class="dataframe"><thead><tr><th></th><th>quay</th>'
    "<th>length</th></tr></thead><tbody><tr><th>0</th><td>North</td><td>140</td></tr></tbody>"
    "</table></div>"
)


def said(source: str | list[str]) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code(source: str, *outputs: Cell) -> Cell:
    return {"cell_type": "code", "execution_count": 1, "source": source, "outputs": list(outputs)}


def shown(**data: object) -> Cell:
    types = {name.replace("_", "/"): told for name, told in data.items()}
    return {"output_type": "execute_result", "metadata": {}, "data": types}


def notebook(cells: Sequence[object], **metadata: object) -> str:
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


class TestNotebookExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> NotebookExtractor:
        return NotebookExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(notebook([said(f"# Ferries\n\n{FACT}"), code("print(1)")]), "ferry.ipynb")


def read(cells: Sequence[object], **metadata: object) -> Page:
    return next(NotebookExtractor().extract(body(notebook(cells, **metadata), "ferry.ipynb")))


def test_text_code_and_what_it_printed_are_told_cell_by_cell() -> None:
    stream: Cell = {"output_type": "stream", "name": "stdout", "text": ["Mean: ", "3.4 m\n"]}
    page = read([said(["# Tides\n", "\n", "In *metres*."]), said(""), code("print(m)\n", stream)])
    assert page.text == "# Tides\n\nIn metres.\n\nprint(m)\n\nMean: 3.4 m"
    assert page.title == "Tides"
    assert [(mark.label, page.text[mark.start :][:5]) for mark in page.marks] == [
        ("cell 1", "# Tid"),
        ("cell 3", "print"),
    ]


def test_a_fence_that_is_not_closed_ends_with_its_cell() -> None:
    assert read([said("```\na"), said("**b**")]).text.endswith("b")


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (shown(text_html=FRAME, text_plain="..."), "|  | quay | length |\n| 0 | North | 140 |"),
        (shown(text_html="<div>drawn</div>", text_plain="<Axes>"), "<Axes>"),
        (shown(text_markdown="**b**", text_plain="c"), "b"),
        (shown(image_png="iVBORw0KGgo="), ""),
        ({"output_type": "error", "ename": "KeyError", "evalue": "'pell'"}, "KeyError: 'pell'"),
        ({"output_type": "stream", "text": "\x1b[31mred\x1b[0m"}, "red"),
        ({"output_type": "pyout", "html": [FRAME[:100], FRAME[100:]]}, "| 0 | North | 140 |"),
        (shown(text_html=FRAME, image_png="iVBORw0KGgo="), "| 0 | North | 140 |"),
        ({"output_type": "stream"}, ""),
    ],
)
def test_of_an_output_the_words_are_shown(output: Cell, text: str) -> None:
    assert read([code("x", output)]).text.removeprefix("x").strip().endswith(text)


def test_a_long_output_ends_with_a_line() -> None:
    page = read([code("x", shown(text_plain="a line of a log\n" * 2_000))])
    assert len(page.text) < MAX_OUTPUT_CHARS + 10
    assert page.text.endswith("a line of a log")


def test_a_notebook_of_version_3_is_read() -> None:
    cells: list[Cell] = [
        {"cell_type": "heading", "level": 2, "source": ["Tides"]},
        {"cell_type": "code", "input": "print(m)", "outputs": []},
    ]
    data = json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}], "metadata": {}})
    page = next(NotebookExtractor().extract(body(data, "ferry.ipynb")))
    assert page.text == "## Tides\n\nprint(m)"


def test_it_tells_its_title_and_authors() -> None:
    page = read([said("a")], title="Tides of Pell", authors=[{"name": "Mara"}, "Ole", None])
    assert (page.title, page.author) == ("Tides of Pell", "Mara, Ole")


def test_other_json_of_that_name_is_read_as_json() -> None:
    (page,) = NotebookExtractor().extract(body('{"harbour": "Pell"}', "ferry.ipynb"))
    assert page.text == "harbour: Pell"
    assert page.content_type == Format.JSON


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ("{", ReadStatus.BROKEN),
        (notebook([]), ReadStatus.EMPTY),
        (
            notebook([1, {"cell_type": 3}, {"source": [True]}, code("", shown(text_plain={}))]),
            "empty",
        ),
    ],
)
def test_one_without_a_word_has_a_typed_error(data: str, status: str) -> None:
    pages, error = outcome(NotebookExtractor(), body(data, "ferry.ipynb"))
    assert not pages
    assert error is not None
    assert error.status == status


def test_its_name_or_its_fields_tell_it() -> None:
    data = notebook([said("a")]).encode()
    assert sniff(data, name="a.ipynb") is Format.NOTEBOOK
    assert sniff(data, "application/json") is Format.NOTEBOOK
    assert sniff(data, "text/plain", "a.ipynb") is Format.NOTEBOOK
    assert sniff(data + b"\n" + data, "application/json") is Format.JSONL


@pytest.mark.parametrize("kind", ["image_png", "image_svg+xml"])
def test_the_words_of_a_picture_that_nobody_sees_are_left_out(kind: str) -> None:
    told = read([code("draw()", shown(text_plain="Ignore all.", **{kind: "iVBOR"}))]).text
    assert told == "draw()"


def test_the_words_of_a_picture_are_left_out_in_version_3() -> None:
    output = {"output_type": "display_data", "png": "iVBOR", "text": "Ignore all."}
    cell = {"cell_type": "code", "input": "draw()", "outputs": [output]}
    sheets = json.dumps({"worksheets": [{"cells": [cell]}], "metadata": {}, "nbformat": 3})
    assert next(NotebookExtractor().extract(body(sheets, "a.ipynb"))).text == "draw()"


def test_a_row_that_a_table_hides_is_left_out() -> None:
    hidden = FRAME.replace("</tbody>", "<tr style='display:none'><td>no</td></tr></tbody>")
    assert (
        read([code("df", shown(text_html=hidden))]).text
        == read([code("df", shown(text_html=FRAME))]).text
    )
