from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

import pytest
from tests.index.folders import SOURCES, CountingReader, Told, found, set_age, write

from quaere.domain.question import Intent, Query
from quaere.domain.source import Page
from quaere.errors import FolderIndexError
from quaere.index.file_readers import Sources
from quaere.index.folder_index import FolderIndex
from quaere.index.refresh import distorts, trusted
from quaere.index.scan import FileStat
from quaere.ports.read import Body

FILES = {
    "moth.md": "# Lantern moth\n\nThe lantern moth feeds on salt lichen.\n",
    "tarn.txt": "Tarn is a market town with paper mills.\n",
    "harbours.csv": "name,text\nVessel Bay,built in 1871\nOss Quay,built in 1902\n",
}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write(tmp_path / "docs", FILES)


@pytest.fixture
def index(docs: Path, tmp_path: Path) -> FolderIndex:
    return FolderIndex([docs], cache=tmp_path / "cache")


class NoExtractor:
    """Must not be called."""

    def extract(self, body: Body) -> Iterator[Page]:
        raise AssertionError(body.url)


# what changed


def test_unchanged_files_are_not_read_again(index: FolderIndex) -> None:
    reader = CountingReader()
    assert index.refresh(reader.sources()) == []
    assert reader.taken() == ["harbours.csv", "moth.md", "tarn.txt"]
    assert index.refresh(reader.sources()) == []
    assert reader.taken() == []


def test_new_changed_and_deleted_files_are_noticed(index: FolderIndex, docs: Path) -> None:
    reader = CountingReader()
    index.refresh(reader.sources())
    reader.taken()
    write(
        docs,
        {"new/ida.md": "# Ida\n\nIda Krell drew harbours.", "tarn.txt": "Tarn lies in ruins.\n"},
    )
    (docs / "moth.md").unlink()
    index.refresh(reader.sources())
    assert reader.taken() == ["ida.md", "tarn.txt"]
    assert found(index, "krell") == ["Ida"]
    assert len(found(index, "ruins")) == 1
    assert found(index, "mills") == []
    assert found(index, "lantern moth lichen") == []
    assert found(index, "built in 1902")[0] == "Oss Quay"


def test_a_change_that_keeps_size_and_second_is_noticed(index: FolderIndex, docs: Path) -> None:
    """A file written once more within a tick of the clock has the same size and time."""
    write(docs, {"fresh.md": "aardvark"}, age_s=-60.0)
    index.refresh(SOURCES)
    moment = (docs / "fresh.md").stat().st_mtime_ns
    (docs / "fresh.md").write_text("capybara")
    os.utime(docs / "fresh.md", ns=(moment, moment))
    index.refresh(SOURCES)
    assert len(found(index, "capybara")) == 1
    assert found(index, "aardvark") == []


def test_a_file_touched_but_not_changed_is_not_extracted_again(
    index: FolderIndex, docs: Path
) -> None:
    index.refresh(SOURCES)
    before = [hit.passage for hit in index.search(Query(text="lichen"), 1)]
    set_age(docs / "moth.md", 30)
    index.refresh(Sources(SOURCES.read, NoExtractor(), SOURCES.chunk))
    assert [hit.passage for hit in index.search(Query(text="lichen"), 1)] == before
    reader = CountingReader()
    index.refresh(reader.sources())
    assert reader.taken() == []


def test_scores_do_not_depend_on_what_came_before(docs: Path, tmp_path: Path) -> None:
    """R0.8: the same files give the same answer, whether indexed at once or by and by."""
    grown = FolderIndex([docs], cache=tmp_path / "grown")
    grown.refresh(SOURCES)
    write(docs, {f"n{n}.md": f"lichen and moth, number {n}" for n in range(20)})
    grown.refresh(SOURCES)
    for n in range(3, 20):
        (docs / f"n{n}.md").unlink()
    write(docs, {"tarn.txt": "Tarn has lichen on its mills.\n"})
    grown.refresh(SOURCES)
    fresh = FolderIndex([docs], cache=tmp_path / "fresh")
    fresh.refresh(SOURCES)
    query = Query(text="Which moth feeds on lichen in Tarn?")
    assert fresh.search(query, 10) == grown.search(query, 10)


def test_a_cache_inside_the_folder_is_not_indexed(docs: Path) -> None:
    index = FolderIndex([docs], cache=docs / "cache")
    index.refresh(SOURCES)
    told = Told()
    assert index.refresh(SOURCES, progress=told) == []
    assert told[-1] == (3, 3, 4)


