"""Puts together what the researchers of a round have found: topics, evidence, and what it took."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import Literal, TypeVar

from quaere.domain.budget import Spend
from quaere.domain.evidence import Contradiction, Evidence, Lead
from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.report import RunWarning, Step
from quaere.domain.source import Passage
from quaere.domain.team import Topic
from quaere.domain.verdict import NextAction, Reflection, StopReason
from quaere.evidence.appraise import appraise
from quaere.evidence.pool import add_passages, rescore, select
from quaere.evidence.score import rank, rank_priors
from quaere.graphs.context import RunContext, ids_relied_on, stop_reason
from quaere.graphs.flow import Update
from quaere.graphs.researchers import Finding, carried_answer, ids_in
from quaere.graphs.state import LoopState, SupervisorState
from quaere.models.meter import spend_of
from quaere.resilience.once import asked_as
from quaere.text.inline import outside_code
from quaere.text.sentences import excerpt
from quaere.text.tokens import terms

T = TypeVar("T")

NOTED = 6
"""Passages of a topic of which a note is taken."""
NOTE_CHARS = 400
"""What a note takes from a passage."""
SAYING, FINDING_CHARS = 2, 160
"""Passages from which a topic's finding is taken, and characters of each."""

_MARKERS = re.compile(r"\s*\[\d+\]")


@dataclass(frozen=True, slots=True)
class Round:
    """What a round of research has brought."""

    topics: tuple[Topic, ...]
    """All topics so far; those of this round stand last."""
    pool: tuple[Evidence, ...]
    selection: tuple[Evidence, ...]
    leads: tuple[Lead, ...]
    reflection: Reflection
    spend: Spend
    """Of this round."""
    considered: tuple[str, ...]
    """Sources that no earlier round has brought, by canonical URL; likewise the next two."""
    opened: tuple[str, ...]
    tried: tuple[str, ...]

    @property
    def answered(self) -> bool:
        """Whether every topic is answered."""
        return self.reflection.sufficient


def put_together(state: SupervisorState, findings: Sequence[Finding], context: RunContext) -> Round:
    """Return what ``findings`` add to ``state``.

    Passages get their ids here, once and for all, and stand by what they are worth for the question
    as a whole; those that bear on a topic keep their place.
    """
    topics = (*state["topics"], *(topic_of(each, state, context) for each in findings))
    checklist = _checklist(topics, findings)
    considered = _fresh_urls("considered", state, findings)
    found = [entry.passage for each in findings for entry in each.state["pool"]]
    pool = add_passages(
        state["pool"], map(context.store.passage, found), iteration=state["spend"].iterations
    )
    told = _contradictions(state, findings, pool)
    held = [context.store.passage(entry.passage) for entry in pool]
    question, listed = state["question"].full_text, (*state["considered"], *considered)
    ranking = rank(question, held, context.document_share, rank_priors(held, listed))
    scored = rescore(pool, ranking.scores, ranking.parents)
    appraisal = appraise(
        question, checklist, scored, {each.id: each for each in held}, ranking.order, told
    )
    answer = carried_answer(findings, pool, state)
    return Round(
        topics=topics,
        pool=appraisal.evidence,
        selection=select(
            appraisal.evidence,
            appraisal.order,
            limit=state["budget"].max_sources,
            first=_seen(findings) if answer else _spread(topics),
        ),
        leads=ranking.leads,
        reflection=_reflection(topics, checklist, findings, told).model_copy(
            update={"answer": answer}
        ),
        spend=_spent(state, findings),
        considered=considered,
        opened=_fresh_urls("opened", state, findings),
        tried=_fresh_urls("tried", state, findings),
    )


def update_of(
    state: SupervisorState, findings: Sequence[Finding], round_: Round, *, elapsed: float
) -> Update:
    """Return what a round changes in the state."""
    now = state["spend"].iterations
    outcomes = [outcome for each in findings for outcome in each.state["outcomes"]]
    queries = tuple(outcome.query.text for outcome in outcomes)
    return {
        "topics": round_.topics,
        "checklist": round_.reflection.checklist,
        "reflection": round_.reflection,
        "considered": round_.considered,
        "opened": round_.opened,
        "tried": round_.tried,
        "outcomes": tuple(each.model_copy(update={"iteration": now}) for each in outcomes),
        "pool": round_.pool,
        "selection": round_.selection,
        "leads": round_.leads,
        "steps": (_step(state, round_, queries, elapsed),),
        "calls": tuple(call for each in findings for call in each.calls),
        "spend": round_.spend,
        "warnings": _fresh(state["warnings"], (_warnings(each) for each in findings)),
        "degradations": _fresh(
            state["degradations"], (each.state["degradations"] for each in findings)
        ),
    }


