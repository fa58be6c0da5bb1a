"""The way from queries to claims, as a graph: query → page → passage → quote → claim.

It is built from the events of a run alone and can be walked in both directions: which claims rest
on this query, and which queries led to this sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from quaere.domain.events import (
    Event,
    EvidenceCollected,
    RunFinished,
    SearchFinished,
    SourceRead,
)
from quaere.domain.evidence import Evidence
from quaere.domain.report import Report
from quaere.domain.url import canonical_url
from quaere.domain.value import QuestionText, Value


class NodeKind(StrEnum):
    """What a node stands for, in the order in which a walk passes them."""

    QUERY = "query"
    PAGE = "page"
    PASSAGE = "passage"
    QUOTE = "quote"
    CLAIM = "claim"


class Node(Value):
    """A query, page, passage, quote or claim of a run."""

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
