"""Asks one folder many questions and writes the reports: for runs in processes of their own.

``python -m tests.e2e.asked FOLDER CACHE QUESTION...``
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from tests.graphs.world import Still

from quaere.runtime.settings import Settings
from quaere.runtime.wiring import build_engine


async def main(folder: Path, cache: Path, questions: list[str]) -> None:
    """Write one report a line, as JSON."""
    built = build_engine(Settings(cache_dir=cache), docs=[folder])
    engine = replace(built, clock=Still())
    for number, question in enumerate(questions):
        report = await engine.run(question, run_id=f"run {number}")
        sys.stdout.write(f"{report.model_dump_json()}\n")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
