"""What is recorded of a run: every answer that one of its ports gave, in one form for all uses.

The journal of a run that can be resumed and the cassette of one that is replayed hold the same
entries; they differ in where they keep them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Annotated, ClassVar, Generic, Literal, Self, TypeVar, cast

from pydantic import Field, TypeAdapter

from quaere import errors
from quaere.domain.model import Completion, ModelCall, ModelRequest
from quaere.domain.question import Query
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.domain.team import Inquiry, Reply
from quaere.domain.value import Value, encodable, text_hash
from quaere.errors import (
    ModelError,
    ModelTimeout,
    QuaereError,
    ReadError,
    ReasonError,
    SearchError,
    SearchTimeout,
    UsageError,
)
from quaere.ports.model import Entailed
from quaere.ports.read import OUT_OF_TIME
from quaere.store.traces.privacy import Privacy

_PRIVACY = Privacy()
T = TypeVar("T")
E = TypeVar("E", bound=QuaereError)


class RecordedError(Value):
    """A typed error, as far as anybody who catches it can tell."""

    name: Annotated[str, Field(pattern=r"^[^\W\d]\w*$")]
    """Of its class."""
    message: str
    retryable: bool
    retry_after: float | None = None
    status: str = ""

    @classmethod
    def of(cls, error: QuaereError) -> Self:
        """Return what is recorded of ``error``."""
        return cls(
            name=type(error).__name__,
            message=_PRIVACY.message(encodable(error.message)),
            retryable=error.retryable,
            retry_after=error.retry_after if isinstance(error, SearchError | ModelError) else None,
            status=error.status if isinstance(error, ReadError) else "",
        )

    def revived(self, base: type[E]) -> E:
        """Return the error as it was raised: of its own class where that is a ``base``.

        The classes of adapters are not known here; theirs is made anew, with the same name.
        """
        known: object = getattr(errors, self.name, None)
        if isinstance(known, type) and issubclass(known, base):
            kind = known
        else:
            kind = cast("type[E]", type(self.name, (base,), {"retryable": self.retryable}))
        error = kind(self.message)
        error.recalled = True
        if isinstance(error, SearchError | ModelError):
            error.retry_after = self.retry_after
        if isinstance(error, ReadError):
            error.status = self.status
        return error


class Answer(Value, Generic[T]):
    """One call of a port: what was asked, and the result or the error that it came to.

    With neither it never ended. With both the result is what a stream gave before it broke.
    """

    base: ClassVar[type[QuaereError]] = QuaereError
    """What the port raises."""
    result: T | None = None
    error: RecordedError | None = None

    @property
    def key(self) -> str:
        """The same for calls that ask the same."""
        raise NotImplementedError

    def unfinished(self) -> BaseException:
        """Return what is raised in place of a result that never came."""
        raise NotImplementedError

    def outcome(self) -> T:
        """Return the result, or raise what was raised."""
        if self.error is not None:
            raise self.error.revived(self.base)
        if self.result is None:
            raise self.unfinished()
        return self.result

    def with_outcome(self, result: T | None, error: QuaereError | None = None) -> Self:
        """Return this call with what it came to."""
        recorded = RecordedError.of(error) if error else None
        return self.model_copy(update={"result": result, "error": recorded})


class Search(Answer[tuple[Hit, ...]]):
    """One query at one provider."""

    base = SearchError
    kind: Literal["search"] = "search"
    provider: str
    query: Query
    limit: int

    @classmethod
    def of(cls, provider: str, query: Query, limit: int) -> Self:
        """Return the call of ``provider`` with ``query``, in which no key is kept."""
        return cls(provider=provider, query=_PRIVACY.kept(query), limit=limit)

    @property
    def key(self) -> str:
        """Provider, query and limit."""
        return f"search {self.provider} {self.limit} {self.query.model_dump_json()}"

    def unfinished(self) -> BaseException:
        """Return the timeout of a search."""
        return SearchTimeout(f"{self.provider} did not answer while it was recorded")


class Reading(Answer[Page]):
    """One page."""

    base = ReadError
    kind: Literal["reading"] = "reading"
    url: str

    @property
    def key(self) -> str:
        """The URL that was read."""
        return f"reading {self.url}"

    def unfinished(self) -> BaseException:
        """Return the timeout of a page."""
        return ReadError(OUT_OF_TIME, status=ReadStatus.TIMEOUT)


class ModelAnswer(Answer[Completion]):
    """One call of one model."""

    base = ModelError
    kind: Literal["model"] = "model"
    model: str
    request: str
    """SHA-256 of the request."""

    @classmethod
    def to(cls, model: str, request: ModelRequest) -> Self:
        """Return the call of ``model`` with ``request``."""
        return cls(model=model, request=text_hash(request.model_dump_json()))

    @property
    def key(self) -> str:
        """Model and request: another model that is asked the same in its place is another call."""
        return f"model {self.model} {self.request}"

    def unfinished(self) -> BaseException:
        """Return the timeout of a model."""
        return ModelTimeout(f"{self.model} did not answer while it was recorded")


class Similarities(Answer[tuple[Annotated[float, Field(ge=-1, le=1)], ...]]):
    """What an embedder says of some pairs of texts: one cosine each."""

    base = ReasonError
    kind: Literal["similarities"] = "similarities"
    embedder: str
    pairs: str
    """SHA-256 of the pairs."""

    @classmethod
    def to(cls, embedder: str, pairs: Sequence[tuple[str, str]]) -> Self:
        """Return the call of ``embedder`` with ``pairs``."""
        return cls(embedder=embedder, pairs=text_hash(json.dumps(list(pairs))))

    @property
    def key(self) -> str:
        """Embedder and pairs."""
        return f"similarities {self.embedder} {self.pairs}"

    def unfinished(self) -> BaseException:
        """Return the timeout of an embedder."""
        return ModelTimeout(f"{self.embedder} did not answer while it was recorded")


class Told(Value):
    """What an entailment model said of some pairs, and what that took."""

    entailed: tuple[Entailed | None, ...]
    fault: str = ""
    """Why it could not tell of some of them."""
    calls: tuple[ModelCall, ...] = ()
    """The calls of a model that is asked over the network, in the order in which they ended."""


class Entailments(Answer[Told]):
    """What an entailment model says of some premises with their claims."""

    base = ReasonError
    kind: Literal["entailments"] = "entailments"
    model: str
    pairs: str
    """SHA-256 of the pairs."""

    @classmethod
    def to(cls, model: str, pairs: Sequence[tuple[str, str]]) -> Self:
        """Return the call of ``model`` with ``pairs``."""
        return cls(model=model, pairs=text_hash(json.dumps(list(pairs))))

    @property
    def key(self) -> str:
        """Model and pairs."""
        return f"entailments {self.model} {self.pairs}"

    def unfinished(self) -> BaseException:
        """Return the timeout of a model."""
        return ModelTimeout(f"{self.model} did not answer while it was recorded")


class HumanReply(Answer[Reply]):
    """What the user replied to an inquiry."""

    kind: Literal["reply"] = "reply"
    inquiry: Inquiry

    @property
    def key(self) -> str:
        """The inquiry."""
        return f"reply {self.inquiry.id}"

    def unfinished(self) -> BaseException:
        """Return that nobody replied."""
        return UsageError("Nobody replied to this inquiry while the run was recorded.")


class FinishRequest(Answer[bool]):
    """The wish of the user that the search ends and the answer is written from what is there."""

    kind: Literal["finish"] = "finish"

    @property
    def key(self) -> str:
        """The same for all: a run is told once."""
        return "finish"

    def unfinished(self) -> BaseException:
        """Return that nobody said so."""
        return UsageError("The run was not told to finish while it was recorded.")


class Preparation(Answer[tuple[RunWarning, ...]]):
    """How a provider got ready, and what went wrong meanwhile."""

    kind: Literal["preparation"] = "preparation"
    provider: str
    progress: tuple[int, int, int] | None = None
    """The last: documents done, documents in all, and passages."""

    @property
    def key(self) -> str:
        """The provider."""
        return f"preparation {self.provider}"

    def unfinished(self) -> BaseException:
        """Return that its time was over, as it was then."""
        return asyncio.CancelledError()


AnyAnswer = (
    Search
    | Reading
    | ModelAnswer
    | Similarities
    | Entailments
    | HumanReply
    | FinishRequest
    | Preparation
)


class Recorded(Value):
    """An answer, and when it was there: seconds of the run, pauses left out."""

    kind: Literal["answer"] = "answer"
    at: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    answer: Annotated[AnyAnswer, Field(discriminator="kind")]


RECORDED: TypeAdapter[Recorded] = TypeAdapter(Recorded)
