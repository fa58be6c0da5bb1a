"""What the service refuses, and what it never says."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest
from pydantic import JsonValue
from tests.faces.server.conftest import settings_in
from tests.faces.server.issuing import client_of, issued
from tests.faces.server.served import QUESTION, served

from quaere.domain.access import USER_RIGHTS, ApiKey, Right
from quaere.domain.trace import Owner
from quaere.faces.server.guard import Hosts
from quaere.runtime.settings import Access
from quaere.runtime.wiring_store import build_database
from quaere.store.keys import Keys

ANN, BOB = Owner(user="ann"), Owner(user="bob")


@dataclass
class Keyed:
    """A service that asks for keys, with the secrets of a few."""

    url: str
    secrets: dict[str, str]
    ids: dict[str, str]

    def client(self, name: str) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.secrets[name]}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=60)


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Generator[Keyed]:
    settings = settings_in(tmp_path_factory.mktemp("keyed"))

    async def issued() -> list[tuple[ApiKey, str]]:
        past = datetime.now(UTC) - timedelta(seconds=1)
        async with build_database(settings) as database:
            keys = Keys(database)
            made = [
                await keys.create(ANN, "ann"),
                await keys.create(BOB, "bob"),
                await keys.create(ANN, "reader", scopes=[Right.READ]),
                await keys.create(ANN, "expired", expires_at=past),
                await keys.create(ANN, "revoked"),
                await keys.create(Owner(user="root"), "admin", scopes=[Right.ADMIN]),
            ]
            await keys.revoke(made[4][0].id)
            return made

    made = asyncio.run(issued())
    with served(settings, access=Access.KEYS) as url:
        yield Keyed(
            url,
            {key.name: secret for key, secret in made},
            {key.name: key.id for key, _ in made},
        )


def routes(url: str) -> list[tuple[str, str]]:
    """Return every method and path that the service describes."""
    paths = httpx.get(f"{url}/openapi.json", timeout=60).json()["paths"]
    return [(method, path) for path, methods in paths.items() for method in methods]


PUBLIC = {
    ("get", "/health/live"),
    ("get", "/health/ready"),
    ("get", "/v1/session"),
    ("post", "/v1/session"),
    ("delete", "/v1/session"),
    ("get", "/v1/session/login"),
    ("get", "/v1/session/callback"),
    ("get", "/v1/shared/{link}"),
}


def test_every_endpoint_but_the_public_ones_asks_for_a_key(keyed: Keyed) -> None:
    found = routes(keyed.url)
    assert len(found) > 30
    for method, path in found:
        if (method, path) in PUBLIC:
            continue
        filled = path.replace("{", "").replace("}", "")
        for headers in ({}, {"Authorization": "Bearer qk_00000000_" + "x" * 43}):
            answer = httpx.request(method, keyed.url + filled, headers=headers, json={}, timeout=60)
            assert answer.status_code == 401, (method, path, answer.text)
            assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("name", ["expired", "revoked"])
def test_a_key_that_is_no_longer_valid_opens_nothing(keyed: Keyed, name: str) -> None:
    with keyed.client(name) as client:
        assert client.get("/v1/runs").status_code == 401
    assert (
        httpx.post(f"{keyed.url}/v1/session", json={"key": keyed.secrets[name]}).status_code == 401
    )


def test_another_users_run_does_not_exist(keyed: Keyed) -> None:
    with keyed.client("ann") as ann, keyed.client("bob") as bob:
        run_id = ann.post("/v1/runs", json={"question": QUESTION}).json()["run_id"]
        assert ann.get(f"/v1/runs/{run_id}/events").status_code == 200
        own = bob.post("/v1/runs", json={"question": "Mine?"}).json()["run_id"]
        told = [
            bob.get(path)
            for path in (
                f"/v1/runs/{run_id}",
                f"/v1/runs/{run_id}/events",
                f"/v1/runs/{run_id}/report",
                f"/v1/runs/{run_id}/sources",
                f"/v1/runs/{run_id}/trace",
                f"/v1/runs/{run_id}/diff/{own}",
                f"/v1/runs/{own}/diff/{run_id}",
                f"/jobs/{run_id}",
            )
        ]
        reply: dict[str, JsonValue] = {"inquiry_id": "x", "reply": {}}
        told += [
            bob.post(f"/v1/runs/{run_id}/cancel"),
            bob.post(f"/v1/runs/{run_id}/finish"),
            bob.post(f"/v1/runs/{run_id}/resume"),
            bob.post(f"/v1/runs/{run_id}/reply", json=reply),
        ]
        told += [
            bob.patch(f"/v1/runs/{run_id}", json={"pinned": True}),
            bob.delete(f"/v1/runs/{run_id}"),
            bob.post("/v1/runs", json={"question": "And?", "continues": run_id}),
        ]
        nobodys = bob.get("/v1/runs/00000000-0000-0000-0000-000000000000")
        for answer in told:
            assert answer.status_code == 404, (answer.request.url, answer.text)
            assert answer.json()["error"]["type"] == nobodys.json()["error"]["type"]
        assert run_id not in bob.get("/v1/runs").text
        assert bob.get("/v1/similar", params={"question": QUESTION}).json() is None
        assert ann.get(f"/v1/runs/{run_id}").status_code == 200


def test_nothing_of_another_user_is_found_at_any_path(keyed: Keyed) -> None:
    """Whatever the document describes by an id: of ann's, bob has none."""
    with keyed.client("ann") as ann, keyed.client("bob") as bob:
        run = ann.post("/v1/runs", json={"question": QUESTION}).json()["run_id"]
        ann.get(f"/v1/runs/{run}/events")
        chat = ann.post("/v1/chat/messages", json={"message": QUESTION})
        folder = ann.post("/v1/folders", json={"name": "Mine"}).json()["id"]
        file = {"files": ("mine.md", b"# Mine\n\nNobody else reads the words of this note.\n")}
        assert ann.post(f"/v1/folders/{folder}/files", files=file).status_code == 201
        asked = {"question": QUESTION, "times": "every monday 8:00"}
        ids = {
            **dict.fromkeys(("run_id", "first", "second", "webhook_id", "name"), run),
            "conversation_id": chat.headers["x-quaere-conversation-id"],
            "folder_id": folder,
            "path": "mine.md",
            "schedule_id": ann.post("/v1/schedules", json=asked).json()["id"],
            "key_id": keyed.ids["ann"],
        }
        bodies: dict[str, JsonValue] = {"inquiry_id": "x", "reply": {}}
        nobodys = ("{link}", "{model}")  # one is for everybody who has it, the other for all
        found = [
            (method, path)
            for method, path in routes(keyed.url)
            if "{" in path and not path.endswith(nobodys)
        ]
        assert len(found) > 25
        for method, path in found:
            upload = file if (method, path[-6:]) == ("post", "/files") else None
            json = None if upload else bodies if path.endswith("reply") else {"title": "x"}
            if method == "patch" and "runs" in path:
                json = {"pinned": True}
            answer = bob.request(method, path.format(**ids), json=json, files=upload)
            # Sharing is off for everybody, which tells nothing of a run.
            expected = {403} if (method, path[-6:]) == ("post", "/share") else {404}
            assert answer.status_code in expected, (method, path, answer.text)
        assert ann.get(f"/v1/folders/{folder}/files/mine.md").status_code == 200


