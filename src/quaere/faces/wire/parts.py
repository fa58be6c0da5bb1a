"""What the forms are made of: server-sent events, and the parts of a run that several have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from quaere.domain.events import (
    Evaluated,
    Event,
    IndexProgress,
    InquiryAnswered,
    InquiryRaised,
    PhaseStarted,
    PlanMade,
    RunEvent,
    RunFinished,
    SearchFinished,
    SentenceWritten,
    SourceRead,
    Verified,
    WarningRaised,
)
from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Checklist
from quaere.domain.report import Citation, Nearby, Report, RunWarning, Sentence, Support
from quaere.synthesize.compose import FENCE
from quaere.synthesize.inert import MARKER, escaped, literal, plain
from quaere.synthesize.nearest import in_one_line
from quaere.synthesize.wording import degradations_in_words, unused_model
from quaere.text.inline import hide_code
from quaere.text.languages.language import ENGLISH_FRAME
from quaere.view.describe import describe
from quaere.view.export.citations import fragment_link

Data = Mapping[str, JsonValue]

PING = b": ping\n\n"
"""A comment, which no client sees; it keeps connections open on which nothing happens."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One server-sent event."""

    data: Data | str
    """An object, or a line as it is."""
    event: str = ""
    id: int | None = None
    """Where to go on from when the connection breaks; None where a client must not go on from it:
    it would miss the rest of what the same event of the log has brought."""


DONE = Frame("[DONE]")
"""Ends the streams of OpenAI's chat completions and of the AI SDK."""


class Form(Protocol):
    """One stream in one form: takes the events of a run in order, from the first."""

    def frames(self, event: Event) -> Iterable[Frame]:
        """Return what ``event`` adds to the stream."""
        ...


def sse(frame: Frame) -> bytes:
    """Return ``frame`` as it goes over the connection (WHATWG HTML, server-sent events)."""
    data = frame.data if isinstance(frame.data, str) else json.dumps(frame.data, ensure_ascii=False)
    lines = [f"id: {frame.id}"] if frame.id is not None else []
    lines += [f"event: {frame.event}"] if frame.event else []
    # A line break inside would end the field; what splitlines() takes for one beyond that does not.
    lines += [
        f"data: {line}" for line in data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ]
    return ("\n".join(lines) + "\n\n").encode("utf-8", "replace")


def event_frame(event: RunEvent) -> Frame:
    """Return ``event`` as one frame, whose id is its ``seq``."""
    return Frame(event.model_dump_json(), event=event.type, id=event.seq)


def queued(position: int) -> Frame:
    """Return that the run waits, with ``position`` runs to be begun before it is."""
    return _control("queued", position=position)


def ended(status: str, last_seq: int) -> Frame:
    """Return that the run is over, and nothing comes after ``last_seq``."""
    return _control("end", status=status, last_seq=last_seq)


def failed(kind: str, message: str, retryable: bool) -> Frame:
    """Return that the log can no longer be read here."""
    return _control("error", type=kind, message=message, retryable=retryable)


def _control(event: str, **data: JsonValue) -> Frame:
    # Without an id: the client's place in the log must not move without an event of the log.
    return Frame(data, event=event)


WEAKEST_FIRST = (
    Support.CONTRADICTED,
    Support.NOT_JUDGED,
    Support.PARTLY,
    Support.SUPPORTED,
    Support.QUOTED,
)

_HEADING = "\n\nSources:\n"
_LOOK_HEADING = f"\n\nWhere to look. {ENGLISH_FRAME.near}\n"
_LISTED = re.compile(
    rf"(?:{_HEADING}(?:\n\d+\. [^\n]*)+|{re.escape(_LOOK_HEADING)}(?:\n- [^\n]*)+"
    r"|\n\nNothing could be searched\. [^\n]*)\s*$"
)


def source_links(citations: Sequence[Citation]) -> list[str]:
    """Return a link for each citation that opens its source at the quote; no two are equal.

    Clients that merge equal addresses would else number the sources otherwise than the answer.
    """
    links: list[str] = []
    for each in citations:
        href = fragment_link(each.url, each.quote.text, locator=each.locator) or each.url
        if not href or href in links:
            base, _, fragment = href.partition("#")
            words = fragment.partition(":~:")[2]
            href = f"{base}#source-{each.id}" + (f":~:{words}" if words else "")
        links.append(href)
    return links


def source_list(citations: Sequence[Citation]) -> str:
    """Return the sources as Markdown, for the end of an answer; empty without any.

    For clients that show nothing but the text of an answer.
    """
    if not citations:
        return ""
    lines = [
        f"{each.id}. {_named(each, href)}"
        for each, href in zip(citations, source_links(citations), strict=True)
    ]
    return "\n".join([_HEADING, *lines])


def look_list(places: Sequence[Nearby]) -> str:
    """Return where to look as Markdown, for the end of an answer; empty without any."""
    if not places:
        return ""
    return "\n".join([_LOOK_HEADING, *(f"- {escaped(in_one_line(place))}" for place in places)])


def closing_list(report: Report) -> str:
    """Return the sources of ``report`` as Markdown; without any, where to look, or why none."""
    why = f"\n\n{escaped(report.unsearched)}" if report.unsearched else ""
    return source_list(report.citations) or look_list(report.nearest) or why


def without_closing_list(text: str) -> str:
    """Return ``text``, which may end with a `closing_list`, without it."""
    return _LISTED.sub("", text)


def _named(citation: Citation, href: str) -> str:
    title = literal(citation.title)
    if not href.startswith(("http://", "https://")):
        return f"{title} ({literal(citation.location)})"
    locator = literal(citation.locator)
    return f"[{title}](<{href}>)" + (f", {locator}" if locator else "")


