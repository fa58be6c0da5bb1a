"""How the server is entered into the files of assistants, and what else they hold stays."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest

from quaere.errors import QuaereError, UsageError
from quaere.faces.cli.mcp import (
    STARTUP_S,
    Assistant,
    Launch,
    config_file,
    enter,
    launch,
    with_server,
)

STARTED = Launch("/bin/quaere", ("mcp", "--docs", 'a "b"'), {"QUAERE_DOCS": "/x"})
BARE = Launch("/bin/quaere", ("mcp",), {})
ENTRY = {"command": "/bin/quaere", "args": ["mcp", "--docs", 'a "b"'], "env": {"QUAERE_DOCS": "/x"}}
JSON = [each for each in Assistant if each is not Assistant.CODEX]


def test_an_entry_has_an_environment_only_where_there_is_one() -> None:
    assert STARTED.entry == ENTRY
    assert BARE.entry == {"command": "/bin/quaere", "args": ["mcp"]}


@pytest.mark.parametrize("script", [True, False])
def test_the_command_is_found_from_wherever_an_assistant_starts_it(
    script: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    if script:
        (tmp_path / "quaere").touch()
    started = launch(["-d", "x"], {"A": "b"})
    own = (str(tmp_path / "quaere"), ("mcp",)) if script else (
        str(tmp_path / "python"), ("-m", "quaere", "mcp")
    )  # fmt: skip
    assert (started.command, started.arguments) == (own[0], (*own[1], "-d", "x"))
    assert started.environment == {"A": "b"}


def test_each_assistant_has_a_file_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    files = {each: config_file(each) for each in Assistant}
    assert files[Assistant.CLAUDE_CODE] == tmp_path / ".mcp.json"
    assert files[Assistant.CURSOR] == tmp_path / "home" / ".cursor" / "mcp.json"
    assert files[Assistant.CODEX] == tmp_path / "home" / ".codex" / "config.toml"
    assert files[Assistant.VSCODE].parts[-3:] == ("Code", "User", "mcp.json")
    assert files[Assistant.CLAUDE_DESKTOP].parts[-2:] == ("Claude", "claude_desktop_config.json")


@pytest.mark.parametrize("assistant", JSON)
def test_what_else_a_json_file_holds_stays(assistant: Assistant) -> None:
    key, typed = ("servers", {"type": "stdio"}) if assistant is Assistant.VSCODE else (
        "mcpServers", {}
    )  # fmt: skip
    held = {"theme": "dünkel", key: {"other": {"command": "x"}, "quaere": {"command": "old"}}}
    text = with_server(assistant, json.dumps(held), "quaere", STARTED)
    assert json.loads(text) == {
        "theme": "dünkel",
        key: {"other": {"command": "x"}, "quaere": {**typed, **ENTRY}},
    }
    assert "dünkel" in text
    assert text.endswith("}\n")
    assert json.loads(with_server(assistant, " \n", "q", BARE))[key]["q"]["args"] == ["mcp"]
    assert with_server(assistant, text, "quaere", STARTED) == text


@pytest.mark.parametrize(
    ("assistant", "text", "why"),
    [
        (Assistant.CURSOR, "{", "not plain JSON"),
        (Assistant.CURSOR, "[]", "not a JSON object"),
        (Assistant.CURSOR, '{"mcpServers": []}', '"mcpServers" is not an object'),
        (Assistant.CODEX, "a = ", "not TOML"),
        (Assistant.CODEX, "mcp_servers = 7", '"mcp_servers" is not a table'),
        (Assistant.CODEX, 'mcp_servers.quaere.command = "x"', "cannot be replaced"),
    ],
)
def test_what_is_no_such_configuration_is_left_alone(
    assistant: Assistant, text: str, why: str
) -> None:
    with pytest.raises(UsageError, match=why):
        with_server(assistant, text, "quaere", STARTED)


TOML = """\
model = "x"  # mine

[mcp_servers.quaere]
command = "old"

[mcp_servers.quaere.env]
A = "b"

[[profiles]]
name = "[mcp_servers.quaere]"

[mcp_servers."other one"]
command = "y"
"""


def test_of_toml_only_the_tables_of_the_server_are_replaced() -> None:
    text = with_server(Assistant.CODEX, TOML, "quaere", STARTED)
    kept = TOML.replace('[mcp_servers.quaere]\ncommand = "old"\n\n', "", 1)
    kept = kept.replace('[mcp_servers.quaere.env]\nA = "b"\n\n', "")
    assert text == kept + (
        "\n[mcp_servers.quaere]\n"
        'command = "/bin/quaere"\n'
        'args = ["mcp", "--docs", "a \\"b\\""]\n'
        f"startup_timeout_sec = {STARTUP_S}\n"
        'env = { QUAERE_DOCS = "/x" }\n'
    )
    assert with_server(Assistant.CODEX, text, "quaere", STARTED) == text
    assert with_server(Assistant.CODEX, "", "quaere", BARE).startswith("[mcp_servers.quaere]\n")


@pytest.mark.parametrize("name", ["quaere-2", "my_server", "my server", "müsli", "a.b"])
def test_a_name_that_toml_cannot_have_bare_is_quoted(name: str) -> None:
    odd = Launch("a\x7fb", (), {"ODD NAME": "x"})
    text = with_server(Assistant.CODEX, "", name, odd)
    assert tomllib.loads(text)["mcp_servers"] == {
        name: {
            "command": "a\x7fb",
            "args": [],
            "startup_timeout_sec": STARTUP_S,
            "env": {"ODD NAME": "x"},
        }
    }
    bare = name in {"quaere-2", "my_server"}
    assert (f"[mcp_servers.{name}]" in text) is bare


def test_a_file_is_replaced_whole_with_a_copy_of_what_it_was(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "mcp.json"
    assert enter(Assistant.CURSOR, path, "quaere", BARE) is None, "there was nothing to keep"
    first = path.read_text("utf-8")
    path.chmod(0o640)
    backup = enter(Assistant.CURSOR, path, "quaere", STARTED)
    assert backup
    assert backup == path.with_name("mcp.json.bak")
    assert backup.read_text("utf-8") == first
    assert path.stat().st_mode & 0o777 == 0o640
    backup.unlink()
    assert enter(Assistant.CURSOR, path, "quaere", STARTED) is None
    assert [each.name for each in path.parent.iterdir()] == ["mcp.json"]


def test_a_file_that_cannot_be_changed_is_named_and_left(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("{")
    with pytest.raises(UsageError, match=r"mcp.json'.*It was left as it is; --print shows"):
        enter(Assistant.CURSOR, path, "quaere", BARE)
    path.write_bytes(b"\xff")
    with pytest.raises(UsageError, match="it is not UTF-8"):
        enter(Assistant.CURSOR, path, "quaere", BARE)
    assert path.read_bytes() == b"\xff"
    with pytest.raises(QuaereError, match=r"^Cannot change '.*': Is a directory\.$"):
        enter(Assistant.CURSOR, tmp_path, "quaere", BARE)
