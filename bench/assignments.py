"""What the engine writes its answers from, without a model: for the benches that fit weights."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from quaere.domain.budget import Limits
from quaere.domain.report import Sentence
from quaere.domain.request import RunSpec
from quaere.ports.reason import Assignment
from quaere.ports.search import TermStatistics
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.runtime.settings import load_settings
from quaere_evals.datasets import MultihopSet
from quaere_evals.multihop import PASSAGES, Conditions, prepared
from quaere_evals.scorers import normalize_answer


class _Listener(ExtractiveReasoner):
    """Keeps what it is asked to write from."""

    def __init__(self, statistics: TermStatistics) -> None:
        super().__init__(statistics)
        self.heard: Assignment | None = None

    async def synthesize(self, assignment: Assignment) -> AsyncIterator[Sentence]:
        self.heard = assignment
        async for sentence in super().synthesize(assignment):
            yield sentence


async def pools(
    data: MultihopSet, wanted: Callable[[Collection[str]], bool]
) -> AsyncIterator[tuple[str, Sequence[str], Pool]]:
    """Yield questions of ``data``, each with its answers and the evidence that one is written from.

    Those of which nothing is written are left out.

    Args:
        data: The questions, and the corpus that is indexed for them.
        wanted: Whether a question with these answers, as scorers compare them, is asked.
    """
    with TemporaryDirectory() as work:
        kept = load_settings().model_copy(update={"cache_dir": Path(work)})
        trial = await prepared(data, kept, Path(work) / f"{data.name}.jsonl", Conditions())
        for question in data.questions:
            if not wanted(frozenset(map(normalize_answer, question.answers))):
                continue
            listener = _Listener(trial.folder)
            engine = replace(trial.engine, reasoner=listener)
            limits = Limits(max_sources=PASSAGES)
            async for _ in engine.stream(RunSpec.of(question.question, limits=limits)):
                pass
            if (heard := listener.heard) is not None:
                pool = Pool(heard.evidence, heard.passages, trial.folder)
                yield heard.question.text, question.answers, pool
