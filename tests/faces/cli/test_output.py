"""What is written, and where."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from threading import Thread

import pytest
from pydantic import BaseModel

from quaere.errors import QuaereError, UsageError
from quaere.faces.cli.output import check_writable, emit_to, json


class Named(BaseModel):
    title: str


def test_json_has_no_tag_characters() -> None:
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    assert json(Named(title=f"The mill{hidden}")) == '{\n  "title": "The mill"\n}\n'


@pytest.mark.parametrize("name", ["a" * 300, "a" * 252, "a\0b"])
def test_a_name_that_no_file_can_have_is_a_usage_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Cannot write to"):
        check_writable(tmp_path / name)
    with pytest.raises(UsageError, match="Cannot write to"):
        check_writable(tmp_path / ("b" * 300) / name)
    check_writable(tmp_path / "report.md")


def test_what_is_written_under_a_name_that_was_let_pass_is_not_lost(tmp_path: Path) -> None:
    for length in range(246, 254):
        path = tmp_path / ("a" * length)
        try:
            check_writable(path)
        except UsageError:
            continue
        emit_to(path, "The mill")
        assert path.read_text() == "The mill"


def test_what_cannot_be_written_whole_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = tmp_path / "report.md"
    emit_to(report, "The mill")
    whole = Path.write_bytes

    def half(path: Path, content: bytes) -> int:
        whole(path, content[: len(content) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(QuaereError, match="No space left on device"):
        emit_to(report, "The mill at Orrin")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"report.md": "The mill"}


def test_what_a_link_leads_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    link = tmp_path / "latest.md"
    link.symlink_to("kept/report.md")
    for text in ("The mill", "The mill at Orrin"):
        emit_to(link, text)
        assert link.is_symlink()
        assert (tmp_path / "kept" / "report.md").read_text() == text
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["report.md"]


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    emit_to(pipe, "The mill")
    reader.join(5)
    assert read == ["The mill"]
    assert pipe.is_fifo()
