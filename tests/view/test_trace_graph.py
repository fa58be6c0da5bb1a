"""From every cited sentence back to a query, and from every query to what rests on it."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.faces.cli import samples
from tests.graphs.team import TWO
from tests.graphs.world import DOCUMENTS, HOP, PLAIN, Desk, Shelf, engine, told, url_of
from tests.store.runs import EVIDENCE

from quaere.domain.events import EvidenceCollected, Found, RunFinished, SearchFinished, SourceRead
from quaere.domain.report import Quote, Sentence
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.view.trace_graph import Node, NodeKind, TraceGraph, trace_graph

ORDER = list(NodeKind)
QUESTIONS = (HOP, PLAIN, "What is known of the Maren valley and of Hask?", TWO)


def of(graph: TraceGraph, kind: NodeKind) -> tuple[Node, ...]:
    return tuple(node for node in graph.nodes if node.kind is kind)


def leading_to(graph: TraceGraph, node: Node) -> tuple[Node, ...]:
    """Return all nodes from which a way leads to ``node``, itself left out."""
    return reached(graph, node, [(edge.target, edge.source) for edge in graph.edges])


def following(graph: TraceGraph, node: Node) -> tuple[Node, ...]:
    """Return all nodes to which a way leads from ``node``, itself left out."""
    return reached(graph, node, [(edge.source, edge.target) for edge in graph.edges])


def reached(graph: TraceGraph, start: Node, ways: list[tuple[str, str]]) -> tuple[Node, ...]:
    seen: set[str] = set()
    waiting = [start.id]
    while waiting:
        here = waiting.pop()
        fresh = {end for begin, end in ways if begin == here} - seen
        seen |= fresh
        waiting += fresh
    return tuple(node for node in graph.nodes if node.id in seen)


def check(graph: TraceGraph, queries: set[str]) -> None:
    """Fail unless every claim that quotes a passage walks back to a query, and forth again."""
    kinds = {node.id: node.kind for node in graph.nodes}
    for edge in graph.edges:
        source, target = kinds[edge.source], kinds[edge.target]
        assert ORDER.index(target) == ORDER.index(source) + 1
    for quote in of(graph, NodeKind.QUOTE):
        back = leading_to(graph, quote)
        assert {node.kind for node in back} == {NodeKind.PASSAGE, NodeKind.PAGE, NodeKind.QUERY}
        assert {n.label for n in back if n.kind is NodeKind.QUERY} <= queries
        assert all(quote in following(graph, node) for node in back)


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(QUESTIONS), st.booleans(), st.integers(1, 4))
def test_every_cited_sentence_walks_back_to_a_query(
    question: str, with_text: bool, loops: int
) -> None:
    run = asyncio.run(told(engine(Shelf(with_text=with_text)), question, max_iters=loops))
    graph = trace_graph(run.events)
    check(graph, {event.query for event in run.of(SearchFinished)})
    cited = [s for s in run.report.sentences if s.quotes]
    claims = {node.number: node for node in of(graph, NodeKind.CLAIM)}
    assert cited
    for place, sentence in enumerate(run.report.sentences, 1):
        if sentence.quotes:
            back = leading_to(graph, claims[place])
            assert {node.kind for node in back} == set(ORDER) - {NodeKind.CLAIM}
            numbers = {node.number for node in back if node.kind is NodeKind.PASSAGE}
            assert set(sentence.evidence) <= numbers


class Moving(Desk):
    """Every page has moved to another address."""

    async def read(self, hit: Hit) -> Page:
        page = await super().read(hit)
        return page.model_copy(update={"url": f"{page.url}/moved"})


@pytest.mark.anyio
async def test_the_way_goes_on_where_a_page_has_moved() -> None:
    run = await told(engine(Shelf(with_text=False), reader=Moving(DOCUMENTS)))
    assert any(read.final_url for read in run.of(SourceRead))
    assert run.report.citations
    check(trace_graph(run.events), {event.query for event in run.of(SearchFinished)})


def test_a_log_without_an_end_gives_the_graph_so_far() -> None:
    found = Found(id="x", url="https://a.test/x", title="X", provider="p", rank=0)
    search = SearchFinished(query="q", intent="raw", hits=1, fresh=1, found=(found,))
    moved = SourceRead(
        url="https://a.test/x", final_url="https://b.test/y", title="X", status=ReadStatus.OK
    )
    again = search.model_copy(update={"query": "later", "found": (), "known": ("x",)})
    graph = trace_graph([search, moved, again])
    ended = next(n for n in of(graph, NodeKind.PAGE) if n.id.endswith("b.test/y"))
    assert {node.label for node in leading_to(graph, ended)} == {"q", "later"}
    assert of(graph, NodeKind.CLAIM) == ()


@pytest.mark.anyio
async def test_a_query_leads_to_the_claims_that_rest_on_it() -> None:
    run = await told(engine(), PLAIN)
    graph = trace_graph([e for e in run.events if not isinstance(e, EvidenceCollected)])
    assert isinstance(run.events[-1], RunFinished)
    query = of(graph, NodeKind.QUERY)[0]
    reached = following(graph, query)
    assert any("five arches" in node.label for node in reached if node.kind is NodeKind.CLAIM)
    assert any(node.id == f"page:{url_of('Tressel Ford')}" for node in reached)


def test_nodes_have_their_place_and_their_words() -> None:
    known = EVIDENCE.model_copy(update={"id": 7, "passage": "p", "url": "https://a.test/x#part"})
    evidence = known.model_copy(update={"title": "X", "locator": "page 3"})
    bare = evidence.model_copy(update={"id": 8, "passage": "q", "locator": ""})
    quote = Quote(passage="p", text="the words", start=2, end=11)
    lost = quote.model_copy(update={"passage": "gone"})
    report = samples.report().model_copy(
        update={
            "evidence": (evidence, bare, evidence),
            "sentences": (Sentence(text="One."), Sentence(text="Two.", quotes=(quote, lost))),
        }
    )
    graph = trace_graph([RunFinished(report=report)])
    assert [(n.id, n.label, n.number) for n in graph.nodes] == [
        ("page:https://a.test/x", "X", 0),
        ("passage:p", "page 3", 7),
        ("passage:q", "X", 8),
        ("claim:1", "One.", 1),
        ("claim:2", "Two.", 2),
        ("quote:p:2-11", "the words", 0),
        ("quote:gone:2-11", "the words", 0),
    ]
    one, two = of(graph, NodeKind.CLAIM)
    assert leading_to(graph, one) == ()
    assert [node.id for node in leading_to(graph, two)] == [
        "page:https://a.test/x",
        "passage:p",
        "quote:p:2-11",
        "quote:gone:2-11",
    ]
    assert len(graph.edges) == len(set(graph.edges)) == 5


def test_a_page_that_stayed_where_it_was_is_one_page() -> None:
    found = Found(id="x", url="https://a.test/x", title="", provider="p", rank=0)
    search = SearchFinished(
        query="q", intent="raw", hits=2, fresh=1, found=(found,), known=("never found",)
    )
    stayed = SourceRead(
        url="https://a.test/x", final_url="https://a.test/x#top", title="X", status=ReadStatus.OK
    )
    unread = stayed.model_copy(update={"final_url": ""})
    (page,) = of(trace_graph([search, stayed, unread]), NodeKind.PAGE)
    assert page.label == "https://a.test/x"
