"""What every test may ask for."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """LangGraph runs on asyncio, so the tests do."""
    return "asyncio"
