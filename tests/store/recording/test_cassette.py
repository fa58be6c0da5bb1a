"""Cassettes as files: what is written is what is read, and nothing else passes for one."""

from __future__ import annotations

import errno
import gzip
import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.human import TOPICS

from quaere.domain.model import Completion, Usage
from quaere.domain.question import Intent, Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Mark, Page, Passage
from quaere.domain.team import Reply
from quaere.errors import QuaereError
from quaere.store.recording.cassette import (
    VERSION,
    Cassette,
    CassetteError,
    EmbedderEntry,
    Entry,
    Marks,
    ModelEntry,
    ProviderEntry,
    Shares,
    Ticks,
    read_cassette,
    write_cassette,
)
from quaere.store.recording.entries import (
    AnyAnswer,
    HumanReply,
    ModelAnswer,
    Preparation,
    Reading,
    Recorded,
    RecordedError,
    Search,
    Similarities,
)
from quaere.store.recording.replay import Replay

THEN = datetime(2031, 5, 4, 3, 2, 1, 250_000, tzinfo=UTC)
USAGE = Usage(prompt_tokens=7, completion_tokens=2)
KILN = "The kiln at Ferrow was lit for the last time in 1911.\u2028\x00 \x1b[2J 窯"


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=4,
)
"""Anything that JSON can say."""


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


ANSWERS: tuple[AnyAnswer, ...] = (
    Preparation(
        provider="shelf",
        progress=(3, 3, 12),
        result=(RunWarning(kind="index", message="torn", subject="/t.pdf"),),
    ),
    Search(
        provider="shelf",
        query=Query(text="kiln", intent=Intent.GAP, focus=("Ferrow",), item="i1"),
        limit=5,
        result=(hit(), hit(rank=1), hit("Another.", rank=2)),
    ),
    Search(provider="shelf", query=Query(text="nothing"), limit=5, result=()),
    Search(provider="shelf", query=Query(text="never answered"), limit=5),
    Search(
        provider="shelf",
        query=Query(text="busy"),
        limit=5,
        error=RecordedError(name="SearchError", message="429", retryable=True, retry_after=7.5),
    ),
    Reading(
        url="https://kiln.test/",
        result=Page(
            url="https://kiln.test/home",
            title="Kiln",
            text=KILN,
            published="1911",
            marks=(Mark(start=0, label="page 1"),),
        ),
    ),
    Reading(
        url="https://kiln.test/no",
        error=RecordedError(name="ReadError", message="no", retryable=False, status="refused"),
    ),
    ModelAnswer(model="v:m", request="0a", result=Completion(text="{}", usage=USAGE)),
    Similarities(embedder="v:e", pairs="0b", result=(1.0, -0.25)),
    HumanReply(inquiry=TOPICS, result=Reply(topics=("the kiln",))),
)
ENTRIES: tuple[Entry, ...] = (
    ProviderEntry(name="shelf", kinds=(SourceKind.FOLDER,), prepares=True, counts=True),
    ModelEntry(name="v:m", context_tokens=8_000, thinking_tokens=100),
    EmbedderEntry(name="v:e", same_cosine=0.7),
    Marks(word="0a1b2c3d"),
    Ticks(seconds=(0.0, 0.1, 1 / 3, 7e-9)),
    *(Recorded(at=number / 7, answer=answer) for number, answer in enumerate(ANSWERS)),
    Shares(provider="shelf", shares={"kiln": 0.125, "ferrow": 0.0}),
)
CASSETTE = Cassette(THEN, ENTRIES)


