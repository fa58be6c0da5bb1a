"""Recorded runs, and what a client reads out of them in each form of the stream."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from quaere.domain.events import RUN_EVENT, RunEvent, RunFinished
from quaere.domain.report import Report
from quaere.faces.wire.ag_ui import AgUiStream
from quaere.faces.wire.ai_sdk import UiMessageStream
from quaere.faces.wire.chat import ChatStream
from quaere.faces.wire.openai import (
    ChatCompletionStream,
    ChatOptions,
    ResponseOptions,
    ResponseStream,
    Sources,
)
from quaere.faces.wire.parts import Form, Frame, event_frame, sse

LOGS = Path(__file__).parent / "logs"
NAMES = sorted(path.stem for path in LOGS.glob("*.jsonl"))
RUN = "run-1"

Object = Mapping[str, object]


@cache
def log(name: str) -> tuple[RunEvent, ...]:
    """Return the recorded run of that name."""
    lines = (LOGS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return tuple(RUN_EVENT.validate_json(line) for line in lines)


def report_of(events: Sequence[RunEvent]) -> Report | None:
    """Return the report that a run came to, if any."""
    last = events[-1]
    return last.report if isinstance(last, RunFinished) else None


class Native:
    """The log itself."""

    def frames(self, event: RunEvent) -> Iterator[Frame]:
        yield event_frame(event)


@dataclass(frozen=True)
class Received:
    """A server-sent event as a client has it."""

    event: str
    id: str
    data: str

    @property
    def body(self) -> Object:
        return cast("Object", json.loads(self.data))


def received(stream: bytes) -> list[Received]:
    """Read ``stream`` by the rules of WHATWG HTML; comments are left out."""
    got: list[Received] = []
    for block in stream.decode().split("\n\n"):
        fields: dict[str, list[str]] = {"event": [], "id": [], "data": []}
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            if name:
                fields[name].append(value.removeprefix(" "))
        if fields["data"]:
            told = {name: "\n".join(values) for name, values in fields.items()}
            got.append(Received(told["event"], told["id"], told["data"]))
    return got


def read(form: Form, events: Iterable[RunEvent]) -> list[Received]:
    """Return what a client of ``form`` gets of the run that tells ``events``."""
    return received(b"".join(sse(frame) for event in events for frame in form.frames(event)))


def bodies(got: Iterable[Received]) -> list[Object]:
    """Return the objects among what a client has got."""
    return [each.body for each in got if each.data != "[DONE]"]


def _native_text(told: Iterable[Object]) -> Iterator[str]:
    for each in told:
        yield str(each.get("appended", ""))


def _of_type(kind: str, field: str) -> Callable[[Iterable[Object]], Iterator[str]]:
    def texts(told: Iterable[Object]) -> Iterator[str]:
        return (str(each[field]) for each in told if each["type"] == kind)

    return texts


def deltas(told: Iterable[Object]) -> Iterator[Object]:
    """Yield the deltas of a chat completion."""
    for each in told:
        for choice in cast("Sequence[Object]", each.get("choices", ())):
            yield cast("Object", choice["delta"])


def _content(told: Iterable[Object]) -> Iterator[str]:
    return (str(each.get("content", "")) for each in deltas(told))


@dataclass(frozen=True)
class Kind:
    """A form, how a stream of it begins, and where in it the text of the answer is."""

    name: str
    begin: Callable[[], Form]
    texts: Callable[[Iterable[Object]], Iterator[str]]

    def __str__(self) -> str:
        return self.name


ALONE = ChatOptions(sources=Sources.ANNOTATIONS)
KINDS = (
    Kind("native", cast("Callable[[], Form]", Native), _native_text),
    Kind("chat", ChatStream, _of_type("token", "text")),
    Kind("openai_chat", lambda: ChatCompletionStream(ALONE), _content),
    Kind(
        "openai_responses",
        lambda: ResponseStream(RUN, 0.0, ResponseOptions(sources=Sources.ANNOTATIONS)),
        _of_type("response.output_text.delta", "delta"),
    ),
    Kind("ag_ui", lambda: AgUiStream("thread-1", RUN), _of_type("TEXT_MESSAGE_CONTENT", "delta")),
    Kind("ai_sdk", UiMessageStream, _of_type("text-delta", "delta")),
)
