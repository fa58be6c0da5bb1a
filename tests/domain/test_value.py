from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.report import RunWarning
from quaere.domain.source import Page
from quaere.domain.value import encodable

ANYTHING = st.text(st.characters(exclude_categories=()))


@given(ANYTHING)
def test_what_comes_from_outside_can_be_written_and_keeps_its_offsets(text: str) -> None:
    clean = encodable(text)
    assert clean.encode("utf-8").decode("utf-8") == clean
    assert len(clean) == len(text)
    assert encodable(clean) == clean


@pytest.mark.parametrize("text", ["plain", "grüße", "漢字", "🙂"])
def test_whole_text_stays_as_it_is(text: str) -> None:
    assert encodable(text) is text


def test_a_file_name_that_is_no_unicode_can_be_told_of() -> None:
    warning = RunWarning(kind="index", message="broken", subject="a\udcff.txt")
    assert "a?.txt" in warning.model_dump_json()


def test_a_page_with_half_a_character_can_be_stored() -> None:
    page = Page(url="file:///a", title="\ud83d", text="left \ud83d right")
    assert page.text == "left ? right"
    assert page.model_dump_json()
