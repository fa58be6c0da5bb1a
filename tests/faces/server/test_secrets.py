"""A key that is configured and comes back, in any spelling, is said nowhere (R3.10, R4.3)."""

from __future__ import annotations

import json
import threading
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, quote_plus

import httpx
import pytest
from tests.faces.server.served import Process, write_docs

KEY = "sk-planted/lamp+0123456789=abcdef?"


def spellings() -> Mapping[str, str]:
    """Return the key as services and people may repeat it, by what it is called."""
    data = KEY.encode()
    told = {
        "plain": KEY,
        "percent": quote(KEY, safe=""),
        "form": quote_plus(KEY),
        "hexadecimal": data.hex(),
        "HEXADECIMAL": data.hex().upper(),
    }
    for before in range(3):
        for encode in (b64encode, urlsafe_b64encode):
            packed = encode(b" " * before + data + b" " * before).decode()
            told[f"{encode.__name__} after {before}"] = packed[4:-4]
    return told


class Repeating(BaseHTTPRequestHandler):
    """Refuses whatever it is sent, and repeats the key in all spellings; or takes spans."""

    asked = 0
    spans: tuple[bytes, ...] = ()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/v1/traces":
            type(self).spans += (body,)
            self._answer(200, b"")
            return
        type(self).asked += KEY in self.headers.get("authorization", "")
        message = f"Incorrect key: {' or '.join(spellings().values())}."
        self._answer(400, json.dumps({"error": {"message": message, "code": KEY}}).encode())

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status, f"refused {KEY}" if status != 200 else None)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def repeating() -> Generator[str]:
    """Yield the address of a server that repeats."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Repeating) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """All that a service with the key says and keeps, by what it is."""
    place = tmp_path_factory.mktemp("planted")
    with repeating() as url:
        process = Process(
            ("--docs", str(write_docs(place / "docs"))),
            {
                "QUAERE_DATA_DIR": str(place / "data"),
                "QUAERE_CACHE_DIR": str(place / "cache"),
                "QUAERE_LOG_FORMAT": "json",
                "QUAERE_MODEL_BASE_URL": f"openai={url}/v1",
                "OPENAI_API_KEY": KEY,
                "OTEL_EXPORTER_OTLP_ENDPOINT": url,
            },
        )
        process.start()
        try:
            with httpx.Client(base_url=process.url, timeout=60) as client:
                told = answers(client)
        finally:
            process.stop()
    assert Repeating.asked, "the model was never asked"
    assert Repeating.spans, "no spans were sent"
    told["logs"] = "\n".join(process.said).encode()
    told["spans"] = b"".join(Repeating.spans)
    kept = [path for path in (place / "data").rglob("*") if path.is_file()]
    told["database"] = b"".join(path.read_bytes() for path in kept)
    return told


def answers(client: httpx.Client) -> dict[str, bytes]:
    """Return what clients are answered whose questions and whose model name the key."""
    typed = " and ".join(spellings().values())
    question = f"Who built the tide mill at Carrow? It says {typed}"
    told: dict[str, bytes] = {}
    for model in ("none", "openai:gpt-5"):
        asked = {"question": question, "model": model, "reuse": "never"}
        run = client.post("/v1/runs", json=asked).json()["run_id"]
        for path in ("/events", "", "/report", "/report?format=md", "/trace", "/sources"):
            told[f"{model}{path}"] = client.get(f"/v1/runs/{run}{path}").content
        told[f"{model} run"] = client.post("/run", json={"task": question, "model": model}).content
    text = {"text": f"The mill was built in 1781 [1]. {typed}.\n\n[1] tides.md", "async": True}
    text |= {"folders": ["docs"], "model": "openai:gpt-5"}
    check = client.post("/v1/checks", json=text).json()["run_id"]
    told["check events"] = client.get(f"/v1/runs/{check}/events").content
    told["list"] = client.get("/v1/runs").content
    told["metrics"] = client.get("/metrics").content
    told["doctor"] = client.get("/v1/doctor").content
    told["refused"] = client.post("/v1/runs", json={"question": "?", "profile": typed}).content
    told["no such run"] = client.get(f"/v1/runs/{quote(KEY, safe='')}").content
    return told


def test_a_planted_key_is_said_and_kept_nowhere_in_any_spelling(said: Mapping[str, bytes]) -> None:
    assert len(said) > 20
    found = [
        (place, name)
        for place, body in said.items()
        for name, spelling in spellings().items()
        if spelling.encode() in body or json.dumps(spelling)[1:-1].encode() in body
    ]
    assert not found
