"""The reasoner that asks language models: one call to plan, one a loop to judge, one to write."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, NamedTuple, TypeVar

from quaere.domain.evidence import of_same_sources
from quaere.domain.model import ModelRequest
from quaere.domain.question import Intent, Question, SourceKind
from quaere.domain.report import Ruling, Sentence, Support
from quaere.domain.team import Brief, Delegation
from quaere.domain.verdict import Opening, Reflection
from quaere.models.guard import BETWEEN_NAMES, FallbackModel
from quaere.models.meter import MeteredModel
from quaere.models.structured.aloud import ask_aloud
from quaere.models.structured.ask import ask
from quaere.ports.model import ChatModel, Ledger, thinking_tokens, traits_of
from quaere.ports.reason import Assignment, FirstLook, Inspection, Listener, Overview, Review
from quaere.reason.llm import contracts, sheet, small, supervising
from quaere.reason.llm.prompt_builder import (
    Desk,
    Exhibit,
    best_fitting,
    evidence_relied_on,
    led_to,
    of_named_pages,
)
from quaere.reason.llm.queries import is_folder, is_web, of_folder, reworded, wanted_queries
from quaere.reason.llm.sentences import Numbering
from quaere.reason.llm.sheet import Fence, shortened_to
from quaere.reason.llm.weigh import plan_of, reflection_of
from quaere.reason.llm.writing import TOKENS_PER_WORD, SpokenAnswer, Writer

JUDGING_TOKENS: Final = 4_000
"""Output limit of planning, evaluating and checking. They write a tenth of it; models that think
before they write need the rest."""

VERDICT_TOKENS: Final = 80
"""The same of checking for each sentence, of a small model, which does not think first. A verdict
that is written with a line for each brace and name takes some 60."""

FIRST_SHOWN: Final = 9
"""Passages of the first look that a plan is made on, the best. Of 139 answering sentences that a
first look had found, 137 were among them; what is left is looked at again with the next search."""

FOLLOWED_SHOWN: Final = 15
"""The same where names of the first look were followed. With twelve, the passage that answers was
not among them for two of twenty questions."""

ASKED_SHARE: Final = 0.05
"""Share of the checker's context window that the question may take."""

_TIER = (
    "- tier: simple for one plain fact, deep for a survey of many sources, standard for the rest."
)
_EFFORT = (
    "This is one topic of a larger research, with a tight budget: one or two searches for a simple "
    "topic, at most three for a complex one. Stop at once when it is answered, when two "
    "passages say the same, or when a search brought nothing new: then ask for no more searches."
)
_PUBMED = (
    "- PubMed can be searched: for a question of medicine or biology, one or two of the queries in "
    'PubMed syntax, like asthma[tiab] AND budesonide[mh], with kinds ["pubmed"]'
)
_PUBMED_AND_WEB = (
    ', and one or two for the web, with kinds ["web"]; site:fda.gov in one keeps it to a site.'
)
_FOLLOWED = " and for names that it brought up"
_KINDS = ", and the kinds of source it wants, if any"
_ONE_VERDICT, _VERDICT_ON_EACH = "Give a verdict on it", "For every number give a verdict"
_VERDICTS = {
    "supported": Support.SUPPORTED,
    "partly": Support.PARTLY,
    "contradicted": Support.CONTRADICTED,
    "unsupported": Support.NOT_JUDGED,
}


