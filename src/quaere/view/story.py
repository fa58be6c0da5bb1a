"""Runs told from their event logs alone: how one went, in what two of them differ, and as a graph.

The graph is the way from queries to claims: query → page → passage → quote → claim. It can be
walked in both directions: which claims rest on this query, and which queries led to this sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import ndiff
from enum import StrEnum
from typing import Final

from quaere.domain.events import (
    Evaluated,
    Event,
    EvidenceCollected,
    IndexProgress,
    InquiryRaised,
    PhaseStarted,
    PlanMade,
    RunFinished,
    SearchFinished,
    SentenceDrafted,
    SourceRead,
    Verified,
)
from quaere.domain.evidence import Evidence
from quaere.domain.question import Checklist
from quaere.domain.report import Checks, Report
from quaere.domain.trace import Source, Trace
from quaere.domain.url import canonical_url
from quaere.domain.value import QuestionText, Value
from quaere.synthesize.inert import plain, visible
from quaere.synthesize.wording import calls_in_words, columns, counted, format_usd, verdict_in_words
from quaere.view.describe import ITEM_MARKS, describe
from quaere.view.reduce import Progress

EXCERPT_CHARS = 160
EVIDENCE_SHOWN = 10
"""Most evidence shown at each selection; `quaere trace export` has all of it."""


def story(trace: Trace, events: Sequence[Event], sources: Sequence[Source]) -> str:
    """Return what happened in a run, in the order in which it happened.

    Args:
        trace: Whose log it is.
        events: The log.
        sources: Passages of the evidence, for their words.
    """
    texts = {source.evidence.passage: source.text for source in sources}
    lines = [*_heading(trace)]
    progress = Progress()
    for event in events:
        progress = progress.after(event)
        if isinstance(event, PhaseStarted):
            after = (event.moment - events[0].moment).total_seconds()
            lines += ["", f"[{after:6.1f} s] {_phase(event)}"]
        elif not _told_elsewhere(event):
            lines.append(f"  {visible(describe(event))}")
            lines += [f"  {line}" for line in _details(event, progress, texts)]
    return "\n".join(lines) + "\n"


def _told_elsewhere(event: Event) -> bool:
    """Whether a later event has the same with more in it."""
    if isinstance(event, IndexProgress):
        return event.done < event.total
    return isinstance(event, SentenceDrafted)


def _details(event: Event, progress: Progress, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield what there is to say of ``event`` beyond its one line."""
    match event:
        case PlanMade():
            yield from _plan(event)
        case EvidenceCollected():
            yield from _evidence(progress.selection, texts)
        case Evaluated():
            yield from _evaluated(event)
        case InquiryRaised():
            yield from (f"  {visible(topic)}" for topic in event.inquiry.topics)
        case Verified():
            yield _checks(event.checks)
        case RunFinished():
            yield from _report(event.report)
        case _:
            return


def _heading(trace: Trace) -> Iterator[str]:
    yield visible(trace.question)
    when = trace.created_at.strftime("%Y-%m-%d %H:%M:%S UTC")
    yield f"  {visible(trace.id)}, {trace.status}, {when}"
    if trace.error_message:
        yield f"  {visible(trace.error_message)}"


def _phase(event: PhaseStarted) -> str:
    parts = [describe(event)]
    if event.topic:
        parts.append(f"topic: {visible(event.topic)}")
    left = event.remaining
    parts.append(f"left: {left.seconds:.0f} s, {left.queries} queries, {left.tokens:,} tokens")
    return ", ".join(parts)


def _plan(event: PlanMade) -> Iterator[str]:
    yield f"plan: {visible(event.refined_question)}"
    yield from _items(event.checklist)
    for query in event.queries:
        why = f" ({visible(query.purpose)})" if query.purpose else ""
        yield f"will ask: {visible(query.text)}{why}"


def _items(checklist: Checklist) -> Iterator[str]:
    for item in checklist.items:
        yield f"{ITEM_MARKS[item.status]} {visible(item.description)}"


def _evidence(selection: Sequence[Evidence], texts: Mapping[str, str]) -> Iterator[str]:
    for evidence in selection[:EVIDENCE_SHOWN]:
        yield f"  {_finding(evidence)}"
        if words := plain(texts.get(evidence.passage, "")):
            more = "…" if len(words) > EXCERPT_CHARS else ""
            yield f"      “{words[:EXCERPT_CHARS]}{more}”"
    if len(selection) > EVIDENCE_SHOWN:
        yield f"  and {len(selection) - EVIDENCE_SHOWN} more"


def _finding(evidence: Evidence) -> str:
    place = ", ".join(filter(None, (visible(evidence.title), visible(evidence.locator))))
    return f"#{evidence.id} {evidence.score.total:.2f} {place} <{visible(evidence.url)}>"


