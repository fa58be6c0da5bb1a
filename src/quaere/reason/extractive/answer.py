"""Writes an answer out of whole sentences of the sources, the most direct one first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, starmap
from types import MappingProxyType

from quaere.domain.question import Checklist, Item, ItemStatus, Question
from quaere.domain.report import Direct, DirectKind, Opens, Quote, Sentence
from quaere.reason.extractive.checklist import is_factual
from quaere.reason.extractive.comparisons.contrast import Contrast
from quaere.reason.extractive.conditions import limits
from quaere.reason.extractive.direct import Decision, decide
from quaere.reason.extractive.manuals.commands import code_below, standing
from quaere.reason.extractive.manuals.labels import labelled
from quaere.reason.extractive.parts_told import ToldPart, part_told, parts_of
from quaere.reason.extractive.pool import Line, Pool, cells, record
from quaere.reason.extractive.ranking import FIT_TO_SHOW, Leading, Ranking, needs_context, quality
from quaere.reason.extractive.tables.asked import RowsAnswer
from quaere.reason.extractive.yes_no import lacks_thing
from quaere.text.names import names
from quaere.text.tokens import stem, terms, tokenize, words

_DECIDED = frozenset({DirectKind.CHOICE, DirectKind.YES_NO})
PROVES = 0.1
"""Belief, as a share of the first line's, from which a further line is shown as proof."""
RIVALS = 0.4
"""From which share it comes before the lines that lead to the first one."""
PROOF, PROOF_WORDS = 3, 60
"""Sentences and words that prove the answer to one question about a fact, at most."""
LEAD_WORDS = 50
"""Words that the first two of them keep within where a further line does: what is read at a glance
and measured as the lead. So the lead holds the answer in .86 of the first half of 2Wiki (.84
before) and in .61 of the second half of HotpotQA (.58); on the other halves of these, of MuSiQue
and of BioASQ as often."""
ON_TOPIC = 0.75
"""What its page has to cover of the question, as a share of what the first line's does. Chosen on
the first half of five sets: the share of sentences from pages beside the point falls from .24 to
.21 and no lead is lost."""
BEARS = 0.3
"""As PROVES, for the further lines of an account."""
BEARS_ITSELF = 0.5
"""What such a line says of the question in its own words, as a share of what the first one says:
one that merely stands on the same page wanders."""
ACCOUNT_SENTENCES = 5
"""Sentences of an account, at most, but for what further questions ask."""
OPEN = 0.5
"""Most confidence in the answer to several questions while one of them is open."""
READ_TWICE = 6
"""Words from which a direct answer is not shown before a sentence that is mostly made of it."""
CONTEXT_WORDS = 45
"""Words up to which a sentence takes those before it along, to say what its "it" is."""
_FINDING = (
    r"(?:f(?:i|ou)nd|show(?:ed|n)?|report(?:ed)?|concluded?|reveal(?:ed)?|discover(?:ed)?"
    r"|establish(?:ed)?)"
)
_ASKS_FOR_FINDING = re.compile(rf"(?i)\bwhat (?:did|does|do|has|have)\b.*\b{_FINDING}\b")
_FINDS = re.compile(rf"(?i)\b{_FINDING}(?:e?s|ings?)?\b")
_POINTS_BACK = re.compile(
    r"(?i)\b(?:since then|therefore|as a result|hence|for (?:this|that) reason|(?:this|that) is why"
    r"|because of (?:this|that|it))\b"
)
_LINK = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)")
_LEADS_IN = (":", "：")
_SENTENCE_ENDS = frozenset(".!?:;…。！？：")
_THE = re.compile(r"The ([a-z]+)\b")
SAME = 0.6
"""Two sentences that share more of their terms than this say the same."""


