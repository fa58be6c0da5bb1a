"""Who plans, evaluates, writes and checks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

from pydantic import Field

from quaere.domain.budget import Remaining
from quaere.domain.evidence import Contradiction, Evidence, Lead
from quaere.domain.question import Checklist, Plan, Question, SourceKind
from quaere.domain.report import QueryOutcome, Ruling, Sentence
from quaere.domain.source import Passage
from quaere.domain.team import Brief, Delegation, Topic
from quaere.domain.value import Value
from quaere.domain.verdict import Opening, Reflection
from quaere.ports.model import Ledger


class Selected(Value):
    """What planner and evaluator are shown alike."""

    question: Question
    evidence: tuple[Evidence, ...]
    """The selection, best first."""
    passages: Mapping[str, Passage]
    """The text of the evidence, by passage id."""
    leads: tuple[Lead, ...]
    """What the passages name and the question does not, strongest first."""
    outcomes: tuple[QueryOutcome, ...]
    """Every query asked so far; what the search for the raw question brought at the first look."""
    remaining: Remaining
    answer_words: int | None = None
    """Length of the answer that may come in the same step; ``None`` where writing is its own."""
    max_citations: int | None = None
    """Passages that such an answer may cite; None where nobody limits them."""
    delegated: bool = False
    """Whether this is one topic of a larger question, to answer with few searches."""
    kinds: frozenset[SourceKind] = frozenset()
    """Kinds of source that can be searched."""


class FirstLook(Selected):
    """What the planner is shown, after the raw question was searched."""

    max_queries: int
    """Queries that are left in the budget."""
    tier_wanted: bool = True
    """Whether the plan is to choose a profile; not where the caller has chosen one."""


class Review(Selected):
    """What the evaluator is shown."""

    plan: Plan
    checklist: Checklist
    fresh: tuple[int, ...]
    """Ids of the selected evidence that was not selected at the last review."""
    settled: bool
    """Whether the last loop changed next to nothing in the selection."""
    iteration: int
    """Loops finished, the first look included."""


class Assignment(Value):
    """What the writer is shown."""

    question: Question
    plan: Plan
    checklist: Checklist
    evidence: tuple[Evidence, ...]
    passages: Mapping[str, Passage]
    max_words: int
    max_citations: int
    """Different passages to keep to; what goes beyond them is left out when it is checked."""
    partial: bool
    """Whether the search ended before the evidence was sufficient."""
    contradictions: tuple[Contradiction, ...] = ()
    """Evidence that says opposite things."""
    answer: str = ""
    """What evaluation has written already, so that nothing need be written anew."""
    nearness: Mapping[str, float] = Field(default_factory=dict[str, float])
    """How near the lines that the writer finds `Comparable` are to the question in meaning, as an
    embedder's cosines by their text; empty without an embedder."""


class Inspection(Value):
    """What the checker is shown: sentences that no rule settles."""

    sentences: tuple[Sentence, ...]
    """Those to judge, in the order of the answer."""
    evidence: tuple[Evidence, ...]
    """What they cite."""
    passages: Mapping[str, Passage]
    question: str = ""
    """What the answer is to; empty when it is unknown."""
    answer: tuple[str, ...] = ()
    """The texts of all its sentences in order, those to judge among them, so that "he" and "the
    second" can be understood; empty when they stand alone."""


class Overview(Value):
    """What a supervisor is shown."""

    question: Question
    brief: str
    topics: tuple[Topic, ...] = ()
    """Those that were researched, in the order in which they were dispatched."""
    skipped: tuple[str, ...] = ()
    """Those that were refused, because they repeat others."""
    approved: tuple[str, ...] = ()
    """Those that the user has put in place of the first ones; empty when they stayed as shown."""
    dropped: tuple[str, ...] = ()
    """Those of the first ones that the user has left out."""
    at_once: int
    """Topics that may be researched side by side."""
    rounds_left: int
    remaining: Remaining
    may_ask: bool = False
    """Whether the brief may ask something back."""


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
class Comparable(Protocol):
    """A reasoner that chooses lines, at no cost, and better where their meaning is compared too."""

    async def comparable(self, assignment: Assignment) -> Sequence[str]:
        """Return the lines whose nearness in meaning to the question helps to write."""
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


class Listener(Protocol):
    """Takes the answer that comes with a judgement, sentence by sentence, as it is written."""

    def wants(self, judged: Opening | Reflection) -> bool:
        """Return whether to take the answer that follows on ``judged``, which says all else."""
        ...

    async def hear(self, sentence: Sentence) -> None:
        """Take the next sentence."""
        ...

    async def ends(self) -> None:
        """Take note that the answer is whole."""
        ...

    def breaks_off(self, error: str) -> bool:
        """Take note that there will be no more of it, and return whether what was heard stands.

        If so, it is all that there is; else it is forgotten, and may be written anew.
        """
        ...


@runtime_checkable
class Outspoken(Protocol):
    """A reasoner that gives the answer which comes with a judgement while it is being written.

    Its methods return and raise what those of `Reasoner` do. What was heard is a part of the answer
    that they return.
    """

    async def plan_aloud(self, look: FirstLook, listener: Listener) -> Opening:
        """Plan as `Reasoner.plan` does."""
        ...

    async def evaluate_aloud(self, review: Review, listener: Listener) -> Reflection:
        """Evaluate as `Reasoner.evaluate` does."""
        ...


@runtime_checkable
class Checker(Protocol):
    """A reasoner that can judge sentences which are not in their sources word for word."""

    @property
    def tells_early(self) -> bool:
        """Whether its sentences may be told before all are written: told ones are never taken back.

        A small model may repeat its prompt and find it supported, and only the whole shows it.
        """
        ...

    async def check(self, inspection: Inspection) -> Sequence[Ruling | None]:
        """Return a ruling on every sentence, in order; None on one that it passed over.

        Raises:
            ReasonError: when it cannot tell.
        """
        ...