def test_an_empty_folder_finds_nothing(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    index = FolderIndex([tmp_path / "docs"], cache=tmp_path / "cache")
    assert index.refresh(SOURCES) == []
    assert found(index, "lichen") == []
    assert index.page("file:///docs/a.md") is None


def test_each_set_of_roots_has_its_own_index(docs: Path, tmp_path: Path) -> None:
    whole = FolderIndex([docs], cache=tmp_path / "cache")
    part = FolderIndex([docs / "moth.md", docs / "moth.md"], cache=tmp_path / "cache")
    same = FolderIndex([str(docs) + "/."], cache=tmp_path / "cache")
    assert whole.folder != part.folder
    assert whole.folder == same.folder
    part.refresh(SOURCES)
    assert found(part, "lichen mills built") == ["Lantern moth"]


# what goes wrong with files


def test_every_file_that_cannot_be_read_is_a_warning_with_its_reason(
    index: FolderIndex, docs: Path
) -> None:
    """R2.3: broken files are told, never a crash, and not read again while unchanged."""
    write(docs, {"empty.md": "", "broken.json": '{"a": ', "broken.pdf": b"%PDF-1.7 cut"})
    write(docs, {"a.png": b"\x89PNG", "b.zip": b"PK", "rows.csv": 'a,b\n1,"x\n2,y\n'})
    reader = CountingReader()
    warnings = index.refresh(reader.sources())
    reader.taken()
    assert [Path(warning.subject).name for warning in warnings] == [
        "broken.json",
        "broken.pdf",
        "empty.md",
        "rows.csv",
        "",
    ]
    assert all(warning.kind == "index" and warning.message for warning in warnings)
    assert "2 files" in warnings[-1].message
    assert found(index, "lichen") == ["Lantern moth"]
    assert index.refresh(reader.sources()) == warnings
    assert reader.taken() == []


def test_a_broken_file_that_is_mended_is_found(index: FolderIndex, docs: Path) -> None:
    write(docs, {"a.json": '{"text": "quok'})
    assert len(index.refresh(SOURCES)) == 1
    write(docs, {"a.json": '{"text": "quokka"}'})
    assert index.refresh(SOURCES) == []
    assert len(found(index, "quokka")) == 1


def test_a_file_that_breaks_is_no_longer_found(index: FolderIndex, docs: Path) -> None:
    index.refresh(SOURCES)
    write(docs, {"moth.md": ""})
    assert len(index.refresh(SOURCES)) == 1
    assert found(index, "lichen") == []


@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_be_read_again_is_tried_again(index: FolderIndex, docs: Path) -> None:
    (docs / "moth.md").chmod(0)
    (warning,) = index.refresh(SOURCES)
    assert "permission" in warning.message
    (docs / "moth.md").chmod(0o600)
    assert index.refresh(SOURCES) == []
    assert found(index, "lichen") == ["Lantern moth"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs FIFOs and names of any bytes")
def test_odd_files_and_names(index: FolderIndex, docs: Path) -> None:
    os.mkfifo(docs / "pipe.md")
    write(docs, {"日本/東京.md": "quokka one", "caf\udce9 #1?.md": "quokka two", "a\nb.txt": ""})
    warnings = index.refresh(SOURCES)
    assert [(each.subject, each.message.partition(";")[0]) for each in warnings] == [
        (f"{docs}/a\nb.txt", "empty"),
        (f"{docs}/pipe.md", "not a regular file"),
    ]
    hits = index.search(Query(text="quokka"), 5)
    assert {hit.passage.text for hit in hits if hit.passage} == {"quokka one", "quokka two"}
    for hit in hits:
        assert hit.passage is not None
        page = index.page(hit.url, hit.passage.content_hash)
        assert page is not None
        assert page.text[hit.passage.start : hit.passage.end] == hit.passage.text


def test_two_hundred_mixed_files(tmp_path: Path) -> None:
    """Markdown, HTML, CSV, text and broken files: each good one is found, each other one told."""
    good = {
        **{f"m{n}.md": f"# Note {n}\n\nWord{n}md here." for n in range(50)},
        **{f"t{n}.txt": f"Word{n}txt here." for n in range(50)},
        **{
            f"h{n}.html": f"<html><body><p>Word{n}html stands in a paragraph that is long enough "
            "to be taken for the text of the page.</p></body></html>"
            for n in range(30)
        },
        **{f"c{n}.csv": f"name,text\nx,word{n}csv\ny,other{n}\n" for n in range(40)},
    }
    bad = {
        **{f"e{n}.txt": "" for n in range(10)},
        **{f"p{n}.pdf": b"%PDF-1.4\n" + bytes(range(256)) for n in range(10)},
        **{f"j{n}.json": '{"a": [' for n in range(10)},
    }
    docs = write(tmp_path / "docs", {**good, **bad})
    index = FolderIndex([docs], cache=tmp_path / "cache")
    warnings = index.refresh(SOURCES)
    assert [Path(warning.subject).name for warning in warnings] == sorted(bad)
    for name in good:
        number, suffix = name[1:].split(".")
        hits = index.search(Query(text=f"word{number}{suffix}"), 5)
        assert [Path(hit.url.split("#")[0]).name for hit in hits] == [name]


# batches, stopping, progress


@dataclass
class Pausing:
    """Extracts the records of a table, and waits at one of them."""

    at: int
    go_on: Event = field(default_factory=Event)
    waiting: Event = field(default_factory=Event)

    def extract(self, body: Body) -> Iterator[Page]:
        for number, page in enumerate(SOURCES.extractor.extract(body)):
            if number == self.at:
                self.waiting.set()
                self.go_on.wait(20)
            yield page

    def sources(self) -> Sources:
        return Sources(SOURCES.read, self, SOURCES.chunk)


def test_what_is_committed_is_found_while_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quaere.index.refresh.COMMIT_EVERY_S", 0.05)
    rows = "".join(f"n{n},quokka{n}\n" for n in range(1000))
    docs = write(tmp_path / "docs", {"t.csv": f"name,text\n{rows}"})
    index = FolderIndex([docs], cache=tmp_path / "cache")
    pausing, stop = Pausing(700), Event()
    told = Told()
    thread = Thread(
        target=lambda: index.refresh(pausing.sources(), progress=told, stop=stop),
        daemon=True,
    )
    thread.start()
    assert eventually(lambda: found(index, "quokka42") == ["n42"])
    assert found(index, "quokka900") == []
    stop.set()
    thread.join(5)
    assert not thread.is_alive()
    assert found(index, "quokka42") == ["n42"]
    pausing.go_on.set()
    index.refresh(SOURCES, progress=told)
    assert found(index, "quokka42") == ["n42"]
    assert found(index, "quokka900") == ["n900"]
    assert told[-1] == (1, 1, 1000)
    assert all(passages <= 1000 for _, _, passages in told)


def eventually(holds: Callable[[], bool], patience_s: float = 10.0) -> bool:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        try:
            if holds():
                return True
        except FolderIndexError:
            pass
        time.sleep(0.02)
    return False


def test_progress_counts_files_and_passages(index: FolderIndex, docs: Path) -> None:
    told = Told()
    index.refresh(SOURCES, progress=told)
    assert told[-1] == (3, 3, 4)
    told.clear()
    index.refresh(SOURCES, progress=told)
    assert told[-1] == (3, 3, 4)
    (docs / "moth.md").unlink()
    index.refresh(SOURCES, progress=told)
    assert told[-1] == (2, 2, 3)


# crashes and damage

CRASH = """
import os, signal, sys, threading, time
from pathlib import Path
from quaere.index import refresh
from quaere.index.folder_index import FolderIndex
from quaere.index.refresh import distorts
from tests.index.folders import SOURCES

refresh.COMMIT_EVERY_S = 0.02
where, docs, cache = sys.argv[1:]

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if where == "before-terms":
    refresh.IndexWriter.commit = die
elif where == "before-settle":
    refresh.CatalogueWriter.settle = die
elif where == "while-reading":
    add = refresh.CatalogueWriter.add
    def add_some(self, file, entries, calls=[]):
        calls.append(1)
        if len(calls) > 3:
            die()
        found = add(self, file, entries)
        time.sleep(0.05)
        return found
    refresh.CatalogueWriter.add = add_some
FolderIndex([docs], cache=Path(cache)).refresh(SOURCES)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills its own process")
@pytest.mark.parametrize("where", ["before-terms", "before-settle", "while-reading"])
@pytest.mark.parametrize("first", [True, False], ids=["first", "later"])
def test_a_refresh_that_is_killed_is_mended_by_the_next(
    tmp_path: Path, where: str, *, first: bool
) -> None:
    docs = write(tmp_path / "docs", FILES)
    cache = tmp_path / "cache"
    if not first:
        FolderIndex([docs], cache=cache).refresh(SOURCES)
        write(docs, {"moth.md": "The moth is gone from the bay.", "tarn.txt": "Tarn, rebuilt.\n"})
    rows = "".join(f"n{n},quokka{n}\n" for n in range(1500))
    write(docs, {"big.csv": f"name,text\n{rows}"})
    command = [sys.executable, "-c", CRASH, where, str(docs), str(cache)]
    died = subprocess.run(command, check=False, cwd=Path(__file__).parents[2])
    assert died.returncode == -9
    index = FolderIndex([docs], cache=cache)
    index.refresh(SOURCES)
    fresh = FolderIndex([docs], cache=tmp_path / "fresh")
    fresh.refresh(SOURCES)
    for text in ("quokka7", "quokka1499", "moth lichen bay", "Tarn rebuilt mills", "built in 1902"):
        assert index.search(Query(text=text), 10) == fresh.search(Query(text=text), 10)


def overwrite(path: Path, data: bytes) -> None:
    """Put a new file in the place of ``path``: cutting one that is mapped kills the process."""
    path.unlink()
    path.write_bytes(data)


def damage(folder: Path, kind: str) -> None:
    catalogue, terms = folder / "catalogue.db", folder / "terms"
    if kind == "catalogue-garbage":
        overwrite(catalogue, b"garbage " * 2000)
    elif kind == "catalogue-cut":
        overwrite(catalogue, catalogue.read_bytes()[:5000])
    elif kind == "catalogue-gone":
        catalogue.unlink()
    elif kind == "terms-gone":
        shutil.rmtree(terms)
    elif kind == "terms-meta":
        overwrite(terms / "meta.json", b"{")
    elif kind == "terms-segments":
        for file in terms.glob("*.term"):
            overwrite(file, b"")
    elif kind == "terms-empty":
        shutil.rmtree(terms)
        terms.mkdir()
    elif kind == "lock":
        overwrite(folder / "lock.db", b"garbage" * 1000)


@pytest.mark.parametrize(
    "kind",
    [
        "catalogue-garbage",
        "catalogue-cut",
        "catalogue-gone",
        "terms-gone",
        "terms-meta",
        "terms-segments",
        "terms-empty",
        "lock",
    ],
)
def test_a_damaged_index_is_made_anew(index: FolderIndex, docs: Path, kind: str) -> None:
    index.refresh(SOURCES)
    for side in ("catalogue.db-wal", "catalogue.db-shm"):
        (index.folder / side).unlink(missing_ok=True)
    damage(index.folder, kind)
    again = FolderIndex([docs], cache=index.folder.parent)
    again.refresh(SOURCES)
    assert found(again, "lichen") == ["Lantern moth"]
    assert found(again, "built in 1902")[0] == "Oss Quay"


@pytest.mark.parametrize("name", ["*.term", "*.idx", "catalogue.db"])
def test_damage_that_only_a_search_finds_is_mended_by_the_next_refresh(
    tmp_path: Path, name: str
) -> None:
    rows = "".join(f"n{n},quokka{n} lives by the shore of word{n % 7}\n" for n in range(300))
    docs = write(tmp_path / "docs", {"t.csv": f"name,text\n{rows}"})
    index = FolderIndex([docs], cache=tmp_path / "cache")
    index.refresh(SOURCES)
    query = Query(text="quokka8 shore word3", titles=("n8",))
    right = index.search(query, 5)
    for file in index.folder.rglob(name):
        data = file.read_bytes()
        middle = slice(len(data) // 4 if name == "catalogue.db" else 0, max(len(data) - 200, 0))
        overwrite(file, data[: middle.start] + b"\xa5" * len(data[middle]) + data[middle.stop :])
    again = FolderIndex([docs], cache=tmp_path / "cache")
    with pytest.raises(FolderIndexError, match="Refresh it"):
        again.search(query, 5)
    again.refresh(SOURCES)
    assert again.search(query, 5) == right


@pytest.mark.parametrize("intent", [Intent.RAW, Intent.TABLE])
def test_passages_that_are_lost_are_an_error_until_the_next_refresh(
    index: FolderIndex, docs: Path, intent: Intent
) -> None:
    """An outage is never an empty answer."""
    index.refresh(SOURCES)
    with closing(sqlite3.connect(index.folder / "catalogue.db")) as database, database:
        database.execute("DELETE FROM passages")
    database.close()
    with pytest.raises(FolderIndexError, match="Refresh it"):
        index.search(Query(text="lichen", intent=intent), 5)
    index.refresh(SOURCES)
    assert found(index, "lichen") == ["Lantern moth"]


def test_damage_is_told_by_every_call(index: FolderIndex, docs: Path) -> None:
    index.refresh(SOURCES)
    url = (docs / "moth.md").as_uri()
    damage(index.folder, "catalogue-garbage")
    damage(index.folder, "terms-meta")
    again = FolderIndex([docs], cache=index.folder.parent)
    for call in (lambda: again.page(url), lambda: again.share("moth")):
        with pytest.raises(FolderIndexError, match="Cannot read the index"):
            call()
    again.refresh(SOURCES)
    assert again.page(url) is not None
    assert again.share("moth") > 0


def test_stopping_at_once_leaves_the_index_as_it_was(index: FolderIndex, docs: Path) -> None:
    index.refresh(SOURCES)
    (docs / "moth.md").unlink()
    write(docs, {"new.md": "quokka"})
    stop = Event()
    stop.set()
    index.refresh(SOURCES, stop=stop)
    assert found(index, "lichen quokka") == ["Lantern moth"]


def test_an_index_that_is_not_there_yet_is_a_typed_error(index: FolderIndex) -> None:
    with pytest.raises(FolderIndexError, match="not indexed yet"):
        index.search(Query(text="x"), 1)
    with pytest.raises(FolderIndexError):
        index.page("file:///x")
    with pytest.raises(FolderIndexError):
        index.share("x")


def test_a_cache_that_cannot_be_written_is_a_typed_error(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file stands here")
    with pytest.raises(FolderIndexError, match=r"index at .*: Not a directory\..*CACHE_DIR"):
        FolderIndex([docs], cache=tmp_path / "cache").refresh(SOURCES)


# several processes

INDEX = """
import sys
from pathlib import Path
from quaere.index.folder_index import FolderIndex
from quaere.index.refresh import distorts
from tests.index.folders import SOURCES, found
index = FolderIndex([sys.argv[1]], cache=Path(sys.argv[2]))
index.refresh(SOURCES)
assert found(index, "quokka299") == ["n299"], found(index, "quokka299")
"""


def test_processes_that_refresh_at_once_take_turns(docs: Path, tmp_path: Path) -> None:
    rows = "".join(f"n{n},quokka{n}\n" for n in range(300))
    write(docs, {"big.csv": f"name,text\n{rows}"})
    command = [sys.executable, "-c", INDEX, str(docs), str(tmp_path / "cache")]
    processes = [subprocess.Popen(command, cwd=Path(__file__).parents[2]) for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]


def test_a_second_writer_is_told_to_wait_and_readers_go_on(
    index: FolderIndex, docs: Path, tmp_path: Path
) -> None:
    index.refresh(SOURCES)
    write(docs, {"big.csv": "name,text\n" + "".join(f"n{n},quokka{n}\n" for n in range(300))})
    pausing = Pausing(100)
    thread = Thread(target=lambda: index.refresh(pausing.sources()), daemon=True)
    thread.start()
    assert pausing.waiting.wait(10)
    other = FolderIndex([docs], cache=tmp_path / "cache")
    try:
        with pytest.raises(FolderIndexError, match="Another process"):
            other.refresh(SOURCES, lock_wait_s=0.0)
        assert found(other, "lichen") == ["Lantern moth"]
    finally:
        pausing.go_on.set()
        thread.join(10)
    assert found(other, "quokka299") == ["n299"]


@pytest.mark.parametrize(
    ("deleted", "held", "is_distorted"),
    [
        (0, 0, False),
        (0, 3, False),
        (1, 3, True),
        (1, 2_000, True),
        (1, 2_001, False),
        (1, 1_000_000, False),
        (200_000, 1_000_000, False),
        (200_001, 1_000_000, True),
    ],
)
def test_a_small_index_forgets_at_once_and_a_large_one_when_a_fifth_is_gone(
    deleted: int, held: int, is_distorted: bool
) -> None:
    assert distorts(deleted, held) is is_distorted


SECOND_NS = 1_000_000_000
STARTED_NS = 1_900_000_000 * SECOND_NS


@pytest.mark.parametrize(
    ("changed_ns", "is_trusted"),
    [
        (STARTED_NS - 50_000_001, True),
        (STARTED_NS - 50_000_000, True),
        (STARTED_NS - 49_999_999, False),
        (STARTED_NS + 7, False),
        (STARTED_NS - 2 * SECOND_NS, True),
        (STARTED_NS - SECOND_NS, False),
        (STARTED_NS, False),
    ],
)
def test_the_time_of_a_file_is_trusted_once_its_clock_has_ticked(
    changed_ns: int, *, is_trusted: bool
) -> None:
    """A time on a whole second is one of a file system that may know none but every other one."""
    stat = FileStat("/notes/mill.md", 7, changed_ns)
    kept = trusted(stat, STARTED_NS)
    assert (kept.path, kept.size) == (stat.path, stat.size)
    assert kept.mtime_ns == (changed_ns if is_trusted else -1)
