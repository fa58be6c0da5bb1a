"""Records the runs that the forms of the stream are tested with.

``python -m tests.faces.wire.record [NAME...]``. Each is a real run of the engine over the documents
here or of the small fictional world; what they tell is kept as it is, but for the folders of the
machine on which they were made.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tests.graphs.minds import Mind
from tests.graphs.misbehaving import OddReasoner, refuse_reason
from tests.graphs.reasoners import Insatiable, something_new
from tests.graphs.team import TWO, Led, team
from tests.graphs.world import DOCUMENTS, HOP, NOTHING, PLAIN, Desk, Shelf, engine, passage_of
from tests.look_alikes import web_engines
from tests.look_alikes.server import LookAlikeServer
from tests.look_alikes.shelf import Shelf as WebShelf
from tests.look_alikes.shelf import Work

from quaere.domain.budget import ProfileName
from quaere.domain.events import Event, PlanMade, RunFinished, SearchFinished
from quaere.domain.question import AnswerForm, Query
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.source import Hit
from quaere.domain.team import Delegation
from quaere.errors import QuaereError, SearchError
from quaere.runtime.app import App
from quaere.runtime.engine import Engine
from quaere.runtime.run import LiveRun
from quaere.runtime.settings import Settings
from quaere.testing import ScriptedModel

LOGS = Path(__file__).parent / "logs"

Log = list[Event]
Recording = Callable[[Path], Awaitable[Log]]

NOTES = {
    "mill.md": "# The mill of Orrin\n\nThe mill of Orrin was built by Tamsin Wray in 1871. Its "
    "wheel is 6 metres wide.\n\nIt milled oats until 1932.\n",
    "wray.md": "# Tamsin Wray\n\nTamsin Wray came from Dunmere. She built the mill of Orrin and "
    "two bridges.\n",
    "oats.csv": "year,tonnes of oats\n1890,410\n1900,388\n1910,275\n",
}
QUARREL = {
    "Almanac": "The Quill Observatory was founded in 1902 by Odile Varga. It opens on Sundays.",
    "Gazetteer": "The Quill Observatory was founded in 1904. Visitors need a lamp.",
    "Yearbook": "The observatory was founded in 1902, and Odile Varga paid for the Quill dome.",
}
ARABIC = {
    "مرصد الريشة": "يقع مرصد الريشة على جبل سوريل. أسست أوديل فارغا مرصد الريشة عام 1902.",
    "أوديل فارغا": "ولدت أوديل فارغا في بلدة تريسل عام 1861. رسمت أوديل فارغا خرائط السماء.",
}
CHAPTERS = {
    f"Chapter {n}": f"Loop {n} of the chronicle tells of the cheese, the slate and the linen of "
    f"year {1700 + n}. In {1700 + n} the market of Hask sold {n + 3} kinds of cheese."
    for n in range(1, 31)
}


class Halting(Shelf):
    """Answers the first look and then breaks down."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        if self.asked:
            raise SearchError("HTTP 503")
        return await super().search(query, limit=limit)


class Hosts(Shelf):
    """Has every document on a host of its own."""

    def _hit(self, title: str, rank: int, score: float) -> Hit:
        url = f"https://{title.lower().replace(' ', '-')}.test/"
        passage = passage_of(title, self._documents[title], url)
        return Hit(
            url=url, title=title, provider=self.name, rank=rank, score=score, passages=(passage,)
        )


