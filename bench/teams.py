"""Counts what questions of several hops take: a loop against a supervisor, shallow against deep.

``python bench/teams.py [QUESTIONS] [PROFILE]`` prints a table for each comparison, on the same
questions and the same budget: a loop against a supervisor, with a perfect planner in the model's
place, also on questions of several independent parts, which are made of questions of two hops;
and a supervisor with the default limits of 3 rounds and 5 searches against one with 6, 10 and no
early end (NFR-03), with that planner and without a model. The data is the folder that
``QUAERE_EVAL_DATA`` names.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from quaere.domain.budget import ProfileName
from quaere.domain.team import Strategy
from quaere.graphs.configuration import Configuration
from quaere.runtime.settings import Settings, load_settings
from quaere_evals.datasets import (
    MultihopQuestion,
    MultihopSet,
    SubQuestion,
    find_data,
    load_multihop,
)
from quaere_evals.multihop import Conditions, ReasonerName, evaluate_multihop
from quaere_evals.multihop_scores import HopScores

HOPS = (2, 3, 4)
FIGURES = ("all_gold_at_10", "queries", "model_calls", "depth")

PARTS = 3
"""Questions of two hops that are joined to one of independent parts: a checklist of seven items
holds their steps, and ten passages what they need."""
JOINED = 30
"""Questions that are made of them at most."""

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


def joined(data: MultihopSet) -> MultihopSet:
    """Return ``data`` with questions of ``PARTS`` independent parts, each one of its own of 2 hops.

    What has the same answer or takes the same documents as another is no part beside it.
    """
    parts = [each for each in data.questions if len(each.sub_questions) == min(HOPS)]
    made: list[MultihopQuestion] = []
    while len(parts) >= PARTS and len(made) < JOINED:
        taken: list[MultihopQuestion] = []
        for each in parts:
            apart = all(not each.gold_docs & other.gold_docs for other in taken)
            if apart and len(taken) < PARTS:
                taken.append(each)
        if len(taken) < PARTS:
            break
        parts = [each for each in parts if each not in taken]
        made.append(_one_of(taken))
    return data.model_copy(update={"questions": tuple(made)})


def _one_of(parts: Sequence[MultihopQuestion]) -> MultihopQuestion:
    steps: list[SubQuestion] = []
    for part in parts:
        steps += _moved(part.sub_questions, by=len(steps))
    return parts[0].model_copy(
        update={
            "id": "+".join(part.id for part in parts),
            "question": " ".join(part.question for part in parts),
            "answers": tuple(answer for part in parts for answer in part.answers[:1]),
            "wants_all": True,
            "gold_docs": frozenset().union(*(part.gold_docs for part in parts)),
            "sub_questions": tuple(steps),
            "facts": tuple(fact for part in parts for fact in part.facts),
        }
    )


def _moved(steps: Sequence[SubQuestion], *, by: int) -> list[SubQuestion]:
    """Return ``steps`` with what they take up from each other ``by`` places further on."""
    return [
        step.model_copy(update={"q": re.sub(r"#(\d+)", lambda m: f"#{int(m[1]) + by}", step.q)})
        for step in steps
    ]


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
    compared = comparisons(profile)
    apart = [made for chosen in load_multihop(folder) if (made := joined(chosen)).questions]
    title, pair = next(iter(compared.items()))
    print(f"{title}, {profile}, {PARTS} independent parts, means")
    print("\n".join(table(asyncio.run(measured(apart, settings, pair)))))
    for title, pair in compared.items():
        print(f"{title}, {profile}, means")
        print("\n".join(table(asyncio.run(measured(sets, settings, pair)))))


if __name__ == "__main__":
    main()