def _step(state: SupervisorState, round_: Round, queries: tuple[str, ...], elapsed: float) -> Step:
    """Return what the trace says of a round that asked ``queries``."""
    return Step(
        iteration=state["spend"].iterations,
        queries=queries,
        considered=len(state["considered"]) + len(round_.considered),
        read=len(state["opened"]) + len(round_.opened),
        evidence=tuple(entry.id for entry in round_.selection),
        findings=_newly(round_, state["topics"]),
        coverage=round_.reflection.checklist.coverage,
        confidence=round_.reflection.confidence,
        seconds=elapsed - sum(step.seconds for step in state["steps"]),
    )


def first_look(state: SupervisorState, *, elapsed: float) -> Step:
    """Return what the search for the raw question has brought, as a step of its own."""
    return Step(
        iteration=0,
        queries=tuple(outcome.query.text for outcome in state["outcomes"]),
        considered=len(state["considered"]),
        read=len(state["opened"]),
        evidence=tuple(entry.id for entry in state["selection"]),
        seconds=elapsed,
    )


def _checklist(topics: Sequence[Topic], findings: Sequence[Finding]) -> Checklist:
    """Return the topics as items; the items of the only topic where there is but one."""
    if len(topics) == len(findings) == 1 and not findings[0].error:
        return findings[0].state["checklist"]
    return checklist_of(topics)


def _spread(topics: Iterable[Topic]) -> tuple[str, ...]:
    """Return the passages that bear on ``topics``, the best of each first."""
    rows = itertools.zip_longest(*(topic.evidence for topic in topics))
    return tuple(dict.fromkeys(key for row in rows for key in row if key is not None))


