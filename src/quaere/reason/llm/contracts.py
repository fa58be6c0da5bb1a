"""What a model must write, step by step: ids, ticks and queries, never prose or copied text.

Output tokens are the time that a run takes, so what adds nothing may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, ClassVar, Literal, Self, cast, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    JsonValue,
    ValidationError,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue, SkipJsonSchema
from pydantic_core import CoreSchema, core_schema

from quaere.domain.model import OutputSchema
from quaere.domain.question import Intent
from quaere.errors import ContractError
from quaere.models.structured.ask import output_schema
from quaere.reason.llm.citing import WORD

MAX_ITEMS, MAX_QUERIES = 7, 6
FEW_ITEMS = 4
MAX_FINDINGS, MAX_PAIRS, MAX_TERMS, MAX_TOPICS, MAX_SENTENCES = 60, 10, 10, 20, 100
"""Entries of a list. A grammar makes a model keep to them, which would else count on and on; of
what is written beyond them the first are taken."""


@dataclass(frozen=True, slots=True)
class AtMost:
    """Limits a list to so many ``entries``, each of them once, where it is annotated with it."""

    entries: int

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Drop what is repeated and what is beyond the limit; take nothing for an empty list."""
        kept = core_schema.no_info_after_validator_function(self._kept, handler(source))
        return core_schema.no_info_before_validator_function(_listed, kept)

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Say so to the model."""
        return {**handler(core), "maxItems": self.entries}

    def _kept(self, values: Sequence[object]) -> list[object]:
        kept: list[object] = []
        for value in values:
            if len(kept) == self.entries:
                break
            if value not in kept:
                kept.append(value)
        return kept


def _listed(value: object) -> object:
    """Return a list for what small models write in its place.

    That is nothing, its only entry, or an object whose keys count the entries.
    """
    if value is None or value == "":
        return []
    if isinstance(value, dict):
        entries = cast("Mapping[str, object]", value)
        return [*entries.values()] if all(map(str.isdigit, entries)) else [entries]
    return cast("object", value if isinstance(value, list) else [value])


def _counted(value: object) -> object:
    """Return the number that a text is: 3 for "3", "[3]", "passage 3" or "doc-3"."""
    numbered = _NUMBERED.fullmatch(value) if isinstance(value, str) else None
    return int(numbered[1]) if numbered else value


def _worded(value: object) -> object:
    """Return the text that an object with a sole field holds, as {"item": "the height"}."""
    held = list(cast("Mapping[str, object]", value).values()) if isinstance(value, dict) else []
    return held[0] if len(held) == 1 else cast("object", value)


def _told(value: object) -> object:
    """Return the truth value that a text says."""
    return _TRUTHS.get(value.lower(), value) if isinstance(value, str) else value


_NUMBERED = re.compile(rf"(?i)[^\w-]{{0,3}}(?:(?:{WORD}|items?)[\W_]{{0,3}})?(\d{{1,5}})\W{{0,3}}")
_TRUTHS = {"true": True, "false": False}

Id = Annotated[int, BeforeValidator(_counted)]
Number = Annotated[int, Field(ge=0), BeforeValidator(_counted)]
Truth = Annotated[bool, BeforeValidator(_told)]
Short = Annotated[str, Field(min_length=1, max_length=400), BeforeValidator(_worded)]
Kind = Literal["web", "news", "pubmed", "scholarly", "gov", "standards", "docs", "folder"]
KINDS = get_args(Kind)
Verdict = Literal["supported", "partly", "contradicted", "unsupported"]
Share = Annotated[float, Field(ge=0, le=1)]


def _without_docstring(schema: dict[str, JsonValue]) -> None:
    """Leave out what is written for readers of this file: it is sent with every call."""
    schema.pop("description", None)


class Output(BaseModel):
    """Values as written, but for what is in quotes; what was not asked for is passed over.

    The prompt says what a field means, and its description only what the prompt leaves out: both
    are sent with every call.
    """

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="ignore",
        allow_inf_nan=False,
        json_schema_extra=_without_docstring,
    )

    wording: ClassVar[str] = ""
    """The prompt that asks for it, where that is not the one of the step."""


class Forgiving(Output):
    """Does without an optional field that is of another form: to ask again costs a whole call."""

    @model_validator(mode="wrap")
    @classmethod
    def _as_far_as_it_fits(cls, value: object, handler: Callable[[object], Self]) -> Self:
        try:
            return handler(value)
        except ValidationError as error:
            wrong = {str(each["loc"][0]) for each in error.errors() if each["loc"]}
            if not wrong or not isinstance(value, dict) or any(map(cls._is_needed, wrong)):
                raise
            fields = cast("Mapping[str, object]", value)
            fitting = {name: each for name, each in fields.items() if name not in wrong}
            try:
                return handler(fitting)
            except ValidationError:
                raise error from None

    @classmethod
    def _is_needed(cls, name: str) -> bool:
        field = cls.model_fields.get(name)
        return field is None or field.is_required() or name == "queries"  # the way to go on


class Found(Output):
    """A passage that bears on the answer."""

    id: Id
    items: Annotated[list[Number], AtMost(MAX_ITEMS)] = []
    named: SkipJsonSchema[str] = ""
    """A title or an address that was given for its id; nobody is asked for it."""

    @model_validator(mode="before")
    @classmethod
    def _of_an_id(cls, value: object) -> object:
        """Take a bare id, which bears on the whole, and a name in place of one."""
        fields = cast("Mapping[str, object]", value if isinstance(value, dict) else {"id": value})
        named = _counted(fields.get("id"))
        return {**fields, "id": 0, "named": named} if isinstance(named, str) else fields


class Wanted(Forgiving):
    """A query to be asked next."""

    query: Short
    item: Number = 0
    intent: Literal["part", "entity", "bridge", "gap", "reformulation"] = Intent.GAP.value
    kinds: Annotated[list[Kind], AtMost(len(KINDS))] = []

    @model_validator(mode="before")
    @classmethod
    def _of_words(cls, value: object) -> object:
        """Take the bare words of a query."""
        return {"query": value} if isinstance(value, str) else value


class Opposed(Output):
    """Two passages that contradict each other."""

    ids: Annotated[list[Id], AtMost(2)]
    item: Number = 0
    what: Annotated[str, Field(max_length=400)] = ""

    @model_validator(mode="before")
    @classmethod
    def _of_a_pair(cls, value: object) -> object:
        """Take a bare pair of ids: some models write no more."""
        return {"ids": cast("object", value)} if isinstance(value, list) else value


class Assessment(Forgiving):
    """How far the passages carry the answer."""

    findings: Annotated[list[Found], AtMost(MAX_FINDINGS)]
    satisfied: Annotated[list[Number], AtMost(MAX_ITEMS)] = []
    contradictions: Annotated[list[Opposed], AtMost(MAX_PAIRS)] = []
    gaps: Annotated[list[Short], AtMost(MAX_ITEMS)]
    sufficient: Truth
    confidence: Share = 0.0
    queries: Annotated[list[Wanted], AtMost(MAX_QUERIES)] = []
    target_kinds: Annotated[
        list[Kind],
        AtMost(len(KINDS)),
        Field(description="kinds of source most likely to close the gaps"),
    ] = []
    reason: Annotated[str, Field(max_length=400)] = ""

    @model_validator(mode="after")
    def _searches_on(self) -> Self:
        """Take no judgement that wants more and leaves out what: it would end the search."""
        if not self.sufficient and "queries" not in self.model_fields_set:
            raise ValueError("queries is missing, and may be only where sufficient is true")
        return self

    def answers(self, place: int) -> bool:
        """Return whether the item at ``place``, from 1, is said to be answered completely.

        Where that is left out, as long as it is not written yet, all are if the evidence is
        sufficient, and none if not.
        """
        if "satisfied" in self.model_fields_set:
            return place in self.satisfied
        return self.sufficient


class Plan(Forgiving):
    """What is to be found out."""

    refined_question: Annotated[str, Field(max_length=2_000)] = ""
    tier: Literal["standard", "simple", "deep"] | None = None
    checklist: Annotated[list[Short], AtMost(MAX_ITEMS)]
    scope_in: Annotated[list[Short], AtMost(MAX_TERMS)] = []
    scope_out: Annotated[list[Short], AtMost(MAX_TERMS)] = []
    key_terms: Annotated[list[Short], AtMost(MAX_TERMS)] = []


class Answering(Output):
    """The answer in the same breath, where a call can be saved by it."""

    answer: Annotated[
        str,
        Field(description="the answer with its citations; empty unless sufficient"),
    ] = ""


UNSAID: Mapping[str, JsonValue] = MappingProxyType(
    {"checklist": [], "findings": [], "gaps": [], "sufficient": False, "queries": []}
)
"""What stands for the fields of a judgement that was cut off before it came to them."""
ASKED = ("queries", "answer", "satisfied", "confidence")
"""Fields that are asked for although some may be left out: a model that is not sufficiently sure
has to name queries, an answer that does not come costs another call, and who has said what is
answered and how sure it is need not be guessed."""
LAST = (
    *("satisfied", "confidence", "scope_in", "scope_out", "key_terms"),
    *("queries", "target_kinds", "reason"),
)
"""Fields that are asked for after all others: neither whether the answer counts nor what it says
depends on them, and every token that a model writes before the answer delays its first word."""


class Opening(Assessment, Plan):
    """The plan, and how far the first look carries it."""


class OpeningAnswer(Answering, Opening):
    """An opening that may carry the answer."""


class AssessmentAnswer(Answering, Assessment):
    """An assessment that may carry the answer."""


class Delegation(Output):
    """What researchers are sent out for."""

    reflection: Annotated[str, Field(max_length=2_000)] = ""
    topics: Annotated[
        list[Short], AtMost(MAX_TOPICS), Field(description="what to research now, side by side")
    ]
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

    number: Id
    verdict: Verdict
    id: Number = 0


class Inspection(Output):
    """The verdicts on all sentences that were asked about; on a sole one, the verdict alone.

    The list and the number tell a sole verdict nothing, and are half of what would be written.
    """

    verdicts: Annotated[list[Judgement], AtMost(MAX_SENTENCES)] = []
    verdict: Verdict | None = None
    id: Number = 0

    def on(self, claims: int) -> Sequence[Judgement]:
        """Return the verdicts on so many ``claims``; the only one has no number to go by.

        Raises:
            ContractError: when there is none, not even an empty list.
        """
        if claims == 1 and self.verdict is not None:
            return [Judgement(number=1, verdict=self.verdict, id=self.id)]
        if "verdicts" not in self.model_fields_set:
            raise ContractError(f"{'verdict' if claims == 1 else 'verdicts'} is missing.")
        return self.verdicts


class Outline(Output):
    """What a complete answer must contain, as a small model is asked for it."""

    wording = "outline"

    checklist: Annotated[
        list[Short],
        AtMost(FEW_ITEMS),
        Field(description="what a complete answer must contain, a few words each"),
    ]


class Bearing(Output):
    """The passages that matter, as a small model is asked for them."""

    wording = "bearing"

    ids: Annotated[
        list[Id], AtMost(MAX_FINDINGS), Field(description="ids of the passages that help")
    ]


@dataclass(frozen=True, slots=True)
class Reduced:
    """A contract without the fields that make no difference to a run: code fills them."""

    contract: type[Output]
    needless: frozenset[str]
    """Fields, of the contract and of its queries, that are not asked for."""
    claims: int = 0
    """Sentences that are asked about, where a verdict on each is."""


def narrowed(contract: type[Output] | Reduced, passages: int) -> OutputSchema:
    """Return the schema of ``contract`` for a call that is shown passages 1 to ``passages``.

    A grammar then lets a model name no other, and no more than there are. It is a range and not an
    enumeration: it takes fewer tokens, and a reader of schemas that takes the first of an
    enumeration would name passage 1 whatever it has found.
    """
    reduced = contract if isinstance(contract, Reduced) else Reduced(contract, frozenset())
    output = output_schema(reduced.contract)
    definition = deepcopy(output.definition)
    _put_in_order(definition)
    queries = _inner(definition, "properties", "queries", "items")
    for fields in (_inner(definition, "properties"), _inner(queries, "properties")):
        for name in reduced.needless:
            fields.pop(name, None)
    if passages:
        for array, number in _naming_passages(definition):
            number.update(minimum=1, maximum=passages)
            array["maxItems"] = min(passages, cast("int", array["maxItems"]))
    if reduced.contract is Inspection:
        _narrow_verdicts(definition, passages, reduced.claims)
    return output.model_copy(update={"definition": definition})


Schema = dict[str, JsonValue]


def _put_in_order(definition: Schema) -> None:
    """Ask for the fields in the order of thought, with those that can wait at the end.

    Who follows a schema writes them in its order.
    """
    fields = _inner(definition, "properties")
    for name in LAST:
        if name in fields:
            fields[name] = fields.pop(name)
    needed = cast("list[JsonValue]", definition.get("required", []))
    definition["required"] = [*needed, *(name for name in ASKED if name in fields)]


def _narrow_verdicts(definition: Schema, passages: int, claims: int) -> None:
    """Ask for a verdict on each of ``claims`` sentences, or for the only one by itself."""
    verdicts = _inner(definition, "properties", "verdicts")
    judged = _inner(verdicts, "items", "properties")
    if passages:
        _inner(judged, "id").update(minimum=0, maximum=passages)  # 0 where none decides
    if claims == 1:
        definition["properties"] = {name: judged[name] for name in ("verdict", "id")}
        definition["required"] = ["verdict"]
        return
    definition["properties"] = {"verdicts": verdicts}
    definition["required"] = ["verdicts"]
    if claims:
        _inner(judged, "number").update(minimum=1, maximum=claims)
        verdicts["maxItems"] = claims


def _naming_passages(definition: Schema) -> Iterator[tuple[Schema, Schema]]:
    """Yield each list of ``definition`` that names passages, and the number that does."""
    fields = _inner(definition, "properties")
    if findings := _inner(fields, "findings"):
        yield findings, _inner(_inner(findings, "items"), "properties", "id")
    if pairs := _inner(fields, "contradictions"):
        pair = _inner(_inner(pairs, "items"), "properties", "ids")
        yield pair, _inner(pair, "items")
    if ids := _inner(fields, "ids"):
        yield ids, _inner(ids, "items")


def _inner(schema: Schema, *path: str) -> Schema:
    for name in path:
        schema = cast("Schema", schema.get(name, {}))
    return schema
