"""Decides what a question is answered with, in the fewest words that the sources allow."""

from __future__ import annotations

from dataclasses import replace

from quaere.domain.report import DirectKind
from quaere.reason.extractive.certainty import is_contested, likely
from quaere.reason.extractive.comparisons.compare import Choice, decide_comparison
from quaere.reason.extractive.comparisons.conversions import converted
from quaere.reason.extractive.comparisons.lasting import lasted
from quaere.reason.extractive.comparisons.superlatives import lacks_superlative
from quaere.reason.extractive.contrary import is_contrary, is_of_other_turn
from quaere.reason.extractive.corrections import corrected
from quaere.reason.extractive.decision import AGREED, NEARLY, Decision, said
from quaere.reason.extractive.denials import asks_by_rule, is_meant_only, lacks_denial
from quaere.reason.extractive.lacking import (
    NAMES,
    has_in_one_clause,
    is_besides,
    is_of_another_name,
    is_short,
    lacks_answer,
    with_all_over,
)
from quaere.reason.extractive.leaning import SURELY, Leaning, lean, reports_findings
from quaere.reason.extractive.look_ups import looked_up
from quaere.reason.extractive.manuals.defaults import lacks_default
from quaere.reason.extractive.manuals.faq import answer_below
from quaere.reason.extractive.manuals.ways import is_told_loosely
from quaere.reason.extractive.other_things import dates_another_deed
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.reason.extractive.questions.parts import comparison
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.ruled import is_of_some_only, says_rule_alone
from quaere.reason.extractive.spans import Span, clear_span
from quaere.reason.extractive.statements.years import lacks_years
from quaere.reason.extractive.tables.legs import is_of_other_leg
from quaere.reason.extractive.tables.worked_out import asks_by_how_much, is_reckoned
from quaere.reason.extractive.things_counted import counts_other
from quaere.reason.extractive.yes_no import Ground, YesNo, decide_yes_no
from quaere.text.languages.language import in_english, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stems_of, terms

CERTAIN, BY_QUALITY, BY_OVERLAP = 0.95, 0.65, 0.6
"""Confidence in what two found dates or countries decide, in a choice by what fits better, and in a
yes or no by the words that two pages share or that most of a sentence holds."""
UNDECIDED = 0.3
"""Most confidence in a sentence that is given where yes or no was asked for, or a choice."""
PRINTED = 0.4
"""Belief in the first line from which words out of it are printed by themselves."""

_SPANS = frozenset({Kind.DATE, Kind.NUMBER, Kind.PERSON, Kind.PLACE})
"""Kinds whose spans are printed; names of other kinds were right in one of six."""

_CELLS = _SPANS | {Kind.ORGANIZATION}
"""Kinds of which one cell of a row can be the answer."""
_OF_ROWS = _CELLS | NAMES
"""Kinds of which a whole row is not a certain answer."""
_OF_TIMES = frozenset({DirectKind.DATE, DirectKind.NUMBER})
_OF_REASONS = stems_of(
    "reason cause why ground grounds note comment remark explanation rationale purpose because"
)
"""What heads a column of reasons."""
_BY_GROUND = {
    Ground.READ: CERTAIN,
    Ground.SAID: AGREED,
    Ground.SHARED: BY_OVERLAP,
    Ground.LACKING: NEARLY,
    Ground.LISTED: AGREED,
}


def decide(question: str, pool: Pool, ranking: Ranking) -> Decision:
    """Return what ``question`` is answered with.

    A choice by what is compared, a yes or no by what is asserted, else words of the kind asked for
    where the line that leads is clear. In all other cases the line itself leads.

    Args:
        question: What was asked.
        pool: The evidence, read; it bears on the question.
        ranking: Of its lines, for this question.
    """
    found, choice = looked_up(question, pool), decide_comparison(question, pool)
    if found is not None and _may_answer(found, choice, question, pool):
        return _doubted(question, found, pool)
    if choice.winner:
        sure = CERTAIN if choice.by_value and choice.is_plain else BY_QUALITY
        winner = choice.winner[:1].upper() + choice.winner[1:]
        return Decision(DirectKind.CHOICE, winner, choice.lines, sure, both_sides=choice.by_value)
    agreed = _affirmed(question, pool, ranking)
    if agreed is not None:
        return agreed
    kind, sure = expected_kind(question), _confidence(ranking)
    end = ranking.leading[0].rated.chain.end
    if (reckoned := _reckoned(last_question(question), end, sure)) is not None:
        return reckoned
    if _is_doubtful(question, kind, ranking):
        sure = min(sure, NEARLY)
    if choice.lines:
        sure = min(sure, UNDECIDED)
        return Decision(DirectKind.SENTENCE, choice.lines[0].text, choice.lines, sure)
    if _asks_for_one(question):
        sure = min(sure, UNDECIDED)
    return _told(question, kind, ranking, sure)


def _asks_for_one(question: str) -> bool:
    """Whether ``question`` asks which of two it is."""
    text = last_question(question)
    return is_english() and " or " in text and comparison(text) is not None


