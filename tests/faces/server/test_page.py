"""The page that the service shows, and what it says where none was built."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from quaere.faces.server import service as module


def shown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    monkeypatch.setattr(module, "STATIC", folder)
    service = FastAPI()
    module.serve_page(service)
    return TestClient(service)


def test_a_checkout_without_a_page_says_how_to_build_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = shown(tmp_path, monkeypatch).get("/")
    assert told.headers["content-type"].startswith("text/html")
    assert "run <code>make web</code>" in told.text


def test_browsers_keep_what_has_its_hash_in_its_name_and_ask_anew_for_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").write_text("<h1>Ask</h1>")
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "main-1a2b.js").write_text("ask()")
    client = shown(tmp_path, monkeypatch)
    first, script = client.get("/"), client.get("/assets/main-1a2b.js")
    assert (first.text, first.headers["cache-control"]) == ("<h1>Ask</h1>", "no-cache")
    assert script.text == "ask()"
    assert script.headers["cache-control"].endswith("immutable")


@pytest.mark.parametrize("path", ["/v1/me", "/jobs/one", "/metrics"])
def test_browsers_do_not_keep_what_is_for_one_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    client = shown(tmp_path, monkeypatch)
    service = cast("FastAPI", client.app)
    service.add_api_route(path, lambda: "mine")
    service.add_api_route("/v10", lambda: "anybody's")
    assert client.get(path).headers["cache-control"] == "no-store"
    assert client.get("/v10").headers["cache-control"] == "no-cache"


def test_files_of_the_page_are_packed_and_answers_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").write_text("<h1>Ask</h1>" * 1000)
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "main-1a2b.js").write_text("ask();" * 1000)
    client = shown(tmp_path, monkeypatch)
    script = client.get("/assets/main-1a2b.js")
    assert (script.headers["content-encoding"], script.text) == ("gzip", "ask();" * 1000)
    assert script.headers["cache-control"].endswith("immutable")
    plain = client.get("/assets/main-1a2b.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in client.get("/").headers
