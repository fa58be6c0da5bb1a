"""What webhooks are told, by which answers it counts as told, and with which keys."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncGenerator, Collection
from pathlib import Path
from typing import cast

import pytest
from aiohttp import web
from pydantic import SecretStr, ValidationError
from tests.runtime.test_webhooks import ANN, SECRET, Hook, Place

from quaere.domain.request import Listener, RunSpec
from quaere.domain.trace import TraceStatus
from quaere.errors import SettingsError, StoreUnavailable, UsageError
from quaere.runtime import webhooks as module
from quaere.runtime.app import App
from quaere.runtime.news import ENDED, News
from quaere.runtime.settings import Settings
from quaere.runtime.webhooks import Courier, changed, checked, operators
from quaere.store.carriers.database import take
from quaere.store.db.database import Database
from quaere.store.jobs import Job, Jobs
from quaere.store.traces.traces import Traces
from quaere.store.webhooks import AT_ONCE, Webhooks
from quaere.view.story import Comparison, Sides

pytestmark = pytest.mark.anyio

SOON_S = 20.0


class Slow(Hook):
    """Takes a while to answer."""

    wait_s = 0.0
    elsewhere = ""
    """The same, as if it were another server."""

    async def answer(self, request: web.Request) -> web.Response:
        await asyncio.sleep(self.wait_s)
        return await super().answer(request)


@pytest.fixture
async def hook() -> AsyncGenerator[Slow]:
    made = Slow()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = cast("tuple[str, int]", runner.addresses[0])
    made.url = f"http://{host}:{port}/told"
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = cast("tuple[str, int]", runner.addresses[1])
    made.elsewhere = f"http://{host}:{port}/told"
    yield made
    await runner.cleanup()


@pytest.fixture
async def place(tmp_path: Path, hook: Slow) -> AsyncGenerator[Place]:
    url = f"sqlite:///{tmp_path / 'quaere.db'}"
    settings = Settings(
        database_url=SecretStr(url),
        webhook_secret=SecretStr(SECRET),
        read_hosts=("127.0.0.1",),
        read_ports=tuple(
            int(url.split(":")[2].split("/")[0]) for url in (hook.url, hook.elsewhere)
        ),
        data_dir=tmp_path / "data",
    )
    async with Database(url) as database:
        await database.upgrade()
        yield Place(database, settings)


@pytest.mark.parametrize("status", [200, 204, 299, 300, 404, 500])
async def test_only_an_answer_of_success_counts_as_taken(
    place: Place, hook: Slow, status: int
) -> None:
    hook.statuses = [status]
    await place.ended("a", hook.url)
    assert await place.told() == 1
    undelivered = [each.error for each in await place.webhooks.undelivered()]
    told = status < 300
    assert undelivered == ([] if told else [f"127.0.0.1 answered with status {status}."])


async def test_an_address_that_does_not_answer_in_time_is_told_later(
    place: Place, hook: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TIMEOUT_S", 0.2)
    hook.wait_s = 5.0
    await place.ended("a", hook.url)
    async with asyncio.timeout(4.0):
        await place.told()
    (late,) = await place.webhooks.undelivered()
    assert late.error == "127.0.0.1 did not answer within 0.2 s."
    assert late.next_at is not None


async def test_a_slow_server_leaves_half_of_the_room_to_others_at_whatever_addresses(
    place: Place, hook: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TIMEOUT_S", 0.2)
    monkeypatch.setattr(module, "SLOW_S", 0.1)
    hook.wait_s = 5.0
    for number in range(AT_ONCE):
        await place.ended(f"first-{number}", f"{hook.url}?run={number}")
    async with Courier.open(place.settings, place.database, News()) as courier:
        async with asyncio.TaskGroup() as group:
            assert await courier.begin_due(group) == AT_ONCE
        assert [*courier.slow] == [hook.url.removesuffix("told")]
        for number in range(AT_ONCE):
            await place.ended(f"then-{number}", f"{hook.url}?run=then-{number}")
        await place.ended("other", hook.elsewhere)
        async with asyncio.TaskGroup() as group:
            assert await courier.begin_due(group) == 1 + AT_ONCE // 2
            assert hook.elsewhere in courier.telling.values()
            hook.wait_s = 0.0
            monkeypatch.setattr(module, "TIMEOUT_S", SOON_S)
            monkeypatch.setattr(module, "SLOW_S", SOON_S)
        assert not courier.slow, "one that answers soon is slow no more"


async def test_a_server_that_takes_its_time_is_slow_though_it_answers(
    place: Place, hook: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SLOW_S", 0.1)
    hook.wait_s = 0.3
    await place.ended("a", hook.url)
    async with Courier.open(place.settings, place.database, News()) as courier:
        async with asyncio.TaskGroup() as group:
            await courier.begin_due(group)
        assert len(courier.slow) == 1
    assert await place.webhooks.undelivered() == []


async def test_an_address_is_kept_as_it_is_asked_for(place: Place, hook: Slow) -> None:
    """Other parsers take another host out of what browsers understand, or none."""
    written = "https:\\\\HOOKS.example\\[a#b"
    async with App.open(place.settings) as app:
        asked = RunSpec.of("What is a weir?").model_copy(update={"listener": Listener(url=written)})
        run = await app.submit(asked, ANN)
        job = await take(place.database, run.id, "w")
        assert isinstance(job, Job)
        await Jobs(place.database).end(job, TraceStatus.FAILED, "it could not begin")
    (told,) = await place.webhooks.of(ANN)
    assert (told.url, told.host) == ("https://hooks.example/[a", "hooks.example")


async def test_an_address_that_cannot_be_read_is_listed(place: Place) -> None:
    await place.ended("a", "https://hooks.example\\[a")
    (told,) = await place.webhooks.of(ANN)
    assert told.host == ""


async def test_users_are_not_shown_the_operators_address_however_it_is_kept(
    place: Place, hook: Slow
) -> None:
    written = "https://HOOKS.example?key=1"
    settings = place.settings.model_copy(update={"webhook_url": SecretStr(written)})
    for name, url in (("a", written), ("b", checked(settings, written)), ("c", hook.url)):
        await place.ended(name, url)
    shown = await place.webhooks.of(ANN, without=operators(settings))
    assert [each.run_id for each in shown] == ["c"]
    assert operators(place.settings) == ()


async def test_a_message_has_the_time_at_which_its_run_ended(place: Place, hook: Slow) -> None:
    await place.answered("a", hook.url, "It was rebuilt in 1803 [1].")
    await place.told()
    (message,) = hook.verified()
    ended = (await Traces(place.database).get_trace(ANN, "a")).completed_at
    assert ended
    assert message["timestamp"] == ended.isoformat()
    assert hook.taken[0][0]["Content-Type"] == "application/json"
    assert hook.taken[0][0]["User-Agent"].startswith("Quaere")


async def test_a_repeated_question_that_failed_is_told_as_ended(place: Place, hook: Slow) -> None:
    await place.answered("a", hook.url, "It was rebuilt in 1803 [1].")
    await place.ended("b", hook.url, compared_to="a")
    while await place.told():
        pass
    assert {message["type"] for message in hook.verified()} == {"run.ended"}
    assert len(hook.taken) == 2


async def test_what_it_is_compared_with_may_be_gone(place: Place, hook: Slow) -> None:
    await place.answered("b", hook.url, "It was rebuilt in 1803 [1].", compared_to="gone")
    assert await place.told() == 1
    assert [message["type"] for message in hook.verified()] == ["run.ended"]
    assert await place.webhooks.undelivered() == []


@pytest.mark.parametrize(
    ("answers", "first", "second", "is_changed"),
    [
        (("It was.", "It  was."), (), (), False),
        (("It was.", "It is."), (), (), True),
        (("It was.", "It was."), ("https://a.test/",), (), True),
        (("It was.", "It was."), (), ("https://a.test/",), True),
    ],
)
def test_another_answer_or_source_is_a_change(
    answers: tuple[str, str], first: tuple[str, ...], second: tuple[str, ...], *, is_changed: bool
) -> None:
    comparison = Comparison.model_construct(
        answers=answers, sources=Sides(first=first, second=second, both=())
    )
    assert changed(comparison) is is_changed


@pytest.mark.parametrize(
    ("size", "is_key"), [(0, False), (23, False), (24, True), (64, True), (65, False)]
)
@pytest.mark.parametrize("mark", ["whsec_", ""])
def test_a_key_has_24_to_64_bytes(size: int, mark: str, *, is_key: bool) -> None:
    secret = SecretStr(mark + base64.b64encode(b"k" * size).decode())
    if is_key:
        settings = Settings(webhook_secret=secret)
        checked(settings, "https://hooks.example/told")
        with pytest.raises(UsageError, match="cannot be used"):
            checked(settings, "http://10.0.0.1/")
    else:
        with pytest.raises(ValidationError, match="24 to 64 random bytes"):
            Settings(webhook_secret=secret)


async def test_without_a_key_nothing_is_told(place: Place) -> None:
    without = place.settings.model_copy(update={"webhook_secret": None})
    with pytest.raises(SettingsError, match="set QUAERE_WEBHOOK_SECRET"):
        checked(without, "https://hooks.example/told")


async def test_ends_are_told_as_they_come_and_after_a_database_that_was_away(
    place: Place, hook: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    take, failed = Webhooks.take, list[bool]()

    async def failing(self: Webhooks, most: int, **addresses: Collection[str]) -> object:
        if not failed:
            failed.append(True)
            raise StoreUnavailable("It is away.")
        return await take(self, most, **addresses)

    monkeypatch.setattr(Webhooks, "take", failing)
    news = News()
    async with Courier.open(place.settings, place.database, news) as courier:
        telling = asyncio.create_task(courier.run())
        for name in ("a", "b"):
            await place.ended(name, hook.url)
            async with asyncio.timeout(SOON_S):
                while name not in {message_of(each) for each in hook.verified()}:
                    news.ring(ENDED)
                    await asyncio.sleep(0.05)
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)
    assert failed


async def test_what_was_taken_is_told_though_the_database_is_away_for_slow_addresses(
    place: Place, hook: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = Webhooks.take

    async def failing(self: Webhooks, most: int, **addresses: Collection[str]) -> object:
        if addresses.get("to"):
            raise StoreUnavailable("It is away.")
        return await take(self, most, **addresses)

    monkeypatch.setattr(Webhooks, "take", failing)
    await place.ended("a", hook.url)
    async with Courier.open(place.settings, place.database, News()) as courier:
        courier.slow["https://hooks.example/slow"] = None
        async with asyncio.TaskGroup() as group:
            with pytest.raises(StoreUnavailable):
                await courier.begin_due(group)
    assert [message_of(each) for each in hook.verified()] == ["a"]


def message_of(message: dict[str, object]) -> object:
    return cast("dict[str, object]", message["data"])["run_id"]
