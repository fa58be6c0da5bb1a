"""What the document on protocols shows works as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faces.server.served import QUESTION

from quaere.faces.server.openai_forms import MODELS, OwnOptions

TEXT = (Path(__file__).parents[3] / "docs" / "protocols.md").read_text("utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS, ids=["completion", "langchain", "responses"])
def test_every_program_prints_an_answer(url: str, program: str) -> None:
    asked = program.replace("http://127.0.0.1:8000", url)
    asked = asked.replace("Why does a run never exceed its time limit?", QUESTION)
    assert asked.count(QUESTION) == 1
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Ada Finch" in done.stdout


def test_models_and_options_are_all_named() -> None:
    for name in (*MODELS, *OwnOptions.model_fields):
        assert f"`{name}`" in TEXT
