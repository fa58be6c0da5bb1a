from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

import pytest

from quaere.index.folder_index import mark_corrupted, remove_corrupted
from quaere.index.inverted_index import InvertedIndexError


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
        zlib.error("x"),
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
