"""The MCP server at ``/mcp`` of the service: keys, owners, hosts, and clients that go away."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ElicitRequestParams, ElicitResult
from tests.faces.mcp.served import ERAS, HELLO, data_of, text_of
from tests.faces.server.conftest import settings_in
from tests.faces.server.served import QUESTION, served

from quaere.domain.access import USER_RIGHTS, Right
from quaere.domain.trace import Owner
from quaere.faces.mcp.forms import (
    CheckOutput,
    ResearchOutput,
    RunStatus,
    SearchOutput,
    StatusOutput,
)
from quaere.faces.server.serving import STOPS_S
from quaere.runtime.settings import Access, Settings
from quaere.runtime.wiring_store import build_database
from quaere.store.keys import Keys
from quaere.store.traces.traces import Traces

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

RIGHTS = {
    "ann": USER_RIGHTS,
    "bob": USER_RIGHTS,
    "reader": frozenset({Right.READ}),
    "checker": frozenset({Right.CHECK}),
}


@dataclass(frozen=True)
class Keyed:
    """A service that asks for keys, and the secrets of a few."""

    url: str
    secrets: dict[str, str]
    settings: Settings

    @property
    def folder(self) -> Path:
        return self.settings.docs[0]

    @asynccontextmanager
    async def client(self, name: str, era: str = "auto") -> AsyncGenerator[Client]:
        headers = {"Authorization": f"Bearer {self.secrets[name]}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(f"{self.url}/mcp", http_client=http)
            async with Client(transport, mode=era) as client:
                yield client


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Generator[Keyed]:
    settings = settings_in(tmp_path_factory.mktemp("keyed"))

    async def issued() -> dict[str, str]:
        async with build_database(settings) as database:
            keys = Keys(database)
            made = {
                name: await keys.create(Owner(user=name), name, scopes=rights)
                for name, rights in RIGHTS.items()
            }
            return {name: secret for name, (_, secret) in made.items()}

    secrets = asyncio.run(issued())
    with served(settings, access=Access.KEYS) as url:
        yield Keyed(url, secrets, settings)


@pytest.mark.parametrize("era", ERAS)
async def test_a_question_is_answered_over_http_without_a_path_of_the_server(
    keyed: Keyed, era: str
) -> None:
    told: list[str | None] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async with keyed.client("ann", era) as client:
        called = await client.call_tool(
            "deep_research", {"question": QUESTION}, progress_callback=tell
        )
        link = f"quaere://runs/{data_of(called, ResearchOutput).trace_id}/report"
        assert link in text_of(called)
        read = [
            await client.read_resource(uri)
            for uri in (
                link,
                link.replace("/report", "/trace"),
                link.replace("/report", "/sources/src_1"),
            )
        ]
    output = data_of(called, ResearchOutput)
    assert "Ada Finch" in output.answer
    assert output.sources[0].url == "folder:docs/tides.md"
    assert told
    everything = f"{called} {read} {told}"
    assert str(keyed.folder) not in everything
    assert "file:///" not in everything


async def test_what_was_found_in_a_folder_is_read_by_the_name_it_was_given(keyed: Keyed) -> None:
    async with keyed.client("ann") as client:
        found = data_of(await client.call_tool("search", {"query": "tide mill"}), SearchOutput)
        assert found.results[0].id.startswith("folder:docs/")
        read = await client.call_tool("fetch", {"id": found.results[0].id})
        assert "Carrow" in text_of(read)
        refused = [
            "folder:docs/../../data/quaere.db",
            "folder:docs/%2e%2e/%2e%2e/data/server.secret",
            "folder:nobodys/notes.md",
            (keyed.folder / "tides.md").as_uri(),
            "file:///etc/hostname",
        ]
        for address in refused:
            result = await client.call_tool("fetch", {"id": address})
            assert isinstance(result, CallToolResult)
            assert result.is_error, address
            assert str(keyed.folder.parent) not in str(result) or address.startswith("file:")


async def test_a_text_that_cites_files_of_the_server_reads_none(keyed: Keyed) -> None:
    text = f"The mill was built in 1781 [1].\n\n[1]: {(keyed.folder / 'tides.md').as_uri()}\n"
    async with keyed.client("ann") as client:
        called = await client.call_tool("check_text", {"text": text})
    assert data_of(called, CheckOutput).sources[0].status != "ok"


async def test_what_a_text_cites_nothing_for_is_looked_up_in_folders_by_their_names(
    keyed: Keyed,
) -> None:
    told = (keyed.folder / "tides.md").read_text().splitlines()
    text = {"text": next(line for line in told if "Carrow" in line and "." in line)}
    async with keyed.client("checker") as client:
        called = await client.call_tool("check_text", {**text, "look_up": True})
        output = data_of(called, CheckOutput)
    assert output.sentences[0].verdict.holds
    assert [each.address for each in output.sources] == ["folder:docs/tides.md"]
    assert str(keyed.folder) not in str(called)


@pytest.mark.parametrize("era", ERAS)
async def test_each_key_sees_the_runs_of_its_owner_alone(keyed: Keyed, era: str) -> None:
    async with keyed.client("ann", era) as client:
        called = await client.call_tool("deep_research", {"question": QUESTION})
        run_id = data_of(called, ResearchOutput).trace_id
        uris = [each.uri for each in (await client.list_resources()).resources]
        assert f"quaere://runs/{run_id}/report" in uris
    async with keyed.client("bob", era) as client:
        assert (await client.list_resources()).resources == []
        for name in ("research_status", "research_result", "research_cancel"):
            result = await client.call_tool(name, {"run_id": run_id})
            assert isinstance(result, CallToolResult)
            assert result.is_error
        with pytest.raises(MCPError):
            await client.read_resource(f"quaere://runs/{run_id}/report")


async def test_a_key_can_do_what_its_scopes_allow(keyed: Keyed) -> None:
    async with keyed.client("reader") as client:
        result = await client.call_tool("deep_research", {"question": QUESTION})
        assert isinstance(result, CallToolResult)
        assert result.is_error
        assert "scope run" in text_of(result)
    async with keyed.client("checker") as client:
        checked = await client.call_tool("check_text", {"text": "The mill is old."})
        assert isinstance(checked, CallToolResult)
        assert not checked.is_error
        with pytest.raises(MCPError, match="scope read"):
            await client.read_resource("quaere://runs/x/report")
        with pytest.raises(MCPError, match="scope read"):
            await client.list_resources()


ACCEPT = {"Accept": "application/json, text/event-stream"}


def post(keyed: Keyed, **headers: str) -> httpx.Response:
    bearer = {"Authorization": f"Bearer {keyed.secrets['ann']}"}
    return httpx.post(f"{keyed.url}/mcp", json=HELLO, headers={**ACCEPT, **bearer, **headers})


def test_a_request_without_a_key_is_refused_before_the_protocol_begins(keyed: Keyed) -> None:
    assert post(keyed).status_code == 200
    for given in ("", "Bearer nonsense", "Basic YTpi"):
        refused = post(keyed, Authorization=given)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"].startswith("Bearer")
        assert refused.json()["error"]["type"] == "unauthorized"


def test_a_page_of_another_site_cannot_call_it(keyed: Keyed) -> None:
    assert post(keyed, Origin="https://evil.example").status_code == 403
    assert post(keyed, Host="evil.example").status_code == 421
    assert post(keyed, Origin=keyed.url).status_code == 200


def test_there_is_no_stream_to_get_and_no_session_to_delete(keyed: Keyed) -> None:
    bearer = {"Authorization": f"Bearer {keyed.secrets['ann']}", **ACCEPT}
    for method in ("GET", "DELETE"):
        refused = httpx.request(method, f"{keyed.url}/mcp", headers=bearer)
        assert refused.status_code == 405
        assert refused.headers["allow"] == "POST"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"jsonrpc": "2.0"}', b"null", b"\xff\xfe"])
def test_a_body_that_is_no_message_is_an_error_and_no_fault_of_the_server(
    keyed: Keyed, body: bytes
) -> None:
    headers = {
        "Authorization": f"Bearer {keyed.secrets['ann']}",
        "Content-Type": "application/json",
        **ACCEPT,
    }
    for version in ({}, {"Mcp-Protocol-Version": "2026-07-28"}, {"Mcp-Protocol-Version": "1999"}):
        answer = httpx.post(f"{keyed.url}/mcp", content=body, headers={**headers, **version})
        assert 400 <= answer.status_code < 500


async def runs_of(settings: Settings, owner: Owner) -> set[str]:
    """Return the ids of the runs that the database of the service has."""
    async with build_database(settings) as database:
        listed = await Traces(database).list_traces(owner)
    return {trace.id for trace in listed.traces}


@pytest.mark.parametrize("era", ERAS)
async def test_the_run_of_a_client_that_was_cut_off_comes_to_its_end(
    keyed: Keyed, era: str
) -> None:
    async def runs() -> set[str]:
        return await runs_of(keyed.settings, Owner(user="bob"))

    before = await runs()
    async with keyed.client("bob", era) as client:
        asked = {"question": QUESTION, "context": f"cut off in {era}"}
        calling = asyncio.create_task(client.call_tool("deep_research", asked))
        while await runs() == before:  # noqa: ASYNC110 - the server begins it
            await asyncio.sleep(0.05)
        calling.cancel()
        with suppress(asyncio.CancelledError):
            await calling
    (run_id,) = await runs() - before
    async with keyed.client("bob", era) as client:
        status = await client.call_tool("research_status", {"run_id": run_id, "wait_s": 25})
        assert data_of(status, StatusOutput).status is RunStatus.COMPLETED
        result = await client.call_tool("research_result", {"run_id": run_id})
        assert "Ada Finch" in data_of(result, ResearchOutput).answer


def test_a_call_that_waits_does_not_hold_up_a_server_that_stops(tmp_path: Path) -> None:
    answers: list[ResearchOutput] = []

    async def call(url: str) -> None:
        async with Client(f"{url}/mcp", mode="2026-07-28") as client:
            await client.list_tools()  # else asked for when the answer comes, to check its form
            asked = {"question": QUESTION, "wait": True}
            answers.append(data_of(await client.call_tool("deep_research", asked), ResearchOutput))

    settings = settings_in(tmp_path)
    with served(settings, workers=0, access=Access.OFF) as url:  # nobody makes it
        calling = threading.Thread(target=asyncio.run, args=(call(url),), daemon=True)
        calling.start()
        until = time.monotonic() + 60
        while not asyncio.run(runs_of(settings, Owner())):
            assert time.monotonic() < until
            time.sleep(0.1)
        time.sleep(0.5)
        assert not answers
        begun = time.monotonic()
    calling.join(20)
    assert time.monotonic() - begun < STOPS_S
    assert answers[0].status == "working"


async def test_a_client_of_a_time_with_sessions_is_told_that_nobody_can_be_asked(
    keyed: Keyed,
) -> None:
    """It can show a form, but there is no session in which the server could ask for one."""
    shown: list[str] = []

    async def show(context: object, params: ElicitRequestParams) -> ElicitResult:
        shown.append(params.message)
        return ElicitResult(action="accept", content={})

    headers = {"Authorization": f"Bearer {keyed.secrets['ann']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(f"{keyed.url}/mcp", http_client=http)
        async with Client(transport, mode="legacy", elicitation_callback=show) as client:
            asked = {
                "question": f"{QUESTION} When do storks return to Carrow?",
                "approve_plan": True,
            }
            told = text_of(await client.call_tool("deep_research", asked))
    assert "Over this connection the user cannot be asked" in told
    assert not shown
