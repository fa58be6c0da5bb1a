"""Outcomes and costs of a run in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from quaere.domain.model import ModelCall
from quaere.domain.question import ItemStatus
from quaere.domain.report import (
    WORDING_DIFFERS,
    AnswerStatus,
    CheckedBy,
    Checks,
    Degradation,
    Report,
    Sentence,
    Support,
)
from quaere.domain.verdict import StopReason
from quaere.text.languages.language import ENGLISH_FRAME, Frame, Headings, frame

STOP_REASONS: Mapping[StopReason, str] = MappingProxyType(
    {
        StopReason.SUFFICIENT: "evidence was found for every part of the question",
        StopReason.NO_NEW_INFORMATION: "searching brought nothing new",
        StopReason.MAX_ITERATIONS: "the limit of loops was reached",
        StopReason.BUDGET_EXHAUSTED: "the budget was used up",
        StopReason.TIMEOUT: "the time was up",
        StopReason.DEGRADED: "searching failed too often",
        StopReason.CANCELLED: "the run was asked to finish",
        StopReason.ERROR: "an error ended the search",
    }
)
"""Each completes "the search ended because"."""

STATUSES: Mapping[AnswerStatus, str] = MappingProxyType(
    {
        AnswerStatus.ANSWERED: "Answered",
        AnswerStatus.INSUFFICIENT: "Answered in part",
        AnswerStatus.NO_EVIDENCE: "Not answered",
    }
)


def statuses_in(named: Headings) -> Mapping[ItemStatus, str]:
    """Return how parts of a question ended, in the words of one language."""
    return MappingProxyType(
        {
            ItemStatus.SATISFIED: named.answered,
            ItemStatus.PARTIAL: named.in_part,
            ItemStatus.UNSATISFIED: named.unanswered,
        }
    )


def verdicts_in(said: Frame) -> Mapping[Support, str]:
    """Return the verdicts, in the words of one language wherever one is shown."""
    return MappingProxyType(
        {
            Support.QUOTED: said.quoted,
            Support.SUPPORTED: said.supported,
            Support.PARTLY: said.partly,
            Support.CONTRADICTED: said.contradicted,
            Support.NOT_JUDGED: said.not_judged,
            Support.NOT_A_CLAIM: said.no_claim,
        }
    )


def _checkers_in(said: Frame) -> Mapping[CheckedBy, str]:
    return MappingProxyType(
        {
            CheckedBy.WORDS: said.by_words,
            CheckedBy.MODEL: said.by_model,
            CheckedBy.ENTAILMENT: said.by_entailment,
        }
    )


VERDICTS = verdicts_in(ENGLISH_FRAME)
CHECKERS = _checkers_in(ENGLISH_FRAME)


def verdict_name(support: Support, reason: str = "", said: Frame = ENGLISH_FRAME) -> str:
    """Return a verdict in words; where it comes of the wording alone, that is said."""
    differs = support is Support.NOT_JUDGED and reason == WORDING_DIFFERS
    name = verdicts_in(said)[support]
    return f"{said.differs}, {name}" if differs else name


def verdict_in_words(
    support: Support, by: CheckedBy | None, reason: str, said: Frame = ENGLISH_FRAME
) -> str:
    """Return a verdict, whose it is and why: "supported, by a model: a model found it there"."""
    name = verdict_name(support, reason, said)
    if by and support is not Support.NOT_A_CLAIM:
        name = f"{name}, {_checkers_in(said)[by]}"
    return f"{name}: {reason}" if reason and reason != WORDING_DIFFERS else name


def mark_of(sentence: Sentence) -> str:
    """Return what an answer has after ``sentence``; nothing where it holds or claims nothing."""
    if sentence.support.holds or not sentence.is_claim:
        return ""
    return f"({verdict_name(sentence.support, sentence.reason, frame())})"


def unjudged() -> str:
    """Return what an answer has after a sentence that cites nothing, in its language."""
    return f"({frame().not_judged})"


def checks_in_words(checks: Checks) -> str:
    """Return how many sentences were checked and how each ended, in one sentence."""
    sentences = "sentence" if checks.written == 1 else "sentences"
    were = "was supported as it was" if checks.supported == 1 else "were supported as they were"
    return (
        f"Of {checks.written} {sentences} written, {checks.supported} {were}, "
        f"{checks.repaired} repaired, {checks.marked} marked and {checks.dropped} dropped."
    )


LEAST_USD = 0.0001
"""Less than that is not told apart."""


def unused_model(degradations: Iterable[Degradation]) -> str:
    """Return that a model which was named did not do its part, and why; empty where each did.

    Each reason is given once, with all the steps that it kept the model from; one that repeats an
    earlier one within its own words is that one.
    """
    steps: dict[str, list[str]] = {}
    for each in degradations:
        if each.instead:
            reason = next((known for known in steps if known in each.reason), each.reason)
            steps.setdefault(reason, []).append(each.step)
    if not steps:
        return ""
    reasons = "; ".join(
        f"{reason.removesuffix('.')} ({', '.join(dict.fromkeys(listed))})"
        for reason, listed in steps.items()
    )
    return f"The model that was named was not used throughout: {reasons}."


def degradations_in_words(degradations: Iterable[Degradation]) -> Iterator[str]:
    """Yield what ran in a weaker way, but for what `unused_model` says."""
    for each in degradations:
        if not each.instead:
            yield f"Degraded ({each.step}): {each.reason}"


def calls_in_words(calls: Sequence[ModelCall]) -> str:
    """Return how many ``calls`` there were and what they took; empty when there was none.

    Tokens that no vendor counted make it "about"; calls without a known price are said to be left
    out of the sum.
    """
    if not calls:
        return ""
    tokens = sum(call.usage.total_tokens for call in calls)
    about = "about " if any(call.usage.estimated for call in calls) else ""
    noun = "call" if len(calls) == 1 else "calls"
    return f"{len(calls)} model {noun}, {about}{tokens:,} tokens, {_cost(calls)}"


def sources_in_words(report: Report) -> str:
    """Return how many sources a run found, read and could not read: "9 sources found, 7 read".

    Files of a folder are read without being opened as pages, which are what a budget counts.
    """
    last = report.steps[-1] if report.steps else None
    found, read = (last.considered, last.read) if last else (0, 0)
    refused = sum(warning.kind == "read" for warning in report.warnings)
    noun = "source" if found == 1 else "sources"
    return f"{found:,} {noun} found, {read:,} read, {refused:,} refused"


def format_usd(usd: float) -> str:
    """Return ``usd`` to a hundredth of a cent, from a dollar on to a cent."""
    if usd == 0:
        return "$0"
    if usd < LEAST_USD:
        return f"under ${LEAST_USD}"
    if usd >= 1:
        return f"${usd:,.2f}"
    return f"${usd:.4f}".rstrip("0").ljust(len("$0.00"), "0")


def _cost(calls: Sequence[ModelCall]) -> str:
    known = [call.cost_usd for call in calls if call.cost_usd is not None]
    if not known:
        return "price not known"
    unknown = len(calls) - len(known)
    rest = f" and {unknown} of unknown price" if unknown else ""
    return f"{format_usd(sum(known))}{rest}"
