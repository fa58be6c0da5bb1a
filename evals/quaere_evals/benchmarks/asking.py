"""Asks the questions of a benchmark, so many at a time; what was answered is never asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from quaere.audit.cited_text import cited_text
from quaere.domain.report import Report, Support
from quaere.domain.request import RunSpec
from quaere.errors import QuaereError, UsageError
from quaere.runtime.app import App
from quaere.runtime.check import CheckOptions
from quaere.runtime.run import LiveRun
from quaere.runtime.stored_runs import run_path
from quaere.store.recording.run_file import RunFile
from quaere_evals.answer_scores import lead_of
from quaere_evals.benchmarks.corpus import Corpus
from quaere_evals.benchmarks.grading import Judge, graded
from quaere_evals.benchmarks.results import Answered, Cited, Results
from quaere_evals.benchmarks.tasks import Task

Progress = Callable[[int, int, float], None]
"""Told the questions done, their number, and the dollars spent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How the questions are asked."""

    app: App
    fields: Mapping[str, object]
    """Of every `quaere.domain.request.RunRequest` but its question."""
    results: Results
    corpus: Corpus | None = None
    judge: Judge | None = None
    reports: bool = False
    """Whether the whole report counts, of which the citations are checked."""
    checker: str | None = None
    """A model that looks again at cited sentences in doubt."""
    concurrency: int = 1
    max_total_cost_usd: float | None = None
    """No further question is begun once so much is spent."""

    async def ask_all(self, tasks: Sequence[Task], progress: Progress) -> None:
        """Ask what of ``tasks`` has no answer yet, and grade what has no verdict.

        Raises:
            SettingsError: when the settings do not allow to ask like this.
            OSError: when an answer cannot be written.
        """
        spent = 0.0
        left = iter(tasks)

        async def work() -> None:
            nonlocal spent
            for task in left:
                if self.max_total_cost_usd is not None and spent >= self.max_total_cost_usd:
                    return
                spent += await self._settled(task)
                progress(self._done(tasks), len(tasks), spent)

        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(self.concurrency):
                    workers.create_task(work())
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    def _done(self, tasks: Sequence[Task]) -> int:
        return sum(self.results.is_done(task.id) for task in tasks)

    async def _settled(self, task: Task) -> float:
        """Bring ``task`` to an answer with a verdict; return the dollars that took."""
        before = self.results.rows.get(task.id)
        if before is not None and self.results.is_done(task.id):
            if not before.ungraded:
                return 0.0
            row = await graded(task, before, self.judge)
            await asyncio.to_thread(self.results.add, row)
            return row.cost_usd - before.cost_usd
        run_id = _run_id(self.results, task)
        try:
            run = await self._begun(task, run_id)
            report = await run.report()
        except QuaereError as error:
            row = Answered(id=task.id, run_id=run_id, error=error.message)
            await asyncio.to_thread(self.results.add, row)
            return 0.0
        row = await graded(task, await self._row(task, report), self.judge)
        await asyncio.to_thread(self.results.add, row)
        run.settle()
        return row.cost_usd

    async def _begun(self, task: Task, run_id: str) -> LiveRun:
        """Begin the run on ``task``, or resume the one that was stopped."""
        path = run_path(self.app.settings, run_id)
        if path.exists():
            try:
                return await self.app.resume(run_id)
            except UsageError:  # damaged, or of another version
                await asyncio.to_thread(RunFile.discard, path)
        return await self.app.start(RunSpec.of(task.question, run_id=run_id, **self.fields))

    async def _row(self, task: Task, report: Report) -> Answered:
        cited = [citation.url for citation in report.citations]
        whole = _article(report) if self.reports else report.answer
        return Answered(
            id=task.id,
            run_id=report.run_id,
            status=report.status,
            direct=report.direct.text,
            lead=lead_of(report),
            answer=whole,
            confidence=report.confidence,
            found=self.corpus.found([e.url for e in report.evidence]) if self.corpus else (),
            cited=self.corpus.found(cited) if self.corpus else tuple(dict.fromkeys(cited)),
            queries=report.spend.queries,
            model_calls=report.spend.model_calls,
            tokens=report.spend.tokens,
            cost_usd=report.spend.cost_usd,
            seconds=report.seconds,
            checked=await self._checked(whole) if self.reports else None,
        )

    async def _checked(self, text: str) -> Cited:
        """Return what checking ``text`` against its sources finds, as ``quaere check`` does."""
        roots = tuple(Path(str(path)) for path in _listed(self.fields.get("docs")))
        roots = roots or self.app.settings.docs
        audit = await self.app.check(
            cited_text(text), CheckOptions(roots=roots, model=self.checker)
        )
        citing = [s for s in audit.sentences if s.cites and s.verdict is not Support.NOT_A_CLAIM]
        read = [sentence for sentence in citing if sentence.read]
        return Cited(
            cited=len(read),
            supported=sum(sentence.verdict.holds for sentence in read),
            unread=len(citing) - len(read),
        )


def _article(report: Report) -> str:
    """Return the answer with the list of what it cites, as benchmarks of reports take it."""
    entries = (f"[{each.id}] {each.title}. {each.url}" for each in report.citations)
    listed = "\n".join(entries)
    return f"{report.answer}\n\n## References\n\n{listed}\n" if listed else f"{report.answer}\n"


def _listed(value: object) -> Iterator[object]:
    if isinstance(value, list | tuple):
        yield from value


def _run_id(results: Results, task: Task) -> str:
    """Return an id that is the same whenever this question of this folder is asked."""
    named = f"{results.folder.absolute()}\n{results.conditions.model_dump_json()}\n{task.id}"
    return f"bench-{sha256(named.encode()).hexdigest()[:32]}"