def _seen(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the passages that the researchers had selected: an answer may cite any of them."""
    for each in findings:
        yield from (entry.passage for entry in each.state["selection"])


def _reflection(
    topics: Sequence[Topic],
    checklist: Checklist,
    findings: Sequence[Finding],
    told: tuple[Contradiction, ...],
) -> Reflection:
    """Return how far all topics are answered."""
    open_topics = [topic for topic in topics if topic.status is not ItemStatus.SATISFIED]
    gaps = itertools.chain.from_iterable(map(_gaps, open_topics))
    return Reflection(
        next_action=NextAction.SEARCH_MORE if open_topics else NextAction.FINALIZE,
        confidence=fmean(map(_confidence, findings)),
        checklist=checklist,
        gaps=tuple(gaps),
        contradictions=told,
        reason=f"{len(topics) - len(open_topics)} of {len(topics)} topics are answered",
    )


def _gaps(topic: Topic) -> tuple[str, ...]:
    return topic.gaps or (f"Not answered: {topic.text}",)


def _confidence(finding: Finding) -> float:
    reflection = finding.state["reflection"]
    return reflection.confidence if reflection else 0.0


def _contradictions(
    state: SupervisorState, findings: Sequence[Finding], pool: Sequence[Evidence]
) -> tuple[Contradiction, ...]:
    """Return what contradicts each other, by the ids of the run; the items are those of topics."""
    known = state["reflection"].contradictions if state["reflection"] else ()
    found = {(each.ids, each.what): each for each in known}
    for each in chain.from_iterable(_renamed(finding, pool) for finding in findings):
        found.setdefault((each.ids, each.what), each)
    return tuple(found[key] for key in sorted(found))


def _renamed(finding: Finding, pool: Sequence[Evidence]) -> Iterator[Contradiction]:
    """Yield the contradictions of a ``finding`` by the ids of the run."""
    own, reflection = ids_in(pool, finding), finding.state["reflection"]
    for told in reflection.contradictions if reflection else ():
        if own.keys() >= set(told.ids):
            first, second = sorted(own[number] for number in told.ids)
            yield Contradiction(ids=(first, second), what=told.what)


def _newly(round_: Round, before: Sequence[Topic]) -> int:
    """Return how many selected passages bear on a topic that bore on none before."""
    known = {key for topic in before for key in topic.evidence}
    bearing_now = {key for topic in round_.topics for key in topic.evidence} - known
    return sum(entry.passage in bearing_now for entry in round_.selection)


def _fresh(known: Sequence[T], several: Iterable[Iterable[T]]) -> tuple[T, ...]:
    """Return what ``several`` hold and is not ``known``, each once and in its order."""
    seen = set(known)
    return tuple(each for each in dict.fromkeys(itertools.chain(*several)) if each not in seen)


def _fresh_urls(
    key: Literal["considered", "opened", "tried"],
    state: SupervisorState,
    findings: Sequence[Finding],
) -> tuple[str, ...]:
    """Return the URLs under ``key`` that the researchers have and the run has not yet."""
    return _fresh(state[key], (each.state[key] for each in findings))


def _spent(state: SupervisorState, findings: Sequence[Finding]) -> Spend:
    """Return what a round has taken: one loop, and each query and page once."""
    asked = {asked_as(outcome.query) for outcome in state["outcomes"]}
    fresh = {asked_as(o.query) for f in findings for o in f.state["outcomes"]} - asked
    tried = _fresh_urls("tried", state, findings)
    return Spend(iterations=1, queries=len(fresh), reads=len(tried)) + _reasoning(findings)


def _reasoning(findings: Sequence[Finding]) -> Spend:
    """Return what reasoning has taken, as the researchers count it and their models' ledger."""
    late = [call for f in findings for call in f.calls[len(f.state["calls"]) :]]
    spends = [spend_of(late), *(each.state["spend"] for each in findings)]
    return Spend(
        tokens=sum(each.tokens for each in spends),
        model_calls=sum(each.model_calls for each in spends),
        cost_usd=sum(each.cost_usd for each in spends),
    )


def _warnings(finding: Finding) -> Iterator[RunWarning]:
    yield from finding.state["warnings"]
    if finding.error:
        yield broken_off(finding)


def broken_off(finding: Finding) -> RunWarning:
    """Return the warning that a researcher did not end its work."""
    return RunWarning(
        kind="research",
        message=f"the research was interrupted: {finding.error}",
        subject=finding.topic,
    )


def note_of(topic: Topic, context: RunContext) -> str:
    """Return what was found on ``topic``, in the words of its sources."""
    wanted = frozenset(terms(topic.text))
    passages = [context.store.passage(key) for key in topic.evidence[:NOTED]]
    return "\n".join([topic.finding, *(_stretch(each, wanted, NOTE_CHARS) for each in passages)])


def _is_answered(found: LoopState) -> bool:
    """Return whether a researcher has said so, or everything on its checklist is ticked."""
    items = found["checklist"].items
    ticked = [item for item in items if item.status is ItemStatus.SATISFIED]
    return stop_reason(found) is StopReason.SUFFICIENT or (
        bool(items) and len(ticked) == len(items)
    )


def topic_of(finding: Finding, state: SupervisorState, context: RunContext) -> Topic:
    """Return the outcome of a topic; one whose research was interrupted is never answered."""
    found = finding.state
    evidence = tuple(dict.fromkeys(ids_relied_on(found)))
    done = not finding.error and _is_answered(found)
    status = ItemStatus.PARTIAL if evidence else ItemStatus.UNSATISFIED
    return Topic(
        text=finding.topic,
        round=state["spend"].iterations,
        status=ItemStatus.SATISFIED if done else status,
        finding=_said(finding, evidence, context),
        evidence=evidence,
        gaps=() if done else (found["reflection"].gaps if found["reflection"] else ()),
        terms=tuple(dict.fromkeys(terms(finding.topic))),
        error=finding.error,
    )


def _said(finding: Finding, evidence: Sequence[str], context: RunContext) -> str:
    """Return the answer that a reasoner gave, without its markers, or the best of the sources."""
    reflection = finding.state["reflection"]
    if reflection and reflection.sufficient and reflection.answer:
        return outside_code(reflection.answer, lambda text: _MARKERS.sub("", text)).strip()
    wanted = frozenset(terms(finding.topic))
    passages = [context.store.passage(key) for key in evidence[:SAYING]]
    return " ".join(_stretch(each, wanted, FINDING_CHARS) for each in passages)


def _stretch(passage: Passage, wanted: frozenset[str], room: int) -> str:
    span = excerpt(passage.text, wanted, room)
    return passage.text[span.start : span.end]


def checklist_of(topics: Sequence[Topic]) -> Checklist:
    """Return ``topics`` as what a complete answer must contain."""
    return Checklist(
        items=tuple(
            Item(
                id=f"topic-{place}",
                description=topic.text,
                terms=topic.terms,
                status=topic.status,
                evidence=topic.evidence,
            )
            for place, topic in enumerate(topics, 1)
        )
    )
