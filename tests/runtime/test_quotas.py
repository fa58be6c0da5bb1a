"""What a run may take under the limits of a key."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import select, update
from tests.look_alikes.models.openai import ChatCompletions
from tests.look_alikes.models.server import ModelServer

from quaere.audit.cited_text import cited_text
from quaere.domain.access import KeyLimits
from quaere.domain.budget import PROFILES, Mode, ProfileName
from quaere.domain.request import RunRequest, RunSpec, Settled
from quaere.domain.trace import Owner
from quaere.errors import NotAllowed, QuotaExceeded
from quaere.runtime.app import App
from quaere.runtime.check import CheckOptions, Payer
from quaere.runtime.settings import Settings
from quaere.store.db.schema import jobs, tool_traces
from quaere.store.usage import UsageSums

pytestmark = pytest.mark.anyio

ANN = Owner(user="ann")
SIMPLE = KeyLimits(highest_profile=ProfileName.SIMPLE)


@pytest.fixture
async def app(tmp_path: Path) -> AsyncGenerator[App]:
    docs = tmp_path / "docs"
    docs.mkdir()
    settings = Settings(data_dir=tmp_path, docs=(docs,))
    async with App.open(settings) as app:
        yield app


async def settled(app: App, key: KeyLimits, **fields: object) -> Settled:
    trace = await app.submit(RunRequest.of(question="Who?", **fields), ANN, limits=key)
    async with (await app.database()).read() as connection:
        wanted = select(jobs.c.request).where(jobs.c.run_id == trace.id)
        body = (await connection.execute(wanted)).scalar_one()
    found = RunSpec.model_validate_json(body).settled
    assert found
    return found


async def test_no_run_is_above_the_highest_profile(app: App) -> None:
    for fields in ({"profile": "deep"}, {"profile": "standard"}, {"mode": Mode.DEEP_RESEARCH}):
        with pytest.raises(NotAllowed):
            await app.submit(RunRequest.of(question="Who?", **fields), ANN, limits=SIMPLE)
    for profile in (ProfileName.SIMPLE, ProfileName.CHAT):
        assert (await settled(app, SIMPLE, profile=profile)).profile is profile


async def test_limits_that_are_asked_for_do_not_lift_the_profile(app: App) -> None:
    wide = {"max_iters": 50, "max_reads": 900, "max_cost_usd": 9.0, "answer_words": 10}
    asked = await settled(app, SIMPLE, profile="simple", limits=wide)
    simple, given = PROFILES[ProfileName.SIMPLE], asked.budgets[ProfileName.SIMPLE]
    assert given == simple.override({"max_cost_usd": 9.0, "answer_words": 10})
    assert asked.limits.get("max_iters") == simple.max_iters


async def test_a_profile_that_planning_chooses_has_the_budget_of_the_highest(app: App) -> None:
    asked = await settled(app, SIMPLE)
    simple = PROFILES[ProfileName.SIMPLE]
    assert asked.profile is None
    for name, budget in asked.budgets.items():
        assert budget.max_iters <= simple.max_iters, name
        assert budget.token_budget <= simple.token_budget, name


async def test_a_run_may_spend_what_is_left_of_the_day(app: App) -> None:
    limits = KeyLimits(usd_per_day=1.0)
    first = await settled(app, limits, profile="simple")
    assert first.budgets[ProfileName.SIMPLE].max_cost_usd == 1.0
    async with (await app.database()).write() as connection:
        await connection.execute(update(tool_traces).values(metrics={"cost_usd": 0.75}))
    second = await settled(app, limits, profile="simple", limits={"max_cost_usd": 0.9})
    assert second.budgets[ProfileName.SIMPLE].max_cost_usd == pytest.approx(0.25)


async def test_a_key_without_limits_changes_nothing(app: App) -> None:
    asked = await settled(app, KeyLimits(), profile="deep", limits={"max_iters": 50})
    assert asked.budgets[ProfileName.DEEP].max_iters == 50


async def test_a_check_that_asks_a_model_is_paid_from_the_same_dollars(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bridge.md").write_text("The old bridge of Velling spans 312 metres.")
    text = cited_text("The bridge is the longest one of the valley [1].\n\n[1] bridge.md\n")
    key, folders = Payer(ANN, KeyLimits(usd_per_day=0.00001)), (tmp_path,)
    options = CheckOptions(roots=folders, model="openai:gpt-4o-mini", payer=key)
    async with ModelServer(ChatCompletions()) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "lamp-0123456789")
        monkeypatch.setenv("QUAERE_MODEL_BASE_URL", f"openai={server.base_url}/v1")
        monkeypatch.setenv("QUAERE_DATA_DIR", str(tmp_path / "data"))
        async with App.open() as app:
            poor = await app.check(text, options)
            assert (poor.calls, len(server.calls)) == ((), 0), "one call costs more than that"
            rich = replace(options, payer=Payer(ANN, KeyLimits(usd_per_day=1.0)))
            asked = await app.check(text, rich)
            took = sum(call.cost_usd or 0.0 for call in asked.calls)
            usage = UsageSums(await app.database())
            (day,) = await usage.by_day(ANN, date.min, date.max)
            assert (day.runs, day.cost_usd) == (0, pytest.approx(took))
            assert took > 0
            spent = Payer(ANN, KeyLimits(usd_per_day=took))
            with pytest.raises(QuotaExceeded, match="this key allows"):
                await app.check(text, replace(options, payer=spent))
            free = await app.check(text, replace(options, model=None, payer=spent))
            assert free.calls == (), "without a model it costs nothing"
            with pytest.raises(QuotaExceeded):
                await settled(app, KeyLimits(usd_per_day=took))
            ben = Payer(Owner(user="ben"), KeyLimits())
            unpriced = await app.check(text, replace(options, model="openai:moth", payer=ben))
            assert {call.cost_usd for call in unpriced.calls} == {None}
            (day,) = await usage.by_day(ben.owner, date.min, date.max)
            assert day.tokens > 0
            assert day.cost_usd == 0.0, "nobody knows the price of that model"
