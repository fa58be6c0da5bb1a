"""What a run asks back, put to the user of a client that can ask: elicitation.

Before 2026-07-28 the server sends the client a request of its own. Since then a call returns what
it needs, and the client makes it again with the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    ClientCapabilities,
    ElicitRequest,
    ElicitRequestedSchema,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequests,
    InputRequiredResult,
    RequestId,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from quaere.domain.question import MAX_QUESTION_CHARS
from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.errors import UsageError
from quaere.synthesize.inert import plain

TOPICS, ANSWER = "topics", "answer"
"""Names of the one field that a form has."""

TRIES = 5
"""How often a form is shown whose answers are at fault: a program may give the same for ever."""

Ask = Callable[[str, Inquiry], Awaitable[Reply]]
"""Takes the id of a run and what it asks, and returns the reply; an empty one where the user says
nothing in time. Raises `Declined` where the user does not approve the topics."""


class Declined(UsageError):
    """The user has declined the topics, or closed the form that shows them."""


class InputNeeded(Exception):
    """A call that goes on once the client has asked its user."""

    def __init__(self, result: InputRequiredResult) -> None:
        super().__init__("the client has to ask its user")
        self.result = result


class Session(Protocol):
    """What is used of the SDK's session."""

    @property
    def client_capabilities(self) -> ClientCapabilities | None:
        """What the client can do; None where it has not said."""
        ...

    @property
    def can_send_request(self) -> bool:
        """Whether the client takes requests of the server."""
        ...

    @property
    def protocol_version(self) -> str:
        """As it was agreed on."""
        ...

    async def elicit_form(
        self,
        message: str,
        requested_schema: ElicitRequestedSchema,
        related_request_id: RequestId | None = None,
    ) -> ElicitResult:
        """Return what the user of the client makes of a form."""
        ...


def asker(
    session: Session,
    request_id: RequestId | None,
    params: CallToolRequestParams,
    wait_s: float,
) -> Ask | None:
    """Return what asks the user of the client whose call this is; None where that cannot be done.

    Args:
        session: The connection to the client.
        request_id: Of the call.
        params: Of the call; they have the user's answers when it is made again.
        wait_s: Seconds after which the user is waited for no longer.
    """
    if not _shows_forms(session.client_capabilities):
        return None

    async def by_request(run_id: str, inquiry: Inquiry) -> Reply:
        del run_id
        form = _form(inquiry)
        try:
            async with asyncio.timeout(wait_s):
                for _ in range(TRIES):
                    result = await session.elicit_form(
                        form.message, form.requested_schema, related_request_id=request_id
                    )
                    said = _read(inquiry, result)
                    if isinstance(said, Reply):
                        return said
                    form = _form(inquiry, fault=said)
        except (TimeoutError, MCPError, ValidationError):  # nobody there, or no answer of the form
            pass
        return Reply()

    async def by_return(run_id: str, inquiry: Inquiry) -> Reply:
        given = (params.input_responses or {}).get(inquiry.id)
        said = _read(inquiry, given) if isinstance(given, ElicitResult) else ""
        if isinstance(said, Reply):
            return said
        asked: InputRequests = {inquiry.id: ElicitRequest(params=_form(inquiry, fault=said))}
        raise InputNeeded(InputRequiredResult(input_requests=asked, request_state=run_id))

    if session.can_send_request:
        return by_request
    return by_return if session.protocol_version in MODERN_PROTOCOL_VERSIONS else None


def _shows_forms(capabilities: ClientCapabilities | None) -> bool:
    """Return whether a client shows its user a form; one that does not say which mode has this."""
    can = capabilities.elicitation if capabilities else None
    return can is not None and (can.form is not None or can.url is None)


def _form(inquiry: Inquiry, *, fault: str = "") -> ElicitRequestFormParams:
    """Return the form for ``inquiry``, which begins with the ``fault`` of the answer before."""
    if inquiry.kind is InquiryKind.CLARIFICATION:
        field, about = ANSWER, "Leave it empty to go on without an answer."
        title, message = "Your answer", plain(inquiry.text)
    else:
        field, title = TOPICS, "Topics"
        about = "Leave it empty to approve them; or numbers to keep (1,3), or other topics (a; b)."
        listed = (f"{number}. {plain(topic)}" for number, topic in enumerate(inquiry.topics, 1))
        message = "\n".join((f"To be researched for: {plain(inquiry.text)}", *listed))
    message = "\n".join(filter(None, (fault, message)))
    shown: dict[str, str] = {"type": "string", "title": title, "description": about}
    return ElicitRequestFormParams(
        message=message, requested_schema={"type": "object", "properties": {field: shown}}
    )


def _read(inquiry: Inquiry, result: ElicitResult) -> Reply | str:
    """Return what the user has replied, or what is wrong with what was typed in.

    Raises:
        Declined: when the user wants none of the topics.
    """
    clarifies = inquiry.kind is InquiryKind.CLARIFICATION
    if result.action != "accept" and not clarifies:
        raise Declined("The user has not approved the topics. The run was cancelled.")
    typed = _typed(result, ANSWER if clarifies else TOPICS)
    if typed is None:
        return Reply()
    try:
        return inquiry.reply_of(typed[:MAX_QUESTION_CHARS].strip())
    except UsageError as error:
        return str(error)


def _typed(result: ElicitResult, field: str) -> str | None:
    typed = (result.content or {}).get(field)
    return typed if result.action == "accept" and isinstance(typed, str) else None