@dataclass(frozen=True, slots=True)
class Models:
    """The models of the steps; often the same one four times."""

    plan: ChatModel
    evaluate: ChatModel
    write: ChatModel
    check: ChatModel
    fallbacks: tuple[ChatModel, ...] = ()
    """Those that are asked, in this order, when the model of a step fails."""

    @property
    def name(self) -> str:
        """Their names, each once."""
        used = (self.plan, self.evaluate, self.write, self.check, *self.fallbacks)
        return BETWEEN_NAMES.join(dict.fromkeys(model.name for model in used))

    def wrapped(self, wrap: Callable[[ChatModel], ChatModel]) -> Models:
        """Return them with ``wrap`` around every single one."""
        return Models(
            plan=wrap(self.plan),
            evaluate=wrap(self.evaluate),
            write=wrap(self.write),
            check=wrap(self.check),
            fallbacks=tuple(map(wrap, self.fallbacks)),
        )

    def joined(self) -> Models:
        """Return one model a step, which turns to the fallbacks by itself.

        The model that checks turns in the end to the one that evaluates: without a check, most of
        what is true is not judged.
        """
        check = self._falling_back(self.check, self.evaluate)
        return replace(replace(self, fallbacks=()).wrapped(self._falling_back), check=check)

    def _falling_back(self, model: ChatModel, last: ChatModel | None = None) -> ChatModel:
        row = (model, *self.fallbacks, *filter(None, [last]))
        by_name = {each.name: each for each in reversed(row)}
        others = [each for name, each in reversed(by_name.items()) if name != model.name]
        return FallbackModel([model, *others]) if others else model


@dataclass(frozen=True, slots=True)
class ModelReasoner:
    """Makes the reasoner of each run, with marks and a ledger of its own."""

    models: Models

    @property
    def name(self) -> str:
        """The names of its models."""
        return self.models.name.lower()

    def for_run(self, ledger: Ledger, marks: str = "") -> RunReasoner:
        """Return the reasoner of one run, with its own marks, its calls booked on ``ledger``."""
        metered = self.models.wrapped(lambda model: MeteredModel(model, ledger))
        return RunReasoner(metered.joined(), Desk(ledger, Fence(marks) if marks else Fence()))

    def wrapped(self, wrap: Callable[[ChatModel], ChatModel]) -> ModelReasoner:
        """Return it with ``wrap`` around every single model, those to fall back on included."""
        return ModelReasoner(self.models.wrapped(wrap))


W = TypeVar("W", bound=contracts.Assessment)
A = TypeVar("A", bound=contracts.Answering)


class _Forms(NamedTuple, Generic[W, A]):
    """What a model writes that judges: by itself, and with the answer that comes with it."""

    judging: type[W]
    answering: type[A]


async def _written(
    model: ChatModel,
    request: ModelRequest,
    forms: _Forms[W, A],
    words: int | None,
    spoken: SpokenAnswer[A] | None,
) -> W | A:
    """Return what ``model`` judges, with an answer of so many ``words`` if it may write one.

    While it does, ``spoken`` takes that.
    """
    if not words:
        return await ask(model, request, forms.judging, unsaid=contracts.UNSAID)
    if spoken is None:
        return await ask(model, request, forms.answering, unsaid=contracts.UNSAID)
    said = await ask_aloud(model, request, forms.answering, spoken, unsaid=contracts.UNSAID)
    return spoken.standing(said)


_OPENING = _Forms(contracts.Opening, contracts.OpeningAnswer)
_ASSESSMENT = _Forms(contracts.Assessment, contracts.AssessmentAnswer)


