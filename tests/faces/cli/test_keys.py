"""``quaere keys``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from quaere.faces.cli.main import application
from quaere.store.keys import new_secret

Command = Callable[..., Result]


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Run ``quaere keys`` within this process, over a data folder of the test's own."""

    def run(*arguments: str) -> Result:
        words = ["keys", *arguments]
        return CliRunner(env={"QUAERE_DATA_DIR": str(tmp_path)}).invoke(
            application(words), words, prog_name="quaere"
        )

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
        (["x", "--expires", "2020-01-02"], "would have expired already: 2020-01-02 00:00 UTC"),
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
