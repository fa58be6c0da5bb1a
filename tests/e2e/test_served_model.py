"""The command with a model behind a server on loopback, the whole way from prompt to report."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import JsonValue
from tests.faces.cli.loopback import in_background
from tests.testing.server import DoubleServer

from quaere.domain.model import ModelRequest
from quaere.domain.report import AnswerStatus, Report
from quaere.errors import ModelRejected
from quaere.testing import ModelDouble, ScriptedModel
from quaere.testing.doubles import Answer

QUESTION = "Who built the mill at Orrin?"
MILL = "The mill at Orrin was built by Tamsin Wray in 1788. It ground barley for the valley."
OPENING: dict[str, JsonValue] = {
    "checklist": ["the builder of the mill"],
    "findings": [{"id": 1, "items": [1]}],
    "satisfied": [1],
    "gaps": [],
    "queries": [],
    "sufficient": True,
    "confidence": 0.9,
    "answer": "",
}


def asked(model: ModelDouble, folder: Path, *more: str) -> tuple[Report, Sequence[str]]:
    """Ask ``QUESTION`` about the mill; return the report, and the paths that were called."""
    (folder / "docs").mkdir()
    (folder / "docs" / "mill.md").write_text(MILL)
    with in_background(DoubleServer(model)) as server:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "quaere", "ask", QUESTION, "--docs", "docs", "--quiet"),
                *("--format", "json", "--model", "compatible:double", *more),
            ],
            cwd=folder,
            env={
                "PATH": os.environ["PATH"],
                "QUAERE_CACHE_DIR": str(folder / "cache"),
                "QUAERE_DATA_DIR": str(folder / "data"),
                "QUAERE_MODEL_BASE_URL": server.base_url,
                "QUAERE_MODEL_API_KEY": "test",
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.stdout, done.stderr
    return Report.model_validate_json(done.stdout), [call.path for call in server.calls]


def writing(request: ModelRequest) -> Answer:
    """Write one sentence that cites the first passage shown, and find it supported."""
    if request.step == "check":
        return {"verdicts": [{"number": 1, "verdict": "supported"}]}
    number = re.findall(r'id="(\d+)"', request.messages[-1].content)[0]
    return f"Tamsin Wray built the mill at Orrin in 1788 [{number}]."


def test_two_calls_and_a_check_make_a_cited_answer(tmp_path: Path) -> None:
    def script(request: ModelRequest) -> Answer:
        return OPENING if request.step == "plan" else writing(request)

    model = ScriptedModel(script)
    report, paths = asked(model, tmp_path)
    assert report.answer == "Tamsin Wray built the mill at Orrin in 1788 [1]."
    assert report.status is AnswerStatus.ANSWERED
    assert model.steps() == ["plan", "synthesize", "check"]
    assert paths == ["/v1/chat/completions"] * 3
    assert report.spend.model_calls == 3
    assert not report.degradations


def test_a_model_that_only_fails_leaves_a_cited_answer_r0_12(tmp_path: Path) -> None:
    report, paths = asked(ScriptedModel(lambda _: ModelRejected("no oil")), tmp_path)
    assert "built by Tamsin Wray in 1788 [1]" in report.answer
    assert paths
    assert {degradation.step for degradation in report.degradations} >= {"plan", "synthesize"}


@pytest.mark.parametrize(
    "judged",
    [
        {**OPENING, "gaps": None, "queries": None},
        {**OPENING, "findings": [1], "satisfied": ["1"], "confidence": "high"},
    ],
)
def test_a_judgement_and_ids_in_forms_of_their_own_cost_no_call(
    judged: dict[str, JsonValue], tmp_path: Path
) -> None:
    def script(request: ModelRequest) -> Answer:
        if request.step != "plan":
            return writing(request)
        return {**judged, "answer": "Tamsin Wray built the mill at Orrin in 1788 (1)."}

    model = ScriptedModel(script)
    report, _ = asked(model, tmp_path)
    assert report.answer == "Tamsin Wray built the mill at Orrin in 1788 [1]."
    assert report.status is AnswerStatus.ANSWERED
    assert model.steps() == ["plan", "check"]
    assert not report.degradations
