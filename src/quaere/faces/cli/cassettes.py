"""Cassettes that a command records and replays."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from quaere.resilience.clock import SystemClock
from quaere.store.recording.cassette import read_tape, write_tape
from quaere.store.recording.record import Recorder
from quaere.store.recording.replay import Replayer


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
        write_tape(path, recorder.tape)


def replaying(path: Path | None) -> Replayer | None:
    """Return the recording in ``path``; None when ``path`` is None.

    Raises:
        TapeError: when it cannot be read, is not a recording, is of a newer version or is damaged.
    """
    return Replayer(read_tape(path)) if path else None
