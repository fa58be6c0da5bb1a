# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own graphs open.
"""Runs the supervisor under a SQLite checkpointer, cuts it off in the midst of it and goes on.

A program of its own, as `tests.graphs.checkpointed` is:
``LANGGRAPH_STRICT_MSGPACK=true python -m tests.graphs.checkpointed_team FOLDER``. It writes, as
JSON, the report of every run by the number of the search in which it was cut off.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from tests.graphs.team import FLAX, ORGAN, Led, team
from tests.graphs.world import HOP, PLAIN, Shelf, Still

from quaere.domain.question import Query, Question
from quaere.domain.source import Hit
from quaere.domain.team import Delegation
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import RunContext
from quaere.graphs.langgraph_driver import MessagesState, langgraph_of
from quaere.graphs.state import SupervisorState, supervisor_state
from quaere.graphs.strategies import to_supervised_report
from quaere.graphs.supervisor import SUPERVISOR

CUTS = (0, 1, 2, 3, 5, 7)
"""Searches in which a run is cut off; 0 is none."""


class Cutting(Shelf):
    """A shelf that ends the run in the search of a certain number."""

    def __init__(self, cut: int) -> None:
        super().__init__()
        self.cut = cut
        self.run: asyncio.Task[object] | None = None

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Search, or end everything."""
        hits = await super().search(query, limit=limit)
        if len(self.asked) == self.cut and self.run:
            self.run.cancel()
            await asyncio.sleep(60)
        return hits


async def cut_off(cut: int, database: Path) -> Mapping[str, object]:
    """Return the report of a run that was cut off in search ``cut``, and what was dispatched."""
    shelf = Cutting(cut)
    turns = ([HOP, PLAIN], [FLAX, f"{HOP} please", ORGAN], Delegation(complete=True))
    asked = team(Led(*turns), shelf, clock=Still())
    context = asked._run_context(0.0, shared=True)
    start = supervisor_state(
        Question(text=f"{HOP} {PLAIN}"),
        requested=None,
        limits={},
        configuration=Configuration(),
    )
    async with AsyncSqliteSaver.from_conn_string(str(database)) as saver:
        shelf.run = asyncio.create_task(driven(start, context, saver))
        await asyncio.wait([shelf.run])
        # A write that was cut off leaves its transaction open, and its cursor, in the traceback of
        # the run, would keep it so when the connection is closed. With the process both would go.
        await saver.conn.rollback()
    cut_short = shelf.run.cancelled()
    async with AsyncSqliteSaver.from_conn_string(str(database)) as saver:
        found = await driven(None, context, saver) if cut_short else shelf.run.result()
    state = cast("MessagesState", found)
    report = to_supervised_report(state, run_id="r", seconds=0.0, reasoner="led")
    return {
        "report": report.model_dump(mode="json"),
        "cut": cut_short,
        "messages": [[type(m).__name__, m.id, m.text] for m in state["messages"]],
        "notes": list(state["notes"]),
    }


async def driven(
    start: SupervisorState | None, context: RunContext, saver: AsyncSqliteSaver
) -> object:
    """Run or resume to the end and return the last state."""
    config: RunnableConfig = {"configurable": {"thread_id": "run"}}
    graph = langgraph_of(SUPERVISOR).builder.compile(checkpointer=saver)
    await graph.ainvoke(start, config, context=context)
    snapshot = await graph.aget_state(config)
    assert not snapshot.next
    return snapshot.values


async def main(folder: Path) -> None:
    """Write all reports to standard output."""
    runs = {cut: await cut_off(cut, folder / f"cut-{cut}.db") for cut in CUTS}
    sys.stdout.write(json.dumps(runs))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
