from __future__ import annotations

import pytest
from tests.contracts.extractor import FACT, ExtractorContract
from tests.read.documents import body
from tests.timing import cpu_s

from quaere.domain.source import Page
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.chunker import PassageChunker
from quaere.read.extract.rst import RstExtractor, with_ruled_rows

DOCUMENT = f"""\
.. image:: https://pell.test/boat.png
   :alt: a boat

=======
Ferries
=======

|badge| |kind| *sail* to ``Ostrow`` and `Pell <https://pell.test/>`__.

The crew, of `seven
<https://crew.test/>`_ to ten, sleeps
aboard.

__ Ostrow_

.. |badge| image:: https://pell.test/badge.svg
.. |kind| replace:: Small boats
.. _Ostrow: https://ostrow.test

{FACT}

Building
--------

Build it with :func:`~ferry.build` or like this::

    ferry = *build* |kind|

    ferry.sail()

.. code-block:: sh
   :caption: Sailing

   ferry **sail**

From a port
~~~~~~~~~~~

.. versionadded:: 2.1

.. note:: Ostrow_ is closed
   on *Sundays*.

| sail() -- leave the port
| moor() -- come back

.. This is a comment
   of two lines.

:Author: Mara Lind

==== =====
Port Depth
==== =====
Pell 4
Lind 12 to
     15
==== =====
"""


class TestRstExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> RstExtractor:
        return RstExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(DOCUMENT, "ferries.rst")


def read(text: str, name: str = "ferries.rst") -> Page:
    return next(RstExtractor().extract(body(text, name)))


@pytest.mark.parametrize(
    "line",
    [
        "# Ferries",
        "Small boats sail to `Ostrow` and [Pell](https://pell.test/).",
        "The crew, of [seven](https://crew.test/)",
        "to ten, sleeps",
        "## Building",
        "Build it with `ferry.build` or like this:",
        "    ferry = *build* |kind|",
        "    ferry.sail()",
        "   ferry **sail**",
        "### From a port",
        "New in version 2.1",
        "Note: Ostrow is closed",
        "   on Sundays.",
        "- sail() -- leave the port",
        "Author: Mara Lind",
        "| Pell | 4 |",
        "| Lind | 12 to 15 |",
    ],
)
def test_a_reader_sees_words_and_code(line: str) -> None:
    assert line in [shown.lstrip(" ") if line[0] != " " else shown
                    for shown in read(DOCUMENT).text.split("\n")]  # fmt: skip


@pytest.mark.parametrize(
    "unseen", ["pell.test/b", "alt", "replace", "comment", "caption", "::", "__", "==="]
)
def test_what_no_reader_sees_is_left_out(unseen: str) -> None:
    assert unseen not in read(DOCUMENT).text


def test_passages_name_the_lines_of_the_file() -> None:
    (passage,) = PassageChunker()(read("One\n===\n\n.. image:: x.png\n\nIt sails.\n"))
    assert passage.locator == "lines 1-6"


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("One\n===\n\na\n\nTwo\n---\n\nb\n", ["# One", "## Two"]),
        ("One\n===\n\na\n\nTwo\n===\n\nb\n", ["## One", "## Two"]),
        ("====\nOne\n====\n\nTwo\n====\n\nSub\n----\n", ["# One", "## Two", "### Sub"]),
        ("One\n===\n\nA line\n----\nends.\n\nOn\nTwo\n===\n", ["# One", "## A line"]),
        ("A long line of prose\n====\n", []),
    ],
)
def test_adorned_lines_are_headings_as_deep_as_their_style(text: str, headings: list[str]) -> None:
    lines = read(text).text.split("\n")
    assert [line for line in lines if line.startswith("#")] == headings


def test_a_page_without_a_heading_is_called_by_its_file() -> None:
    assert read("It sails.\n").title == "ferries"
    assert read(DOCUMENT).title == "Ferries"


def test_a_page_without_words_is_empty() -> None:
    with pytest.raises(ReadError, match="holds no text"):
        read(".. image:: x.png\n")


def test_very_many_marks_take_no_longer_than_their_number() -> None:
    text = "`" * 20_000 + "\n" + "*a " * 20_000 + "\n" + "|a" * 20_000 + "\n.. a::\n" * 5_000
    assert read(text).text


@pytest.mark.parametrize(
    ("below", "rows"), [("=====  =====", ["| Pier | Ships |"]), ("=====  ======", ["Pier   Ships"])]
)
def test_rows_are_between_rules_that_are_alike(below: str, rows: list[str]) -> None:
    assert with_ruled_rows(["=====  =====", "Pier   Ships", below])[1:-1] == rows


def test_far_more_lines_than_a_table_has_are_no_rows() -> None:
    lines = ["=====  =====", *["Pier   Ships"] * 600, "=====  ====="]
    assert with_ruled_rows(lines) == lines


@pytest.mark.parametrize("piece", [":", ":a:", "a.", "a_", "`a <"])
def test_a_long_line_is_read_in_time_that_grows_with_it(piece: str) -> None:
    document = body("Harbour\n=======\n\n" + piece * (60_000 // len(piece)) + " x\n", "a.rst")
    assert cpu_s(lambda: list(RstExtractor().extract(document)), enough_s=1.5) < 1.5


def test_a_note_within_an_entry_stays_indented_below_its_name() -> None:
    page = read(".. py:data:: TIDE_KEYS\n\n    Keys.\n\n    .. versionadded:: 3.1\n\nAll.\n")
    assert "TIDE_KEYS\n\n    Keys.\n\n    New in version 3.1" in page.text
