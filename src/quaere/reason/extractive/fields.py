"""Finds the field of an event in a calendar, or of the head of a letter, that answers a question.

"when: 2025-03-04 19:00; where: the hall" tells when, and where; the mail's "From" who wrote it.
English alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from quaere.domain.report import DirectKind
from quaere.reason.extractive.pool import Line, Pool, page_of
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.tokens import terms, words

_ENTRIES: Final = frozenset({"event", "task", "entry"})
"""What the first field of an entry of a calendar is called."""
_BY_KIND: Final = {Kind.DATE: ("when", "due"), Kind.PLACE: ("where",), Kind.PERSON: ("with",)}
_OFTEN: Final = lazy_regex(r"(?i)\bhow often\b")
_ENDS: Final = lazy_regex(r"(?i)\b(?:ends?|finish(?:es)?|over|until)\b")
_ORGANIZES: Final = lazy_regex(r"(?i)\b(?:organi[sz]e[sd]?|leads?|runs?|hosts?|chairs?)\b")
_IDLE_OF_EVENTS: Final = frozenset(
    terms(
        "event appointment calendar date day time place room location take takes taking held hold"
        " happen happens start starts begin begins end ends finish finishes until scheduled planned"
        " on at often organize organizes organise organised run runs host hosts lead leads attend"
        " attends come comes coming invited take part be going due over"
    )
)
"""Stems by which one asks for any event."""
_LETTER: Final = r"(?:e-?mails?|mails?|messages?|letters?)"
_ASKS_OF_LETTER: Final = (
    (
        "From",
        lazy_regex(
            rf"(?i)\W*who (?:wrote|sent|e-?mailed|mailed)\b.*\b{_LETTER}\b"
            r"|\W*who (?:wrote|e-?mailed|mailed) (?:to |about |me|us)"
            rf"|\W*who (?:is|was)\b.*\b{_LETTER}\b.*\b(?:from|by)\W*\Z"
            rf"|\W*(?:from whom|who from)\b.*\b{_LETTER}\b"
        ),
    ),
    (
        "To",
        lazy_regex(
            rf"(?i)\W*who (?:got|received|was sent)\b.*\b{_LETTER}\b"
            rf"|\W*who (?:is|was)\b.*\b{_LETTER}\b.*\bto\W*\Z|\W*to whom\b.*\b{_LETTER}\b"
        ),
    ),
    (
        "Date",
        lazy_regex(
            rf"(?i)\W*(?:when|on what day|what day) (?:was|were|did)\b.*\b{_LETTER}\b.*"
            r"\b(?:sent|written|arrive|come|received|write|send)?\W*\Z"
            r"|\W*when did (?P<by>.+) (?:write|e-?mail)\b"
        ),
    ),
)
"""What asks for a field of the head of a letter."""
_IDLE_OF_LETTERS: Final = frozenset(
    terms(
        "email emails e-mail mail mails message messages letter letters wrote write written sent"
        " send sends emailed mailed about from got received arrive come me us"
    )
)
_HEAD: Final = lazy_regex(r"(?P<name>From|To|Date): (?P<told>\S.*)")
_ADDRESS: Final = lazy_regex(r"\s*<[^<>\s]+@[^<>\s]+>")


class Field(NamedTuple):
    """What a field says, and the line that has it."""

    kind: DirectKind
    text: str
    line: Line
    is_clear: bool = True
    """Whether it is told as it is asked for: who leads of several is unknown."""


def find_field(question: str, pool: Pool) -> Field | None:
    """Return the field that answers ``question``; None where none does, or several entries do.

    The question names the event, or what the letter is about, and nothing that it has no word of.
    """
    text = last_question(question)
    if not is_english():
        return None
    return _of_event(text, pool) or _of_letter(text, pool)


def _of_event(text: str, pool: Pool) -> Field | None:
    asked = frozenset(terms(text)) - _IDLE_OF_EVENTS
    wanted = ("repeats",) if _OFTEN.search(text) else _BY_KIND.get(expected_kind(text), ())
    found = [
        (line, fields)
        for line, fields in _events(pool)
        if asked and _is_named(asked, line, fields, pool)
    ]
    told = {next((fields[name] for name in wanted if name in fields), "") for _, fields in found}
    if len(told) != 1 or not (value := told.pop()):
        return None
    return _told(text, value, found[0][0])


def _told(text: str, value: str, line: Line) -> Field:
    """Return ``value`` as ``text`` asks for it: when an event ends is the end of its time."""
    kind = DirectKind.DATE if expected_kind(text) is Kind.DATE else DirectKind.NAME
    begins, to, ends = value.partition(" to ")
    if kind is DirectKind.DATE and _ENDS.search(text):
        return Field(kind, ends or begins, line, is_clear=bool(to))
    is_one = not (_ORGANIZES.search(text) and "," in value)
    return Field(kind, value, line, is_clear=is_one)


def _events(pool: Pool) -> Iterator[tuple[Line, Mapping[str, str]]]:
    for line in pool.lines:
        is_whole = line.columns and len(line.columns) == len(line.values)
        if is_whole and line.columns[0] in _ENTRIES:
            yield line, dict(zip(line.columns, line.values, strict=True))


def _is_named(asked: frozenset[str], line: Line, fields: Mapping[str, str], pool: Pool) -> bool:
    """Whether all that is ``asked`` is said of the event, and some of it by its title."""
    title = frozenset(terms(fields[line.columns[0]]))
    others = (each.terms for each in pool.lines_of[line.owner] if not each.columns)
    return bool(asked & title) and asked <= line.terms.union(*others)


def _of_letter(text: str, pool: Pool) -> Field | None:
    name = next((name for name, asks in _ASKS_OF_LETTER if asks.match(text)), None)
    asked = frozenset(terms(text)) - _IDLE_OF_LETTERS
    if name is None or not asked:
        return None
    found = [line for line, said in _heads(name, pool) if asked <= said]
    told = {_bare(line.text, name) for line in found}
    if len(told) != 1:
        return None
    kind = DirectKind.DATE if name == "Date" else DirectKind.NAME
    return Field(kind, told.pop(), found[0])


def _heads(name: str, pool: Pool) -> Iterator[tuple[Line, frozenset[str]]]:
    """Yield the field ``name`` of the head of each letter, with the terms of its page."""
    for passage, lines in zip(pool.passages, pool.lines_of, strict=True):
        head = _head_of(() if passage.start else lines)
        if {"From", "Date"} <= head.keys() and name in head:
            page = page_of(passage)
            pages = zip(pool.passages, pool.lines_of, strict=True)
            own = (each for other, each in pages if page_of(other) == page)
            said = (line.terms for each in own for line in each)
            yield head[name], frozenset[str]().union(pool.title_terms[head[name].owner], *said)


def _head_of(lines: Sequence[Line]) -> Mapping[str, Line]:
    """Return the fields of the head among ``lines``, by their names; the first of each."""
    head = dict[str, Line]()
    for line in lines:
        if found := _HEAD.fullmatch(line.text):
            head.setdefault(found["name"], line)
        elif head and not line.heading:
            break
    return head


def _bare(told: str, name: str) -> str:
    """Return what a field says, without its name, and without addresses of those who have names."""
    value = told.removeprefix(f"{name}: ")
    short = _ADDRESS.sub("", value).strip().strip('"')
    return short if name != "Date" and words(short) and names(short) else value
