"""What came of a topic, and what is remembered of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.source import Passage
from quaere.domain.team import Topic
from quaere.domain.verdict import StopReason
from quaere.graphs.context import RunContext
from quaere.graphs.researchers import Finding
from quaere.graphs.supervisor_state import SupervisorState
from quaere.graphs.views import bearing, stop_reason
from quaere.text.sentences import excerpt
from quaere.text.tokens import terms

NOTED = 6
"""Passages of a topic of which a note is taken."""
NOTE_CHARS = 400
"""What a note takes from a passage."""
SAYING, FINDING_CHARS = 2, 160
"""Passages from which a topic's finding is taken, and characters of each."""

_MARKERS = re.compile(r"\s*\[\d+\]")


def note_of(topic: Topic, context: RunContext) -> str:
    """Return what was found on ``topic``, in the words of its sources."""
    wanted = frozenset(terms(topic.text))
    passages = [context.store.passage(key) for key in topic.evidence[:NOTED]]
    return "\n".join([topic.finding, *(_stretch(each, wanted, NOTE_CHARS) for each in passages)])


def topic_of(finding: Finding, state: SupervisorState, context: RunContext) -> Topic:
    """Return what came of a topic; one whose research broke off is never answered."""
    found, items = finding.state, finding.state["checklist"].items
    evidence = tuple(dict.fromkeys(bearing(found)))
    done = not finding.error and (
        stop_reason(found) is StopReason.SUFFICIENT
        or (bool(items) and all(item.status is ItemStatus.SATISFIED for item in items))
    )
    status = ItemStatus.SATISFIED if done else ItemStatus.UNSATISFIED
    if evidence and not done:
        status = ItemStatus.PARTIAL
    return Topic(
        text=finding.topic,
        round=state["spend"].iterations,
        status=status,
        finding=_said(finding, evidence, context),
        evidence=evidence,
        gaps=() if done else (found["reflection"].gaps if found["reflection"] else ()),
        terms=tuple(dict.fromkeys(terms(finding.topic))),
        error=finding.error,
    )


def _said(finding: Finding, evidence: Sequence[str], context: RunContext) -> str:
    """Return the answer that a reasoner gave, without its markers, or the best of the sources."""
    reflection = finding.state["reflection"]
    if reflection and reflection.answer:
        return _MARKERS.sub("", reflection.answer).strip()
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
