"""The command line as a whole: help, version, errors, and what is loaded for them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
from tests.faces.cli.conftest import Run, ended_by_a_defect
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from quaere import __version__
from quaere.__main__ import GARBAGE_AFTER
from quaere.domain.report import AnswerStatus
from quaere.errors import QuaereError, QuestionError, SearchError, SettingsError, UsageError
from quaere.faces import cli
from quaere.faces.cli import exits
from quaere.faces.cli.exits import ExitCode, exit_code
from quaere.faces.cli.main import (
    EPILOG,
    PLUGINS,
    application,
    commands,
    with_command,
)

HEAVY = ("langgraph", "pydantic", "rich", "structlog", "tantivy", "trafilatura", "asyncio")


def test_help_lists_the_commands_and_the_exit_codes(quaere: Run) -> None:
    done = quaere("--help")
    assert done.returncode == 0
    for name, command in commands().items():
        assert name in done.stdout
        assert command.summary in done.stdout
    for code in ExitCode:
        assert f"  {code.value} " in done.stdout
    assert done.stderr == ""


def test_help_loads_nothing_heavy() -> None:
    """What keeps ``quaere --help`` under 0.2 s."""
    program = (
        "import sys\n"
        "from quaere.faces.cli.main import main\n"
        "sys.argv = ['quaere', '--help']\n"
        "try: main()\n"
        "finally: print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not {module.partition(".")[0] for module in done.stderr.split()} & set(HEAVY)


def test_an_answer_without_a_model_loads_nothing_of_models(tmp_path: Path) -> None:
    """Their clients and prompts take a twentieth of a second to load."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "pell.md").write_text("# Pell\n\nThe Pell ferry was built in 1907.\n", "utf-8")
    program = (
        "import sys\n"
        "from quaere.faces.cli.main import main\n"
        f"sys.argv = {['quaere', 'ask', 'When was Pell built?', '--docs', str(docs)]!r}\n"
        "try: main()\n"
        "finally: print(*sys.modules, file=sys.stderr)\n"
    )
    kept = {"QUAERE_CACHE_DIR": str(tmp_path / "cache"), "QUAERE_DATA_DIR": str(tmp_path / "data")}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **kept},
    )
    assert "1907" in done.stdout
    loaded = set(done.stderr.split())
    assert not loaded & {"quaere.models.langchain", "quaere.reason.llm.prompt_builder"}


def test_version(quaere: Run) -> None:
    done = quaere("--version")
    assert (done.returncode, done.stdout) == (0, f"quaere {__version__}\n")


@pytest.mark.parametrize(
    "arguments", [["research"], ["--no-such-option"], ["ask"], []], ids=" ".join
)
def test_what_no_command_is_meant_by_is_exit_code_2(quaere: Run, arguments: list[str]) -> None:
    done = quaere(*arguments)
    assert done.returncode == 2
    assert done.stderr


def test_the_line_in_the_list_is_what_the_command_says_of_itself() -> None:
    for name, command in commands().items():
        group = get_command(application([name]))
        assert isinstance(group, TyperGroup)
        assert (group.commands[name].help or "").partition("\n")[0] == command.summary


def test_a_module_lists_the_commands_that_it_registers() -> None:
    """A line that is not of the form would hide its command without a word."""
    folder = Path(cli.__file__).parent
    registered: set[tuple[str, str]] = set()
    for path in folder.glob("*.py"):
        if "def register(" in path.read_text("utf-8"):
            app = typer.Typer()
            import_module(f"{cli.__name__}.{path.stem}").register(app)
            for each in (*app.registered_commands, *app.registered_groups):
                registered.add((path.stem, str(each.name)))
    assert {(command.module, name) for name, command in commands().items()} == registered


def test_a_command_does_not_change_its_place_in_the_list_when_it_is_meant() -> None:
    listed = CliRunner().invoke(application(["resume"]), ["--help"]).stdout
    names = re.findall(r"^  ([a-z]+)  ", listed.partition("Commands:")[2], re.MULTILINE)
    assert [name for name in names if name in commands()] == sorted(commands())


