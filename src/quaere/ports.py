"""What the engine needs from the outside, as protocols.

Every implementation of a port passes the port's contract suite under ``tests/contracts``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Protocol, runtime_checkable

from quaere.domain.budget import Remaining
from quaere.domain.events import Event
from quaere.domain.evidence import Evidence, Lead
from quaere.domain.model import Completion, ModelCall, ModelRequest
from quaere.domain.question import Checklist, Plan, Query, Question, SourceKind
from quaere.domain.report import QueryOutcome, RunWarning, Sentence, Support
from quaere.domain.source import Hit, Page, Passage
from quaere.domain.team import Brief, Delegation, Inquiry, Reply, Topic
from quaere.domain.value import Value
from quaere.domain.verdict import Opening, Reflection


class Clock(Protocol):
    """Time as the engine sees it."""

    def monotonic(self) -> float:
        """Seconds on a clock that never goes back."""
        ...

    def now(self) -> datetime:
        """The time of day, in UTC."""
        ...


class EventSink(Protocol):
    """Takes the events of a run, in order."""

    def __call__(self, event: Event) -> None:
        """Take the next event; must not block."""
        ...


class SearchProvider(Protocol):
    """Finds sources for a query."""

    name: str
    kinds: frozenset[SourceKind]

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, best first; empty when there are none.

        Raises:
            SearchError: when it could not answer. An outage is never an empty result.
        """
        ...


@runtime_checkable
class Preparable(Protocol):
    """A provider with work to do before its first search, such as refreshing an index."""

    async def prepare(self, progress: Callable[[int, int, int], None]) -> Sequence[RunWarning]:
        """Get ready, telling ``progress(done, total, passages)``; return what went wrong.

        It may be cancelled at any moment and leaves the provider usable with what is done by then.
        """
        ...


@runtime_checkable
class TermStatistics(Protocol):
    """A provider that knows how common a word is in what it searches."""

    def document_share(self, word: str) -> float:
        """Return the share of passages, 0 to 1, that hold ``word``."""
        ...


