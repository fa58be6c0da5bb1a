"""Tapes as files: what is written is what is read, and nothing else is taken for a tape."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Intent, Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Mark, Page, Passage
from quaere.errors import QuaereError
from quaere.store.recording.cassette import (
    Entry,
    Preparation,
    Reading,
    Search,
    Shares,
    Tape,
    TapedError,
    TapedProvider,
    TapeError,
    Ticks,
    read_tape,
    write_tape,
)

THEN = datetime(2031, 5, 4, 3, 2, 1, 250_000, tzinfo=UTC)
KILN = "The kiln at Ferrow was lit for the last time in 1911.\u2028\x00 \x1b[2J 窯"


def hit(text: str = KILN, rank: int = 0) -> Hit:
    passage = Passage(id=f"p{rank}", url="file:///k.md", title="Kiln", text=text, start=3, end=9)
    return Hit(
        url="file:///k.md",
        title="Kiln",
        provider="shelf",
        rank=rank,
        score=float("inf"),
        kind=SourceKind.FOLDER,
        passages=(passage,),
    )


ENTRIES: tuple[Entry, ...] = (
    TapedProvider(name="shelf", kinds=(SourceKind.FOLDER,), prepares=True, counts=True),
    Ticks(seconds=(0.0, 0.1, 1 / 3, 7e-9)),
    Preparation(
        provider="shelf",
        progress=(3, 3, 12),
        warnings=(RunWarning(kind="index", message="torn", subject="/t.pdf"),),
    ),
    Search(
        provider="shelf",
        query=Query(text="kiln", intent=Intent.GAP, focus=("Ferrow",), item="i1"),
        limit=5,
        hits=(hit(), hit(rank=1), hit("Another.", rank=2)),
    ),
    Search(provider="shelf", query=Query(text="nothing"), limit=5, hits=()),
    Search(provider="shelf", query=Query(text="never answered"), limit=5),
    Search(
        provider="shelf",
        query=Query(text="busy"),
        limit=5,
        error=TapedError(name="SearchError", message="429", retryable=True, retry_after=7.5),
    ),
    Reading(
        url="https://kiln.test/",
        page=Page(
            url="https://kiln.test/home",
            title="Kiln",
            text=KILN,
            published="1911",
            marks=(Mark(start=0, label="page 1"),),
        ),
    ),
    Reading(
        url="https://kiln.test/no",
        error=TapedError(name="ReadError", message="no", retryable=False, status="refused"),
    ),
    Shares(provider="shelf", shares={"kiln": 0.125, "ferrow": 0.0}),
)
TAPE = Tape(THEN, ENTRIES)


@pytest.fixture(params=["run.tape", "run.tape.gz"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / str(request.param)


def unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def pack(path: Path, data: bytes) -> None:
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def test_what_is_written_is_what_is_read(path: Path) -> None:
    write_tape(path, TAPE)
    assert read_tape(path) == TAPE
    assert path.read_bytes().startswith(b"\x1f\x8b") == (path.suffix == ".gz")


def test_it_is_json_lines_with_a_version(path: Path) -> None:
    write_tape(path, TAPE)
    lines = [json.loads(line) for line in unpacked(path).splitlines()]
    assert lines[0]["quaere_tape"] == 1
    assert lines[-1] == {"kind": "end", "lines": len(lines) - 2}
    assert [line["kind"] for line in lines[1:4]] == ["provider", "ticks", "preparation"]


def test_a_text_is_stored_once(path: Path) -> None:
    """Four places hold it: three hits and a page would."""
    write_tape(path, TAPE)
    assert unpacked(path).count(b"last time in 1911") == 1


def test_the_same_tape_is_the_same_file(path: Path) -> None:
    write_tape(path, TAPE)
    first = path.read_bytes()
    write_tape(path, TAPE)
    assert path.read_bytes() == first


def test_the_content_tells_whether_it_is_compressed(tmp_path: Path) -> None:
    write_tape(tmp_path / "a.gz", TAPE)
    renamed = (tmp_path / "a.gz").rename(tmp_path / "a.tape")
    assert read_tape(renamed) == TAPE


@given(st.text(st.characters()), st.text(st.characters()))
def test_any_text_is_kept(tmp_path_factory: pytest.TempPathFactory, one: str, two: str) -> None:
    path = tmp_path_factory.mktemp("any") / "a.tape"
    tape = Tape(THEN, (Search(provider="p", query=Query(text="q"), limit=1,
                              hits=(hit(one), hit(two))),))  # fmt: skip
    write_tape(path, tape)
    assert read_tape(path) == tape


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"\x00" * 5_000, b"# Notes\n", b'{"type": "run_started"}\n', b"[1]\n", b"7\n"],
)
def test_a_foreign_file_is_no_tape(path: Path, data: bytes) -> None:
    pack(path, data)
    with pytest.raises(TapeError, match=f"'{path}' is no tape"):
        read_tape(path)


def test_a_tape_of_a_newer_version_asks_for_an_upgrade(path: Path) -> None:
    pack(path, b'{"quaere_tape": 2, "chapters": []}\n')
    with pytest.raises(TapeError, match="recorded by a newer Quaere") as caught:
        read_tape(path)
    assert "format 2; this one reads 1" in caught.value.message


@pytest.mark.parametrize("version", ["0", "-1", '"1"', "null", "1.5", "[]"])
def test_a_version_that_never_was_is_damage(path: Path, version: str) -> None:
    pack(path, b'{"quaere_tape": ' + version.encode() + b"}\n")
    with pytest.raises(TapeError, match="damaged"):
        read_tape(path)


def test_every_truncation_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.tape"
    write_tape(path, TAPE)
    data = path.read_bytes()
    starts = [0, *(at + 1 for at, byte in enumerate(data) if byte == 10)]
    # Everywhere between two lines, and in the middle of each; the last break may be missing.
    for cut in sorted({*starts[:-1], *(start + 20 for start in starts), *range(0, len(data), 97)}):
        if cut >= len(data) - 1:
            continue
        path.write_bytes(data[:cut])
        with pytest.raises(TapeError):
            read_tape(path)


def test_every_truncation_of_a_compressed_tape_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.tape.gz"
    write_tape(path, TAPE)
    data = path.read_bytes()
    for cut in range(0, len(data), 13):
        path.write_bytes(data[:cut])
        with pytest.raises(TapeError):
            read_tape(path)


@pytest.mark.parametrize("line", [1, 2, 3, 4, -1])
@pytest.mark.parametrize(
    "damage",
    [b"", b"{}", b"null", b'{"kind": "song"}', b"\xff\xfe", b"[" * 100_000, b'{"kind": "end"}'],
    ids=repr,
)
def test_a_damaged_line_is_noticed(path: Path, line: int, damage: bytes) -> None:
    write_tape(path, TAPE)
    lines = unpacked(path).splitlines()
    lines[line] = damage[:100_000]
    pack(path, b"\n".join(lines) + b"\n")
    with pytest.raises(TapeError, match=r"damaged .* Record it again\.$"):
        read_tape(path)


def test_a_changed_text_is_noticed(path: Path) -> None:
    write_tape(path, TAPE)
    pack(path, unpacked(path).replace(b"in 1911", b"in 1912"))
    with pytest.raises(TapeError, match="a text is not what its address says"):
        read_tape(path)


def test_a_missing_text_is_noticed(path: Path) -> None:
    write_tape(path, TAPE)
    lines = unpacked(path).splitlines()
    pack(path, b"\n".join(line for line in lines if b'"text"' not in line[:20]))
    with pytest.raises(TapeError, match="a text is missing"):
        read_tape(path)


def test_what_follows_the_end_is_noticed(path: Path) -> None:
    write_tape(path, TAPE)
    pack(path, unpacked(path) * 2)
    with pytest.raises(TapeError, match="its end is not where it should be"):
        read_tape(path)


def test_flipped_bytes_in_a_compressed_tape_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.tape.gz"
    write_tape(path, TAPE)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(TapeError, match="damaged"):
        read_tape(path)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(TapeError, match=r"Cannot read the tape .*: No such file"):
        read_tape(tmp_path / "gone.tape")
    with pytest.raises(TapeError, match=r"Cannot read the tape .*: Is a directory"):
        read_tape(tmp_path)


def test_a_tape_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(QuaereError, match="Cannot write to"):
        write_tape(tmp_path / "no" / "a.tape", TAPE)
    (tmp_path / "a.tape").mkdir()
    with pytest.raises(QuaereError, match="Cannot write to"):
        write_tape(tmp_path / "a.tape", TAPE)
    assert [path.name for path in tmp_path.iterdir()] == ["a.tape"]


@pytest.mark.parametrize("name", ["", "1x", "a b", "x\n", "__import__('os')"])
def test_the_name_of_an_error_is_a_name(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        TapedError(name=name, message="", retryable=False)
