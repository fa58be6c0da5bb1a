"""Errors of the package between processes."""

from __future__ import annotations

import inspect
import pickle

import pytest

from quaere import errors
from quaere.errors import FileRefused, QuaereError, QuotaExceeded, SearchError

KINDS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, QuaereError) and kind not in (FileRefused, QuotaExceeded)
]


@pytest.mark.parametrize(
    "error",
    [
        *(kind("It went wrong.") for kind in KINDS),
        FileRefused("Too large.", status="too_large"),
        QuotaExceeded("Enough for today.", retry_after=60.0),
        SearchError("Busy.", retry_after=2.0, status=429),
    ],
    ids=lambda error: error.type,
)
def test_an_error_passes_between_processes_with_all_that_it_says(error: QuaereError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