def test_a_command_is_added_with_one_edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 12: its module is all there is to write."""
    (tmp_path / "greet.py").write_text(
        '"""``quaere greet``: Say hello."""\n\n'
        "import typer\n\n\n"
        "def register(app: typer.Typer) -> None:\n"
        '    app.command("greet")(greet)\n\n\n'
        "def greet() -> None:\n"
        '    """Say hello."""\n'
        '    print("Hello.")\n'
    )
    monkeypatch.setattr(cli, "__path__", [*cli.__path__, str(tmp_path)])
    run = CliRunner()
    listed = run.invoke(application(), ["--help"])
    assert re.search(r"^  greet +Say hello\.$", listed.stdout, re.MULTILINE)
    assert run.invoke(application(["greet"]), ["greet"]).stdout == "Hello.\n"


def test_only_the_command_that_is_meant_is_imported() -> None:
    loaded = application(["--debug", "index", "ask"])
    callbacks = {command.name: command.callback for command in loaded.registered_commands}
    module = import_module("quaere.faces.cli.search")
    assert module.index in callbacks.values()
    assert import_module("quaere.faces.cli.ask").ask not in callbacks.values()


def test_a_defect_is_one_line_and_with_debug_a_traceback() -> None:
    """A question of the wrong type cannot come from a shell; a broken standard input can."""
    for debug in (False, True):
        done = ended_by_a_defect(*(["--debug"] * debug), "ask", "-", "--docs", ".")
        assert ("Traceback" in done.stderr) is debug
        assert done.stderr.startswith("quaere: Internal error (AttributeError): ") is not debug


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (QuaereError("x"), 1),
        (SearchError("x"), 1),
        (UsageError("x"), 2),
        (QuestionError("x"), 2),
        (SettingsError("x"), 2),
    ],
)
def test_exit_codes_of_errors(error: QuaereError, code: int) -> None:
    assert exit_code(error) == code


def test_every_status_of_a_report_has_an_exit_code_and_help_tells_all_codes() -> None:
    assert set(exits.BY_STATUS) == set(AnswerStatus)
    assert all(f"  {code.value} " in EPILOG for code in ExitCode)


def test_a_bad_log_level_is_a_settings_error(quaere: Run) -> None:
    done = quaere("index", ".", "-q", env={"QUAERE_LOG_LEVEL": "loud"})
    assert done.returncode == 2
    assert "Invalid QUAERE_LOG_LEVEL 'loud'" in done.stderr


SEEN = """
import atexit, gc, sys
atexit.register(lambda: print(gc.get_freeze_count() > 10_000))
from quaere.__main__ import main
sys.argv = ["quaere", "--version"]
try:
    main()
finally:
    print(gc.isenabled(), gc.get_threshold()[0])
"""


def test_a_command_looks_for_garbage_seldom_and_not_when_it_ends() -> None:
    ran = subprocess.run([sys.executable, "-c", SEEN], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[1:] == [f"True {GARBAGE_AFTER}", "True"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["--log-format=json", "why", "is", "it"], ["--log-format=json", "ask", "why", "is", "it"]),
        (["--log-format", "json", "trace", "list"], ["--log-format", "json", "trace", "list"]),
        (
            ["--debug", "--log-format", "text", "-q"],
            ["--debug", "--log-format", "text", "ask", "-q"],
        ),
        (["--version"], ["--version"]),
        (["-h"], ["-h"]),
        (["eval", "the", "set"], ["eval", "the", "set"]),
        (["ass", "who", "built"], ["ass", "who", "built"]),
        (["ox", "built", "it"], ["ask", "ox", "built", "it"]),
        (["seeeerch", "built", "it"], ["ask", "seeeerch", "built", "it"]),
        (["seerhc", "mill"], ["seerhc", "mill"]),
        (["orrin", "-q"], ["orrin", "-q"]),
        (["orrin", "mill"], ["ask", "orrin", "mill"]),
        (["orrin mill", "-q"], ["ask", "orrin mill", "-q"]),
    ],
)
def test_what_begins_with_a_command_or_nearly_asks_nothing(
    typed: list[str], meant: list[str]
) -> None:
    assert with_command(typed) == meant


def test_commands_are_in_alphabetical_order() -> None:
    names = list(commands())
    assert names == sorted(names)


@pytest.fixture
def packaged(tmp_path: Path) -> dict[str, str]:
    """An environment with a package that brings a command, a broken one and one that exists."""
    about = tmp_path / "greeting-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        f"[{PLUGINS}]\nhail = greeting_hail\ntorn = greeting_torn\n"
        "worn = greeting_worn\nbare = greeting_bare\nask = greeting_hail\n"
    )
    (tmp_path / "greeting_hail.py").write_text(
        '"""``quaere hail``: Say hail."""\n\n'
        "import typer\n\n\n"
        "def register(app: typer.Typer) -> None:\n"
        '    app.command("hail")(hail)\n\n\n'
        "def hail() -> None:\n"
        '    """Say hail."""\n'
        '    print("Hail.")\n'
    )
    (tmp_path / "greeting_torn.py").write_text(
        '"""``quaere torn``: Break."""\n\nimport no_such_greeting\n'
    )
    (tmp_path / "greeting_worn.py").write_text('raise ValueError("it is old")\n')
    (tmp_path / "greeting_bare.py").write_text('"""Registers nothing."""\n')
    before = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(tmp_path), before)))}


def test_packages_bring_commands_but_replace_none(quaere: Run, packaged: dict[str, str]) -> None:
    listed = quaere("--help", env=packaged).stdout
    assert re.search(r"^  hail +Say hail\.$", listed, re.MULTILINE)
    assert re.search(r"^  torn +Break\.$", listed, re.MULTILINE)
    assert commands()["ask"].summary in listed
    hail = quaere("hail", env=packaged)
    assert (hail.returncode, hail.stdout) == (0, "Hail.\n")
    assert "question" in quaere("ask", "--help", env=packaged).stdout


@pytest.mark.parametrize(
    ("name", "why"),
    [("torn", "no_such_greeting"), ("worn", "it is old"), ("bare", "no attribute 'register'")],
)
def test_a_command_that_cannot_be_loaded_says_so_whatever_its_arguments(
    quaere: Run, packaged: dict[str, str], name: str, why: str
) -> None:
    done = quaere(name, "a", "--any", "b", env=packaged)
    assert done.returncode == 2
    assert name in done.stderr
    assert why in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
