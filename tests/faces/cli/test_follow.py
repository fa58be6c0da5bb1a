"""What shows a run as it goes, and its events on their way into a file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.store.runs import whole_run

from quaere.domain.events import RUN_EVENT, PhaseStarted
from quaere.errors import QuaereError
from quaere.faces.cli.follow import Lines, Nobody, journal, watching
from quaere.faces.cli.live import LiveView
from quaere.faces.cli.terminal import DEBUG

FULL = Path("/dev/full")


def test_a_line_has_an_event(tmp_path: Path) -> None:
    events = whole_run()
    with journal(tmp_path / "events") as note:
        for event in events:
            note(event)
            last = (tmp_path / "events").read_text("utf-8").splitlines()[-1]
            assert RUN_EVENT.validate_json(last) == event, "at once, for whoever follows"


@pytest.mark.skipif(not FULL.exists(), reason="only some systems have a file that is always full")
def test_a_full_disk_is_an_error_that_names_the_file() -> None:
    with (
        pytest.raises(QuaereError, match="Cannot write to '/dev/full': No space left"),
        journal(FULL) as note,
    ):
        note(whole_run()[0])


def test_lines_are_held_back_while_somebody_is_asked() -> None:
    told: list[str] = []
    lines = Lines("", told.append)
    with lines.aside():
        lines.show(next(event for event in whole_run() if isinstance(event, PhaseStarted)))
        assert told == []
    assert len(told) == 1


def test_a_terminal_shows_a_run_live_unless_log_lines_would_tear_the_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with watching("asking", quiet=False) as live:
        assert isinstance(live, LiveView)
    token = DEBUG.set(True)
    with watching("asking", quiet=False) as logged:
        assert isinstance(logged, Lines)
    DEBUG.reset(token)
    with watching("asking", quiet=True) as silent:
        assert isinstance(silent, Nobody)
