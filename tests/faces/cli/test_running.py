"""A run that a command follows to its report."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from quaere.domain.request import RunRequest
from quaere.faces.cli.follow import Nobody
from quaere.faces.cli.running import run_to_report
from quaere.runtime.app import App
from quaere.runtime.run import LiveRun
from quaere.runtime.settings import Settings


def test_a_run_that_is_stopped_while_it_begins_says_how_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mill.md").write_text("The mill at Orrin was built by Tamsin Wray.\n")
    settings = Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
    request = RunRequest(question="Who built the mill?", docs=(tmp_path / "mill.md",))
    begun: list[str] = []

    async def begin(app: App) -> LiveRun:
        task = asyncio.current_task()
        stopped = next(each for each in asyncio.all_tasks() if each is not task)
        stopped.cancel()  # as Ctrl-C does
        run = await app.start(request)
        begun.append(run.id)
        return run

    with pytest.raises(asyncio.CancelledError):
        run_to_report(settings, begin, Nobody(), lambda _: None)
    assert f"To continue it, run: quaere resume {begun[0]}" in capsys.readouterr().err
