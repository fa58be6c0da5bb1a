"""Asks one folder many questions and writes the reports: for runs in processes of their own.

``python -m tests.e2e.asked FOLDER CACHE QUESTION...``
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from tests.graphs.world import Still

from quaere.domain.request import RunSpec
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.runtime.wiring import assemble, settle


async def main(folder: Path, cache: Path, questions: list[str]) -> None:
    """Write one report a line, as JSON."""
    resources = Resources(Settings(cache_dir=cache))
    for number, question in enumerate(questions):
        spec = settle(resources, RunSpec.of(question, run_id=f"run-{number}", docs=[folder]))
        report = await replace(assemble(resources, spec), clock=Still()).run(spec)
        sys.stdout.write(f"{report.model_dump_json()}\n")
    await resources.aclose()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
