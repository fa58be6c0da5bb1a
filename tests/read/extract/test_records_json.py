from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import body

from quaere.domain.source import Mark, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.records import JsonExtractor, JsonLinesExtractor, flatten, parse

RECORDS = [
    {"id": 1, "title": "Pell", "text": FACT},
    {"name": "Ostrow", "berths": 4, "open": True, "tide": {"high": 6.10, "low": None}},
    {"name": "Tarn", "quays": ["north", "south"], "boats": [{"n": 1}, {"n": 2}]},
]


class TestJsonExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> JsonExtractor:
        return JsonExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(json.dumps(RECORDS), "ports.json")


class TestJsonLinesExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> JsonLinesExtractor:
        return JsonLinesExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body("\n".join(map(json.dumps, RECORDS)), "ports.jsonl")


def test_each_object_of_an_array_is_a_page() -> None:
    pages = list(JsonExtractor().extract(body(json.dumps(RECORDS), "ports.json")))
    assert [(page.title, page.text) for page in pages] == [
        ("Pell", FACT),
        ("Ostrow", "name: Ostrow; berths: 4; open: yes; tide.high: 6.1"),
        ("Tarn", "name: Tarn; quays: north, south; boats 1.n: 1; boats 2.n: 2"),
    ]
    assert pages[1].url == "file:///docs/ports.json#item=2"
    assert pages[1].marks == (Mark(start=0, label="item 2"),)


def test_an_array_in_a_small_object_counts_as_well() -> None:
    wrapped = {"count": 3, "results": RECORDS}
    pages = list(JsonExtractor().extract(body(json.dumps(wrapped), "ports.json")))
    assert [page.title for page in pages] == ["Pell", "Ostrow", "Tarn"]


def test_other_json_is_one_page_of_lines() -> None:
    (page,) = JsonExtractor().extract(body('{"name": "Pell", "tide": {"m": 6.10}}', "p.json"))
    assert page.text == "name: Pell\ntide.m: 6.10"
    assert page.title == "Pell"


def test_numbers_stay_as_they_are_written() -> None:
    long = "7" * 5000
    (page,) = JsonExtractor().extract(body(f'{{"price": 1.10, "n": {long}}}', "p.json"))
    assert page.text == f"price: 1.10\nn: {long}"


def test_each_line_is_a_page_named_by_its_number() -> None:
    text = '{"title": "Pell", "text": "a port"}\n\n{"text": "another"}\n'
    pages = list(JsonLinesExtractor().extract(body(text, "ports.jsonl")))
    assert [page.url.partition("#")[2] for page in pages] == ["line=1", "line=3"]
    assert [page.title for page in pages] == ["Pell", "ports.jsonl line 3"]


def test_a_malformed_line_costs_no_other_line() -> None:
    text = '{"text": "first"}\n{"text": \n{"text": "third"}\nnull\n'
    pages, error = outcome(JsonLinesExtractor(), body(text, "ports.jsonl"))
    assert [page.text for page in pages] == ["first", "third"]
    assert error is not None
    assert error.status == ReadStatus.BROKEN
    assert "1 of 3 records" in error.message
    assert "line 2" in error.message


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("{", ReadStatus.BROKEN),
        ("[" * 100_000, ReadStatus.BROKEN),
        ('{"a": 1} trailing', ReadStatus.BROKEN),
        ("null", ReadStatus.EMPTY),
        ("[]", ReadStatus.EMPTY),
        ('[{"a": ""}]', ReadStatus.EMPTY),
    ],
)
def test_what_cannot_be_read_says_why(text: str, status: ReadStatus) -> None:
    with pytest.raises(ReadError) as caught:
        list(JsonExtractor().extract(body(text, "p.json")))
    assert caught.value.status == status


def test_escapes_cannot_smuggle_invisible_text() -> None:
    (page,) = JsonExtractor().extract(body(r'["a\u202eb\ud800c"]', "p.json"))
    assert page.text == "ab\ufffdc"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=20,
)


@given(JSON)
def test_any_value_can_be_flattened(value: object) -> None:
    fields = list(flatten(parse(json.dumps(value))))
    assert all(isinstance(text, str) for field in fields for text in field)
