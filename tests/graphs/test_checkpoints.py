"""Graphs go on at their step under a checkpointer of LangGraph."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.graphs.checkpointed import STEPS
from tests.graphs.checkpointed_team import CUTS

from quaere.domain.report import Report

Runs = Mapping[str, Mapping[str, object]]


def written(program: str, folder: Path) -> Runs:
    """Return what ``program`` wrote with LangGraph's deserialization locked down."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.graphs.{program}", folder],
        env={**os.environ, "LANGGRAPH_STRICT_MSGPACK": "true"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == "", "such as: blocked deserialization of a type"
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return written("checkpointed", tmp_path_factory.mktemp("checkpoints"))


@pytest.mark.parametrize("step", STEPS)
def test_a_run_stopped_behind_a_step_ends_in_the_same_report(runs: Runs, step: str) -> None:
    whole, stopped = runs[""], runs[step]
    stops = {"": 0, "follow": 1, "plan": 1, "synthesize": 1, "verify": 0}
    assert stopped["stops"] == stops.get(step, 3)
    assert stopped["report"] == whole["report"]
    assert stopped["queries"] == whole["queries"], "nothing is searched twice"


def test_the_run_that_was_stopped_is_a_real_one(runs: Runs) -> None:
    report = runs[""]["report"]
    assert isinstance(report, dict)
    assert report["stop_reason"] == "max_iterations"
    assert "She was born in Tressel Ford in 1861 [1]." in report["answer"]


@pytest.fixture(scope="module")
def team_runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return written("checkpointed_team", tmp_path_factory.mktemp("checkpoints"))


@pytest.mark.parametrize("cut", CUTS)
def test_a_run_cut_off_in_a_search_ends_in_the_same_report(team_runs: Runs, cut: int) -> None:
    whole, resumed = team_runs["0"], team_runs[str(cut)]
    assert resumed["cut"] is (cut > 0)
    for part in ("report", "messages", "notes"):
        assert resumed[part] == whole[part]


def test_the_run_that_was_cut_off_is_a_real_one(team_runs: Runs) -> None:
    report = Report.model_validate(team_runs["0"]["report"])
    assert len(report.dispatched_topics) == 4
    assert len(report.skipped_topics) == 1
    assert "Tressel Ford in 1861" in report.answer
