"""Counts what questions of several hops take: a loop against a supervisor, shallow against deep.

``python bench/teams.py [QUESTIONS] [PROFILE]`` prints a table for each comparison, on the same
questions and the same budget: a loop against a supervisor, with a perfect planner in the model's
place; and a supervisor with the default limits of 3 rounds and 5 searches against one with 6, 10
and no early end (NFR-03), with that planner and without a model. The data is the folder that
``QUAERE_EVAL_DATA`` names.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from quaere.domain.profile import ProfileName
from quaere.domain.team import Strategy
from quaere.graphs.configuration import Configuration
from quaere.runtime.settings import Settings, load_settings
from quaere_evals.datasets import MultihopSet, find_data, load_multihop
from quaere_evals.multihop import Conditions, ReasonerName, evaluate_multihop
from quaere_evals.multihop_scores import HopScores

HOPS = (2, 3, 4)
FIGURES = ("all_gold_at_10", "queries", "model_calls", "depth")

Pair = tuple[Conditions, Conditions]
Figures = dict[tuple[str, int], tuple[HopScores, HopScores]]


def comparisons(profile: ProfileName) -> dict[str, Pair]:
    """Return the conditions that are held against each other, by what the comparison is called."""
    loop = Conditions(reasoner=ReasonerName.SCRIPTED, strategy=Strategy.LOOP, profile=profile)
    team = loop.model_copy(
        update={"strategy": Strategy.SUPERVISOR, "configuration": Configuration()}
    )
    old = Configuration(
        max_researcher_iterations=6, max_react_tool_calls=10, enable_early_termination=False
    )
    deeper = team.model_copy(update={"configuration": old})
    unled = {"reasoner": ReasonerName.EXTRACTIVE}
    return {
        "loop -> supervisor": (loop, team),
        "supervisor 3/5 -> 6/10, no early end": (team, deeper),
        "the same without a model": (
            team.model_copy(update=unled),
            deeper.model_copy(update=unled),
        ),
    }


async def measured(sets: Sequence[MultihopSet], settings: Settings, pair: Pair) -> Figures:
    """Return the figures under both conditions, by dataset and number of hops."""
    scores: list[dict[tuple[str, int], HopScores]] = []
    for conditions in pair:
        with TemporaryDirectory() as work:
            result = await evaluate_multihop(
                sets,
                settings.model_copy(update={"cache_dir": Path(work)}),
                work=Path(work) / "corpora",
                conditions=conditions,
            )
        scores.append(
            {
                (name, hops): figures
                for name, found in result.datasets.items()
                for hops, figures in found.by_hops.items()
                if hops in HOPS
            }
        )
    before, after = scores
    return {key: (before[key], after[key]) for key in before}


def table(found: Figures) -> Iterable[str]:
    """Yield the lines of the table."""
    yield f"{'':16}{'hops':>5}{'n':>5}" + "".join(f"{name:>24}" for name in FIGURES)
    for (name, hops), both in sorted(found.items()):
        cells = "".join(
            f"{' -> '.join(f'{getattr(each, figure):.2f}' for each in both):>24}"
            for figure in FIGURES
        )
        yield f"{name:16}{hops:>5}{both[0].n:>5}{cells}"


def main() -> None:
    """Measure and print."""
    settings = load_settings()
    folder = find_data(settings.eval_data, "a1_multihop")
    if folder is None:
        sys.exit("There is no evaluation data: set QUAERE_EVAL_DATA.")
    questions = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    profile = ProfileName(sys.argv[2]) if len(sys.argv) > 2 else ProfileName.STANDARD
    sets = [chosen.first(questions) for chosen in load_multihop(folder)]
    for title, pair in comparisons(profile).items():
        print(f"{title}, {profile}, means")
        print("\n".join(table(asyncio.run(measured(sets, settings, pair)))))


if __name__ == "__main__":
    main()