def test_another_users_schedule_does_not_exist(keyed: Keyed) -> None:
    with keyed.client("ann") as ann, keyed.client("bob") as bob:
        asked = {"question": QUESTION, "times": "every monday 8:00"}
        made = ann.post("/v1/schedules", json=asked).headers["Location"]
        for method in ("get", "delete"):
            answer = bob.request(method, made)
            nobodys = bob.request(method, "/v1/schedules/0123456789ab")
            assert answer.status_code == nobodys.status_code == 404
            assert answer.json()["error"]["type"] == nobodys.json()["error"]["type"]
        assert ann.get(made).status_code == 200


def test_a_scope_is_all_that_a_key_may(keyed: Keyed) -> None:
    with keyed.client("reader") as reader:
        assert reader.get("/v1/runs").status_code == 200
        refused = reader.post("/v1/runs", json={"question": QUESTION})
        assert refused.status_code == 403
        assert reader.get("/metrics").status_code == 403
        assert reader.post("/v1/checks", json={"text": "Yes."}).status_code == 403
        asked = {"question": QUESTION, "times": "every monday 8:00"}
        assert reader.post("/v1/schedules", json=asked).status_code == 403


def test_a_weaker_key_takes_nothing_from_a_stronger_one(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    scopes = {
        "runner": (Right.RUN, Right.READ),
        "twin": (Right.RUN,),
        "user": USER_RIGHTS,
        "keeper": {Right.ADMIN},
    }
    secrets = {name: issued(settings, "ann", scopes=each) for name, each in scopes.items()}
    with served(settings, workers=0, access=Access.KEYS) as url:
        clients = {name: client_of(url, secret) for name, secret in secrets.items()}
        runner, user, keeper = clients["runner"], clients["user"], clients["keeper"]
        folder = user.post("/v1/folders", json={"name": "Mine"}).json()["id"]
        for name in ("user", "keeper"):
            for key in (secrets[name][:11], id_of(runner, secrets[name])):
                assert runner.delete(f"/v1/keys/{key}").status_code == 403
        assert user.delete(f"/v1/keys/{id_of(user, secrets['keeper'])}").status_code == 403
        assert runner.delete(f"/v1/keys/{id_of(runner, secrets['twin'])}").status_code == 200
        assert runner.delete("/v1/me/data").status_code == 403
        assert "scope admin" in user.delete("/v1/me/data").text
        assert user.get(f"/v1/folders/{folder}").status_code == 200
        assert keeper.delete(f"/v1/keys/{id_of(keeper, secrets['keeper'])}").status_code == 200
        assert user.delete("/v1/me/data").status_code == 200
        for client in clients.values():
            assert client.get("/v1/me").status_code == 401
            client.close()


def id_of(client: httpx.Client, secret: str) -> str:
    """Return the id of the key with that secret."""
    keys = client.get("/v1/keys").json()["keys"]
    return next(key["id"] for key in keys if secret.startswith(key["prefix"]))


def test_a_browser_signs_in_with_a_key_and_never_sees_it_again(keyed: Keyed) -> None:
    with httpx.Client(base_url=keyed.url) as browser:
        assert not browser.get("/v1/session").json()["signed_in"]
        signed = browser.post("/v1/session", json={"key": keyed.secrets["ann"]})
        assert signed.status_code == 204
        cookie = signed.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert keyed.secrets["ann"] not in cookie
        assert browser.get("/v1/session").json()["user"] == "ann"
        foreign = {"Origin": "https://evil.example"}
        asked = browser.post("/v1/runs", json={"question": QUESTION}, headers=foreign)
        assert asked.status_code == 403
        assert asked.json()["error"]["type"] == "foreign_origin"
        home = {"Origin": keyed.url}
        asked = browser.post("/v1/runs", json={"question": QUESTION}, headers=home)
        assert asked.status_code == 202
        browser.delete("/v1/session")
        assert browser.get("/v1/runs").status_code == 401


def test_a_forged_session_is_none(keyed: Keyed) -> None:
    for cookie in ("x", keyed.ids["ann"], f'"{keyed.ids["ann"]}".AAAA.BBBB', "\u00e9"):
        sent = [(b"Cookie", f"quaere_session={cookie}".encode())]
        assert httpx.get(f"{keyed.url}/v1/runs", headers=sent).status_code == 401


def test_nobody_else_points_a_name_at_this_machine(client: httpx.Client) -> None:
    for host in ("evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.nip.io"):
        assert client.get("/v1/runs", headers={"Host": host}).status_code == 421
        # Probes name an address: they would take a service that has a name for a dead one.
        assert client.get("/health/ready", headers={"Host": host}).status_code == 200
    for host in ("localhost", "localhost:1", "127.0.0.1:99", "[::1]:8000"):
        assert client.get("/v1/runs", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("host", "known"), [("a.example", True), ("A.Example:443", True), ("b.example", False)]
)
def test_an_operator_lists_the_names_of_a_service(host: str, known: bool) -> None:
    assert Hosts.of("0.0.0.0", ["a.example"], []).knows(host) is known  # noqa: S104


@pytest.mark.parametrize("path", ["/", "/v1/runs", "/v1/runs/none", "/nothing", "/openapi.json"])
def test_every_answer_carries_the_headers_of_safety(client: httpx.Client, path: str) -> None:
    told = client.get(path).headers
    assert "default-src 'self'" in told["content-security-policy"]
    assert "unsafe" not in told["content-security-policy"]
    assert told["x-content-type-options"] == "nosniff"
    assert told["referrer-policy"] == "no-referrer"
    assert told["x-request-id"]


def test_a_request_keeps_its_id_unless_it_could_do_harm(client: httpx.Client) -> None:
    assert (
        client.get("/health/live", headers={"X-Request-Id": "a-1"}).headers["x-request-id"] == "a-1"
    )
    for given in ("a b", "x" * 65, "<script>"):
        told = client.get("/health/live", headers={"X-Request-Id": given}).headers["x-request-id"]
        assert told != given


def test_what_is_too_large_is_refused(client: httpx.Client) -> None:
    said = client.post("/v1/checks", content=b"x" * 1_000_001)
    assert said.status_code == 413
    chunked = client.post(
        "/v1/checks",
        content=(b'{"text": "' if i == 0 else b"x" * 100_000 for i in range(12)),
        headers={"Content-Type": "application/json"},
    )
    assert chunked.status_code == 413
    assert chunked.json()["error"]["type"] == "too_large"


@pytest.mark.parametrize(
    "run_id", ["..%2f..%2fetc", "%00", "x" * 500, "a%0d%0aSet-Cookie:x=1", "*", "%25", "'--"]
)
def test_odd_ids_are_not_found(client: httpx.Client, run_id: str) -> None:
    for path in ("", "/events", "/report", "/trace"):
        told = client.get(f"/v1/runs/{run_id}{path}")
        assert told.status_code == 404, told.text
        assert "set-cookie" not in told.headers


BREAKS = ("%0d%0aSet-Cookie:%20x=1", "%0aSet-Cookie:%20x=1", "%e5%98%8a%e5%98%8dSet-Cookie:%20x=1")


@pytest.mark.parametrize("line", BREAKS)
def test_nothing_that_is_asked_begins_a_header_of_the_answer(
    client: httpx.Client, line: str
) -> None:
    folder = client.post("/v1/folders", json={"name": unquote(line)}).json()["id"]
    name = f"a{unquote(line)}.md"
    boundary = b"--b\r\nContent-Disposition: form-data; name=files; filename*=UTF-8''a"
    body = boundary + line.encode() + b".md\r\n\r\n# A note\n\nOf something else.\r\n--b--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    asked = {"question": f"Who?{unquote(line)}", "metadata": {"a": unquote(line)}}
    told = [
        client.post(f"/v1/folders/{folder}/files", content=body, headers=kind),
        client.post(f"/v1/folders/{folder}/files", files={"files": (name, b"# A note\n\nYes.")}),
        client.get(f"/v1/folders/{folder}/files/a{line}.md"),
        client.get(f"/v1/folders/{folder}{line}"),
        client.post("/v1/runs", json=asked),
        client.get(f"/v1/session/login?to=/{line}"),
        client.get(f"/v1/shared/x{line}"),
        client.get(f"/nothing{line}"),
        client.get(f"/v1/runs?after={line}"),
        client.get("/v1/runs", headers={"X-Request-Id": line}),
    ]
    for answer in told:
        assert answer.status_code < 500, answer.text
        assert "set-cookie" not in answer.headers
        for value in answer.headers.values():
            assert "\r" not in value
            assert "\n" not in value


def test_a_key_that_was_typed_is_never_said_again(client: httpx.Client) -> None:
    secret = "sk-proj-" + "a1B2c3D4" * 6
    asked = {"question": f"My key is {secret}. Who built the tide mill?"}
    run_id = client.post("/v1/runs", json=asked).json()["run_id"]
    for path in ("/events", "", "/report", "/trace"):
        assert secret not in client.get(f"/v1/runs/{run_id}{path}").text
    refused = client.post("/v1/runs", json={"question": "?", "model": f"openai:{secret}", "x": 1})
    assert secret not in refused.text
