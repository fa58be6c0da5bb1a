"""Who holds an office in a company, who audits it, and how many it employs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from quaere.domain.source import Passage
from quaere.reason.extractive.filings.asked import Asked, title_asked
from quaere.reason.extractive.filings.reports import Found, Report
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.numbers import numbers

_BEFORE_CHARS, _AFTER_CHARS = 200, 80
"""Characters of a passage in which a name is before an office, and after it."""
_OFFICES = word_set(
    "chairman chairwoman chairperson chair president director founder co-founder cofounder vice"
    " executive senior board directors of the and & is our its"
)
"""Words of other offices that one person holds besides, and what links them."""
_AGE = lazy_regex(r"\d\d,?")
_BEFORE_AGE = frozenset(("age", "aged", "title", ""))
_PAST = frozenset(("former", "retired", "ex", "interim", "acting", "formerly"))
_NAME = lazy_regex(
    r"(?:[A-Z]\.?|[A-Z][a-z'’]+(?:-[A-Z][a-z]+)?|(?:Mc|Mac|De|Van|O['’])[A-Z][a-z]+)"
)
_NO_NAME = word_set(
    "names named appoints appointed company board inc corporation officer section principal"
    " executive by date title name item"
    " exhibit chief chairman president director certification registrant the our its mr ms mrs"
    " vice senior financial operating accounting pursuant former retired secretary"
)
_LONGEST_NAME = 4
_OTHER_OFFICE = lazy_regex(r"\s*(?:Chief|Executive|Senior|Vice)\b")
_OF_OTHER = lazy_regex(
    r"\s{0,3}(?:,|of|at|for|[-–—])\s{1,3}(?:the )?(?P<whose>[A-Z][\w.'’&]*(?: [A-Z][\w.'’&]*){0,5})"
)
_OWN_OFFICE = lazy_regex(
    r"(?:President|Chairman|Chair|Director|Founder|Company|Board|Registrant)\b"
)
_THEN = lazy_regex(
    r"(?:,? (?:and|&) (?:co-?founder|founder|chairman|chair|president|director)|,)? "
    r"(?P<name>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){1,3})"
)
_WORD = lazy_regex(r"\S+")


def officer(report: Report, asked: Asked) -> Iterator[Found]:
    """Yield who holds the office that is asked for: the one who is named most often."""
    told = list(_holders(report, asked))
    usual = Counter(_family(found.text) for found in told).most_common(2)
    is_clear = len(usual) < 2 or usual[0][1] > usual[1][1]
    for found in sorted(told, key=lambda each: -len(each.text)):
        if _family(found.text) == usual[0][0]:
            yield found._replace(is_clear=is_clear)


def _family(name: str) -> str:
    return name.rpartition(" ")[2].casefold()


def _holders(report: Report, asked: Asked) -> Iterator[Found]:
    """Yield who is named next to the office that is asked for, each time that it is."""
    full, short = title_asked(asked.text)
    title = re.compile(rf"(?i:\b{full}\b)|\b{short}\b")
    for owner, passage in report.passages:
        for at in title.finditer(passage.text):
            if found := _holder(report, owner, passage.text, at):
                yield found


def _holder(report: Report, owner: int, text: str, at: re.Match[str]) -> Found | None:
    """Return the person before or after an office, where that is of the company of ``report``."""
    if _OTHER_OFFICE.match(text, at.end()) or _is_of_other(report, text, at.end()):
        return None
    before = _named_before(text, at.start())
    if before is not None and not report.is_of(before.name.split()[0]):
        return Found(before.name, owner, before.start, at.end())
    after = _named_after(text, at.end())
    if after is None or _is_company(report, after.name):
        return None
    return Found(after.name, owner, at.start(), after.start + len(after.name))


class _Named(NamedTuple):
    """The name of a person, and where it begins in the text."""

    start: int
    name: str


def _named_after(text: str, start: int) -> _Named | None:
    """Return the person who stands right after an office that ends at ``start``."""
    after = _THEN.match(text, start, start + _AFTER_CHARS)
    name = _person(after["name"].split()) if after else ""
    return _Named(after.start("name"), name) if after and name else None


def _is_of_other(report: Report, text: str, end: int) -> bool:
    """Whether an office that ends at ``end`` is one of another company, or of a part of this."""
    whose = _OF_OTHER.match(text, end, end + _AFTER_CHARS)
    if whose is None or _OWN_OFFICE.match(whose["whose"]):
        return False
    return whose[0].lstrip().startswith(",") or not _is_company(report, whose["whose"])


def _is_company(report: Report, name: str) -> bool:
    return all(report.is_of(word.strip(".,’'")) for word in name.replace("Inc.", " ").split())


def _named_before(text: str, end: int) -> _Named | None:
    """Return the person who stands right before an office that begins at ``end``."""
    said = _last_line(text, _without_offices(text, end))
    if not said or said[-1][0].casefold().strip(",") in _PAST:
        return None
    run = _name_at_end(said)
    name = _person([each[0].strip(",") for each in run])
    if not name or _is_cut(name, said[: -len(run)]):
        return None
    return _Named(run[0].start(), name)


def _without_offices(text: str, end: int) -> list[re.Match[str]]:
    """Return the words before ``end``, but for the last of them that are offices or an age."""
    said = list(_WORD.finditer(text, max(0, end - _BEFORE_CHARS), end))
    while said and _goes_with_office(said[-1][0]):
        said.pop()
    return said


def _goes_with_office(word: str) -> bool:
    """Whether ``word`` may come after a name and before an office: "Ann Reed, 51, Director and"."""
    is_age = _AGE.fullmatch(word) or word.strip(",:—").casefold() in _BEFORE_AGE
    return bool(is_age) or word.strip(",").casefold() in _OFFICES


def _last_line(text: str, said: Sequence[re.Match[str]]) -> Sequence[re.Match[str]]:
    """Return those of the words ``said`` that are on one line with the last."""
    line = text.rfind("\n", said[0].start(), said[-1].start()) if said else -1
    return [word for word in said if word.start() > line]


def _name_at_end(said: Sequence[re.Match[str]]) -> Sequence[re.Match[str]]:
    """Return the last of the words ``said`` that are of a name; none from before a comma."""
    run = list(takewhile(_is_name, reversed(said)))
    goes_on = takewhile(lambda word: not word[0].endswith(","), run[1:])
    return [*run[:1], *goes_on][::-1]


_BEFORE_NAME = frozenset(("by", "/s/", "said", "and", "name", "i", "undersigned", "with"))


def _is_cut(name: str, before: Sequence[re.Match[str]]) -> bool:
    """Whether ``name`` begins with an initial and may have lost its first word: "Jef rey L."."""
    if not before or len(name.partition(" ")[0].strip(".")) > 1:
        return False
    return before[-1][0].strip(":,").casefold() not in _BEFORE_NAME


def _is_name(word: re.Match[str]) -> bool:
    told = word[0].rstrip(",")
    return bool(_NAME.fullmatch(told)) and told.strip(".").casefold() not in _NO_NAME


def _person(parts: Sequence[str]) -> str:
    """Return ``parts`` as the name of a person; empty where they make none."""
    kept = list(takewhile(_is_part, parts))
    is_whole = 2 <= len(kept) <= _LONGEST_NAME and len(kept[-1].strip(".")) > 1
    return " ".join(kept) if is_whole else ""


def _is_part(part: str) -> bool:
    return bool(_NAME.fullmatch(part)) and part.strip(".").casefold() not in _NO_NAME


_PARTNERS = lazy_regex(r"L\.?L\.?P\b\.?")
_FIRM_WORD = lazy_regex(r"[A-Z][\w.'’-]*|&|and")
_ACCOUNTANTS = lazy_regex(
    r"(?i)(?:,|\s(?:to serve |as ){0,2}){1,2}"
    r"(?:(?:an|as|our|the|its|company['’]s|registrant['’]s)\s){0,3}"
    r"independent (?:registered )?(?:public )?(?:account|audit)"
)
_AUDITS = lazy_regex(r"(?i)\baudit(?:or|ed)s?\b|\bregistered public accounting firm\b")
_SIGNED = lazy_regex(r"/\s?s\s?/\s{0,3}$", re.IGNORECASE)
_SERVED = lazy_regex(r"(?:\s[^.]{0,80}?)?\sWe have served as [^.]{1,60}auditor since \d{4}\.")


def auditor(report: Report) -> Iterator[Found]:
    """Yield the firm that audits the company: it signs, or is said to be the accountants."""
    told = [
        found
        for owner, passage in report.passages
        for at in _PARTNERS.finditer(passage.text)
        for found in _firm(owner, passage, at)
    ]
    firms = {found.text.casefold() for found in told}
    for found in sorted(told, key=lambda each: each.start - each.end):
        yield found._replace(is_clear=len(firms) == 1)


def _firm(owner: int, passage: Passage, at: re.Match[str]) -> Iterator[Found]:
    text = passage.text
    start = _firm_start(text, at.start())
    if start == at.start():
        return
    name = " ".join(text[start : at.end()].split())
    signature = _SIGNED.search(text, max(0, start - 8), start)
    if accountants := _ACCOUNTANTS.match(text, at.end(), at.end() + _AFTER_CHARS):
        yield Found(name, owner, start, _sentence_end(text, accountants.end()))
    elif signature and _AUDITS.search(text):
        served = _SERVED.match(text, at.end())
        yield Found(name, owner, signature.start(), served.end() if served else at.end())


def _firm_start(text: str, end: int) -> int:
    """Return where the name of a firm begins whose "LLP" begins at ``end``."""
    line = text.rfind("\n", 0, end)
    start = end
    for word in reversed(list(_WORD.finditer(text, max(line + 1, end - _AFTER_CHARS), end))):
        if not _FIRM_WORD.fullmatch(word[0].rstrip(",")):
            break
        start = word.start()
    return start


def _sentence_end(text: str, at: int) -> int:
    """Return the end of the word in which ``at`` is, and of "firm" after it."""
    firm = text.find("firm", at, at + _AFTER_CHARS)
    return firm + len("firm") if firm >= 0 else at


_STAFF = lazy_regex(
    r"(?P<count>(?:(?:approximately|about|around|nearly|almost|over|some|roughly|more than) )?"
    r"(?<![\d,.])\d[\d,.]{0,14}\d(?: (?:million|thousand))?)"
    r"(?P<kind>(?: (?:active|permanent|regular|total|full-time|full- time|part-time|seasonal|full-"
    r"|and|or|equivalent|salaried|hourly),?){0,6})"
    r" (?:employees|people|persons|associates|team members|workers|individuals)\b"
)
_EMPLOYS = lazy_regex(r"(?i)\b(?:employ(?:s|ed)?|ha[ds]|have|total(?:ed|s|ing)?)\b[^.;\d]{0,40}$")
_ALL_OURS = lazy_regex(r"(?i)\b(?:all|each|any)(?: of)? our $")
_LEVEL = lazy_regex(
    r"(?i)\b(?:workforce|headcount|number of employees)\b[^.;]{0,60}?"
    r"\b(?:was|were|is|of|totall?ed) (?P<count>"
    r"(?:(?:approximately|about|around|nearly|over|more than) )?\d[\d,.]*\d(?: million)?)"
    r"(?P<kind>)"
)
_WHOLE = lazy_regex(r"(?i)\bsubsidiaries\b|\bworldwide\b|\bglobally\b|\bin total\b|\bas of\b")
"""What a sentence says that counts all of them."""
_IN_ONE_PLACE = lazy_regex(
    r" (?:in|at) (?:the )?[A-Z][\w.]*(?: [A-Z][\w.]*)*(?!,? and\b|, [A-Z]|[\w.])"
)
_PART = lazy_regex(
    r"(?i)\b(?:of (?:which|whom|these|those)|each|covered by|represented by|added)\b"
)
_OWN_STAFF = lazy_regex(r"(?i)\b(?:we|our|the company|subsidiaries|workforce|worldwide)\b")
_SENTENCE = lazy_regex(r"(?<=[a-z)\]\"”][.!?])\s|\n\n")
_BEGINNING = 30
"""Words of a sentence among which the name of its company is: what follows may be a table."""


def staff(report: Report, asked: Asked) -> Iterator[Found]:
    """Yield how many the company as a whole employs: where several are told, the most of them."""
    kind = "full" if "full-time" in asked.text.casefold() else ""
    told = [each for each in _counts(report) if kind in each.said["kind"].casefold()]
    told.sort(key=lambda each: (-each.is_whole, -_amount(each.text)))
    is_one = len({each.text for each in told}) == 1
    for text, owner, said, is_whole in told:
        is_clear = is_one or is_whole
        yield Found(text, owner, said.start(), said.end(), is_clear, is_said=True)


class _Count(NamedTuple):
    """How many a sentence says that a company employs."""

    text: str
    owner: int
    said: re.Match[str]
    is_whole: bool
    """Whether the sentence says that it counts all of them."""


def _counts(report: Report) -> Iterator[_Count]:
    """Yield how many are employed by the company, as each sentence says that counts them."""
    for owner, passage in report.passages:
        for start, end in _sentences(passage.text):
            if said := _counted(report, passage.text, start, end):
                is_whole = _WHOLE.search(passage.text, start, end) is not None
                yield _Count(" ".join(said["count"].split()), owner, said, is_whole)


def _amount(count: str) -> float:
    """Return the number that ``count`` says."""
    return float(max((number.value for number in numbers(count)), default=0))


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    starts = [0, *(gap.end() for gap in _SENTENCE.finditer(text))]
    yield from zip(starts, [*(start for start in starts[1:]), len(text)], strict=True)


def _counted(report: Report, text: str, start: int, end: int) -> re.Match[str] | None:
    """Return how many are employed by the company, as the sentence ``[start, end)`` says."""
    said = text[start:end]
    if not (_OWN_STAFF.search(said) or any(map(report.is_of, said.split()[:_BEGINNING]))):
        return None
    counts = _STAFF.finditer(text, start, end)
    all_of_them = (each for each in counts if _is_of_all(text, start, each))
    return next(all_of_them, None) or _LEVEL.search(text, start, end)


def _is_of_all(text: str, start: int, count: re.Match[str]) -> bool:
    """Whether ``count``, in a sentence from ``start`` on, is of all staff and not of a part."""
    at = count.start()
    if _ALL_OURS.search(text, max(start, at - 20), at):
        return True
    if _PART.search(text, start, at) or _IN_ONE_PLACE.match(text, count.end()):
        return False
    return _EMPLOYS.search(text, max(start, at - 60), at) is not None
