"""A value of which something is not told says that there is none of it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import quaere.domain
from quaere.domain.value import Value

TOLD = {
    "Budget": {
        "max_reads",
        "max_execution_time_s",
        "token_budget",
        "max_citations",
        "answer_words",
    },
    "ModelCall": {"attempt"},
    "ModelRequest": {"attempt"},
    "RunRequest": {"traced"},
    "RunStarted": {"version"},
    "Score": {"quality", "recency"},
    "ToolInput": {"max_iterations"},
}
"""What is there by default: limits, the first attempt, and the middle for what is not known."""


def kinds(base: type[Value] = Value) -> Iterator[type[Value]]:
    for module in pkgutil.iter_modules(quaere.domain.__path__, "quaere.domain."):
        importlib.import_module(module.name)
    for kind in base.__subclasses__():
        if kind.__module__.startswith("quaere.domain."):
            yield kind
            yield from kinds(kind)


KINDS = sorted(set(kinds()), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", KINDS, ids=[kind.__name__ for kind in KINDS])
def test_counts_shares_and_marks_begin_at_nothing(kind: type[Value]) -> None:
    given = {
        name: field.default
        for name, field in kind.model_fields.items()
        if isinstance(field.default, int | float) and name in kind.__annotations__
    }
    assert {name for name, default in given.items() if default} == TOLD.get(kind.__name__, set())


def test_the_list_of_what_is_there_by_default_is_up_to_date() -> None:
    assert TOLD.keys() <= {kind.__name__ for kind in KINDS}
