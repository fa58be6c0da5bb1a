"""Whom a service lets in before it listens, and where a worker tells what it does."""

from __future__ import annotations

import asyncio
import socket
import time
import urllib.request
from pathlib import Path

import pytest
import typer
from pydantic import SecretStr
from tests.services.postgres import Server
from typer.testing import CliRunner

from quaere.domain.access import USER_RIGHTS, KeyLimits
from quaere.domain.trace import Owner
from quaere.errors import SettingsError, UsageError
from quaere.faces.cli import queue, serve
from quaere.runtime.settings import Access, Settings
from quaere.runtime.wiring_store import build_database
from quaere.store.keys import Keys


def settings_in(folder: Path) -> Settings:
    return Settings(data_dir=folder, cache_dir=folder)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_a_service_for_everybody_listens_at_home(host: str, tmp_path: Path) -> None:
    serve._check_access(Access.OFF, settings_in(tmp_path), host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "a.example"])  # noqa: S104
def test_and_nowhere_else(host: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=f"everybody who reaches {host} do everything"):
        serve._check_access(Access.OFF, settings_in(tmp_path), host)
    serve._check_access(Access.PROXY, settings_in(tmp_path), host)


def test_a_service_with_keys_needs_one(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    with pytest.raises(SettingsError, match="quaere keys create NAME"):
        serve._check_access(Access.KEYS, settings, "192.0.2.1")

    async def create() -> None:
        async with build_database(settings) as database:
            await Keys(database).create(Owner(), "x", scopes=USER_RIGHTS, limits=KeyLimits())

    asyncio.run(create())
    serve._check_access(Access.KEYS, settings, "192.0.2.1")


def test_a_service_with_an_issuer_needs_to_know_which(tmp_path: Path) -> None:
    with pytest.raises(SettingsError):
        serve._check_access(Access.OIDC, settings_in(tmp_path), "127.0.0.1")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({}, ""),
        ({"model": "gpt-4"}, "did you mean openai:gpt-4?"),
        ({"providers": ("braave",)}, "Did you mean brave?"),
        ({"docs": (Path("/nowhere/at/all"),)}, "warning: folder /nowhere/at/all is not there"),
    ],
)
def test_models_and_services_that_cannot_be_used_are_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: dict[str, object], said: str
) -> None:
    settings = settings_in(tmp_path).model_copy(update=wrong)
    asyncio.run(serve._look_at_services(settings))
    told = capsys.readouterr().err
    assert told.count("quaere: warning: ") == told.count("\n") == len(wrong)
    assert said in told


@pytest.mark.parametrize("there", [True, False])
def test_a_database_that_cannot_be_used_now_is_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, there: bool
) -> None:
    url = f"sqlite:///{tmp_path / 'runs.db'}" if there else "postgresql://ann:pw@127.0.0.1:1/runs"
    settings = settings_in(tmp_path).model_copy(update={"database_url": SecretStr(url)})
    asyncio.run(serve._look_at_database(settings))
    told = capsys.readouterr().err
    if there:
        assert told == ""
    else:
        assert told.startswith("quaere: warning: Cannot use postgresql://ann:***@127.0.0.1:1/runs")
        assert told.endswith(f"{serve.UNTIL_THEN}\n")


def test_a_database_without_tables_is_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], postgres: Server
) -> None:
    url = SecretStr(postgres.create())
    asyncio.run(
        serve._look_at_database(settings_in(tmp_path).model_copy(update={"database_url": url}))
    )
    told = capsys.readouterr().err
    assert "do not exist" in told
    assert "`quaere db upgrade`" in told


def test_a_database_that_says_nothing_is_not_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "LOOKED_S", 0.2)
    with socket.create_server(("127.0.0.1", 0), backlog=100) as silent:
        port = silent.getsockname()[1]
        url = SecretStr(f"postgresql://ann:pw@127.0.0.1:{port}/runs?connect_timeout=30")
        settings = settings_in(tmp_path).model_copy(update={"database_url": url})
        began = time.monotonic()
        asyncio.run(serve._look_at_database(settings))
    assert time.monotonic() - began < 10
    told = capsys.readouterr().err
    assert told.startswith(f"quaere: warning: postgresql://ann:***@127.0.0.1:{port}/runs")
    assert told.endswith(f" does not answer within 0.2 s. {serve.UNTIL_THEN}\n")


@pytest.mark.parametrize(
    ("port", "said"),
    [("99999", "it must be at most 65535."), ("-1", "it must be at least 0.")],
)
def test_a_port_out_of_its_range_is_refused_in_plain_words(port: str, said: str) -> None:
    app = typer.Typer()
    serve.register(app)
    refused = CliRunner().invoke(app, ["serve", "--port", port])
    assert refused.exit_code == 2
    assert f"Invalid value for '--port': {said}" in refused.output


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.mark.parametrize("address", ["9000", ":9000", "127.0.0.1:", "127.0.0.1:http", ""])
def test_metrics_are_read_at_a_host_and_a_port(address: str) -> None:
    with pytest.raises(UsageError, match="--metrics takes HOST:PORT"):
        queue._counted(address)


def test_a_port_that_is_taken_or_none_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for address in (f"127.0.0.1:{port}", "127.0.0.1:99999"):
            with pytest.raises(UsageError, match=f"Cannot listen on {address}"):
                queue._counted(address)


def test_what_a_worker_does_can_be_read_there() -> None:
    address = f"127.0.0.1:{free_port()}"
    queue._counted(address)
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=20) as answer:
        assert b"runs_started_total" in answer.read()
