"""Asks the asker back, where the caller allows it."""

from __future__ import annotations

from langchain_core.runnables import RunnableConfig
from langgraph.types import interrupt

from quaere.domain.question import MAX_CONTEXT_CHARS
from quaere.domain.team import Delegation, Inquiry, InquiryKind, Reply
from quaere.graphs.configuration import Configuration
from quaere.graphs.nodes.update import Update
from quaere.graphs.supervisor_state import SupervisorState


def clarify(state: SupervisorState) -> Update:
    """Ask what the brief wants to know, and add the reply to what the question is asked for."""
    wanted = state["clarification"]
    reply = _asked(Inquiry(kind=InquiryKind.CLARIFICATION, text=wanted))
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
    reply = _asked(shown)
    if not reply.topics or reply.topics == first.topics:
        return {}
    return {"delegation": Delegation(thought=first.thought, topics=reply.topics, last=True)}


def _asked(inquiry: Inquiry) -> Reply:
    """Interrupt the run with ``inquiry`` until there is a reply, as an object or as plain text."""
    reply: object = interrupt(inquiry.model_dump(mode="json"))
    return Reply(text=reply) if isinstance(reply, str) else Reply.model_validate(reply)
