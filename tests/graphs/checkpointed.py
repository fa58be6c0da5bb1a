# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own graphs open.
"""Runs the loop under a SQLite checkpointer, stops it behind every step and goes on.

A program of its own, because LangGraph takes its strictness from the environment when it is
imported: ``LANGGRAPH_STRICT_MSGPACK=true python -m tests.graphs.checkpointed FOLDER``. It writes,
as JSON, the report of every run by the step behind which it was stopped.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from tests.graphs.reasoners import Insatiable, something_new
from tests.graphs.world import HOP, Shelf, Still, engine

from quaere.domain.question import Question
from quaere.graphs.context import RunContext
from quaere.graphs.langgraph_driver import langgraph_of
from quaere.graphs.loop import LOOP
from quaere.graphs.state import LoopState, initial_state
from quaere.graphs.strategies import to_report

_SEARCHING = ("search", "read", "collect", "follow", "plan", "evaluate")
STEPS = ["", *_SEARCHING, "synthesize", "verify"]


async def stopped(step: str, folder: Path) -> Mapping[str, object]:
    """Return the report of a run that was stopped behind every ``step``, and what it asked."""
    shelf = Shelf()
    asked = engine(shelf, reasoner=Insatiable(something_new), clock=Still())
    context = asked._run_context(0.0)
    question = Question(text=HOP, context="a talk")
    start = initial_state(question, requested=None, limits={"max_iters": 3})
    state, stops = await driven(start, step, context, folder / f"after-{step}.db"), 0
    while state is None:
        stops += 1
        state = await driven(None, step, context, folder / f"after-{step}.db")
    report = to_report(state, run_id="r", seconds=0.0, reasoner="insatiable")
    queries = [query.text for query in shelf.asked]
    return {"report": report.model_dump(mode="json"), "stops": stops, "queries": queries}


async def driven(
    start: LoopState | None, step: str, context: RunContext, database: Path
) -> LoopState | None:
    """Run or resume up to the next stop; return the last state, or None when it is not over."""
    config: RunnableConfig = {"configurable": {"thread_id": "run"}, "recursion_limit": 100}
    async with AsyncSqliteSaver.from_conn_string(str(database)) as saver:
        graph = langgraph_of(LOOP).builder.compile(
            checkpointer=saver, interrupt_after=[step] if step else []
        )
        await graph.ainvoke(start, config, context=context)
        snapshot = await graph.aget_state(config)
        return None if snapshot.next else cast("LoopState", snapshot.values)


async def main(folder: Path) -> None:
    """Write all reports to standard output."""
    runs = {step: await stopped(step, folder) for step in STEPS}
    sys.stdout.write(json.dumps(runs))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