class Reader(Protocol):
    """Turns a hit into the text behind it."""

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: with the status that tells why there is none.
        """
        ...


class Body(Value):
    """Bytes as they came from a file or a server, with what their sender says of them."""

    data: bytes
    url: str
    content_type: str = ""
    """As declared by a header or a file's name. Extractors sniff, they don't trust."""
    retrieved_at: str = ""


class Extractor(Protocol):
    """Turns bytes into text: one page, or one page per record of a table."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the pages of ``body``; their URLs are its own, with a fragment that names a record.

        Raises:
            ReadError: when there is no text to be had, with the status that tells why.
        """
        ...


class Cutter(Protocol):
    """Cuts pages into passages."""

    def __call__(self, page: Page) -> Sequence[Passage]:
        """Return the passages of ``page`` in their order; each is an exact stretch of its text."""
        ...


class PageStore(Protocol):
    """Keeps what a run has read, so that its state can hold handles."""

    def add(self, passages: Iterable[Passage]) -> None:
        """Keep ``passages``; one that is there already stays as it is."""
        ...

    def passage(self, passage_id: str) -> Passage:
        """Return the passage of that id.

        Raises:
            KeyError: when it was never added.
        """
        ...

    def of(self, url: str) -> Sequence[Passage]:
        """Return the passages of the page at ``url``, however it is spelt, as they were added."""
        ...


class ChatModel(Protocol):
    """A language model behind some service."""

    @property
    def name(self) -> str:
        """``vendor:model``, or for several in a row the names of all."""
        ...

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and completion may have together."""
        ...

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the answer, unchecked.

        Raises:
            ModelError: when there is none; ``retryable`` says whether to ask again.
        """
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        """Yield the answer piece by piece as text; the last item is the whole completion.

        Raises:
            ModelError: as ``complete``, also in the middle of the answer.
        """
        ...


class Embedder(Protocol):
    """Tells how near texts are in meaning, whatever words they use."""

    @property
    def name(self) -> str:
        """``vendor:model``."""
        ...

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """Return the cosine, -1 to 1, of the embeddings of each pair, in the order of ``pairs``.

        Raises:
            ReasonError: when it could not be reached, or what it gave are no embeddings.
        """
        ...


class Ledger(Protocol):
    """Keeps account of the model calls of one run."""

    def admit(self, model: str, *, prompt_tokens: int, completion_tokens: int) -> None:
        """Let a call of that size begin.

        Raises:
            BudgetExceeded: when it may cost more than is left.
        """
        ...

    def note(self, call: ModelCall) -> None:
        """Take a call down that was made."""
        ...

    def ratio(self, model: str) -> float:
        """Return how many tokens ``model`` has counted for each one that was estimated."""
        ...


class FirstLook(Value):
    """What the planner is shown."""

    question: Question
    evidence: tuple[Evidence, ...]
    """The selection after the raw question was searched, best first."""
    passages: Mapping[str, Passage]
    """The text of the evidence, by passage id."""
    leads: tuple[Lead, ...]
    """What the passages name and the question does not, strongest first."""
    outcomes: tuple[QueryOutcome, ...] = ()
    """What the search for the raw question brought."""
    max_queries: int
    """Queries that are left in the budget."""
    remaining: Remaining
    tier_wanted: bool = True
    """Whether the plan is to choose a profile; not where the caller has chosen one."""
    answer_words: int | None = None
    """Length of the answer that may come in the same step; ``None`` where writing is its own."""
    delegated: bool = False
    """Whether this is one topic of a larger question, which is to be answered with few searches."""


class Review(Value):
    """What the evaluator is shown."""

    question: Question
    plan: Plan
    checklist: Checklist
    evidence: tuple[Evidence, ...]
    """The selection, best first."""
    passages: Mapping[str, Passage]
    fresh: tuple[int, ...]
    """Ids of the selected evidence that was not selected at the last review."""
    settled: bool
    """Whether the last loop changed next to nothing in the selection."""
    leads: tuple[Lead, ...]
    outcomes: tuple[QueryOutcome, ...]
    """Every query asked so far."""
    iteration: int
    """Loops finished, the first look included."""
    remaining: Remaining
    answer_words: int | None = None
    """As in ``FirstLook``."""
    delegated: bool = False
    """As in ``FirstLook``."""


class Assignment(Value):
    """What the writer is shown."""

    question: Question
    plan: Plan
    checklist: Checklist
    evidence: tuple[Evidence, ...]
    passages: Mapping[str, Passage]
    max_words: int
    max_citations: int
    partial: bool
    """Whether the search ended before the evidence was sufficient."""
    contradictions: tuple[tuple[int, int], ...] = ()
    """Pairs of evidence that say opposite things."""
    answer: str = ""
    """What evaluation has written already, so that nothing need be written anew."""


class Inspection(Value):
    """What the checker is shown: sentences whose support is in doubt."""

    sentences: tuple[Sentence, ...]
    evidence: tuple[Evidence, ...]
    """What they cite."""
    passages: Mapping[str, Passage]


class Overview(Value):
    """What a supervisor is shown."""

    question: Question
    brief: str
    topics: tuple[Topic, ...] = ()
    """Those that were researched, in the order in which they were dispatched."""
    skipped: tuple[str, ...] = ()
    """Those that were refused, because they repeat others."""
    at_once: int
    """Topics that may be researched side by side."""
    rounds_left: int
    remaining: Remaining
    may_ask: bool = False
    """Whether the brief may ask something back."""


class Consult(Protocol):
    """Puts an inquiry to whoever asked the question."""

    async def __call__(self, inquiry: Inquiry) -> Reply:
        """Return the asker's reply; the time it takes is not the run's."""
        ...


@runtime_checkable
class Supervisor(Protocol):
    """A reasoner that can break a question into topics for several researchers."""

    async def brief(self, overview: Overview) -> Brief:
        """Return what is to be found out, with the first topics if it has them; no brief is shown.

        Raises:
            ReasonError: when it cannot tell.
        """
        ...

    async def delegate(self, overview: Overview) -> Delegation:
        """Return the topics to research next, or that nothing is left to research.

        Raises:
            ReasonError: when it cannot tell.
        """
        ...


@runtime_checkable
class Accountable(Protocol):
    """A reasoner whose steps cost money: every run gets one of its own, with its own ledger."""

    @property
    def name(self) -> str:
        """As on the report."""
        ...

    def for_run(self, ledger: Ledger, marks: str = "") -> Reasoner:
        """Return the reasoner of one run.

        Args:
            ledger: Its calls are booked there.
            marks: A random word that marks page text as data in the prompts of the run; one is
                drawn when it is empty.
        """
        ...


class Reasoner(Protocol):
    """Plans, evaluates and writes: with a model, or without one.

    All three methods raise ``ReasonError`` when they cannot do their step.
    """

    @property
    def name(self) -> str:
        """As on the report, in lower case."""
        ...

    async def plan(self, look: FirstLook) -> Opening:
        """Return the checklist and the first queries, weighed against the first look if it can."""
        ...

    async def evaluate(self, review: Review) -> Reflection:
        """Tick the checklist, name the gaps and propose the next queries."""
        ...

    def synthesize(self, assignment: Assignment) -> AsyncIterator[Sentence]:
        """Yield the sentences of the answer, each with the ids of its evidence and its quotes."""
        ...


@runtime_checkable
class Checker(Protocol):
    """A reasoner that can look again at sentences which cheap signals leave in doubt."""

    async def check(self, inspection: Inspection) -> Sequence[Support]:
        """Return the support of every sentence, in their order.

        Raises:
            ReasonError: when it cannot tell.
        """
        ...
