"""Questions of many parts: what answers some leaves room to look for the others."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pydantic import JsonValue
from tests.graphs.minds import holding, in_order, thinking
from tests.graphs.world import Shelf, Told, told

from quaere.domain.events import EvidenceCollected
from quaere.domain.model import ModelRequest
from quaere.domain.question import Query
from quaere.domain.source import Hit
from quaere.domain.verdict import StopReason
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

ASKED = "Who built the mill, the bridge and the chapel of Orrin, and what is its great bell called?"
FACTS = (
    "Abel Rune built the mill of Orrin.",
    "Clara Voss built the bridge of Orrin.",
    "Ivo Strand built the chapel of Orrin.",
    "It is called Vesper",
)
BUILT = {
    "Orrin mill": f"{FACTS[0]} It grinds rye.",
    "Orrin bridge": f"{FACTS[1]} It has two arches.",
    "Orrin chapel": f"{FACTS[2]} It has no aisle.",
}
LIKELIER = {
    f"Bell {place}": f"The great bell at the tower of {place} is rung at noon. The bell is old."
    for place in ("Hask", "Dunmere", "Maren")
}
BELLS = {**LIKELIER, "Vesper": f"{FACTS[3]}, a bell cast of the cannon that the town had kept."}
BELL = "great bell tower"
ROOM = 4


class Halves(Shelf):
    """Has what was built for the question, and bells for who asks for the bell alone."""

    def __init__(self) -> None:
        super().__init__({**BUILT, **BELLS})

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Search one half."""
        half = BELLS if query.text == BELL else BUILT
        return [hit for hit in await super().search(query, limit=limit) if hit.title in half]


def reader(request: ModelRequest) -> dict[str, JsonValue] | str:
    """Tick what a prompt shows, ask for the bell until it is there, and cite all four."""
    if request.step == "check":
        return {"verdicts": []}
    held = {n: holding(request, fact) for n, fact in enumerate(FACTS, 1)}
    ticked = [n for n, ids in held.items() if ids]
    done = len(ticked) == len(FACTS)
    cited = " ".join(f"{FACTS[n - 1].rstrip('.')} [{held[n][0]}]." for n in ticked)
    if request.step == "synthesize":
        return cited
    said: dict[str, JsonValue] = {
        "findings": [{"id": number, "items": [n]} for n in ticked for number in held[n]],
        "satisfied": list(ticked),
        "gaps": [] if done else ["the name of the bell"],
        "queries": [] if done else [{"query": BELL, "item": len(FACTS)}],
        "sufficient": done,
        "confidence": 0.9 if done else 0.4,
        "answer": cited if done else "",
    }
    if request.step == "plan":
        said["checklist"] = ["the mill", "the bridge", "the chapel", "the bell"]
    return in_order(said, request)


async def found(model: ScriptedModel) -> Told:
    """Return a run with ``model`` that may keep ``ROOM`` sources."""
    return await told(thinking(model, Halves()), ASKED, max_sources=ROOM)


async def test_what_is_ticked_takes_no_place_from_what_is_looked_for() -> None:
    model = ScriptedModel(reader)
    run = await found(model)
    assert run.report.stop_reason is StopReason.SUFFICIENT
    assert model.steps().count("evaluate") == 1, "the first search for the bell has it"
    assert "Vesper" in run.report.answer
    assert max(len(event.selected) for event in run.of(EvidenceCollected)) == ROOM + len(BUILT)


async def test_a_run_ends_with_no_more_sources_than_it_may_keep() -> None:
    run = await found(ScriptedModel(reader))
    kept = {entry.title for entry in run.report.evidence}
    assert kept == {*BUILT, "Vesper"}, "what the answer cites"
    last = run.of(EvidenceCollected)[-1]
    assert set(last.selected) == {entry.id for entry in run.report.evidence}
    assert len(run.report.citations) == len(FACTS)
