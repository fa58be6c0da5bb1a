"""Prints all that whole runs tell, over a folder and with a model: the same in every process.

Run by ``test_hash_order.py`` with a folder of documents, and one for the index.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import anyio
from tests.graphs.minds import Mind, thinking
from tests.graphs.test_drivers import threads
from tests.graphs.world import DOCUMENTS, HOP, Shelf, Still, engine, passage_of, told

from quaere.domain.question import Query
from quaere.domain.request import Cached, RunSpec
from quaere.domain.source import Hit
from quaere.evidence.score import rank
from quaere.ports.forwarding import ForwardingProvider
from quaere.ports.search import SearchProvider
from quaere.runtime.engine import Engine
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.runtime.wiring import assemble, settle
from quaere.testing import ScriptedModel

TREES = ("Alder", "Birch", "Cedar", "Damson", "Elder", "Fig", "Guava", "Hazel", "Iris")
SOCIETY = f"{' '.join(TREES)} Society"
PLACES = {
    SOCIETY: f"The {SOCIETY} was founded by Odile Varga in 1911, and meets at Brell.",
    **{f"Nursery {at}": f"It sells {', '.join(TREES[at:])}." for at in range(len(TREES))},
    **DOCUMENTS,
}
"""Words of many different rarities in one name: the sum of such figures depends on their order."""
ASKED = (
    HOP,
    f"Who founded the {SOCIETY}, and where does the {SOCIETY} meet?",
    "Which is older, the Quill Observatory or the Larkspur Society?",
)
OF_ISLANDS = (
    "Where did the designer of the lighthouse at Skarra Point die?",
    "Which is longer, the Merganser or the Dotterel?",
    "How is kelp bread made?",
)


class OneByOne(ForwardingProvider):
    """Answers queries in the order in which they are asked, not as threads get on."""

    def __init__(self, inner: SearchProvider) -> None:
        super().__init__(inner)
        self._turn = anyio.Lock()

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Ask when all earlier queries are answered."""
        async with self._turn:
            return await self.inner.search(query, limit=limit)


def say(line: str) -> None:
    """Print ``line``."""
    sys.stdout.write(f"{line}\n")


async def show(asked: Engine, question: str) -> None:
    """Print what a run of ``question`` tells."""
    run = await told(replace(asked, clock=Still(), marks="mark"), question, run_id="run")
    say(json.dumps(threads(run.events)))


async def main(documents: Path, cache: Path) -> None:
    """Make all runs."""
    shelf = [passage_of(title, text) for title, text in PLACES.items()]
    scores = rank(ASKED[1], shelf, None).scores.values()
    say(json.dumps([score.model_dump() for score in scores]))
    for question in ASKED:
        await show(engine(Shelf(PLACES)), question)
        model = ScriptedModel(Mind())
        await show(thinking(model, Shelf(PLACES)), question)
        say(json.dumps([request.model_dump(mode="json") for request in model.requests]))
    resources = Resources(Settings(cache_dir=cache))
    spec = RunSpec.of("Over what?", docs=[documents], cached=Cached.OFF)
    for question in OF_ISLANDS:
        made = assemble(resources, settle(resources, spec))
        await show(replace(made, providers=tuple(map(OneByOne, made.providers))), question)


if __name__ == "__main__":
    anyio.run(main, Path(sys.argv[1]), Path(sys.argv[2]))
