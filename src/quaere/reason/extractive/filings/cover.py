"""Reads the cover page of a report: each value has a note next to it that says what it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quaere.domain.source import Passage
from quaere.reason.extractive.filings.reports import Found, Report
from quaere.text.lazy_regex import lazy_regex

_OFFICES = lazy_regex(r"(?i)\(address (?:and zip code )?of (?:registrant['’]s )?principal\b")
_STATE = lazy_regex(
    r"(?i)\bstate or other jurisdiction\b|\b(?:state|jurisdiction) of incorporation\b"
)
_NUMBERED = lazy_regex(
    r"(?P<state>[A-Z][A-Za-z]{1,20}(?:[ ][A-Za-z]{2,20}){0,2})[ ]{1,9}"
    r"(?:\d{1,3}-\d{3,5}[ ]{1,9})?\d\d-\d{7}\b"
)
"""A state before the number of an employer, or of the file and the employer."""
_ZIP = lazy_regex(r"\b\d{5}(?:-\d{4})?$")
_PHONE = lazy_regex(r"(?:\+\d{1,3} )?\(?\d{3}\)?[- .]\d{3}[- .]\d{4}\b|\+\d{2}[ ]\d{2,4} \d{5,8}\b")
_PHONE_NOTE = lazy_regex(r"(?i)telephone number, including area code")
_NOTE_END = lazy_regex(r"(?i)[)\]]$|\b(?:no\.?|identification|organization|number)\W*$|^\(")
_ADDRESS_LINES = 4
_NEAR_CHARS = 200
"""Characters between a value and its note, at most."""
_LABEL_CHARS = 80
"""Characters of a note that may be on the next line."""
_YEAR_ENDED = lazy_regex(
    r"(?i)\bfor\s{1,3}the\s(?:fiscal\s)?year ended:?\s"
    r"(?P<date>[a-z]{3,9}\s\d{1,2},\s(?:19|20)\d\d)\b"
)
_COVER = lazy_regex(r"(?i)\bannual report (?:pursuant|under)\b|\bexact name of (?:the )?registrant")
_EXCHANGE_HEAD = lazy_regex(r"(?i)\bname of (?:each )?exchange|\bon which registered")
_LISTED_NOTE = lazy_regex(r"(?i)\btitle of each class\b")
_SHARE = lazy_regex(
    r"(?i)^\W*(?:class [a-z] )?(?:common|ordinary)\b|^\W*(?:american )?depositary\b"
)
EXCHANGE = (
    r"(?:The )?(?:(?:[A-Z][a-z]+ ){1,3}Stock Exchange|N(?:asdaq|ASDAQ)(?: [A-Z][A-Za-z]+){0,4}|NYSE"
    r"(?: [A-Z][a-z]+)?)(?:,? (?:LLC|Inc\.))?(?: \((?:NYSE|NASDAQ|Nasdaq)\))?"
)
_LISTED = lazy_regex(rf"(?:\b(?P<symbol>[A-Z]{{1,5}}) )?(?P<exchange>{EXCHANGE})\W*$")
_IN_BRACKETS = lazy_regex(
    r"\((?P<exchange>NYSE|NASDAQ|Nasdaq)(?: [A-Z][a-z]+)?: ?(?P<symbol>[A-Z][A-Z.]{0,5})\)"
)
_UNDER_SYMBOL = lazy_regex(
    rf"(?P<exchange>(?>{EXCHANGE}))[^.;]{{0,60}}\bunder the (?:[a-z]+ ){{0,2}}symbols?"
    r"[ “\"‘']{1,3}(?P<symbol>[A-Z]{1,5})\b"
)
_TRADED = lazy_regex(
    r"(?i:\b(?:our|its|['’]s)\s(?:class [a-z]\s)?(?:(?:common|ordinary)\s)?(?:stock|shares)\b)"
    rf"[^.;]{{0,60}}(?i:\b(?:listed|traded?s?|quoted)\b)[^.;]{{0,60}}?(?P<exchange>{EXCHANGE})"
)


class _Row(NamedTuple):
    """A line of text, and where it is in its passage."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


def _rows(text: str) -> list[_Row]:
    rows, start = list[_Row](), 0
    for line in text.split("\n"):
        kept = line.rpartition("__")[2]
        lead = len(line) - len(kept) + len(kept) - len(kept.lstrip(" _"))
        rows.append(_Row(line[lead:].rstrip(), start + lead))
        start += len(line) + 1
    return rows


