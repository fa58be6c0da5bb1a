"""OpenAI's chat completions, whole and in chunks, with what Perplexity's clients read besides.

Progress comes as ``reasoning_content``, and the answer after its last check: a client never sees a
sentence that is taken back. Annotations mark the markers ``[n]``, in the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from quaere.domain.events import Event, RunFailed, RunFinished, RunStarted
from quaere.domain.model import Usage
from quaere.domain.report import Citation, Report
from quaere.faces.wire.answer import Answer
from quaere.faces.wire.bodies import Body, outcome_body, progress_line, total_usage
from quaere.faces.wire.cited import closing_list, source_links
from quaere.faces.wire.frames import DONE, Frame


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
