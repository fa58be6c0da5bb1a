"""Log lines: each names the run it belongs to, and is a line of text or a JSON object (R0.13).

Fields of their own are in ``record.fields``, where a module logs with
``extra={"fields": {...}}``. No line holds page text, and keys are taken out of every line.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import StrEnum
from typing import TextIO, TypeVar, cast

T = TypeVar("T")

_run_id: ContextVar[str] = ContextVar("run_id", default="")
_request_id: ContextVar[str | None] = ContextVar("request_id", default=None)


class LogFormat(StrEnum):
    """How a log line is written."""

    TEXT = "text"
    JSON = "json"


@contextmanager
def run_logged(run_id: str) -> Generator[None]:
    """Let log lines that are written inside, also by tasks begun there, name the run."""
    with _holding(_run_id, run_id):
        yield


@contextmanager
def request_served(request_id: str) -> Generator[None]:
    """Let runs that are asked for inside be those of the request with this id."""
    with _holding(_request_id, request_id):
        yield


@contextmanager
def _holding(variable: ContextVar[T], value: T) -> Generator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def request_being_served() -> str | None:
    """Return the id of the request that the caller serves; None where it serves none."""
    return _request_id.get()


async def logged_as(run_id: str, stream: AsyncGenerator[T]) -> AsyncGenerator[T]:
    """Yield what ``stream`` yields; what it logs names the run.

    The context is entered for each step alone, so that the consumer of the items, in whatever
    task, stays outside of it.
    """
    async with aclosing(stream) as steps:
        while True:
            with run_logged(run_id):
                try:
                    item = await anext(steps)
                except StopAsyncIteration:
                    return
            yield item


def configure(
    level: int,
    form: LogFormat = LogFormat.TEXT,
    *,
    redact: Callable[[str], str] = str,
    stream: TextIO | None = None,
) -> None:
    """Send log lines from ``level`` on to ``stream``, or to standard error.

    Where the process has set up logging itself, that stays as it is.

    Args:
        level: As `logging` has them.
        form: Text or JSON.
        redact: Takes secrets out of a line.
        stream: Where to.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.addFilter(_name_run)
    formatter = _JsonFormatter if form is LogFormat.JSON else _TextFormatter
    handler.setFormatter(formatter(redact))
    logging.basicConfig(level=level, handlers=[handler])


def _name_run(record: logging.LogRecord) -> bool:
    record.run_id = _run_id.get()
    return True


class _TextFormatter(logging.Formatter):
    def __init__(self, redact: Callable[[str], str]) -> None:
        super().__init__("%(levelname)s:%(name)s:%(message)s")
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        run_id = cast("str", getattr(record, "run_id", ""))
        line = super().format(record)
        return self._redact(f"{line} run_id={run_id}" if run_id else line)


class _JsonFormatter(logging.Formatter):
    def __init__(self, redact: Callable[[str], str]) -> None:
        super().__init__()
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        fields = cast("Mapping[str, object]", getattr(record, "fields", {}))
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {
            "at": at,
            "level": record.levelname,
            "logger": record.name,
            "run_id": getattr(record, "run_id", ""),
            "message": self._redact(record.getMessage()),
            **{
                name: self._redact(value) if isinstance(value, str) else value
                for name, value in fields.items()
            },
        }
        if record.exc_info:
            line["exception"] = self._redact(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)
