"""Counts what a question of several hops takes: one loop against a supervisor, in one table.

Model calls, and how many of them come one after another, on the same questions and the same budget,
with a perfect planner in the model's place: ``python bench/teams.py [QUESTIONS] [PROFILE]``. The
data is the folder that ``QUAERE_EVAL_DATA`` names.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from quaere.domain.profile import ProfileName
from quaere.domain.team import Strategy
from quaere.runtime.settings import Settings, load_settings
from quaere_evals.datasets import MultihopSet, find_data, load_multihop
from quaere_evals.multihop import Conditions, ReasonerName, evaluate_multihop
from quaere_evals.multihop_scores import HopScores

HOPS = (2, 3, 4)
STRATEGIES = (Strategy.LOOP, Strategy.SUPERVISOR)
FIGURES = ("all_gold_at_10", "queries", "model_calls", "depth")

Figures = dict[tuple[str, int], dict[Strategy, HopScores]]


async def measured(
    sets: Sequence[MultihopSet], settings: Settings, profile: ProfileName
) -> Figures:
    """Return the figures by dataset and number of hops."""
    found: Figures = defaultdict(dict)
    for strategy in STRATEGIES:
        with TemporaryDirectory() as work:
            result = await evaluate_multihop(
                sets,
                settings.model_copy(update={"cache_dir": Path(work)}),
                work=Path(work) / "corpora",
                conditions=Conditions(
                    reasoner=ReasonerName.SCRIPTED, strategy=strategy, profile=profile
                ),
            )
        for name, scores in result.datasets.items():
            for hops, figures in scores.by_hops.items():
                if hops in HOPS:
                    found[name, hops][strategy] = figures
    return found


def table(found: Figures) -> Iterable[str]:
    """Yield the lines of the table."""
    yield f"{'':16}{'hops':>5}{'n':>5}" + "".join(f"{name:>24}" for name in FIGURES)
    for (name, hops), by_strategy in sorted(found.items()):
        cells = "".join(
            f"{' -> '.join(f'{getattr(by_strategy[s], figure):.2f}' for s in STRATEGIES):>24}"
            for figure in FIGURES
        )
        yield f"{name:16}{hops:>5}{by_strategy[Strategy.LOOP].n:>5}{cells}"


def main() -> None:
    """Measure and print."""
    settings = load_settings()
    folder = find_data(settings.eval_data, "a1_multihop")
    if folder is None:
        sys.exit("There is no evaluation data: set QUAERE_EVAL_DATA.")
    questions = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    profile = ProfileName(sys.argv[2]) if len(sys.argv) > 2 else ProfileName.STANDARD
    sets = [chosen.first(questions) for chosen in load_multihop(folder)]
    print(f"loop -> supervisor, {profile}, means")
    for line in table(asyncio.run(measured(sets, settings, profile))):
        print(line)


if __name__ == "__main__":
    main()
