"""The files in which runs wait for the database: torn, locked, full, taken up again."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.store.runs import BEGUN, PASSAGES, RUN, failed_run, whole_run

from quaere.domain.events import Event, IndexProgress, WarningRaised
from quaere.domain.report import RunWarning
from quaere.errors import StoreUnavailable
from quaere.store.traces.privacy import Kept, Privacy, TraceRedactor
from quaere.store.traces.spool import SUFFIX, Continuation, Head, Spool, lock, read

HEAD = Head(trace_id=RUN, created_at=BEGUN, params={"question": "Who?"})


def kept_run() -> list[Kept]:
    redactor = TraceRedactor(Privacy(), PASSAGES.__getitem__)
    return [redactor.take(event) for event in whole_run()]


def write(folder: Path, kept: list[Kept]) -> Path:
    with Spool(folder, HEAD) as spool:
        for each in kept:
            spool.append(each)
    return spool.path


def test_what_was_written_is_read_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "events", kept_run())
    spooled = read(path)
    assert spooled.head == HEAD
    assert [each.event for each in spooled.kept] == whole_run()
    assert [each.sources for each in spooled.kept] == [each.sources for each in kept_run()]
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_only_what_never_began_can_be_withdrawn(tmp_path: Path) -> None:
    spool = Spool(tmp_path, HEAD)
    spool.withdraw()
    assert not spool.path.exists()
    path = write(tmp_path, kept_run())
    Spool(tmp_path, HEAD).withdraw()
    assert len(read(path).kept) == len(kept_run())


@pytest.mark.parametrize("cut", [1, 2, 40])
def test_a_torn_line_is_left_out_and_written_anew(tmp_path: Path, cut: int) -> None:
    path = write(tmp_path, kept_run()[:5])
    path.write_bytes(path.read_bytes()[:-cut])
    assert [each.event.seq for each in read(path).kept] == [1, 2, 3, 4]
    write(tmp_path, kept_run())
    assert [each.event for each in read(path).kept] == whole_run()


@pytest.mark.parametrize("data", [b"", b"{", b"no json\n", b"\x00" * 50, b'{"version": 2}\n'])
def test_a_file_that_is_none_has_no_head(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / f"{RUN}{SUFFIX}"
    path.write_bytes(data)
    assert read(path).head is None
    write(tmp_path, kept_run())
    assert [each.event for each in read(path).kept] == whole_run()


def test_a_run_that_failed_goes_on_without_its_failure(tmp_path: Path) -> None:
    failed = [Kept.model_construct(event=event, sources=()) for event in failed_run(after=4)]
    path = write(tmp_path, failed)
    write(tmp_path, kept_run())
    assert [each.event for each in read(path).kept] == whole_run()


def test_only_one_writes_a_file_at_a_time(tmp_path: Path) -> None:
    with Spool(tmp_path, HEAD) as spool:
        with pytest.raises(StoreUnavailable, match="Another process"):
            Spool(tmp_path, HEAD)
        with spool.path.open("rb+") as other:
            assert not lock(other)
    with spool.path.open("rb+") as other:
        assert lock(other)


def test_a_folder_that_cannot_be_made_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable, match="Cannot write"):
        Spool(tmp_path / "file" / "events", HEAD)


def test_a_full_disk_is_a_typed_error_and_keeps_what_was_written(tmp_path: Path) -> None:
    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, 6_000))

    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from quaere.errors import StoreUnavailable\n"
        "from tests.store.traces.test_spool import kept_run, write\n"
        "try:\n"
        "    write(Path(sys.argv[1]), kept_run())\n"
        "except StoreUnavailable as error:\n"
        "    print(error.message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONPATH": ".", "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=limited,
        check=False,
    )
    assert "Cannot write" in done.stdout, done.stderr
    kept = read(tmp_path / f"{RUN}{SUFFIX}").kept
    assert kept
    assert [each.event for each in kept] == whole_run()[: len(kept)]


def test_what_was_written_survives_a_kill(tmp_path: Path) -> None:
    """R4.5: a killed run's events are there, and its file is free for whoever goes on."""
    program = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from quaere.store.traces.spool import Spool\n"
        "from tests.store.traces.test_spool import HEAD, kept_run\n"
        "spool = Spool(Path(sys.argv[1]), HEAD)\n"
        "for kept in kept_run()[:7]:\n"
        "    spool.append(kept)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONPATH": ".", "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    path = tmp_path / f"{RUN}{SUFFIX}"
    assert [each.event for each in read(path).kept] == whole_run()[:7]
    write(tmp_path, kept_run())
    assert [each.event for each in read(path).kept] == whole_run()


def numbered(kinds: list[str]) -> list[Event]:
    """Return events as an engine numbers them: letters are steps, dots the progress of indexing."""
    made: list[Event] = []
    for seq, kind in enumerate(kinds, 1):
        if kind == ".":
            made.append(IndexProgress(folder="f", done=seq, total=9, seq=seq))
        else:
            made.append(WarningRaised(warning=RunWarning(kind="read", message=kind), seq=seq))
    return made


def steps(events: list[Event]) -> list[str]:
    return [each.warning.message for each in events if isinstance(each, WarningRaised)]


PROGRESS = st.lists(st.just("."), max_size=5)


@given(st.text(alphabet="abcdef", max_size=6), PROGRESS, PROGRESS, st.integers(0, 12))
def test_no_step_is_lost_or_doubled(
    run: str, before: list[str], again: list[str], stopped: int
) -> None:
    log = numbered([*before, *run])[:stopped]
    continuation = Continuation(log)
    for event in numbered([*again, *run]):
        placed, fresh = continuation.placed(event)
        if fresh:
            log.append(placed)
        elif isinstance(event, WarningRaised):
            known = next(each for each in log if each.seq == placed.seq)
            assert steps([known]) == steps([event]), "a step keeps its number"
    assert steps(log) == list(run)
    assert [event.seq for event in log] == list(range(1, len(log) + 1))


def test_a_log_that_nothing_precedes_is_as_the_engine_numbers_it() -> None:
    continuation, events = Continuation(()), numbered([".", "a", ".", "b"])
    assert [continuation.placed(event) for event in events] == [(each, True) for each in events]