@dataclass(frozen=True, slots=True)
class RunReasoner:
    """Plans, evaluates, writes and checks with the models of one run."""

    models: Models
    desk: Desk

    @property
    def name(self) -> str:
        """The names of its models."""
        return self.models.name.lower()

    @property
    def thinking_tokens(self) -> int:
        """The most that a call of one of its models may take beyond what it asks for."""
        models = self.models
        used = (models.plan, models.evaluate, models.write, models.check)
        return max(map(thinking_tokens, used))

    async def plan(self, look: FirstLook) -> Opening:
        """Plan and judge the first look in one call.

        Raises:
            ReasonError: when no model gives a usable plan.
        """
        return await self.plan_aloud(look, None)

    async def plan_aloud(self, look: FirstLook, listener: Listener | None) -> Opening:
        """Do the same, and give ``listener`` an answer that comes with it.

        Raises:
            ReasonError: when no model gives a usable plan.
        """
        with self.desk.judging(self.models.plan):
            return await self._plan(look, listener)

    async def _plan(self, look: FirstLook, listener: Listener | None) -> Opening:
        model, words = self.models.plan, self._early(self.models.plan, look.answer_words)
        if traits_of(model).small:
            shown = Numbering.of(look.evidence, look.passages)
            return self._opening(await small.plan(model, self.desk, look, shown), look, shown)
        followed = any(outcome.query.intent is Intent.BRIDGE for outcome in look.outcomes)
        most = FOLLOWED_SHOWN if followed else FIRST_SHOWN
        shown = Numbering.of(look.evidence[:most], look.passages)
        request = self._plan_request(look, shown, words, followed=followed)

        def judged(written: contracts.Opening) -> Opening:
            return self._opening(written, look, shown)

        speaking = SpokenAnswer[contracts.OpeningAnswer]
        spoken = speaking(listener, judged, look, shown) if listener else None
        return judged(await _written(model, request, _OPENING, words, spoken))

    def _plan_request(
        self, look: FirstLook, shown: Numbering, words: int | None, *, followed: bool
    ) -> ModelRequest:
        asked = self.desk.question_fields(look.question, self.models.plan)
        needless = _needless(look.kinds, tier=look.tier_wanted, delegated=look.delegated)
        passages = sheet.to_the_point(look.passages, asked["question"])
        return self.desk.request(
            "plan",
            self.models.plan,
            Exhibit(shown.evidence, passages, asked["question"]),
            {
                **asked,
                "queries": str(min(contracts.MAX_QUERIES, look.max_queries)),
                "tier": _TIER if look.tier_wanted else "",
                "carry": _carry(words, look.question, look.max_citations),
                "followed": _FOLLOWED if followed else "",
                "sources": _sources(look.kinds),
                "effort": _EFFORT if look.delegated else "",
                "kinds": "" if "kinds" in needless else _KINDS,
            },
            output_tokens=_output_tokens(words),
            contract=contracts.Reduced(
                contracts.OpeningAnswer if words else contracts.Opening, needless
            ),
        )

    def _opening(self, written: contracts.Opening, look: FirstLook, shown: Numbering) -> Opening:
        plan, text = plan_of(written, look.question), look.question.text
        allowed = min(contracts.MAX_QUERIES, look.max_queries)
        reflection = reflection_of(written, plan.checklist, shown.evidence, text, look.passages)
        asked_for = wanted_queries(written.queries, plan.checklist, text)[:allowed]
        if is_folder(look.kinds):
            reflection = _of_folder(reflection)
            asked_for = of_folder(asked_for)
        found_poor = reworded(asked_for, look.outcomes, look.passages.values())
        return Opening(
            plan=plan.model_copy(update={"queries": found_poor[:allowed]}),
            reflection=shown.meant(
                _with_answer(reflection.model_copy(update={"queries": ()}), written)
            ),
        )

    async def evaluate(self, review: Review) -> Reflection:
        """Judge the evidence in one call.

        Raises:
            ReasonError: when no model gives a usable judgement.
        """
        return await self.evaluate_aloud(review, None)

    async def evaluate_aloud(self, review: Review, listener: Listener | None) -> Reflection:
        """Do the same, and give ``listener`` an answer that comes with it.

        Raises:
            ReasonError: when no model gives a usable judgement.
        """
        with self.desk.judging(self.models.evaluate):
            return await self._evaluate(review, listener)

    async def _evaluate(self, review: Review, listener: Listener | None) -> Reflection:
        model, words = self.models.evaluate, self._early(self.models.evaluate, review.answer_words)
        shown = Numbering.of(review.evidence, review.passages)
        if traits_of(model).small:
            return _reflection(await small.evaluate(model, self.desk, review, shown), review, shown)
        request = self._evaluate_request(review, shown, words)

        def judged(written: contracts.Assessment) -> Reflection:
            return _reflection(written, review, shown)

        speaking = SpokenAnswer[contracts.AssessmentAnswer]
        spoken = speaking(listener, judged, review, shown) if listener else None
        return judged(await _written(model, request, _ASSESSMENT, words, spoken))

    def _evaluate_request(
        self, review: Review, shown: Numbering, words: int | None
    ) -> ModelRequest:
        asked = self.desk.question_fields(review.question, self.models.evaluate)
        return self.desk.request(
            "evaluate",
            self.models.evaluate,
            _reviewed(review, shown, asked["question"]),
            {
                **asked,
                "question": _as_meant(
                    asked["question"], self.desk.fence.line(review.plan.refined_question)
                ),
                "checklist": sheet.items(self.desk.fence, review.checklist, shown.evidence),
                "asked": sheet.earlier_queries(self.desk.fence, review.outcomes),
                "queries": str(min(contracts.MAX_QUERIES, review.remaining.queries)),
                "carry": _carry(words, review.question, review.max_citations),
                "sources": _sources(review.kinds),
                "effort": _EFFORT if review.delegated else "",
            },
            output_tokens=_output_tokens(words),
            contract=contracts.Reduced(
                contracts.AssessmentAnswer if words else contracts.Assessment,
                _needless(review.kinds),
            ),
        )

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

    async def brief(self, overview: Overview) -> Brief:
        """Return the brief and the first topics, in one call.

        Raises:
            ReasonError: when no model gives a usable brief.
        """
        with self.desk.judging(self.models.plan):
            return await supervising.write_brief(self.models.plan, self.desk, overview)

    async def delegate(self, overview: Overview) -> Delegation:
        """Return the next topics, or that the research is complete, in one call.

        Raises:
            ReasonError: when no model gives a usable delegation.
        """
        with self.desk.judging(self.models.plan):
            return await supervising.delegate(self.models.plan, self.desk, overview)

    @property
    def tells_early(self) -> bool:
        """Whether neither the model that writes nor the one that checks is small."""
        return not any(traits_of(model).small for model in (self.models.write, self.models.check))

    async def check(self, inspection: Inspection) -> Sequence[Ruling | None]:
        """Return a ruling on every sentence, all of them judged in one call.

        None on one that the model passed over.

        Raises:
            ReasonError: when no model gives a usable judgement.
        """
        model, sentences = self.models.check, inspection.sentences
        wanted = " ".join(sentence.text for sentence in sentences)
        shown = Numbering.of(inspection.evidence, inspection.passages)
        room = int(model.context_tokens * ASKED_SHARE)
        numbered = tuple(map(shown.with_numbers, sentences))
        request = self.desk.request(
            "check",
            model,
            Exhibit(
                shown.evidence,
                sheet.to_the_point(inspection.passages, f"{inspection.question} {wanted}"),
                wanted,
            ),
            {
                "question": sheet.question_line(
                    self.desk.fence, shortened_to(inspection.question, room)
                ),
                "sentences": sheet.claims(self.desk.fence, numbered, inspection.answer),
                "give": _ONE_VERDICT if len(sentences) == 1 else _VERDICT_ON_EACH,
            },
            output_tokens=len(sentences) * VERDICT_TOKENS
            if traits_of(model).small
            else JUDGING_TOKENS,
            contract=contracts.Reduced(contracts.Inspection, frozenset(), len(sentences)),
        )

        def judges(said: contracts.Inspection) -> None:
            said.on(len(sentences))

        said = await ask(model, request, contracts.Inspection, check=judges, unsaid={})
        verdicts = said.on(len(sentences))
        alone = len(sentences) == len(verdicts) == 1  # it is on that sentence, whatever its number
        given = {
            1 if alone else judged.number: Ruling(
                support=_VERDICTS[judged.verdict], evidence=shown.ids.get(judged.id)
            )
            for judged in verdicts
        }
        return [given.get(place) for place in range(1, len(sentences) + 1)]


