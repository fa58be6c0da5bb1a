"""``quaere mcp install``: the server in the configuration of assistants; and how it begins."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from pathlib import Path
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.faces.cli.conftest import Run

from quaere.errors import UsageError
from quaere.faces.cli.mcp import Assistant, Launch, enter, with_server

PLACES = {
    Assistant.CLAUDE_DESKTOP: "config/Claude/claude_desktop_config.json",
    Assistant.CLAUDE_CODE: ".mcp.json",
    Assistant.CURSOR: ".cursor/mcp.json",
    Assistant.VSCODE: "config/Code/User/mcp.json",
    Assistant.CODEX: ".codex/config.toml",
}
STARTED = Launch("/opt/quaere", ("mcp", "--docs", "/notes"), {"BRAVE_API_KEY": "k"})


def entry_of(assistant: Assistant, text: str, name: str = "quaere") -> dict[str, object]:
    config = tomllib.loads(text) if assistant is Assistant.CODEX else json.loads(text)
    key = {Assistant.VSCODE: "servers", Assistant.CODEX: "mcp_servers"}.get(assistant, "mcpServers")
    return cast("dict[str, dict[str, dict[str, object]]]", config)[key][name]


@pytest.mark.parametrize("assistant", Assistant)
def test_the_server_is_entered_where_the_assistant_looks(
    tmp_path: Path, quaere: Run, assistant: Assistant
) -> None:
    env = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config"), "MY_KEY": "sesame"}
    (tmp_path / "notes").mkdir()
    done = quaere(
        *("mcp", "install", assistant, "--docs=~/notes", "--env", "MY_KEY", "--env", "A=b"),
        env=env,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    path = tmp_path / PLACES[assistant]
    assert str(path) in done.stdout
    assert "sesame" not in done.stdout + done.stderr
    entry = entry_of(assistant, path.read_text())
    assert entry["env"] == {"MY_KEY": "sesame", "A": "b"}
    assert Path(str(entry["command"])).is_file()
    arguments = cast("list[str]", entry["args"])
    assert arguments[-2:] == ["--docs", str(tmp_path / "notes")]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600, "it may hold keys"


@pytest.mark.parametrize("assistant", Assistant)
def test_the_entry_starts_the_server(tmp_path: Path, quaere: Run, assistant: Assistant) -> None:
    printed = quaere("mcp", "install", assistant, "--print")
    assert not list(tmp_path.iterdir())
    entry = entry_of(assistant, printed.stdout)
    arguments = cast("list[str]", entry["args"])
    assert arguments[-1] == "mcp"
    assert os.access(str(entry["command"]), os.X_OK)


def test_what_is_in_the_file_stays_and_a_copy_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    before = {"theme": "därk", "mcpServers": {"other": {"command": "x"}, "quaere": {"args": [1]}}}
    path.write_text(json.dumps(before))
    path.chmod(0o640)
    backup = enter(Assistant.CURSOR, path, "quaere", STARTED)
    assert backup
    assert json.loads(backup.read_text()) == before
    after = json.loads(path.read_text())
    assert path.read_text() == json.dumps(after, indent=2, ensure_ascii=False) + "\n"
    assert after["theme"] == "därk"
    assert after["mcpServers"]["other"] == {"command": "x"}
    assert after["mcpServers"]["quaere"] == STARTED.entry
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert enter(Assistant.CURSOR, path, "quaere", STARTED) is None, "nothing to change"
    assert json.loads(backup.read_text()) == before


TOML = """\
# my settings
model = "some" # the cheap one

[mcp_servers.other]
command = "x"

[mcp_servers.quaere]
command = "old"
args = [
  "[mcp]",
]
[mcp_servers.quaere.env]
OLD = "1"

