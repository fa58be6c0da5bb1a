"""Whatever is too large, too deep, too many or too long is refused, and the service goes on."""

from __future__ import annotations

import io
import socket
import subprocess
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Generator, Iterator
from itertools import repeat

import httpx
import pytest
from tests.faces.server.conftest import settings_in
from tests.faces.server.served import QUESTION, served

from quaere.faces.server import bounded
from quaere.faces.server.guard import MAX_HEAD_BYTES, Hosts
from quaere.runtime.settings import Access

JSON = {"Content-Type": "application/json"}
PATIENCE_S = 60.0
MANY = 2_000
MOST_HELD = 8_000_000
"""Bytes that a request without end may make the service hold; each here sends ten times that."""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    with served(settings_in(tmp_path_factory.mktemp("oversized")), workers=0) as address:
        yield address


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """A service that asks for keys."""
    settings = settings_in(tmp_path_factory.mktemp("guarded"))
    with served(settings, workers=0, access=Access.KEYS) as address:
        yield address


@pytest.fixture(scope="module")
def folder(client: httpx.Client) -> str:
    return client.post("/v1/folders", json={"name": "large"}).json()["id"]


def asked(fields: str) -> str:
    return '{"question": "Who?", ' + fields + "}"


BODIES = {
    "question": '{"question": "' + "x" * 20_001 + '"}',
    "context": asked('"context": "' + "x" * 100_001 + '"'),
    "lists in lists": asked('"metadata": ' + "[" * 400_000 + "]" * 400_000),
    "objects in objects": '{"a":' * 150_000 + "1" + "}" * 150_000,
    "digits": asked('"limits": {"max_iters": ' + "9" * 900_000 + "}"),
    "exponent": asked('"limits": {"max_execution_time_s": 1e' + "9" * 9_000 + "}"),
    "folders": asked('"folders": [' + ",".join(repeat('"x"', MANY)) + "]"),
    "unknown fields": asked(",".join(f'"f{number}": 1' for number in range(50_000))),
    "metadata": asked('"metadata": {"a": "' + "x" * 100_000 + '"}'),
    "conversation": asked(
        '"conversation": [' + ",".join(repeat('{"question": "a", "answer": "b"}', MANY)) + "]"
    ),
    "body": "x" * 1_000_001,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
@pytest.mark.parametrize("path", ["/v1/runs", "/run", "/v1/estimate", "/v1/schedules"])
def test_a_request_that_asks_too_much_is_refused(
    client: httpx.Client, path: str, body: str
) -> None:
    answer = client.post(path, content=body, headers=JSON)
    assert answer.status_code in {400, 413, 422}, answer.text
    assert answer.json()["error"]["type"]
    assert len(answer.content) < 50_000, "a refusal repeats what it was sent"
    assert client.get("/health/ready").status_code == 200


HEADERS = {
    "one": {"X-Long": "x" * MAX_HEAD_BYTES},
    "many": {f"X-{number}": "x" * 30 for number in range(MANY)},
    "cookie": {"Cookie": "; ".join(f"a{number}=1" for number in range(10_000))},
    "key": {"Authorization": f"Bearer {'x' * MAX_HEAD_BYTES}"},
}


@pytest.mark.parametrize("headers", HEADERS.values(), ids=HEADERS.keys())
def test_headers_that_are_too_large_are_refused(
    client: httpx.Client, headers: dict[str, str]
) -> None:
    answer = client.get("/v1/runs", headers=headers)
    assert answer.status_code == 431, answer.text
    assert answer.json()["error"]["type"] == "too_large"


@pytest.mark.parametrize("name", ["Idempotency-Key", "X-Request-Id", "Last-Event-ID", "Origin"])
def test_one_header_that_is_too_long_does_no_harm(client: httpx.Client, name: str) -> None:
    body = {"question": QUESTION}
    told = client.post("/v1/runs", json=body, headers={name: "9" * 60_000})
    assert told.status_code in {202, 400, 403}
    assert not any("9" * 100 in value for value in told.headers.values())


def connected(url: str) -> socket.socket:
    """A connection on which nothing was sent yet."""
    host, port = url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE_S)


