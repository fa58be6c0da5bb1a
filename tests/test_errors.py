"""Errors of the package between processes."""

from __future__ import annotations

import inspect
import pickle

import pytest

from quaere import errors
from quaere.errors import FileRefused, QuaereError, QuotaExceeded, SearchError, cause_of, error_of

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


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind("").type)
def test_an_error_is_made_again_of_its_type_and_message(kind: type[QuaereError]) -> None:
    again = error_of(kind("").type, "It went wrong.")
    assert (type(again), again.message) == (kind, "It went wrong.")


@pytest.mark.parametrize("kind", [FileRefused("", status="").type, "of_a_later_version"])
def test_an_error_that_a_message_alone_does_not_make_keeps_its_message(kind: str) -> None:
    again = error_of(kind, "It went wrong.")
    assert (type(again), again.message) == (QuaereError, "It went wrong.")


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (PermissionError(13, "Permission denied", "notes.md"), "Permission denied"),
        (OSError("the disk is full"), "the disk is full"),
        (OSError(), "OSError"),
        (OverflowError("port must be 0-65535."), "port must be 0-65535."),
    ],
)
def test_the_cause_of_an_error_is_never_empty_nor_none(error: Exception, cause: str) -> None:
    assert cause_of(error) == cause