[profiles."a b"]
text = "[mcp_servers.quaere]"
"""


def test_comments_and_other_tables_of_a_toml_file_stay() -> None:
    after = with_server(Assistant.CODEX, TOML, "quaere", STARTED)
    assert after.startswith('# my settings\nmodel = "some" # the cheap one\n')
    config = tomllib.loads(after)
    assert config["mcp_servers"]["other"] == {"command": "x"}
    assert config["mcp_servers"]["quaere"]["command"] == "/opt/quaere"
    assert config["mcp_servers"]["quaere"]["env"] == {"BRAVE_API_KEY": "k"}
    assert config["profiles"]["a b"]["text"] == "[mcp_servers.quaere]"


@pytest.mark.parametrize(
    ("assistant", "text", "said"),
    [
        (Assistant.CURSOR, '{"mcpServers": {', "not plain JSON"),
        (Assistant.VSCODE, '{"servers": {}, // mine\n}', "not plain JSON"),
        (Assistant.CURSOR, "[]", "not a JSON object"),
        (Assistant.CURSOR, '{"mcpServers": []}', "is not an object"),
        (Assistant.CODEX, "model = ", "not TOML"),
        (Assistant.CODEX, "mcp_servers = 3", "is not a table"),
        (Assistant.CODEX, "text = '''\n[mcp_servers.quaere]\n'''", "cannot be replaced"),
        (Assistant.CODEX, '[mcp_servers]\nquaere = {command = "x"}', "cannot be replaced"),
    ],
)
def test_a_file_that_cannot_be_understood_is_left_alone(
    tmp_path: Path, assistant: Assistant, text: str, said: str
) -> None:
    path = tmp_path / "config"
    path.write_text(text)
    with pytest.raises(UsageError, match=said) as error:
        enter(assistant, path, "quaere", STARTED)
    assert "--print" in error.value.message
    assert path.read_text() == text
    assert [each.name for each in tmp_path.iterdir()] == ["config"]


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    real, path = tmp_path / "dotfiles" / "mcp.json", tmp_path / "mcp.json"
    real.write_text("{}")
    path.symlink_to(real)
    enter(Assistant.CURSOR, path, "quaere", STARTED)
    assert path.is_symlink()
    assert "quaere" in real.read_text()


def test_a_variable_without_a_value_is_an_error(tmp_path: Path, quaere: Run) -> None:
    done = quaere("mcp", "install", "cursor", "--env", "NO_SUCH_KEY", env={"HOME": str(tmp_path)})
    assert done.returncode == 2
    assert "NO_SUCH_KEY" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--env=MY KEY=1", "'MY KEY' is not the name of a variable"),
        ("--env==1", "'' is not the name of a variable"),
        ("--docs=nowhere", "There is no file or folder 'nowhere'"),
    ],
)
def test_what_could_not_be_used_later_is_refused_when_it_is_installed(
    tmp_path: Path, quaere: Run, option: str, said: str
) -> None:
    done = quaere("mcp", "install", "cursor", option, env={"HOME": str(tmp_path)}, cwd=tmp_path)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert not list(tmp_path.iterdir())


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)


@given(name=WORDS, argument=st.text(st.characters(exclude_categories=["Cs"])), key=WORDS)
@example(name="#", argument="x", key="0").via("a comment begins with it, but not in a name")
@example(name="]. ", argument="\u2028[mcp_servers.x]", key="a.b").via("marks of a header")
@pytest.mark.parametrize("assistant", [Assistant.CURSOR, Assistant.CODEX])
def test_any_text_comes_back_from_the_file_as_it_was(
    assistant: Assistant, name: str, argument: str, key: str
) -> None:
    started = Launch(argument or "x", (argument,), {key: argument})
    text = with_server(assistant, "", name, started)
    entry = entry_of(assistant, text, name)
    assert (entry["args"], entry["env"]) == ([argument], {key: argument})
    assert entry_of(assistant, with_server(assistant, text, name, started), name) == entry


def test_what_cannot_be_used_is_told_on_standard_error_alone(tmp_path: Path, quaere: Run) -> None:
    wrong = ("--model", "gpt-4", "--provider", "braave", "--docs", str(tmp_path / "nowhere"))
    done = quaere("mcp", *wrong)
    assert (done.returncode, done.stdout) == (0, "")
    told = done.stderr.splitlines()
    assert all(line.startswith("quaere: warning: ") for line in told)
    assert len(told) == 3
    assert "did you mean openai:gpt-4?" in told[0]
    assert "Did you mean brave?" in told[1]
    assert told[2] == f"quaere: warning: folder {tmp_path / 'nowhere'} is not there"


def test_nothing_is_told_where_all_can_be_used(quaere: Run, docs: Path) -> None:
    done = quaere("mcp", "--docs", docs, "--provider", "wikipedia")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
