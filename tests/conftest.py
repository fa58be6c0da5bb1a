"""What every test may ask for."""

from __future__ import annotations

import pytest
from hypothesis import settings

# Time under load says nothing about the code; hangs are for the tests that look for them.
settings.register_profile("quaere", deadline=None)
settings.load_profile("quaere")


@pytest.fixture
def anyio_backend() -> str:
    """LangGraph runs on asyncio, so the tests do."""
    return "asyncio"
