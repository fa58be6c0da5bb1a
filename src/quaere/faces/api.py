"""The engine as two functions: one to await, one to call."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Unpack, cast

from quaere.domain.budget import Limits, ProfileName
from quaere.domain.question import AnswerForm, Turn
from quaere.domain.report import Report
from quaere.domain.request import Cached, Reuse, RunRequest
from quaere.domain.scope import Scope
from quaere.domain.team import Strategy
from quaere.errors import UsageError
from quaere.runtime.app import App
from quaere.text.sanitize import quoted

_SAID_ELSEWHERE = {"profile": ["complexity_tier"], "urls": ["scope"], "sites": ["scope"]}
"""What options are called here that requests have under another name."""

Paths = str | Path | Sequence[str | Path]


class Options(Limits, total=False):
    """What may be said of a question; the limits are those of `quaere.domain.budget.Limits`."""

    docs: Paths
    """Folders and files to search; those of ``QUAERE_DOCS`` when left out."""
    providers: str | Sequence[str]
    """Search services to ask, by name; see ``quaere providers``."""
    model: str | None
    """Language model of every step, ``vendor:model``; ``none`` for no model. Left out, the models
    that the environment names, if it names any."""
    context: str
    """What the answer is needed for."""
    conversation: Sequence[Turn]
    """What was asked and answered before, the oldest first."""
    complexity_tier: ProfileName | str | None
    """``simple``, ``standard``, ``deep`` or ``chat``."""
    strategy: Strategy | str | None
    """One line of inquiry or a supervisor with researchers; ``QUAERE_STRATEGY``, or what suits the
    question, when left out."""
    scope: Scope | Mapping[str, object]
    """Where sources may come from: URLs, sites, dates, languages."""
    language: str | None
    """Language of the answer, as ISO 639 code."""
    form: AnswerForm | str | None
    """``short``, ``report``, ``list`` or ``table``."""
    cached: Cached | str
    """Whether answers of the cache are used: ``use``, ``refresh`` or ``off``."""
    reuse: Reuse | str
    """Whether evidence of an earlier run that asked the same is used: ``use`` or ``never``."""
    continues: str | None
    """Id of an earlier run whose evidence this one begins with."""
    traced: bool
    """Whether the run is kept in the database of traces."""


async def run_research(task: str, **options: Unpack[Options]) -> Report:
    """Research ``task`` and return the report (R0.1).

    The run is traced, cached and resumable as by every other way in. A caller with more than one
    question opens a `quaere.runtime.app.App` and shares it.

    Args:
        task: What is asked.
        options: See `Options`; ``max_iters``, ``max_queries``, ``max_sources``,
            ``max_execution_time_s`` and the other limits override the environment's and the tier's.

    Raises:
        UsageError: when the question, a limit, a folder or another option cannot be used.
        QuaereError: when the run cannot come to a report.
    """
    request = request_of(task, options)
    async with App.open() as app:
        run = await app.start(request)
        report = await run.report()
        run.settle()
        return report


def research(task: str, **options: Unpack[Options]) -> Report:
    """Research ``task`` and return the report: `run_research` for code that does not await.

    Raises:
        RuntimeError: when called from a running event loop; use ``await run_research`` there.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(run_research(task, **options))
    raise RuntimeError(
        "research() cannot be called from a running event loop; "
        "use `await run_research(...)` with the same arguments."
    )


def request_of(task: str, options: Options) -> RunRequest:
    """Return the request that ``options`` make of ``task``.

    Raises:
        UsageError: when one of them cannot be used.
    """
    fields = dict(options)
    if unknown := sorted(fields.keys() - Options.__annotations__.keys()):
        raise _unknown(unknown)
    limits = {name: fields.pop(name) for name in Limits.__annotations__ if name in fields}
    if "docs" in fields:
        fields["docs"] = _listed("docs", fields["docs"], (str, Path))
    if "providers" in fields:
        fields["providers"] = _listed("providers", fields["providers"], (str,))
    fields["profile"] = _profile(fields.pop("complexity_tier", None))
    fields["models"] = {"general": fields.pop("model", None)}
    # A caller that waits for a report alone hears no question of the run.
    return RunRequest.of(question=task, limits=limits, approve_plan=False, **fields)


def _profile(tier: object) -> object:
    """Return the profile that ``tier`` names.

    Raises:
        UsageError: when there is none; it names the option as the caller has given it.
    """
    names = [str(each) for each in ProfileName]
    if tier is None or tier in names:
        return tier
    known = ", ".join(map(repr, names[:-1]))
    raise UsageError(f"complexity_tier must be {known} or {names[-1]!r}, not {quoted(str(tier))}.")


def _unknown(options: Sequence[str]) -> UsageError:
    """Return the error for ``options`` that there are not, with what may have been meant."""
    names = sorted(Options.__annotations__)
    near = _SAID_ELSEWHERE.get(options[0]) or get_close_matches(options[0], names, 1)
    guess = f" (did you mean {near[0]}?)" if near else ""
    return UsageError(f"Unknown option {', '.join(options)}{guess}; known are {', '.join(names)}.")


def _listed(name: str, value: object, kinds: tuple[type, ...]) -> tuple[object, ...]:
    """Return one value or a sequence of them as a tuple.

    Raises:
        UsageError: when there is none, or one is of another type.
    """
    values = (value,) if isinstance(value, kinds) else _sequence(name, value)
    wrong = [type(each).__name__ for each in values if not isinstance(each, kinds)]
    if wrong:
        raise UsageError(f"{name} must contain only names, not {wrong[0]}.")
    if not values or not all(map(str, values)):
        raise UsageError(f"{name} is empty; leave it out to use the settings.")
    return values


def _sequence(name: str, value: object) -> tuple[object, ...]:
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return tuple(cast("Sequence[object]", value))
    raise UsageError(f"{name} must be a name or a list of names, not {type(value).__name__}.")
