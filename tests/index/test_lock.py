from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread, Timer

import pytest

from quaere.errors import FolderIndexError
from quaere.index.folder_index import WriterLock

HOLD = """
import sys, threading, time
from pathlib import Path
from quaere.index.folder_index import WriterLock
with WriterLock(Path(sys.argv[1]), wait_s=0, stop=threading.Event()):
    print("held", flush=True)
    time.sleep(60)
"""


def lock(path: Path, wait_s: float = 0.0, stop: Event | None = None) -> WriterLock:
    return WriterLock(path / "lock.db", wait_s=wait_s, stop=stop or Event())


def test_only_one_holds_it(tmp_path: Path) -> None:
    with (
        lock(tmp_path),
        pytest.raises(FolderIndexError, match=r"Another process .* waited 0 s"),
        lock(tmp_path),
    ):
        pass
    with lock(tmp_path):
        pass


def test_waiting_ends_when_it_is_freed(tmp_path: Path) -> None:
    held, release = Event(), Event()

    def hold() -> None:
        with lock(tmp_path):
            held.set()
            release.wait(5)

    Thread(target=hold, daemon=True).start()
    assert held.wait(5)
    Timer(0.2, release.set).start()
    with lock(tmp_path, wait_s=5):
        assert release.is_set()


def test_waiting_ends_when_told_to_stop(tmp_path: Path) -> None:
    stop = Event()
    Timer(0.1, stop.set).start()
    begun = time.monotonic()
    with (
        lock(tmp_path),
        pytest.raises(FolderIndexError, match="Another process"),
        lock(tmp_path, wait_s=30, stop=stop),
    ):
        pass
    assert time.monotonic() - begun < 5


def test_the_system_frees_it_when_its_holder_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path / "lock.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(FolderIndexError), lock(tmp_path):
            pass
        holder.kill()
        holder.wait()
    with lock(tmp_path):
        pass


def test_a_place_that_cannot_be_locked_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(FolderIndexError, match="Cannot lock"), lock(tmp_path / "missing"):
        pass


def test_a_damaged_lock_file_is_mended(tmp_path: Path) -> None:
    (tmp_path / "lock.db").write_bytes(b"no database " * 100)
    with lock(tmp_path, wait_s=5), pytest.raises(FolderIndexError), lock(tmp_path):
        pass
