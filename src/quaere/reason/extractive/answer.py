"""Writes an answer out of whole sentences of the sources, the most direct one first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from quaere.domain.question import Checklist, Item, ItemStatus, Question
from quaere.domain.report import Direct, DirectKind, Opens, Sentence
from quaere.reason.extractive.checklist import is_factual, item_kind
from quaere.reason.extractive.comparisons.contrast import Contrast
from quaere.reason.extractive.conditions import asks_remedy
from quaere.reason.extractive.decision import Decision
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.draft import LEADS_IN, MOST_COLUMNS, PROOF_WORDS, Draft, follows
from quaere.reason.extractive.lacking import lacks_thing
from quaere.reason.extractive.manuals.commands import standing
from quaere.reason.extractive.manuals.lists import steps_in
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.ranking import Leading, Ranking
from quaere.reason.extractive.spans import clear_span
from quaere.reason.extractive.tables.asked import CALCULATED, RowsAnswer
from quaere.text.languages.language import frame, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.tokens import terms, words

_DECIDED = frozenset({DirectKind.CHOICE, DirectKind.YES_NO})
PROVES = 0.1
"""Belief, as a share of the first line's, from which a further line is shown as proof."""
RIVALS = 0.4
"""From which share it comes before the lines that lead to the first one."""
PROOF = 3
"""Sentences that prove the answer to one question about a fact, at most."""
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
ACCOUNT_SENTENCES, ACCOUNT_UNSURE, UNSURE = 5, 3, 0.4
"""Sentences of an account, at most, but for what further questions ask; and where confidence in the
first is below the last, in which case the others wander off."""
OPEN = 0.5
"""Most confidence in the answer to several questions while one of them is open."""
READ_TWICE = 6
"""Words from which a direct answer is not shown before a sentence that is mostly made of it."""
STEPS_WORDS = 200
"""Words that steps may take in however short an answer: with one left out, nothing gets done."""
_FINDING = (
    r"(?:f(?:i|ou)nd|show(?:ed|n)?|report(?:ed)?|concluded?|reveal(?:ed)?|discover(?:ed)?"
    r"|establish(?:ed)?)"
)
_ASKS_FOR_FINDING = lazy_regex(rf"(?i)\bwhat (?:did|does|do|has|have)\b.*\b{_FINDING}\b")
_FINDS = lazy_regex(rf"(?i)\b{_FINDING}(?:e?s|ings?)?\b")
_ASKS_WHERE = lazy_regex(
    r"(?i)\b(?:where|link|url|site|website|webpage|page|address|docs|documentation|repository|repo)\b"
)
"""Asks for what may be where a link leads."""


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
    steps = steps_in(decision.lines if decision.whole else (), pool)
    if steps:
        max_words = max(max_words, STEPS_WORDS)
    elif not needed:
        max_words = _words_of_one_answer(question.text, decision, max_words)
    draft = _begun(question.text, decision, Draft(pool, max_words, max_citations))
    draft.steps = steps
    answered = _first_item(checklist)
    _take_decided(draft, decision, question.text, answered)
    proof = _add_proof(draft, decision, ranking, answered)
    served = _take_serving(draft, needed, ranking)
    written = tuple(draft.sentences())
    parts = [part_told(item, served[item.id], written, ranking) for item in parts_of(needed)]
    return _led_by(decision, written, proof, parts, is_open=_has_open_part(checklist))


def _words_of_one_answer(text: str, decision: Decision, max_words: int) -> int:
    """Return how many words answer ``text``, which asks one thing: few where that is a fact."""
    if decision.whole or not is_factual(text):
        return max_words
    return min(max_words, PROOF_WORDS)


def _take_decided(draft: Draft, decision: Decision, text: str, item: str | None) -> None:
    """Take the lines of ``decision``, and those after them that limit what they say."""
    for line in _ended(decision):
        draft.take(line, item, whole=decision.whole)
    draft.take_limits(item, with_next=not decision.whole and asks_remedy(text))


def _take_serving(
    draft: Draft, needed: Iterable[Item], ranking: Ranking
) -> Mapping[str, Line | None]:
    """Take the line that serves each item ``needed``; return it, if there is one, by the item."""
    served = {item.id: ranking.best_for(item) for item in needed}
    for item_id, line in served.items():
        if line is not None:
            draft.take(line, item_id)
    return served