@pytest.fixture(params=["run.cassette", "run.cassette.gz"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / str(request.param)


def unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def pack(path: Path, data: bytes) -> None:
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def test_what_is_written_is_what_is_read(path: Path) -> None:
    write_cassette(path, CASSETTE)
    assert read_cassette(path) == CASSETTE
    assert path.read_bytes().startswith(b"\x1f\x8b") == (path.suffix == ".gz")


def test_it_is_json_lines_with_a_version(path: Path) -> None:
    write_cassette(path, CASSETTE)
    lines = [json.loads(line) for line in unpacked(path).splitlines()]
    assert lines[0]["quaere_cassette"] == 2
    assert lines[-1] == {"kind": "end", "lines": len(lines) - 2}
    kinds = ["provider", "chat_model", "embedder", "marks", "ticks", "answer"]
    assert [line["kind"] for line in lines[1:7]] == kinds
    assert lines[6]["answer"]["kind"] == "preparation"


def test_a_text_is_stored_once(path: Path) -> None:
    """Four places hold it: three hits and a page would."""
    write_cassette(path, CASSETTE)
    assert unpacked(path).count(b"last time in 1911") == 1


def test_the_same_cassette_is_the_same_file(path: Path) -> None:
    write_cassette(path, CASSETTE)
    first = path.read_bytes()
    write_cassette(path, CASSETTE)
    assert path.read_bytes() == first


def test_the_content_tells_whether_it_is_compressed(tmp_path: Path) -> None:
    write_cassette(tmp_path / "a.gz", CASSETTE)
    renamed = (tmp_path / "a.gz").rename(tmp_path / "a.cassette")
    assert read_cassette(renamed) == CASSETTE


@given(st.text(st.characters()), st.text(st.characters()))
def test_any_text_is_kept(tmp_path_factory: pytest.TempPathFactory, one: str, two: str) -> None:
    path = tmp_path_factory.mktemp("any") / "a.cassette"
    found = Search(provider="p", query=Query(text="q"), limit=1, result=(hit(one), hit(two)))
    cassette = Cassette(THEN, (Recorded(at=0, answer=found),))
    write_cassette(path, cassette)
    assert read_cassette(path) == cassette


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"\x00" * 5_000, b"# Notes\n", b'{"type": "run_started"}\n', b"[1]\n", b"7\n"],
)
def test_a_foreign_file_is_no_cassette(path: Path, data: bytes) -> None:
    pack(path, data)
    with pytest.raises(CassetteError, match=f"^'{path}' is not a cassette"):
        read_cassette(path)


def test_a_cassette_of_a_newer_version_asks_for_an_upgrade(path: Path) -> None:
    pack(path, b'{"quaere_cassette": 3, "chapters": []}\n')
    with pytest.raises(CassetteError, match="recorded by a newer Quaere") as caught:
        read_cassette(path)
    assert "format 3; this one reads 2" in caught.value.message


def test_a_recording_of_the_first_format_asks_to_be_made_again(path: Path) -> None:
    pack(path, b'{"quaere_tape":1,"recorded":"2031-05-04T03:02:01Z","by":"quaere 0.1"}\n')
    with pytest.raises(CassetteError, match=r"older Quaere .* Record it again\.$"):
        read_cassette(path)


@pytest.mark.parametrize("version", ["0", "1", "-1", '"1"', "null", "1.5", "[]"])
def test_a_version_that_never_was_is_damage(path: Path, version: str) -> None:
    pack(path, b'{"quaere_cassette": ' + version.encode() + b"}\n")
    with pytest.raises(CassetteError, match="damaged"):
        read_cassette(path)


def test_every_truncation_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.cassette"
    write_cassette(path, CASSETTE)
    data = path.read_bytes()
    starts = [0, *(at + 1 for at, byte in enumerate(data) if byte == 10)]
    # Everywhere between two lines, and in the middle of each; the last break may be missing.
    for cut in sorted({*starts[:-1], *(start + 20 for start in starts), *range(0, len(data), 97)}):
        if cut >= len(data) - 1:
            continue
        path.write_bytes(data[:cut])
        with pytest.raises(CassetteError):
            read_cassette(path)


def test_every_truncation_of_a_compressed_cassette_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.cassette.gz"
    write_cassette(path, CASSETTE)
    data = path.read_bytes()
    for cut in range(0, len(data), 13):
        path.write_bytes(data[:cut])
        with pytest.raises(CassetteError):
            read_cassette(path)


@pytest.mark.parametrize("line", [1, 2, 3, 4, -1])
@pytest.mark.parametrize(
    "damage",
    [b"", b"{}", b"null", b'{"kind": "song"}', b"\xff\xfe", b"[" * 100_000, b'{"kind": "end"}'],
    ids=repr,
)
def test_a_damaged_line_is_noticed(path: Path, line: int, damage: bytes) -> None:
    write_cassette(path, CASSETTE)
    lines = unpacked(path).splitlines()
    lines[line] = damage[:100_000]
    pack(path, b"\n".join(lines) + b"\n")
    with pytest.raises(CassetteError, match=r"damaged .* Record it again\.$"):
        read_cassette(path)


