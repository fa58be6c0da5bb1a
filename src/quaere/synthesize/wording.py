"""What is shown of a run in words and columns: outcomes, costs, and what its sources are called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from enum import Enum, auto
from functools import cache
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote, urlsplit

from quaere.domain.evidence import Evidence
from quaere.domain.model import ModelCall
from quaere.domain.question import ItemStatus
from quaere.domain.report import (
    WORDING_DIFFERS,
    AnswerStatus,
    CheckedBy,
    Checks,
    Degradation,
    Quote,
    Report,
    Sentence,
    Support,
)
from quaere.domain.source import Passage
from quaere.domain.url import ABSTRACT, FULL_TEXT, url2pathname
from quaere.domain.verdict import StopReason
from quaere.synthesize.inert import one_line, plain, visible
from quaere.text.languages.language import ENGLISH_FRAME, Frame, Headings, frame
from quaere.text.languages.phrases import ENGLISH_REASONS, Account, Reasons, tell
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tables import cells, is_rule

MAX_TITLE_CHARS: Final = 200
"""Longer titles are cut: a page chooses its own, and some put an article there."""


def locator_of(entry: Evidence, passage: Passage, quote: Quote) -> str:
    """Return where in its source ``quote`` of ``passage`` is: "page 3", "rows 2-5"."""
    place = passage.place_at(quote.start, quote.end)
    return visible(place or passage.locator or entry.locator)


def shown_title(entry: Evidence, passage: Passage, url: str, locator: str) -> str:
    """Return what a source is called where it is shown: its title, else where it is."""
    place = _place(url, located=bool(locator))
    title = plain(passage.title or entry.title) or plain(place) or "Untitled"
    return headline(title, MAX_TITLE_CHARS)


_EMPTY_CELL = "–"


def found_and_left(direct: str) -> tuple[str, str]:
    """Return what a ``direct`` answer to several questions tells, and which of them it leaves.

    No source is cited for what was not found.
    """
    said = frame()
    outcomes = (
        f"; {each[:1].lower()}{each[1:]}{said.colon}" for each in (said.uncertain, said.not_found)
    )
    starts = [place for each in outcomes if (place := direct.find(each)) > 0]
    cut = min(starts, default=len(direct))
    return direct[:cut], direct[cut:].removeprefix("; ")


def quote_line(quote: str) -> str:
    """Return ``quote`` as `one_line` does, with one mark between the rows of a table in it.

    It also stands on both sides of a heading, in place of what marks it as one.
    """
    told: list[str] = []
    before = _Kind.PROSE
    for kind, line in _lines_told(quote):
        parted = kind is before is _Kind.ROW or _Kind.HEADING in {kind, before}
        told += [" / " if parted else " "] if told else []
        told.append(line)
        before = kind
    return one_line("".join(told))


class _Kind(Enum):
    """What a line of a quote is."""

    PROSE = auto()
    ROW = auto()
    HEADING = auto()


_HEADING = re.compile(r"#{1,6} (?=\S)")


def _lines_told(quote: str) -> Iterator[tuple[_Kind, str]]:
    """Yield the lines of ``quote`` that say something, as they are shown.

    A heading stands alone between empty lines; a comment in code has other lines next to it.
    """
    lines = quote.splitlines()
    for before, line, after in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        kind, shown = _Kind.PROSE, line
        if cells(line) is not None:
            kind, shown = _Kind.ROW, _cells_told(line)
        elif (marked := _HEADING.match(line)) and not (before.strip() or after.strip()):
            kind, shown = _Kind.HEADING, line[marked.end() :]
        if shown.strip():
            yield kind, shown


def _cells_told(row: str) -> str:
    return "" if is_rule(row) else " | ".join(cell or _EMPTY_CELL for cell in cells(row) or [])


def location(url: str, locator: str) -> str:
    """Return where a source is, for people: its path or URL, and the place in it."""
    place, inside = _place(url, located=bool(locator)), visible(locator)
    return ", ".join(filter(None, (place or "no address", *_records(url, inside))))


def _records(url: str, locator: str) -> Iterable[str]:
    """Return the records of a file in which a place is, and ``locator`` that says where in them.

    Such as "message 9", "attachment 1" and "row 3". The innermost is named by ``locator`` where
    both tell the same sort of place, since a quote may go over several.
    """
    parts = urlsplit(url)
    if parts.scheme != "file" or not locator:
        return (locator,)
    named = [visible(each.replace("=", " ", 1)) for each in unquote(parts.fragment).split("&")]
    if _noun(named[-1]) == _noun(locator):
        named.pop()
    return dict.fromkeys((*named, locator))


def _noun(place: str) -> str:
    return place.partition(" ")[0].removesuffix("s")


def _place(url: str, *, located: bool) -> str:
    """Return the path of a file, or the URL of anything else.

    The fragment names a record of the file; it goes when the record is ``located`` in words.
    """
    parts = urlsplit(url)
    if parts.scheme != "file":
        return url
    path = visible(url2pathname(parts.path))
    return path if located or not parts.fragment else f"{path}#{visible(unquote(parts.fragment))}"


def stop_reasons_in(said: Account) -> Mapping[StopReason, str]:
    """Return why searches end; each completes "the search ended because"."""
    return MappingProxyType(
        {
            StopReason.SUFFICIENT: said.sufficient,
            StopReason.NO_NEW_INFORMATION: said.nothing_new,
            StopReason.MAX_ITERATIONS: said.loops_over,
            StopReason.BUDGET_EXHAUSTED: said.budget_used,
            StopReason.TIMEOUT: said.time_up,
            StopReason.DEGRADED: said.degraded,
            StopReason.CANCELLED: said.cancelled,
            StopReason.ERROR: said.failed,
        }
    )


STOP_REASONS = stop_reasons_in(ENGLISH_FRAME.account)


def stopped(report: Report, said: Account) -> str:
    """Return why the search ended, as a sentence with its code; see `why_it_ended`."""
    why = why_it_ended(report, said)
    return tell(said, said.stopped, reason=why, code=report.stop_reason) if why else ""


def why_it_ended(report: Report, said: Account) -> str:
    """Return why the search ended; nothing where it found enough to write from, but no answer.

    That evidence was found for every part of the question would contradict what is said to be open.
    """
    reason, is_answered = report.stop_reason, report.status is AnswerStatus.ANSWERED
    is_told = is_answered or reason is not StopReason.SUFFICIENT
    return stop_reasons_in(said)[reason] if is_told else ""


def answer_statuses_in(said: Frame) -> Mapping[AnswerStatus, str]:
    """Return how far the question was answered, in the words of one language."""
    return MappingProxyType(
        {
            AnswerStatus.ANSWERED: said.headings.answered,
            AnswerStatus.INSUFFICIENT: said.headings.in_part,
            AnswerStatus.NO_EVIDENCE: said.account.not_answered,
        }
    )


STATUSES = answer_statuses_in(ENGLISH_FRAME)


def statuses_in(named: Headings) -> Mapping[ItemStatus, str]:
    """Return how parts of a question ended, in the words of one language."""
    return MappingProxyType(
        {
            ItemStatus.SATISFIED: named.answered,
            ItemStatus.PARTIAL: named.in_part,
            ItemStatus.UNSATISFIED: named.unanswered,
        }
    )


def verdicts_in(said: Frame) -> Mapping[Support, str]:
    """Return the verdicts, in the words of one language wherever one is shown."""
    return MappingProxyType(
        {
            Support.QUOTED: said.quoted,
            Support.SUPPORTED: said.supported,
            Support.PARTLY: said.partly,
            Support.CONTRADICTED: said.contradicted,
            Support.NOT_JUDGED: said.not_judged,
            Support.NOT_A_CLAIM: said.no_claim,
        }
    )


def _checkers_in(said: Frame) -> Mapping[CheckedBy, str]:
    return MappingProxyType(
        {
            CheckedBy.WORDS: said.by_words,
            CheckedBy.MODEL: said.by_model,
            CheckedBy.ENTAILMENT: said.by_entailment,
        }
    )


VERDICTS = verdicts_in(ENGLISH_FRAME)
CHECKERS = _checkers_in(ENGLISH_FRAME)


def verdict_name(support: Support, reason: str, said: Frame = ENGLISH_FRAME) -> str:
    """Return a verdict in words; where it comes of the wording alone, that is said."""
    differs = support is Support.NOT_JUDGED and reason == WORDING_DIFFERS
    name = verdicts_in(said)[support]
    return f"{said.differs}, {name}" if differs else name


def verdict_in_words(
    support: Support, by: CheckedBy | None, reason: str, said: Frame = ENGLISH_FRAME
) -> str:
    """Return a verdict, whose it is and why: "supported, by a model: a model found it there"."""
    name, account = verdict_name(support, reason, said), said.account
    if by and support is not Support.NOT_A_CLAIM:
        name = account.by.format(verdict=name, by=_checkers_in(said)[by])
    if not reason or reason == WORDING_DIFFERS:
        return name
    return account.why.format(verdict=name, reason=retold(reason, said))


def verdict_in_two(sentence: Sentence, inert: Callable[[str], str], said: Frame) -> tuple[str, str]:
    """Return the verdict on ``sentence`` and what is told after it, its reason made ``inert``."""
    name = verdict_name(sentence.support, sentence.reason, said)
    whole = verdict_in_words(sentence.support, sentence.by, inert(sentence.reason), said)
    return name, whole.removeprefix(name)


def retold(reasons: str, said: Frame) -> str:
    """Return the ``reasons`` for a verdict, which a report keeps in English, as ``said`` has them.

    What a model or a service has worded stays as it is.
    """
    if said is ENGLISH_FRAME:
        return reasons
    parts = reasons.split(ENGLISH_FRAME.account.joint)
    return said.account.joint.join(retold_part(part, said) for part in parts)


def retold_part(reason: str, said: Frame) -> str:
    """Return one reason, or in what two sources differ, as `retold` does."""
    doubt = ENGLISH_FRAME.account.alternatively
    if reason.endswith(doubt):
        return retold_part(reason.removesuffix(doubt), said) + said.account.alternatively
    if reason == WORDING_DIFFERS:
        return said.differs
    for name, pattern in _kept():
        if found := pattern.fullmatch(reason):
            return str(getattr(said.reasons, name)).format(**found.groupdict())
    return reason


@cache
def _kept() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return what each of the `Reasons` looks like in a report, by its name."""
    return tuple(
        (each.name, _pattern_of(str(getattr(ENGLISH_REASONS, each.name))))
        for each in fields(Reasons)
    )


