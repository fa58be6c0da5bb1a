"""OpenAI's chat completions, and its Responses as a list of items with numbered changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import JsonValue

from quaere.domain.events import (
    Event,
    RunFailed,
    RunFinished,
    RunStarted,
    SearchFinished,
    SourceRead,
)
from quaere.domain.model import Usage
from quaere.domain.report import Citation, Report
from quaere.faces.wire.parts import (
    DONE,
    Answer,
    Body,
    Frame,
    closing_list,
    outcome_body,
    progress_line,
    source_links,
    total_usage,
)
from quaere.view.describe import READABLE


class Sources(StrEnum):
    """Where the sources of an answer are told, besides the annotations."""

    APPEND = "append"
    """In a list under the answer, which is part of its text."""
    ANNOTATIONS = "annotations"
    """Nowhere: the text is the answer alone."""


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """How a client wants its completion."""

    model: str = "quaere"
    """As the client has called it."""
    sources: Sources = Sources.APPEND
    include_usage: bool = False
    """Whether usage comes in a chunk of its own, without choices."""
    passed_over: tuple[str, ...] = ()
    """Kinds of things in earlier messages that were not read, such as ``image_url``."""


class ChatCompletionStream:
    """One completion in chunks; `completion` is the same as a whole."""

    def __init__(self, options: ChatOptions = ChatOptions()) -> None:
        self._options = options
        self._answer = Answer()
        self._id, self._created = "", 0

    def frames(self, event: Event) -> Iterator[Frame]:
        """Yield the chunks that ``event`` adds."""
        if isinstance(event, RunStarted):
            self._id, self._created = event.run_id, int(event.moment.timestamp())
            yield self._chunk({"role": "assistant", "content": ""})
        if line := progress_line(event):
            yield self._chunk({"reasoning_content": f"{line}\n"})
        if text := self._answer.take(event):
            yield self._chunk({"content": text})
        match event:
            case RunFinished():
                yield from self._ended(event.report)
            case RunFailed():  # without [DONE]: clients take it for a whole answer
                yield Frame({"error": error_body(event)})
            case _:
                return

    def completion(self, report: Report) -> Body:
        """Return the completion of the run that came to ``report``, whose events were taken."""
        text = report.answer + self._listed(report)
        message: Body = {"role": "assistant", "content": text, "refusal": None}
        message["annotations"] = self._annotations(report.citations)
        choice: Body = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        usage = usage_body(total_usage(report.calls))
        return {
            **self._head("chat.completion"),
            "choices": [choice],
            "usage": usage,
            **self._beside(report),
        }

    def _ended(self, report: Report) -> Iterator[Frame]:
        if listed := self._listed(report):
            yield self._chunk({"content": listed})
        for source in _shown_sources(report.citations):
            yield self._chunk({}, event={"type": "source", "data": source})
        if report.citations:
            yield self._chunk({"annotations": self._annotations(report.citations)})
        usage = usage_body(total_usage(report.calls))
        apart = self._options.include_usage
        last = self._chunk(
            {}, "stop", **self._beside(report), **({} if apart else {"usage": usage})
        )
        yield last
        if apart:
            yield Frame({**self._head("chat.completion.chunk"), "choices": [], "usage": usage})
        yield DONE

    def _listed(self, report: Report) -> str:
        return closing_list(report) if self._options.sources is Sources.APPEND else ""

    def _chunk(self, delta: Body, finish: str | None = None, **beside: JsonValue) -> Frame:
        choice: Body = {"index": 0, "delta": delta, "finish_reason": finish}
        return Frame({**self._head("chat.completion.chunk"), "choices": [choice], **beside})

    def _head(self, kind: str) -> Body:
        return {
            "id": f"chatcmpl-{self._id}",
            "object": kind,
            "created": self._created,
            "model": self._options.model,
        }

    def _annotations(self, citations: Sequence[Citation]) -> list[JsonValue]:
        return [
            {"type": "url_citation", "url_citation": body}
            for body in url_citations(citations, self._answer)
        ]

    def _beside(self, report: Report) -> Body:
        """Return what no client of OpenAI expects, and some look for."""
        links = source_links(report.citations)
        results: list[JsonValue] = [
            {"title": each.title, "url": href, "snippet": each.quote.text, "date": None}
            for each, href in zip(report.citations, links, strict=True)
        ]
        claims: list[JsonValue] = [claim.body for claim in self._answer.claims]
        own: Body = {**outcome_body(report), "sentences": claims, "gaps": list(report.gaps)}
        own["passed_over"] = list(self._options.passed_over)
        return {"citations": list(links), "search_results": results, "quaere": own}


def plain_completion(model: str, text: str) -> Body:
    """Return a completion that no run has made."""
    message: Body = {"role": "assistant", "content": text, "refusal": None}
    choice: Body = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [choice],
        "usage": usage_body(Usage()),
    }


def url_citations(citations: Sequence[Citation], answer: Answer) -> list[Body]:
    """Return where ``answer`` has the first marker of each citation, and where that leads."""
    bodies: list[Body] = []
    for each, href in zip(citations, source_links(citations), strict=True):
        start, end = answer.marker(each.id)
        bodies.append({"url": href, "title": each.title, "start_index": start, "end_index": end})
    return bodies


def _shown_sources(citations: Sequence[Citation]) -> Iterator[Body]:
    """Yield what Open WebUI shows of each source, which of an annotation is the title alone.

    It takes events of its pipelines from any chunk; other clients pass over them.
    """
    for each, href in zip(citations, source_links(citations), strict=True):
        yield {
            "source": {"name": each.title, "url": href},
            "document": [each.quote.text],
            "metadata": [{"source": href, "name": each.title}],
        }


def usage_body(usage: Usage) -> Body:
    """Return ``usage`` as chat completions tell it."""
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.total_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
    }


def error_body(event: RunFailed) -> Body:
    """Return the end of a run in the form of OpenAI's errors."""
    return {"message": event.message, "type": event.error_type, "param": None, "code": None}


