"""Whom a service lets in before it listens, its keys, and where a worker tells what it does."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import time
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
import typer
from pydantic import SecretStr
from tests.faces.cli.conftest import Command
from tests.services.postgres import Server
from typer.testing import CliRunner, Result

from quaere.domain.access import USER_RIGHTS, KeyLimits
from quaere.domain.trace import Owner
from quaere.errors import FolderIndexError, SettingsError, UsageError
from quaere.faces.cli import queue, serve
from quaere.index.folder_index import FolderIndex
from quaere.runtime.settings import Access, Settings
from quaere.runtime.wiring_store import build_database
from quaere.store.keys import Keys, new_secret


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


def test_keys_that_nobody_is_asked_for_are_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_in(tmp_path)

    async def look(*, with_key: bool) -> str:
        if with_key:
            async with build_database(settings) as database:
                await Keys(database).create(Owner(), "x", scopes=USER_RIGHTS, limits=KeyLimits())
        await serve._look_at_keys(settings, "127.0.0.1")
        return capsys.readouterr().err

    assert asyncio.run(look(with_key=False)) == ""
    assert "QUAERE_AUTH=keys asks for them" in asyncio.run(look(with_key=True))


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


def test_an_index_that_cannot_be_read_is_told_of_in_its_own_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def counts(_: FolderIndex) -> None:
        raise FolderIndexError("Cannot read the index.")

    monkeypatch.setattr(FolderIndex, "counts", counts)
    settings = settings_in(tmp_path).model_copy(update={"docs": (tmp_path,)})
    asyncio.run(serve._look_at_services(settings))
    assert capsys.readouterr().err == "quaere: warning: Cannot read the index.\n"


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


def test_a_database_of_our_own_that_a_later_version_left_is_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_in(tmp_path)
    asyncio.run(serve._look_at_database(settings))
    assert capsys.readouterr().err == ""
    (file,) = tmp_path.rglob("quaere.db")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    asyncio.run(serve._look_at_database(settings))
    assert "Install a later version of Quaere." in capsys.readouterr().err


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


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        (["--docs", "/nowhere/notes"], UsageError, "There is no file or folder '/nowhere/notes'"),
        ([], SettingsError, "Nobody could use the service"),
    ],
)
def test_documents_are_looked_for_before_it_listens_where_there_are_any(
    options: list[str],
    error: type[Exception],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.delenv("QUAERE_DOCS", raising=False)
    monkeypatch.setenv("QUAERE_AUTH", "keys")
    monkeypatch.setenv("QUAERE_DATA_DIR", str(tmp_path))
    app = typer.Typer()
    serve.register(app)
    refused = CliRunner().invoke(app, ["serve", *options, "--port", "0"])
    assert isinstance(refused.exception, error)
    assert said in str(refused.exception)


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


@pytest.fixture
def command(command: Command) -> Command:
    """Run ``quaere keys``."""

    def run(*arguments: str) -> Result:
        return command("keys", *arguments)

    return run


def test_a_key_is_issued_listed_and_revoked(command: Command) -> None:
    made = command("create", "my laptop", "--user", "ann", "--scope", "read", "--scope", "run")
    assert "shown only once" in made.stderr
    secret = made.stdout.strip()
    listed = command("list").stdout
    head, line = (" ".join(row.split()) for row in listed.splitlines())
    assert head == "key state user scopes last used (UTC) expires (UTC) name"
    assert line == f"{secret[:11]} valid ann run,read never never my laptop"
    assert secret not in listed
    assert command("revoke", secret[:11]).stdout == f"Revoked {secret[:11]}.\n"
    assert " revoked " in command("list").stdout
    assert command("list", "--user", "ben").stdout == "There are no keys.\n"
    assert command("revoke", "nonsense").exit_code == 2


def test_the_limits_of_a_key_are_kept(command: Command) -> None:
    options = "--runs-per-day 5 --usd-per-day 0.5 --highest-profile simple --requests-per-minute 9"
    made = command("create", "x", *options.split(), "--expires", "2100-01-02", "--format", "json")
    issued = json.loads(made.stdout)
    assert command("list").stdout.split()[-4:] == ["never", "2100-01-02", "00:00", "x"]
    (key,) = json.loads(command("list", "--format", "json").stdout)["keys"]
    assert key == issued["key"]
    assert key["limits"] == {
        "requests_per_minute": 9,
        "runs_at_a_time": None,
        "runs_per_day": 5,
        "usd_per_day": 0.5,
        "highest_profile": "simple",
    }
    assert key["expires_at"] == "2100-01-02T00:00:00Z"
    assert key["scopes"] == ["run", "read", "check", "folders"]


def test_the_secret_of_a_container_becomes_a_key_once(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(f"{new_secret()}\n")
    first = command("create", "first", "--scope", "admin", "--secret-file", str(file))
    assert (first.exit_code, first.stdout) == (0, "")
    assert file.read_text().strip() not in first.stderr
    again = command("create", "first", "--scope", "admin", "--secret-file", str(file))
    assert (again.exit_code, again.stderr) == (0, "A key with this secret exists.\n")
    assert len(command("list").stdout.splitlines()) == 2
    file.write_text("hunter2")
    weak = command("create", "weak", "--secret-file", str(file))
    assert weak.exit_code == 2
    assert "hunter2" not in weak.stderr
    assert command("create", "x", "--secret-file", str(tmp_path / "none")).exit_code == 2


def test_an_owner_that_no_run_could_have_is_refused(command: Command) -> None:
    assert command("create", "x", "--user", "").exit_code == 2
    assert command("create", "x", "--user", "a" * 256).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["", "--user", "ann"], "A key needs a name"),
        (["x", "--expires", "2020-01-02"], "would have expired already, at 2020-01-02 00:00 UTC"),
        (["x", "--expires", "yesterday"], "it must be a date, such as 2024-01-31"),
    ],
)
def test_a_key_that_nobody_could_tell_or_use_is_not_issued(
    command: Command, arguments: list[str], wrong: str
) -> None:
    made = command("create", *arguments)
    assert (made.exit_code, made.stdout) == (2, "")
    assert wrong in made.stderr
    assert command("list").stdout == "There are no keys.\n"
