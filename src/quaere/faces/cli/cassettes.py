"""Cassettes that a command records and replays."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from quaere.resilience.timing import SystemClock
from quaere.store.recording.cassette import Recorder, Replay, read_cassette, write_cassette


@contextmanager
def recording(path: Path | None) -> Generator[Recorder | None]:
    """Yield a recorder, and write its recording to ``path`` however the run ends.

    Yields None when ``path`` is None.

    Raises:
        QuaereError: when the file cannot be written.
    """
    if path is None:
        yield None
        return
    recorder = Recorder(SystemClock())
    try:
        yield recorder
    finally:
        write_cassette(path, recorder.cassette)


def replaying(path: Path | None) -> Replay | None:
    """Return the recording in ``path``; None when ``path`` is None.

    Raises:
        CassetteError: when it is unreadable, damaged, of a newer version, or not a cassette.
    """
    return Replay(read_cassette(path)) if path else None
