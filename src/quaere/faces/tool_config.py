"""The research tool as an entry of another program's registry of tools (R4.4).

    ours = tool_config()
    register_tool(ToolConfig(name=ours.name, streaming=ours.streaming, executor=ours.executor))

Such a registry calls ``executor(params, db, user_id, context)``. What the executor yields is
progress, and what it returns, the value of its ``StopIteration``, is the result.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from quaere.domain.tool import DESCRIPTION, NAME, ToolInput, ToolOutput, ToolProgress, ToolResult
from quaere.domain.trace import Owner
from quaere.domain.value import Value
from quaere.faces.tool import deep_research, run_tool
from quaere.runtime.app import App

Params = ToolInput | Mapping[str, JsonValue]
Context = Mapping[str, object] | None
"""What the program knows of the conversation; ``org_id`` in it is the user's organization."""


class ResultPayload(Value):
    """The data of a result, in the envelope by which programs tell it from others."""

    type: Literal["deep_research_result"] = "deep_research_result"
    data: ToolOutput


class ExecutedResult(Value):
    """What an executor returns."""

    text: str
    """The answer for a reader, or the error message."""
    payload: ResultPayload


Executor = Callable[
    [Params, object, str | int, Context], Generator[ToolProgress, None, ExecutedResult]
]
"""Takes parameters, a database session, the id of the user and the context of the call."""
AsyncExecutor = Callable[
    [Params, object, str | int, Context], AsyncGenerator[ToolProgress | ExecutedResult]
]
"""The same for programs that await; its result comes last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolConfig:
    """All that a registry of tools asks for."""

    name: str = NAME
    description: str = DESCRIPTION
    input_schema: Mapping[str, JsonValue] = field(default_factory=ToolInput.model_json_schema)
    streaming: bool = True
    executor: Executor
    async_executor: AsyncExecutor


def tool_config(app: Callable[[], App] = App, *, shared: App | None = None) -> ToolConfig:
    """Return the configuration of the tool.

    The session that the registry passes is not used: runs are kept in Quaere's own database, by
    the user and the organization whose they are. Name the database of the program in
    QUAERE_DATABASE_URL to have them there.

    Args:
        app: Makes the App of one call, which is closed at its end.
        shared: An open App that all calls of ``async_executor`` use instead.
    """

    def execute(
        params: Params, db: object, user_id: str | int, context: Context = None
    ) -> Generator[ToolProgress, None, ExecutedResult]:
        del db
        result = yield from run_tool(params, app=app, owner=owner_of(user_id, context))
        return _executed(result)

    async def execute_async(
        params: Params, db: object, user_id: str | int, context: Context = None
    ) -> AsyncGenerator[ToolProgress | ExecutedResult]:
        del db
        owner = owner_of(user_id, context)
        async with _opened(app, shared) as used:
            async for step in deep_research(params, app=used, owner=owner):
                yield _executed(step) if isinstance(step, ToolResult) else step

    return ToolConfig(executor=execute, async_executor=execute_async)


def owner_of(user_id: str | int, context: Context) -> Owner:
    """Return whose run a call makes.

    Raises:
        ValueError: when one of the ids cannot be kept: it is empty, too long or not printable.
    """
    org = (context or {}).get("org_id")
    return Owner(user=str(user_id), org=None if org is None else str(org))


def _executed(result: ToolResult) -> ExecutedResult:
    return ExecutedResult(text=result.text, payload=ResultPayload(data=result.payload))


@asynccontextmanager
async def _opened(app: Callable[[], App], shared: App | None) -> AsyncGenerator[App]:
    if shared:
        yield shared
        return
    used = app()
    try:
        yield used
    finally:
        await used.aclose()
