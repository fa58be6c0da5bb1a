from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from tests.index.folders import SOURCES, write

from quaere.domain.source import Page
from quaere.errors import ReadError
from quaere.index.catalogue import FileRecord
from quaere.index.file_readers import End, FileReaders, Job, Part, Sources
from quaere.index.scan import FileStat
from quaere.ports.read import Body


def job(path: Path, known: FileRecord | None = None) -> Job:
    return Job(FileStat(str(path), 1, 1), known)


def read_all(readers: FileReaders, patience_s: float = 10.0) -> list[Part | End]:
    messages: list[Part | End] = []
    deadline = time.monotonic() + patience_s
    while not readers.done:
        assert time.monotonic() < deadline
        messages += readers.take(timeout_s=0.02)
    return messages


def ends(messages: list[Part | End]) -> dict[str, End]:
    return {Path(m.job.stat.path).name: m for m in messages if isinstance(m, End)}


@dataclass
class Script:
    """Extracts what its test says, by file name."""

    pages: dict[str, list[Page | BaseException]] = field(
        default_factory=dict[str, list[Page | BaseException]]
    )
    hung: Event = field(default_factory=Event)

    def read(self, path: Path) -> Body:
        if path.name.startswith("hung"):
            self.hung.wait(20)
        return Body(data=path.name.encode(), url=f"file://{path}")

    def extract(self, body: Body) -> Iterator[Page]:
        for page in self.pages.get(body.url.rsplit("/", 1)[1], []):
            if isinstance(page, BaseException):
                raise page
            yield page

    def sources(self) -> Sources:
        return Sources(self.read, self, SOURCES.chunk)


def page(path: Path, text: str, place: str = "") -> Page:
    return Page(url=f"file://{path}{place}", title="T", text=text)


def test_files_come_with_their_pages_in_order(tmp_path: Path) -> None:
    write(tmp_path, {"a.csv": "name,text\n" + "".join(f"n{n},t{n}\n" for n in range(500))})
    messages = read_all(FileReaders([job(tmp_path / "a.csv")], SOURCES, Event()))
    parts = [message for message in messages if isinstance(message, Part)]
    places = [entry.place for part in parts for entry in part.bundle.entries]
    assert places == [f"#row={n}" for n in range(1, 501)]
    assert len(parts) > 1
    end = ends(messages)["a.csv"]
    assert (end.status, end.reason, end.same) == ("ok", "", False)
    assert end.hash
    assert messages[-1] is end


def test_each_file_ends_once_whatever_happens_in_it(tmp_path: Path) -> None:
    names = ["typed", "untyped", "memory", "recursion", "fine", "missing.md"]
    script = Script(
        {
            "typed": [ReadError("is locked", status="encrypted")],
            "untyped": [KeyError("x")],
            "memory": [MemoryError()],
            "recursion": [RecursionError("deep")],
            "fine": [page(tmp_path / "fine", "text")],
        }
    )
    read = {**dict.fromkeys(names, script.read), "missing.md": SOURCES.read}
    sources = Sources(lambda path: read[path.name](path), script, SOURCES.chunk)
    messages = read_all(FileReaders([job(tmp_path / name) for name in names], sources, Event()))
    assert {name: (end.status, end.reason) for name, end in ends(messages).items()} == {
        "typed": ("encrypted", "is locked"),
        "untyped": ("broken", "KeyError: 'x'"),
        "memory": ("broken", "MemoryError: "),
        "recursion": ("broken", "RecursionError: deep"),
        "fine": ("ok", ""),
        "missing.md": ("not_found", f"{tmp_path / 'missing.md'} is gone; index the folder again"),
    }
    assert sum(isinstance(message, End) for message in messages) == len(names)


def test_pages_before_a_failure_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "half"
    script = Script({"half": [page(path, "good", "#1"), ReadError("row 2 is broken")]})
    part, end = read_all(FileReaders([job(path)], script.sources(), Event()))
    assert isinstance(part, Part)
    assert [entry.page.text for entry in part.bundle.entries] == ["good"]
    assert isinstance(end, End)
    assert (end.status, end.reason) == ("broken", "row 2 is broken")