class Narrow(Shelf):
    """Finds two documents at the most."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        return await super().search(query, limit=min(limit, 2))


async def told(asked: Engine, question: str, **fields: object) -> Log:
    """Return what a run of ``asked`` tells."""
    log: Log = []
    with suppress(QuaereError):  # the last event tells of it
        async for event in asked.stream(
            RunSpec(request=RunRequest.of(question=question, **fields))
        ):
            log.append(event)
    return log


def settings(base: Path, **changed: object) -> Settings:
    return Settings.model_validate({"cache_dir": base / "cache", "data_dir": base / "d", **changed})


async def followed(run: LiveRun, until: type[Event] = RunFinished) -> Log:
    log: Log = []
    async for event in run.events():
        log.append(event)
        if isinstance(event, until):
            break
    return log


def notes(base: Path) -> Path:
    folder = base / "notes"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text, "utf-8")
    return folder


async def folder(base: Path) -> Log:
    asked = RunRequest.of(
        question="Who built the mill of Orrin, and when?", docs=[notes(base)], form=AnswerForm.LIST
    )
    async with App.open(settings(base)) as app:
        run = await app.start(asked)
        log = await followed(run)
        run.settle()
    return log


async def web(base: Path) -> Log:
    works = WebShelf(Work(100 + at, *pair) for at, pair in enumerate(DOCUMENTS.items()))
    async with LookAlikeServer(web_engines.tavily(works)) as service:
        os.environ.update(TAVILY_API_KEY="sk-nobody", TAVILY_BASE_URL=service.base_url)
        known = settings(base, model="test:mind")
        mind = ScriptedModel(Mind(), name="test:mind")
        async with App.open(known, models={"test:mind": mind}) as app:
            asked = RunRequest.of(question=HOP, form=AnswerForm.REPORT, providers=["tavily"])
            run = await app.start(asked)
            log = await followed(run)
            run.settle()
    return log


async def researchers(_: Path) -> Log:
    asked = team(Led([HOP, PLAIN], Delegation(thought="Enough is known.", complete=True)))
    return await told(asked, TWO, form=AnswerForm.TABLE)


async def cut_short(_: Path) -> Log:
    asked = engine(reasoner=Insatiable(something_new))
    return await told(asked, HOP, limits={"max_iters": 1})


async def degraded(_: Path) -> Log:
    return await told(engine(Halting(), reasoner=Insatiable(something_new)), HOP)


async def failed(_: Path) -> Log:
    return await told(engine(reasoner=OddReasoner({"synthesize"}, refuse_reason)), HOP)


async def cancelled(base: Path) -> Log:
    async with App.open(settings(base), providers=[Shelf()]) as app:
        run = await app.start(RunRequest(question=HOP))
        await followed(run, until=SearchFinished)
        await run.cancel()
        return [event async for event in run.events()]


async def resumed(base: Path) -> Log:
    docs = notes(base)
    asked = RunRequest.of(question="What did the mill of Orrin mill, and until when?", docs=[docs])
    async with App.open(settings(base)) as app:
        run = await app.start(asked)
        await followed(run, until=PlanMade)
    async with App.open(settings(base)) as app:
        again = await app.resume(run.id)
        log = await followed(again)
        again.settle()
    return log


async def no_evidence(_: Path) -> Log:
    return await told(engine(), NOTHING)


async def conflict(_: Path) -> Log:
    asked = engine(Hosts(QUARREL), reader=Desk(QUARREL))
    return await told(asked, "When was the Quill Observatory founded?")


async def right_to_left(_: Path) -> Log:
    asked = engine(Shelf(ARABIC), reader=Desk(ARABIC))
    return await told(asked, "متى أسست أوديل فارغا مرصد الريشة؟")


async def long(_: Path) -> Log:
    asked = engine(Narrow({**DOCUMENTS, **CHAPTERS}), reasoner=Insatiable(something_new))
    limits = {"max_iters": 22, "max_queries": 70}
    return await told(asked, HOP, profile=ProfileName.DEEP, limits=limits)


RUNS: Mapping[str, Recording] = {
    each.__name__: each
    for each in (
        folder,
        web,
        researchers,
        cut_short,
        degraded,
        failed,
        cancelled,
        resumed,
        no_evidence,
        conflict,
        right_to_left,
        long,
    )
}


def line_of(event: Event) -> str:
    """Return ``event`` as one line without what is its default, but with its type."""
    told = event.model_dump(mode="json", exclude_defaults=True)
    return json.dumps({"type": getattr(event, "type", ""), **told}, ensure_ascii=False)


async def main(names: Sequence[str]) -> None:
    LOGS.mkdir(exist_ok=True)
    for name in names or RUNS:
        with tempfile.TemporaryDirectory() as base:
            log = await RUNS[name](Path(base))
            text = "\n".join(map(line_of, log)).replace(base, "")
        path = LOGS / f"{name}.jsonl"
        path.write_text(f"{text}\n", "utf-8")
        sys.stdout.write(f"{name}: {len(log)} events, {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