def _reckoned(question: str, line: Line, sure: float) -> Decision | None:
    """Return what is reckoned from ``line``: a time between two dates, an amount in another unit.

    What a table holds is looked up there.
    """
    if line.columns:
        return None
    if (time := lasted(question, line.text)) is not None:
        return Decision(DirectKind.NUMBER, time, (line,), min(sure, BY_QUALITY))
    if (amount := converted(question, line.text)) is not None:
        return Decision(DirectKind.NUMBER, amount, (line,), sure)
    return None


def _is_doubtful(question: str, kind: Kind, ranking: Ranking) -> bool:
    """Whether the line that leads lacks what an answer has, or others are as good."""
    if lacks_answer(question, kind, ranking) or is_contested(question, ranking):
        return True
    end = ranking.leading[0].rated.chain.end
    if counts_other(last_question(question), end.text):
        return True
    return not end.columns and lacks_superlative(question, end.text)


def _may_answer(found: Decision, choice: Choice, question: str, pool: Pool) -> bool:
    """Whether what was ``found`` by its form answers: no sentence does where a side is chosen."""
    if choice.winner and found.kind is DirectKind.SENTENCE:
        return False
    return not is_of_other_leg(question, found.lines[0], pool)


def _doubted(question: str, found: Decision, pool: Pool) -> Decision:
    """Return what was ``found`` by its form, in doubt where it tells another thing than asked.

    That is of another turn, how something is set where its default is asked for, what is so where
    it is asked what is not, or what is done besides, or to another thing than, one asks how to do.
    """
    told = " ".join(with_all_over(line, pool) for line in found.lines)
    asked = last_question(question)
    is_doubtful = (
        lacks_default(asked, told)
        or lacks_denial(told, asked)
        or is_besides(question, found.lines, pool)
        or is_of_other_turn(question, told)
        or is_told_loosely(question, found.lines, pool)
        or _lacks_figures(question, found)
    )
    return replace(found, confidence=min(found.confidence, NEARLY)) if is_doubtful else found


def _lacks_figures(question: str, found: Decision) -> bool:
    """Whether ``found`` is a row where more than one is needed, or one year of several."""
    if found.kind in _OF_TIMES:
        return lacks_years(question, found.text)
    is_row = found.kind is DirectKind.SENTENCE
    is_alone = not found.both_sides or asks_by_how_much(question)
    return is_row and is_alone and is_reckoned(last_question(question), found.lines[0])


def _affirmed(question: str, pool: Pool, ranking: Ranking) -> Decision | None:
    """Return a yes or no, as reports of findings lean or as a line asserts it."""
    answer = decide_yes_no(question, pool)
    leaning = _leaning(question, answer, ranking)
    if leaning is not None:
        return Decision(DirectKind.YES_NO, leaning.text, leaning.lines, _as_sure(leaning))
    return None if answer is None else _as_yes_no(question, answer, pool)


def _as_yes_no(question: str, answer: YesNo, pool: Pool) -> Decision:
    """Return ``answer``; less of it is believed in few words, and on pages that lean neither way.

    On such a page a sentence with the words of the question tells as often what was done.
    """
    sure, whole = _BY_GROUND[answer.ground], answer.ground in {Ground.SAID, Ground.LISTED}
    if answer.ground not in {Ground.READ, Ground.LISTED} and not answer.under:
        if is_short(question) and not _says_all(question, answer):
            sure = min(sure, UNDECIDED)
        elif reports_findings(last_question(question), pool):
            sure = min(sure, NEARLY)
    if _is_of_some(question, answer):
        sure = min(sure, NEARLY)
    return _told_as(answer, sure, whole=whole)


def _is_of_some(question: str, answer: YesNo) -> bool:
    """Whether ``answer`` is a yes by a line that says it of some things only."""
    return bool(answer.says) and is_of_some_only(question, answer.lines[0].text)


def _told_as(answer: YesNo, sure: float, *, whole: bool) -> Decision:
    """Return ``answer`` as yes or no, or as its sentence where it says neither."""
    if answer.says is None:
        kind, text = DirectKind.SENTENCE, answer.lines[0].text
    else:
        kind, text = DirectKind.YES_NO, said(answer.says)
    return Decision(kind, text, answer.lines, sure, whole, answer.under)


def _says_all(question: str, answer: YesNo) -> bool:
    """Whether a rule says the few words of ``question``, or one clause of a line does."""
    text = answer.lines[0].text
    if says_rule_alone(question, text):
        return True
    is_said = answer.ground is Ground.SAID
    return is_said and (asks_by_rule(question, text) or has_in_one_clause(question, text))


def _leaning(question: str, answer: YesNo | None, ranking: Ranking) -> Leaning | None:
    """Return which way reports of findings lean, unless ``answer`` was read off or denies it.

    Of such pages a sentence with the words of the question tells as often what was done as what
    was found: of 33 that seemed to say yes or no on the first half of PubMedQA 17 said it rightly.
    """
    is_read = answer is not None and (answer.ground is Ground.READ or answer.under != "")
    if is_read or expected_kind(question) is not Kind.YES_NO:
        return None
    is_named = not is_of_another_name(ranking.leading[0].rated.chain, ranking)
    leaning = lean(last_question(question), ranking.pool) if is_named else None
    return None if _contradicts(answer, leaning) else leaning