def write_answer(
    question: Question,
    checklist: Checklist,
    pool: Pool,
    *,
    max_words: int,
    max_citations: int,
    nearness: Mapping[str, float] = MappingProxyType({}),
) -> tuple[Sentence, ...]:
    """Return the sentences of the answer, each with its evidence and an exact quote.

    The first proves the direct answer, which it carries; then come those that lead to it and those
    that further questions or sides of a comparison need. A fact gets its proof alone; an account,
    of why or how something is, continues with what bears on it as much. Nothing relevant gives no
    sentence.

    Args:
        question: What was asked.
        checklist: What the answer must contain, in order.
        pool: The evidence, read.
        max_words: Length that the answer keeps within.
        max_citations: Number of distinct passages that may be cited.
        nearness: How near lines, by their text, are to the question in meaning, as cosines.
    """
    ranking = Ranking(pool, question.text, nearness)
    decision = _decided(question.text, ranking)
    if decision is None:
        return ()
    needed = _needed(checklist, decision)
    factual = is_factual(question.text)
    if factual and not needed and not decision.whole:
        max_words = min(max_words, PROOF_WORDS)
    draft = _Draft(pool, max_words, max_citations)
    answered = _first_item(checklist)
    draft.under, draft.table = decision.under, decision.table
    draft.subjects = _subjects(question.text)
    for line in _ended(decision):
        draft.take(line, answered, whole=decision.whole)
    draft.take_limits(answered)
    proof = len(draft)
    if _needs_proof(decision):
        proof = _add_proof(draft, ranking, answered, factual=factual)
    served = {item.id: ranking.best_for(item) for item in needed}
    for item_id, line in served.items():
        if line is not None:
            draft.take(line, item_id)
    written = tuple(draft.sentences())
    parts = [part_told(item, served[item.id], written, ranking) for item in parts_of(needed)]
    is_open = any(item.status is not ItemStatus.SATISFIED for item in parts_of(checklist.items))
    return _led_by(decision, written, proof, parts, is_open=is_open)


def _decided(text: str, ranking: Ranking) -> Decision | None:
    """Return what ``text`` is answered with; None where the sources do not bear on it."""
    if not ranking.ranked:
        return None
    decision = decide(text, ranking.pool, ranking)
    bears = decision.whole or decision.both_sides or ranking.answers
    undecided = decision.kind is not DirectKind.YES_NO and lacks_thing(text, ranking.pool)
    return decision if bears and not undecided else None


def _ended(decision: Decision) -> tuple[Line, ...]:
    """Return the lines of ``decision``, the last without a colon where it leads in to nothing."""
    *before, last = decision.lines
    is_over = decision.whole and last.text.endswith(_LEADS_IN)
    return (*before, standing(last) if is_over else last)


def _first_item(checklist: Checklist) -> str | None:
    return checklist.items[0].id if checklist.items else None


def _subjects(text: str) -> frozenset[str]:
    """Return the stems of what ``text`` speaks of, where it names nothing."""
    return frozenset() if names(text) else frozenset(terms(text))


def _needs_proof(decision: Decision) -> bool:
    """Whether further lines may prove the decision: its own do not prove all of it."""
    return not decision.whole and decision.kind not in _DECIDED


def write_rows(
    rows: RowsAnswer, checklist: Checklist, *, max_words: int, max_citations: int
) -> tuple[Sentence, ...]:
    """Return the rows that answer over a whole table, the first with what they come to.

    As many are shown as there is room for; the direct answer says how many there are.

    Args:
        rows: What the rows of the table answer.
        checklist: What the answer must contain, in order.
        max_words: Length that the answer keeps within.
        max_citations: Number of distinct passages that may be cited.
    """
    draft = _Draft(rows.table.pool, max_words, max_citations)
    draft.table = Contrast(rows.lines, rows.columns)
    item = _first_item(checklist)
    for line in rows.lines:
        draft.take(line, item, whole=True)
    decision = Decision(rows.kind, rows.text, rows.lines, rows.confidence, whole=True)
    return _led_by(decision, tuple(draft.sentences()), len(draft), (), is_open=False)


def _needed(checklist: Checklist, decision: Decision) -> list[Item]:
    """Return what the answer must contain besides the first item.

    What leads to it shows in its proof.
    """
    shown = ("link", "side") if decision.both_sides else ("link",)
    return [item for item in checklist.items[1:] if not item.id.startswith(shown)]


