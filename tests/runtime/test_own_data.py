"""What is held of a user comes whole in one archive, and goes whole; nobody else's does."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update
from tests.store.runs import PASSAGES, whole_run

from quaere.domain.conversation import ChatRole, NewMessage
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.trace import Owner
from quaere.errors import TraceConflict
from quaere.runtime import own_data
from quaere.runtime.app import App
from quaere.runtime.folders import Folders
from quaere.runtime.own_data import erase_data, export_data, keep_within
from quaere.runtime.settings import Settings
from quaere.runtime.stored_runs import run_path
from quaere.store.conversations import Conversations
from quaere.store.db.schema import run_events, tool_traces
from quaere.store.keys import Keys
from quaere.store.recording.run_file import RunFile
from quaere.store.schedules import Schedules, Timing
from quaere.store.traces.privacy import Privacy, TraceRedactor
from quaere.store.traces.recorder import TraceLog
from quaere.store.traces.spool import Head, Spool
from quaere.view.reduce import Summary

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann", org="mills"), Owner(user="ben")
NOTE = b"# The weir\n\nThe weir at Sket was rebuilt by Odo Farrier in 1803.\n"


@pytest.fixture
async def app(tmp_path: Path) -> AsyncGenerator[App]:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "town.md").write_text("# Orrin\n\nIt has a mill.\n")
    settings = Settings(
        data_dir=tmp_path / "data", cache_dir=tmp_path / "cache", docs=(tmp_path / "records",)
    )
    async with App.open(settings) as app:
        yield app


async def run_of(app: App, owner: Owner, run_id: str) -> None:
    """Keep a run that came to a report."""
    traces = await app.traces()
    await traces.create_trace(owner, {"question": "Who?"}, trace_id=run_id)
    redactor = TraceRedactor(Privacy(), PASSAGES.__getitem__)
    kept = [redactor.take(event) for event in whole_run(run_id=run_id)]
    await TraceLog(traces, owner, run_id, Summary()).append(kept)


async def talk_of(app: App, owner: Owner, title: str) -> str:
    talks = Conversations(await app.database())
    talk = await talks.start(owner, title)
    await talks.add(owner, talk.id, [NewMessage(role=ChatRole.USER, content="Who?")])
    return talk.id


async def folder_of(app: App, owner: Owner, **files: bytes) -> str:
    async def sent(content: bytes) -> AsyncIterator[bytes]:
        yield content

    folders = Folders(app.resources, await app.database())
    folder = await folders.create(owner, "Weirs")
    for name, content in files.items():
        await folders.add_file(owner, folder.id, f"{name}.md", sent(content))
    return folder.id


async def archive_of(app: App, owner: Owner) -> zipfile.ZipFile:
    def shown(text: str) -> str:
        return text.replace("Who?", "(masked)")

    pieces = [piece async for piece in export_data(app, owner, shown)]
    archive = zipfile.ZipFile(io.BytesIO(b"".join(pieces)))
    assert archive.testzip() is None
    return archive


async def test_an_archive_has_all_that_is_held_of_a_user(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_data, "PAGE", 2)  # so that there are several
    runs = ["a", "b/c", "d", "e"]
    for run_id in runs:
        await run_of(app, ANN, run_id)
    talks = [await talk_of(app, ANN, title) for title in ("x", "y", "z")]
    folder = await folder_of(app, ANN, weir=NOTE, mill=b"# The mill\n")
    _, secret = await Keys(await app.database()).create(ANN, "laptop")
    timing = Timing.of("every monday 8:00", "UTC")
    await Schedules(await app.database()).add(ANN, RunRequest.of(question="Where?"), timing)
    await run_of(app, BEN, "bens")
    await talk_of(app, BEN, "bens")
    archive = await archive_of(app, ANN)
    assert set(archive.namelist()) == {
        "account.json",
        *(f"runs/{name}.json" for name in ("a", "b%2Fc", "d", "e")),
        *(f"conversations/{talk}.json" for talk in talks),
        f"folders/{folder}/weir.md",
        f"folders/{folder}/mill.md",
    }
    assert archive.read(f"folders/{folder}/weir.md") == NOTE
    account = json.loads(archive.read("account.json"))
    assert account["owner"] == {"user": "ann", "org": "mills"}
    assert [each["name"] for each in account["keys"]] == ["laptop"]
    assert secret not in archive.read("account.json").decode()
    assert [each["request"]["question"] for each in account["schedules"]] == ["Where?"]
    run = json.loads(archive.read("runs/b%2Fc.json"))
    assert run["trace"]["id"] == "b/c"
    assert len(run["events"]) == len(whole_run())
    assert run["report"]
    talk = json.loads(archive.read(f"conversations/{talks[0]}.json"))
    assert [each["content"] for each in talk["messages"]] == ["(masked)"]
    assert b"Who?" not in archive.read("runs/a.json")


async def test_an_archive_has_why_a_run_cannot_be_read_and_all_the_others(app: App) -> None:
    for name in ("old", "torn", "new"):
        await run_of(app, ANN, name)
    async with (await app.database()).write() as connection:
        torn = run_events.c.run_id == "torn"
        await connection.execute(update(run_events).where(torn).values(body="{"))
        odd = tool_traces.c.id == "old"
        await connection.execute(update(tool_traces).where(odd).values(status="dancing"))
    archive = await archive_of(app, ANN)
    told = {name: json.loads(archive.read(f"runs/{name}.json")) for name in ("old", "torn", "new")}
    assert told["torn"] == {
        "id": "torn",
        "error": "An event of this run is damaged: it is cut off.",
    }
    assert "(status)" in told["old"]["error"]
    assert told["new"]["events"]


async def test_one_of_whom_nothing_is_held_gets_an_account_and_no_more(app: App) -> None:
    await run_of(app, BEN, "bens")
    assert (await archive_of(app, ANN)).namelist() == ["account.json"]


async def test_files_of_any_size_are_sent_in_pieces_and_packed(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without being told, a ZIP archive that cannot be sought in takes no more than 2 GB a file."""
    monkeypatch.setattr(own_data, "CHUNK_BYTES", 1_000)
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 10_000)
    large = NOTE * 1_000
    folder = await folder_of(app, ANN, large=large, empty=b"\n")
    archive = await archive_of(app, ANN)
    assert archive.read(f"folders/{folder}/large.md") == large
    assert archive.read(f"folders/{folder}/empty.md") == b"\n"
    packed = archive.getinfo(f"folders/{folder}/large.md")
    assert packed.compress_size < len(large) / 10


