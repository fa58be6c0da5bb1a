"""The reasoner that needs no model: it quotes the sources and is deterministic."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quaere.domain.evidence import Evidence
from quaere.domain.question import (
    Checklist,
    Intent,
    ItemStatus,
    Plan,
    Query,
    Question,
    SourceKind,
)
from quaere.domain.report import DirectKind, Sentence
from quaere.domain.source import Passage
from quaere.domain.team import Brief, Delegation
from quaere.domain.verdict import NextAction, Opening, Reflection, StepMetadata
from quaere.ports.reason import Assignment, FirstLook, Overview, Review
from quaere.ports.search import TermStatistics
from quaere.reason.extractive.answer import write_answer, write_rows
from quaere.reason.extractive.checklist import (
    MAX_EVIDENCE,
    Ticked,
    build_checklist,
    confidence,
    tick,
    without_answer,
)
from quaere.reason.extractive.contrary import is_of_other_turn, is_of_present_state
from quaere.reason.extractive.filings.asked import filing_queries
from quaere.reason.extractive.filings.filed import find_filed
from quaere.reason.extractive.later import UpToDate, up_to_date, with_earlier
from quaere.reason.extractive.manuals.faq import is_asked_there
from quaere.reason.extractive.manuals.lists import find_list
from quaere.reason.extractive.manuals.needs import lacks_version
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.queries import (
    MAX_FIRST,
    bridge_queries,
    content_words,
    count_queries,
    everyday_queries,
    first_queries,
    meaning_queries,
    reformulations,
    version_queries,
)
from quaere.reason.extractive.questions.as_meant import (
    as_meant,
    as_written,
    in_one_word,
    without_purpose,
)
from quaere.reason.extractive.questions.kinds import asks_yes_or_no_alone
from quaere.reason.extractive.questions.parts import follow_up_topics, topics_of
from quaere.reason.extractive.questions.several import several
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.statements.figures import (
    Figure,
    change_asked,
    figure_queries,
    find_change,
    find_figure,
    needs_rows,
)
from quaere.reason.extractive.tables.columns import Table
from quaere.reason.extractive.tables.rows import (
    Blank,
    RowsAnswer,
    answer_over_rows,
    blank_cell,
    nearly_answered,
    table_query,
)
from quaere.reason.extractive.tables.slices import things_asked
from quaere.reason.extractive.tables.whole import tables_in, unread_tables
from quaere.reason.extractive.tables.worked_out import tells_no_thing
from quaere.reason.extractive.together import Answers, are_sure, in_part, ticked_by_parts, together
from quaere.reason.extractive.unread import unread
from quaere.resilience.thread import computed
from quaere.text.languages.language import is_english, language_of, speaking
from quaere.text.queries import both_ends, with_apostrophes
from quaere.text.tables import ROW
from quaere.text.tokens import terms

FIRST_QUERIES, NEXT_QUERIES = 3, 2
"""Queries proposed after the first look and after every later loop. Few at a time follow what was
found last; many at once spend the budget on what was known first."""

HEARD_CHARS = 1_000
"""Characters read at each end of a long question. It asks at one of them; reading all of it
would take seconds for every loop, which no time limit can interrupt."""

OPEN_LEAD = 0.3
"""Strength from which a name that the first look brought up is followed although every item of the
checklist is ticked. Below it, 0 to 4 % of the questions of four multi-hop sets still missed a gold
passage that the second loop finds."""


MAX_WORDS, MAX_CITATIONS = 200, 10
"""Length of an answer that is written to see whether all is answered, and what it may cite."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What there is to answer from, and how long the answer may be."""

    evidence: Sequence[Evidence]
    passages: Mapping[str, Passage]
    max_words: int = MAX_WORDS
    max_citations: int = MAX_CITATIONS
    nearness: Mapping[str, float] = field(default_factory=dict[str, float])

    @property
    def read(self) -> Pool:
        """All of it, read."""
        return Pool(self.evidence, self.passages)

    def rows(self, rows: RowsAnswer, checklist: Checklist) -> tuple[Sentence, ...]:
        """Return what ``rows`` of a whole table answer."""
        return write_rows(
            rows, checklist, max_words=self.max_words, max_citations=self.max_citations
        )


