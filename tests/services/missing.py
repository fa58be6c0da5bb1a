"""What becomes of a test whose service cannot be run."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def go_without(reason: str) -> NoReturn:
    """Skip the test; in CI, where nobody reads what was skipped, fail it."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason} (CI is set, so this is not skipped)", pytrace=False)
    pytest.skip(reason)
