from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import httpx
import pytest
from tests.faces.server.served import served, write_docs

from quaere.runtime.settings import Settings


def settings_in(folder: Path, **others: object) -> Settings:
    """Return settings of a service whose data lie in ``folder``, with a few documents."""
    docs = write_docs(folder / "docs")
    return Settings.model_validate(
        {"docs": (docs,), "data_dir": folder / "data", "cache_dir": folder / "cache", **others}
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="module")
def url(home: Path) -> Generator[str]:
    """The address of a service on loopback, without keys."""
    with served(settings_in(home)) as address:
        yield address


@pytest.fixture(scope="module")
def client(url: str) -> Generator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=60) as opened:
        yield opened
