"""Asks the user, where the caller allows it."""

from __future__ import annotations

from quaere.domain.events import InquiryAnswered, InquiryRaised, Phase
from quaere.domain.question import MAX_CONTEXT_CHARS
from quaere.domain.team import Delegation, Inquiry, InquiryKind, Reply
from quaere.errors import UsageError
from quaere.graphs.emitter import Emitter
from quaere.graphs.flow import Runtime, Update
from quaere.graphs.state import SupervisorState


async def clarify(state: SupervisorState, runtime: Runtime) -> Update:
    """Ask what the brief wants to know, and add the reply to what the question is asked for."""
    wanted = state["clarification"]
    inquiry = Inquiry(kind=InquiryKind.CLARIFICATION, text=wanted)
    reply = await _reply(inquiry, state, runtime)
    question = state["question"]
    said = f"Asked back: {wanted} Answer: {reply.text}" if reply.text else ""
    context = "\n".join(filter(None, (question.context, said)))[:MAX_CONTEXT_CHARS]
    return {
        "question": question.model_copy(update={"context": context}),
        "clarification": "",
        "clarified": True,
    }


async def approve(state: SupervisorState, runtime: Runtime) -> Update:
    """Show the first topics and take those that come back in their place."""
    first = state["delegation"]
    if first is None or runtime.context.finishing or not runtime.configuration.approve_plan:
        return {}
    shown = Inquiry(kind=InquiryKind.TOPICS, text=state["brief"], topics=first.topics)
    reply = await _reply(shown, state, runtime)
    wanted = tuple(topic for topic in reply.topics if topic.strip())
    if not wanted or wanted == first.topics:
        return {}
    return {
        "delegation": Delegation(thought=first.thought, topics=wanted, last=True),
        "approved_topics": wanted,
        "dropped_topics": tuple(topic for topic in first.topics if topic not in wanted),
    }


async def _reply(inquiry: Inquiry, state: SupervisorState, runtime: Runtime) -> Reply:
    """Return the reply to ``inquiry``; the run's time stands still until it is there.

    A run that is asked to finish waits no longer: the reply is empty.

    Raises:
        UsageError: when nobody can be asked.
    """
    human = runtime.context.human
    if human is None:
        raise UsageError("This run may ask for approval or clarification, but nobody can reply.")
    emitter = Emitter(Phase.PLANNING, state, runtime)
    emitter.emit(InquiryRaised(inquiry=inquiry))
    with runtime.context.waiting():
        reply = await runtime.context.unless_finishing(human.ask(inquiry)) or Reply()
    emitter.emit(InquiryAnswered(kind=inquiry.kind, reply=reply))
    return reply
