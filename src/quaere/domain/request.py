"""What people ask of a run, and what a run was begun with."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self, cast
from uuid import uuid4

from pydantic import (
    Field,
    JsonValue,
    Strict,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticSerializationError

from quaere.domain.budget import Budget, Limits, Mode, ProfileName, resolve_budgets
from quaere.domain.question import AnswerForm, Conversation
from quaere.domain.scope import Language, Scope
from quaere.domain.source import Passage
from quaere.domain.team import Strategy
from quaere.domain.trace import CHECK_TOOL, TOOL, Owner
from quaere.domain.value import QuestionText, Sensitivity, Value, at_home, faults_in_words
from quaere.errors import QuestionError, UsageError

MAX_LISTED = 200
MAX_METADATA = 20

_RUN_ID = r"^[\x21-\x2d\x30-\x5b\x5d-\x7e][\x21-\x2e\x30-\x5b\x5d-\x7e]{0,63}$"  # names a file, too


class Cached(StrEnum):
    """How a run uses answers that the cache holds."""

    USE = "use"
    REFRESH = "refresh"
    """Ask anew, and keep what is answered."""
    OFF = "off"


class Reuse(StrEnum):
    """What to do with an earlier run that asked nearly the same."""

    NEVER = "never"
    OFFER = "offer"
    """It is named, and the question is researched anew."""
    USE = "use"
    """What it read is evidence of this run, checked again."""


class ModelChoice(Value):
    """The language models of a run, each ``vendor:model``; ``none`` does without one.

    A step without a model of its own takes ``general``; what is left out is the operator's choice.
    """

    general: str | None = None
    plan: str | None = None
    evaluate: str | None = None
    write: str | None = None
    check: str | None = None


class RunRequest(Value):
    """A question, and everything the user specifies about it.

    What is left out is decided by the operator's settings, then by the profile.
    """

    question: Annotated[str, Strict(), Sensitivity.QUESTION]
    context: Annotated[str, Strict(), Sensitivity.QUESTION] = ""
    """What the answer is needed for."""
    conversation: Conversation = ()
    """What was asked and answered before, the oldest first."""
    profile: ProfileName | None = None
    mode: Mode | None = None
    """A mode of the chat API, which stands for a profile and limits over it."""
    strategy: Strategy | None = None
    limits: Limits = Limits()
    default_limits: Limits = Limits()
    """Of the way in by which it was asked for: they hold where the operator sets none."""
    docs: Annotated[tuple[Path, ...], Field(max_length=MAX_LISTED)] = ()
    """Folders and files to search."""
    providers: Annotated[tuple[str, ...], Field(max_length=MAX_LISTED)] = ()
    """Search services to ask, by name."""
    scope: Scope = Scope()
    language: Language | None = None
    """Of the answer; that of the question when left out."""
    form: AnswerForm | None = None
    models: ModelChoice = ModelChoice()
    cached: Cached = Cached.USE
    reuse: Reuse = Reuse.OFFER
    continues: str | None = None
    """Id of an earlier run whose evidence this one begins with."""
    supervision: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    """How a supervisor researches, by field of `quaere.graphs.configuration.Configuration`."""
    approve_plan: bool | None = None
    """Whether a supervisor shows its topics before they are researched, and may ask what is meant.
    False where nobody could answer; the operator's choice when left out."""
    traced: bool = True
    """Whether the run is kept in the database of traces."""
    metadata: Annotated[dict[str, QuestionText], Field(max_length=MAX_METADATA)] = Field(
        default_factory=dict[str, QuestionText]
    )
    """What a client wants to read again with the run; the run itself does not depend on it."""

    @field_validator("limits", "default_limits", mode="before")
    @classmethod
    def _known_limits(cls, value: object) -> object:
        if isinstance(value, Mapping):
            given = cast("Mapping[object, object]", value)
            unknown = [str(name) for name in given if name not in Limits.__annotations__]
            if unknown:
                known = ", ".join(Limits.__annotations__)
                raise ValueError(f"unknown limit {', '.join(unknown)}; known are {known}")
            return {name: limit for name, limit in given.items() if limit is not None}
        return value

    @field_validator("question", "context", mode="before")
    @classmethod
    def _whole_characters(cls, value: object) -> object:
        # Half a character is a slip of the one who typed or pasted it; the rest can be understood.
        return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value

    @field_validator("docs", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        # The empty path is the working folder, which nobody who leaves a name empty means.
        if isinstance(value, list | tuple):
            paths = tuple(cast("Sequence[object]", value))
            if "" in paths:
                raise ValueError("a path is empty")
            return paths
        return value

    @field_validator("docs", mode="after")
    @classmethod
    def _absolute(cls, value: tuple[Path, ...]) -> tuple[Path, ...]:
        return tuple(at_home(path).absolute() for path in value)

    @model_validator(mode="after")
    def _writable(self) -> Self:
        # Names of files that are not UTF-8 come as lone surrogates, which no trace can hold.
        try:
            self.model_dump_json()
        except PydanticSerializationError:
            raise ValueError("a name or a text in it cannot be encoded as UTF-8") from None
        return self

    @classmethod
    def of(cls, **fields: object) -> Self:
        """Return the request with ``fields``, all of them checked.

        Raises:
            QuestionError: when the question is not text.
            UsageError: when another field cannot be used, naming each.
        """
        try:
            return cls.model_validate(fields)
        except ValidationError as error:
            faults = error.errors()
        kind = QuestionError if any(f["loc"][:1] == ("question",) for f in faults) else UsageError
        raise kind(f"Invalid request: {faults_in_words(faults, 'request')}.")


class ReusedEvidence(Value):
    """What a run may draw on of an earlier one."""

    run_id: str
    told: str
    """What the report says about it."""
    passages: tuple[Passage, ...]


class Settled(Value):
    """What the settings added to a request when its run was begun.

    Resumed under other settings it would ask what nobody has answered yet, and pay for it.
    """

    profile: ProfileName | None = None
    """``None`` leaves the choice to planning."""
    strategy: Strategy = Strategy.AUTO
    budgets: dict[ProfileName, Budget]
    """The budget under each profile, of which planning may choose one."""
    limits: Limits = Limits()
    """Limits that go before how a supervisor is configured; every budget keeps to them already."""
    single_pass: tuple[ProfileName, ...] = ()
    """Profiles under which the operator has switched looping off."""
    docs: tuple[Path, ...] = ()
    providers: tuple[str, ...] = ()
    models: dict[str, str] | None = None
    """Model by step, empty for none; ``None`` for those of the process that makes the run."""
    embedder: str | None = None
    """``none`` for no embedder; ``None`` for that of the process that makes the run."""
    same_cosine: float | None = None
    """Cosine from which two topics are the same, where it was set."""
    supervision: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    """As in the request, all fields of it."""

    @classmethod
    def without_settings(cls, request: RunRequest) -> Self:
        """Return what ``request`` comes to where no operator adds anything.

        Raises:
            SettingsError: when a limit is out of its range.
        """
        return cls(
            profile=request.profile,
            strategy=request.strategy or Strategy.AUTO,
            budgets=resolve_budgets(
                mode=request.mode, defaults=request.default_limits, request=request.limits
            ),
            limits=request.limits,
            docs=request.docs,
            providers=request.providers,
        )


class Listener(Value):
    """Who is told when a submitted run has ended."""

    url: str
    compared_to: str | None = None
    """An earlier run: the listener is told only if this one has found something else."""


class RunSpec(Value):
    """A run that was asked for: all that is needed to make it, and the same way once more."""

    request: RunRequest
    run_id: Annotated[str, Field(pattern=_RUN_ID)] = Field(default_factory=lambda: str(uuid4()))
    owner: Owner = Owner()
    marks: str = Field(default_factory=lambda: secrets.token_hex(4))
    """The random word that marks page text as data; other marks would make other prompts."""
    reused: ReusedEvidence | None = None
    settled: Settled | None = None
    """``None`` until the run is begun."""
    listener: Listener | None = None
    checked_text: QuestionText | None = None
    """A text whose every sentence is checked against what it cites, in place of research: in the
    folders that the request names, by the model that it names, within its limits."""
    looks_up: bool = False
    """Whether what that text cites nothing for is looked for in these folders."""
    request_id: Annotated[str, Field(max_length=64)] | None = None
    """Id of the request to a service that asked for it, for its log."""

    @classmethod
    def of(cls, question: str, *, run_id: str | None = None, **fields: object) -> Self:
        """Return the spec of a run that asks ``question``, with fields of `RunRequest`.

        Raises:
            UsageError: when a field cannot be used.
        """
        request = RunRequest.of(question=question, **fields)
        return cls(request=request, run_id=run_id) if run_id else cls(request=request)

    @property
    def tool(self) -> str:
        """Name of the tool that its trace is kept under (R4.3)."""
        return TOOL if self.checked_text is None else CHECK_TOOL

    @property
    def asking(self) -> Mapping[str, JsonValue]:
        """What its trace records: what differs from the defaults."""
        told = self.request.model_dump(mode="json", exclude_defaults=True)
        return {**told, "draws_on": self.reused.run_id} if self.reused else told
