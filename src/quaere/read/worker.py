"""The process in which hostile documents are parsed, and what it and its owner say over two pipes.

It reads tasks from its standard input and answers on its standard output until either closes. What
it may use is limited by the kernel; its owner kills it when time is up, whatever it is doing then.
Everything that is said is bytes and JSON: a parser that hostile input has taken over can lie about
the text of its page, but not run code in the owner, as a pickle could.
"""

from __future__ import annotations

import os
import select
import struct
import sys
import threading
from enum import Enum
from math import ceil
from typing import BinaryIO

from quaere.domain.source import ReadStatus
from quaere.domain.value import Value
from quaere.errors import ReadError
from quaere.ports.read import Body, Extractor
from quaere.read.extract.page import at_most
from quaere.read.formats import Format, extractor_for

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
    with_citations: bool = False
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


try:
    import resource
except ImportError:  # Windows has no such limits; the owner's clock is all there is.
    resource = None

_FORBIDDEN = (
    "socket.connect",
    "socket.getaddrinfo",
    "socket.send",
    "subprocess.",
    "os.system",
    "os.exec",
)


def main() -> None:
    """Serve tasks until the owner is gone."""
    tasks = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    # What a library prints must not end up between the frames.
    os.dup2(2, 1)
    threading.Thread(target=_die_with_owner, args=(tasks.fileno(),), daemon=True).start()
    sys.addaudithook(forbid)
    serve(tasks, answers)


def serve(tasks: BinaryIO, answers: BinaryIO) -> None:
    """Answer every task from ``tasks`` on ``answers`` until one of them closes."""
    try:
        while True:
            _, payload = read_frame(tasks)
            task = Task.model_validate_json(payload)
            _, data = read_frame(tasks)
            extractor = extractor_for(Format(task.kind))
            write_frame(answers, Tag.STARTED)
            _limit(task)
            _answer(answers, extractor, task, data)
            write_frame(answers, Tag.DONE)
    except (EOFError, OSError):
        return


def _answer(answers: BinaryIO, extractor: Extractor, task: Task, data: bytes) -> None:
    body = Body(
        data=data,
        url=task.url,
        content_type=task.content_type,
        retrieved_at=task.retrieved_at,
        with_citations=task.with_citations,
    )
    try:
        for page in at_most(task.max_pages, extractor.extract(body), body):
            write_frame(answers, Tag.PAGE, page.model_dump_json().encode())
    except ReadError as error:
        problem = Problem(status=error.status, message=error.message)
    except (MemoryError, RecursionError):
        message = "reading it needs more memory than is allowed; split it"
        problem = Problem(status=ReadStatus.TOO_LARGE, message=message)
    else:
        return
    write_frame(answers, Tag.PROBLEM, problem.model_dump_json().encode())


def _limit(task: Task) -> None:
    """Let the kernel end this process when it computes for too long, and refuse it more memory."""
    if resource is None:
        return
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = ceil(usage.ru_utime + usage.ru_stime)
    for limit, value in (
        (resource.RLIMIT_CPU, used + task.cpu_seconds),
        (resource.RLIMIT_AS, task.memory_bytes),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(limit)
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (allowed, hard))


def _die_with_owner(descriptor: int) -> None:
    """End this process as soon as the other end of ``descriptor`` is closed.

    The main thread may be deep inside a parser then and would not notice for a long time.
    """
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(descriptor, 0)  # no event asked for: it wakes up for POLLHUP and POLLERR alone
    poll.poll()
    os._exit(0)


def forbid(event: str, _: object) -> None:
    """Audit hook: nothing read here has any business with the network or other programs."""
    if event.startswith(_FORBIDDEN):
        message = f"{event} is forbidden while a document is being read"
        raise PermissionError(message)


if __name__ == "__main__":
    main()