def _contradicts(answer: YesNo | None, leaning: Leaning | None) -> bool:
    """Whether a sentence that holds nearly all of the question denies an unsure ``leaning``."""
    if answer is None or leaning is None or answer.ground is not Ground.SAID:
        return False
    return leaning.belief < SURELY and answer.says is (not leaning.says)


def _as_sure(leaning: Leaning) -> float:
    return leaning.belief if leaning.belief >= SURELY else NEARLY


def _told(question: str, kind: Kind, ranking: Ranking, sure: float) -> Decision:
    """Return the line that leads, or words out of it that answer a question of that ``kind``."""
    chain = ranking.leading[0].rated.chain
    if chain.end.setting:
        sure = min(sure, NEARLY)  # by its name, it would be sure
    if (lines := corrected(ranking)) is not None:
        return Decision(DirectKind.SENTENCE, lines[0].text, lines, sure)
    if lines := answer_below(chain.end, ranking.pool):
        return Decision(DirectKind.SENTENCE, lines[0].text, lines, sure, whole=True)
    span = _printed_span(kind, question, ranking)
    if span is not None:
        lacks = lacks_years(question, span.text)
        if lacks or chain.end.columns or _has_rival(kind, question, span, ranking):
            sure = min(sure, NEARLY)  # looked up in a table, it would be sure
        return Decision(span.kind, span.text, (chain.end,), sure)
    if kind is Kind.REASON and (before := _cause_of(chain.end, ranking.pool)):
        return Decision(DirectKind.SENTENCE, before.text, (before, chain.end), sure)
    is_reckoned_row = is_reckoned(last_question(question), chain.end)
    if kind is Kind.YES_NO or is_reckoned_row or _is_row_without(kind, chain.end):
        sure = min(sure, UNDECIDED)  # a row, and no cell of it that answers
    return Decision(DirectKind.SENTENCE, chain.end.text, (chain.end,), sure)


_FOLLOWS = lazy_regex(
    r"(?i)(?:as a (?:result|consequence)|therefore|thus|hence|consequently|for (?:this|that) reason"
    r"|because of (?:this|that)|(?:this|that) is why)\b"
)
"""How a sentence begins that follows from the one before it."""


def _cause_of(line: Line, pool: Pool) -> Line | None:
    """Return the line before ``line`` that gives the reason for it, if it begins so."""
    if not line.place or in_english(_FOLLOWS.match, line.text) is None:
        return None
    before = pool.lines_of[line.owner][line.place - 1]
    return None if before.heading or before.columns else before


def _is_row_without(kind: Kind, line: Line) -> bool:
    """Whether ``line`` is a row, and an answer of that ``kind`` would be one cell of it.

    A reason is under a head that says so.
    """
    if not line.columns or kind is not Kind.REASON:
        return bool(line.columns) and kind in _OF_ROWS
    return _OF_REASONS.isdisjoint(terms(" ".join(line.columns)))


def _printed_span(kind: Kind, question: str, ranking: Ranking) -> Span | None:
    """Return the words of the line that leads which answer by themselves, where it is clear."""
    first = ranking.leading[0]
    line = first.rated.chain.end
    is_likely = first.share >= PRINTED or ranking.is_told
    if kind not in _SPANS or not is_likely or _is_aside(line, question, ranking):
        return None
    span = clear_span(kind, question, line.text, ranking.titled(first.rated.chain))
    return None if span is None or _is_disputed(kind, question, span, ranking) else span


def _is_aside(line: Line, question: str, ranking: Ranking) -> bool:
    if ranking.is_of_namesake(line) or is_meant_only(line.text, question):
        return True
    return is_contrary(question, line.text) or dates_another_deed(question, line.text)


def _is_disputed(kind: Kind, question: str, span: Span, ranking: Ranking) -> bool:
    """Whether another line says all that is asked, with another answer than ``span``."""
    chains = (rated.chain for rated in ranking.whole)
    told = (clear_span(kind, question, c.end.text, ranking.titled(c)) for c in chains)
    others = (each.text.casefold() for each in told if each is not None)
    said = span.text.casefold()
    return any(said not in other and other not in said for other in others)


def _has_rival(kind: Kind, question: str, span: Span, ranking: Ranking) -> bool:
    """Whether another line of the same page says as much of what is asked, and not ``span``."""
    first, *others = (each.rated.chain for each in ranking.leading)
    page = ranking.pool.passages[first.end.owner].url
    for other in others:
        is_beside = ranking.pool.passages[other.end.owner].url == page
        if is_beside and other.own >= first.own and other.asked >= first.asked:
            told = clear_span(kind, question, other.end.text, ranking.titled(other))
            if told is not None and told.text != span.text:
                return True
    return False


def _confidence(ranking: Ranking) -> float:
    sure = likely(ranking)
    return max(sure, AGREED) if ranking.is_told else sure
