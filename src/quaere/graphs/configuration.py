"""What may be set of a run with a supervisor, as LangGraph hands it to the nodes."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from textwrap import dedent
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, ValidationError
from pydantic.fields import FieldInfo

from quaere.domain.budget import ProfileName
from quaere.domain.value import comma_separated, faults_in_words
from quaere.errors import SettingsError
from quaere.plan.delegation import DUPLICATE

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

UI = "x_oap_ui_config"
"""Key under which LangGraph Studio looks for how a field is shown."""

DEFAULT_ROUNDS, DEFAULT_TOOL_CALLS = 3, 5
"""FR-05 and FR-06."""

Schema = dict[str, JsonValue]


def studio_field(kind: str, **options: JsonValue) -> FieldInfo:
    """Return how Studio shows a field: as a ``kind`` of input with ``options``."""
    return Field(json_schema_extra={UI: {"type": kind, **options}})


def choice(values: Iterable[str]) -> FieldInfo:
    """Return that Studio offers ``values`` to choose from."""
    return studio_field(
        "select", options=[{"label": each.title(), "value": each} for each in values]
    )


def _slider(low: float, high: float, step: float) -> FieldInfo:
    shown: Schema = {"type": "slider", "min": low, "max": high, "step": step}
    return Field(ge=low, le=high, json_schema_extra={UI: shown})


def _explain(schema: Schema, configuration: type[BaseModel]) -> None:
    """Give the user interface the default and the description that each field has.

    Descriptions are read from the source here, and not by Pydantic when the class is made: that
    takes a command some 20 ms, and only Studio ever asks for them.
    """
    written = dict(_descriptions(configuration))
    properties = schema["properties"]
    for name, field in properties.items() if isinstance(properties, dict) else ():
        if isinstance(field, dict) and isinstance(shown := field.get(UI), dict):
            field["description"] = written[name]
            field[UI] = {
                **shown,
                "default": field.get("default"),
                "description": written[name],
            }


def _descriptions(configuration: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """Yield the fields of ``configuration`` with what is written under each in its source."""
    for each in reversed(configuration.__mro__):
        if not issubclass(each, Configuration):
            continue
        (declared,) = ast.parse(dedent(inspect.getsource(each))).body
        body = declared.body if isinstance(declared, ast.ClassDef) else []
        for field, text in pairwise(body):
            match field, text:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(description))),
                ):
                    yield name, inspect.cleandoc(description)
                case _:
                    pass


Listed = Annotated[tuple[str, ...], BeforeValidator(comma_separated), studio_field("text")]
"""Texts separated by commas."""
Model = Annotated[str | None, studio_field("text", placeholder="vendor:model")]


class Configuration(BaseModel):
    """How a question is researched; names, ranges and defaults are those of requirement R1."""

    model_config = ConfigDict(frozen=True, extra="ignore", json_schema_extra=_explain)

    max_researcher_iterations: Annotated[int, _slider(1, 10, 1)] = DEFAULT_ROUNDS
    """Rounds in which the supervisor may send out researchers."""
    max_react_tool_calls: Annotated[int, _slider(1, 30, 1)] = DEFAULT_TOOL_CALLS
    """Searches that one researcher may make."""
    max_queries: Annotated[int | None, _slider(1, 1000, 1)] = None
    """Searches of the whole research. When left out, as many as the profile allows, or enough for
    all rounds and searches above where these are set higher than their defaults."""
    max_concurrent_research_units: Annotated[int, _slider(1, 20, 1)] = 5
    """Researchers that run at the same time."""
    enable_early_termination: Annotated[bool, studio_field("boolean")] = True
    """Whether research ends early when a round brings next to nothing new."""
    min_novelty_threshold: Annotated[float, _slider(0.0, 1.0, 0.05)] = 0.15
    """Share of new words below which a round counts as bringing nothing new."""
    duplicate_topic_similarity_threshold: Annotated[float, _slider(0.0, 1.0, 0.05)] = DUPLICATE
    """Share of words in common from which a topic is refused as a repetition."""
    allow_clarification: Annotated[bool, studio_field("boolean")] = False
    """Whether the supervisor may ask the user to clarify, where somebody can be asked."""
    approve_plan: Annotated[bool, studio_field("boolean")] = False
    """Whether the first topics are shown for approval, where somebody can be asked."""
    profile: Annotated[ProfileName | None, choice(ProfileName)] = None
    """The named budget; chosen to fit the question when left out."""
    providers: Annotated[
        tuple[str, ...],
        BeforeValidator(comma_separated),
        studio_field("text", placeholder="wikipedia, pubmed"),
    ] = ()
    """Search services to use, separated by commas; those that need no key when left out."""
    model: Model = None
    """Language model of every step that has none of its own; none for no model."""
    model_plan: Model = None
    """Language model that plans and supervises."""
    model_evaluate: Model = None
    """Language model that judges what was found."""
    model_write: Model = None
    """Language model that writes the report."""
    model_check: Model = None
    """Language model that judges what an answer does not quote."""

    def queries_wanted(self, profile_queries: int) -> int:
        """Return the searches of a research under a profile that allows ``profile_queries``.

        Deeper rounds than the default need searches to be deep with (R1.4, NFR-03).
        """
        if self.max_queries is not None:
            return self.max_queries
        rounds, calls = self.max_researcher_iterations, self.max_react_tool_calls
        if rounds > DEFAULT_ROUNDS or calls > DEFAULT_TOOL_CALLS:
            return max(profile_queries, rounds * calls)
        return profile_queries

    @classmethod
    def from_runnable_config(
        cls,
        config: RunnableConfig | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Self:
        """Return what a run sets, the environment's where it sets nothing, and else the default.

        Args:
            config: Whose ``configurable`` part holds fields of this class among others. A field
                with None or an empty value is not set.
            environment: Fields of this class as text.

        Raises:
            SettingsError: when a value is out of its range, naming the field.
        """
        given: Mapping[str, object] = (config or {}).get("configurable", {})
        fields = {**(environment or {}), **{k: v for k, v in given.items() if v not in (None, "")}}
        try:
            return cls.model_validate(fields)
        except ValidationError as error:
            raise SettingsError(
                f"Invalid configuration: {faults_in_words(error.errors())}."
            ) from error