def _add_account(draft: _Draft, ranking: Ranking, item: str | None) -> int:
    """Take the lines that continue an account; return how many lines prove its first one.

    It has no need of what leads to it, and each of its lines has to bear on the question by itself
    or to follow the first and say as much of what is asked. Asked for what was found, a line that
    names no finding is read on from: "The survey asked 5,100 workers about it. Most of them …".
    """
    first, *others = ranking.leading
    end, asked = first.rated.chain.end, first.rated.chain.asked
    if _ASKS_FOR_FINDING.search(ranking.question) and not _FINDS.search(end.text):
        asked = 0.0
    for after in _up_to_reason(end, draft, ranking):
        draft.take(after, item)
    own = BEARS_ITSELF * first.rated.chain.focus
    near = (
        each.rated.chain.end
        for each in others
        if (each.share >= BEARS * first.share and each.rated.chain.focus >= own > 0.0)
        or (_goes_on(end, each.rated.chain.end) and each.rated.chain.asked >= asked)
    )
    for line in islice(near, ACCOUNT_SENTENCES - 1):
        draft.take(line, item)
    return min(len(draft), PROOF)


def _up_to_reason(line: Line, draft: _Draft, ranking: Ranking) -> list[Line]:
    """Return the lines after ``line``, which lacks the reason that is asked for, up to the reason.

    Where no line nearby gives one, the next line alone.
    """
    run = list[Line]()
    if ranking.lacks_reason(line):
        while len(run) < PROOF and (after := draft.after(run[-1] if run else line)) is not None:
            run.append(after)
            if not ranking.lacks_reason(after):
                return run
    return run[:1]


def _add_proof(draft: _Draft, ranking: Ranking, item: str | None, *, factual: bool) -> int:
    """Take lines that compete with the first one, and those that lead to it; return their number.

    The former come before the latter only where they are about as likely.
    """
    if not factual:
        return _add_account(draft, ranking, item)
    lines = _further_lines(ranking, item)
    for line, of in lines:
        if len(draft) < 2:
            draft.take(line, of, within=LEAD_WORDS)
    for line, of in lines:
        if len(draft) < PROOF:
            draft.take(line, of)
    return len(draft)


def _further_lines(ranking: Ranking, item: str | None) -> list[tuple[Line, str | None]]:
    """Return what may prove the first line, the likeliest first, each with what it is taken for."""
    first, *others = ranking.leading
    others = [each for each in others if _is_on_topic(each, first, ranking)]
    rivals = [each for each in others if each.share >= RIVALS * first.share]
    rest = [each for each in others if PROVES <= each.share / first.share < RIVALS]
    return [*_for_item(rivals, item), *_helpers(first, ranking), *_for_item(rest, item)]


def _for_item(lines: Iterable[Leading], item: str | None) -> Iterator[tuple[Line, str | None]]:
    return ((each.rated.chain.end, item) for each in lines)


def _helpers(first: Leading, ranking: Ranking) -> list[tuple[Line, None]]:
    """Return the lines that lead to the ``first``; none where it says all by itself."""
    if ranking.whole:
        return []
    helpers = ranking.followed[1] if ranking.followed else first.rated.chain.helpers
    return [(helper, None) for helper in helpers]


def _is_on_topic(line: Leading, first: Leading, ranking: Ranking) -> bool:
    """Whether ``line`` may prove what ``first`` says: its page says as much of the question.

    Where the first says all that is asked, so does it. Where the question describes nothing by
    others, it has a word of it.
    """
    if ranking.whole:
        return line.rated in ranking.whole
    if not (ranking.describes or line.rated.chain.focus):
        return False
    return line.rated.chain.near >= ON_TOPIC * first.rated.chain.near


