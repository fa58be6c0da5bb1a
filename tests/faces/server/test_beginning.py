"""How a service begins, and what it says where it cannot; how it ends."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import pytest
from tests.faces.server.served import Process, write_docs

from quaere.faces.cli.exits import ExitCode

BLOCKED = "server.secret"


def refused(place: Path, *arguments: str) -> str:
    """Return what a service says that does not begin, and check that it fails by its own words."""
    home = {"QUAERE_DATA_DIR": str(place / "data"), "QUAERE_CACHE_DIR": str(place / "cache")}
    process = Process(arguments, home)
    with pytest.raises(AssertionError) as said:
        process.start()
    assert process.code in {ExitCode.ERROR, ExitCode.USAGE}
    return str(said.value)


def test_a_data_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "data" / BLOCKED).mkdir(parents=True)
    said = refused(tmp_path, "--docs", str(write_docs(tmp_path / "docs")))
    assert said.startswith("quaere: ")
    assert BLOCKED in said


def test_a_folder_that_there_is_not_is_named(tmp_path: Path) -> None:
    said = refused(tmp_path, "--docs", str(tmp_path / "nowhere"))
    assert said == f"quaere: There is no file or folder '{tmp_path / 'nowhere'}'."


def test_a_port_that_is_taken_is_named_with_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refused(tmp_path, "--port", str(port))
    assert f"Cannot listen on 127.0.0.1:{port}" in said
    assert "--port names another" in said


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_service_that_stops_as_it_is_told_to_has_not_failed(
    tmp_path: Path, how: signal.Signals
) -> None:
    home = {"QUAERE_DATA_DIR": str(tmp_path / "data"), "QUAERE_CACHE_DIR": str(tmp_path / "cache")}
    process = Process((), home)
    process.start()
    process.stop(how)
    assert process.code == ExitCode.ANSWERED


def test_a_secret_that_is_cut_short_is_not_signed_with(tmp_path: Path) -> None:
    secret = tmp_path / "data" / BLOCKED
    secret.parent.mkdir()
    secret.write_text("", "utf-8")
    said = refused(tmp_path, "--docs", str(write_docs(tmp_path / "docs")))
    assert BLOCKED in said
    assert "Delete the file" in said
