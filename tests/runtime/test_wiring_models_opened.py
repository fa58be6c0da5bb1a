"""Models that are opened for runs: what is warmed and closed, what stands for which name."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.graphs.minds import Mind
from tests.graphs.world import HOP, Shelf
from tests.models.test_entailment import write_network

from quaere.domain.budget import Limits
from quaere.domain.request import ModelChoice, RunRequest, RunSpec
from quaere.errors import SettingsError
from quaere.graphs.reasoning import PATIENT_SHARE
from quaere.models.entailment import LocalEntailment, ServedEntailment
from quaere.models.langchain import LangChainModel
from quaere.resilience.timing import SystemClock
from quaere.runtime.app import App
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.runtime.wiring import settle, settled_of
from quaere.runtime.wiring_models import (
    OpenedModels,
    build_entailment,
    check_names,
    named_models,
    recorded_reasoner,
    too_tight,
)
from quaere.store.recording.cassette import Recorder
from quaere.store.recording.replay import Replay
from quaere.testing import QueueModel, ScriptedModel

LOCAL = {"": "http://127.0.0.1:9/v1"}
OWN = "house:small"


@pytest.mark.anyio
async def test_clients_are_warmed_and_closed_and_models_of_ones_own_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []

    async def warm(self: LangChainModel) -> None:
        done.append(f"warm {self.name}")

    async def aclose(self: LangChainModel) -> None:
        done.append(f"close {self.name}")

    monkeypatch.setattr(LangChainModel, "warm", warm)
    monkeypatch.setattr(LangChainModel, "aclose", aclose)
    opened = OpenedModels(Settings(model_base_url=LOCAL), {OWN: QueueModel("yes", name=OWN)})
    assert opened.model(OWN) is opened.model(OWN)
    first = opened.model("compatible:moth")
    assert opened.model("compatible:moth") is first is not opened.model("compatible:owl")
    await opened.warm(OWN)
    await opened.warm("compatible:moth")
    assert done == ["warm compatible:moth"]
    await opened.aclose()
    assert done[1:] == ["close compatible:moth", "close compatible:owl"]


def test_names_are_looked_at_as_far_as_any_process_could_use_them() -> None:
    check_names(ModelChoice(general="auto", plan="none", check="openai:gpt-4.1"), {})
    check_names(ModelChoice(general=OWN), {OWN})
    for name in (OWN, "opnai:x"):
        with pytest.raises(SettingsError):
            check_names(ModelChoice(write=name), {})


def test_none_for_one_step_is_no_way_to_do_without_a_model() -> None:
    with pytest.raises(SettingsError, match="check"):
        named_models(Settings(model="openai:a"), ModelChoice(check="none"))
    own = ModelChoice(general="none", plan="openai:b")
    with pytest.raises(SettingsError, match="evaluate, synthesize, check"):
        named_models(Settings(), own)


@pytest.mark.parametrize("name", [None, "", " ", "none"])
def test_without_a_name_there_is_no_entailment_model(name: str | None) -> None:
    settings = Settings(entailment=name)
    assert build_entailment(settings, Resources(settings).models) is None


def test_an_entailment_model_is_a_folder_or_a_served_model(tmp_path: Path) -> None:
    folder = write_network(tmp_path / "nli", [[0.0], [0.1]])
    local = Settings(entailment=f" Local: {folder} ")
    assert isinstance(build_entailment(local, Resources(local).models), LocalEntailment)
    served = Settings(entailment="compatible:judge", model_base_url=LOCAL)
    assert isinstance(build_entailment(served, Resources(served).models), ServedEntailment)


def said_of(settings: Settings, limits: Limits, **fields: object) -> str:
    resources = Resources(settings)
    request = RunRequest.of(question="Where is Hask?", limits=limits, **fields)
    spec = settle(resources, RunSpec(request=request))
    return too_tight(settings, resources.models, settled_of(spec))


def test_a_call_may_take_exactly_what_a_run_has_for_it() -> None:
    seconds = 100.0
    for spare_s, is_told in ((0.0, False), (0.5, True)):
        settings = Settings(
            model="compatible:a",
            model_base_url=LOCAL,
            model_timeout_s=PATIENT_SHARE * seconds + spare_s,
        )
        limits = Limits(max_execution_time_s=seconds)
        assert bool(said_of(settings, limits)) is is_told
    assert said_of(Settings(), Limits(token_budget=1)) == "", "without a model nothing is tight"


def test_the_least_budget_of_a_call_is_told_and_is_enough() -> None:
    settings = Settings(model="compatible:a", model_base_url=LOCAL)
    told = said_of(settings, Limits(token_budget=10))
    least = int(told.partition("a budget of ")[2].partition(" tokens")[0].replace(",", ""))
    assert f"the run has {10}" in told
    assert 1_000 < least < 20_000
    assert said_of(settings, Limits(token_budget=least)) == ""
    assert said_of(settings, Limits(token_budget=least - 1))


@pytest.mark.anyio
async def test_a_recording_has_the_models_of_its_run_or_none(tmp_path: Path) -> None:
    model = ScriptedModel(Mind())
    settings = Settings(cache_dir=tmp_path, data_dir=tmp_path, model="test:mind", trace=False)
    recorder = Recorder(SystemClock())
    async with App.open(settings, providers=[Shelf()], models={"test:mind": model}) as app:
        run = await app.start(RunRequest(question=HOP), tap=recorder)
        report = await run.report()
    made = recorded_reasoner(Replay(recorder.cassette))
    assert made
    assert made.name == report.reasoner
    silent = Recorder(SystemClock())
    async with App.open(settings, providers=[Shelf()]) as app:
        run = await app.start(RunRequest.of(question=HOP, models={"general": "none"}), tap=silent)
        await run.report()
    assert recorded_reasoner(Replay(silent.cassette)) is None