CANCELLED = "run_cancelled"
"""Type of the error that ends a run which was cancelled."""


@dataclass(frozen=True, slots=True)
class ResponseOptions:
    """What a client has said of its response, and reads in it again."""

    model: str = "quaere"
    sources: Sources = Sources.APPEND
    background: bool = False
    instructions: str | None = None
    previous_response_id: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    passed_over: tuple[str, ...] = ()
    """Kinds of things in earlier messages that were not read, such as ``input_image``."""


class ResponseStream:
    """One response and its stream; `response` is how it stands after the last event."""

    def __init__(
        self, run_id: str, created_at: float, options: ResponseOptions = ResponseOptions()
    ) -> None:
        """Begin the response of a run that was asked for at ``created_at``, in Unix seconds."""
        self._run_id, self._created, self._options = run_id, created_at, options
        self._answer = Answer()
        self._number = 0
        self._reasoning: int | None = None
        self._message: int | None = None
        self._text = self._thoughts = ""
        self._items: list[Body] = []
        self._outcome: Body = {"status": "queued"}

    @property
    def response(self) -> Body:
        """The response as it stands."""
        said = self._options
        standing: Body = {"error": None, "incomplete_details": None, "usage": None, "quaere": None}
        return {
            "id": response_id(self._run_id),
            "object": "response",
            "created_at": self._created,
            "model": said.model,
            "background": said.background,
            "instructions": said.instructions,
            "metadata": dict(said.metadata),
            "previous_response_id": said.previous_response_id,
            "output": list(self._items),
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "temperature": None,
            "top_p": None,
            **standing,
            **self._outcome,
        }

    def frames(self, event: Event) -> Iterator[Frame]:
        """Yield the stream's events that ``event`` brings."""
        if isinstance(event, RunStarted):
            self._outcome = {"status": "in_progress"}
            yield self._frame("response.created", response=self.response)
            yield self._frame("response.in_progress", response=self.response)
        if line := progress_line(event):
            yield from self._think(f"{line}\n")
        if isinstance(event, SearchFinished | SourceRead):
            yield from self._called(event)
        if text := self._answer.take(event):
            yield from self._write(text)
        if isinstance(event, RunFinished):
            yield from self._finished(event.report)
        if isinstance(event, RunFailed):
            yield from self._failed(event)

    def _frame(self, kind: str, **fields: JsonValue) -> Frame:
        frame = Frame({"type": kind, "sequence_number": self._number, **fields}, event=kind)
        self._number += 1
        return frame

    def _open(self, item: Body) -> Frame:
        self._items.append(item)
        return self._frame(
            "response.output_item.added", output_index=len(self._items) - 1, item=dict(item)
        )

    def _close(self, index: int, **changed: JsonValue) -> Frame:
        item = self._items[index] = {**self._items[index], **changed}
        return self._frame("response.output_item.done", output_index=index, item=item)

    def _think(self, line: str) -> Iterator[Frame]:
        """Yield ``line`` as a part of the reasoning's summary."""
        if self._message is not None:  # the answer has begun: what follows is told at its end
            return
        if self._reasoning is None:
            yield self._open({"type": "reasoning", "id": f"rs_{self._run_id}", "summary": []})
            self._reasoning = len(self._items) - 1
            part: Body = {"type": "summary_text", "text": ""}
            yield self._summary("response.reasoning_summary_part.added", part=part)
        self._thoughts += line
        yield self._summary("response.reasoning_summary_text.delta", delta=line)

    def _summary(self, kind: str, **fields: JsonValue) -> Frame:
        item_id = f"rs_{self._run_id}"
        place: Body = {"item_id": item_id, "output_index": self._reasoning, "summary_index": 0}
        return self._frame(kind, **place, **fields)

    def _thought(self) -> Iterator[Frame]:
        """Yield the end of the reasoning, if there is one that has not ended."""
        if self._reasoning is None:
            return
        part: Body = {"type": "summary_text", "text": self._thoughts}
        yield self._summary("response.reasoning_summary_text.done", text=self._thoughts)
        yield self._summary("response.reasoning_summary_part.done", part=part)
        yield self._close(self._reasoning, summary=[part], status="completed")
        self._reasoning = None

    def _called(self, event: SearchFinished | SourceRead) -> Iterator[Frame]:
        """Yield a search, or the opening of a page, from its beginning to its end."""
        item_id, action = f"ws_{self._run_id}_{event.seq}", _action(event)
        item: Body = {"type": "web_search_call", "id": item_id, "action": action}
        yield self._open({**item, "status": "in_progress"})
        index = len(self._items) - 1
        good = not event.error if isinstance(event, SearchFinished) else event.status in READABLE
        for status in ("in_progress", "searching", *(["completed"] if good else [])):
            kind = f"response.web_search_call.{status}"
            yield self._frame(kind, item_id=item_id, output_index=index)
        yield self._close(index, status="completed" if good else "failed")

    def _write(self, text: str) -> Iterator[Frame]:
        if self._message is None:
            yield from self._thought()
            message: Body = {"type": "message", "id": self._message_id, "role": "assistant"}
            yield self._open({**message, "status": "in_progress", "content": []})
            self._message = len(self._items) - 1
            yield self._content("response.content_part.added", part=_output_text("", []))
        self._text += text
        yield self._content("response.output_text.delta", delta=text, logprobs=[])

    @property
    def _message_id(self) -> str:
        return message_id(self._run_id)

    def _content(self, kind: str, **fields: JsonValue) -> Frame:
        place: Body = {"item_id": self._message_id, "output_index": self._message}
        return self._frame(kind, **place, content_index=0, **fields)

    def _finished(self, report: Report) -> Iterator[Frame]:
        if self._options.sources is Sources.APPEND and (listed := closing_list(report)):
            yield from self._write(listed)
        annotations: list[JsonValue] = []
        for number, each in enumerate(url_citations(report.citations, self._answer)):
            marked: Body = {"type": "url_citation", **each}
            annotations.append(marked)
            yield self._content(
                "response.output_text.annotation.added", annotation_index=number, annotation=marked
            )
        yield from self._written("completed", annotations)
        claims: list[JsonValue] = [claim.body for claim in self._answer.claims]
        self._outcome = {
            "status": "completed",
            "usage": _usage(total_usage(report.calls)),
            "quaere": {
                **outcome_body(report),
                "sentences": claims,
                "gaps": list(report.gaps),
                "passed_over": list(self._options.passed_over),
            },
        }
        yield self._frame("response.completed", response=self.response)

    def _written(self, status: str, annotations: list[JsonValue]) -> Iterator[Frame]:
        """Yield the end of the message."""
        if self._message is None:
            return
        part = _output_text(self._text, annotations)
        yield self._content("response.output_text.done", text=self._text, logprobs=[])
        yield self._content("response.content_part.done", part=part)
        yield self._close(self._message, status=status, content=[part])

    def _failed(self, event: RunFailed) -> Iterator[Frame]:
        """Yield the end of a run without a report: OpenAI has no event of its own for cancelled."""
        yield from self._thought()
        yield from self._written("incomplete", [])
        if event.error_type == CANCELLED:
            self._outcome = {"status": "cancelled"}
        else:
            error: Body = {"code": "server_error", "message": event.message}
            self._outcome = {"status": "failed", "error": error}
        yield self._frame("response.failed", response=self.response)


def response_id(run_id: str) -> str:
    """Return the name of the response of a run."""
    return f"resp_{run_id}"


def message_id(run_id: str) -> str:
    """Return the name of the answer of a run, by which clients refer to it."""
    return f"msg_{run_id}"


def _action(event: SearchFinished | SourceRead) -> Body:
    if isinstance(event, SourceRead):
        return {"type": "open_page", "url": event.final_url or event.url}
    sources: list[JsonValue] = [{"type": "url", "url": each.url} for each in event.found]
    return {"type": "search", "query": event.query, "queries": [event.query], "sources": sources}


def _output_text(text: str, annotations: list[JsonValue]) -> Body:
    return {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}


def _usage(usage: Usage) -> Body:
    return {
        "input_tokens": usage.prompt_tokens,
        "input_tokens_details": {"cached_tokens": usage.cached_tokens, "cache_write_tokens": 0},
        "output_tokens": usage.completion_tokens,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        "total_tokens": usage.total_tokens,
    }