def _evaluated(event: Evaluated) -> Iterator[str]:
    yield from _items(event.checklist)
    yield f"coverage {event.coverage:.0%}, confidence {event.confidence:.0%}"
    for gap in event.gaps:
        yield f"missing: {visible(gap)}"
    why = f": {visible(event.reason)}" if event.reason else ""
    decision = f"stop, {event.stop_reason}" if event.stop_reason else "go on"
    yield f"decision: {decision}{why}"
    for query in event.next_queries:
        yield f"will ask: {visible(query)}"


def _checks(checks: Checks) -> str:
    return (
        f"{checks.written} written, {checks.supported} supported, {checks.repaired} repaired, "
        f"{checks.marked} marked, {checks.dropped} dropped"
    )


def _report(report: Report) -> Iterator[str]:
    for said in report.dropped:
        verdict = verdict_in_words(said.support, said.by, visible(said.reason))
        yield f"  left out ({verdict}): {visible(said.text)}"
    for citation in report.citations:
        yield f"  [{citation.id}] {visible(citation.title)} <{visible(citation.location)}>"
    spend = report.spend
    paid = calls_in_words(report.calls) or f"{spend.tokens:,} tokens, {format_usd(spend.cost_usd)}"
    yield (
        f"cost: {report.seconds:.1f} s, {counted(spend.iterations, 'loop')}, "
        f"{counted(spend.queries, 'query', 'queries')}, {counted(spend.reads, 'page')} opened, "
        f"{paid}"
    )


class Sides(Value):
    """What one side has, the other has, and both have, in the order of its appearance."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    both: tuple[str, ...]


class Figure(Value):
    """One thing that was counted in both runs; None where a run did not come so far."""

    name: str
    first: float | None
    second: float | None


class Comparison(Value):
    """Two runs side by side."""

    traces: tuple[str, str]
    statuses: tuple[str, str]
    questions: tuple[str, str]
    queries: Sides
    sources: Sides
    """Canonical URLs that the answers cite."""
    answers: tuple[str, str]
    figures: tuple[Figure, ...]


class Side(Value):
    """One run, as far as it is compared."""

    trace: Trace
    queries: tuple[str, ...]
    report: Report | None


def side(trace: Trace, events: Sequence[Event]) -> Side:
    """Return what of a run is compared."""
    reports = [event.report for event in events if isinstance(event, RunFinished)]
    queries = [event.query for event in events if isinstance(event, SearchFinished)]
    return Side(
        trace=trace,
        queries=tuple(dict.fromkeys(queries)),
        report=reports[-1] if reports else None,
    )


def compare(first: Side, second: Side) -> Comparison:
    """Return the two runs side by side."""
    return Comparison(
        traces=(first.trace.id, second.trace.id),
        statuses=(str(first.trace.status), str(second.trace.status)),
        questions=(first.trace.question, second.trace.question),
        queries=_sides(first.queries, second.queries),
        sources=_sides(_cited(first.report), _cited(second.report)),
        answers=(_answer(first.report), _answer(second.report)),
        figures=tuple(
            Figure(name=name, first=one, second=other)
            for (name, one), (_, other) in zip(
                _figures(first.report), _figures(second.report), strict=True
            )
        ),
    )


def told(comparison: Comparison) -> str:
    """Return ``comparison`` for a person: what only the first has after -, the second after +."""
    lines = [
        f"- {visible(comparison.traces[0])}, {comparison.statuses[0]}",
        f"+ {visible(comparison.traces[1])}, {comparison.statuses[1]}",
    ]
    lines += _differing("Question", *comparison.questions)
    lines += _listed("Queries", comparison.queries)
    lines += _listed("Sources", comparison.sources)
    lines += _differing("Answer", *comparison.answers)
    rows = [(f.name, _shown(f.first), _shown(f.second)) for f in comparison.figures]
    return "\n".join(lines) + "\n\nCost\n" + columns([("", "-", "+"), *rows])


def _sides(first: Sequence[str], second: Sequence[str]) -> Sides:
    return Sides(
        first=tuple(each for each in first if each not in second),
        second=tuple(each for each in second if each not in first),
        both=tuple(each for each in first if each in second),
    )


def _cited(report: Report | None) -> tuple[str, ...]:
    if report is None:
        return ()
    return tuple(dict.fromkeys(canonical_url(each.url) for each in report.citations))


def _answer(report: Report | None) -> str:
    return report.answer if report else ""


_FIGURES: Final[Mapping[str, Callable[[Report], float | None]]] = {
    "confidence": lambda report: report.confidence,
    "loops": lambda report: report.spend.iterations,
    "queries": lambda report: report.spend.queries,
    "pages opened": lambda report: report.spend.reads,
    "citations": lambda report: len(report.citations),
    "model calls": lambda report: report.spend.model_calls,
    "tokens": lambda report: report.spend.tokens,
    "dollars": lambda report: report.spend.cost_usd,
    "seconds": lambda report: round(report.seconds, 1),
}


def _figures(report: Report | None) -> list[tuple[str, float | None]]:
    return [(name, figure(report) if report else None) for name, figure in _FIGURES.items()]


def _listed(title: str, sides: Sides) -> list[str]:
    shown = [f"- {visible(each)}" for each in sides.first]
    shown += [f"+ {visible(each)}" for each in sides.second]
    shown += [f"  {visible(each)}" for each in sides.both]
    return ["", title, *shown] if shown else []


def _differing(title: str, first: str, second: str) -> list[str]:
    one, other = ([visible(line) for line in text.splitlines()] for text in (first, second))
    if not one and not other:
        return []
    return ["", title, *(line for line in ndiff(one, other) if not line.startswith("?"))]


def _shown(figure: float | None) -> str:
    return "none" if figure is None else f"{figure:,g}" if figure % 1 else f"{figure:,.0f}"


class NodeKind(StrEnum):
    """What a node stands for, in the order in which a walk passes them."""

    QUERY = "query"
    PAGE = "page"
    PASSAGE = "passage"
    QUOTE = "quote"
    CLAIM = "claim"


class Node(Value):
    """One thing on the way."""

    id: str
    kind: NodeKind
    label: QuestionText
    """The query, the title, the place in the page, or the words."""
    number: int = 0
    """Of a passage its evidence id, of a claim its place in the answer, from 1."""


class Edge(Value):
    """``source`` led to ``target``, both ids of nodes."""

    source: str
    target: str


class TraceGraph(Value):
    """The nodes and edges of one run; every edge leads from one kind to the next."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def trace_graph(events: Sequence[Event]) -> TraceGraph:
    """Return the graph of the run that ``events`` tell of, as far as they go."""
    graph = _Builder()
    for event in events:
        match event:
            case SearchFinished():
                graph.search(event)
            case SourceRead():
                graph.read(event)
            case EvidenceCollected():
                graph.evidence(event.added)
            case RunFinished():
                graph.evidence(event.report.evidence)
                graph.claims(event.report)
            case _:
                pass
    return graph.build()


