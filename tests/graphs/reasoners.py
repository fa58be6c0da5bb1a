"""Reasoners that follow the rules, each in its own stubborn way."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from quaere.domain.question import Intent, Query
from quaere.domain.report import Sentence
from quaere.domain.verdict import NextAction, Opening, Reflection
from quaere.ports.reason import Assignment, FirstLook, Review
from quaere.reason.extractive.reasoner import ExtractiveReasoner


class Witness(ExtractiveReasoner):
    """The extractive reasoner; remembers what it was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.looks: list[FirstLook] = []
        self.reviews: list[Review] = []
        self.assignments: list[Assignment] = []

    async def plan(self, look: FirstLook) -> Opening:
        """Plan."""
        self.looks.append(look)
        return await super().plan(look)

    async def evaluate(self, review: Review) -> Reflection:
        """Evaluate."""
        self.reviews.append(review)
        return await super().evaluate(review)

    async def synthesize(self, assignment: Assignment) -> AsyncIterator[Sentence]:
        """Write."""
        self.assignments.append(assignment)
        async for sentence in super().synthesize(assignment):
            yield sentence


class Disguised:
    """A reasoner that does what another one does, and does not choose lines."""

    def __init__(self, other: ExtractiveReasoner) -> None:
        self.name = other.name
        self.plan, self.evaluate = other.plan, other.evaluate
        self.synthesize = other.synthesize


Proposal = Callable[[Review], Sequence[Query]]


class Insatiable(Witness):
    """Never calls anything sufficient and asks for what ``propose`` says."""

    def __init__(self, propose: Proposal) -> None:
        super().__init__()
        self._propose = propose

    async def plan(self, look: FirstLook) -> Opening:
        """Plan without queries: those of the reviews are all that is asked."""
        opening = await super().plan(look)
        return Opening(plan=opening.plan.model_copy(update={"queries": ()}))

    async def evaluate(self, review: Review) -> Reflection:
        """Ask for more."""
        reflection = await super().evaluate(review)
        more = {"next_action": NextAction.SEARCH_MORE, "queries": tuple(self._propose(review))}
        return reflection.model_copy(update=more)


def something_new(review: Review) -> Sequence[Query]:
    """Propose three queries that nobody has asked before."""
    return [
        Query(text=f"the {word} of loop {review.iteration}", intent=Intent.REFORMULATION)
        for word in ("cheese", "slate", "linen")
    ]


def the_same_again(review: Review) -> Sequence[Query]:
    """Propose the same query in every loop, and in another order of its words."""
    text = "slate ridges" if review.iteration % 2 else "ridges, slate"
    return [Query(text=text, intent=Intent.REFORMULATION)]
