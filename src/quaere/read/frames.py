"""What a worker process and its owner say to each other over two pipes.

Everything is bytes and JSON: a parser that hostile input has taken over can lie about the text of
its page, but not run code in the owner, as a pickle could.
"""

from __future__ import annotations

import struct
from enum import Enum
from typing import BinaryIO

from quaere.domain.value import Value

_HEADER = struct.Struct(">cI")
MAX_FRAME_BYTES = 128_000_000
"""What one frame of a worker may hold, which is one page. Its text is a fraction of that."""
MAX_ANSWER_BYTES = 256_000_000
"""What all frames of a worker about one task may hold ..."""
ANSWER_BYTES_PER_BYTE = 8
"""... and so much more for each byte of the body: every record of a data set is a page."""


class FrameTooLarge(Exception):
    """The other side announces a frame that is larger than it may be; nothing of it was read."""


class Tag(Enum):
    """The first byte of a frame."""

    TASK = b"T"
    """To the worker: a ``Task``, followed by a ``DATA`` frame with the bytes to read."""
    DATA = b"D"
    STARTED = b"S"
    """The parser is loaded and the clock runs."""
    PAGE = b"P"
    PROBLEM = b"E"
    """A ``Problem``; nothing follows but ``DONE``."""
    DONE = b"."


class Task(Value):
    """A body to read, without its bytes, and the means to do it with."""

    url: str
    content_type: str
    retrieved_at: str
    kind: str
    max_pages: int
    cpu_seconds: int
    memory_bytes: int


class Problem(Value):
    """A ``ReadError`` on its way to the owner."""

    status: str
    message: str


def write_frame(stream: BinaryIO, tag: Tag, payload: bytes = b"") -> None:
    """Write one frame.

    Raises:
        OSError: when the other side is gone.
    """
    stream.write(_HEADER.pack(tag.value, len(payload)))
    stream.write(payload)
    stream.flush()


def read_frame(stream: BinaryIO, *, max_bytes: int | None = None) -> tuple[Tag, bytes]:
    """Return the next frame, of at most ``max_bytes`` where the other side is not to be trusted.

    Raises:
        FrameTooLarge: when it announces more.
        EOFError: when the other side is gone or does not speak this language.
    """
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        raise EOFError
    mark, size = _HEADER.unpack(header)
    if max_bytes is not None and size > max_bytes:
        raise FrameTooLarge
    payload = stream.read(size)
    if len(payload) < size:
        raise EOFError
    try:
        return Tag(mark), payload
    except ValueError as error:
        raise EOFError from error
