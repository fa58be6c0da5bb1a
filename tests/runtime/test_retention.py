"""Old runs are deleted as the settings say."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quaere.domain.trace import Owner
from quaere.runtime.app import App
from quaere.runtime.retention import keep_within
from quaere.runtime.settings import Settings

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann"), Owner(user="ben")


async def kept_by(settings: Settings) -> set[str]:
    async with App.open(settings) as app:
        traces = await app.traces()
        for name, owner, days in (("old", ANN, 40), ("pinned", ANN, 40), ("new", BEN, 1)):
            begun = datetime.now(UTC) - timedelta(days=days)
            await traces.create_trace(owner, {}, trace_id=name, created_at=begun)
        await traces.label(ANN, "pinned", pinned=True)
        keeping = asyncio.create_task(keep_within(app, every_s=0.05))
        await asyncio.sleep(0.5)
        keeping.cancel()
        await asyncio.wait([keeping])
        listed = [*(await traces.list_traces(ANN)).traces, *(await traces.list_traces(BEN)).traces]
    return {trace.id for trace in listed}


async def test_everybodys_old_runs_go_but_not_those_that_are_pinned(tmp_path: Path) -> None:
    assert await kept_by(Settings(data_dir=tmp_path, keep_days=30)) == {"pinned", "new"}


async def test_everything_is_kept_unless_the_settings_say_otherwise(tmp_path: Path) -> None:
    assert await kept_by(Settings(data_dir=tmp_path)) == {"old", "pinned", "new"}
