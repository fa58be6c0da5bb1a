from __future__ import annotations

import io

import pytest

from quaere.read.frames import Tag, read_frame, write_frame


def test_frames_come_back_as_they_were_written() -> None:
    stream = io.BytesIO()
    write_frame(stream, Tag.DATA, b"\x00\xff" * 1000)
    write_frame(stream, Tag.DONE)
    stream.seek(0)
    assert read_frame(stream) == (Tag.DATA, b"\x00\xff" * 1000)
    assert read_frame(stream) == (Tag.DONE, b"")


@pytest.mark.parametrize("data", [b"", b"D", b"D\x00\x00\x00\x09short", b"?\x00\x00\x00\x00"])
def test_what_is_no_frame_is_the_end(data: bytes) -> None:
    with pytest.raises(EOFError):
        read_frame(io.BytesIO(data))
