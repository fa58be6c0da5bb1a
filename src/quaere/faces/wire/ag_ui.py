"""AG-UI 1.0: a run with its steps, its state, what it does meanwhile, and the answer.

Needs the extra ``ag-ui``; who imports this module asks for that form. Citations and verdicts, for
which the protocol has no event, are custom events ``quaere.citation`` and ``quaere.verdict``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ag_ui import core

from quaere.domain.events import (
    Evaluated,
    Event,
    InquiryRaised,
    PhaseStarted,
    PlanMade,
    RunFailed,
    RunFinished,
    RunStarted,
    SearchFinished,
    SourceRead,
    WarningRaised,
)
from quaere.domain.model import ModelCall
from quaere.domain.report import Report, RunWarning
from quaere.faces.wire.openai import CANCELLED
from quaere.faces.wire.parts import (
    Answer,
    Body,
    Frame,
    activity_body,
    checklist_body,
    cited_body,
    outcome_body,
    source_links,
    total_usage,
    weaknesses,
)

PROTOCOL_VERSION = "1.0"
ACTIVITY = "quaere.research"
"""The activity that has all searches and pages of a run; each comes as an addition to it."""


class AgUiStream:
    """One run in AG-UI, under the ids by which the client knows thread and run."""

    def __init__(self, thread_id: str, run_id: str) -> None:
        self._thread, self._run = thread_id, run_id
        self._answer = Answer()
        self._step = ""
        self._topics: dict[str, str] = {}
        self._writing = False

    def frames(self, event: Event) -> Iterator[Frame]:
        """Yield what ``event`` adds."""
        for each in self._told(event):
            yield Frame(each.model_dump(mode="json", by_alias=True))

    def _told(self, event: Event) -> Iterator[core.BaseEvent]:
        if event.topic:
            yield from self._researched(event.topic)
        before = len(self._answer.claims)
        if text := self._answer.take(event):
            yield from self._write(text)
        if len(self._answer.claims) > before:
            yield core.CustomEvent(name="quaere.verdict", value=self._answer.claims[-1].body)
        match event:
            case RunStarted():
                yield from self._started()
            case RunFinished():
                yield from self._finished(event.report)
            case RunFailed():
                yield from self._failed(event)
            case _:
                yield from self._meanwhile(event)

    def _meanwhile(self, event: Event) -> Iterator[core.BaseEvent]:
        match event:
            case PhaseStarted() if not event.topic:
                yield from self._entered(str(event.phase))
            case PlanMade() | Evaluated() if not event.topic:
                yield self._state(event)
            case SearchFinished() | SourceRead():
                yield self._activity(event)
            case WarningRaised() | InquiryRaised():
                yield _custom(event)
            case _:
                return

    def _started(self) -> Iterator[core.BaseEvent]:
        yield core.RunStartedEvent(
            thread_id=self._thread, run_id=self._run, protocol_version=PROTOCOL_VERSION
        )
        yield core.ActivitySnapshotEvent(
            message_id=self._named("research"),
            activity_type=ACTIVITY,
            content={"searches": [], "pages": []},
        )

    def _named(self, what: str) -> str:
        return f"{what}-{self._run}"

    def _researched(self, topic: str) -> Iterator[core.BaseEvent]:
        """Yield that a researcher has begun, before the first event of its topic."""
        if topic not in self._topics:
            name = self._topics[topic] = self._named(f"topic-{len(self._topics) + 1}")
            yield core.SubagentStartedEvent(
                subagent_run_id=name, name="researcher", description=topic
            )

    def _entered(self, step: str) -> Iterator[core.BaseEvent]:
        yield from self._left()
        self._step = step
        yield core.StepStartedEvent(step_name=step)

    def _left(self) -> Iterator[core.BaseEvent]:
        """Yield the end of what goes on: the researchers of a round, and the step of the run."""
        for topic, name in self._topics.items():
            if name:
                yield core.SubagentFinishedEvent(subagent_run_id=name)
                self._topics[topic] = ""
        if self._step:
            yield core.StepFinishedEvent(step_name=self._step)
            self._step = ""

    def _state(self, event: PlanMade | Evaluated) -> core.BaseEvent:
        items = checklist_body(event.checklist)
        if isinstance(event, PlanMade):
            asked = event.refined_question
            return core.StateSnapshotEvent(
                snapshot={"question": asked, "checklist": items, "coverage": 0.0, "gaps": []}
            )
        now: Body = {
            "checklist": items,
            "coverage": event.coverage,
            "gaps": list(event.gaps),
        }
        return core.StateDeltaEvent.model_validate(
            {"delta": [{"op": "add", "path": f"/{key}", "value": v} for key, v in now.items()]}
        )

    def _activity(self, event: SearchFinished | SourceRead) -> core.BaseEvent:
        path = "/searches/-" if isinstance(event, SearchFinished) else "/pages/-"
        return core.ActivityDeltaEvent.model_validate(
            {
                "message_id": self._named("research"),
                "activity_type": ACTIVITY,
                "patch": [{"op": "add", "path": path, "value": activity_body(event)}],
            }
        )

    def _write(self, text: str) -> Iterator[core.BaseEvent]:
        name = self._named("answer")
        if not self._writing:
            self._writing = True
            yield core.TextMessageStartEvent(message_id=name, role="assistant")
        yield core.TextMessageContentEvent(message_id=name, delta=text)

    def _written(self) -> Iterator[core.BaseEvent]:
        if self._writing:
            self._writing = False
            yield core.TextMessageEndEvent(message_id=self._named("answer"))

    def _finished(self, report: Report) -> Iterator[core.BaseEvent]:
        yield from map(_warned, weaknesses(report))
        for each, href in zip(report.citations, source_links(report.citations), strict=True):
            yield core.CustomEvent(name="quaere.citation", value=cited_body(each, href, report))
        yield from self._written()
        yield from self._left()
        yield core.RunFinishedEvent(
            thread_id=self._thread,
            run_id=self._run,
            result=outcome_body(report),
            outcome=core.RunFinishedSuccessOutcome(type="success"),
            usage=_usage(report.calls) or None,
        )

    def _failed(self, event: RunFailed) -> Iterator[core.BaseEvent]:
        yield from self._written()
        yield from self._left()
        if event.error_type == CANCELLED:
            yield core.RunFinishedEvent(
                thread_id=self._thread,
                run_id=self._run,
                outcome=core.RunFinishedCancelledOutcome(type="cancelled"),
            )
        else:
            yield core.RunErrorEvent(message=event.message, code=event.error_type)


def _custom(event: WarningRaised | InquiryRaised) -> core.BaseEvent:
    if isinstance(event, WarningRaised):
        return _warned(event.warning)
    asked = event.inquiry
    return core.CustomEvent(
        name="quaere.inquiry", value={"id": asked.id, **asked.model_dump(mode="json")}
    )


def _warned(warning: RunWarning) -> core.BaseEvent:
    return core.CustomEvent(name="quaere.warning", value=warning.model_dump(mode="json"))


def _usage(calls: Sequence[ModelCall]) -> list[core.TokenUsage]:
    """Return the tokens of each model."""
    told: list[core.TokenUsage] = []
    for name in dict.fromkeys(call.model for call in calls):
        tokens = total_usage(call for call in calls if call.model == name)
        provider, _, model = name.rpartition(":")
        told.append(
            core.TokenUsage(
                provider=provider or None,
                model=model,
                input_tokens=tokens.prompt_tokens,
                output_tokens=tokens.completion_tokens,
                total_tokens=tokens.total_tokens,
                reasoning_tokens=tokens.reasoning_tokens,
                cached_input_tokens=tokens.cached_tokens,
            )
        )
    return told