async def test_all_of_a_user_goes_with_files_to_resume_from_and_nothing_of_others(
    app: App, tmp_path: Path
) -> None:
    folders = Folders(app.resources, await app.database())
    for owner, name in ((ANN, "anns"), (BEN, "bens")):
        await run_of(app, owner, name)
        await talk_of(app, owner, name)
        await folder_of(app, owner, weir=NOTE)
        for stopped in (name, f"{name}-stopped"):  # of the second there is no trace
            spec = RunSpec.of("Who?", run_id=stopped).model_copy(update={"owner": owner})
            RunFile.create(run_path(app.settings, stopped), spec).close()
    (mine,) = [each for each in await folders.list(ANN) if not each.read_only]
    path = await folders.path_of(ANN, mine.id)
    assert await erase_data(app, ANN) == ("anns",)
    assert (await archive_of(app, ANN)).namelist() == ["account.json"]
    assert not path.exists()
    left = sorted(path.stem for path in (tmp_path / "data" / "runs").glob("*.run"))
    assert left == ["bens", "bens-stopped"]
    assert len((await archive_of(app, BEN)).namelist()) == 4
    assert await erase_data(app, ANN) == ()


async def test_nothing_is_deleted_while_a_command_makes_a_run_that_would_come_back(
    app: App, tmp_path: Path
) -> None:
    await run_of(app, ANN, "anns")
    head = Head(trace_id="going", owner=ANN, created_at=datetime.now(UTC))
    with Spool(tmp_path / "data" / "events", head):
        with pytest.raises(TraceConflict, match="The run going is in progress"):
            await erase_data(app, ANN)
        assert "runs/anns.json" in (await archive_of(app, ANN)).namelist()
        assert await erase_data(app, BEN) == ()
    assert await erase_data(app, ANN) == ("anns", "going")


async def test_what_the_database_refused_of_a_user_goes_as_well(app: App, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "events"
    for owner in (ANN, BEN):
        head = Head(trace_id=owner.user, owner=owner, created_at=datetime.now(UTC))
        Spool(folder, head).close()
        path = folder / f"{owner.user}.events"
        path.write_bytes(path.read_bytes() + b"{}\n")
    assert await erase_data(app, ANN) == (ANN.user,)
    assert [path.name for path in folder.glob("*.refused")] == [f"{BEN.user}.refused"]


async def kept_by(settings: Settings) -> set[str]:
    async with App.open(settings) as app:
        traces = await app.traces()
        for name, owner, days in (("old", ANN, 40), ("pinned", ANN, 40), ("new", BEN, 1)):
            begun = datetime.now(UTC) - timedelta(days=days)
            await traces.create_trace(owner, {}, trace_id=name, created_at=begun)
        await traces.label(ANN, "pinned", pinned=True)
        keeping = asyncio.create_task(keep_within(app, every_s=0.05))
        await asyncio.sleep(0.5)
        keeping.cancel()
        await asyncio.wait([keeping])
        listed = [*(await traces.list_traces(ANN)).traces, *(await traces.list_traces(BEN)).traces]
    return {trace.id for trace in listed}


async def test_everybodys_old_runs_go_but_not_those_that_are_pinned(tmp_path: Path) -> None:
    assert await kept_by(Settings(data_dir=tmp_path, keep_days=30)) == {"pinned", "new"}


async def pruned(app: App, listed: Callable[[], Awaitable[Sequence[object]]]) -> None:
    """Keep within the settings until nothing is ``listed`` any more."""
    keeping = asyncio.create_task(keep_within(app, every_s=0.05))
    async with asyncio.timeout(10):
        while await listed():  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    keeping.cancel()
    await asyncio.wait([keeping])


async def test_old_conversations_go_with_old_runs(tmp_path: Path) -> None:
    async with App.open(Settings(data_dir=tmp_path, keep_days=1e-6)) as app:
        talks = Conversations(await app.database())

        async def listed() -> Sequence[object]:
            return (await talks.list(ANN)).conversations

        await talks.start(ANN, "The weir")
        await pruned(app, listed)


async def test_runs_go_that_take_more_room_than_is_allowed(tmp_path: Path) -> None:
    async with App.open(Settings(data_dir=tmp_path, keep_bytes=1)) as app:
        traces = await app.traces()

        async def listed() -> Sequence[object]:
            return (await traces.list_traces(BEN)).traces

        await run_of(app, BEN, "large")
        await pruned(app, listed)


async def test_everything_is_kept_unless_the_settings_say_otherwise(tmp_path: Path) -> None:
    assert await kept_by(Settings(data_dir=tmp_path)) == {"old", "pinned", "new"}
