from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from quaere.domain.report import RunWarning
from quaere.domain.scope import Host, Language
from quaere.domain.source import Page
from quaere.domain.trace import OwnerId
from quaere.domain.value import encodable, faults_in_words

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


class Order(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=5)
    pieces: int = Field(default=1, ge=1, le=9)
    share: float = Field(default=0.5, gt=0)
    kind: Literal["oak", "larch"] = "oak"
    marks: list[str] = Field(default=["a"], min_length=1, max_length=2)
    urgent: bool = False
    due: date | None = None
    yard: Host | None = None
    language: Language = "en"
    owner: OwnerId = "ann"
    shed: Path | None = None
    note: str | list[str] = ""

    @field_validator("kind")
    @classmethod
    def is_in_season(cls, value: str) -> str:
        if value == "larch":
            raise ValueError("larch is not felled now.")
        return value


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({}, "name: is missing"),
        ({"name": ""}, "name: must not be empty"),
        ({"name": "a", "due": "01.02.2020"}, "due: must be a date, such as 2024-01-31"),
        ({"name": "a", "yard": "x y"}, "yard: must be a host name, such as example.org"),
        ({"name": "a", "language": "German"}, "language: must be an ISO 639 code, such as en"),
        ({"name": "a", "owner": "a\nb"}, "owner: has characters that cannot be used here"),
        ({"name": "planks"}, "name: must have at most 5 characters"),
        ({"name": "a", "pieces": 0}, "pieces: must be at least 1"),
        ({"name": "a", "pieces": 10}, "pieces: must be at most 9"),
        ({"name": "a", "pieces": "many"}, "pieces: must be a whole number"),
        ({"name": "a", "pieces": 1e99}, "pieces: is too large"),
        ({"name": "a", "share": 0}, "share: must be greater than 0"),
        ({"name": "a", "share": "half"}, "share: must be a number"),
        ({"name": "a", "urgent": "soon"}, "urgent: must be true or false"),
        ({"name": "a", "kind": "elm"}, "kind: must be 'oak' or 'larch'"),
        ({"name": "a", "kind": "larch"}, "kind: larch is not felled now"),
        ({"name": "a", "marks": []}, "marks: must not be empty"),
        ({"name": "a", "marks": ["a", "b", "c"]}, "marks: must have at most 2 items"),
        ({"name": "a", "marks": [1]}, "marks.0: must be a string"),
        ({"name": "a", "note": 3}, "note: must be a string or a list"),
        ({"name": "a", "note": ["b", 3]}, "note.1: must be a string"),
        ({"name": "a", "shed": 3}, "shed: must be a path"),
        ({"name": "\ud83d"}, "name: has characters that are not text"),
        ({"name": "a", "colour": "red"}, "colour: is not known here"),
        ("planks", "order: must be a"),
        ({"pieces": 0, "name": ""}, "name: must not be empty; pieces: must be at least 1"),
    ],
)
def test_each_field_is_named_with_what_it_must_be(order: object, said: str) -> None:
    with pytest.raises(ValidationError) as raised:
        Order.model_validate(order)
    shown = faults_in_words(raised.value.errors(), "order")
    assert shown.startswith(said) if said.endswith(" a") else shown == said