def _led_by(
    decision: Decision,
    written: tuple[Sentence, ...],
    proof: int,
    parts: Sequence[ToldPart | None],
    *,
    is_open: bool,
) -> tuple[Sentence, ...]:
    """Return ``written``, the first with the direct answer that it and the next ones prove.

    It tells of all ``parts`` that the question has besides, each in few words; where one of them
    takes a sentence, sentences answer, but for a yes or no or a choice, which no sentence says.
    While a part ``is_open``, the whole does not count as answered.
    """
    sure = min(decision.confidence, OPEN) if is_open else decision.confidence
    told = list(filter(None, parts))
    is_whole = len(told) == len(parts) or decision.kind in _DECIDED
    if _is_most_of(decision.text, written[0]) or not is_whole:
        decision = replace(decision, kind=DirectKind.SENTENCE)
    others = [each for each in written[1:proof] if _proves(each, decision)]
    if decision.kind is not DirectKind.SENTENCE:
        others += [part.sentence for part in told if part.sentence]
        decision = replace(decision, text="; ".join([decision.text, *(p.text for p in told)]))
    carrying = list(dict.fromkeys((written[0], *_code_below(written), *others)))
    direct = Direct(
        kind=decision.kind,
        text=_told_first(written) if decision.kind is DirectKind.SENTENCE else decision.text,
        evidence=tuple(dict.fromkeys(n for each in carrying for n in each.evidence)),
        quotes=tuple(quote for each in carrying for quote in each.quotes),
        confidence=round(sure, 3),
    )
    return (written[0].model_copy(update={"direct": direct}), *written[1:])


def _is_most_of(told: str, sentence: Sentence) -> bool:
    """Whether ``told`` is most of ``sentence``, and would be read twice if shown before it."""
    count = len(words(told))
    return count >= READ_TWICE and told in sentence.text and 2 * count >= len(words(sentence.text))


def _told_first(written: tuple[Sentence, ...]) -> str:
    """Return the first sentence, with the block of code below it."""
    first = written[0].text
    below = "".join(f"\n{code.text}" for code in _code_below(written))
    return f"{first.rstrip(':')}:{below}" if below else first


