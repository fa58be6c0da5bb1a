"""Every policy around the ports at once, in the order in which runs have them."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from aiohttp import web
from tests.graphs.minds import Mind
from tests.graphs.world import Desk, Shelf, told
from tests.look_alikes import web_engines
from tests.look_alikes.server import LookAlikeServer, as_json
from tests.look_alikes.shelf import Shelf as Library
from tests.store.recording.test_journal import Kept
from tests.testing.server import DoubleServer

from quaere.domain.question import Query
from quaere.domain.request import RunSpec
from quaere.models.langchain import LangChainModel
from quaere.models.meter import Meter
from quaere.reason.llm.reasoner import ModelReasoner
from quaere.resilience.once import SharedSearch
from quaere.resilience.timing import SystemClock
from quaere.runtime.engine import Engine
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.runtime.wiring import assemble, settle, tapped
from quaere.store.cache import CachedProvider
from quaere.store.recording.recording import Journal
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

DOWN, SPARE = "compatible:down", "compatible:spare"


class Models(DoubleServer):
    """Serves one model well, and refuses the key for every other."""

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        asked = cast("dict[str, object]", await request.json())
        self.names.append(str(asked["model"]))
        if asked["model"] != "spare":
            return web.json_response({"error": {"message": "no such key"}}, status=401)
        return await super()._handle(request)

    names: list[str]


@pytest.fixture
async def served() -> AsyncGenerator[Models]:
    server = Models(ScriptedModel(Mind()))
    server.names = []
    async with server:
        yield server


@pytest.fixture
def settings(served: Models, tmp_path: Path) -> Settings:
    price = {"input_usd": 1.0, "output_usd": 2.0}
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"models": {DOWN: price, SPARE: price}}))
    return Settings(
        cache_dir=tmp_path / "cache",
        cache_models=True,
        model=DOWN,
        model_fallbacks=(SPARE,),
        model_base_url={"": served.base_url},
        prices=prices,
    )


def assembled(
    resources: Resources, kept: Kept | None = None, *providers: str, offline: bool = True
) -> Engine:
    """Return an engine as a run has it: retry and breaker, cache, journal; without the web."""
    spec = settle(resources, RunSpec.of("Over what?", providers=providers or ("wikipedia",)))
    spec = spec.model_copy(update={"marks": "0a1b2c3d"})
    built = assemble(resources, spec)
    built = replace(built, providers=[Shelf()], reader=Desk()) if offline else built
    return tapped(built, spec, Journal(kept, SystemClock(), kept.past())) if kept else built


@asynccontextmanager
async def opened(settings: Settings) -> AsyncGenerator[Resources]:
    """Yield what the runs of a process share."""
    resources = Resources(settings)
    yield resources
    await resources.aclose()


def layers(port: object) -> list[str]:
    """Return the names of the policies around a port, from the run to the service."""
    found = [type(port).__name__]
    while (port := getattr(port, "inner", None)) is not None:
        found.append(type(port).__name__)
    return found


async def test_the_order_is_the_same_for_every_port_of_a_kind(settings: Settings) -> None:
    async with opened(settings) as resources:
        engine = assembled(resources, Kept(), offline=False)
        shared = SharedSearch(engine.providers[0])
        assert layers(shared)[:-1] == [
            "SharedSearch",
            "RecordedProvider",
            "CachedProvider",
            "InPassages",
            "ResilientProvider",
        ]
        assert layers(engine.reader)[:3] == ["RecordedReader", "CachedReader", "PunctualReader"]
        assert isinstance(engine.reasoner, ModelReasoner)
        models = engine.reasoner.for_run(Meter()).models
        for step in (models.plan, models.evaluate, models.write, models.check):
            row = getattr(step, "models", ())
            assert [model.name for model in row] == [DOWN, SPARE]
            for model in row:
                assert layers(model) == [
                    "MeteredModel",
                    "RecordedModel",
                    "CachedModel",
                    "ResilientModel",
                    LangChainModel.__name__,
                ]


async def test_models_to_fall_back_on_are_asked_under_a_limit_in_money_and_booked_by_name(
    settings: Settings, served: Models
) -> None:
    kept = Kept()
    async with opened(settings) as resources:
        engine = assembled(resources, kept)
        first = (await told(engine, max_cost_usd=1.0, run_id="r")).report
    assert first.citations
    assert [d.reason for d in first.degradations if "rejected the key" not in d.reason] == []
    assert {call.model for call in first.calls} == {DOWN, SPARE}
    answered = [call for call in first.calls if not call.error]
    assert answered
    assert {call.model for call in answered} == {SPARE}
    assert all(call.cost_usd for call in answered)
    assert served.names.count("down") == 1, "a key that is refused is tried once a run"
    calls = len(served.names)

    async with opened(settings) as resources:
        engine = assembled(resources, kept)
        again = (await told(engine, max_cost_usd=1.0, run_id="r")).report
    assert len(served.names) == calls, "the journal answers"
    assert again.answer == first.answer
    assert [(call.model, call.usage, call.cost_usd) for call in again.calls] == [
        (call.model, call.usage, call.cost_usd) for call in first.calls
    ], "what was paid before the stop counts"


async def test_a_limit_in_money_that_nothing_fits_is_kept_by_every_model(
    settings: Settings, served: Models
) -> None:
    async with opened(settings) as resources:
        engine = assembled(resources, Kept())
        report = (await told(engine, max_cost_usd=1e-9)).report
    assert served.names == []
    assert report.calls == ()
    assert any("may cost" in d.reason for d in report.degradations)


async def test_a_provider_that_fails_is_stood_in_for_by_the_next_r0_8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        LookAlikeServer(lambda _: as_json({"error": "no credit"}, status=402)) as brave,
        LookAlikeServer(web_engines.tavily(Library())) as tavily,
    ):
        for name, server in {"BRAVE": brave, "TAVILY": tavily}.items():
            monkeypatch.setenv(f"{name}_API_KEY", "a-key")
            monkeypatch.setenv(f"{name}_BASE_URL", server.base_url)
        monkeypatch.setenv("QUAERE_PROVIDER_FALLBACKS", "tavily, brave")
        settings = Settings(cache_dir=tmp_path)
        async with opened(settings) as resources:
            engine = assembled(resources, None, "brave", offline=False)
            (cached,) = engine.providers
            assert isinstance(cached, CachedProvider)
            provider = cached.inner
            hits = await provider.search(Query(text="What does the lantern moth eat?"), limit=3)
        assert provider.name == "brave"
        assert {hit.provider for hit in hits} == {"tavily"}
        assert brave.asked
        async with opened(settings) as resources:
            engine = assembled(resources, None, "brave", "tavily", offline=False)
            assert [layers(each)[1:3] for each in engine.providers] == [
                ["InPassages", "ResilientProvider"]
            ] * 2, "what is asked anyway stands in for nobody"