def verdict_on(citation: Citation, sentences: Iterable[Sentence]) -> Support:
    """Return the verdict on the sentences that cite ``citation``; the weakest, if they differ."""
    found = {each.support for each in sentences if citation.evidence in each.evidence}
    return next((each for each in WEAKEST_FIRST if each in found), Support.NOT_JUDGED)


_BLOCK = re.compile(rf"(?ms)^[ >]*{FENCE}$.*?^[ >]*{FENCE}$")


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence where it stands: ``[start, end)`` of the answer, in code points."""

    start: int
    end: int
    citations: tuple[int, ...]
    """Numbers of the sources that it names."""
    sentence: Sentence

    @property
    def body(self) -> dict[str, JsonValue]:
        """As clients get it."""
        said = self.sentence
        return {
            "start": self.start,
            "end": self.end,
            "text": said.text,
            "citations": list(self.citations),
            "verdict": str(said.support),
            "checked_by": str(said.by) if said.by else None,
            "probability": said.probability,
            "reason": said.reason,
        }


class Answer:
    """What the events of a run have told of its answer so far."""

    def __init__(self) -> None:
        self.text = ""
        self.claims: list[Claim] = []

    def take(self, event: Event) -> str:
        """Return what ``event`` adds to the answer; empty for most events.

        Joined, what the events of a whole run add is the answer of its report: the last event adds
        what is still missing of it.
        """
        match event:
            case SentenceWritten():
                added = event.appended
                self._claim(event)
            case RunFinished():
                added = _rest(self.text, event.report.answer)
            case _:
                return ""
        self.text += added
        return added

    def marker(self, number: int) -> tuple[int, int]:
        """Return where ``[number]`` stands first, as ``[start, end)``; the end without one."""
        marker = f"[{number}]"
        place = _without_code(self.text).find(marker)
        return (place, place + len(marker)) if place >= 0 else (len(self.text), len(self.text))

    def _claim(self, event: SentenceWritten) -> None:
        if not event.appended or event.sentence.support is Support.NOT_A_CLAIM:
            return
        end = len(self.text) + len(event.appended)
        start = end - len(event.appended.lstrip())
        shown = _without_code(event.text)
        numbers = tuple(dict.fromkeys(int(number) for number in MARKER.findall(shown)))
        self.claims.append(Claim(start, end, numbers, event.sentence))


def _without_code(text: str) -> str:
    """Return ``text``, as long as it was, without the brackets in code, which cite nothing."""
    return hide_code(_BLOCK.sub(lambda block: "x" * len(block[0]), text))


def _rest(told: str, answer: str) -> str:
    """Return what is left to tell of ``answer``; all of it, apart, where something else was told.

    The latter is for logs of other versions: no stream can take back what it has said.
    """
    return answer[len(told) :] if answer.startswith(told) else f"\n\n{answer}"


Body = dict[str, JsonValue]

_OF_SEARCH = {"query", "provider", "hits", "fresh", "seconds", "error", "topic"}
_OF_PAGE = {"url", "title", "status", "passages", "seconds", "reason", "topic"}

_TOLD = (
    PhaseStarted,
    IndexProgress,
    PlanMade,
    SearchFinished,
    SourceRead,
    Evaluated,
    Verified,
    InquiryRaised,
    InquiryAnswered,
    WarningRaised,
)


def checklist_body(checklist: Checklist) -> list[JsonValue]:
    """Return the items of ``checklist``."""
    return [
        {"id": item.id, "description": item.description, "status": str(item.status)}
        for item in checklist.items
    ]


def activity_body(event: SearchFinished | SourceRead) -> Body:
    """Return what a search or the reading of a page came to."""
    fields = _OF_SEARCH if isinstance(event, SearchFinished) else _OF_PAGE
    return event.model_dump(mode="json", include=fields)


def cited_body(citation: Citation, href: str, report: Report) -> dict[str, JsonValue]:
    """Return ``citation`` as clients get it: its source, the words that it rests on, a verdict."""
    return {
        "id": citation.id,
        "title": citation.title,
        "url": citation.url,
        "link": href,
        "type": citation.type,
        "location": citation.location,
        "locator": citation.locator,
        "quote": citation.quote.text,
        "verdict": str(verdict_on(citation, report.sentences)),
        "retrieved_at": citation.retrieved_at or None,
    }


def outcome_body(report: Report) -> dict[str, JsonValue]:
    """Return how the run of ``report`` ended, in a few fields."""
    return {
        "run_id": report.run_id,
        "status": str(report.status),
        "stop_reason": str(report.stop_reason),
        "confidence": report.confidence,
        "nearest": [place.model_dump(mode="json") for place in report.nearest],
    }


def weaknesses(report: Report) -> Iterator[RunWarning]:
    """Yield what ran in a weaker way, which no event of the run has told."""
    unused = unused_model(report.degradations)
    for message in filter(None, (unused, *degradations_in_words(report.degradations))):
        yield RunWarning(kind="reason", message=message)


def total_usage(calls: Iterable[ModelCall]) -> Usage:
    """Return the tokens of ``calls`` together."""
    return sum((call.usage for call in calls), Usage())


def progress_line(event: Event) -> str:
    """Return what there is to tell of ``event``, inert; empty where that is nothing.

    The answer and the end of the run have no line. Clients render the lines as Markdown: a title
    can neither become a link nor load a picture.
    """
    if not isinstance(event, _TOLD):
        return ""
    line = plain(describe(event))
    topic = plain(event.topic)
    return f"{topic}: {line}" if topic else line[:1].upper() + line[1:]
