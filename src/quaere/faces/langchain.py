"""The engine for LangChain: a tool that agents call, and a retriever of evidence.

It imports LangChain's core, which comes with LangGraph; nothing else of Quaere imports this module.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from typing import Literal

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
    adispatch_custom_event,
    dispatch_custom_event,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import ArgsSchema, BaseTool, ToolException
from pydantic import Field, JsonValue

from quaere.domain.budget import ProfileName
from quaere.domain.report import Report
from quaere.domain.request import Reuse, RunRequest
from quaere.domain.tool import DESCRIPTION, NAME, ToolInput, ToolResult, ToolStatus
from quaere.errors import TraceNotFound
from quaere.faces.tool import deep_research, run_tool
from quaere.runtime.app import App

PROGRESS = "deep_research_progress"
"""Name of the custom events that tell how far a call is."""

Made = tuple[str, dict[str, JsonValue]]
"""The text for the model, and the output of the tool as the artifact of the message."""


class DeepResearchTool(BaseTool):
    """A tool that researches a question; the artifact of its message has sources and coverage.

    While it works it dispatches custom events, which ``astream_events`` shows.
    """

    name: str = NAME
    description: str = DESCRIPTION
    args_schema: ArgsSchema | None = ToolInput
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    app: App | None = Field(default=None, exclude=True)
    """An open App that calls use which are awaited; without one, each call opens its own."""
    make_app: Callable[[], App] = Field(default=App, exclude=True)
    """Makes the App of one call."""

    def _run(self, **arguments: JsonValue) -> Made:
        steps = run_tool(arguments, app=self.make_app)
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                result: ToolResult = end.value
                return _made(result)
            dispatch_custom_event(PROGRESS, step.model_dump(mode="json"))

    async def _arun(self, **arguments: JsonValue) -> Made:
        used = self.app or self.make_app()
        try:
            async with aclosing(deep_research(arguments, app=used)) as steps:
                async for step in steps:
                    if isinstance(step, ToolResult):
                        return _made(step)
                    await adispatch_custom_event(PROGRESS, step.model_dump(mode="json"))
        finally:
            if used is not self.app:
                await used.aclose()
        raise ToolException("The research ended without a result.")


def _made(result: ToolResult) -> Made:
    if result.payload.status is ToolStatus.ERROR:
        raise ToolException(result.text)
    return result.text, result.payload.model_dump(mode="json")


class EvidenceRetriever(BaseRetriever):
    """Returns the passages that an answer would be written from, best first.

    A query is researched as a question: what is found is read, followed up where it leads on, and
    ranked by what it covers of the question. No answer of it is used.
    """

    app: App = Field(exclude=True)
    """An open App."""
    profile: ProfileName = ProfileName.SIMPLE
    docs: tuple[str, ...] = ()
    """Folders and files to search; those of the settings when left out."""
    providers: tuple[str, ...] = ()
    """Search services to ask, by name."""
    limit: int = 10
    """Most passages to return."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        """Raise RuntimeError: the App belongs to the event loop that opened it."""
        del query, run_manager
        raise RuntimeError("An App belongs to one event loop; use `await retriever.ainvoke(...)`.")

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        del run_manager
        request = RunRequest.of(
            question=query,
            profile=self.profile,
            docs=self.docs,
            providers=self.providers,
            reuse=Reuse.NEVER,
            approve_plan=False,
        )
        run = await self.app.start(request)
        try:
            report = await run.report()
            texts = await self._texts(run.id)
            run.settle()
        finally:
            if not run.over:
                await run.stop()
        return _documents(report, texts)[: self.limit]

    async def _texts(self, run_id: str) -> dict[int, str]:
        """Return the kept text of each piece of evidence; nothing where none is kept."""
        traces = await self.app.traces()
        try:
            kept = await traces.sources((await self.app.run(run_id)).owner, run_id)
        except TraceNotFound:
            return {}
        return {source.evidence.id: source.text for source in kept if source.text}


def _documents(report: Report, texts: dict[int, str]) -> list[Document]:
    """Return the evidence that has a text: its passage, else the words that a sentence quotes."""
    quoted = {each.evidence: each.quote.text for each in report.citations}
    return [
        Document(
            id=each.passage,
            page_content=text,
            metadata={
                "source": each.url,
                "title": each.title,
                "locator": each.locator,
                "score": each.score.weighed,
            },
        )
        for each in report.evidence
        if (text := texts.get(each.id) or quoted.get(each.id))
    ]
