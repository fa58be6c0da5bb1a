"""Lets the answer be written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quaere.domain.events import Phase
from quaere.domain.question import Question
from quaere.domain.report import Degradation, Sentence
from quaere.domain.verdict import StopReason
from quaere.errors import ReasonError
from quaere.graphs.context import RunContext, passages_to_show, plan_of, stop_reason, words_wanted
from quaere.graphs.flow import Emitter, Runtime, Update
from quaere.graphs.reasoning import compare, contract, reasoned
from quaere.graphs.state import LoopState
from quaere.graphs.telling import Telling
from quaere.ports.reason import Assignment, Comparable, Reasoner
from quaere.resilience.thread import computed
from quaere.synthesize.compose import shown_text
from quaere.text.language_detection import detect
from quaere.text.languages.language import languages


async def synthesize(state: LoopState, runtime: Runtime) -> Update:
    """Let the reasoner write sentences on the selected evidence."""
    emitter, context = Emitter(Phase.SYNTHESIZING, state, runtime), runtime.context
    judged = state["reflection"]
    telling = Telling(state, runtime, at_hand=bool(judged and judged.answer))
    telling.begin()
    assignment, compared = await _compared(
        await computed(lambda: assignment_of(state, context)), state, context
    )
    emitter.compacted(assignment.passages, context.store)
    writing = _Writing(assignment, telling, context)
    drafts = await reasoned("synthesize", state, context, writing.by, emitter.called)
    return {
        "drafts": drafts.result,
        "calls": drafts.calls,
        "spend": drafts.spend,
        "degradations": (
            *compared,
            *drafts.degradations,
            *writing.broken_off(),
            *uncited(drafts.result),
            *other_language(state["question"], drafts.result),
        ),
    }


class _Writing:
    """The answer as one reasoner after another writes it; what was told of it already stays."""

    def __init__(self, assignment: Assignment, telling: Telling, context: RunContext) -> None:
        self._assignment = assignment
        self._telling = telling
        self._context = context
        self._heard = context.told
        self._faults = [context.told.broken] if context.told.broken else []

    async def by(self, reasoner: Reasoner) -> tuple[Sentence, ...]:
        """Return what ``reasoner`` writes, or what was heard where its end did not come.

        Raises:
            ReasonError: when it fails before it has cited anything.
        """
        if reasoner is not self._context.reasoner:
            self._telling.forget()
        if self._heard.broken:
            return tuple(self._heard.drafts)
        written = list(self._heard.settled)
        try:
            async for said in reasoner.synthesize(self._assignment):
                await self._take(contract(Sentence, said), written)
        except ReasonError as error:
            if not any(sentence.evidence for sentence in written):
                raise
            self._faults.append(error.message)
        return tuple(written)

    async def _take(self, sentence: Sentence, written: list[Sentence]) -> None:
        """Add ``sentence`` to what is ``written``, and tell it, unless that was done before."""
        if sentence.text in {each.text for each in self._heard.settled}:
            return
        # "…" is not shown, and would be counted among what was checked.
        if not shown_text(sentence):
            return
        written.append(sentence)
        if sentence not in self._heard.drafts:
            await self._telling.hear(sentence)

    def broken_off(self) -> Iterator[Degradation]:
        """Yield a degradation for each fault that cut the answer short."""
        for fault in self._faults:
            yield Degradation(step="synthesize", reason=f"cut short: {fault}")


async def _compared(
    assignment: Assignment, state: LoopState, context: RunContext
) -> tuple[Assignment, tuple[Degradation, ...]]:
    """Return ``assignment`` with how near lines are in meaning, where an embedder can tell."""
    if context.embedder is None or not isinstance(context.reasoner, Comparable):
        return assignment, ()
    asked = assignment.question.full_text
    lines = await context.reasoner.comparable(assignment)
    told = await compare([(asked, line) for line in lines], state, context)
    if told.cosines is None:
        return assignment, told.degradations
    nearness = dict(zip(lines, told.cosines, strict=True))
    return assignment.model_copy(update={"nearness": nearness}), told.degradations


def uncited(written: Sequence[Sentence]) -> Iterator[Degradation]:
    """Yield a degradation when nothing that was ``written`` says what it rests on."""
    if written and not any(sentence.evidence for sentence in written):
        reason = "the answer cited nothing; what its sentences rest on was found by their words"
        yield Degradation(step="synthesize", reason=reason)


def other_language(question: Question, written: Sequence[Sentence]) -> Iterator[Degradation]:
    """Yield a degradation when the answer is clearly not in the language that was asked for.

    Without a model it is in that of its sources, and a model may not heed what it is told.
    """
    found = detect(" ".join(sentence.text for sentence in written))
    if question.language and found not in {question.language, "und"}:
        reason = f"the answer is in {_called(found)}; {_called(question.language)} was asked for"
        yield Degradation(step="synthesize", reason=reason)


def _called(code: str) -> str:
    """Return what the language of ``code`` is called in English, as far as that is known."""
    if code == "en":
        return "English"
    known = languages().get(code)
    return known.name if known else f"the language {code}"


def assignment_of(state: LoopState, context: RunContext) -> Assignment:
    """Return what a writer is shown."""
    budget, reflection = state["budget"], state["reflection"]
    sufficient = stop_reason(state) is StopReason.SUFFICIENT
    return Assignment(
        question=state["question"],
        plan=plan_of(state),
        checklist=state["checklist"],
        evidence=state["selection"],
        passages=passages_to_show(state, context, writing=True),
        max_words=words_wanted(state),
        max_citations=budget.max_citations,
        partial=not sufficient,
        contradictions=reflection.contradictions if reflection else (),
        # Who wrote an answer while asking for more has one, whatever ended the search.
        answer=reflection.answer if reflection else "",
    )