class ExtractiveReasoner:
    """Plans, evaluates and writes from the words of the question and the sources alone."""

    name = "extractive"

    def __init__(self, statistics: TermStatistics | None = None) -> None:
        """Reason with ``statistics`` of what is searched, where a provider has them."""
        self._statistics = statistics

    async def plan(self, look: FirstLook) -> Opening:
        """Return the checklist, and queries after what the first look found and left open."""
        with speaking(language_of(look.question.full_text)):
            return await computed(lambda: self._opening(look))

    def _opening(self, look: FirstLook) -> Opening:
        question = self._meant(look.question, Pool(look.evidence, look.passages))
        figures = figure_queries(change_asked(question.text) or question.text)
        bridges = bridge_queries(question, look.leads, (), limit=FIRST_QUERIES)
        bridges = figures if needs_rows(question.text) else (*bridges, *figures)
        read = Pool(look.evidence, look.passages)
        over = (
            *_table_queries(question.text, read, look.kinds),
            *count_queries(question.text, look.kinds),
            *meaning_queries(question.text, look.kinds),
            *version_queries(question.text, look.kinds),
            *filing_queries(question.text, self._statistics),
            *self._in_other_spelling(look.question, question),
            *(everyday_queries(question.text, self._statistics) if self._statistics else ()),
        )
        return Opening(
            plan=Plan(
                refined_question=" ".join(question.text.split()),
                key_terms=content_words(question.text),
                checklist=build_checklist(question),
                queries=(*over, *first_queries(question, bridges, look.max_queries - len(over)))[
                    :MAX_FIRST
                ],
            )
        )

    async def evaluate(self, review: Review) -> Reflection:
        """Tick the checklist from the passages, name what is missing and where to look for it."""
        with speaking(language_of(review.question.full_text)):
            return await computed(lambda: self._reflection(review))

    def _reflection(self, review: Review) -> Reflection:
        read = Pool(review.evidence, review.passages)
        question = self._meant(review.question, read)
        tables = tables_in(review.evidence, review.passages)
        each = self._each_told(question, _Shown(review.evidence, review.passages))
        if are_sure(each):
            return self._reflection_on_parts(each, review)
        rows = _over_rows(question, tables, read)
        if rows is not None:
            return self._reflection_on_rows(rows, review)
        blank = blank_cell(question.text, tables)
        pool = self._pool(review.evidence, review.passages, blank)
        reported = self._reflection_on_report(question.text, review, pool)
        if reported is not None:
            return reported
        if foreign := unread(review.question, pool.passages, self._statistics):
            return self._unread(foreign, review)
        ticked = ticked_by_parts(tick(review.checklist, pool, question), each)
        if _awaits_rows(question, review) or self._awaits_form(question, review):
            ticked = without_answer(ticked)
        return self._reflection_on_items(ticked, review, blank)

    def _reflection_on_report(self, question: str, review: Review, pool: Pool) -> Reflection | None:
        """Return how the fact or the figure that a report tells answers; None where it does not."""
        if filed := find_filed(question, pool):
            bearing = (pool.passages[filed.line.owner].id,)
            return self._answered(bearing, filed.confidence, "a report tells it", review)
        figure = find_figure(question, pool) or find_change(question, pool)
        if figure is None or not (figure.is_primary or review.iteration > 1):
            return None
        return self._reflection_on(figure, review, pool)

    def _awaits_form(self, question: Question, review: Review) -> bool:
        """Whether what has a form of its own is looked for, and not there yet.

        So is what reports tell alike, and which version is needed.
        """
        queries = (
            *filing_queries(question.text, self._statistics),
            *version_queries(question.text, [SourceKind.FOLDER]),
        )
        return review.iteration == 1 and any(query in review.plan.queries for query in queries)

    def _reflection_on_items(
        self, ticked: Ticked, review: Review, blank: Blank | None
    ) -> Reflection:
        """Return what the checklist says, as it was ``ticked``; a ``blank`` cell is a gap."""
        done = not ticked.gaps and (review.settled or _nothing_open(review))
        return Reflection(
            next_action=NextAction.FINALIZE if done else NextAction.SEARCH_MORE,
            confidence=confidence(
                ticked.checklist, match=ticked.match, origins=_origins(ticked.checklist, review)
            ),
            checklist=ticked.checklist,
            gaps=_gaps(ticked, review, blank),
            queries=() if done else self._next(review),
            reason=_reason(ticked.gaps, done=done),
            metadata=StepMetadata(model=self.name, token_count=_tokens(review)),
        )

    def _pool(
        self,
        evidence: Sequence[Evidence],
        passages: Mapping[str, Passage],
        blank: Blank | None = None,
    ) -> Pool:
        """Return what sentences are taken from: all but whole tables, which are read by rows.

        Where a table has the cell that is asked for ``blank``, its other rows answer nothing.
        """
        known = [e for e in evidence if e.passage in passages]
        said = [e for e in known if not passages[e.passage].whole_table]
        if blank is not None:
            own = passages[blank.table.passage].url
            said = [e for e in said if not _is_row_of(own, passages[e.passage])]
            passages = {key: _beside(own, passage) for key, passage in passages.items()}
        return Pool(said, passages, self._statistics)

    def _meant(self, question: Question, pool: Pool) -> Question:
        """Return ``question`` as it is heard, without slips, with verbs as sources have them."""
        heard = _heard(question)
        text = as_meant(heard.text, pool, self._statistics)
        text = in_one_word(without_purpose(text), pool, self._statistics)
        return heard.model_copy(update={"text": text})

    def _in_other_spelling(self, asked: Question, meant: Question) -> tuple[Query, ...]:
        """Return the question as what is searched spells it, where it was ``asked`` otherwise."""
        text = as_written(meant.text, self._statistics) if self._statistics else meant.text
        if text == _heard(asked).text:
            return ()
        why = "the question in the words of the sources"
        return (Query(text=text, intent=Intent.REFORMULATION, purpose=why),)

    def _unread(self, foreign: str, review: Review) -> Reflection:
        return Reflection(
            next_action=NextAction.SEARCH_MORE,
            confidence=0.0,
            checklist=review.checklist,
            gaps=(foreign,),
            reason="the sources are in another language",
            metadata=StepMetadata(model=self.name, token_count=_tokens(review)),
        )

    def _reflection_on(self, figure: Figure, review: Review, pool: Pool) -> Reflection:
        """Return that all is answered by ``figure``, whose rows bear it."""
        bearing = tuple(dict.fromkeys(pool.passages[line.owner].id for line in figure.lines))
        return self._answered(bearing, figure.confidence, "the figure is in a table", review)

    def _reflection_on_rows(self, rows: RowsAnswer, review: Review) -> Reflection:
        """Return that all is answered by the ``rows`` of a whole table."""
        reason = "the rows of a table answer it"
        return self._answered((rows.table.passage,), rows.confidence, reason, review)

    def _reflection_on_parts(self, told: Answers, review: Review) -> Reflection:
        """Return that all is answered, as each of several questions is ``told``."""
        quotes = (quote for answer in told for each in answer for quote in each.quotes)
        bearing = tuple(dict.fromkeys(quote.passage for quote in quotes))
        sure = min(each[0].direct.confidence for each in told if each[0].direct)
        return self._answered(bearing, sure, "each of the questions is answered", review)

    def _answered(
        self, bearing: Sequence[str], confidence: float, reason: str, review: Review
    ) -> Reflection:
        answered = {"status": ItemStatus.SATISFIED, "evidence": tuple(bearing[:MAX_EVIDENCE])}
        items = tuple(item.model_copy(update=answered) for item in review.checklist.items)
        return Reflection(
            next_action=NextAction.FINALIZE,
            confidence=confidence,
            checklist=Checklist(items=items),
            reason=reason,
            metadata=StepMetadata(model=self.name, token_count=_tokens(review)),
        )

    async def comparable(self, assignment: Assignment) -> Sequence[str]:
        """Return the lines that may lead the answer."""
        with speaking(language_of(assignment.question.full_text)):
            return await computed(lambda: self._comparable(assignment))

    def _comparable(self, assignment: Assignment) -> Sequence[str]:
        pool = self._pool(assignment.evidence, assignment.passages)
        return Ranking(pool, self._meant(assignment.question, pool).text).comparable

    async def synthesize(self, assignment: Assignment) -> AsyncIterator[Sentence]:
        """Yield whole sentences of the sources, the one that answers most directly first."""
        with speaking(language_of(assignment.question.full_text)):
            written = await computed(lambda: self._written(assignment))
        for sentence in written:
            yield sentence

    def _written(self, assignment: Assignment) -> Sequence[Sentence]:
        shown = _Shown(
            assignment.evidence,
            assignment.passages,
            assignment.max_words,
            assignment.max_citations,
            assignment.nearness,
        )
        question = self._meant(assignment.question, shown.read)
        each = self._each_told(question, shown)
        if any(are_sure([answer]) for answer in each):
            return together(each, assignment.checklist, several(question.text))
        written = self._answer_to(question, assignment.checklist, shown)
        return in_part(written) if each else written

    def _each_told(self, question: Question, shown: _Shown) -> Answers:
        """Return the answers to several questions that ``question`` puts; none to a single one."""
        told, asked = list[tuple[Sentence, ...]](), several(question.text)
        share = replace(shown, max_words=max(1, shown.max_words // max(1, len(asked))))
        for text in asked:
            part = Question(text=text)
            told.append(tuple(self._answer_to(part, build_checklist(part), share)))
        return told

    def _answer_to(
        self, question: Question, checklist: Checklist, shown: _Shown
    ) -> Sequence[Sentence]:
        """Return the answer to one question, from rows of tables or from sentences."""
        tables = tables_in(shown.evidence, shown.passages)
        if rows := _over_rows(question, tables, shown.read):
            return shown.rows(rows, checklist)
        blank = blank_cell(question.text, tables)
        pool = self._pool(shown.evidence, shown.passages, blank)
        if unread(question, pool.passages, self._statistics):
            return ()
        current = UpToDate(pool, pool)
        if not needs_rows(question.text):  # figures of a statement are of their own year
            current = up_to_date(question.text, pool, self._statistics)
        written = write_answer(
            question,
            checklist,
            current.pool,
            max_words=shown.max_words,
            max_citations=shown.max_citations,
            nearness=shown.nearness,
        )
        written = with_earlier(written, current, max_citations=shown.max_citations)
        if any(each.direct and each.direct.is_sure for each in written[:1]):
            return written
        near = None if blank else nearly_answered(question.text, tables)
        is_near = near is not None and not _is_wrong(question.text, near)
        return shown.rows(near, checklist) if near and is_near else written

    async def brief(self, overview: Overview) -> Brief:
        """Return the question as it stands, with the topics into which its wording falls."""
        text = " ".join(_heard(overview.question).text.split())
        topics = _topics(overview)
        thought = f"The question falls into {_counted(len(topics), 'topic')}."
        return Brief(text=text, delegation=Delegation(thought=thought, topics=topics, last=True))

    async def delegate(self, overview: Overview) -> Delegation:
        """Return the topics that no researcher was sent out for, and what they left open.

        Where the user has chosen, no others of the question are among them.
        """
        done = [topic.text for topic in overview.topics]
        known = [*done, *overview.skipped]
        own = _topics(overview)
        topics = overview.approved or own
        replaced = bool(done) and not set(done) & set(topics)  # by a reasoner that has failed since
        left = [topic for topic in topics if topic not in known and not replaced]
        wanted = (*left, *follow_up_topics(overview.topics, [*known, *topics, *own]))
        if not wanted:
            return Delegation(thought="Nothing is left to look for.", complete=True)
        thought = f"{_counted(len(wanted), 'topic')} left to look for."
        return Delegation(thought=thought, topics=wanted, last=True)

    def _next(self, review: Review) -> tuple[Query, ...]:
        return (
            *reformulations(review.outcomes, review.passages.values(), self._statistics),
            *bridge_queries(
                _heard(review.question), review.leads, review.outcomes, limit=NEXT_QUERIES
            ),
        )


def _heard(question: Question) -> Question:
    """Return ``question`` with what it leaves unsaid, and without the middle of a long one.

    Apostrophes that were left out are put back, in English: "whats" asks what "what's" does.
    """
    text = question.full_text
    if is_english():
        text = with_apostrophes(text)
    return question.model_copy(update={"text": both_ends(text, HEARD_CHARS)})


def _topics(overview: Overview) -> tuple[str, ...]:
    """Return the topics into which the wording of the question falls."""
    return topics_of(" ".join(_heard(overview.question).text.split()))


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _table_queries(text: str, read: Pool, kinds: Collection[SourceKind]) -> tuple[Query, ...]:
    """Return the queries for whole tables that ``text``, or each of its questions, asks for."""
    asked = several(text) or (text,)
    found = (query for each in asked for query in table_query(each, read, kinds))
    return tuple(dict.fromkeys(found))


def _over_rows(question: Question, tables: Sequence[Table], read: Pool) -> RowsAnswer | None:
    """Return what the rows of ``tables`` answer; None where a list names all that is asked for.

    Nor do they answer where a source asks the question itself. A line of a statement has wordings
    of its own: "Interest expense (income), net" has the words of "net income", and is another one.
    """
    if _is_surely_of_a_statement(question.text, read) or is_asked_there(question.text, read):
        return None
    rows = answer_over_rows(question.text, tables)
    if rows is None or _is_wrong(question.text, rows):
        return None
    if not things_asked(question.text):
        return rows
    return None if find_list(question.text, read) else rows


def _is_surely_of_a_statement(text: str, read: Pool) -> bool:
    figure = find_figure(text, read) if needs_rows(text) else None
    return figure is not None and figure.is_sure


def _tells_another(text: str, rows: RowsAnswer) -> bool:
    """Whether ``rows`` tell of turns that were, or of what is, and ``text`` asks for others."""
    lines = (f"{' '.join(line.columns)} {line.text}" for line in rows.lines)
    told = f"{rows.text} {' '.join(lines)}"
    return is_of_other_turn(text, told) or is_of_present_state(text, told)


def _is_beside(text: str, rows: RowsAnswer) -> bool:
    """Whether ``rows`` give figures of things that ``text`` does not name, and yes or no is asked.

    "Can I pay in cash?" does not ask what was paid.
    """
    if rows.kind is DirectKind.YES_NO or rows.fit or not asks_yes_or_no_alone(text):
        return False
    asked = frozenset(terms(text))
    return all(asked.isdisjoint(line.terms) for line in rows.lines)


def _lacks_version(text: str, rows: RowsAnswer) -> bool:
    return lacks_version(text, rows.text)


_WRONG_ROWS = (_tells_another, _is_beside, _lacks_version, tells_no_thing)


def _is_wrong(text: str, rows: RowsAnswer) -> bool:
    return any(is_wrong(text, rows) for is_wrong in _WRONG_ROWS)


def _awaits_rows(question: Question, review: Review) -> bool:
    """Whether whole tables that may answer ``question`` are asked for, and not there yet."""
    wants_tables = any(query.intent is Intent.TABLE for query in review.plan.queries)
    return review.iteration == 1 and (wants_tables or needs_rows(question.text))


def _nothing_open(review: Review) -> bool:
    """Whether the first look left no name worth following."""
    return review.iteration == 1 and not any(lead.strength >= OPEN_LEAD for lead in review.leads)


def _is_row_of(table: str, passage: Passage) -> bool:
    """Whether ``passage`` holds rows of the table at the address ``table``."""
    page, _, place = passage.url.partition("#")
    is_rows = place.startswith("row=") or bool(passage.table_head)
    return is_rows and page == table.partition("#")[0]


def _beside(table: str, passage: Passage) -> Passage:
    """Return ``passage`` with spaces for the rows of tables, if it is of the page of ``table``."""
    if passage.url.partition("#")[0] != table.partition("#")[0]:
        return passage
    lines = passage.text.split("\n")
    plain = "\n".join(" " * len(line) if line.startswith(ROW) else line for line in lines)
    return passage.model_copy(update={"text": plain})


def _gaps(ticked: Ticked, review: Review, blank: Blank | None) -> tuple[str, ...]:
    """Return what is missing, with the tables that might hold it and were not read as a whole."""
    if not ticked.gaps:
        return ()
    empty = () if blank is None else (str(blank),)
    return (*ticked.gaps, *empty, *unread_tables(review.evidence, review.passages))


def _reason(gaps: Sequence[str], *, done: bool) -> str:
    if done:
        return "every item is answered"
    if gaps:
        return f"{len(gaps)} {'item is' if len(gaps) == 1 else 'items are'} open"
    return "every item is answered, but what was read leads on"


def _origins(checklist: Checklist, review: Review) -> int:
    """Return how many sources bear the checklist."""
    bearing = {key for item in checklist.items for key in item.evidence}
    return len({review.passages[key].url for key in bearing if key in review.passages})


def _tokens(review: Review) -> int:
    """Return about how many tokens of text were read anew, at four characters a token."""
    fresh = {e.passage for e in review.evidence if e.id in review.fresh}
    return sum(len(review.passages[key].text) for key in fresh if key in review.passages) // 4
