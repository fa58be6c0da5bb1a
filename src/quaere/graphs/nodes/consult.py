"""Asks the asker back, where the caller allows it."""

from __future__ import annotations

from langchain_core.runnables import RunnableConfig

from quaere.domain.question import MAX_CONTEXT_CHARS
from quaere.domain.team import Delegation, Inquiry, InquiryKind
from quaere.graphs.configuration import Configuration
from quaere.graphs.interrupts import put
from quaere.graphs.nodes.update import Update
from quaere.graphs.supervisor_state import SupervisorState


def clarify(state: SupervisorState) -> Update:
    """Ask what the brief wants to know, and add the reply to what the question is asked for."""
    wanted = state["clarification"]
    reply = put(Inquiry(kind=InquiryKind.CLARIFICATION, text=wanted))
    question = state["question"]
    said = f"Asked back: {wanted} Answer: {reply.text}" if reply.text else ""
    context = "\n".join(filter(None, (question.context, said)))[:MAX_CONTEXT_CHARS]
    return {
        "question": question.model_copy(update={"context": context}),
        "clarification": "",
        "clarified": True,
    }


def approve(state: SupervisorState, config: RunnableConfig) -> Update:
    """Show the first topics and take those that come back in their place."""
    first = state["delegation"]
    if first is None or not Configuration.from_runnable_config(config).approve_plan:
        return {}
    shown = Inquiry(kind=InquiryKind.TOPICS, text=state["brief"], topics=first.topics)
    wanted = tuple(topic for topic in put(shown).topics if topic.strip())
    if not wanted or wanted == first.topics:
        return {}
    return {"delegation": Delegation(thought=first.thought, topics=wanted, last=True)}
