"""What a run may take under the limits of a key."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from quaere.domain.access import KeyLimits
from quaere.domain.precedence import Mode
from quaere.domain.profile import PROFILES, ProfileName
from quaere.domain.request import RunRequest, RunSpec, Settled
from quaere.domain.trace import Owner
from quaere.errors import NotAllowed
from quaere.runtime.app import App
from quaere.runtime.settings import Settings
from quaere.store.db.schema import jobs, tool_traces

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
