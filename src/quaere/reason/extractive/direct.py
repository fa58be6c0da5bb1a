"""Decides what a question is answered with, in the fewest words that the sources allow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from quaere.domain.report import SURE, DirectKind
from quaere.domain.url import is_annals, needs_annals
from quaere.reason.extractive.certainty import is_contested, likely
from quaere.reason.extractive.comparisons.compare import decide_comparison
from quaere.reason.extractive.comparisons.contrast import (
    Contrast,
    find_contrast,
    find_parallels,
    find_told_apart,
)
from quaere.reason.extractive.contrary import is_contrary, is_of_other_turn
from quaere.reason.extractive.corrections import corrected
from quaere.reason.extractive.denials import asks_by_rule, is_meant_only
from quaere.reason.extractive.fields import find_field
from quaere.reason.extractive.lacking import (
    NAMED_IN_FULL,
    NAMES,
    has_in_one_clause,
    is_besides,
    is_of_another_name,
    is_short,
    lacks_answer,
    with_all_over,
)
from quaere.reason.extractive.leaning import SURELY, Leaning, lean, reports_findings
from quaere.reason.extractive.manuals.abbreviations import Expansion, find_expansion
from quaere.reason.extractive.manuals.bills import find_billed
from quaere.reason.extractive.manuals.codes import find_coded
from quaere.reason.extractive.manuals.commands import find_commands
from quaere.reason.extractive.manuals.configured import find_configured
from quaere.reason.extractive.manuals.defaults import find_default, is_on, lacks_default
from quaere.reason.extractive.manuals.definitions import find_definition
from quaere.reason.extractive.manuals.entries import Key, find_entry, find_key, find_row
from quaere.reason.extractive.manuals.enumerations import find_enumeration
from quaere.reason.extractive.manuals.event_labels import find_held
from quaere.reason.extractive.manuals.faq import Answered, answer_below, find_answered, find_section
from quaere.reason.extractive.manuals.kits import find_kit
from quaere.reason.extractive.manuals.labelled import find_headed_fact, find_labelled_value
from quaere.reason.extractive.manuals.lists import find_list
from quaere.reason.extractive.manuals.needs import NeededVersion, find_need, find_needed_version
from quaere.reason.extractive.manuals.options import Option, find_option
from quaere.reason.extractive.manuals.people import find_people
from quaere.reason.extractive.manuals.releases import find_release
from quaere.reason.extractive.manuals.sequences import find_sequence, is_within
from quaere.reason.extractive.manuals.totals import find_total
from quaere.reason.extractive.other_things import dates_another_deed
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.ruled import is_of_some_only, says_rule_alone
from quaere.reason.extractive.spans import Span, clear_span
from quaere.reason.extractive.statements.figures import find_change, find_figure
from quaere.reason.extractive.statements.years import find_years, lacks_years
from quaere.reason.extractive.tables.cell import find_cell
from quaere.reason.extractive.tables.described_rows import (
    Described,
    find_described,
    find_keys,
    names_of,
)
from quaere.reason.extractive.tables.legs import find_leg, is_of_other_leg
from quaere.reason.extractive.tables.worked_out import asks_by_how_much, is_reckoned
from quaere.reason.extractive.yes_no import Ground, YesNo, decide_yes_no
from quaere.text.languages.language import language_in_use
from quaere.text.tokens import stem, stems_of, terms

CERTAIN, BY_QUALITY, BY_OVERLAP = 0.95, 0.65, 0.6
"""Confidence in what two found dates or countries decide, in a choice by what fits better, and in a
yes or no by the words that two pages share or that most of a sentence holds."""
AGREED = 0.75
"""Confidence in a yes or no that one sentence says nearly all of, and the least in a line that says
all that is asked, as no other does, or to which relations lead. These four are, rounded down,
shares of right answers on the first half of the development questions."""
IN_TABLE = 0.9
"""Confidence in a cell whose row and head say all that is asked; less where they say less."""
UNDECIDED = 0.3
"""Most confidence in a sentence that is given where yes or no was asked for, or a choice."""
NEARLY = SURE - 0.05
"""Most confidence in a line that lacks what an answer has: just under what counts as answered."""
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


@dataclass(frozen=True, slots=True)
class Decision:
    """A direct answer, the lines that prove it in the order to be read, and how sure it is."""

    kind: DirectKind
    text: str
    lines: tuple[Line, ...]
    confidence: float
    """How likely the answer and its proof are right, from 0 to 1."""
    whole: bool = False
    """Whether the lines answer by their headings or their rows, and nothing need be added."""
    under: str = ""
    """The heading over the first line, where that decides."""
    table: Contrast | None = None
    """Where rows of a table answer: they are shown as one."""
    both_sides: bool = False
    """Whether the lines tell of both sides of a comparison."""


def decide(question: str, pool: Pool, ranking: Ranking) -> Decision:
    """Return what ``question`` is answered with.

    A choice by what is compared, a yes or no by what is asserted, else words of the kind asked for
    where the line that leads is clear. In all other cases the line itself leads.

    Args:
        question: What was asked.
        pool: The evidence, read; it bears on the question.
        ranking: Of its lines, for this question.
    """
    looked_up = _looked_up(question, pool)
    if looked_up is not None and not is_of_other_leg(question, looked_up.lines[0], pool):
        return _doubted(question, looked_up, pool)
    choice = decide_comparison(question, pool)
    if choice.winner:
        sure = CERTAIN if choice.by_value else BY_QUALITY
        winner = choice.winner[:1].upper() + choice.winner[1:]
        return Decision(DirectKind.CHOICE, winner, choice.lines, sure, both_sides=choice.by_value)
    agreed = _affirmed(question, pool, ranking)
    if agreed is not None:
        return agreed
    kind, sure = expected_kind(question), _confidence(ranking)
    if lacks_answer(question, kind, ranking) or is_contested(question, ranking):
        sure = min(sure, NEARLY)
    if choice.lines:
        sure = min(sure, UNDECIDED)
        return Decision(DirectKind.SENTENCE, choice.lines[0].text, choice.lines, sure)
    return _told(question, kind, ranking, sure)


def _doubted(question: str, found: Decision, pool: Pool) -> Decision:
    """Return what was ``found`` by its form, in doubt where it tells another thing than asked.

    That is of another turn, how something is set where its default is asked for, or what is done to
    a thing besides what one asks how to do.
    """
    told = " ".join(with_all_over(line, pool) for line in found.lines)
    lacks = lacks_default(last_question(question), told) or is_besides(question, found.lines, pool)
    if found.kind is DirectKind.SENTENCE and (not found.both_sides or asks_by_how_much(question)):
        lacks = lacks or is_reckoned(last_question(question), found.lines[0])
    lacks = lacks or (found.kind in _OF_TIMES and lacks_years(question, found.text))
    if lacks or is_of_other_turn(question, told):
        return replace(found, confidence=min(found.confidence, NEARLY))
    return found


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
        kind, text = DirectKind.YES_NO, _said(answer.says)
    return Decision(kind, text, answer.lines, sure, whole, answer.under)


def _says_all(question: str, answer: YesNo) -> bool:
    """Whether a rule says the few words of ``question``, or one clause of a line does."""
    text = answer.lines[0].text
    if asks_by_rule(question, text) or says_rule_alone(question, text):
        return True
    return answer.ground is Ground.SAID and has_in_one_clause(question, text)


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
    is_reckoned_row = is_reckoned(last_question(question), chain.end)
    if kind is Kind.YES_NO or is_reckoned_row or _is_row_without(kind, chain.end):
        sure = min(sure, UNDECIDED)  # a row, and no cell of it that answers
    return Decision(DirectKind.SENTENCE, chain.end.text, (chain.end,), sure)


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


def _looked_up(question: str, pool: Pool) -> Decision | None:
    """Return what stands where the question is answered by form: in a table, list or manual."""
    return next(filter(None, (look_up(question, pool) for look_up in _LOOK_UPS)), None)


def _figure(question: str, pool: Pool) -> Decision | None:
    """Return a figure of a statement."""
    found = find_figure(question, pool)
    if found is None:
        return None
    return Decision(DirectKind.NUMBER, found.text, found.lines, found.confidence, whole=True)


def _years(question: str, pool: Pool) -> Decision | None:
    """Return for which years a table has figures."""
    found = find_years(question, pool)
    return found and Decision(DirectKind.DATE, found.text, (found.line,), AGREED, whole=True)


def _change(question: str, pool: Pool) -> Decision | None:
    """Return whether a figure of a statement rose, or fell, as is asked."""
    found = find_change(question, pool)
    if found is None:
        return None
    return Decision(DirectKind.YES_NO, found.text, found.lines, found.confidence, whole=True)


def _field(question: str, pool: Pool) -> Decision | None:
    """Return a field of an event or a letter."""
    found = find_field(question, pool)
    if found is None:
        return None
    sure = AGREED if found.is_clear else NEARLY
    return Decision(found.kind, found.text, (found.line,), sure, whole=True)


def _billed(question: str, pool: Pool) -> Decision | None:
    """Return the sum of a bill; in doubt where several bills have one."""
    billed = find_billed(question, pool)
    if billed is None:
        return None
    sure = NEARLY if billed.others else AGREED
    lines = (billed.line, *billed.others)
    return Decision(DirectKind.NUMBER, billed.text, lines, sure, whole=True)


def _in_row(question: str, pool: Pool) -> Decision | None:
    """Return a cell of the row of a journey, or of any row."""
    leg = find_leg(question, pool)
    if leg is not None:
        return Decision(leg.kind, leg.text, (leg.line,), AGREED, whole=True)
    cell = find_cell(question, pool)
    if cell is None:
        return None
    sure = IN_TABLE * max(cell.covered, NAMED_IN_FULL)
    return Decision(cell.kind, cell.text, (cell.line,), sure, whole=True)


def _name(found: Key | NeededVersion | Expansion | Described | None) -> Decision | None:
    """Return the name that was ``found`` in a line."""
    if found is None:
        return None
    return Decision(DirectKind.NAME, found.text, (found.line,), AGREED, whole=True)


def _release(question: str, pool: Pool) -> Decision | None:
    """Return the version or the day of a release."""
    found = find_release(question, pool)
    if found is None:
        return None
    kind = DirectKind.DATE if found.kind is Kind.DATE else DirectKind.NAME
    return Decision(kind, found.text, (found.line,), AGREED, whole=True, under=found.heading)


def _labelled(question: str, pool: Pool) -> Decision | None:
    """Return the figure or the date after a label."""
    found = find_labelled_value(question, pool)
    if found is None:
        return None
    under = pool.headings_over(found.line).rpartition("\n")[2]
    kind = DirectKind.DATE if expected_kind(question) is Kind.DATE else DirectKind.NUMBER
    return Decision(kind, found.text, (found.line,), AGREED, whole=True, under=under)


def _held(question: str, pool: Pool) -> Decision | None:
    """Return where or when something was."""
    found = find_held(question, pool)
    if found is None:
        return None
    kind = DirectKind.DATE if found.is_date else DirectKind.NAME
    return Decision(kind, found.text, (found.line,), AGREED, whole=True)


def _people(question: str, pool: Pool) -> Decision | None:
    """Return all who belong to a group."""
    group = find_people(question, pool)
    if group is None:
        return None
    kind = DirectKind.NAME if group.text else DirectKind.SENTENCE
    return Decision(kind, group.text or group.lines[0].text, group.lines, AGREED, whole=True)


def _default(question: str, pool: Pool) -> Decision | None:
    """Return the value of a default, or the yes or no that it says to ``question``.

    Where its line has nothing of the question, the heading over it is told with it.
    """
    default = find_default(question, pool)
    if default is None:
        return None
    is_yes_no = expected_kind(question) is Kind.YES_NO
    says = is_on(last_question(question), default.text) if is_yes_no else None
    kind = DirectKind.NAME if says is None else DirectKind.YES_NO
    text = default.text if says is None else _said(says)
    over = pool.headings_over(default.lines[0]) if _is_bare(question, default.lines) else ""
    under = over.rpartition("\n")[2]
    return Decision(kind, text, default.lines, AGREED, whole=True, under=under)


def _is_bare(question: str, lines: Sequence[Line]) -> bool:
    """Whether ``lines`` are one alone, which has nothing of ``question`` but "default"."""
    asked = (term for term in terms(question) if term != stem("default"))
    return len(lines) == 1 and lines[0].terms.isdisjoint(asked)


def _configured(question: str, pool: Pool) -> Decision | None:
    """Return what a setting of a configuration file is set to, or the yes or no that it says."""
    found = find_configured(question, pool)
    if found is None:
        return None
    sure = AGREED if found.is_clear else NEARLY
    kind, text = DirectKind.NAME, found.text
    if found.says is not None:
        kind, text = DirectKind.YES_NO, _said(found.says)
    return Decision(kind, text, (found.line,), sure, whole=True)


def _keys(question: str, pool: Pool) -> Decision | None:
    """Return the first cells of rows, which list what was asked for, with all of them.

    Of a table that was cut there may be more.
    """
    rows = find_keys(question, pool)
    if not rows:
        return None
    table = Contrast(rows, frozenset(rows[0].columns))
    is_cut = any(pool.passages[row.owner].table_head for row in rows)
    sure = NEARLY if is_cut else AGREED
    return Decision(DirectKind.NAME, names_of(rows), rows, sure, whole=True, table=table)


def _in_manual(question: str, pool: Pool) -> Decision | None:
    """Return what a manual says under the same question, a label or a heading, or in a list."""
    outright = _told_outright(question, pool)
    if outright is not None:
        return outright
    option = find_option(question, pool)
    if option is not None and option.is_first:
        return _as_option(option)
    told = _both_sides(question, pool) or _as_whole(_listed(question, pool))
    if told is not None:
        return told
    return _as_option(option) if option is not None else _as_whole(find_section(question, pool))


_LOOK_UPS: Final[Sequence[Callable[[str, Pool], Decision | None]]] = (
    _years,
    _figure,
    _change,
    _field,
    _billed,
    _in_row,
    lambda question, pool: _name(find_key(question, pool)),
    _default,
    _configured,
    lambda question, pool: _name(find_needed_version(question, pool)),
    _release,
    lambda question, pool: _name(find_expansion(question, pool)),
    _labelled,
    _held,
    _people,
    _keys,
    lambda question, pool: _name(find_described(question, pool)),
    _in_manual,
)
"""What a question may be answered by, the first that has something."""


def _told_outright(question: str, pool: Pool) -> Decision | None:
    """Return a sum, what a source answers to the same question, or how it defines what is asked."""
    total = find_total(question, pool)
    if total is not None:
        return Decision(DirectKind.NUMBER, total.text, total.lines, AGREED, whole=True)
    answered = find_answered(question, pool)
    if answered is not None:
        return _as_answered(answered)
    need = find_need(question, pool)
    if need is not None:
        return Decision(DirectKind.YES_NO, _said(need.says), (need.line,), AGREED, whole=True)
    fact = find_headed_fact(question, pool)
    if fact is not None:
        return Decision(DirectKind.SENTENCE, fact.text, (fact,), AGREED, whole=True)
    definition = find_definition(question, pool)
    if definition is None:
        return None
    is_row = bool(definition.columns)
    return Decision(DirectKind.SENTENCE, definition.text, (definition,), AGREED, whole=is_row)


def _as_whole(lines: tuple[Line, ...]) -> Decision | None:
    """Return ``lines`` as an answer that needs no more; None without any."""
    if not lines:
        return None
    return Decision(DirectKind.SENTENCE, lines[0].text, lines, AGREED, whole=True)


def _as_option(option: Option) -> Decision:
    kind = DirectKind.NAME if option.is_asked else DirectKind.SENTENCE
    sure = NEARLY if option.has_rival else AGREED
    return Decision(kind, option.name, option.lines, sure, whole=True)


def _both_sides(question: str, pool: Pool) -> Decision | None:
    """Return how two things differ, by a table, parallel sentences or what is said of each."""
    table = find_contrast(question, pool)
    lines = table.lines if table else find_parallels(question, pool)
    lines = lines or find_told_apart(question, pool)
    if not lines:
        return None
    return Decision(
        DirectKind.SENTENCE,
        lines[0].text,
        lines,
        AGREED,
        whole=True,
        table=table,
        both_sides=True,
    )


def _listed(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return what answers of commands, entries or a list; changes and rights only as asked for."""
    items = _typed_or_in_turn(question, pool) or find_entry(question, pool)
    items = items or find_coded(question, pool)
    items = items or find_kit(question, pool) or find_list(question, pool)
    items = items or find_row(question, pool)
    if not items and (named := find_enumeration(question, pool)) is not None:
        items = (named,)
    told = all(is_annals(pool.passages[line.owner].url) for line in items)
    return () if told and not needs_annals(question) else items


def _typed_or_in_turn(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the steps by which something is done; the commands alone where they are of none."""
    commands = find_commands(question, pool)
    steps = find_sequence(question, pool)
    if not steps and expected_kind(question) is Kind.MANNER:
        steps = find_list(question, pool)
    return steps if is_within(commands, steps, pool) else commands or steps


def _as_answered(answered: Answered) -> Decision:
    """Return what a source answers to the same question, with the yes or no that it begins with."""
    lines = answered.lines
    if answered.says is None:
        return Decision(DirectKind.SENTENCE, lines[0].text, lines, AGREED, whole=True)
    return Decision(DirectKind.YES_NO, _said(answered.says), lines, AGREED, whole=True)


def _said(yes: bool) -> str:
    language = language_in_use()
    if language is None:
        return "Yes" if yes else "No"
    return language.frame.yes if yes else language.frame.no


def _confidence(ranking: Ranking) -> float:
    sure = likely(ranking)
    return max(sure, AGREED) if ranking.is_told else sure
