"""The engine as one more peer of the simulated world; ``bench/world.py`` puts it there.

Nothing of the engine is changed or replaced: it gets the addresses of the run's services as an
operator gives them, by settings, and its loopback host as one that may be read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from quaere.domain.events import Event, Phase, SentenceWritten
from quaere.domain.request import RunRequest
from quaere.runtime.app import App
from quaere.runtime.settings import Settings
from quaere.view.export.markdown import markdown

SERVICES = ("tavily", "searxng")
FIRST_WORDS = "first_words.jsonl"
"""File in the folder ``cache``: when the first checked sentence of each answer was told."""


async def research(question: str, base: str, opts: Mapping[str, str]) -> str:
    """Return the Markdown report on ``question`` from the run of the world at ``base``.

    Args:
        question: What is asked.
        base: URL under which the run's web, search services and model are.
        opts: ``search`` (one of ``SERVICES``), ``words`` (length of the report), ``profile`` and
            ``cache`` (folder for what the engine keeps).
    """
    for service in SERVICES:
        os.environ[f"{service.upper()}_BASE_URL"] = base
    site = urlsplit(base)
    settings = Settings(
        cache_dir=Path(opts["cache"]),
        data_dir=Path(opts["cache"]) / "data",
        read_hosts=(site.hostname or "",),
        read_ports=(site.port or 80,),
        model="compatible:oracle",
        model_base_url={"": f"{base}/v1"},
        model_context_tokens=128_000,
    )
    request = RunRequest.of(
        question=question,
        providers=[opts.get("search", "tavily")],
        profile=opts.get("profile"),
        limits={"answer_words": int(opts.get("words", "250"))},
    )
    async with App.open(settings) as app:
        run = await app.start(request)
        told = [event async for event in run.events()]
        report = await run.report()
        run.settle()
    with (Path(opts["cache"]) / FIRST_WORDS).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"question": question, "seconds": first_word_s(told)}) + "\n")
    return markdown(report)


def first_word_s(told: Sequence[Event]) -> float | None:
    """Return the seconds between the first search and the first sentence of the answer."""
    began = next((e.moment for e in told if e.phase is Phase.SEARCHING), None)
    claims = (e for e in told if isinstance(e, SentenceWritten) and e.sentence.evidence)
    first = next((event.moment for event in claims), None)
    return (first - began).total_seconds() if began and first else None
