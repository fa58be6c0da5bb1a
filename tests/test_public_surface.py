"""What ``import quaere`` gives, and what it costs."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import quaere

HEAVY = [
    "asyncio",
    "langchain_core",
    "langgraph",
    "lxml",
    "pydantic",
    "pypdfium2",
    "rich",
    "structlog",
    "tantivy",
    "trafilatura",
    "typer",
]


def loaded_after(code: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter has loaded after ``code``."""
    program = f"import json, sys\n{code}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


@pytest.mark.parametrize("name", quaere.__all__)
def test_every_public_name_can_be_had_and_says_what_it_is(name: str) -> None:
    assert inspect.getdoc(getattr(quaere, name))
    assert name in dir(quaere)


def test_the_public_names_are_these() -> None:
    assert quaere.__all__ == sorted(quaere.__all__)
    assert set(quaere.__all__) == {
        "App",
        "QuaereError",
        "Report",
        "Run",
        "RunRequest",
        "Settings",
        "research",
        "run_research",
    }


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'searching'"):
        quaere.searching  # noqa: B018 - it raises


def test_the_functions_stay_functions_whatever_is_imported() -> None:
    program = (
        "import quaere; quaere.run_research; quaere.research; assert callable(quaere.research)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_it_has_a_version() -> None:
    assert quaere.__version__.split(".")[:2] == ["0", "1"]


def test_importing_it_loads_nothing_heavy() -> None:
    assert not loaded_after("import quaere") & set(HEAVY)


def test_the_errors_load_nothing_heavy() -> None:
    assert not loaded_after("from quaere import QuaereError") & set(HEAVY)


def test_opening_an_app_loads_no_parser_and_no_terminal() -> None:
    loaded = loaded_after("from quaere import App; App()")
    assert not loaded & {"lxml", "pypdfium2", "trafilatura", "typer", "docx"}


@pytest.mark.slow
def test_a_type_checker_follows_the_examples_of_the_documentation(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent
    for page in ("python", "assistants"):
        text = (root / "docs" / f"{page}.md").read_text("utf-8")
        for number, example in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL)):
            (tmp_path / f"{page}_{number}.py").write_text(example, "utf-8")
    settings = {"typeCheckingMode": "standard", "reportPossiblyUnboundVariable": False}
    settings |= {"extraPaths": [str(root / "src")]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable]
    checked = subprocess.run(
        [*command, "-p", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
