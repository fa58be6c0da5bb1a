"""Lets a model lead a research: one call for the brief, and one for every round after the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from quaere.domain.question import ItemStatus
from quaere.domain.team import Brief, Delegation, Topic
from quaere.models.structured.ask import ask
from quaere.ports.model import ChatModel
from quaere.ports.reason import Overview
from quaere.reason.llm import contracts
from quaere.reason.llm.prompt_builder import Desk, Exhibit
from quaere.reason.llm.sheet import NOTHING, Fence

OUTPUT_TOKENS: Final = 4_000
"""As for the other judgements: a tenth of it is written."""
FINDING_CHARS: Final = 500
"""What is shown of a finding."""

_STANDING = {
    ItemStatus.SATISFIED: "answered",
    ItemStatus.PARTIAL: "answered in part",
    ItemStatus.UNSATISFIED: "not answered",
}
_CLARIFY = (
    "- clarification: only when the question can mean things so different that research on one is "
    "useless for the other: one short question to the user. Empty otherwise."
)
_NO_PASSAGES: Final = Exhibit((), {}, "")


async def write_brief(model: ChatModel, desk: Desk, overview: Overview) -> Brief:
    """Return the brief and the first topics.

    Raises:
        ReasonError: when the model gives no usable brief.
    """
    request = desk.request(
        "brief",
        model,
        _NO_PASSAGES,
        {
            **desk.question_fields(overview.question, model),
            "topics": str(overview.at_once),
            "clarify": _CLARIFY if overview.may_ask else "",
        },
        output_tokens=OUTPUT_TOKENS,
        contract=contracts.Briefing,
    )
    written = await ask(model, request, contracts.Briefing)
    first = _delegation(written)
    return Brief(
        text=written.brief,
        delegation=first if first.topics else None,
        clarification=written.clarification.strip(),
    )


async def delegate(model: ChatModel, desk: Desk, overview: Overview) -> Delegation:
    """Return the next topics, or that the research is complete.

    Raises:
        ReasonError: when the model gives no usable delegation.
    """
    request = desk.request(
        "supervise",
        model,
        _NO_PASSAGES,
        {
            **desk.question_fields(overview.question, model),
            "brief": desk.fence.inert(overview.brief),
            "dispatched": _dispatched(desk.fence, overview.topics),
            "skipped": desk.fence.inert(_listed(overview.skipped)),
            "dropped": desk.fence.inert(_left_out(overview.dropped)),
            "rounds": str(overview.rounds_left),
            "topics": str(overview.at_once),
        },
        output_tokens=OUTPUT_TOKENS,
        contract=contracts.Supervision,
    )
    written = await ask(model, request, contracts.Supervision)
    return _delegation(written).model_copy(update={"complete": written.complete})


def _delegation(written: contracts.Delegation) -> Delegation:
    return Delegation(thought=written.reflection, topics=tuple(written.topics), last=written.last)


def _dispatched(fence: Fence, topics: Iterable[Topic]) -> str:
    """Return every topic with how it stands and what was found, in a line or two."""
    return fence.inert("\n".join(map(_told, topics))) or NOTHING


def _told(topic: Topic) -> str:
    standing = f"interrupted: {topic.error}" if topic.error else _STANDING[topic.status]
    found = " ".join(topic.finding.split())[:FINDING_CHARS]
    missing = f"Missing: {'; '.join(topic.gaps)}" if topic.gaps else ""
    return " ".join(filter(None, (f"- {topic.text} ({standing}).", found, missing)))


def _left_out(topics: Sequence[str]) -> str:
    """Return what is said of topics that the user does not want; nothing where there are none."""
    if not topics:
        return ""
    return f"The user has left these topics out; do not give them out:\n{_listed(topics)}"


def _listed(topics: Iterable[str]) -> str:
    return "\n".join(f"- {topic}" for topic in topics) or NOTHING
