"""A bay on loopback, and an auditor that may read it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from tests.audit.source_pages import LAMP, ROUTES
from tests.faces.cli.loopback import in_background
from tests.misbehaving.server import Site, serving

from quaere.audit.cited_text import cited_text
from quaere.audit.sources import AuditLimits, LocalFiles
from quaere.domain.audit import Audit
from quaere.runtime.app import App
from quaere.runtime.check import CheckOptions
from quaere.runtime.settings import Settings

Check = Callable[..., Awaitable[Audit]]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with in_background(serving(ROUTES)) as running:
        yield running


@pytest.fixture
def local(tmp_path: Path) -> LocalFiles:
    """A folder with a note that reports cite."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "lamp.md").write_text(LAMP)
    return LocalFiles((tmp_path,), tmp_path / "report.md")


@pytest.fixture
def check(site: Site, local: LocalFiles, tmp_path: Path) -> Check:
    """Audit a text with the components of the command."""
    settings = Settings(
        read_hosts=(site.host,),
        read_ports=(site.port,),
        cache_dir=tmp_path / "cache",
    )

    async def audited(text: str, limits: AuditLimits | None = None) -> Audit:
        options = CheckOptions(
            roots=local.folders, itself=local.itself, limits=limits or AuditLimits()
        )
        async with App.open(settings) as app:
            return await app.check(cited_text(text), options)

    return audited
