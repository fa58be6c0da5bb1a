"""What the tools take: within bounds, with null for what is left out, and with errors that help."""

from __future__ import annotations

import pytest
from pydantic import JsonValue

from quaere.domain.question import MAX_QUESTION_CHARS
from quaere.domain.value import Value
from quaere.errors import UsageError
from quaere.faces.mcp.forms import (
    MAX_RESULTS,
    MAX_STATUS_WAIT_S,
    MAX_TEXT_CHARS,
    CancelInput,
    CheckInput,
    DeepResearchInput,
    FetchInput,
    ResultInput,
    SearchInput,
    StatusInput,
    checked,
)


@pytest.mark.parametrize(
    ("kind", "least", "field", "within", "beyond"),
    [
        (SearchInput, {"query": "q"}, "limit", [1, MAX_RESULTS], [0, MAX_RESULTS + 1]),
        (SearchInput, {}, "query", ["q", "q" * MAX_QUESTION_CHARS], ["", "q" * 100_000]),
        (StatusInput, {"run_id": "a"}, "wait_s", [0, MAX_STATUS_WAIT_S], [-0.1, 25.1]),
        (ResultInput, {}, "run_id", ["a", "a" * 64], ["", "a" * 65]),
        (FetchInput, {}, "id", ["a", "a" * 4096], ["", "a" * 4097]),
        (FetchInput, {"id": "a"}, "offset", [0, 10**9], [-1]),
        (CheckInput, {}, "text", ["t", "t" * MAX_TEXT_CHARS], ["", "t" * (MAX_TEXT_CHARS + 1)]),
        (CheckInput, {"text": "t"}, "max_reads", [0, 200], [-1, 201]),
    ],
)
def test_bounds_are_kept_to_and_a_call_beyond_them_is_told_which(
    kind: type[Value],
    least: dict[str, JsonValue],
    field: str,
    within: list[JsonValue],
    beyond: list[JsonValue],
) -> None:
    for value in within:
        assert getattr(checked(kind, {**least, field: value}), field) == value
    for value in beyond:
        with pytest.raises(UsageError, match=f"Invalid arguments: {field}: "):
            checked(kind, {**least, field: value})


def test_who_asks_for_nothing_in_particular_gets_the_ordinary_call() -> None:
    assert checked(SearchInput, {"query": "q", "limit": None}).limit == 10
    assert checked(StatusInput, {"run_id": "a"}).wait_s == 0, "a status is told at once"
    assert not checked(CancelInput, {"run_id": "a", "finish": None}).finish
    assert not checked(DeepResearchInput, {"question": "Who?"}).wait
    assert checked(FetchInput, {"id": "a"}).offset == 0
    assert checked(CheckInput, {"text": "t"}).max_reads == 50


@pytest.mark.parametrize("arguments", [None, {}, {"query": None}])
def test_what_is_missing_is_named_with_all_there_is(
    arguments: dict[str, JsonValue] | None,
) -> None:
    with pytest.raises(UsageError) as raised:
        checked(SearchInput, arguments)
    assert "query: is missing" in raised.value.message
    assert "The arguments are: query, limit." in raised.value.message


def test_every_fault_is_named_in_one_message() -> None:
    with pytest.raises(UsageError) as raised:
        checked(SearchInput, {"query": "", "limit": 0, "sort": "date"})
    for field in ("query: ", "limit: ", "sort: "):
        assert field in raised.value.message
