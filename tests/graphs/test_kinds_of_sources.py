"""A model that names kinds of sources: each provider is asked what it understands (R3.2, R4.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from pydantic import JsonValue
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import HOP, Shelf, engine, told

from quaere.domain.events import SearchFinished
from quaere.domain.question import Intent, Query, SourceKind
from quaere.domain.source import Hit
from quaere.errors import SearchError
from quaere.resilience.provider import FallbackProvider
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio


class Kinds(Shelf):
    """A shelf of one kind of source."""

    def __init__(self, name: str, kind: SourceKind) -> None:
        super().__init__(name=name)
        self.kinds = frozenset({kind})


async def test_pubmed_gets_its_syntax_and_the_web_its_own_queries_r4_2() -> None:
    pubmed, web = Kinds("pubmed", SourceKind.PUBMED), Kinds("web", SourceKind.WEB)
    queries: list[JsonValue] = [
        {"query": "varga[au] AND observatories[mh]", "kinds": ["pubmed"]},
        {"query": "Odile Varga site:hask.gov", "kinds": ["web"]},
    ]
    model = ScriptedModel(Mind(restless=True, changes={"queries": queries, "satisfied": []}))
    run = await told(thinking(model, pubmed, web))
    assert "in PubMed syntax, like asthma[tiab]" in model.requests[0].messages[1].content
    for asked, first in (
        (pubmed, "varga[au] AND observatories[mh]"),
        (web, "Odile Varga site:hask.gov"),
    ):
        own = [query.text for query in asked.asked if query.intent is not Intent.BRIDGE]
        assert own[:2] == [HOP, first]
    assert not any("[" in query.text for query in web.asked)
    assert not any("site:" in query.text for query in pubmed.asked)
    figures = run.report.figures
    assert (figures.pubmed_queries, figures.web_queries) == (len(pubmed.asked), len(web.asked))
    rounds = Counter((e.loop, e.provider) for e in run.of(SearchFinished))
    assert set(rounds.values()) <= {1, 2}, "one or two of each kind a round"
    assert len(rounds) == 2 * len({loop for loop, _ in rounds})


async def test_a_question_in_pubmed_syntax_reaches_pubmed_alone_and_unchanged_r4_2() -> None:
    pubmed, web = Kinds("pubmed", SourceKind.PUBMED), Kinds("web", SourceKind.WEB)
    question = "Varga[au] AND observatory[tiab]"
    await told(engine(pubmed, web), question)
    assert pubmed.asked[0].text == question
    assert web.asked
    assert not any("[" in query.text for query in web.asked)
    alone = Kinds("web", SourceKind.WEB)
    await told(engine(alone), question)
    assert alone.asked[0].text == "Varga observatory"


async def test_what_stands_in_for_pubmed_is_asked_in_its_own_syntax_r4_2_r0_8() -> None:
    class Down(Kinds):
        async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
            raise SearchError("HTTP 503")

    web = Kinds("web", SourceKind.WEB)
    provider = FallbackProvider(Down("pubmed", SourceKind.PUBMED), [web])
    await told(engine(provider), "Varga[au] AND observatory[tiab]")
    assert web.asked[0].text == "Varga observatory"


async def test_without_pubmed_no_prompt_speaks_of_it_r4_2() -> None:
    model = ScriptedModel(Mind())
    await told(thinking(model))
    assert "PubMed" not in model.requests[0].messages[1].content


async def test_target_source_types_decide_who_is_asked_r3_2() -> None:
    gov, web = Kinds("gov", SourceKind.GOV), Kinds("web", SourceKind.WEB)
    changes: dict[str, JsonValue] = {"target_kinds": ["gov"], "satisfied": []}
    await told(thinking(ScriptedModel(Mind(restless=True, changes=changes)), gov, web))
    names = [query for query in web.asked if query.intent is Intent.BRIDGE]
    assert len(web.asked) == 1 + len(names), "the first look, and the names that it brings up"
    assert len(gov.asked) > len(web.asked)