def test_a_file_that_hangs_is_given_up_and_the_others_are_read(tmp_path: Path) -> None:
    """R0.13: two hung files, as many as there are threads, hold nobody up."""
    names = ["hung1", "hung2", "a", "b", "c"]
    script = Script({name: [page(tmp_path / name, "text")] for name in names})
    readers = FileReaders(
        [job(tmp_path / name) for name in names], script.sources(), Event(), patience_s=0.2
    )
    messages = read_all(readers)
    assert {name: end.status for name, end in ends(messages).items()} == {
        "hung1": "timeout",
        "hung2": "timeout",
        "a": "ok",
        "b": "ok",
        "c": "ok",
    }
    assert ends(messages)["hung1"].reason == "gave no text within 0.2 s"
    script.hung.set()
    time.sleep(0.05)
    assert readers.take(timeout_s=0) == []


def test_stopping_ends_the_threads(tmp_path: Path) -> None:
    stop = Event()
    endless = (page(tmp_path / "a", "text", f"#{n}") for n in range(10**9))
    script = Script()
    script.extract = lambda body: endless
    readers = FileReaders(
        [job(tmp_path / "a"), job(tmp_path / "b")], script.sources(), stop, threads=1
    )
    assert readers.take(timeout_s=5)
    stop.set()
    time.sleep(0.3)
    left = next(endless)
    time.sleep(0.1)
    assert int(next(endless).url.rsplit("#")[1]) == int(left.url.rsplit("#")[1]) + 1


def known(**change: object) -> FileRecord:
    record = FileRecord(1, "/a", 1, 1, "h", "ok", "", 3)
    return record._replace(**change)


def test_what_size_and_time_say_is_believed() -> None:
    assert not Job(FileStat("/a", 1, 1), None).unchanged
    assert Job(FileStat("/a", 1, 1), known()).unchanged
    assert not Job(FileStat("/a", 2, 1), known()).unchanged
    assert not Job(FileStat("/a", 1, 2), known()).unchanged
    assert Job(FileStat("/a", 1, 1), known(status="broken")).unchanged
    assert not Job(FileStat("/a", 1, 1), known(status="timeout")).unchanged
    assert all(
        Job(FileStat("/a", 1, 1), known(status=status)).unchanged
        for status in ("encrypted", "too_large", "empty", "not_found")
    )
    assert not Job(FileStat("/a", 1, 1), known(status="timeout", hash="")).unchanged
    assert not Job(FileStat("/a", 1, 1), known(status="refused", hash="")).unchanged
    assert Job(FileStat("/a", 1, 1), known(status="empty", hash="")).unchanged


def test_the_same_bytes_are_not_extracted_again(tmp_path: Path) -> None:
    path = tmp_path / "a"
    script = Script({"a": [page(path, "text")]})
    first = ends(read_all(FileReaders([job(path)], script.sources(), Event())))["a"]
    record = known(hash=first.hash)
    script.pages["a"] = [KeyError("extracted again")]
    (end,) = read_all(FileReaders([job(path, record)], script.sources(), Event()))
    assert isinstance(end, End)
    assert end.same
    (end,) = read_all(
        FileReaders([job(path, record._replace(status="timeout"))], script.sources(), Event())
    )
    assert isinstance(end, End)
    assert (end.same, end.status) == (False, "broken")


def test_failing_again_in_the_same_way_is_no_change(tmp_path: Path) -> None:
    first = ends(read_all(FileReaders([job(tmp_path / "no.md")], SOURCES, Event())))["no.md"]
    assert not first.same
    record = known(status=first.status, reason=first.reason)
    (end,) = read_all(FileReaders([job(tmp_path / "no.md", record)], SOURCES, Event()))
    assert isinstance(end, End)
    assert end.same