def _has_open_part(checklist: Checklist) -> bool:
    """Whether something that the question asks besides its first part is not answered in full."""
    return any(item.status is not ItemStatus.SATISFIED for item in parts_of(checklist.items))


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
    is_over = decision.whole and last.text.endswith(LEADS_IN)
    return (*before, standing(last) if is_over else last)


def _begun(text: str, decision: Decision, draft: Draft) -> Draft:
    """Return ``draft`` with what it has to know of the question ``text`` and its ``decision``."""
    draft.under, draft.table = decision.under, decision.table
    draft.asked = frozenset(terms(text))
    draft.named = frozenset(name.text.lower() for name in names(text))
    draft.links = _ASKS_WHERE.search(text) is not None
    return draft


def _first_item(checklist: Checklist) -> str | None:
    return checklist.items[0].id if checklist.items else None


ROWS_SHOWN, OF_MANY = 25, 5
"""Rows of a whole table that are shown, at most, and where it is computed from more than those:
each is checked, and nobody reads hundreds."""


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
    draft = Draft(rows.table.pool, max_words, max_citations)
    draft.table = Contrast(rows.lines, _columns_shown(rows))
    item = _first_item(checklist)
    for line in _shown_of(rows):
        draft.take(line, item, whole=True)
    decision = Decision(rows.kind, rows.text, rows.lines, rows.confidence, whole=True)
    return _led_by(decision, tuple(draft.sentences()), len(draft), (), is_open=False)


def _columns_shown(rows: RowsAnswer) -> frozenset[str]:
    """Return the heads of the columns that are shown: all, where one would repeat the answer."""
    heads = rows.lines[0].columns
    return rows.columns if len(rows.columns) > 1 or len(heads) > MOST_COLUMNS else frozenset(heads)


def _shown_of(rows: RowsAnswer) -> list[Line]:
    """Return the rows that are shown: of those that look alike in the columns shown, one."""
    told: dict[tuple[str, ...], Line] = {}
    for line in rows.lines:
        cells = zip(line.columns, line.values, strict=False)
        told.setdefault(tuple(cell for head, cell in cells if head in rows.columns), line)
    is_sample = rows.confidence == CALCULATED and len(told) > ROWS_SHOWN
    return [*told.values()][: OF_MANY if is_sample else ROWS_SHOWN]


def _needed(checklist: Checklist, decision: Decision) -> list[Item]:
    """Return what the answer must contain besides the first item.

    What leads to it shows in its proof.
    """
    shown = ("link", "side") if decision.both_sides else ("link",)
    return [item for item in checklist.items[1:] if not item.id.startswith(shown)]


def _add_proof(draft: Draft, decision: Decision, ranking: Ranking, item: str | None) -> int:
    """Take further lines that prove ``decision``; return how many of the draft do.

    There are none where its own lines prove all of it.
    """
    if decision.whole or decision.both_sides or decision.kind in _DECIDED:
        return len(draft)
    if is_factual(ranking.question):
        return _add_rivals(draft, ranking, item)
    most = ACCOUNT_SENTENCES if decision.confidence >= UNSURE else ACCOUNT_UNSURE
    return _add_account(draft, ranking, item, most)