def address() -> Iterator[bytes]:
    yield b"GET /"
    yield from repeat(b"a" * 100_000)


def header() -> Iterator[bytes]:
    yield b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: "
    yield from repeat(b"a" * 100_000)


def headers() -> Iterator[bytes]:
    yield b"GET / HTTP/1.1\r\nHost: x\r\n"
    yield from repeat(b"X-A: aaaaaaaa\r\n" * 5_000)


CHUNKED = b"POST /run HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


def trailers() -> Iterator[bytes]:
    yield CHUNKED + b"1\r\n{\r\n0\r\n"
    yield from repeat(b"X-A: aaaaaaaa\r\n" * 5_000)


def chunk_line() -> Iterator[bytes]:
    yield CHUNKED + b"1;"
    yield from repeat(b"a" * 100_000)


@pytest.mark.parametrize("sent", [address, header, headers, trailers, chunk_line])
def test_what_does_not_end_is_cut_off_and_not_gathered(
    url: str, client: httpx.Client, sent: Callable[[], Iterator[bytes]]
) -> None:
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    left = 10 * MOST_HELD
    with connected(url) as connection:
        try:
            for part in sent():
                connection.sendall(part)
                left -= len(part)
                if left < 0:
                    break
        except (BrokenPipeError, ConnectionResetError):
            pass
        _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert left > 0, "everything was taken"
    assert most - before < MOST_HELD
    assert client.get("/health/ready").status_code == 200


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX-A: "])
def test_a_head_that_does_not_come_ends_the_connection(
    url: str, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "HEAD_S", 0.3)
    with connected(url) as connection:
        connection.sendall(sent)
        assert connection.recv(1000) == b"", "it is closed, and nothing is said"


def test_the_next_head_that_does_not_come_ends_the_connection_once_the_first_is_answered(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "HEAD_S", 0.3)
    with connected(url) as connection:
        connection.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT")
        with connection.makefile("rb") as answer:
            assert answer.read().startswith(b"HTTP/1.1 200")


