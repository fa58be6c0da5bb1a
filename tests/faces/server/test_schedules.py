"""Webhooks and scheduled questions over HTTP, each their owner's alone."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx
import pytest
from pydantic import JsonValue, SecretStr
from sqlalchemy import update
from standardwebhooks import Webhook as Official
from tests.faces.server.conftest import settings_in
from tests.faces.server.issuing import client_of, issued
from tests.faces.server.served import QUESTION, served

from quaere.domain.access import UNLIMITED, KeyLimits, Right
from quaere.domain.budget import ProfileName
from quaere.runtime.app import App
from quaere.runtime.schedules import submit_due
from quaere.runtime.settings import Access, Settings
from quaere.runtime.wiring_store import build_database
from quaere.store.db.schema import schedules
from quaere.store.keys import Keys
from quaere.store.schedules import MAX_SCHEDULES

SECRET = f"whsec_{base64.b64encode(b'0123456789abcdef0123456789abcdef').decode()}"
WEEKLY = {"question": QUESTION, "times": "every monday 8:00", "zone": "Europe/Berlin"}


@dataclass
class Hook:
    """An address that is told, on loopback."""

    url: str = ""
    taken: list[tuple[dict[str, str], bytes]] = field(
        default_factory=list[tuple[dict[str, str], bytes]]
    )

    def told(self, count: int) -> list[tuple[dict[str, str], bytes]]:
        """Wait until it was told ``count`` times, and return what."""
        until = time.monotonic() + 60
        while len(self.taken) < count and time.monotonic() < until:
            time.sleep(0.05)
        assert len(self.taken) == count
        return self.taken


@dataclass
class Place:
    """A service with keys, and clients that have some."""

    settings: Settings
    url: str
    exits: ExitStack
    times: int = 0

    def client(self, user: str, limits: KeyLimits = UNLIMITED, *rights: Right) -> httpx.Client:
        scopes = frozenset(rights or (Right.RUN, Right.READ))
        secret = issued(self.settings, user, scopes=scopes, limits=limits)
        return self.exits.enter_context(client_of(self.url, secret))

    def come(self) -> tuple[str, ...]:
        """Let the time of all schedules come, and return the runs that are begun for it."""
        self.times += 1  # each time is another minute

        async def due() -> tuple[str, ...]:
            async with build_database(self.settings) as database, database.write() as connection:
                past = datetime.now(UTC) - timedelta(minutes=100 - self.times)
                await connection.execute(update(schedules).values(next_at=past))
            async with App.open(self.settings) as app:
                return await submit_due(app)

        return asyncio.run(due())


@pytest.fixture(scope="module")
def hook() -> Generator[Hook]:
    made = Hook()

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made.taken.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    made.url = f"http://127.0.0.1:{server.server_port}/told?token=t0ken"
    yield made
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, hook: Hook) -> Generator[Place]:
    port = int(hook.url.split(":")[2].partition("/")[0])
    settings = settings_in(
        tmp_path_factory.mktemp("schedules"),
        auth=Access.KEYS,
        webhook_secret=SecretStr(SECRET),
        read_hosts=("127.0.0.1",),
        read_ports=(port,),
    )
    with served(settings) as url, ExitStack() as exits:
        yield Place(settings, url, exits)


def test_the_end_of_a_run_is_told_to_the_address_that_it_names(place: Place, hook: Hook) -> None:
    ann, bob = place.client("ann"), place.client("bob")
    asked = {"question": QUESTION, "webhook": hook.url}
    run_id = ann.post("/v1/runs", json=asked).json()["run_id"]
    ((headers, body),) = hook.told(1)
    message = Official(SECRET).verify(body, headers)
    assert message["data"] == {"run_id": run_id, "status": "completed", "error": None}
    (told,) = ann.get("/v1/webhooks", params={"run_id": run_id}).json()["webhooks"]
    assert told["id"] == headers["webhook-id"]
    assert told["host"] == "127.0.0.1"
    for path in (f"/v1/runs/{run_id}", f"/v1/runs/{run_id}/events", "/v1/webhooks"):
        assert "t0ken" not in ann.get(path).text, "an address may hold a secret"
    assert bob.get("/v1/webhooks").json()["webhooks"] == []
    assert bob.post(f"/v1/webhooks/{told['id']}/redeliver").status_code == 404
    assert ann.post(f"/v1/webhooks/{told['id']}/redeliver").status_code == 202
    again = hook.told(2)[1]
    assert again[0]["webhook-id"] == told["id"]
    assert again[1] == body


def test_where_nobody_may_be_told_nothing_begins(place: Place, client: httpx.Client) -> None:
    ann = place.client("ann")
    before = ann.get("/v1/runs").text
    for url in ("http://10.0.0.1/", "file:///etc/passwd", "no address", "http://user:pw@a.example"):
        for path, asked in (("/v1/runs", {"question": QUESTION}), ("/v1/schedules", WEEKLY)):
            refused = ann.post(path, json={**asked, "webhook": url})
            assert refused.status_code == 422, (path, url, refused.text)
    assert ann.get("/v1/runs").text == before
    # And where the operator has no key to sign with, nobody is told anything.
    for path, asked in (("/v1/runs", {"question": QUESTION}), ("/v1/schedules", WEEKLY)):
        refused = client.post(path, json={**asked, "webhook": "https://hooks.example/"})
        assert refused.status_code == 403
        assert "QUAERE_WEBHOOK_SECRET" in refused.json()["error"]["message"]


def test_a_question_is_asked_again_and_again_for_its_owner(place: Place) -> None:
    ann, bob = place.client("ann"), place.client("bob")
    metadata: dict[str, JsonValue] = {"team": "mills"}
    made = ann.post("/v1/schedules", json={**WEEKLY, "folders": ["docs"], "metadata": metadata})
    assert made.status_code == 201
    path = made.headers["Location"]
    state = ann.get(path).json()
    assert state == made.json()
    assert (state["times"], state["zone"]) == ("every monday 8:00", "Europe/Berlin")
    assert state["request"]["metadata"] == metadata
    assert state["request"]["folders"] == ["docs"]
    assert str(place.settings.docs[0]) not in made.text
    assert state in ann.get("/v1/schedules").json()["schedules"]
    assert bob.get(path).status_code == bob.delete(path).status_code == 404
    assert bob.get("/v1/schedules").json()["schedules"] == []
    (run_id,) = place.come()
    assert ann.get(path).json()["last_run"] == run_id
    assert ann.get(f"/v1/runs/{run_id}").json()["question"] == QUESTION
    assert bob.get(f"/v1/runs/{run_id}").status_code == 404
    assert ann.delete(path).status_code == 204
    assert ann.get(path).status_code == 404
    assert place.come() == ()
    assert ann.get(f"/v1/runs/{run_id}").status_code == 200, "its runs stay"


def test_only_a_key_that_may_run_schedules(place: Place) -> None:
    reader = place.client("ann", UNLIMITED, Right.READ)
    assert reader.get("/v1/schedules").status_code == 200
    assert reader.post("/v1/schedules", json=WEEKLY).status_code == 403
    assert reader.post("/v1/webhooks/msg_1/redeliver").status_code == 403


def test_the_limits_of_a_key_hold_for_what_it_has_scheduled(place: Place) -> None:
    carl = place.client("carl", KeyLimits(runs_per_day=1, highest_profile=ProfileName.SIMPLE))
    refused = carl.post("/v1/schedules", json={**WEEKLY, "profile": "deep"})
    assert refused.status_code == 403
    path = carl.post("/v1/schedules", json={**WEEKLY, "profile": "simple"}).headers["Location"]
    assert len(place.come()) == 1
    assert place.come() == ()
    assert carl.get(path).json()["error"]
    carl.delete(path)


def test_a_schedule_ends_with_its_key(place: Place) -> None:
    dora = place.client("dora")
    path = dora.post("/v1/schedules", json=WEEKLY).headers["Location"]

    async def revoked() -> None:
        async with build_database(place.settings) as database:
            keys = Keys(database)
            (key,) = [each for each in await keys.list() if each.owner.user == "dora"]
            await keys.revoke(key.id)

    asyncio.run(revoked())
    assert place.come() == ()
    again = place.client("dora")
    assert "no longer valid" in again.get(path).json()["error"]
    again.delete(path)


def test_a_user_has_only_so_many_schedules(place: Place) -> None:
    eve = place.client("eve")
    for _ in range(MAX_SCHEDULES):
        assert eve.post("/v1/schedules", json=WEEKLY).status_code == 201
    refused = eve.post("/v1/schedules", json=WEEKLY)
    assert refused.status_code == 403
    finn = place.client("finn").post("/v1/schedules", json=WEEKLY)
    assert finn.status_code == 201
    place.client("finn").delete(finn.headers["Location"])
    for each in eve.get("/v1/schedules").json()["schedules"]:
        eve.delete(f"/v1/schedules/{each['id']}")


@pytest.mark.parametrize(
    "wrong",
    [
        {"times": "now and then"},
        {"times": "0 0 30 2 *"},
        {"zone": "Mars/Olympus"},
        {"zone": "../../etc/passwd"},
        {"question": " "},
        {"question": ""},
        {"folders": ["nobodys"]},
        {"providers": ["nobodys"]},
        {"continues": "a-run"},
    ],
)
def test_what_cannot_be_scheduled_is_refused_at_once(
    place: Place, wrong: dict[str, JsonValue]
) -> None:
    refused = place.client("ann").post("/v1/schedules", json={**WEEKLY, **wrong})
    assert refused.status_code in {404, 422}, refused.text


def test_a_key_that_was_typed_is_not_kept_with_a_schedule(place: Place) -> None:
    ann = place.client("ann")
    secret = "sk-proj-" + "a1B2c3D4" * 6
    made = ann.post("/v1/schedules", json={**WEEKLY, "question": f"My key is {secret}. Who?"})
    assert made.status_code == 201
    assert secret not in ann.get("/v1/schedules").text
    ann.delete(made.headers["Location"])
