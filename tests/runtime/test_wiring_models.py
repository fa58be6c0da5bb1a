"""From settings to models by step."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from quaere.domain.budget import Limits
from quaere.domain.request import ModelChoice, RunRequest, RunSpec
from quaere.errors import SettingsError
from quaere.models.guard import ModelPolicy, ResilientModel
from quaere.models.vendors import ModelSpec
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.runtime.wiring import settle, settled_of
from quaere.runtime.wiring_models import (
    ModelSide,
    OpenedModels,
    access_of,
    build_embedder,
    build_reasoner,
    named_models,
    too_tight,
)
from quaere.testing import QueueModel


def built(settings: Settings) -> ModelSide | None:
    return build_reasoner(settings, Resources(settings).models, named_models(settings))


LOCAL = {"": "http://127.0.0.1:9/v1"}


def test_one_name_serves_every_step_and_a_step_may_have_its_own() -> None:
    named = named_models(Settings(model="openai:a", model_write="openai:b"))
    assert named == {
        "plan": "openai:a",
        "evaluate": "openai:a",
        "synthesize": "openai:b",
        "check": "openai:a",
    }
    assert set(
        named_models(Settings(model="openai:a"), ModelChoice(general="openai:c")).values()
    ) == {"openai:c"}


def test_none_is_no_model_whatever_is_set() -> None:
    assert named_models(Settings()) == {}
    assert named_models(Settings(model="openai:a"), ModelChoice(general="none")) == {}
    assert named_models(Settings(model="none", model_write="openai:b")) == {}
    assert built(Settings()) is None


def test_a_request_names_models_for_all_steps_or_for_one() -> None:
    settings = Settings(model="openai:a", model_write="openai:b")
    chosen = named_models(settings, ModelChoice(check="openai:c"))
    assert (chosen["check"], chosen["synthesize"], chosen["plan"]) == (
        "openai:c",
        "openai:b",
        "openai:a",
    )
    both = named_models(settings, ModelChoice(general="openai:d", plan="openai:e"))
    assert (both["plan"], both["synthesize"]) == ("openai:e", "openai:d")


def test_a_step_without_a_name_is_told() -> None:
    with pytest.raises(SettingsError, match="plan, evaluate, check"):
        named_models(Settings(model_write="openai:b"))


def test_a_key_goes_to_its_vendor_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "for-openai")
    settings = Settings(model_api_key="for-mine", model_base_url=LOCAL)  # type: ignore[arg-type]
    openai = access_of(ModelSpec.parse("openai:a"), settings)
    mine = access_of(ModelSpec.parse("compatible:a"), settings)
    assert (openai.api_key.get_secret_value(), openai.base_url) == ("for-openai", "")
    assert (mine.api_key.get_secret_value(), mine.base_url) == ("for-mine", LOCAL[""])


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("http://a.example/v1", {"": "http://a.example/v1"}),
        ("openai=http://p.example/v1", {"openai": "http://p.example/v1"}),
        (
            "http://a.example/v1?x=1, openai=https://p.example",
            {"": "http://a.example/v1?x=1", "openai": "https://p.example"},
        ),
    ],
)
def test_base_urls_are_one_or_by_vendor(
    monkeypatch: pytest.MonkeyPatch, written: str, read: Mapping[str, str]
) -> None:
    monkeypatch.setenv("QUAERE_MODEL_BASE_URL", written)
    assert Settings().model_base_url == read


def test_every_model_is_opened_once_however_many_steps_name_it() -> None:
    side = built(Settings(model="compatible:a", model_base_url=LOCAL))
    assert side
    models = side.reasoner.models
    assert models.plan is models.evaluate is models.write is models.check
    with_fallback = built(
        Settings(model="compatible:a", model_fallbacks=("compatible:b",), model_base_url=LOCAL)
    )
    assert with_fallback
    assert with_fallback.reasoner.name == "compatible:a, compatible:b"


def test_what_counts_beside_a_model_is_checked_without_one(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="not a model name"):
        built(Settings(model_fallbacks=("nothing",)))
    with pytest.raises(SettingsError, match="cannot be read"):
        built(Settings(prices=tmp_path / "prices.json"))
    assert built(Settings(model_fallbacks=("compatible:a",))) is None


def test_what_is_missing_is_told_before_anything_runs() -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        built(Settings(model="openai:gpt-4.1-mini"))
    with pytest.raises(SettingsError, match="no vendor"):
        built(Settings(model="opnai:x"))
    with pytest.raises(SettingsError, match="base URL"):
        built(Settings(model="compatible:x"))


@pytest.mark.parametrize("name", [None, "none", ""])
def test_without_a_name_there_is_no_embedder(name: str | None) -> None:
    assert build_embedder(Settings(embedder=name)) is None


def test_an_embedder_is_reached_as_models_are() -> None:
    settings = Settings(embedder="compatible:all-MiniLM-L6-v2", model_base_url=LOCAL)
    embedder = build_embedder(settings)
    assert embedder
    assert embedder.name == "compatible:all-MiniLM-L6-v2"
    with pytest.raises(SettingsError, match="set OPENAI_API_KEY"):
        build_embedder(Settings(embedder="openai:text-embedding-3-small"))


# How long a call may take


def guarded(timeout_s: float) -> ResilientModel:
    own = {"test:slow": QueueModel("yes")}
    model = OpenedModels(Settings(model_timeout_s=timeout_s), own).model("test:slow")
    assert isinstance(model, ResilientModel)
    return model


def test_a_limit_above_a_minute_is_kept() -> None:
    policy = guarded(300).policy
    assert (policy.attempt_timeout_s, policy.pause_s) == (300, 50)
    assert guarded(120).policy == ModelPolicy()


@pytest.mark.parametrize(
    ("settings", "limits", "told"),
    [
        ({"model_timeout_s": 300.0}, Limits(), "gives a call at most 54 s"),
        ({"model_timeout_s": 300.0}, Limits(max_execution_time_s=600), ""),
        ({}, Limits(token_budget=2_000), "--max-tokens"),
        ({}, Limits(), ""),
    ],
)
def test_a_run_that_cannot_hold_one_call_says_so_before_it_starts(
    settings: dict[str, float], limits: Limits, told: str
) -> None:
    resources = Resources(Settings(model="compatible:a", model_base_url=LOCAL, **settings))  # type: ignore[arg-type]
    spec = settle(resources, RunSpec(request=RunRequest(question="Where is Hask?", limits=limits)))
    said = too_tight(resources.settings, resources.models, settled_of(spec))
    assert (told in said) if told else said == ""
