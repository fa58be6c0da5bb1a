"""``quaere ask --dry-run``: what a run may take, and nobody asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.faces.cli.conftest import Run

from quaere.domain.budget import PROFILES, Limits, ProfileName
from quaere.domain.request import RunRequest
from quaere.errors import SettingsError, UsageError
from quaere.faces.cli.ask import foretold
from quaere.plan.forecast import Counts
from quaere.runtime.admission import Estimate
from quaere.runtime.app import App
from quaere.runtime.settings import Settings
from quaere.search.registry import DEFAULT_PROVIDERS

MODEL = "openai:gpt-4.1-mini"
UNPRICED = "compatible:moth-8b"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache")


def estimated(settings: Settings, **fields: object) -> Estimate:
    async def told() -> Estimate:
        async with App.open(settings) as app:
            return await app.estimate(RunRequest.of(question="Who?", **fields))

    return asyncio.run(told())


def test_a_search_service_needs_no_key_for_an_estimate_and_has_to_exist(quaere: Run) -> None:
    done = quaere("ask", "Who?", "--provider", "tavily", "--dry-run", "-m", MODEL)
    assert (done.returncode, done.stderr) == (0, "")
    assert "each to tavily" in done.stdout
    done = quaere("ask", "Who?", "--dry-run", env={"QUAERE_PROVIDERS": "tavvily"})
    assert (done.returncode, done.stdout) == (2, "")
    assert "Unknown search service 'tavvily'. Did you mean tavily?" in done.stderr


def test_a_dry_run_asks_nobody_and_succeeds(quaere: Run, docs: Path) -> None:
    """No key is set, and no client can be needed for what a call would cost."""
    done = quaere("ask", "Who?", "--docs", docs, "--dry-run", "-m", MODEL)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("standard profile; planning may choose another unless")
    rows = {line.split()[0]: line for line in done.stdout.splitlines() if MODEL in line}
    assert list(rows) == ["plan", "evaluate", "synthesize", "check"]
    assert "Searches: 1 to 10 (10 queries at most, each to folder)." in done.stdout
    assert "Pages read: 0 to 20. Time: at most 90 s." in done.stdout
    assert "Citations" not in done.stdout


def test_the_estimate_is_json_too_and_needs_no_file(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    env = {"QUAERE_MODEL": MODEL, "QUAERE_PROFILE": "chat", "CHAT_RESEARCH_MAX_SOURCES_READ": "3"}
    limits = ("--max-queries", "2", "-o", report)
    done = quaere("ask", "Who?", "--docs", docs, "--dry-run", *limits, env=env)
    made = Estimate.model_validate_json(done.stdout)
    assert (made.profile, made.chosen) == (ProfileName.CHAT, True)
    assert made.budget == PROFILES[ProfileName.CHAT].override({"max_queries": 2, "max_reads": 3})
    assert made.forecast.searches == Counts(low=1, high=2)
    assert {step.model for step in made.forecast.steps} == {MODEL}
    assert made.forecast.cost_usd
    assert not report.exists()


def test_a_replay_is_not_estimated(quaere: Run, tmp_path: Path) -> None:
    done = quaere("ask", "Who?", "--dry-run", "--replay", tmp_path / "tape")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--dry-run cannot be combined with --replay" in done.stderr


def test_without_a_model_only_searches_cost(settings: Settings) -> None:
    made = estimated(settings)
    assert made.providers == DEFAULT_PROVIDERS
    assert made.forecast.searches == Counts(low=7, high=70)
    text = foretold(made)
    assert "No model is used: only searches may cost anything." in text
    assert "$" not in text
    named = Settings(cache_dir=settings.cache_dir, model=MODEL)
    assert estimated(named, models={"general": "none"}).forecast.steps == ()


def test_every_step_is_estimated_by_its_own_model(settings: Settings) -> None:
    named = settings.model_copy(update={"model": MODEL, "model_write": "Anthropic:claude-opus-4-6"})
    steps = estimated(named, profile="deep").forecast.steps
    assert [(step.step, step.model) for step in steps] == [
        ("plan", MODEL),
        ("evaluate", MODEL),
        ("synthesize", "anthropic:claude-opus-4-6"),
        ("check", MODEL),
    ]
    assert all(step.cost_usd for step in steps)


def test_a_price_that_nobody_knows_is_asked_for(settings: Settings) -> None:
    made = estimated(settings, models={"general": UNPRICED})
    assert made.forecast.cost_usd is None
    text = foretold(made)
    assert f"The price of {UNPRICED} is not known. Give it in the JSON file" in text
    assert "QUAERE_PRICES" in text
    assert "no call of it" not in text
    limited = foretold(
        estimated(settings, models={"general": UNPRICED}, limits={"max_cost_usd": 0.5})
    )
    assert "so --max-cost 0.5 would allow no call to it" in limited


def test_the_file_that_is_told_of_gives_the_price(settings: Settings, tmp_path: Path) -> None:
    line = foretold(estimated(settings, models={"general": UNPRICED})).splitlines()[-1]
    form = json.loads(line[line.index("{") :])
    form["models"][UNPRICED]["output_usd"] = 2.0
    (tmp_path / "prices.json").write_text(json.dumps(form))
    priced = settings.model_copy(update={"prices": tmp_path / "prices.json"})
    made = estimated(priced, models={"general": UNPRICED}, limits={"max_cost_usd": 0.01})
    assert made.forecast.unpriced == ()
    assert made.forecast.cost_usd
    assert 0 < made.forecast.cost_usd.low < made.forecast.cost_usd.high == 0.01


@pytest.mark.parametrize(
    ("model", "providers", "limits", "message"),
    [
        ("gpt", (), {}, "vendor:model"),
        (None, ("nobody",), {}, "nobody"),
        (None, (), {"max_iters": 0}, "max_iters"),
    ],
)
def test_what_a_run_would_refuse_is_refused(
    settings: Settings, model: str | None, providers: Sequence[str], limits: Limits, message: str
) -> None:
    with pytest.raises((UsageError, SettingsError), match=message):
        estimated(settings, models={"general": model}, providers=providers, limits=limits)
