"""How often what was read is committed."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from tests.index.folders import SOURCES, write

from quaere.index.catalogue_writer import CatalogueWriter
from quaere.index.folder_index import FolderIndex
from quaere.ports.read import Body


class Ticking:
    """A clock that is a second further each time that it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0
        self.time_ns = time.time_ns

    def monotonic(self) -> float:
        self.now += 1
        return self.now


def slowly(path: Path) -> Body:
    time.sleep(0.005)
    return SOURCES.read(path)


def test_commits_that_are_slow_become_rare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that takes a second by this clock is followed by ten for reading, not by three."""
    clock, committed = Ticking(), list[float]()
    commit = CatalogueWriter.commit

    def noted(ledger: CatalogueWriter) -> None:
        committed.append(clock.now)
        commit(ledger)

    monkeypatch.setattr("quaere.index.refresh.time", clock)
    monkeypatch.setattr(CatalogueWriter, "commit", noted)
    docs = write(tmp_path / "docs", {f"n{n}.md": f"quokka{n}" for n in range(25)})
    FolderIndex([docs], cache=tmp_path / "cache").refresh(replace(SOURCES, read=slowly))
    *while_reading, _ = committed  # the last one is made at the end, whenever that is
    assert all(after - before > 10 for before, after in pairwise(while_reading))
