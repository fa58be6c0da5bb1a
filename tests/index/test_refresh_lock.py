"""One process writes an index at a time, and what is damaged is made anew."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread, Timer

import pytest

from quaere.errors import FolderIndexError
from quaere.index.inverted_index import InvertedIndexError
from quaere.index.refresh import WriterLock, mark_corrupted, remove_corrupted
from quaere.text.zstd import ZstdError

HOLD = """
import sys, threading, time
from pathlib import Path
from quaere.index.refresh import WriterLock
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("catalogue.db", "catalogue.db-wal", "lock.db"):
        (tmp_path / name).write_text("x")
    (tmp_path / "terms").mkdir()
    (tmp_path / "terms" / "meta.json").write_text("{}")
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("x")
    error.sqlite_errorcode = code
    return error


def test_without_damage_nothing_is_removed(folder: Path) -> None:
    before = names(folder)
    assert not remove_corrupted(folder)
    assert names(folder) == before


def test_damaged_terms_go_alone(folder: Path) -> None:
    assert mark_corrupted(folder, InvertedIndexError("x"))
    assert remove_corrupted(folder)
    assert names(folder) == ["catalogue.db", "catalogue.db-wal", "lock.db"]
    assert not remove_corrupted(folder)


@pytest.mark.parametrize(
    "error",
    [
        sqlite_error(sqlite3.SQLITE_CORRUPT),
        sqlite_error(sqlite3.SQLITE_CORRUPT_INDEX),
        sqlite_error(sqlite3.SQLITE_NOTADB),
        sqlite3.OperationalError("no such column"),
        ZstdError("x"),
        ValueError("x"),
    ],
    ids=repr,
)
def test_a_damaged_catalogue_takes_the_terms_with_it(folder: Path, error: Exception) -> None:
    assert mark_corrupted(folder, error)
    assert mark_corrupted(folder, InvertedIndexError("x"))
    assert remove_corrupted(folder)
    assert names(folder) == ["lock.db"]


@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, 266, 14])
def test_a_failing_disk_is_no_damage(folder: Path, code: int) -> None:
    assert not mark_corrupted(folder, sqlite_error(code))
    assert not remove_corrupted(folder)


def test_a_folder_that_is_gone_is_no_error(tmp_path: Path) -> None:
    assert mark_corrupted(tmp_path / "gone", InvertedIndexError("x"))
    assert not remove_corrupted(tmp_path / "gone")