def _code_below(written: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    return tuple(each for each in written[1:2] if each.opens is Opens.CODE)


def _proves(sentence: Sentence, decision: Decision) -> bool:
    """Whether ``sentence`` helps to prove the direct answer, which the first one carries.

    One that competes with the first, and says something else, does not prove words out of it.
    """
    if decision.kind is DirectKind.SENTENCE:
        return False
    if decision.whole or decision.kind in _DECIDED:
        return True
    leads = sentence.item is None
    return leads or decision.text.casefold() in sentence.text.casefold()


class _Draft:
    """Lines taken so far, within the length and the number of citations."""

    def __init__(self, pool: Pool, max_words: int, max_citations: int) -> None:
        self._pool = pool
        self._max_words = self._words_left = max_words
        self._max_citations = max_citations
        self._taken: list[tuple[Line, str | None]] = []
        self._cited: set[int] = set()
        self.under = ""
        """The heading over the first line, where it has to be read with it."""
        self.table: Contrast | None = None
        """Whose rows are shown as a table."""
        self.subjects = frozenset[str]()
        """Stems of what the question speaks of, where it names nothing: who reads "The hulls are"
        knows which hulls are meant."""

    def __len__(self) -> int:
        """Return how many lines were taken."""
        return len(self._taken)

    def take(
        self, line: Line, item: str | None, *, whole: bool = False, within: int | None = None
    ) -> None:
        """Take ``line`` unless it says what is said already, or there is no room for it.

        What is ``whole`` is taken as it is, however little of a sentence: the item of a list. All
        that is taken keeps within as many words as ``within`` says, or else as the answer may have.
        """
        line = line if whole else self._understood(line)
        line = labelled(self._completed(line), self._pool)
        if self._says(line) or not self._may_have(line, whole=whole, within=within):
            return
        self._taken.append((line, item))
        self._cited.add(line.owner)
        self._words_left -= len(words(line.text))
        if not whole and line.text.endswith(_LEADS_IN):
            self._take_block(line, item)

    def _understood(self, line: Line) -> Line:
        """Return ``line`` with what explains it, where that is neither taken nor right before."""
        if any(_goes_on(before, line) for before, _ in self._taken):
            return line
        around = self._in_context(line)
        return line if any(_within(other, around) for other, _ in self._taken) else around

    def take_limits(self, item: str | None) -> None:
        """Take the lines that limit what the last one says: an exception, what is so otherwise."""
        while self._taken and (after := self.after(self._taken[-1][0])) is not None:
            taken = len(self)
            if limits(after.text):
                self.take(after, item)
            if len(self) == taken:
                return

    def after(self, line: Line) -> Line | None:
        """Return the line after ``line``, where that goes on from it."""
        following = self._pool.lines_of[line.owner][line.place + 1 : line.place + 2]
        return next((each for each in following if _continues(each)), None)

    def _says(self, line: Line) -> bool:
        """Whether what was taken says what ``line`` does."""
        return any(_alike(line, other) for other, _ in self._taken)

    def _may_have(self, line: Line, *, whole: bool, within: int | None) -> bool:
        """Whether ``line`` may be taken: the first one always, if its passage may be cited."""
        if line.owner not in self._cited and len(self._cited) >= self._max_citations:
            return False
        if not self._taken:
            return True
        return (whole or _is_fit_to_show(line)) and self._has_room(line, within)

    def _take_block(self, lead: Line, item: str | None) -> None:
        """Take the block of code to which ``lead`` leads in, as far as there is room for it."""
        block = code_below(lead, self._pool)
        if block is not None and len(words(block.text)) <= self._words_left:
            self._taken[-1] = (standing(lead), item)
            self._taken.append((block, item))
            self._words_left -= len(words(block.text))

    def _has_room(self, line: Line, within: int | None) -> bool:
        """Whether the answer may have ``line``, within so many words as readers count them."""
        if len(words(line.text)) > self._words_left:
            return False
        texts = [line.text, *(taken.text for taken, _ in self._taken)]
        return within is None or sum(len(text.split()) for text in texts) <= within

    def _in_context(self, line: Line) -> Line:
        """Return ``line`` with the ones before it that say what its "it" stands for.

        Alone where none does, or where that would be long. What begins a paragraph says it.
        """
        opens = _THE.match(line.text)
        if opens and stem(opens[1]) in self.subjects and not _POINTS_BACK.search(line.text):
            return line
        lines, first = self._pool.lines_of[line.owner], line
        written = self._pool.passages[line.owner].text
        while (needs := needs_context(first.text)) and first.place:
            if first is not line and written.endswith("\n\n", 0, first.start):
                needs = False
                break
            first = lines[first.place - 1]
            if first.heading or first.text.startswith("|") or not _ends(first.text):
                return line
        run = lines[first.place : line.place + 1]
        text = " ".join(written[first.start : line.end].split())
        if first is line or needs or len(words(text)) > CONTEXT_WORDS:
            return line
        spoken = frozenset[str]().union(*(each.terms for each in run))
        return replace(line, start=first.start, text=text, terms=spoken)

    def _completed(self, line: Line) -> Line:
        """Return ``line`` with what it leads in to, where it ends in a colon.

        Alone it tells nothing. That is the line after it, or as many items of a list as there is
        room for; no heading and no row.
        """
        if not line.text.endswith(_LEADS_IN):
            return line
        last = self._last_led_in(line)
        block = code_below(line, self._pool)
        if last is line or block is not None:
            return line if self._taken or block is not None else standing(line)
        run = self._pool.lines_of[line.owner][line.place : last.place + 1]
        spoken = frozenset[str]().union(*(each.terms for each in run))
        return replace(line, end=last.end, text=self._between(line, last), terms=spoken)

    def _last_led_in(self, line: Line) -> Line:
        """Return the last line that ``line`` leads in to; itself where there is none."""
        last, listed = line, False
        for after in self._pool.lines_of[line.owner][line.place + 1 :]:
            goes_on = after.listed or (_continues(after) and not listed and _tells(after))
            if not goes_on or len(words(self._between(line, after))) > PROOF_WORDS:
                break
            last, listed = after, after.listed
            if not listed:
                break
        return last

    def _between(self, first: Line, last: Line) -> str:
        """Return what is written from ``first`` to ``last``, lines of one passage, on one line."""
        return " ".join(self._pool.passages[first.owner].text[first.start : last.end].split())

    def sentences(self) -> Iterable[Sentence]:
        """Yield the sentences in reading order: the answer, then passage by passage."""
        turn: dict[int, int] = {}
        for line, _ in self._taken:
            turn.setdefault(line.owner, len(turn))
        first = self._taken[:1]
        rest = sorted(self._taken[1:], key=lambda pair: (turn[pair[0].owner], pair[0].place))
        while going := [pair for pair in rest if first and _goes_on(first[-1][0], pair[0])]:
            first += going[:1]
            rest.remove(going[0])
        for line, item in [*first, *rest]:
            yield self._sentence(line, item)

    def _sentence(self, line: Line, item: str | None) -> Sentence:
        passage = self._pool.passages[line.owner]
        end = _cut(passage.text, line.start, line.end, self._max_words)
        quote = Quote(
            passage=passage.id,
            text=passage.text[line.start : end],
            start=passage.start + line.start,
            end=passage.start + end,
        )
        return Sentence(
            text=f"{' '.join(quote.text.split())} …" if end < line.end else self._told(line),
            evidence=(self._pool.evidence[line.owner].id,),
            quotes=(quote,),
            item=item,
            opens=self._opens(line),
        )

    def _told(self, line: Line) -> str:
        """Return ``line`` as it is read: a row as a record, the first under its heading."""
        if line.text.startswith("|") or line in self._rows:
            return _as_record(line, self.table.columns if self.table else frozenset())
        is_headed = self.under and line is self._taken[0][0]
        if is_headed and not line.text.startswith(self.under):
            return f"{self.under}: {line.text}"
        return line.text

    def _opens(self, line: Line) -> Opens | None:
        """Return what ``line`` begins in the text: a block of code, or a row of several."""
        if line.is_block:
            return Opens.CODE
        return Opens.ROW if line in self._rows and len(self._rows) > 1 else None

    @property
    def _rows(self) -> tuple[Line, ...]:
        """The rows that are shown as a table."""
        return self.table.lines if self.table else ()


def _is_fit_to_show(line: Line) -> bool:
    return quality(line) >= FIT_TO_SHOW and not line.text.endswith(_LEADS_IN)


def _ends(text: str) -> bool:
    """Whether ``text`` ends as a sentence does: a title that nothing marks says no "it"."""
    return text.rstrip("\"'”’»)] ")[-1:] in _SENTENCE_ENDS


def _tells(line: Line) -> bool:
    """Whether ``line`` does not lead in to something itself: "Example:"."""
    return not line.text.endswith(_LEADS_IN)


def _continues(line: Line) -> bool:
    return not (line.heading or line.listed or line.columns or line.text.startswith("|"))


def _alike(line: Line, other: Line) -> bool:
    if line.text == other.text or _within(line, other):
        return True
    if line.columns and other.columns:  # rows of one table share what heads it
        return False
    union = line.terms | other.terms
    same = bool(union) and len(line.terms & other.terms) / len(union) > SAME
    return same and _have_same_figures(line, other)


def _have_same_figures(line: Line, other: Line) -> bool:
    """Whether one has all figures of the other."""
    one, another = (
        {term for term in each.terms if any(map(str.isdigit, term))} for each in (line, other)
    )
    return one <= another or another <= one


def _within(line: Line, other: Line) -> bool:
    return line.owner == other.owner and other.start <= line.start and line.end <= other.end


def _goes_on(before: Line, line: Line) -> bool:
    return (before.owner, before.place + 1) == (line.owner, line.place)


def _cut(text: str, start: int, end: int, max_words: int) -> int:
    """Return where ``text[start:end]`` has to end to have at most ``max_words`` words."""
    tokens = tokenize(text[start:end])
    return end if len(tokens) <= max_words else start + tokens[max_words - 1].end


def _as_record(line: Line, told: frozenset[str]) -> str:
    """Return a row of a table as "column: value; column: value", of the columns that are told."""
    values = record(line.text) or cells(line.text)
    if len(line.columns) != len(values):
        return "; ".join(filter(None, values))
    pairs = [(head, value) for head, value in zip(line.columns, values, strict=True) if value]
    chosen = [(head, value) for head, value in pairs if head in told] or pairs
    return "; ".join(starmap(_as_field, chosen))


def _as_field(head: str, value: str) -> str:
    head = _LINK.sub(r"\1", head)
    return f"{head}: {value}" if head else value
