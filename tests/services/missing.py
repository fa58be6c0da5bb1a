"""What becomes of a test whose service cannot be run."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import NoReturn

import pytest


class Missing(Exception):
    """A service cannot be run here; the message says why."""


def go_without(reason: str) -> NoReturn:
    """Skip the test; in CI, where nobody reads what was skipped, fail it."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason} (CI is set, so this is not skipped)", pytrace=False)
    pytest.skip(reason)


@contextmanager
def or_without() -> Generator[None]:
    """`go_without` a service that turns out to be ``Missing`` within."""
    try:
        yield
    except Missing as reason:
        go_without(str(reason))
