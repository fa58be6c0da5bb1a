# pyright: reportUnknownMemberType=false
"""Carries runs by NATS JetStream: any number of machines, which share it and the database.

The stream holds names of runs only, one message a run, in subjects of three levels of priority. A
worker that asks is given the next message of the highest level. Until the worker says that the run
is done, the message stays; without a sign of life for ``ack_wait`` it is delivered to another.

The whole stream can be lost: `NatsCarrier.sweep` makes it anew from the database. News are plain
messages, which reach those who listen just then.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from base64 import urlsafe_b64encode
from collections.abc import AsyncGenerator, Collection, Generator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from typing import Final, Self
from uuid import uuid4

import nats
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import APIError, NoStreamResponseError

from quaere.errors import SettingsError, StoreError, StoreUnavailable
from quaere.store.carriers import QUEUE, Delivery
from quaere.store.carriers.database import Denied, take
from quaere.store.db.database import Database
from quaere.store.jobs import Job, Jobs

LEVELS = ("high", "normal", "low")
"""Priorities above 0, of 0 and below 0."""
LATER_S = 2.0
"""Seconds after which a run is tried again whose user had as many as allowed."""
LOOKS = 12
"""How often an idle worker asks for a run in the time after which a silent one loses its own."""
REFUSED = 50
"""Runs that cannot be made now and that are passed over at most, each time a worker asks."""
PAGE = 500
"""Runs that are offered again at a time."""
AT_ONCE = 50
"""Of these, how many are on their way at a time."""
ANSWERS_S = 5.0
"""Seconds that the server has to answer."""
PING_S = 5
"""Seconds after which the server is asked for a sign of life. If it gives none twice, as when it is
cut off, the connection is made anew."""
REPLICAS = 3
"""Copies of the stream in a cluster of at least as many servers."""
_DUPLICATE = 10077
"""Error code of JetStream: the subject has a message already."""
_NOT_NEW = (10058, 10065)
"""Error codes of JetStream: the stream is there, or its subjects are, otherwise configured."""
_ADDRESS = re.compile(r"(?P<scheme>nats|tls)://(?P<servers>[^/?#]+)(?:/(?P<name>[\w-]{1,32}))?/?")
_NEXT = json.dumps({"batch": 1, "no_wait": True}).encode()

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Address:
    """Servers of one cluster, and the name under which an installation uses them."""

    servers: tuple[str, ...]
    name: str

    @classmethod
    def of(cls, url: str) -> Self:
        """Return what ``nats://[USER:PASSWORD@]HOST[:PORT][,HOST...][/NAME]`` says.

        Raises:
            SettingsError: when it says something else.
        """
        found = _ADDRESS.fullmatch(url)
        if found is None:
            raise SettingsError(
                "The URL of the carrier is not valid. Use nats://HOST:PORT[,HOST:PORT...]."
            )
        servers = list(filter(None, found["servers"].split(",")))
        who = servers[0].rpartition("@")[0]
        told = [part if "@" in part or not who else f"{who}@{part}" for part in servers]
        return cls(tuple(f"{found['scheme']}://{part}" for part in told), found["name"] or "quaere")

    def __str__(self) -> str:
        """Return the servers, without user and password."""
        return ",".join(each.rpartition("@")[2].rpartition("/")[2] for each in self.servers)


@dataclass(frozen=True, slots=True)
class NatsDelivery:
    """A run whose message is delivered to this worker."""

    job: Job
    message: Msg

    async def done(self) -> None:
        """Have the message removed."""
        with _typed():
            await self.message.ack()

    async def back(self) -> None:
        """Have the message delivered to another worker now."""
        with _typed():
            await self.message.nak()


class NatsCarrier:
    """A `quaere.store.carriers.Carrier` over JetStream; the database is asked by name."""

    def __init__(self, url: str, database: Database) -> None:
        """Connect to nothing yet.

        Raises:
            SettingsError: when the address is not valid.
        """
        self._address = Address.of(url)
        self.database: Final = database
        self._jobs = Jobs(database)
        self._self = uuid4().hex
        self._client: Client | None = None
        self._opening = asyncio.Lock()
        self._swept = ""
        self._lease_s: float | None = None
        self._heard: set[asyncio.Queue[str]] = set()

    @property
    def name(self) -> str:
        """The servers."""
        return f"nats://{self._address}"

    @property
    def wakes(self) -> bool:
        """Whether it is connected."""
        return self._client is not None and self._client.is_connected

    async def check(self) -> None:
        """Ask JetStream, which has to be switched on in the server, how it stands."""
        with _typed():
            await (await self._connected()).jsm().account_info()

    async def offer(self, run_id: str, priority: int) -> None:
        """Put the run into the stream, which refuses it when it is there, and wake the workers."""
        with _typed():
            await self._put(run_id, priority)
        await self.tell((QUEUE,))

    async def take(
        self, worker: str, *, lease_s: float, per_user: int | None = None
    ) -> Delivery | None:
        """Return the next run of the highest level of priority that has any."""
        for level in LEVELS:
            for _ in range(REFUSED):
                message = await self._pull(level, lease_s)
                if message is None:
                    break
                try:
                    run_id = message.data.decode()
                    taken = await take(self.database, run_id, worker, per_user=per_user)
                except (StoreError, asyncio.CancelledError):
                    await message.nak(LATER_S)
                    raise
                if isinstance(taken, Job):
                    return NatsDelivery(taken, message)
                with _typed():
                    await (message.ack() if taken is Denied.OVER else message.nak(LATER_S))
        return None

    async def due_s(self) -> float:
        """Return a small part of ``ack_wait``: the stream does not tell when it ends for whom."""
        return (self._lease_s or 0.0) / LOOKS

    async def beat(self, held: Sequence[Delivery], *, lease_s: float) -> None:
        """Have the messages stay with this worker for another ``ack_wait``."""
        del lease_s  # a property of the consumers
        if not self.wakes:
            raise StoreUnavailable(f"Not connected to {self.name}.")
        with _typed():
            for each in held:
                if isinstance(each, NatsDelivery):
                    await each.message.in_progress()

    async def withdraw(self, run_id: str) -> None:
        """Remove the message of the run, at whatever level it is."""
        with _typed():
            manager = (await self._connected()).jsm()
            for level in LEVELS:
                await manager.purge_stream(self._stream, subject=self._subject(level, run_id))

    async def sweep(self) -> bool:
        """Offer the next runs again, in the order of their ids and around."""
        runs = await self._jobs.listed(self._swept, PAGE)
        self._swept = max(runs) if len(runs) == PAGE else ""
        lost, pairs = 0, list(runs.items())
        with _typed():
            for start in range(0, len(pairs), AT_ONCE):
                put = (self._put(*pair) for pair in pairs[start : start + AT_ONCE])
                lost += sum(await asyncio.gather(*put))
        if lost:
            await self.tell((QUEUE,))
        return lost > PAGE // 2

    async def tell(self, subjects: Collection[str]) -> None:
        """Send the subjects to all who listen."""
        with _typed():
            client = await self._connected()
            # Its `flush` is not for this: one that is given up ends what reads from the connection.
            await client.publish(self._news, "\n".join((self._self, *subjects)).encode())

    async def news(self) -> AsyncGenerator[str]:
        """Yield the subjects that others send; "" when news may have been lost."""
        heard, listens = asyncio.Queue[str](), asyncio.Event()

        async def take_in(message: Msg) -> None:
            sender, *subjects = message.data.decode("utf-8", "replace").split("\n")
            if sender == self._self:
                listens.set()
            else:
                for subject in subjects:
                    heard.put_nowait(subject)

        with _typed():
            client = await self._connected()
            listening = await client.subscribe(self._news, cb=take_in)
        self._heard.add(heard)
        try:
            await self.tell(())  # to itself: once it comes, what others tell comes, too
            with _typed():
                async with asyncio.timeout(ANSWERS_S):
                    await listens.wait()
            yield ""
            while True:
                yield await heard.get()
        finally:
            self._heard.discard(heard)
            if not client.is_closed:
                await listening.unsubscribe()

    async def aclose(self) -> None:
        """Send what is on its way and close the connection."""
        client, self._client = self._client, None
        if client is None or client.is_closed:
            return
        try:
            await client.flush(1)
        except (nats.errors.Error, TimeoutError, OSError) as error:
            logger.info("%s: %s", self.name, error)
        await client.close()

    @property
    def _stream(self) -> str:
        return f"{self._address.name}-runs"

    @property
    def _news(self) -> str:
        return f"{self._address.name}.news"

    def _subject(self, level: str, run_id: str) -> str:
        return f"{self._address.name}.runs.{level}.{_token(run_id)}"

    async def _put(self, run_id: str, priority: int) -> bool:
        """Publish the name of the run; return whether the stream did not have it."""
        level = LEVELS[(priority <= 0) + (priority < 0)]
        stream = (await self._connected()).jetstream(timeout=ANSWERS_S)
        message = (self._subject(level, run_id), run_id.encode())
        try:
            try:
                await stream.publish(*message)
            except NoStreamResponseError:
                await self._make_stream()
                await stream.publish(*message)
        except APIError as error:
            if error.err_code != _DUPLICATE:
                raise
            return False
        return True

    async def _pull(self, level: str, lease_s: float) -> Msg | None:
        """Return the next message of a level that nobody has; None when there is none."""
        with _typed():
            if self._lease_s != lease_s:
                await self._make_consumers(lease_s)
            try:
                message = await self._asked(level)
            except nats.errors.NoRespondersError:  # the stream is lost
                await self._make_consumers(lease_s)
                message = await self._asked(level)
        return None if "Status" in (message.headers or {}) else message

    async def _asked(self, level: str) -> Msg:
        """Return the next message, or a status in its place."""
        subject = f"$JS.API.CONSUMER.MSG.NEXT.{self._stream}.{level}"
        client = await self._connected()
        # In the old style, because a message that is delivered keeps its subject.
        return await client.request(subject, _NEXT, timeout=ANSWERS_S, old_style=True)

    async def _make_stream(self) -> None:
        """Make the stream, unless it is there."""
        config = StreamConfig(
            name=self._stream,
            subjects=[f"{self._address.name}.runs.*.*"],
            retention=RetentionPolicy.WORK_QUEUE,
            storage=StorageType.FILE,
            discard=DiscardPolicy.NEW,
            max_msgs_per_subject=1,
            discard_new_per_subject=True,
            num_replicas=REPLICAS if len(self._address.servers) >= REPLICAS else 1,
        )
        try:
            await (await self._connected()).jsm().add_stream(config)
        except APIError as error:
            if error.err_code not in _NOT_NEW:
                raise

    async def _make_consumers(self, lease_s: float) -> None:
        """Make stream and consumers, which all workers share, or set their ``ack_wait``."""
        await self._make_stream()
        manager = (await self._connected()).jsm()
        for level in LEVELS:
            config = ConsumerConfig(
                durable_name=level,
                ack_policy=AckPolicy.EXPLICIT,
                ack_wait=lease_s,
                max_deliver=-1,
                max_ack_pending=-1,
                filter_subject=f"{self._address.name}.runs.{level}.*",
            )
            await manager.add_consumer(self._stream, config)
        self._lease_s = lease_s

    async def _connected(self) -> Client:
        """Return the client, which connects again by itself once it was connected."""
        async with self._opening:
            if self._client is not None and not self._client.is_closed:
                return self._client

            async def noted(error: Exception) -> None:
                logger.info("%s: %s", self.name, error)

            async def back_again() -> None:
                for heard in self._heard:
                    heard.put_nowait("")

            client = Client()
            async with AsyncExitStack() as failing:
                failing.push_async_callback(client.close)
                async with asyncio.timeout(ANSWERS_S):
                    await client.connect(
                        servers=list(self._address.servers),
                        name=self._self,
                        connect_timeout=2,
                        reconnect_time_wait=1,
                        ping_interval=PING_S,
                        max_outstanding_pings=2,
                        max_reconnect_attempts=-1,
                        error_cb=noted,
                        reconnected_cb=back_again,
                    )
                failing.pop_all()
            self._client = client
            return client


@contextmanager
def _typed() -> Generator[None]:
    """Raise errors of the library as errors of this package, and end a task that is cancelled.

    Before Python 3.12, `asyncio.wait_for`, with which the library waits for answers, returns one
    that has just come and forgets that its task was cancelled: a worker would never leave.
    """
    task = asyncio.current_task()
    before = task.cancelling() if task else 0
    try:
        yield
    except (nats.errors.Error, TimeoutError, OSError) as error:
        slow = isinstance(error, TimeoutError)  # whose text is empty, or says no more
        reason = "it does not answer" if slow else str(error).strip() or type(error).__name__
        raise StoreUnavailable(f"Cannot use NATS: {reason}.") from error
    finally:
        if task and task.cancelling() > before:
            raise asyncio.CancelledError


def _token(run_id: str) -> str:
    """Return the id of a run as a token of a subject, which may hold no dots nor blanks."""
    return urlsafe_b64encode(run_id.encode()).decode().rstrip("=")