def offices(report: Report) -> Iterator[Found]:
    """Yield the address of the principal executive offices."""
    for owner, passage in report.passages:
        rows = _rows(passage.text)
        for at, row in enumerate(rows):
            if note := _OFFICES.search(row.text):
                own = [_Row(row.text[: note.start()].rstrip(), row.start)] if note.start() else []
                yield from _address([*_above(rows[:at]), *own], owner, row.end)
            elif _is_phone_below_address(rows[max(0, at - 1) : at + 1]):
                yield from _address(rows[at - 1 : at], owner, rows[at - 1].end)


def _is_phone_below_address(rows: Sequence[_Row]) -> bool:
    """Whether ``rows`` are a line that ends in a ZIP code and one that is a telephone number."""
    above, phone_row = rows[:-1], rows[-1]
    is_phone = _PHONE.fullmatch(phone_row.text) is not None
    return is_phone and any(_ZIP.search(row.text) for row in above)


def _above(rows: Sequence[_Row]) -> list[_Row]:
    """Return the last of ``rows`` up to the note before: those of an address."""
    kept = list[_Row]()
    for row in reversed(rows):
        if row.text == "(Zip Code)":
            continue
        if not row.text or _NOTE_END.search(row.text) or len(kept) == _ADDRESS_LINES:
            break
        kept.insert(0, row)
    return kept


def _address(rows: Sequence[_Row], owner: int, end: int) -> Iterator[Found]:
    told = [row.text.strip(" ,") for row in rows if row.text.strip(" ,")]
    if told and sum(map(len, told)) < _NEAR_CHARS:
        yield Found(", ".join(told), owner, rows[0].start, end)


def state(report: Report) -> Iterator[Found]:
    """Yield the state or the country in which the company is incorporated."""
    for owner, passage in report.passages:
        for note in _STATE.finditer(passage.text):
            low = max(0, note.start() - _NEAR_CHARS)
            told = list(_NUMBERED.finditer(passage.text, low, note.start()))
            if told:
                said = passage.text.find("incorporation", note.start(), note.end() + _LABEL_CHARS)
                end = _line_end(passage, max(said, note.end()))
                yield Found(told[-1]["state"], owner, told[-1].start(), end)


def _line_end(passage: Passage, at: int) -> int:
    end = passage.text.find("\n", at)
    return len(passage.text) if end < 0 else end


def phone(report: Report) -> Iterator[Found]:
    """Yield the telephone number of the company."""
    for owner, passage in report.passages:
        for note in _PHONE_NOTE.finditer(passage.text):
            low = max(0, note.start() - 50)
            near = [*_PHONE.finditer(passage.text, note.end(), note.end() + 30)][:1]
            near = near or [*_PHONE.finditer(passage.text, low, note.start())][-1:]
            for told in near:
                start, end = min(told.start(), note.start()), max(told.end(), note.end())
                yield Found(told[0], owner, start, end)


def year_end(report: Report) -> Iterator[Found]:
    """Yield the day on which the fiscal year ended that the report is of."""
    for owner, passage in report.passages:
        if _COVER.search(passage.text):
            for told in _YEAR_ENDED.finditer(passage.text):
                date = " ".join(told["date"].split())
                date = date[:1].upper() + date[1:].lower()
                yield Found(date, owner, told.start(), told.end())


def exchange(report: Report) -> Iterator[Found]:
    """Yield the exchange on which the shares are listed."""
    yield from _listed(report, "exchange")


def ticker(report: Report) -> Iterator[Found]:
    """Yield the symbol under which the shares are traded."""
    yield from _listed(report, "symbol")


def _listed(report: Report, part: str) -> Iterator[Found]:
    for owner, passage in report.passages:
        yield from _of_class(owner, passage, part)
    for owner, passage in report.passages:
        forms = (_IN_BRACKETS, _UNDER_SYMBOL, *((_TRADED,) if part == "exchange" else ()))
        for told in (each for form in forms for each in form.finditer(passage.text)):
            yield Found(told[part], owner, told.start(), told.end(), is_said=True)


def _of_class(owner: int, passage: Passage, part: str) -> Iterator[Found]:
    """Yield what the cover page says of the class of shares: in a table, or in lines."""
    if not (_LISTED_NOTE.search(passage.text) or _EXCHANGE_HEAD.search(passage.text)):
        return
    for row in _rows(passage.text):
        flat = " ".join(row.text.replace("|", " ").split())
        told = _LISTED.search(flat) if _SHARE.search(flat) else None
        if told is not None and told[part]:
            yield Found(told[part], owner, row.start, row.end)
