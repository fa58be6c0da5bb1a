"""How a report tells of itself in the language of its question: of its verdicts, of its making.

A report is kept in English. What it keeps of reasons is told in another language by `Reasons`, the
English of which the code that gives a reason names; the rest is written when a report is shown.

In a phrase, a number with a noun has both forms of it: ``{sources:source|sources}``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasons:
    """Why a sentence has its verdict, and in what two sources differ."""

    word_for_word: str
    has_words: str
    no_claim: str
    in_part: str
    otherwise: str
    not_found: str
    found: str
    lost: str
    unfounded: str
    too_many_sources: str
    too_long: str
    unshown: str
    not_in: str
    unknown: str
    empty: str
    foreign: str
    lengthy: str
    uncited: str
    misquoted: str
    unquoted: str
    denies: str
    affirms: str
    denies_alone: str
    opposite: str
    figure: str
    replaced: str
    compares: str
    uncompared: str
    order: str
    misplaced: str
    labelled: str
    exchanged: str
    narrowed: str
    reserved: str
    strengthened: str
    unexplained: str
    left_open: str
    widened: str
    choice: str
    scope: str
    against: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """How a report came about, how far it was checked, and what is open."""

    group: str = "."
    """Parts the thousands of a number."""
    point: str = ","
    """Parts its decimals."""
    joint: str = "; "
    """Parts reasons that are told one after the other."""
    by: str = "{verdict}, {by}"
    """A verdict, and whose it is."""
    why: str = "{verdict}: {reason}"
    alternatively: str
    """Follows an objection that may be a false alarm."""
    sufficient: str
    """Why the search ended, like the next seven: each is a ``reason`` of the two after them."""
    nothing_new: str
    loops_over: str
    budget_used: str
    time_up: str
    degraded: str
    cancelled: str
    failed: str
    stopped: str
    ended: str
    not_answered: str
    summary: str
    checks: str
    not_checked: str
    shown: str
    nothing_found: str
    see: str
    not_rested: str
    question: str
    evidence: str
    went: str
    """Heads a part of a report, like the next seven."""
    coverage: str
    missing: str
    checking: str
    cost: str
    plan: str
    sentences: str
    status: str
    sureness: str
    loops_of: str
    queries_of: str
    opened: str
    took: str
    run: str
    understood: str
    profile: str
    unnamed: str
    given: str
    refused: str
    spent: str
    tokens: str
    sources: str
    read_in: str
    calls: str
    about: str
    unpriced: str
    priced_in_part: str
    under: str
    weaker: str
    """A step that ran in a weaker way."""
    unused: str
    more: str
    query_heads: tuple[str, str, str, str, str, str]
    loop_heads: tuple[str, str, str, str, str, str]
    call_heads: tuple[str, str, str, str, str, str]
    evidence_heads: tuple[str, str, str, str]
    unknown: str
    contents: str
    back: str
    read: str
    abstract: str
    full_text: str
    number: str
    """In what two sources differ, like the next four."""
    date: str
    negation: str
    opposite: str
    judged: str
    page: str
    """Where in a source something is, like the next eleven."""
    pages: str
    slide: str
    slides: str
    cell: str
    cells: str
    line: str
    lines: str
    row: str
    rows: str
    record: str
    records: str
    item: str
    items: str
    message: str
    messages: str
    date_for: str
    """What decides a comparison, like the next three, of one of the two that are compared."""
    figure_for: str
    place_for: str
    told_of: str
    unread: str
    """The sources are in another language than the question."""


ENGLISH_REASONS: Final = Reasons(
    word_for_word="its source has it word for word",
    has_words="its source has its words, figures and names",
    no_claim="it states nothing that a source could say",
    in_part="only a part of it is in what it cites",
    otherwise="what it cites says otherwise",
    not_found="it is not found in what it cites",
    found="it is found in what it cites",
    lost="what it refers to was left out",
    unfounded="a conclusion that no single source states",
    too_many_sources="it cites more sources than this answer may have",
    too_long="the answer was long enough before it",
    unshown="nothing that it cites can be shown",
    not_in="not in its sources: {missing}",
    unknown="cites evidence that does not exist: {numbers}",
    empty="says nothing that could be checked",
    foreign="is in another language than what it cites",
    lengthy="is too long to be compared",
    uncited="cites no evidence",
    misquoted="a quote is not found in what it cites",
    unquoted="cites evidence without a quote",
    denies="denies what its source affirms",
    affirms="affirms what its source denies",
    denies_alone="denies something where its source denies nothing",
    opposite="says the opposite of its source",
    figure="its source has another figure there",
    replaced="its source has another word there",
    compares="compares the other way round than its source",
    uncompared="its source does not compare them so",
    order="has another order than its source",
    misplaced="its source says this figure of something else",
    labelled="its source says this of something else",
    exchanged="exchanges what its source says of the one and of the other",
    narrowed="says it of less than its source does",
    reserved="its source says so with a reservation",
    strengthened="says it more strongly than its source",
    unexplained="names a cause that its source does not",
    left_open="leaves open what its source demands",
    widened="says it of more than its source does",
    choice='has "and" where its source has "or", or the reverse',
    scope="turns the condition or the time of what its source says",
    against="“{one}” against “{other}”",
)

ENGLISH_ACCOUNT: Final = Account(
    group=",",
    point=".",
    alternatively=", or puts it differently",
    sufficient="evidence was found for every part of the question",
    nothing_new="searching brought nothing new",
    loops_over="the limit of loops was reached",
    budget_used="the budget was used up",
    time_up="the time was up",
    degraded="searching failed too often",
    cancelled="the run was asked to finish",
    failed="an error ended the search",
    stopped="Stopped because {reason} ({code}).",
    ended="Searching ended because {reason}.",
    not_answered="Not answered",
    summary="{status}: {sentences:sentence|sentences} from {citations:citation|citations}, "
    "confidence {confidence}.",
    checks="Of {written:sentence|sentences} written, {supported:was supported as it was"
    "|were supported as they were}, {repaired} repaired, {marked} marked and {dropped} dropped.",
    not_checked="Each sentence was compared with the words that it cites. Whether those words are "
    "true, and what sources say that were not read, was not checked.",
    shown="Of the sentences shown: {listed}.",
    nothing_found="Nothing was found that answers this.",
    see="No sentence of its own; see {markers}.",
    not_rested="Evidence was found, but the answer does not rest on it.",
    question="The question",
    evidence="evidence {number}",
    went="How it went",
    coverage="Coverage",
    missing="What is missing",
    checking="Checks",
    cost="Cost",
    plan="Plan",
    sentences="Sentences",
    status="Status",
    sureness="Confidence: {confidence}; coverage: {coverage}",
    loops_of="Loops: {count} of at most {most}",
    queries_of="Queries: {count} of at most {most}",
    opened="{sources}; pages opened: {count} of at most {most}",
    took="Cost: {seconds} s, {calls}",
    run="Run: {run}",
    understood="Question as it was understood: {question}",
    profile="Profile: {profile}; reasoner: {reasoner}",
    unnamed="not named",
    given="Topic given to a researcher: {topic}",
    refused="Topic refused, as it repeats another: {topic}",
    spent="{profile} profile · {loops:loop|loops} · {queries:query|queries} · {sources} "
    "· {seconds} s",
    tokens="{tokens:token|tokens}",
    sources="{found:source|sources} found, {read} read, {refused} refused",
    read_in="{seconds} s; {sources}",
    calls="{calls:model call|model calls}, {tokens}, {cost}",
    about="about {tokens}",
    unpriced="price not known",
    priced_in_part="{cost} and {unknown} of unknown price",
    under="under {cost}",
    weaker="Degraded ({step}): {reason}",
    unused="The model that was named was not used throughout: {reasons}.",
    more="and {count} more; --format full shows all",
    query_heads=("Loop", "Query", "Intent", "Hits", "New", "Error"),
    loop_heads=("Loop", "Sources found", "Sources read", "Coverage", "Confidence", "Time"),
    call_heads=("Step", "Model", "Tokens", "Cost", "Time", "Error"),
    evidence_heads=("Id", "Source", "Parts of the score", "Score"),
    unknown="unknown",
    contents="Contents",
    back="Back to where {number} is cited",
    read="read {time}",
    abstract="abstract",
    full_text="full text",
    number="number",
    date="date",
    negation="negation",
    opposite="opposite",
    judged="judged",
    page="page {at}",
    pages="pages {at}",
    slide="slide {at}",
    slides="slides {at}",
    cell="cell {at}",
    cells="cells {at}",
    line="line {at}",
    lines="lines {at}",
    row="row {at}",
    rows="rows {at}",
    record="record {at}",
    records="records {at}",
    item="item {at}",
    items="items {at}",
    message="message {at}",
    messages="messages {at}",
    date_for="The date for {thing}",
    figure_for="The figure for {thing}",
    place_for="The place for {thing}",
    told_of="What the sources say about {thing}",
    unread="The question is in {own} and the sources are in {others}: without a model, answers are "
    "found only in sources in the language of the question",
)


class _Figure:
    """A number in a phrase, written as a language writes numbers."""

    def __init__(self, value: float, said: Account) -> None:
        self._value, self._said = value, said

    def __format__(self, nouns: str) -> str:
        """Return the number with the one of two nouns, "source|sources", that goes with it."""
        plain = f"{self._value:,}" if isinstance(self._value, int) else f"{self._value:,.1f}"
        written = plain.translate({ord(","): self._said.group, ord("."): self._said.point})
        one, bar, several = nouns.partition("|")
        return f"{written} {one if self._value == 1 else several}" if bar else written


def tell(said: Account, phrase: str, **values: str | float) -> str:
    """Return ``phrase``, one of ``said``, with ``values``; a float has one decimal."""
    return phrase.format(
        **{
            name: value if isinstance(value, str) else _Figure(value, said)
            for name, value in values.items()
        }
    )