def _output_tokens(words: int | None) -> int:
    return JUDGING_TOKENS + (words or 0) * TOKENS_PER_WORD


def _sources(kinds: Collection[SourceKind]) -> str:
    """Return what to say of the kinds of source that can be searched (R4.2)."""
    if SourceKind.PUBMED not in kinds:
        return ""
    return _PUBMED + (_PUBMED_AND_WEB if SourceKind.WEB in kinds else ".")


def _needless(
    kinds: Collection[SourceKind], *, tier: bool = True, delegated: bool = False
) -> frozenset[str]:
    """Return the fields that make no difference to a run, so that code fills them."""
    found: set[str] = set()
    if is_folder(kinds):
        found |= {"kinds", "target_kinds"}
    elif is_web(kinds):  # what is wanted is said once, for all queries
        found.add("kinds")
    if not tier:
        found.add("tier")
    if delegated:  # its topic was drawn up by a supervisor, with its bounds
        found |= {"scope_in", "scope_out"}
    return frozenset(found)


def _carry(words: int | None, question: Question, citations: int | None) -> str:
    if words is None:
        return ""
    rules = sheet.writing_rules(citations).replace("\n", "\n  ")
    return (
        "- answer: only if sufficient, else empty. The answer in "
        f"{sheet.language_of(question)}, in about {words} words, from the passages "
        f"alone:\n  {rules}"
    )


