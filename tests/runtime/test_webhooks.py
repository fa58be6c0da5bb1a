"""Webhooks of ended runs, against a real HTTP server on loopback."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from aiohttp import web
from pydantic import SecretStr, ValidationError
from sqlalchemy import select, update
from standardwebhooks import Webhook as Official
from tests.store.runs import whole_run

from quaere.domain.events import RunEvent, RunFinished
from quaere.domain.request import Listener, RunRequest, RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import UsageError
from quaere.runtime.app import App
from quaere.runtime.news import ENDED, News
from quaere.runtime.settings import Settings
from quaere.runtime.webhooks import Courier
from quaere.runtime.worker import WorkerPolicy
from quaere.store.carriers.database import take
from quaere.store.db.database import Database
from quaere.store.db.schema import webhooks
from quaere.store.jobs import Job, Jobs
from quaere.store.submission import Entry
from quaere.store.traces.privacy import Kept
from quaere.store.traces.recorder import TraceLog
from quaere.store.traces.traces import Traces
from quaere.store.webhooks import AT_ONCE, WAITS_S, Webhooks
from quaere.view.reduce import Summary

pytestmark = pytest.mark.anyio

ANN = Owner(user="ann")
SECRET = f"whsec_{base64.b64encode(b'0123456789abcdef0123456789abcdef').decode()}"


@dataclass
class Hook:
    """An address that is told, and answers as it is made to."""

    url: str = ""
    statuses: list[int] = field(default_factory=list[int])
    """Of the next answers; 204 after them."""
    taken: list[tuple[dict[str, str], bytes]] = field(
        default_factory=list[tuple[dict[str, str], bytes]]
    )

    body: bytes | None = None
    """Of all answers."""

    async def answer(self, request: web.Request) -> web.Response:
        if request.path == "/silent":
            await asyncio.sleep(60)
        self.taken.append((dict(request.headers), await request.read()))
        status = self.statuses.pop(0) if self.statuses else 204
        return web.Response(status=status, headers={"Location": "/elsewhere"}, body=self.body)

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _ in self.taken]

    def verified(self) -> list[dict[str, object]]:
        """Return the messages, checked by the library of the specification."""
        found = [Official(SECRET).verify(body, headers) for headers, body in self.taken]
        return cast("list[dict[str, object]]", found)


@pytest.fixture
async def hook() -> AsyncGenerator[Hook]:
    made = Hook()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = cast("tuple[str, int]", runner.addresses[0])
    made.url = f"http://{host}:{port}/told?token=t0ken"
    yield made
    await runner.cleanup()


@dataclass
class Place:
    database: Database
    settings: Settings

    @property
    def webhooks(self) -> Webhooks:
        return Webhooks(self.database)

    async def ended(self, name: str, url: str, compared_to: str | None = None) -> Job:
        """Have a run asked, taken and failed."""
        job = await self.taken(name, url, compared_to)
        await Jobs(self.database).end(job, TraceStatus.FAILED, "it could not begin")
        return job

    async def answered(self, name: str, url: str, text: str, compared_to: str | None = None) -> Job:
        """Have a run asked, taken, answered with ``text`` and settled."""
        job = await self.taken(name, url, compared_to)
        events = [
            event.model_copy(update={"report": event.report.model_copy(update={"answer": text})})
            if isinstance(event, RunFinished)
            else event
            for event in whole_run(run_id=name)
        ]
        log = TraceLog(Traces(self.database), ANN, name, Summary(), fence=job.fence)
        await log.append([Kept(event=cast("RunEvent", event)) for event in events])
        assert await Jobs(self.database).settle(job)
        return job

    async def taken(self, name: str, url: str, compared_to: str | None = None) -> Job:
        listener = Listener(url=url, compared_to=compared_to)
        spec = RunSpec.of(f"What is {name}?", run_id=name).model_copy(update={"listener": listener})
        await Jobs(self.database).submit(Entry.of(ANN, spec, params={"question": "What?"}))
        job = await take(self.database, name, "w")
        assert isinstance(job, Job)
        return job

    async def told(self) -> int:
        """Tell what is due, as a process that has just started does."""
        opened = Courier.open(self.settings, self.database, News())
        async with opened as courier, asyncio.TaskGroup() as group:
            return await courier.begin_due(group)

    async def due(self, within_s: float = 0.0) -> None:
        """Let time pass until the next attempt, which has to come ``within_s`` seconds."""
        limit = datetime.now(UTC) + timedelta(seconds=within_s)
        async with self.database.write() as connection:
            next_at = (await connection.execute(select(webhooks.c.next_at))).scalar_one()
            assert next_at is not None
            assert next_at <= limit
            await connection.execute(update(webhooks).values(next_at=datetime.now(UTC)))


@pytest.fixture(params=["sqlite", "postgres"])
async def place(
    request: pytest.FixtureRequest, tmp_path: Path, hook: Hook
) -> AsyncGenerator[Place]:
    url = f"sqlite:///{tmp_path / 'quaere.db'}"
    if request.param == "postgres":
        url = request.getfixturevalue("postgres").create()
    port = hook.url.split(":")[2].split("/")[0]
    settings = Settings(
        database_url=SecretStr(url),
        webhook_secret=SecretStr(SECRET),
        read_hosts=("127.0.0.1",),
        read_ports=(int(port),),
        data_dir=tmp_path / "data",
    )
    async with Database(url) as database:
        await database.upgrade()
        yield Place(database, settings)


async def test_an_ended_run_is_told_once_and_signed(place: Place, hook: Hook) -> None:
    await place.ended("a", hook.url)
    assert await place.told() == 1
    assert await place.told() == 0
    (message,) = hook.verified()
    assert message["type"] == "run.ended"
    assert message["data"] == {"run_id": "a", "status": "failed", "error": "it could not begin"}
    assert await place.webhooks.undelivered() == []


async def test_the_end_of_a_run_that_a_worker_made_is_told(place: Place, hook: Hook) -> None:
    await place.answered("a", hook.url, "The weir was rebuilt in 1803 [1].")
    await place.told()
    (message,) = hook.verified()
    assert message["data"] == {"run_id": "a", "status": "completed", "error": None}


async def test_what_is_not_taken_is_tried_again_later_by_any_process(
    place: Place, hook: Hook
) -> None:
    hook.statuses = [500, 302, 429]
    await place.ended("a", hook.url)
    for wait_s in WAITS_S[:3]:
        assert await place.told() == 1
        assert await place.told() == 0, "it waits"
        await place.due(within_s=wait_s)
    await place.told()
    assert len(hook.verified()) == 4, "each is signed for its own time"
    assert len(set(hook.ids)) == 1, "by which a listener knows them as one"
    assert all(body == hook.taken[0][1] for _, body in hook.taken)
    assert await place.webhooks.undelivered() == []


async def test_what_cannot_be_delivered_is_kept_and_can_be_delivered_again(
    place: Place, hook: Hook
) -> None:
    hook.statuses = [503] * (len(WAITS_S) + 1)
    await place.ended("a", hook.url)
    for attempt in range(len(WAITS_S) + 1):
        if attempt:
            await place.due(within_s=WAITS_S[attempt - 1])
        await place.told()
    (lost,) = await place.webhooks.undelivered()
    assert lost.next_at is None
    assert lost.error == "127.0.0.1 answered with status 503."
    assert await place.told() == 0
    await place.webhooks.redeliver(lost.id)
    await place.told()
    assert await place.webhooks.undelivered() == []
    assert set(hook.ids) == {lost.id}


async def test_the_status_of_an_answer_counts_and_not_its_length(place: Place, hook: Hook) -> None:
    hook.statuses, hook.body = [200], bytes(1_000_000)
    await place.ended("a", hook.url)
    await place.told()
    assert await place.webhooks.undelivered() == []


async def test_an_address_that_does_not_answer_holds_up_no_other(place: Place, hook: Hook) -> None:
    silent = hook.url.replace("/told", "/silent")
    for number in range(AT_ONCE - 1):
        await place.ended(f"silent-{number}", silent)
    news = News()
    async with Courier.open(place.settings, place.database, news) as courier:
        telling = asyncio.create_task(courier.run())
        async with asyncio.timeout(10):
            while len(courier.telling) < AT_ONCE - 1:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            for name in ("a", "b", "c"):
                await place.ended(name, hook.url)
            news.ring(ENDED)
            while len(hook.taken) < 3:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)


async def test_an_address_that_is_gone_is_left_alone_at_once(place: Place, hook: Hook) -> None:
    hook.statuses = [410]
    await place.ended("a", hook.url)
    await place.told()
    (lost,) = await place.webhooks.undelivered()
    assert lost.next_at is None


async def test_what_a_dead_process_was_telling_is_told_by_another(place: Place, hook: Hook) -> None:
    await place.ended("a", hook.url)
    (first,) = await place.webhooks.take()  # and it dies
    assert await place.told() == 0
    await place.due(within_s=61)
    await place.told()
    assert hook.ids == [first.id]
    await place.webhooks.failed(first, "too late")  # it was only frozen
    assert await place.webhooks.undelivered() == [], "its word no longer counts"


async def test_many_processes_tell_each_webhook_once(place: Place, hook: Hook) -> None:
    for number in range(8):
        await place.ended(f"run-{number}", hook.url)
    assert sum(await asyncio.gather(*(place.told() for _ in range(4)))) == 8
    assert len(set(hook.ids)) == len(hook.ids) == 8


async def test_private_addresses_are_not_asked_unless_they_are_listed_r3_3(
    place: Place, hook: Hook
) -> None:
    await place.ended("a", hook.url)
    unlisted = place.settings.model_copy(update={"read_hosts": ()})
    await Place(place.database, unlisted).told()
    assert hook.taken == []
    (lost,) = await place.webhooks.undelivered()
    assert lost.next_at is None
    assert "may not be requested" in (lost.error or "")
    assert "t0ken" not in (lost.error or "")


async def test_a_run_that_was_deleted_is_told_to_nobody(place: Place, hook: Hook) -> None:
    await place.ended("a", hook.url)
    await Traces(place.database).delete(ANN, "a")
    assert await place.told() == 0
    assert hook.taken == []


async def test_a_repeated_question_is_told_only_when_something_changed(
    place: Place, hook: Hook
) -> None:
    await place.answered("a", hook.url, "It was rebuilt in 1803 [1].")
    await place.answered("b", hook.url, "It was rebuilt  in 1803 [1].", compared_to="a")
    await place.answered("c", hook.url, "It was torn down in 1951 [1].", compared_to="b")
    while await place.told():
        pass
    told = hook.verified()
    assert [each["type"] for each in told] == ["run.ended", "run.changed"]
    data = cast("dict[str, object]", told[1]["data"])
    assert (data["run_id"], data["compared_to"]) == ("c", "b")
    assert data["answer"] == "It was torn down in 1951 [1]."
    assert data["answer_before"] == "It was rebuilt  in 1803 [1]."


async def test_an_address_is_judged_when_a_run_is_asked_for(place: Place, hook: Hook) -> None:
    async with App.open(place.settings) as app:
        request = RunRequest.of(question="When was the weir rebuilt?")
        await app.submit(RunSpec(request=request, listener=Listener(url=hook.url)), ANN)
        for url in ("http://10.0.0.1/", "file:///etc/passwd", "nonsense"):
            with pytest.raises(UsageError, match="webhook"):
                await app.submit(RunSpec(request=request, listener=Listener(url=url)), ANN)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_c2hvcnQ=", "not base64 at all!"])
def test_a_key_that_is_no_key_is_refused_and_not_repeated(secret: str) -> None:
    with pytest.raises(ValidationError, match="24 to 64 random bytes") as told:
        Settings(webhook_secret=SecretStr(secret))
    assert not secret or "c2hvcnQ" not in str(told.value)


async def test_the_message_holds_no_question_and_no_answer(place: Place, hook: Hook) -> None:
    await place.answered("a", hook.url, "The weir was rebuilt in 1803 [1].")
    await place.told()
    body = json.loads(hook.taken[0][1])
    assert set(body) == {"type", "timestamp", "data"}
    assert b"weir" not in hook.taken[0][1]


async def test_a_process_with_the_key_tells_of_the_runs_that_it_makes(
    tmp_path: Path, place: Place, hook: Hook
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "weir.md").write_text("# The weir\n\nThe weir at Sket was rebuilt in 1803.\n")
    changes = {"webhook_url": SecretStr(hook.url), "docs": (notes,), "cache_dir": tmp_path / "c"}
    async with App.open(place.settings.model_copy(update=changes)) as app:
        telling = asyncio.create_task(app.tell_webhooks())
        request = RunRequest.of(question="When was the weir at Sket rebuilt?", docs=(notes,))
        trace = await app.submit(request, ANN)
        await (await app.worker(WorkerPolicy(drain=True))).run()
        async with asyncio.timeout(60):
            while not hook.taken:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)
    (message,) = hook.verified()
    assert message["data"] == {"run_id": trace.id, "status": "completed", "error": None}
