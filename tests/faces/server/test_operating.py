"""Keys, quotas, rates, usage and one's own data, over HTTP."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from tests.faces.server.conftest import settings_in
from tests.faces.server.issuing import client_of, issued
from tests.faces.server.served import QUESTION, served

from quaere.domain.access import UNLIMITED, KeyLimits, Right
from quaere.domain.budget import PROFILES, ProfileName
from quaere.domain.request import RunRequest
from quaere.domain.trace import Owner
from quaere.runtime.settings import Access, Settings
from quaere.runtime.wiring_store import build_database
from quaere.store.schedules import Schedules, Timing


@dataclass
class Users:
    """A service with keys, and clients that have some."""

    settings: Settings
    url: str
    exits: ExitStack

    def client(
        self, user: str, limits: KeyLimits = UNLIMITED, scopes: frozenset[Right] | None = None
    ) -> httpx.Client:
        scopes = scopes or frozenset({Right.RUN, Right.READ, Right.FOLDERS})
        secret = issued(self.settings, user, scopes=scopes, limits=limits)
        return self.exits.enter_context(client_of(self.url, secret))


@pytest.fixture(scope="module")
def users(tmp_path_factory: pytest.TempPathFactory) -> Generator[Users]:
    settings = settings_in(tmp_path_factory.mktemp("users"), auth=Access.KEYS)
    with served(settings) as url, ExitStack() as exits:
        yield Users(settings, url, exits)


@pytest.fixture(scope="module")
def admin(users: Users) -> httpx.Client:
    return users.client("root", scopes=frozenset({Right.ADMIN}))


def begun(client: httpx.Client, **fields: object) -> httpx.Response:
    return client.post("/v1/runs", json={"question": QUESTION, **fields})


def test_a_key_has_so_many_requests_a_minute(users: Users) -> None:
    client = users.client("fast", KeyLimits(requests_per_minute=3))
    answers = [client.get("/v1/me") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert answers[0].headers["ratelimit-policy"] == '"requests";q=3;w=60'
    assert [answer.headers["ratelimit"][:14] for answer in answers[:4]] == [
        '"requests";r=2',
        '"requests";r=1',
        '"requests";r=0',
        '"requests";r=0',
    ]
    refused = answers[3]
    assert 1 <= int(refused.headers["retry-after"]) <= 61, "counted by the second"
    assert refused.json()["error"] == {
        "type": "quota_exceeded",
        "message": "This key allows 3 requests a minute.",
        "retryable": True,
    }
    assert users.client("fast").get("/v1/me").status_code == 200, "another key has its own"


def test_the_requests_of_a_key_are_counted_over_all_servers_of_a_database(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, auth=Access.KEYS)
    secret = issued(settings, "ann", limits=KeyLimits(requests_per_minute=4))
    with (
        served(settings, workers=0) as one,
        served(settings, workers=0) as other,
        client_of(one, secret) as here,
        client_of(other, secret) as there,
    ):
        answers = [each.get("/v1/me") for _ in range(3) for each in (here, there)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 429, 429]


def test_a_key_has_so_many_runs_a_day_and_never_above_its_profile(users: Users) -> None:
    limits = KeyLimits(runs_per_day=2, highest_profile=ProfileName.SIMPLE)
    client = users.client("thrifty", limits)
    assert begun(client, profile="deep").status_code == 403
    first = begun(client, profile="simple", limits={"max_iters": 90})
    assert first.status_code == 202
    events = client.get(first.json()["events_url"], headers={"Accept": "text/event-stream"}).text
    budget = json.loads(events.split("event: run_started\ndata: ")[1].splitlines()[0])["budget"]
    assert budget["max_iters"] == 2
    assert client.delete(first.json()["status_url"]).status_code == 204
    answer = client.post("/run", json={"task": QUESTION, "complexity_tier": "simple"})
    assert answer.status_code == 200, answer.text
    refused = begun(client)
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    chat = client.post("/v1/chat/messages", json={"message": QUESTION})
    assert chat.status_code == 429
    me = client.get("/v1/me").json()
    assert (me["runs_today"], me["limits"]["runs_per_day"]) == (2, 2)


def test_an_estimate_keeps_to_the_highest_profile_of_the_key(users: Users) -> None:
    client = users.client("frugal", KeyLimits(highest_profile=ProfileName.SIMPLE))
    asked = {"question": QUESTION, "profile": "deep"}
    assert client.post("/v1/estimate", json=asked).status_code == 403
    told = client.post("/v1/estimate", json={"question": QUESTION}).json()
    assert told["budget"]["max_iters"] == PROFILES[ProfileName.SIMPLE].max_iters


def test_a_key_that_would_have_expired_already_is_not_issued(admin: httpx.Client) -> None:
    made = admin.post("/v1/keys", json={"name": "new", "expires_at": "2020-01-01T00:00:00Z"})
    assert made.status_code == 422
    assert "expires_at: must be in the future" in made.json()["error"]["message"]


def test_keys_are_issued_listed_and_revoked_by_an_admin(users: Users, admin: httpx.Client) -> None:
    form = {"name": "new", "user": "carl", "scopes": ["read"], "limits": {"runs_per_day": 1}}
    made = admin.post("/v1/keys", json=form)
    assert made.status_code == 201, made.text
    key, secret = made.json()["key"], made.json()["secret"]
    with client_of(users.url, secret) as carl:
        me = carl.get("/v1/me").json()
        assert (me["user"], me["rights"]) == ("carl", ["read"])
        assert [each["id"] for each in carl.get("/v1/keys").json()["keys"]] == [key["id"]]
        assert secret not in carl.get("/v1/keys").text + admin.get("/v1/keys").text
        assert carl.post("/v1/keys", json=form).status_code == 403
        other = users.client("dora")
        assert other.delete(f"/v1/keys/{key['id']}").status_code == 404
        assert other.get("/v1/admin/queue").status_code == 403
        assert admin.delete(f"/v1/keys/{key['id']}").status_code == 200
        assert carl.get("/v1/me").status_code == 401
    assert key["id"] in [each["id"] for each in admin.get("/v1/keys").json()["keys"]]


def test_an_admin_sees_what_is_done_and_not_what_is_asked(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, auth=Access.KEYS)
    secrets = [issued(settings, "ann"), issued(settings, "root", scopes={Right.ADMIN})]
    with served(settings, workers=0) as url, ExitStack() as exits:
        ann, root = (exits.enter_context(client_of(url, each)) for each in secrets)
        run_id = begun(ann).json()["run_id"]
        queue = root.get("/v1/admin/queue")
        (waiting,) = queue.json()["runs"]
        assert (waiting["run_id"], waiting["owner"]["user"]) == (run_id, "ann")
        assert (waiting["status"], waiting["worker"]) == ("pending", None)
        assert "Carrow" not in queue.text
        assert root.get("/v1/admin/workers").json() == {"workers": []}
        assert root.get("/v1/admin/quality").json() == {"days": []}, "no run has ended yet"
        assert ann.get("/v1/admin/quality").status_code == 403
        (day,) = root.get("/v1/admin/usage").json()["days"]
        assert (day["owner"]["user"], day["runs"]) == ("ann", 1)
        assert ann.get("/v1/usage", params={"days": 1}).json()["days"] == [day]
        assert root.get("/v1/usage").json()["days"] == []


async def scheduled(settings: Settings, owner: Owner, docs: tuple[Path, ...]) -> None:
    async with build_database(settings) as database:
        timing = Timing.of("every monday 8:00", "UTC")
        await Schedules(database).add(owner, RunRequest.of(question=QUESTION, docs=docs), timing)


def test_ones_data_are_exported_and_erased_and_nobody_elses(users: Users) -> None:
    client, other = users.client("leaver"), users.client("stayer")
    for each in (client, other):
        assert each.post("/v1/chat/messages", json={"message": QUESTION}).status_code == 200
    folder = client.post("/v1/folders", json={"name": "mine"}).json()["id"]
    note = b"# Note\n\nThe lock at Sket was dug in 1802.\n"
    client.post(f"/v1/folders/{folder}/files", files=[("files", ("note.md", note))])
    (run,) = client.get("/v1/runs").json()["runs"]
    (talk,) = client.get("/v1/chat/conversations").json()["conversations"]
    asyncio.run(scheduled(users.settings, Owner(user="leaver"), users.settings.docs))
    got = client.get("/v1/me/data")
    archive = zipfile.ZipFile(io.BytesIO(got.content))
    assert archive.testzip() is None
    assert set(archive.namelist()) == {
        "account.json",
        f"runs/{run['run_id']}.json",
        f"conversations/{talk['id']}.json",
        f"folders/{folder}/note.md",
    }
    (schedule,) = json.loads(archive.read("account.json"))["schedules"]
    assert schedule["request"]["question"] == QUESTION
    assert archive.read(f"folders/{folder}/note.md") == note
    stored = json.loads(archive.read(f"runs/{run['run_id']}.json"))
    assert "Ada Finch" in stored["report"]["answer"]
    assert len(stored["events"]) == stored["trace"]["last_seq"]
    assert len(json.loads(archive.read(f"conversations/{talk['id']}.json"))["messages"]) == 2
    texts = b"".join(archive.read(name) for name in archive.namelist())
    assert str(users.settings.data_dir).encode() not in texts
    assert str(users.settings.docs[0]).encode() not in texts
    erased = client.delete("/v1/me/data")
    assert erased.json() == {"runs": 1}
    assert client.get("/v1/me").status_code == 401, "its key is gone as well"
    again = users.client("leaver")
    assert again.get("/v1/runs").json()["runs"] == []
    assert again.get("/v1/chat/conversations").json()["conversations"] == []
    assert again.get("/v1/usage").json()["days"] == []
    assert [each["read_only"] for each in again.get("/v1/folders").json()["folders"]] == [True]
    assert len(other.get("/v1/runs").json()["runs"]) == 1
    assert len(other.get("/v1/chat/conversations").json()["conversations"]) == 1