def _as_meant(question: str, refined: str) -> str:
    """Return ``question`` with what it was taken to mean, where that says more."""
    same = " ".join(question.split()).casefold() == " ".join(refined.split()).casefold()
    return question if same or len(refined) > len(question) + 400 else f"{question}\n({refined})"


def _needed(review: Review, shown: Numbering, fresh: Collection[int]) -> set[int]:
    """Return the evidence that a model is to see whole: what is new, and what it is needed for."""
    latest = [
        outcome.query.text
        for outcome in review.outcomes
        if outcome.iteration == review.iteration - 1 and outcome.query.intent is not Intent.RAW
    ]
    rested_on = evidence_relied_on(review.checklist, shown.evidence)
    before = [entry for entry in shown.evidence if entry.id not in fresh]
    return {
        *fresh,
        *of_same_sources(rested_on, shown.evidence),
        *of_named_pages(latest, before),
        *led_to(latest, review.question.full_text, before, review.passages),
        *best_fitting(latest, shown.evidence, review.passages),
    }


def _reviewed(review: Review, shown: Numbering, question: str) -> Exhibit:
    fresh = shown.numbered(review.fresh)
    # Without what is new, what it misses is there, or nowhere: to show it less changes nothing.
    every = {entry.id for entry in shown.evidence}
    needed = _needed(review, shown, fresh) if fresh else every
    wanted = " ".join(
        [
            question,
            *(item.description for item in review.checklist.items),
            *(outcome.query.text for outcome in review.outcomes),
        ]
    )
    return Exhibit(
        shown.evidence,
        sheet.to_the_point(review.passages, wanted),
        wanted,
        whole=needed,
        new=fresh,
        titles=frozenset(entry.id for entry in shown.evidence if entry.id not in needed),
    )


def _reflection(written: contracts.Assessment, review: Review, shown: Numbering) -> Reflection:
    reflection = reflection_of(
        written,
        review.checklist,
        shown.evidence,
        review.question.text,
        review.passages,
    )
    if is_folder(review.kinds):
        reflection = _of_folder(reflection)
    if not reflection.sufficient:
        queries = reworded(reflection.queries, review.outcomes, review.passages.values())
        reflection = reflection.model_copy(update={"queries": queries})
    return shown.meant(_with_answer(reflection, written))


def _of_folder(reflection: Reflection) -> Reflection:
    """Return ``reflection`` with what a model is not asked where folders alone are searched."""
    filled = {
        "queries": of_folder(reflection.queries),
        "target_source_types": (SourceKind.FOLDER.value,),
    }
    return reflection.model_copy(update=filled)


def _with_answer(reflection: Reflection, written: contracts.Assessment) -> Reflection:
    if isinstance(written, contracts.Answering):
        return reflection.model_copy(update={"answer": written.answer})
    return reflection