def test_half_a_character_is_noticed(path: Path) -> None:
    write_cassette(path, CASSETTE)
    pack(path, unpacked(path).replace(b'"Ferrow"', rb'"\ud800"'))
    with pytest.raises(CassetteError, match="damaged"):
        read_cassette(path)


def test_a_changed_text_is_noticed(path: Path) -> None:
    write_cassette(path, CASSETTE)
    pack(path, unpacked(path).replace(b"in 1911", b"in 1912"))
    with pytest.raises(CassetteError, match="a text does not match its checksum"):
        read_cassette(path)


def test_a_missing_text_is_noticed(path: Path) -> None:
    write_cassette(path, CASSETTE)
    lines = unpacked(path).splitlines()
    pack(path, b"\n".join(line for line in lines if b'"text"' not in line[:20]))
    with pytest.raises(CassetteError, match="a text is missing"):
        read_cassette(path)


def test_what_follows_the_end_is_noticed(path: Path) -> None:
    write_cassette(path, CASSETTE)
    pack(path, unpacked(path) * 2)
    with pytest.raises(CassetteError, match="its length is wrong"):
        read_cassette(path)


def test_flipped_bytes_in_a_compressed_cassette_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.cassette.gz"
    write_cassette(path, CASSETTE)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(CassetteError, match="damaged"):
        read_cassette(path)


@given(st.data())
def test_whatever_happens_to_a_line_is_told_as_damage_or_can_be_replayed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("damage") / "run.cassette"
    write_cassette(path, CASSETTE)
    lines = path.read_bytes().splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1), "line")
    entry = json.loads(lines[at])
    name = data.draw(st.sampled_from(sorted(entry)), "field")
    entry[name] = data.draw(ODD, "value")
    lines[at] = json.dumps(entry).encode() + b"\n"
    path.write_bytes(b"".join(lines))
    try:
        read = read_cassette(path)
    except CassetteError:
        return
    replay = Replay(read)
    assert all(provider.name is not None for provider in replay.providers)
    replay.clock.monotonic()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(CassetteError, match=r"Cannot read the cassette .*: No such file"):
        read_cassette(tmp_path / "gone.cassette")
    with pytest.raises(CassetteError, match=r"Cannot read the cassette .*: Is a directory"):
        read_cassette(tmp_path)


def test_a_cassette_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(QuaereError, match="Cannot write to"):
        write_cassette(tmp_path / "no" / "a.cassette", CASSETTE)
    (tmp_path / "a.cassette").mkdir()
    with pytest.raises(QuaereError, match="Cannot write to"):
        write_cassette(tmp_path / "a.cassette", CASSETTE)
    assert [path.name for path in tmp_path.iterdir()] == ["a.cassette"]


def test_a_cassette_that_is_written_halfway_leaves_the_one_before(path: Path) -> None:
    def full() -> Iterator[Entry]:
        yield CASSETTE.entries[0]
        raise OSError(errno.ENOSPC, "No space left on device")

    path.write_bytes(b"as it was")
    with pytest.raises(QuaereError, match="No space left"):
        write_cassette(path, replace(CASSETTE, entries=cast("tuple[Entry, ...]", full())))
    assert [each.read_bytes() for each in path.parent.iterdir()] == [b"as it was"]


@pytest.mark.parametrize("name", ["", "1x", "a b", "x\n", "__import__('os')"])
def test_the_name_of_an_error_is_a_name(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        RecordedError(name=name, message="", retryable=False)


def test_a_small_file_that_unpacks_to_more_than_any_run_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    header = b'{"quaere_cassette": %d, "recorded": "2031-05-04", "by": ""}' % VERSION
    with gzip.open(path, "wb") as file:
        file.write(header + b"\n")
        for _ in range(600):
            file.write(b" " * 1_000_000)
    assert path.stat().st_size < 1_000_000
    tracemalloc.start()
    try:
        with pytest.raises(CassetteError, match="larger than any recording of a run"):
            read_cassette(path)
        assert tracemalloc.get_traced_memory()[1] < 150_000_000
    finally:
        tracemalloc.stop()