def _pattern_of(phrase: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", phrase)
    return re.compile(
        "".join(
            rf"(?P<{part}>.+?)" if place % 2 else re.escape(part)
            for place, part in enumerate(parts)
        ),
        re.DOTALL,
    )


_NOUN = "(?:page|slide|cell|line|row|record|item|message)s?"
_PLACE = lazy_regex(
    rf"(?:^|(?<=\s))(?P<noun>{_NOUN}) (?P<at>\d[\d–-]*)(?=$|, {_NOUN} \d| to {_NOUN} \d)"
)


def place_in(place: str, said: Account) -> str:
    """Return where in a source something is, "lines 3-9", which a report keeps in English."""
    if said is ENGLISH_FRAME.account:
        return place
    return _PLACE.sub(
        lambda found: tell(said, str(getattr(said, found["noun"])), at=found["at"]), place
    )


def part_in(part: str, said: Account) -> str:
    """Return what of a scholarly work was read, "abstract", which a report keeps in English."""
    return {ABSTRACT: said.abstract, FULL_TEXT: said.full_text}.get(part, part)


def mark_of(sentence: Sentence) -> str:
    """Return what an answer has after ``sentence``; nothing where it holds or claims nothing."""
    if sentence.support.holds or not sentence.is_claim:
        return ""
    return f"({verdict_name(sentence.support, sentence.reason, frame())})"


def unjudged() -> str:
    """Return what an answer has after a sentence that cites nothing, in its language."""
    return f"({frame().not_judged})"


def checks_in_words(checks: Checks, said: Frame = ENGLISH_FRAME) -> str:
    """Return how many sentences were checked and how each ended, in one sentence."""
    return tell(
        said.account,
        said.account.checks,
        written=checks.written,
        supported=checks.supported,
        repaired=checks.repaired,
        marked=checks.marked,
        dropped=checks.dropped,
    )


LEAST_USD = 0.0001
"""Less than that is not told apart."""


def unused_model(degradations: Iterable[Degradation], said: Frame = ENGLISH_FRAME) -> str:
    """Return that a model which was named did not do its part, and why; empty where each did.

    Each reason is given once, with all the steps that it kept the model from; one that repeats an
    earlier one within its own words is that one.
    """
    steps: dict[str, list[str]] = {}
    for each in degradations:
        if each.instead:
            reason = next((known for known in steps if known in each.reason), each.reason)
            steps.setdefault(reason, []).append(each.step)
    if not steps:
        return ""
    reasons = said.account.joint.join(
        f"{reason.removesuffix('.')} ({', '.join(dict.fromkeys(listed))})"
        for reason, listed in steps.items()
    )
    return tell(said.account, said.account.unused, reasons=reasons)


def degradations_in_words(
    degradations: Iterable[Degradation], said: Frame = ENGLISH_FRAME
) -> Iterator[str]:
    """Yield what ran in a weaker way, but for what `unused_model` says."""
    for each in degradations:
        if not each.instead:
            yield tell(said.account, said.account.weaker, step=each.step, reason=each.reason)


def calls_in_words(calls: Sequence[ModelCall], said: Frame = ENGLISH_FRAME) -> str:
    """Return how many ``calls`` there were and what they took; empty when there was none.

    Tokens that no vendor counted make it "about"; calls without a known price are said to be left
    out of the sum.
    """
    if not calls:
        return ""
    account = said.account
    tokens = tell(account, account.tokens, tokens=sum(call.usage.total_tokens for call in calls))
    if any(call.usage.estimated for call in calls):
        tokens = account.about.format(tokens=tokens)
    cost = _cost(calls, account)
    return tell(account, account.calls, calls=len(calls), tokens=tokens, cost=cost)


def sources_in_words(report: Report, said: Frame) -> str:
    """Return how many sources a run found, read and could not read: "9 sources found, 7 read".

    Files of a folder are read without being opened as pages, which are what a budget counts.
    """
    last = report.steps[-1] if report.steps else None
    found, read = (last.considered, last.read) if last else (0, 0)
    refused = sum(warning.kind == "read" for warning in report.warnings)
    return tell(said.account, said.account.sources, found=found, read=read, refused=refused)


def sureness(report: Report, said: Account) -> str:
    """Return how sure the answer is, and how much of the question it covers."""
    sure, covered = f"{report.confidence:.0%}", f"{report.checklist.coverage:.0%}"
    return said.sureness.format(confidence=sure, coverage=covered)


def loops_and_queries(report: Report, said: Account) -> Iterator[str]:
    """Yield how many loops a run made and queries it asked, and how many it might."""
    spend, budget = report.spend, report.budget
    yield tell(said, said.loops_of, count=spend.iterations, most=budget.max_iters)
    yield tell(said, said.queries_of, count=spend.queries, most=budget.max_queries)


def format_usd(usd: float, said: Account = ENGLISH_FRAME.account) -> str:
    """Return ``usd`` to a hundredth of a cent, from a dollar on to a cent."""
    if usd == 0:
        return "$0"
    if usd < LEAST_USD:
        return said.under.format(cost=f"${LEAST_USD}")
    if usd >= 1:
        return f"${usd:,.2f}"
    return f"${usd:.4f}".rstrip("0").ljust(len("$0.00"), "0")


def _cost(calls: Sequence[ModelCall], said: Account) -> str:
    known = [call.cost_usd for call in calls if call.cost_usd is not None]
    if not known:
        return said.unpriced
    unknown, cost = len(calls) - len(known), format_usd(sum(known), said)
    return tell(said, said.priced_in_part, cost=cost, unknown=unknown) if unknown else cost


def counted(number: int, one: str, many: str = "") -> str:
    """Return ``number`` with its noun: "1 query", "2,000 queries"."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def headline(text: str, most: int = 60) -> str:
    """Return ``text`` on one line of at most ``most`` characters, the last of them … where cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1].rstrip()}…"


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return ``rows``, all of one length, as lines whose cells are aligned in columns."""
    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in shown
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)
