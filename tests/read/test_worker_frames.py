from __future__ import annotations

import io

import pytest

from quaere.read.worker import FrameTooLarge, Tag, read_frame, write_frame


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


def test_a_frame_that_announces_too_much_is_refused_before_it_is_read() -> None:
    stream = io.BytesIO()
    write_frame(stream, Tag.PAGE, b"x" * 10)
    stream.seek(0)
    assert read_frame(stream, max_bytes=10) == (Tag.PAGE, b"x" * 10)
    stream.seek(0)
    with pytest.raises(FrameTooLarge):
        read_frame(stream, max_bytes=9)
    assert stream.tell() == 5, "nothing but the header was read"
