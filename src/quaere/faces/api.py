"""The engine as two functions: one to await, one to call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from quaere.domain.budget import Limits, merge_limits
from quaere.domain.profile import ProfileName
from quaere.domain.report import Report
from quaere.domain.team import Strategy
from quaere.errors import SettingsError
from quaere.runtime.settings import load_settings
from quaere.runtime.wiring import build_engine


class Options(Limits, total=False):
    """Limits, and how to research."""

    strategy: Strategy | None
    """One line of inquiry or a supervisor with researchers; ``QUAERE_STRATEGY``, or what suits the
    question, when left out."""


async def run_research(
    task: str,
    *,
    docs: str | Path | Sequence[str | Path] = (),
    providers: Sequence[str] = (),
    model: str | None = None,
    context: str = "",
    complexity_tier: ProfileName | str | None = None,
    **options: Unpack[Options],
) -> Report:
    """Research ``task`` and return the report (R0.1).

    Args:
        task: What is asked.
        docs: Folders and files to search; those of ``QUAERE_DOCS`` when left out.
        providers: Search services to ask, by name; see ``quaere providers``.
        model: Language model of every step, ``vendor:model``; ``none`` for no model. Left out, the
            models that the environment names, if it names any.
        context: What the answer is needed for.
        complexity_tier: ``simple``, ``standard``, ``deep`` or ``chat``.
        options: ``max_iters``, ``max_queries``, ``max_sources``, ``max_execution_time_s`` and the
            other fields of `quaere.domain.budget.Limits`, which override the environment's and the
            tier's; and ``strategy``.

    Raises:
        UsageError: when the question, a limit or a folder cannot be used as given.
        QuaereError: when the run cannot come to a report.
    """
    settings = load_settings()
    strategy = options.pop("strategy", None)
    folders = [Path(path) for path in ([docs] if isinstance(docs, str | Path) else docs)]
    async with build_engine(settings, docs=folders, providers=providers, model=model) as engine:
        return await engine.run(
            task,
            context=context,
            profile=_profile(complexity_tier) or settings.profile,
            limits=merge_limits(settings.limits, options),
            strategy=strategy,
        )


def research(
    task: str,
    *,
    docs: str | Path | Sequence[str | Path] = (),
    providers: Sequence[str] = (),
    model: str | None = None,
    context: str = "",
    complexity_tier: ProfileName | str | None = None,
    **options: Unpack[Options],
) -> Report:
    """Research ``task`` and return the report: `run_research` for code that does not await.

    Raises:
        RuntimeError: when called from a running event loop; await ``run_research`` there.
    """
    run = run_research(
        task,
        docs=docs,
        providers=providers,
        model=model,
        context=context,
        complexity_tier=complexity_tier,
        **options,
    )
    try:
        return asyncio.run(run)
    finally:
        run.close()


def _profile(name: ProfileName | str | None) -> ProfileName | None:
    if name is None:
        return None
    try:
        return ProfileName(name)
    except ValueError:
        known = ", ".join(ProfileName)
        raise SettingsError(f"There is no profile {name!r}. Choose one of: {known}.") from None
