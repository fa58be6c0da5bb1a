from __future__ import annotations

import pytest
from tests.read.documents import body

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.read.extract.page import at_most, make_page, name_of
from quaere.read.formats import Format


def test_a_page_is_called_by_its_title_else_its_file_else_its_address() -> None:
    source = body("x", "a%20b.txt")
    assert make_page(source, Format.TEXT, "x", title=" Tide\ntables ").title == "Tide tables"
    assert make_page(source, Format.TEXT, "x").title == "a b.txt"
    bare = source.model_copy(update={"url": "https://pell.test"})
    assert name_of(bare) == "https://pell.test"


def test_a_fragment_names_the_record() -> None:
    assert make_page(body("x"), Format.CSV, "x", fragment="row=3").url.endswith("notes.txt#row=3")


def test_more_pages_than_wanted_are_left_out_with_a_word() -> None:
    source = body("x")
    page = make_page(source, Format.TEXT, "x")
    assert list(at_most(3, iter([page] * 3), source)) == [page] * 3
    pages = at_most(2, iter([page] * 3), source)
    assert [next(pages), next(pages)] == [page, page]
    with pytest.raises(ReadError) as caught:
        next(pages)
    assert caught.value.status == ReadStatus.TOO_LARGE