def test_an_answer_may_take_longer_than_a_head(
    url: str, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = client.post("/v1/runs", json={"question": QUESTION}).json()["run_id"]
    monkeypatch.setattr(bounded, "HEAD_S", 0.2)
    host = url.removeprefix("http://")
    asked = f"GET /v1/runs/{run}/events HTTP/1.1\r\nHost: {host}\r\n\r\nGET / HT"
    with connected(url) as connection:
        connection.settimeout(1.0)  # nobody makes the run, so that its events go on
        connection.sendall(asked.encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")
        with pytest.raises(TimeoutError):
            all(iter(lambda: connection.recv(1000), b""))


POSTED = "POST /v1/runs HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize("body", ["Content-Length: 99", "Transfer-Encoding: chunked"])
def test_a_body_that_does_not_come_ends_the_connection(
    url: str, body: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bounded, "BODY_S", 0.3)
    with connected(url) as connection:
        connection.sendall(f"{POSTED.format(host=url[7:])}{body}\r\n\r\n".encode())
        assert connection.recv(1000) == b"", "it is closed, and nothing is said"
    assert not caplog.records, "it is no defect"


def test_a_body_may_take_longer_the_more_of_it_has_come(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "BODY_S", 0.2)
    monkeypatch.setattr(bounded, "BODY_RATE", 10)
    asked = b'{"question": "Who built it?"}'
    with connected(url) as connection:
        head = f"{POSTED.format(host=url[7:])}Content-Length: {len(asked)}\r\n\r\n".encode()
        connection.sendall(head + asked[:-1])
        time.sleep(0.5)
        connection.sendall(asked[-1:])
        assert connection.recv(1000).startswith(b"HTTP/1.1 202")


def drip(connection: socket.socket) -> None:
    for _ in range(200):
        connection.sendall(b"1\r\na\r\n")
        time.sleep(0.02)


def test_a_body_that_goes_on_after_the_answer_ends_the_connection(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "BODY_S", 0.5)
    with connected(url) as connection:
        connection.sendall(CHUNKED.replace(b"localhost", b"elsewhere"))
        assert connection.recv(1000).startswith(b"HTTP/1.1 421")
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            drip(connection)


@pytest.mark.parametrize(
    "path", ["/v1/folders/none/files", "/v1/checks/text", "/v1/runs", "/v1/chat/completions"]
)
def test_nothing_is_taken_in_of_a_body_before_its_sender_is_known(guarded: str, path: str) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: {guarded[7:]}\r\nContent-Length: 900000\r\n"
    form = 'Content-Type: multipart/form-data; boundary="x"\r\n\r\n'
    with connected(guarded) as connection:
        connection.sendall(f"{head}{form}".encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 401")


def test_the_service_starts_where_the_parser_in_c_is_not_there() -> None:
    without = "import sys; sys.modules['httptools'] = None\n"
    asked = "from quaere.faces.server.serving import config; print(config(None).http)"
    said = subprocess.run(
        [sys.executable, "-c", without + asked],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert said.stdout == "auto\n"  # as on Windows


def test_a_long_body_in_small_pieces_is_none_that_does_not_end(client: httpx.Client) -> None:
    text = ('{"question": "' + QUESTION + '", "context": "' + "x" * 50_000 + '"}').encode()
    pieces = (text[place : place + 3] for place in range(0, len(text), 3))
    assert client.post("/v1/runs", content=pieces, headers=JSON).status_code == 202


def note(number: int) -> tuple[str, tuple[str, bytes]]:
    return "files", (f"a{number}.md", b"# A note\n\nOf something.\n")


def bomb() -> bytes:
    """Return an archive that calls itself a document and unpacks to a gigabyte."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("word/document.xml", "w") as part:
            for _ in range(1_000):
                part.write(b" " * 1_000_000)
    return out.getvalue()


@pytest.mark.parametrize(
    "parts",
    [
        [note(number) for number in range(101)],
        [note(number) for number in range(MANY)],
        [("files", ("x" * 5_000 + ".md", b"# A"))],
        [("files", ("a.md", b"# A", "text/plain", {"X-A": "x" * 1_000_000}))],
    ],
    ids=["a hundred and one", "thousands", "long name", "long header"],
)
def test_uploads_of_too_much_are_refused(
    client: httpx.Client, folder: str, parts: list[tuple[str, tuple[str, bytes]]]
) -> None:
    answer = client.post(f"/v1/folders/{folder}/files", files=parts)
    assert answer.status_code in {400, 413, 422, 431}, answer.text
    assert client.get(f"/v1/folders/{folder}/files").json()["total"] == 0


LIES = {
    "bomb.docx": (bomb(), "application/msword"),
    "program.md": (b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 40, "text/markdown"),
    "picture.pdf": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, "application/pdf"),
    "archive.txt": (b"PK\x03\x04" + bytes(range(256)) * 40, "text/plain"),
    "page.exe": (b"<html><body><p>A page that is called a program.</p></body></html>", "text/html"),
}


@pytest.mark.parametrize("name", LIES)
def test_files_that_lie_about_what_they_are_are_refused(
    client: httpx.Client, folder: str, name: str
) -> None:
    data, kind = LIES[name]
    assert len(data) < 2_000_000
    answer = client.post(f"/v1/folders/{folder}/files", files=[("files", (name, data, kind))])
    assert answer.status_code in {413, 422}, answer.text
    assert client.get(f"/v1/folders/{folder}/files").json()["total"] == 0


@pytest.mark.parametrize(
    "origin", ["", "null", "http://[", "http://", "://", "http://x:y@localhost", "\u00e9", "*"]
)
def test_an_origin_that_is_none_is_not_trusted(client: httpx.Client, origin: str) -> None:
    sent = [(b"Origin", origin.encode())]
    answer = client.post("/v1/runs", json={"question": QUESTION}, headers=sent)
    assert answer.status_code == 403, answer.text
    assert not Hosts(names=None).trusts(origin, "")
