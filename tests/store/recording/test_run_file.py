"""The file of a run that can be resumed."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from quaere.domain.model import Completion
from quaere.domain.request import ReusedEvidence, RunSpec
from quaere.domain.source import Passage
from quaere.errors import StoreUnavailable, UsageError
from quaere.store.recording.entries import ModelAnswer, Recorded
from quaere.store.recording.run_file import RunFile

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]
SPEC = RunSpec.of("Who?", docs=(Path("/notes"),), limits={"max_iters": 3})


def answered(number: int, text: str = "x") -> Recorded:
    answer = ModelAnswer(model="m", request=f"k{number}", result=Completion(text=text))
    return Recorded(at=number, answer=answer)


async def test_what_is_kept_is_there_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "runs" / f"{SPEC.run_id}.run"
    file = RunFile.create(path, SPEC)
    for number in range(5):
        await file.append(answered(number))
    file.close()
    again = RunFile.open(path)
    assert again.spec == SPEC
    assert list(again.past()) == [answered(number) for number in range(5)]
    again.remove()
    assert list(path.parent.iterdir()) == []


def test_every_run_has_its_own_name_and_marks() -> None:
    requests = [RunSpec.of("Who?") for _ in range(9)]
    assert len({each.run_id for each in requests}) == len({each.marks for each in requests}) == 9


def test_a_trace_is_told_of_an_earlier_run_and_not_what_that_read() -> None:
    passage = Passage(id="p", url="file:///a", title="a", text="secret", start=0, end=6)
    reused = ReusedEvidence(run_id="before", told="This goes on.", passages=(passage,))
    asking = SPEC.model_copy(update={"reused": reused}).asking
    assert asking == {
        "question": "Who?",
        "docs": ["/notes"],
        "limits": {"max_iters": 3},
        "draws_on": "before",
    }


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    file = RunFile.create(tmp_path / "runs" / "a.run", SPEC)
    assert file.path.stat().st_mode & 0o077 == 0
    assert file.path.parent.stat().st_mode & 0o077 == 0
    file.close()


def test_one_works_on_a_run_at_a_time_and_death_frees_it(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    RunFile.create(path, SPEC).close()
    code = (
        "import sys, time\nfrom pathlib import Path\n"
        "from quaere.store.recording.run_file import RunFile\n"
        "file = RunFile.open(Path(sys.argv[1]))\nprint('open', flush=True)\ntime.sleep(60)\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout
    assert holder.stdout.readline() == "open\n"
    with pytest.raises(UsageError, match="worked on already"):
        RunFile.open(path)
    holder.kill()
    holder.communicate()
    RunFile.open(path).close()


def test_what_cannot_be_resumed_says_why(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no run 'gone'"):
        RunFile.open(tmp_path / "gone.run")
    (tmp_path / "odd.run").write_bytes(b"not a database" * 100)
    with pytest.raises(UsageError, match="damaged"):
        RunFile.open(tmp_path / "odd.run")
    (tmp_path / "empty.run").touch()
    with pytest.raises(UsageError, match="damaged"):
        RunFile.open(tmp_path / "empty.run")
    RunFile.create(tmp_path / "new.run", SPEC).close()
    with closing(sqlite3.connect(tmp_path / "new.run")) as database, database:
        database.execute("UPDATE run SET version = 99")
    database.close()
    with pytest.raises(UsageError, match="another version"):
        RunFile.open(tmp_path / "new.run")
    with pytest.raises(StoreUnavailable, match="Cannot keep the run"):
        RunFile.create(tmp_path / "new.run" / "below.run", SPEC)


@pytest.mark.parametrize("name", ["\0", "\ud800", "x" * 10_000, "😀" * 64])
def test_a_run_of_a_name_that_no_file_has_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="There is no run") as told:
        RunFile.open(tmp_path / f"{name}.run")
    assert len(told.value.message) < 250
    RunFile.discard(tmp_path / f"{name}.run")


def test_an_answer_is_added_to_a_log_that_goes_with_the_file(tmp_path: Path) -> None:
    """A run waits for each: writing a page aside before it is changed takes four times as long."""
    path, log = tmp_path / "a.run", tmp_path / "a.run-wal"
    file = RunFile.create(path, SPEC)
    before = path.read_bytes()
    asyncio.run(file.append(answered(1, "kept")))
    assert path.read_bytes() == before
    assert b"kept" in log.read_bytes(), "it is there, whatever becomes of the process"
    assert {each.name for each in tmp_path.iterdir()} == {path.name, log.name}
    file.remove()
    assert list(tmp_path.iterdir()) == []


def test_what_a_process_that_died_had_kept_is_there(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    code = (
        "import asyncio, os, sys\nfrom pathlib import Path\n"
        "from tests.store.recording.test_run_file import SPEC, answered\n"
        "from quaere.store.recording.run_file import RunFile\n"
        "file = RunFile.create(Path(sys.argv[1]), SPEC)\n"
        "asyncio.run(file.append(answered(7, 'kept')))\nos._exit(1)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=False, cwd=ROOT)
    again = RunFile.open(path)
    assert list(again.past()) == [answered(7, "kept")]
    again.close()
    RunFile.discard(path)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_answer_is_counted_and_not_taken(tmp_path: Path) -> None:
    file = RunFile.create(tmp_path / "a.run", SPEC)
    file.close()
    with closing(sqlite3.connect(file.path)) as database, database:
        database.execute("INSERT INTO answer (recorded) VALUES ('{\"at\": 1')")
    database.close()
    again = RunFile.open(file.path)
    assert again.answers == 1
    with pytest.raises(UsageError, match="damaged"):
        list(again.past())
    again.close()


async def test_a_full_disk_ends_the_keeping_and_costs_nobody_an_answer(tmp_path: Path) -> None:
    file = RunFile.create(tmp_path / "a.run", SPEC)
    await file.append(answered(1))
    file._connection.execute("PRAGMA max_page_count = 4")
    assert file.trouble == ""
    await file.append(answered(2, "x" * 100_000))
    assert "is full" in file.trouble
    await file.append(answered(3))
    assert list(file.past()) == [answered(1)], "what is there has no gap"
    file.close()


def test_a_run_that_cannot_be_begun_leaves_nothing(tmp_path: Path) -> None:
    """A disk that is full from the start."""
    resource = pytest.importorskip("resource", reason="limits of a process are those of Unix")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    try:
        with pytest.raises(StoreUnavailable, match="Cannot keep the run"):
            RunFile.create(tmp_path / "a.run", SPEC)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_is_there_is_not_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    RunFile.create(path, SPEC).close()
    with pytest.raises(StoreUnavailable, match="File exists"):
        RunFile.create(path, RunSpec.of("Else?"))
    again = RunFile.open(path)
    assert again.spec == SPEC
    again.close()


def test_a_file_is_discarded_unless_somebody_works_on_it(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    file = RunFile.create(path, SPEC)
    RunFile.discard(path)
    assert path.exists()
    file.close()
    RunFile.discard(path)
    (tmp_path / "odd.run").write_bytes(b"not a database" * 100)
    RunFile.discard(tmp_path / "odd.run")
    RunFile.discard(tmp_path / "gone.run")
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_is_closed_while_it_is_written_to_waits(tmp_path: Path) -> None:
    """A writer that is cancelled goes on in its thread; closing under it crashed the process."""
    for number in range(40):
        file = RunFile.create(tmp_path / f"{number}.run", SPEC)
        writing = asyncio.create_task(file.append(answered(0, "x" * 2_000_000)))
        await asyncio.sleep(0.001 * (number % 4))
        writing.cancel()
        with suppress(asyncio.CancelledError):
            await writing
        file.close()
        again = RunFile.open(tmp_path / f"{number}.run")
        assert again.answers in {0, 1}
        again.remove()
