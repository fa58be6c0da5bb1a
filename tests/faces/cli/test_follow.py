"""Events of a run on their way into a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.store.runs import whole_run

from quaere.domain.events import RUN_EVENT
from quaere.errors import QuaereError
from quaere.faces.cli.follow import journal

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
