"""Runs the engine over multi-hop questions, next to one plain BM25 query for as many passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from time import perf_counter

from pydantic import BaseModel, ConfigDict

from quaere.domain.budget import Limits, ProfileName
from quaere.domain.events import EvidenceCollected, ModelCalled, RunFinished
from quaere.domain.evidence import Evidence
from quaere.domain.question import Query
from quaere.domain.request import Cached, RunSpec
from quaere.domain.source import Hit
from quaere.domain.team import Strategy
from quaere.graphs.configuration import Configuration
from quaere.index.folder_index import FolderProvider
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.reason.llm.reasoner import ModelReasoner, Models
from quaere.runtime.engine import Engine
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.runtime.wiring import assemble, settle
from quaere.runtime.wiring_models import NO_MODEL
from quaere_evals.datasets import DataError, Document, MultihopQuestion, MultihopSet, write_corpus
from quaere_evals.multihop_scores import MultihopScores, Row, summed
from quaere_evals.replay import Replay, ReplayModel
from quaere_evals.replay_team import TeamReplay
from quaere_evals.scorers import Retrieved, calls_in_a_row, holds_answer, longest_chain

PASSAGES = 10
"""Passages that the loop may keep and that the baseline may return."""

Progress = Callable[[str, int, int], None]


class ReasonerName(StrEnum):
    """Who plans, evaluates and writes."""

    EXTRACTIVE = "extractive"
    SCRIPTED = "scripted"
    """The reasoner with a model, and in the model's place the sub-questions of people."""


class Conditions(BaseModel):
    """How the questions are asked."""

    model_config = ConfigDict(frozen=True)

    reasoner: ReasonerName = ReasonerName.EXTRACTIVE
    """Sets without sub-questions are left out where these are replayed."""
    strategy: Strategy = Strategy.LOOP
    configuration: Configuration | None = None
    """How a supervisor researches; as the environment has it when left out."""
    profile: ProfileName | None = None
    """Standard when left out; evidence is limited to 10 passages in all of them."""
    statistics: bool = True
    """Whether the engine is told how common words are, which no search service tells."""

    @property
    def evaluation(self) -> str:
        """Under what name floors are kept for them."""
        parts = ["multihop"]
        if self.reasoner is not ReasonerName.EXTRACTIVE:
            parts.append(self.reasoner.value)
        if self.strategy is not Strategy.LOOP:
            parts.append(self.strategy.value)
        if not self.statistics:
            parts.append("no-statistics")
        return "-".join(parts)


class MultihopResult(BaseModel):
    """What ``quaere eval multihop --json`` writes."""

    conditions: Conditions
    datasets: dict[str, MultihopScores]


async def evaluate_multihop(
    sets: Sequence[MultihopSet],
    settings: Settings,
    *,
    work: Path,
    conditions: Conditions | None = None,
    progress: Progress | None = None,
) -> MultihopResult:
    """Return the figures of every dataset.

    Args:
        sets: The datasets; each is searched within its own corpus.
        settings: Where indexes are kept, among others.
        work: Folder for the corpora as files.
        conditions: How the questions are asked; without a model when left out.
        progress: Told the dataset, the questions done and their number.
    """
    conditions = conditions or Conditions()
    scores: dict[str, MultihopScores] = {}
    for data in sets:
        questions = _asked(data, conditions)
        if not questions:
            continue
        trial = await prepared(data, settings, work / f"{data.name}.jsonl", conditions)
        rows: list[Row] = []
        for done, question in enumerate(questions, 1):
            rows.append(await trial.run(question))
            if progress:
                progress(data.name, done, len(questions))
        scores[data.name] = summed(rows)
    return MultihopResult(conditions=conditions, datasets=scores)


def _asked(data: MultihopSet, conditions: Conditions) -> Sequence[MultihopQuestion]:
    """Return the questions of ``data`` that can be asked under ``conditions``."""
    if conditions.reasoner is ReasonerName.EXTRACTIVE:
        return data.questions
    return [question for question in data.questions if question.sub_questions]


