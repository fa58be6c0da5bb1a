"""The twelve recorded runs, as an assistant gets them over the Model Context Protocol."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextResourceContents
from tests.faces.mcp.served import ERAS, connected, data_of, links_of, shelved, text_of
from tests.faces.wire.streams import NAMES, log

from quaere.domain.events import RunFailed, RunFinished
from quaere.domain.report import Report
from quaere.faces.mcp.forms import ResearchOutput, RunStatus, StatusOutput
from quaere.runtime.app import LOCAL, App
from quaere.store.traces.traces import Entries

pytestmark = pytest.mark.anyio

_MARKER = re.compile(r"\[(src_)?(\d+)\]")


async def kept(app: App, name: str) -> str:
    """Keep the recorded run of that name in the database; return its id."""
    traces = await app.traces()
    entries = Entries(events=log(name))
    trace = await traces.create_trace(LOCAL, {"question": name}, trace_id=f"recorded-{name}")
    match log(name)[-1]:
        case RunFinished():
            await traces.complete_trace(LOCAL, trace.id, {}, {}, entries=entries)
        case RunFailed(error_type="run_cancelled", message=message):
            await traces.cancel(LOCAL, trace.id, message, entries=entries)
        case RunFailed(message=message):
            await traces.fail_trace(LOCAL, trace.id, message, entries=entries)
        case _:
            raise AssertionError(name)
    return trace.id


async def read(client: Client, uri: str) -> str:
    content = (await client.read_resource(uri)).contents[0]
    assert isinstance(content, TextResourceContents)
    return content.text


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("era", ERAS)
async def test_a_recorded_run_is_told_as_it_was(tmp_path: Path, name: str, era: str) -> None:
    app = shelved(tmp_path)
    run = {"run_id": await kept(app, name)}
    async with connected(app, era) as client:
        status = await client.call_tool("research_status", run)
        result = await client.call_tool("research_result", run)
        match log(name)[-1]:
            case RunFinished(report=report):
                assert data_of(status, StatusOutput).status is RunStatus.COMPLETED
                assert data_of(status, StatusOutput).progress == 1
                await _check_told(client, result, report, run["run_id"])
            case RunFailed(message=message):
                assert data_of(status, StatusOutput).status in {
                    RunStatus.FAILED,
                    RunStatus.CANCELLED,
                }
                assert isinstance(result, CallToolResult)
                assert result.is_error
                assert message in text_of(result)
            case _:
                raise AssertionError(name)
    await app.aclose()


async def _check_told(client: Client, result: object, report: Report, run_id: str) -> None:
    assert isinstance(result, CallToolResult)
    output = data_of(result, ResearchOutput)
    assert _MARKER.sub(r"[\2]", output.answer) == report.answer
    ids = [source.id for source in output.sources]
    assert ids == [f"src_{citation.id}" for citation in report.citations]
    assert {f"src_{match[2]}" for match in _MARKER.finditer(output.answer)} <= set(ids)
    assert {source for sentence in output.sentences for source in sentence.sources} <= set(ids)
    assert [each.verdict for each in output.sentences] == [s.support for s in report.sentences]
    text = text_of(result)
    assert text.startswith(output.answer)
    assert all(f"[{source.id}] {source.title} - {source.url}" in text for source in output.sources)
    assert links_of(result) == [f"quaere://runs/{run_id}/report"]
    assert await read(client, links_of(result)[0])
    assert await read(client, f"quaere://runs/{run_id}/trace")
    for source in output.sources:
        told = await read(client, f"quaere://runs/{run_id}/sources/{source.id}")
        assert "Sentences that rest on it" in told