def _add_account(draft: Draft, ranking: Ranking, item: str | None, most: int) -> int:
    """Take the lines that continue an account; return how many lines prove its first one.

    It has no need of what leads to it, and each of its lines, ``most`` at most, has to bear on the
    question by itself or to follow the first and say as much of what is asked. Asked for what was
    found, a line that names no finding is read on from: "The survey asked 5,100 workers about it.
    Most of them …".
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
        or (follows(end, each.rated.chain.end) and each.rated.chain.asked >= asked)
    )
    for line in islice(near, most - 1):
        draft.take(line, item)
    return min(len(draft), PROOF)


def _up_to_reason(line: Line, draft: Draft, ranking: Ranking) -> list[Line]:
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


def _add_rivals(draft: Draft, ranking: Ranking, item: str | None) -> int:
    """Take lines that compete with the first one, and those that lead to it; return their number.

    The former come before the latter only where they are about as likely.
    """
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
    others, it has a word of it; but in other languages than English, whose sentences go on about
    somebody without saying so.
    """
    if ranking.whole:
        return line.rated in ranking.whole
    if is_english() and not (ranking.describes or line.rated.chain.focus):
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
    told = list(filter(None, parts))
    is_whole = len(told) == len(parts) or decision.kind in _DECIDED
    if _is_most_of(decision.text, written[0]) or not is_whole:
        decision = replace(decision, kind=DirectKind.SENTENCE)
    text, others = _told_first(written), list[Sentence]()
    if decision.kind is not DirectKind.SENTENCE:
        text = "; ".join([decision.text, *(part.text for part in told)])
        others = [each for each in written[1:proof] if _proves(each, decision)]
        others += [part.sentence for part in told if part.sentence]
    carrying = list(dict.fromkeys((written[0], *_code_below(written), *others)))
    sure = min(decision.confidence, OPEN) if is_open else decision.confidence
    direct = _carried_by(carrying, decision.kind, text, round(sure, 3))
    return (written[0].model_copy(update={"direct": direct}), *written[1:])


def _carried_by(
    carrying: Sequence[Sentence], kind: DirectKind, text: str, confidence: float
) -> Direct:
    return Direct(
        kind=kind,
        text=text,
        evidence=tuple(dict.fromkeys(n for each in carrying for n in each.evidence)),
        quotes=tuple(quote for each in carrying for quote in each.quotes),
        confidence=confidence,
    )


def _is_most_of(told: str, sentence: Sentence) -> bool:
    """Whether ``told`` is most of ``sentence``, and would be read twice if shown before it."""
    count = len(words(told))
    if told.strip(" .") == sentence.text.strip(" ."):
        return True
    return count >= READ_TWICE and told in sentence.text and 2 * count >= len(words(sentence.text))


def _told_first(written: tuple[Sentence, ...]) -> str:
    """Return the first sentence, with the block of code below it."""
    first = written[0].text
    below = "".join(f"\n{code.text}" for code in _code_below(written))
    return f"{first.rstrip(':.')}:{below}" if below else first


def _code_below(written: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    return tuple(each for each in written[1:2] if each.opens is Opens.CODE)


def _proves(sentence: Sentence, decision: Decision) -> bool:
    """Whether ``sentence`` helps to prove the direct answer, which the first one carries.

    One that competes with the first, and says something else, does not prove words out of it.
    """
    if decision.kind is DirectKind.SENTENCE:
        return False
    if decision.whole or decision.both_sides or decision.kind in _DECIDED:
        return True
    leads = sentence.item is None
    return leads or decision.text.casefold() in sentence.text.casefold()


class ToldPart(NamedTuple):
    """A part in a few words."""

    text: str
    sentence: Sentence | None = None
    """The one that proves it; None where the part is open."""


def parts_of(items: Iterable[Item]) -> list[Item]:
    """Return those of ``items`` that the question asks besides its first part."""
    return [item for item in items if item.id.startswith("part")]


def _left_open(item: Item) -> ToldPart:
    """Return that ``item`` was not found, or in part only."""
    said = frame()
    outcome = said.not_found if item.status is ItemStatus.UNSATISFIED else said.found_in_part
    return ToldPart(said.gap(f"{outcome[:1].lower()}{outcome[1:]}", item.description))


def part_told(
    item: Item, line: Line | None, written: Sequence[Sentence], ranking: Ranking
) -> ToldPart | None:
    """Return ``item`` as words of the ``line`` that serves it, or that it is open.

    None where it is answered, and not in a few words that a sentence of ``written`` has.
    """
    if item.status is not ItemStatus.SATISFIED:
        return _left_open(item)
    shown = (each for each in written if line is not None and line.text in each.text)
    sentence = next(shown, None)
    if line is None or sentence is None:
        return None
    title = ranking.pool.passages[line.owner].title
    about = frozenset(words(f"{ranking.question} {title}"))
    span = clear_span(item_kind(item), item.description, line.text, about)
    return ToldPart(span.text, sentence) if span else None
