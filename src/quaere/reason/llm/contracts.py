"""What a model must write, step by step: ids, ticks and queries, never prose or copied text.

Output tokens are the time that a run takes, so what adds nothing may be left out.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from quaere.domain.question import Intent

MAX_ITEMS, MAX_QUERIES = 7, 6

Number = Annotated[int, Field(ge=0)]
Short = Annotated[str, Field(min_length=1, max_length=400)]
Kind = Literal["web", "news", "pubmed", "scholarly", "gov", "standards", "docs", "folder"]
Share = Annotated[float, Field(ge=0, le=1)]


class Output(BaseModel):
    """Values as written, none converted; what was not asked for is passed over."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", allow_inf_nan=False)


class Found(Output):
    """A passage that bears on the answer."""

    id: Annotated[int, Field(description="id of the passage")]
    items: Annotated[
        list[Number], Field(description="numbers of the checklist items it bears on")
    ] = []


class Wanted(Output):
    """A query to be asked next."""

    query: Annotated[Short, Field(description="as typed into a search engine")]
    item: Annotated[Number, Field(description="number of its checklist item, 0 if none")] = 0
    intent: Annotated[
        Literal["part", "entity", "bridge", "gap", "reformulation"],
        Field(description="why it is asked"),
    ] = Intent.GAP.value
    kinds: Annotated[list[Kind], Field(description="kinds of source wanted, if any")] = []


class Assessment(Output):
    """How far the passages carry the answer."""

    findings: Annotated[list[Found], Field(description="passages that bear on the answer")]
    satisfied: Annotated[list[Number], Field(description="numbers of the items fully answered")]
    contradictions: Annotated[
        list[list[int]], Field(description="pairs of passage ids that disagree")
    ] = []
    gaps: Annotated[list[Short], Field(description="what is still unknown, empty if nothing")]
    queries: Annotated[list[Wanted], Field(description=f"the next searches, at most {MAX_QUERIES}")]
    target_kinds: Annotated[
        list[Kind], Field(description="kinds of source most likely to close the gaps")
    ] = []
    sufficient: Annotated[bool, Field(description="whether the whole question can be answered")]
    confidence: Annotated[Share, Field(description="that an answer would be right")]
    reason: Annotated[str, Field(max_length=400, description="why, in a few words")] = ""


class Plan(Output):
    """What is to be found out."""

    refined_question: Annotated[str, Field(max_length=2_000)] = ""
    scope_in: list[Short] = []
    scope_out: list[Short] = []
    key_terms: list[Short] = []
    tier: Annotated[
        Literal["standard", "simple", "deep"] | None,
        Field(description="how much work the question is"),
    ] = None
    checklist: Annotated[
        list[Short],
        Field(max_length=MAX_ITEMS, description="what a complete answer must contain"),
    ]


class Answering(Output):
    """The answer in the same breath, where a call can be saved by it."""

    answer: Annotated[
        str,
        Field(description="the answer with its citations; empty unless sufficient"),
    ] = ""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Ask for the answer, although one that is left out costs only another call."""
        schema = handler.resolve_ref_schema(handler(core))
        schema["required"] = [*schema["required"], "answer"]
        return schema


class Opening(Assessment, Plan):
    """The plan, and how far the first look carries it. Fields have the order of thought."""


class OpeningAnswer(Answering, Opening):
    """An opening that may carry the answer."""


class AssessmentAnswer(Answering, Assessment):
    """An assessment that may carry the answer."""


class Delegation(Output):
    """What researchers are sent out for."""

    reflection: Annotated[str, Field(max_length=2_000)] = ""
    topics: Annotated[list[Short], Field(description="what to research now, side by side")]
    last: Annotated[
        bool, Field(description="whether the question is answered as soon as these topics are")
    ] = False


class Briefing(Delegation):
    """What is to be found out, and the first topics."""

    brief: Annotated[str, Field(min_length=1, max_length=2_000)]
    clarification: Annotated[str, Field(max_length=400)] = ""


class Supervision(Delegation):
    """The next topics, or the end."""

    complete: Annotated[bool, Field(description="whether enough is known for the answer")]


class Judgement(Output):
    """The verdict on one sentence."""

    number: Annotated[int, Field(description="number of the sentence")]
    verdict: Literal["supported", "partly", "contradicted", "unsupported"]


class Inspection(Output):
    """The verdicts on all sentences that were asked about."""

    verdicts: list[Judgement]
