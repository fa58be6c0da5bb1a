"""Checks what was written and puts the answer together."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from quaere.domain.events import Phase, SentenceWritten, Verified
from quaere.domain.profile import CHECKING_AGAIN
from quaere.domain.report import Support
from quaere.evidence.appraise import appraise
from quaere.graphs.context import RunContext
from quaere.graphs.narrator import Narrator
from quaere.graphs.nodes.update import Update
from quaere.graphs.reasoning import Reasoned, reasoned
from quaere.graphs.state import LoopState
from quaere.graphs.views import gaps_of, passages_of, stop_reason, told_of
from quaere.ports import Checker, Inspection, Reasoner
from quaere.synthesize.compose import Draft, is_incomplete, is_limited
from quaere.verify.lead import led, spared
from quaere.verify.repair import Outcome, counted, pool_of, verify_sentence
from quaere.verify.ruling import open_cases, ruled

UNCHECKED: Reasoned[tuple[Support, ...]] = Reasoned((), (), ())


async def verify(state: LoopState, runtime: Runtime[RunContext]) -> Update:
    """Check every sentence against what it cites, and put the answer together from what holds."""
    context, narrator = runtime.context, Narrator(Phase.VERIFYING, state, runtime)
    narrator.begin()
    selection = state["selection"]
    passages = passages_of(selection, context)
    pool = pool_of(selection, passages.values())
    checked = [verify_sentence(sentence, pool) for sentence in led(state["drafts"])]
    cases = open_cases(checked)
    second = await _looked_at_again(state, context, [checked[case] for case in cases])
    rulings = dict(zip(cases, second.result, strict=False))
    outcomes = spared(state["drafts"], ruled(checked, rulings), pool)
    draft = Draft(selection, passages.values(), asked=state["question"].text)
    for shown in (outcome.sentence for outcome in outcomes if outcome.sentence):
        narrator.tell(SentenceWritten(text=draft.add(shown), sentence=shown))
    checks, reason = counted(outcomes), stop_reason(state)
    narrator.tell(Verified(checks=checks))
    composition = draft.finish(
        limited=is_limited(reason, state["degradations"]),
        incomplete=is_incomplete(reason, state["checklist"], gaps_of(state)),
        truncated=state["truncated"],
    )
    found = appraise(
        state["question"].text, state["checklist"], selection, passages, told=told_of(state)
    )
    return {
        "selection": found.evidence,
        "agreements": found.agreements,
        "conflicts": found.conflicts,
        "sentences": composition.sentences,
        "checks": checks,
        "answer": composition.answer,
        "status": composition.status,
        "citations": composition.citations,
        "calls": second.calls,
        "spend": second.spend,
        "degradations": second.degradations,
    }


async def _looked_at_again(
    state: LoopState, context: RunContext, doubts: Sequence[Outcome]
) -> Reasoned[tuple[Support, ...]]:
    """Return what a model makes of the sentences in ``doubts``, where the profile has it asked."""
    sentences = tuple(outcome.sentence for outcome in doubts if outcome.sentence)
    wanted = state["profile"] in CHECKING_AGAIN and isinstance(context.reasoner, Checker)
    if not sentences or not wanted:
        return UNCHECKED
    cited = {number for sentence in sentences for number in sentence.evidence}
    evidence = tuple(entry for entry in state["selection"] if entry.id in cited)
    inspection = Inspection(
        sentences=sentences, evidence=evidence, passages=passages_of(evidence, context)
    )

    async def look(reasoner: Reasoner) -> tuple[Support, ...]:
        if not isinstance(reasoner, Checker):
            return ()
        return tuple(await reasoner.check(inspection))

    return await reasoned("check", state, context, look)
