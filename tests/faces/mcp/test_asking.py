"""What a run asks back, put to the user of an MCP client in both eras of the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from mcp.client.context import ClientRequestContext
from mcp_types import (
    CallToolRequestParams,
    ClientCapabilities,
    ElicitationCapability,
    ElicitRequestedSchema,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    FormElicitationCapability,
    InputRequiredResult,
    RequestId,
    UrlElicitationCapability,
)
from tests.faces.mcp.served import ERAS, Gate, connected, data_of, shelved, text_of
from tests.graphs.world import HOP, PLAIN

from quaere.domain.question import MAX_QUESTION_CHARS
from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.faces.mcp.asking import TRIES, Declined, InputNeeded, asker
from quaere.faces.mcp.forms import ResearchOutput, RunStatus, StatusOutput
from quaere.faces.mcp.runs import Pace
from quaere.faces.mcp.tools import UNSHOWN
from quaere.runtime.app import LOCAL, App

pytestmark = pytest.mark.anyio

TWO = f"{HOP} {PLAIN}"
ASKED = {"question": TWO, "approve_plan": True, "wait": True}
WAITING = {"wait_s": 25}


@dataclass
class User:
    """Somebody at an MCP client, who does the same with every form."""

    does: Callable[[], Awaitable[ElicitResult]]
    shown: list[ElicitRequestFormParams] = field(default_factory=list[ElicitRequestFormParams])

    async def __call__(
        self, context: ClientRequestContext, params: ElicitRequestParams
    ) -> ElicitResult:
        del context
        assert isinstance(params, ElicitRequestFormParams)
        self.shown.append(params)
        return await self.does()


def typing(topics: str) -> User:
    async def accept() -> ElicitResult:
        return ElicitResult(action="accept", content={"topics": topics})

    return User(accept)


@pytest.fixture
async def app(tmp_path: Path) -> AsyncGenerator[App]:
    app = shelved(tmp_path)
    yield app
    await app.aclose()


async def topics_of(app: App, run_id: str) -> tuple[str, ...]:
    return (await (await app.run(run_id)).report()).dispatched_topics


@pytest.mark.parametrize("era", ERAS)
async def test_the_user_is_shown_the_topics_and_chooses_among_them(app: App, era: str) -> None:
    user = typing("2")
    async with connected(app, era, asked=user) as client:
        output = data_of(await client.call_tool("deep_research", ASKED), ResearchOutput)
    (form,) = user.shown
    assert f"1. {HOP}" in form.message
    assert f"2. {PLAIN}" in form.message
    assert [*form.requested_schema["properties"]] == ["topics"]
    assert (await topics_of(app, output.run_id))[0] == PLAIN
    assert output.sources


@pytest.mark.parametrize("era", ERAS)
async def test_topics_that_are_approved_are_researched_as_they_are(app: App, era: str) -> None:
    async with connected(app, era, asked=typing("")) as client:
        told = await client.call_tool("deep_research", ASKED)
    output = data_of(told, ResearchOutput)
    assert await topics_of(app, output.run_id) == (HOP, PLAIN)
    assert UNSHOWN not in text_of(told)


@pytest.mark.parametrize("action", ["decline", "cancel"])
@pytest.mark.parametrize("era", ERAS)
async def test_a_plan_that_is_declined_or_closed_is_not_researched(
    app: App, era: str, action: Literal["decline", "cancel"]
) -> None:
    async def refuse() -> ElicitResult:
        return ElicitResult(action=action)

    async with connected(app, era, asked=User(refuse)) as client:
        told = await client.call_tool("deep_research", ASKED)
    assert "not approved" in text_of(told)
    (trace,) = (await (await app.traces()).list_traces(LOCAL)).traces
    assert trace.status == "cancelled"


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_cannot_ask_gets_the_answer_and_is_told(app: App, era: str) -> None:
    async with connected(app, era) as client:
        told = await client.call_tool("deep_research", ASKED)
    assert data_of(told, ResearchOutput).status == "completed"
    assert text_of(told).endswith(UNSHOWN)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("can_ask", [True, False])
async def test_nobody_is_asked_or_told_of_it_who_has_not_asked_for_it(
    app: App, era: str, *, can_ask: bool
) -> None:
    user = typing("2")
    async with connected(app, era, asked=user if can_ask else None) as client:
        told = await client.call_tool("deep_research", {"question": TWO, "wait": True})
    assert user.shown == []
    assert UNSHOWN not in text_of(told)


async def test_a_user_who_does_not_answer_is_not_waited_for_without_end(app: App) -> None:
    async def never() -> ElicitResult:
        await asyncio.Event().wait()
        raise AssertionError("it is cancelled")

    pace = Pace(reply_s=0.2)
    async with connected(app, "legacy", asked=User(never), pace=pace) as client:
        output = data_of(await client.call_tool("deep_research", ASKED), ResearchOutput)
    assert await topics_of(app, output.run_id) == (HOP, PLAIN)


async def test_a_client_that_does_not_come_back_is_not_waited_for_without_end(app: App) -> None:
    pace = Pace(reply_s=0.2)
    async with connected(app, "2026-07-28", asked=typing(""), pace=pace) as client:
        needed = await client.session.call_tool("deep_research", ASKED, allow_input_required=True)
        assert isinstance(needed, InputRequiredResult)
        run = await app.run(needed.request_state or "")
        assert (await run.report()).dispatched_topics == (HOP, PLAIN)
        late = data_of(await client.call_tool("deep_research", ASKED), ResearchOutput)
        assert late.status == "completed"


@pytest.mark.parametrize("era", ERAS)
async def test_whoever_looks_how_a_run_stands_is_asked_what_it_waits_for(
    tmp_path: Path, era: str
) -> None:
    gate, user = Gate(), typing("2")
    app = shelved(tmp_path, gate)
    pace = Pace(hand_back_s=0.2)
    async with connected(app, era, asked=user, pace=pace) as client:
        asked = {"question": TWO, "approve_plan": True}
        output = data_of(await client.call_tool("deep_research", asked), ResearchOutput)
        assert (output.status, user.shown) == ("working", [])
        gate.opened.set()
        asking = {"run_id": output.run_id, **WAITING}
        status = data_of(await client.call_tool("research_status", asking), StatusOutput)
    assert status.status is RunStatus.COMPLETED
    assert len(user.shown) == 1
    assert (await topics_of(app, output.run_id))[0] == PLAIN
    await app.aclose()


async def test_a_run_that_there_is_not_is_not_gone_on_with(app: App) -> None:
    async with connected(app, "2026-07-28", asked=typing("")) as client:
        told = await client.session.call_tool(
            "deep_research", ASKED, request_state="none", allow_input_required=True
        )
    assert "none" in text_of(told)
    assert not (await (await app.traces()).list_traces(LOCAL)).traces


# Without a run


@dataclass
class Talk:
    """A connection to a client that gives ``answer`` to every form."""

    client_capabilities: ClientCapabilities | None
    answer: ElicitResult
    can_send_request: bool = True
    protocol_version: str = "2025-11-25"
    shown: list[str] = field(default_factory=list[str])

    async def elicit_form(
        self,
        message: str,
        requested_schema: ElicitRequestedSchema,
        related_request_id: RequestId | None = None,
    ) -> ElicitResult:
        assert related_request_id == 7
        self.shown += [message, *requested_schema["properties"]]
        return self.answer


def able(**modes: object) -> ClientCapabilities:
    return ClientCapabilities(elicitation=ElicitationCapability.model_validate(modes))


CALL = CallToolRequestParams(name="deep_research")
DONE = ElicitResult(action="accept", content={"answer": " The stone one. ", "topics": "2"})
UNCLEAR = Inquiry(kind=InquiryKind.CLARIFICATION, text="Which bridge?")
PLAN = Inquiry(kind=InquiryKind.TOPICS, text="The bridges", topics=("Stone", "Wood"))


@pytest.mark.parametrize(
    ("capabilities", "can_send", "version", "can_ask"),
    [
        (able(), True, "2025-06-18", True),
        (able(form=FormElicitationCapability()), True, "2025-11-25", True),
        (able(url=UrlElicitationCapability()), True, "2025-11-25", False),
        (ClientCapabilities(), True, "2025-11-25", False),
        (None, True, "2025-11-25", False),
        (able(), False, "2025-11-25", False),
        (able(), False, "2026-07-28", True),
    ],
)
def test_only_a_client_that_shows_forms_and_can_be_reached_is_asked(
    capabilities: ClientCapabilities | None, *, can_send: bool, version: str, can_ask: bool
) -> None:
    talk = Talk(capabilities, DONE, can_send, version)
    assert (asker(talk, 7, CALL, 1) is not None) is can_ask


@pytest.mark.parametrize(
    ("inquiry", "answer", "reply"),
    [
        (UNCLEAR, DONE, Reply(text="The stone one.")),
        (UNCLEAR, ElicitResult(action="decline"), Reply()),
        (PLAN, DONE, Reply(topics=("Wood",))),
        (UNCLEAR, ElicitResult(action="cancel"), Reply()),
        (PLAN, ElicitResult(action="accept"), Reply()),
        (PLAN, ElicitResult(action="accept", content={"topics": 2}), Reply()),
        (
            PLAN,
            ElicitResult(action="accept", content={"topics": "x" * 100_000}),
            Reply(topics=("x" * MAX_QUESTION_CHARS,)),
        ),
    ],
)
async def test_what_a_user_does_with_a_form_is_a_reply(
    inquiry: Inquiry, answer: ElicitResult, reply: Reply
) -> None:
    talk = Talk(able(), answer)
    ask = asker(talk, 7, CALL, 1)
    assert ask
    assert await ask("run", inquiry) == reply
    assert inquiry.text in talk.shown[0]


async def test_a_form_with_a_number_of_no_topic_is_shown_again() -> None:
    odd = ElicitResult(action="accept", content={"topics": "9"})
    talk = Talk(able(), odd)

    async def then(*shown: object, **_: object) -> ElicitResult:
        talk.shown.append(str(shown[0]))
        return DONE if len(talk.shown) > 1 else odd

    talk.elicit_form = then
    ask = asker(talk, 7, CALL, 1)
    assert ask
    assert await ask("run", PLAN) == Reply(topics=("Wood",))
    assert talk.shown[1].startswith("There is no topic 9; the last one is 2.\n")
    last = Talk(able(), odd, can_send_request=False, protocol_version="2026-07-28")
    again = asker(last, 7, CALL.model_copy(update={"input_responses": {PLAN.id: odd}}), 1)
    assert again
    with pytest.raises(InputNeeded) as needed:
        await again("run", PLAN)
    assert "There is no topic 9" in needed.value.result.model_dump_json()


async def test_a_program_that_always_types_the_same_is_not_asked_without_end() -> None:
    talk = Talk(able(), ElicitResult(action="accept", content={"topics": "9"}))
    ask = asker(talk, 7, CALL, 30)
    assert ask
    assert await ask("run", PLAN) == Reply()
    assert talk.shown.count("topics") == TRIES


async def test_a_call_that_is_made_again_brings_the_answer_along() -> None:
    talk = Talk(able(), DONE, can_send_request=False, protocol_version="2026-07-28")
    ask = asker(talk, 7, CALL, 1)
    assert ask
    with pytest.raises(InputNeeded) as needed:
        await ask("run-1", UNCLEAR)
    assert needed.value.result.request_state == "run-1"
    assert needed.value.result.input_requests
    (name,) = needed.value.result.input_requests
    again = asker(talk, 7, CALL.model_copy(update={"input_responses": {name: DONE}}), 1)
    assert again
    assert await again("run-1", UNCLEAR) == Reply(text="The stone one.")
    refused = {PLAN.id: ElicitResult(action="decline")}
    third = asker(talk, 7, CALL.model_copy(update={"input_responses": refused}), 1)
    assert third
    with pytest.raises(Declined):
        await third("run-1", PLAN)
