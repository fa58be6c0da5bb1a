"""Models that servers on this machine list: asked of real sockets on loopback."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic

import pytest

from quaere.errors import SettingsError
from quaere.models.nearby import PATIENCE_S, nearby_embedders, nearby_models
from quaere.models.vendors import VENDORS
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_models import best_model, named_models

NOWHERE = "http://127.0.0.1:9"
NONE = {name: NOWHERE for name, vendor in VENDORS.items() if vendor.lists}


@contextmanager
def listing(answers: dict[str, bytes]) -> Generator[str]:
    """Yield the base URL of a server that answers each path with its bytes."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path in answers else 404)
            self.end_headers()
            self.wfile.write(answers.get(self.path, b""))

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def test_ollama_and_servers_of_openais_protocol_are_found() -> None:
    embedders = [{"name": "moth-embed:1b"}, {"name": "bge-reranker"}]
    models = {"models": [*embedders, {"name": "moth:4b", "size": 3}]}
    served = {"/api/tags": _json(models), "/v1/models": _json({"data": [{"id": "heron"}]})}
    with listing(served) as url:
        urls = {**NONE, "ollama": url, "llamacpp": f"{url}/v1", "lmstudio": f"{url}/v1/"}
        assert nearby_models(urls) == ["ollama:moth:4b", "llamacpp:heron", "lmstudio:heron"]
        assert nearby_embedders(urls) == ["ollama:moth-embed:1b"]


@pytest.mark.parametrize(
    "answer", [b"", b"<html>", b"[1, 2]", b'{"models": [{"name": "a\\u0007b"}]}', b"{}"]
)
def test_a_server_that_is_none_of_these_lists_nothing(answer: bytes) -> None:
    with listing({"/api/tags": answer}) as url:
        assert nearby_models({**NONE, "ollama": url}) == []


def test_a_server_that_hangs_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as hanging:
        url = f"http://127.0.0.1:{hanging.getsockname()[1]}"
        began = monotonic()
        assert nearby_models({**NONE, "ollama": url}) == []
        assert monotonic() - began < PATIENCE_S + 2


def test_no_other_machine_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "create_connection", refuse)
    elsewhere = dict.fromkeys(NONE, "http://198.51.100.7:11434")
    assert nearby_models(elsewhere) == []


@pytest.fixture
def without_keys(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Settings]:
    for vendor in VENDORS.values():
        if vendor.key_variable:
            monkeypatch.delenv(vendor.key_variable, raising=False)

    def settings(**urls: str) -> Settings:
        return Settings(model="auto", model_base_url={**NONE, **urls})

    return settings


def test_auto_takes_the_vendor_whose_key_is_set(
    without_keys: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-a-key-of-nobody")
    name = f"anthropic:{VENDORS['anthropic'].best}"
    assert best_model(without_keys()) == name
    assert set(named_models(without_keys()).values()) == {name}


def test_auto_takes_what_is_ready_on_this_machine(without_keys: Callable[..., Settings]) -> None:
    with listing({"/api/tags": _json({"models": [{"name": "moth:4b"}]})}) as url:
        assert set(named_models(without_keys(ollama=url)).values()) == {"ollama:moth:4b"}


def test_auto_without_anything_says_what_to_do(without_keys: Callable[..., Settings]) -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        named_models(without_keys())


def test_what_auto_takes_has_a_price() -> None:
    from quaere.models.meter import list_prices

    best = [f"{vendor.name}:{vendor.best}" for vendor in VENDORS.values() if vendor.best]
    assert [name for name in best if list_prices().of(name) is None] == []
