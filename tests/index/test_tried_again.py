"""Which files that could not be read are tried again at the next refresh, and which are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import pytest
from tests.index.folders import SOURCES, CountingReader, found, write

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.index.file_readers import Sources
from quaere.index.folder_index import FolderIndex
from quaere.ports.read import Body

FILES = {
    "moth.md": "# Lantern moth\n\nThe lantern moth feeds on salt lichen.\n",
    "harbours.csv": "name,text\nVessel Bay,built in 1871\nOss Quay,built in 1902\n",
}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write(tmp_path / "docs", FILES)


@pytest.fixture
def index(docs: Path, tmp_path: Path) -> FolderIndex:
    return FolderIndex([docs], cache=tmp_path / "cache")


@dataclass
class BusyMachine:
    """Extracts each file, all but its first ``in_time`` pages too late or with another fault."""

    in_time: int
    fault: ReadStatus = ReadStatus.TIMEOUT
    asked: list[str] = field(default_factory=list[str])

    def extract(self, body: Body) -> Iterator[Page]:
        self.asked.append(body.url.rsplit("/", 1)[1])
        yield from islice(SOURCES.extractor.extract(body), self.in_time)
        raise ReadError(f"{body.url} took more than 1 s to read", status=self.fault)

    def sources(self) -> Sources:
        return Sources(SOURCES.read, self, SOURCES.chunk)


def test_a_file_whose_time_was_too_short_is_read_at_the_next_refresh(index: FolderIndex) -> None:
    """R2.3: a machine that was busy once does not keep a file unread until that changes."""
    busy = BusyMachine(in_time=0)
    assert len(index.refresh(busy.sources())) == len(FILES)
    reader = CountingReader()
    assert index.refresh(reader.sources()) == []
    assert reader.taken() == sorted(FILES)
    assert found(index, "lichen") == ["Lantern moth"]
    index.refresh(reader.sources())
    assert reader.taken() == []


def test_a_file_that_always_takes_too_long_is_tried_twice(index: FolderIndex, docs: Path) -> None:
    busy = BusyMachine(in_time=0)
    warnings = [index.refresh(busy.sources()) for _ in range(4)]
    assert sorted(busy.asked) == sorted([*FILES, *FILES])
    assert all("(tried twice)" in each.message for told in warnings[1:] for each in told)
    (docs / "moth.md").write_text("# Salt moth\n\nThe salt moth feeds on lichen.\n")
    index.refresh(busy.sources())
    assert busy.asked[len(FILES) * 2 :] == ["moth.md"]


def test_what_was_read_in_time_stays_where_less_is_read_later(
    index: FolderIndex, docs: Path
) -> None:
    (told, *_) = index.refresh(BusyMachine(in_time=1).sources())
    assert "took more than 1 s" in told.message
    assert found(index, "built in 1871") == ["Vessel Bay"]
    assert len(index.refresh(BusyMachine(in_time=0).sources())) == len(FILES)
    assert found(index, "built in 1871") == ["Vessel Bay"]
    write(docs, {"harbours.csv": "name,text\nOrrin Quay,dug in 1911\n"})
    index.refresh(BusyMachine(in_time=0).sources())
    assert found(index, "built in 1871") == []


@pytest.mark.parametrize(
    "fault", [ReadStatus.BROKEN, ReadStatus.ENCRYPTED, ReadStatus.TOO_LARGE, ReadStatus.NOT_FOUND]
)
def test_a_file_with_a_lasting_fault_is_not_tried_again(
    index: FolderIndex, fault: ReadStatus
) -> None:
    faulty = BusyMachine(in_time=0, fault=fault)
    warnings = index.refresh(faulty.sources())
    assert len(faulty.asked) == len(warnings) == len(FILES)
    assert index.refresh(faulty.sources()) == warnings
    assert len(faulty.asked) == len(FILES)
