"""What a question is answered with by form: in a table, a list or a manual, whichever has it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from quaere.domain.report import DirectKind
from quaere.domain.url import is_annals, needs_annals
from quaere.reason.extractive.answer_fit import asks_means
from quaere.reason.extractive.comparisons.ages import Age, find_age
from quaere.reason.extractive.comparisons.contrast import (
    Contrast,
    find_contrast,
    find_parallels,
    find_told_apart,
)
from quaere.reason.extractive.comparisons.differences import Difference, find_difference
from quaere.reason.extractive.comparisons.same import Maker, find_shared_maker
from quaere.reason.extractive.comparisons.superlatives import find_foremost
from quaere.reason.extractive.counted import find_count
from quaere.reason.extractive.decision import AGREED, NEARLY, Decision, said
from quaere.reason.extractive.fields import find_field
from quaere.reason.extractive.filings.filed import counts_staff, find_filed, is_told_in_words
from quaere.reason.extractive.lacking import (
    NAMED_IN_FULL,
)
from quaere.reason.extractive.manuals.abbreviations import Expansion, find_expansion
from quaere.reason.extractive.manuals.bills import find_billed
from quaere.reason.extractive.manuals.codes import find_coded
from quaere.reason.extractive.manuals.commands import find_commands
from quaere.reason.extractive.manuals.configured import find_configured
from quaere.reason.extractive.manuals.defaults import find_default, is_on
from quaere.reason.extractive.manuals.definitions import find_definition
from quaere.reason.extractive.manuals.entries import Key, find_doing, find_entry, find_key, find_row
from quaere.reason.extractive.manuals.enumerations import find_enumeration
from quaere.reason.extractive.manuals.event_labels import find_held
from quaere.reason.extractive.manuals.faq import (
    Answered,
    find_answered,
    find_section,
    is_asked_there,
)
from quaere.reason.extractive.manuals.functions import find_function
from quaere.reason.extractive.manuals.kits import find_kit
from quaere.reason.extractive.manuals.labelled import find_headed_fact, find_labelled_value
from quaere.reason.extractive.manuals.lists import find_list
from quaere.reason.extractive.manuals.means import asked_deed, find_means
from quaere.reason.extractive.manuals.needs import NeededVersion, find_need, find_needed_version
from quaere.reason.extractive.manuals.options import Option, find_option
from quaere.reason.extractive.manuals.people import find_people
from quaere.reason.extractive.manuals.releases import find_release
from quaere.reason.extractive.manuals.sequences import find_sequence, is_within
from quaere.reason.extractive.manuals.totals import find_total
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import (
    Kind,
    asks_what_it_does,
    expected_kind,
    last_question,
)
from quaere.reason.extractive.statements.figures import find_change, find_figure
from quaere.reason.extractive.statements.versus import find_versus
from quaere.reason.extractive.statements.years import find_years
from quaere.reason.extractive.tables.cell import find_cell
from quaere.reason.extractive.tables.described_rows import (
    Described,
    find_described,
    find_keys,
    names_of,
)
from quaere.reason.extractive.tables.legs import find_leg
from quaere.text.tokens import stem, terms

_OF_SUMS = frozenset("$€£¥(-")
"""How a figure begins that is a sum of money, or below zero."""
IN_TABLE = 0.9
"""Confidence in a cell whose row and head say all that is asked; less where they say less."""


def looked_up(question: str, pool: Pool) -> Decision | None:
    """Return what stands where the question is answered by form: in a table, list or manual."""
    look_ups = (_asked_there, *_LOOK_UPS) if is_asked_there(question, pool) else _LOOK_UPS
    return next(filter(None, (look_up(question, pool) for look_up in look_ups)), None)


def _figure(question: str, pool: Pool) -> Decision | None:
    """Return a figure of a statement; none to what words alone can answer."""
    found = None if is_told_in_words(question) else find_figure(question, pool)
    if found is None or (counts_staff(question) and found.text[:1] in _OF_SUMS):
        return None
    return Decision(DirectKind.NUMBER, found.text, found.lines, found.confidence, whole=True)


def _versus(question: str, pool: Pool) -> Decision | None:
    """Return which of two lines of a statement is more."""
    found = find_versus(question, pool)
    if found is None:
        return None
    return Decision(
        DirectKind.CHOICE, found.text, found.lines, IN_TABLE, whole=True, both_sides=True
    )


def _filed(question: str, pool: Pool) -> Decision | None:
    """Return a fact that the report of a company tells."""
    filed = find_filed(question, pool)
    if filed is None:
        return None
    return Decision(filed.kind, filed.text, (filed.line,), filed.confidence, whole=True)


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
    if cell is None or (cell.kind is not DirectKind.NAME and _asks_in_words(question)):
        return None
    sure = IN_TABLE * max(cell.covered, NAMED_IN_FULL)
    return Decision(cell.kind, cell.text, (cell.line,), sure, whole=True)


def _asks_in_words(question: str) -> bool:
    """Return whether no figure answers: it is asked what something does, or how to do something."""
    return asks_what_it_does(question) or asks_means(question)


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


def _count(question: str, pool: Pool) -> Decision | None:
    """Return how many there are of something."""
    found = find_count(question, pool)
    if found is None:
        return None
    return Decision(DirectKind.NUMBER, found.text, (found.line,), AGREED, whole=True)


def _of_sides(kind: DirectKind, found: Maker | Difference | Age | None) -> Decision | None:
    """Return what was ``found`` by two facts, with the lines that tell them."""
    if found is None:
        return None
    return Decision(kind, found.text, tuple(dict.fromkeys(found.lines)), AGREED, both_sides=True)


def _foremost(question: str, pool: Pool) -> Decision | None:
    """Return which of several things is the most; in doubt, for there may be others elsewhere."""
    found = find_foremost(question, pool)
    if found is None:
        return None
    return Decision(DirectKind.NAME, found.text, found.lines, NEARLY, both_sides=True)


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
    text = default.text if says is None else said(says)
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
        kind, text = DirectKind.YES_NO, said(found.says)
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
    return (
        _told_outright(question, pool)
        or _with_option(question, pool)
        or _as_whole(find_section(question, pool))
    )


def _with_option(question: str, pool: Pool) -> Decision | None:
    """Return the option by which it is done, or else the commands, entries or list that tell it."""
    option = find_option(question, pool)
    if option is not None and option.is_first:
        return _as_option(option)
    told = _both_sides(question, pool) or _as_whole(_listed(question, pool))
    if option is None or (told and not _does_rather(question, option.lines, told.lines)):
        return told
    return _as_option(option)


def _does_rather(question: str, these: Sequence[Line], those: Sequence[Line]) -> bool:
    """Whether ``these`` are of the deed that ``question`` asks how to do, and ``those`` do not."""
    deed = asked_deed(question)
    if not deed:
        return False
    told, other = (any(deed in line.terms for line in lines) for lines in (these, those))
    return told and not other


_LOOK_UPS: Final[Sequence[Callable[[str, Pool], Decision | None]]] = (
    _filed,
    _years,
    _versus,
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
    _count,
    lambda question, pool: _of_sides(DirectKind.NAME, find_shared_maker(question, pool)),
    lambda question, pool: _of_sides(DirectKind.NUMBER, find_difference(question, pool)),
    lambda question, pool: _of_sides(DirectKind.NUMBER, find_age(question, pool)),
    _foremost,
    _people,
    _keys,
    lambda question, pool: _name(find_described(question, pool)),
    _in_manual,
)
"""What a question may be answered by, the first that has something."""


def _told_outright(question: str, pool: Pool) -> Decision | None:
    """Return a sum, what a source answers to the same question, or how it defines what is asked."""
    return next(filter(None, (each(question, pool) for each in _OUTRIGHT)), None)


def _totalled(question: str, pool: Pool) -> Decision | None:
    """Return the sum of a bill or an account."""
    total = find_total(question, pool)
    return total and Decision(DirectKind.NUMBER, total.text, total.lines, AGREED, whole=True)


def _asked_there(question: str, pool: Pool) -> Decision | None:
    """Return what a source answers to the same question.

    A row of a table of terms goes before the section that is headed by the name alone.
    """
    answered = find_answered(question, pool)
    if answered is None:
        return None
    defined = None if answered.is_asked else find_definition(question, pool)
    return None if defined and defined.columns else _as_answered(answered)


def _needed(question: str, pool: Pool) -> Decision | None:
    """Return whether something is needed."""
    need = find_need(question, pool)
    return need and Decision(DirectKind.YES_NO, said(need.says), (need.line,), AGREED, whole=True)


def _headed_fact(question: str, pool: Pool) -> Decision | None:
    """Return what stands below a heading; none where a list does."""
    fact = find_headed_fact(question, pool)
    if fact is None or find_list(question, pool):
        return None
    return Decision(DirectKind.SENTENCE, fact.text, (fact,), AGREED, whole=True)


def _defined(question: str, pool: Pool) -> Decision | None:
    """Return how a source defines what is asked."""
    line = find_definition(question, pool)
    if line is None:
        return None
    return Decision(DirectKind.SENTENCE, line.text, (line,), AGREED, whole=bool(line.columns))


_OUTRIGHT: Final[Sequence[Callable[[str, Pool], Decision | None]]] = (
    _totalled,
    _asked_there,
    lambda question, pool: _as_whole(find_function(question, pool)),
    _needed,
    _headed_fact,
    _defined,
)


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
    items = next(filter(None, (find(question, pool) for find in _IN_LISTS)), ())
    told = all(is_annals(pool.passages[line.owner].url) for line in items)
    return () if told and not needs_annals(question) else items


def _kit_or_list(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the items of a list; none to what something does, which is not what is in one."""
    if asks_what_it_does(question):
        return ()
    return find_kit(question, pool) or find_list(question, pool)


def _enumerated(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the line that names all that is asked for, if one does."""
    named = find_enumeration(question, pool)
    return () if named is None else (named,)


def _typed_or_in_turn(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the steps by which something is done; the commands alone where they are of none."""
    ways = (find_commands, find_means, find_doing)
    commands = next(filter(None, (find(question, pool) for find in ways)), ())
    steps = find_sequence(question, pool)
    if not steps and expected_kind(question) is Kind.MANNER:
        steps = find_list(question, pool)
    return steps if is_within(commands, steps, pool) else commands or steps


def _as_answered(answered: Answered) -> Decision:
    """Return what a source answers to the same question, with the yes or no that it begins with."""
    lines = answered.lines
    if answered.says is None:
        return Decision(DirectKind.SENTENCE, lines[0].text, lines, AGREED, whole=True)
    return Decision(DirectKind.YES_NO, said(answered.says), lines, AGREED, whole=True)


_IN_LISTS: Final[Sequence[Callable[[str, Pool], tuple[Line, ...]]]] = (
    _typed_or_in_turn,
    find_entry,
    find_coded,
    _kit_or_list,
    find_row,
    _enumerated,
)
"""Where what is listed is looked for, in turn."""