class _Builder:
    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._edges: dict[Edge, None] = {}
        self._found: dict[str, Node] = {}
        self._ended_at: dict[str, Node] = {}

    def build(self) -> TraceGraph:
        return TraceGraph(nodes=tuple(self._nodes.values()), edges=tuple(self._edges))

    def search(self, event: SearchFinished) -> None:
        query = self._node(NodeKind.QUERY, event.query, event.query)
        for found in event.found:
            self._found[found.id] = self._page(found.url, found.title)
        ids = (*(found.id for found in event.found), *event.known)
        for page in (self._found[key] for key in ids if key in self._found):
            self._edge(query, page)
            self._edge(query, self._ended_at.get(page.id, page))

    def read(self, event: SourceRead) -> None:
        """Let what found an address lead to the one that its redirects ended at, too."""
        if not event.final_url or page_key(event.final_url) == page_key(event.url):
            return
        before = self._page(event.url, event.title).id
        after = self._page(event.final_url, event.title)
        self._ended_at[before] = after
        for edge in [edge for edge in self._edges if edge.target == before]:
            self._edge(self._nodes[edge.source], after)

    def evidence(self, evidence: Iterable[Evidence]) -> None:
        for each in evidence:
            page = self._page(each.url, each.title)
            label = each.locator or each.title
            passage = self._node(NodeKind.PASSAGE, each.passage, label, number=each.id)
            self._edge(page, passage)

    def claims(self, report: Report) -> None:
        for place, sentence in enumerate(report.sentences, 1):
            claim = self._node(NodeKind.CLAIM, str(place), sentence.text, number=place)
            for quote in sentence.quotes:
                key = f"{quote.passage}:{quote.start}-{quote.end}"
                node = self._node(NodeKind.QUOTE, key, quote.text)
                if passage := self._nodes.get(f"{NodeKind.PASSAGE}:{quote.passage}"):
                    self._edge(passage, node)
                self._edge(node, claim)

    def _page(self, url: str, title: str) -> Node:
        return self._node(NodeKind.PAGE, page_key(url), title or url)

    def _node(self, kind: NodeKind, key: str, label: str, *, number: int = 0) -> Node:
        node = Node(id=f"{kind}:{key}", kind=kind, label=label, number=number)
        return self._nodes.setdefault(node.id, node)

    def _edge(self, source: Node, target: Node) -> None:
        self._edges.setdefault(Edge(source=source.id, target=target.id))


def page_key(url: str) -> str:
    """Return the address of the page that ``url`` leads to, without the place inside it."""
    return canonical_url(url).partition("#")[0]