async def prepared(
    data: MultihopSet, settings: Settings, path: Path, conditions: Conditions
) -> Trial:
    """Return the trial over the corpus of ``data``: its folder, or else the file at ``path``."""
    if data.folder:
        path = data.folder
    else:
        write_corpus(data.documents, path)
    resources = Resources(settings)
    folder = resources.folder([path])
    await folder.prepare(_quietly)
    spec = RunSpec.of("corpus", docs=[path], models={"general": NO_MODEL}, cached=Cached.OFF)
    engine = assemble(resources, settle(resources, spec))
    if conditions.configuration:
        engine = replace(engine, configuration=conditions.configuration)
    if not conditions.statistics:
        engine = replace(engine, providers=[_Tacit(folder)], reasoner=ExtractiveReasoner(None))
    documents = {f"{path.absolute().as_uri()}#line={n}": d for n, d in enumerate(data.documents, 1)}
    return Trial(engine, folder, documents, conditions)


def _quietly(done: int, total: int, passages: int) -> None:
    """Take the progress of an index and tell nobody."""


class _Tacit:
    """A folder that finds as well and says as little as a search service."""

    def __init__(self, folder: FolderProvider) -> None:
        self.name, self.kinds = folder.name, folder.kinds
        self._folder = folder

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        return await self._folder.search(query, limit=limit)


@dataclass(frozen=True, slots=True)
class Trial:
    """Asks questions of one corpus, both ways."""

    engine: Engine
    folder: FolderProvider
    documents: dict[str, Document]
    """By URL."""
    conditions: Conditions

    async def run(self, question: MultihopQuestion) -> Row:
        """Return what the engine and the one query find of ``question``."""
        model = self._model(question)
        started = perf_counter()
        rounds: list[list[str]] = []
        selection: tuple[Evidence, ...] = ()
        report = None
        called: list[tuple[str, str]] = []
        spec = RunSpec.of(
            question.question,
            profile=self.conditions.profile,
            limits=Limits(max_sources=PASSAGES),
            strategy=self.conditions.strategy,
        )
        async for event in self._reasoning(model).stream(spec):
            if isinstance(event, EvidenceCollected):
                selection = event.applied(selection)
                rounds.append([self.documents[e.url].doc_id for e in selection])
            elif isinstance(event, ModelCalled):
                called.append((event.call.step, event.topic))
            elif isinstance(event, RunFinished):
                report = event.report
        if report is None:
            raise DataError(f"The run on {question.id} ended without a report.")
        seconds = perf_counter() - started
        hits = await self.folder.search(Query(text=question.question), limit=PASSAGES)
        pages = [self.folder.page(evidence.url) for evidence in report.evidence]
        text = "\n".join(f"{page.title} {page.text}" for page in pages if page)
        return Row(
            gold=question.gold_docs,
            run=Retrieved(rounds, report.stop_reason, text),
            baseline=[self.documents[hit.url].doc_id for hit in hits],
            answered=_answered(question, text),
            hops=question.hops,
            queries=report.spend.queries,
            model_calls=report.spend.model_calls,
            depth=_depth(model, called),
            seconds=seconds,
        )

    def _model(self, question: MultihopQuestion) -> ReplayModel | None:
        """Return the planner of ``question``, where one is replayed."""
        if self.conditions.reasoner is ReasonerName.EXTRACTIVE:
            return None
        gold = [each for each in self.documents.values() if each.doc_id in question.gold_docs]
        teams = self.conditions.strategy is Strategy.SUPERVISOR
        return ReplayModel((TeamReplay if teams else Replay)(question, gold))

    def _reasoning(self, model: ReplayModel | None) -> Engine:
        """Return the engine that reasons with ``model``, and with nothing else if there is one."""
        if model is None:
            return self.engine
        models = Models(plan=model, evaluate=model, write=model, check=model)
        return replace(self.engine, reasoner=ModelReasoner(models), fallback=None)


def _depth(model: ReplayModel | None, called: Sequence[tuple[str, str]]) -> int:
    """Return how many calls came one after another, of those ``called`` by step and topic.

    A supervisor that plans asks for the brief at the same time.
    """
    beside = "brief" if ("plan", "") in called else ""
    if any(topic for _, topic in called) or beside:
        return calls_in_a_row([topic for step, topic in called if step != beside])
    return longest_chain(model.calls) if model else 0


def _answered(question: MultihopQuestion, text: str) -> bool | None:
    """Whether ``text`` holds an answer; None for yes and no, which are everywhere."""
    yes_no = {"yes", "no", "true", "false"} & {answer.lower() for answer in question.answers}
    return None if yes_no else holds_answer(text, question.answers)
