"""What is asked, what a complete answer must contain, and the queries that look for it."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic.json_schema import SkipJsonSchema

from quaere.domain.budget import ProfileName
from quaere.domain.scope import Language, Scope
from quaere.domain.value import Outside, QuestionText, Sensitivity, Value

MAX_QUESTION_CHARS = 20_000
MAX_CONTEXT_CHARS = 100_000
MAX_TURNS = 100

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class AnswerForm(StrEnum):
    """How an answer is laid out."""

    SHORT = "short"
    """A sentence or two."""
    REPORT = "report"
    """Paragraphs, one for each part of the question."""
    LIST = "list"
    """One sentence an item."""
    TABLE = "table"
    """One sentence a row, next to the part of the question that it answers."""


class Turn(Value):
    """One earlier question of a conversation, and what was answered."""

    question: Annotated[Outside, Sensitivity.QUESTION]
    answer: Annotated[Outside, Sensitivity.QUESTION]


Conversation = Annotated[tuple[Turn, ...], Field(max_length=MAX_TURNS)]
"""What was asked and answered before, the oldest first."""


_GULF = re.compile(r"\s{20,}")


def _without_gulfs(text: str) -> str:
    """Return ``text`` with one space for a run of twenty or more: they say nothing.

    Patterns that look for how a question ends would take the cube of their number.
    """
    return _GULF.sub(" ", text)


class Question(Value):
    """A question as it was asked, with what the user says about the need and the answer."""

    text: Annotated[
        str,
        Sensitivity.QUESTION,
        StringConstraints(min_length=1, max_length=MAX_QUESTION_CHARS),
        AfterValidator(_without_gulfs),
    ]
    context: Annotated[
        Outside, Sensitivity.QUESTION, StringConstraints(max_length=MAX_CONTEXT_CHARS)
    ] = ""
    language: Language | None = None
    """Of the answer; that of the question when left out."""
    form: AnswerForm | None = None
    """Of the answer; the writer's choice when left out."""
    conversation: Conversation = ()
    whole: QuestionText = ""
    """What a follow-up question asks, said as a whole, as `quaere.text.follow_ups` puts it together
    with the conversation; empty for one that says all by itself."""

    @property
    def full_text(self) -> str:
        """The question as it can be searched for: with what a follow-up leaves unsaid."""
        return self.whole or self.text


class Intent(StrEnum):
    """Why a query is asked."""

    RAW = "raw"
    """The question itself, before anything is known."""
    TERMS = "terms"
    """The question's key terms alone."""
    PART = "part"
    """One part of a compound or comparative question."""
    ENTITY = "entity"
    """Something the question names."""
    BRIDGE = "bridge"
    """Something that a passage read earlier named and the question did not."""
    GAP = "gap"
    """A checklist item that nothing satisfies yet."""
    REFORMULATION = "reformulation"
    """Another way to ask what an earlier query found too little on."""
    FIGURE = "figure"
    """A row of a table, which ``rows`` of the query names."""
    TABLE = "table"
    """Whole tables, for a question over their rows."""


class SourceKind(StrEnum):
    """Kinds of source that a plan may ask for."""

    FOLDER = "folder"
    WEB = "web"
    NEWS = "news"
    PUBMED = "pubmed"
    SCHOLARLY = "scholarly"
    GOV = "gov"
    STANDARDS = "standards"
    DOCS = "docs"


class Query(Value):
    """One query for the search providers.

    ``text`` is all that every provider understands. Providers that can weigh terms use ``focus``
    (words that matter most) and ``faint`` (words already covered by the passage that led here).
    """

    text: Annotated[Text, Sensitivity.QUESTION]
    intent: Intent = Intent.RAW
    purpose: QuestionText = ""
    """In words: what the answer to this query would add."""
    focus: tuple[QuestionText, ...] = ()
    faint: tuple[QuestionText, ...] = ()
    titles: tuple[QuestionText, ...] = ()
    """Names that the wanted source may bear as its title."""
    rows: tuple[QuestionText, ...] = ()
    """Labels that the wanted row of a table may bear."""
    parent: str | None = None
    """Id of the passage that named the focus; its relevance is inherited by what is found."""
    item: str | None = None
    """Id of the checklist item that the query serves."""
    source_kinds: tuple[SourceKind, ...] = ()
    reserve: bool = False
    """Whether it is asked only where the others leave nothing to ask."""
    places: Annotated[int, Field(ge=0, le=20)] = 0
    """Places in the selection that the passages which fit this query best get, whatever they are
    worth to the question as a whole."""
    scope: SkipJsonSchema[Scope | None] = Field(
        default=None, exclude_if=lambda scope: scope is None
    )
    """Where the wanted sources may come from, set on its way to a provider; services with
    parameters for it narrow their search by themselves."""


class ItemStatus(StrEnum):
    """How far a checklist item is answered."""

    UNSATISFIED = "unsatisfied"
    PARTIAL = "partial"
    SATISFIED = "satisfied"


class Item(Value):
    """One thing that a complete answer must contain, and the evidence that shows it does."""

    id: str
    description: Annotated[Text, Sensitivity.QUESTION]
    terms: tuple[QuestionText, ...] = ()
    """Words whose presence in a passage speaks for the item."""
    status: ItemStatus = ItemStatus.UNSATISFIED
    evidence: tuple[str, ...] = ()
    """Ids of the passages that satisfy it, best first."""


class Checklist(Value):
    """The items of a question, in the order in which an answer should take them."""

    items: tuple[Item, ...] = ()

    @property
    def asked(self) -> tuple[Item, ...]:
        """Those that are questions: the whole, or the first of several, and the others."""
        return tuple(
            item for item in self.items if item.id == "answer" or item.id.startswith("part-")
        )

    def with_status(self, status: ItemStatus) -> tuple[Item, ...]:
        """Return the items whose status is ``status``."""
        return tuple(item for item in self.items if item.status is status)

    @property
    def coverage(self) -> float:
        """Share of the items that are answered, a partial one counting half; 1.0 for no items."""
        worth = {ItemStatus.SATISFIED: 1.0, ItemStatus.PARTIAL: 0.5, ItemStatus.UNSATISFIED: 0.0}
        if not self.items:
            return 1.0
        return sum(worth[item.status] for item in self.items) / len(self.items)


class Plan(Value):
    """What the planner made of a question after the first look."""

    refined_question: Text
    scope_in: tuple[str, ...] = ()
    scope_out: tuple[str, ...] = ()
    key_terms: tuple[str, ...] = ()
    checklist: Checklist
    queries: tuple[Query, ...] = Field(max_length=6)
    tier: ProfileName | None = None
