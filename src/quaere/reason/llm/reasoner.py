"""The reasoner that asks language models: one call to plan, one a loop to judge, one to write."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Final

from quaere.domain.report import Sentence, Support
from quaere.domain.verdict import Opening, Reflection
from quaere.ports import Assignment, ChatModel, FirstLook, Inspection, Ledger, Review
from quaere.reason.llm import contracts, sheet
from quaere.reason.llm.desk import Desk, bearing
from quaere.reason.llm.fit import fitted
from quaere.reason.llm.prompts import prompt
from quaere.reason.llm.weigh import plan_of, reflection_of
from quaere.reason.llm.writing import TOKENS_PER_WORD, Writer
from quaere.reason.structured.ask import ask
from quaere.resilience.meter import MeteredModel

JUDGING_TOKENS: Final = 4_000
"""Output limit of planning, evaluating and checking. They write a tenth of it; models that think
before they write need the rest."""

_TIER = (
    "- tier: simple for one plain fact, deep for a survey of many sources, standard for the rest."
)
_VERDICTS = {
    "supported": Support.SUPPORTED,
    "partly": Support.PARTLY,
    "contradicted": Support.CONTRADICTED,
    "unsupported": Support.UNVERIFIABLE,
}


@dataclass(frozen=True, slots=True)
class Models:
    """The models of the steps; often the same one four times."""

    plan: ChatModel
    evaluate: ChatModel
    write: ChatModel
    check: ChatModel

    @property
    def name(self) -> str:
        """Their names, each once."""
        used = (self.plan, self.evaluate, self.write, self.check)
        return ", ".join(dict.fromkeys(model.name for model in used))

    def metered(self, ledger: Ledger) -> Models:
        """Return them with every call booked on ``ledger``."""
        return Models(
            plan=MeteredModel(self.plan, ledger),
            evaluate=MeteredModel(self.evaluate, ledger),
            write=MeteredModel(self.write, ledger),
            check=MeteredModel(self.check, ledger),
        )


@dataclass(frozen=True, slots=True)
class ModelReasoner:
    """Makes the reasoner of each run, with marks and a ledger of its own."""

    models: Models

    @property
    def name(self) -> str:
        """The names of its models."""
        return self.models.name.lower()

    def for_run(self, ledger: Ledger) -> RunReasoner:
        """Return the reasoner of one run, which books its calls on ``ledger``."""
        return RunReasoner(self.models.metered(ledger), Desk(ledger))


@dataclass(frozen=True, slots=True)
class RunReasoner:
    """Plans, evaluates, writes and checks with the models of one run."""

    models: Models
    desk: Desk

    @property
    def name(self) -> str:
        """The names of its models."""
        return self.models.name.lower()

    async def plan(self, look: FirstLook) -> Opening:
        """Plan and judge the first look in one call.

        Raises:
            ReasonError: when no model gives a usable plan.
        """
        model, words = self.models.plan, self._early(self.models.plan, look.answer_words)
        limit = _output_tokens(words)
        room = self.desk.room(model, limit)
        question = self.desk.question(look.question.text, room)
        allowed = min(contracts.MAX_QUERIES, look.max_queries)
        shown = fitted(look.evidence, look.passages, question, room=room)
        messages = prompt("plan").fill(
            fence=self.desk.fence.word,
            question=question,
            context=self.desk.context(look.question.context, room),
            passages=sheet.passage_blocks(self.desk.fence, shown),
            queries=str(allowed),
            tier=_TIER if look.tier_wanted else "",
            carry=_carry(words),
        )
        request = self.desk.request("plan", model, messages, limit)
        written = await ask(model, request, contracts.OpeningAnswer if words else contracts.Opening)
        plan = plan_of(written, look.question)
        reflection = reflection_of(written, plan.checklist, look.evidence)
        return Opening(
            plan=plan.model_copy(update={"queries": reflection.queries[:allowed]}),
            reflection=_with_answer(reflection.model_copy(update={"queries": ()}), written),
        )

    async def evaluate(self, review: Review) -> Reflection:
        """Judge the evidence in one call.

        Raises:
            ReasonError: when no model gives a usable judgement.
        """
        model, words = self.models.evaluate, self._early(self.models.evaluate, review.answer_words)
        limit = _output_tokens(words)
        room = self.desk.room(model, limit)
        question = self.desk.question(review.question.text, room)
        shown = fitted(
            review.evidence,
            review.passages,
            " ".join([question, *(outcome.query.text for outcome in review.outcomes)]),
            room=room,
            whole={*review.fresh, *bearing(review.checklist, review.evidence)},
        )
        messages = prompt("evaluate").fill(
            fence=self.desk.fence.word,
            question=_as_meant(question, review.plan.refined_question),
            context=self.desk.context(review.question.context, room),
            checklist=sheet.items(review.checklist, review.evidence),
            asked=sheet.asked(review.outcomes),
            passages=sheet.passage_blocks(self.desk.fence, shown, review.fresh),
            queries=str(min(contracts.MAX_QUERIES, review.remaining.queries)),
            carry=_carry(words),
        )
        request = self.desk.request("evaluate", model, messages, limit)
        contract = contracts.AssessmentAnswer if words else contracts.Assessment
        written = await ask(model, request, contract)
        return _with_answer(reflection_of(written, review.checklist, review.evidence), written)

    def _early(self, model: ChatModel, words: int | None) -> int | None:
        """Return the length of the answer that may come with a judgement of ``model``, if any.

        Another model that was named for writing is to write.
        """
        return words if model.name == self.models.write.name else None

    def synthesize(self, assignment: Assignment) -> AsyncIterator[Sentence]:
        """Yield the sentences of the answer while they are written.

        Raises:
            ReasonError: when no model writes anything that cites a passage it was shown.
        """
        return Writer(self.models.write, self.desk).write(assignment)

    async def check(self, inspection: Inspection) -> Sequence[Support]:
        """Return the support of every sentence, all of them judged in one call.

        Raises:
            ReasonError: when no model gives a usable judgement.
        """
        model, sentences = self.models.check, inspection.sentences
        room = self.desk.room(model, JUDGING_TOKENS)
        shown = fitted(
            inspection.evidence,
            inspection.passages,
            " ".join(sentence.text for sentence in sentences),
            room=room,
        )
        messages = prompt("check").fill(
            fence=self.desk.fence.word,
            sentences=sheet.claims(self.desk.fence, sentences),
            passages=sheet.passage_blocks(self.desk.fence, shown),
        )
        request = self.desk.request("check", model, messages, JUDGING_TOKENS)
        written = await ask(model, request, contracts.Inspection)
        given = {judgement.number: _VERDICTS[judgement.verdict] for judgement in written.verdicts}
        return [given.get(place, said.support) for place, said in enumerate(sentences, 1)]


def _output_tokens(words: int | None) -> int:
    return JUDGING_TOKENS + (words or 0) * TOKENS_PER_WORD


def _carry(words: int | None) -> str:
    if words is None:
        return ""
    return (
        "- answer: only if sufficient, else empty. The answer in the language of the question, in "
        f"about {words} words, from the passages alone; cite them by id in square brackets before "
        "each full stop, like [3]."
    )


def _as_meant(question: str, refined: str) -> str:
    """Return ``question`` with what it was taken to mean, where that says more."""
    same = " ".join(question.split()).casefold() == " ".join(refined.split()).casefold()
    return question if same or len(refined) > len(question) + 400 else f"{question}\n({refined})"


def _with_answer(reflection: Reflection, written: contracts.Assessment) -> Reflection:
    if isinstance(written, contracts.Answering) and reflection.sufficient:
        return reflection.model_copy(update={"answer": written.answer})
    return reflection
