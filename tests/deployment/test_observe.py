"""Alerts and dashboards ask for what is measured, and alert when they should (R0.13, R2.5)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Literal

import pytest
import yaml
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import CollectorRegistry
from pydantic import BaseModel, Field
from tests.store.job import first_job

from quaere.domain.budget import PROFILES, ProfileName, Spend, remaining
from quaere.domain.events import (
    Event,
    ModelCalled,
    Phase,
    PhaseStarted,
    RunFinished,
    RunStarted,
    SearchFinished,
    SourceRead,
)
from quaere.domain.model import ModelCall
from quaere.domain.report import AnswerStatus, Report, StopReason
from quaere.domain.request import RunSpec
from quaere.domain.source import ReadStatus
from quaere.faces.server.telemetry import ServerMetrics
from quaere.runtime.metrics import RunMetrics
from quaere.runtime.tracing import RunTracing

ROOT = Path(__file__).parents[2]
OBSERVE = ROOT / "deploy" / "observe"
OF_A_RUN = OBSERVE / "grafana" / "dashboards" / "run.json"
DASHBOARDS = sorted({*OF_A_RUN.parent.glob("*.json")} - {OF_A_RUN})
EVERYWHERE = frozenset({"le", "job", "instance"})
OF_A_HISTOGRAM = ("_bucket", "_sum", "_count")


class Rule(BaseModel, extra="forbid"):
    alert: str
    expr: str
    lasting: str = Field("", alias="for")
    labels: dict[Literal["severity"], Literal["warning", "critical"]]
    annotations: dict[Literal["summary", "runbook"], str]


class Group(BaseModel, extra="forbid"):
    name: str
    rules: list[Rule]


class Rules(BaseModel, extra="forbid"):
    groups: list[Group]


class Target(BaseModel):
    expr: str


class Panel(BaseModel):
    id: int
    title: str
    targets: list[Target]


class Dashboard(BaseModel):
    uid: str
    panels: list[Panel]


class Search(BaseModel):
    query: str


class TracePanel(BaseModel):
    targets: list[Search]


class TraceDashboard(BaseModel):
    panels: list[TracePanel]


RULES = [
    rule
    for group in Rules.model_validate(yaml.safe_load((OBSERVE / "alerts.yml").read_text())).groups
    for rule in group.rules
]


def measured() -> dict[str, frozenset[str]]:
    """Return the labels of every series that servers and workers have, by its name."""
    registry = CollectorRegistry()
    assert ServerMetrics(registry)
    assert RunMetrics(registry)
    found = {"up": frozenset[str]()}
    for collector, names in registry._collector_to_names.items():
        labels = frozenset(getattr(collector, "_labelnames", ()))
        found |= dict.fromkeys(names, labels)
    return found


def unknown(query: str) -> list[str]:
    """Return the series and labels of a query that nothing has."""
    known = measured()
    bare = re.sub(r'"[^"]*"', "", query)
    labels = set(re.findall(r"(\w+)\s*(?:=~|!=|!~|=(?!=))", bare))
    for listed in re.findall(r"\bby \(([^)]*)\)", bare):
        labels |= {name.strip() for name in listed.split(",")}
    rest = re.sub(r"\bby \([^)]*\)|\{[^}]*\}|\[[^]]*\]", "", bare)
    series = set(re.findall(r"\b([a-z_]\w*)\b(?!\s*\()", rest)) - {"and", "sum", "max", "by"}
    lost = [name for name in series if name not in known]
    allowed = EVERYWHERE.union(*(known[name] for name in series if name in known))
    return [*lost, *(label for label in labels if label not in allowed)]


def test_what_nothing_measures_is_noticed() -> None:
    assert unknown("sum by (profile) (rate(runs_started_total[5m]))") == []
    assert unknown("sum by (stage) (rate(runs_started_total[5m]))") == ["stage"]
    assert unknown('rate(runs_startled_total{status="x"}[5m])') == ["runs_startled_total", "status"]


@pytest.mark.parametrize("path", DASHBOARDS, ids=lambda path: path.stem)
def test_a_dashboard_asks_for_what_is_measured_r2_5(path: Path) -> None:
    dashboard = Dashboard.model_validate_json(path.read_text("utf-8"))
    queries = [target.expr for panel in dashboard.panels for target in panel.targets]
    assert len(queries) >= 9
    assert {query: lost for query in queries if (lost := unknown(query))} == {}


def test_the_dashboards_show_every_metric_r0_13() -> None:
    shown = "".join(path.read_text("utf-8") for path in DASHBOARDS)
    families = {
        re.sub(r"_(bucket|sum|count|created)$", "", name)
        for name in measured()
        if not name.endswith("_created")
    }
    metrics = {f for f in families if f"{f}_total" not in families}
    assert [name for name in sorted(metrics) if name not in shown] == []


def traced() -> tuple[set[str], set[str]]:
    """Return the names and the attributes of the spans of a run in which everything happens."""
    exporter = InMemorySpanExporter()
    tracing = RunTracing(exporter)
    budget = PROFILES[ProfileName.STANDARD]
    told: list[Event] = [
        RunStarted(question="?", profile=ProfileName.STANDARD, budget=budget),
        PhaseStarted(phase=Phase.PLANNING, remaining=remaining(budget, Spend(), 0.0)),
        ModelCalled(call=ModelCall(step="plan", model="openai:gpt-4.1-mini")),
        SearchFinished(query="?", intent="", provider="brave", hits=1, fresh=1),
        SourceRead(url="https://a.example", title="", status=ReadStatus.OK),
        RunFinished(
            report=Report(
                run_id="r",
                question="?",
                answer="No evidence found.",
                status=AnswerStatus.NO_EVIDENCE,
                confidence=0.0,
                stop_reason=StopReason.SUFFICIENT,
                profile=ProfileName.STANDARD,
                budget=budget,
                spend=Spend(),
            )
        ),
    ]
    job = first_job(RunSpec.of("?", run_id="r"))
    for event in told:
        tracing.watch(job, event)
    tracing.close()
    spans = exporter.get_finished_spans()
    return {s.name for s in spans}, {name for s in spans for name in s.attributes or {}}


def test_the_dashboard_of_one_run_asks_for_spans_that_are_sent_r2_5() -> None:
    names, attributes = traced()
    dashboard = TraceDashboard.model_validate_json(OF_A_RUN.read_text("utf-8"))
    queries = [target.query for panel in dashboard.panels for target in panel.targets]
    searches = [query for query in queries if query != "$trace"]
    assert len(searches) >= 5
    for query in searches:
        assert set(re.findall(r'name = "(\w+)"', query)) <= names
        assert set(re.findall(r"span\.([\w.]+)", query)) <= attributes
    shown = set(re.findall(r"span\.([\w.]+)", " ".join(searches)))
    assert attributes - shown == {"gen_ai.operation.name", "gen_ai.provider.name"}


def test_traces_go_from_the_collector_to_where_grafana_looks() -> None:
    collector = yaml.safe_load((OBSERVE / "collector.yml").read_text())
    (exporter,) = collector["service"]["pipelines"]["traces"]["exporters"]
    host, port = collector["exporters"][exporter]["endpoint"].removeprefix("http://").split(":")
    tempo = yaml.safe_load((OBSERVE / "tempo.yml").read_text())
    taken = tempo["distributor"]["receivers"]["otlp"]["protocols"]["http"]["endpoint"]
    assert taken.endswith(f":{port}")
    source = yaml.safe_load((OBSERVE / "grafana" / "datasources" / "tempo.yml").read_text())
    (asked,) = source["datasources"]
    assert asked["url"] == f"http://{host}:{tempo['server']['http_listen_port']}"
    assert f'"uid": "{asked["uid"]}"' in OF_A_RUN.read_text("utf-8")
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    assert services[host]["profiles"] == services["collector"]["profiles"] == ["observe"]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.alert)
def test_an_alert_asks_for_what_is_measured_and_says_what_to_do(rule: Rule) -> None:
    assert unknown(rule.expr) == []
    page, anchor = rule.annotations["runbook"].split("#")
    headings = re.findall(r"^### (.*)$", (ROOT / page).read_text("utf-8"), re.MULTILINE)
    assert rule.alert in headings
    assert anchor == rule.alert.lower()


def test_every_alert_is_tested_for_firing() -> None:
    tests = (OBSERVE / "alerts_test.yml").read_text("utf-8")
    fired = re.findall(r"alertname: (\w+)\n\s+exp_alerts:\n", tests)
    assert set(fired) == {rule.alert for rule in RULES}


PROMTOOL = shutil.which("promtool")


@pytest.mark.skipif(PROMTOOL is None and "CI" not in os.environ, reason="promtool is not there")
@pytest.mark.parametrize(
    "words",
    [
        ("check", "config", "--syntax-only", "prometheus.yml"),
        ("test", "rules", "alerts_test.yml"),
    ],
    ids=["config", "alerts"],
)
def test_prometheus_takes_it(words: tuple[str, ...]) -> None:
    done = subprocess.run(
        [PROMTOOL or "promtool", *words], cwd=OBSERVE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
