"""Whether words are in a passage verbatim: quotes at their offsets, and records of a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from urllib.parse import unquote

from quaere.domain.report import Quote
from quaere.domain.source import Passage
from quaere.text.lazy_regex import lazy_regex
from quaere.text.no_claim import said_earlier

# Characters that typesetting swaps freely, by the one that a keyboard has.
_SWAPPED = (
    ("'", "‘’‚‛′`´"),
    ('"', "“”„‟″«»"),
    ("-", "‐‑‒–—―−"),
    # Soft hyphen, zero-width space, word joiner, byte order mark: they take no room in print.
    ("", "\u00ad\u200b\u2060\ufeff"),
)
_PLAIN = {char: plain for plain, chars in _SWAPPED for char in chars}


def is_verbatim(quote: Quote, passage: Passage) -> bool:
    """Return whether ``quote`` is exactly what ``passage`` holds at the quote's offsets.

    Offsets are those of the page, as in ``Passage.start``. An empty quote never is.
    """
    if quote.passage != passage.id or not quote.text.strip() or quote.start < passage.start:
        return False
    start, end = quote.start - passage.start, quote.end - passage.start
    return end <= len(passage.text) and passage.text[start:end] == quote.text


def quoted(passage: Passage, start: int, end: int) -> Quote:
    """Return the quote of ``passage.text[start:end]``, without white space at its ends."""
    text = passage.text[start:end]
    lead = len(text) - len(text.lstrip())
    text = text.strip()
    place = passage.start + start + lead
    return Quote(passage=passage.id, text=text, start=place, end=place + len(text))


def relocate(quote: Quote, passage: Passage) -> Quote | None:
    """Return ``quote`` as ``passage`` has it, or None when its words are not there.

    A quote that stands comes back as it is. Else its words are looked for as they are, then with
    white space, quotation marks, dashes, ligatures and invisible characters counted as equal; of
    several places, the one nearest to the quote's own offset wins. What comes back always stands.
    """
    if is_verbatim(quote, passage):
        return quote
    wanted = quote.text.strip()
    near = quote.start - passage.start
    start = _nearest(passage.text, wanted, near)
    if start is not None:
        return quoted(passage, start, start + len(wanted))
    text, places = _folded(passage.text)
    wanted = _folded(wanted)[0].strip()
    first = next((at for at, place in enumerate(places) if place >= near), len(text))
    start = _nearest(text, wanted, first)
    if start is None:
        return None
    return quoted(passage, places[start], places[start + len(wanted) - 1] + 1)


def _nearest(text: str, wanted: str, near: int) -> int | None:
    """Return where ``wanted`` occurs in ``text``, nearest to ``near``; None when nowhere."""
    if not wanted:
        return None
    before = text.rfind(wanted, 0, max(0, near) + len(wanted))
    after = text.find(wanted, max(0, near))
    found = [place for place in (before, after) if place >= 0]
    return min(found, key=lambda place: abs(place - near), default=None)


def _folded(text: str) -> tuple[str, list[int]]:
    """Return ``text`` in plain characters, and for each of them its place in ``text``."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        plain = _PLAIN.get(char)
        if plain is None:
            plain = char if char.isascii() else unicodedata.normalize("NFKC", char)
        for part in plain:
            space = part.isspace()
            if space and chars and chars[-1] == " ":
                continue
            chars.append(" " if space else part)
            places.append(place)
    return "".join(chars), places


MIN_FIELDS = 2

_FIELD = lazy_regex(r"([^:;]+):\s+([^;]+)")
_EMPTY_CELL = r"^\|\s*(?=\|)"


def is_table_record(text: str, passages: Iterable[Passage]) -> bool:
    """Whether ``text`` is fields of one row of a passage, each under a name that precedes it.

    The values must be in one line, in the order of the sentence, and the names in one line at
    or before it, in that order, too: values of two rows are not one record.
    """
    fields = _fields(text)
    if len(fields) < MIN_FIELDS:
        return False
    names, values = [name for name, _ in fields], [value for _, value in fields]
    return any(_holds(_rows_of(passage), names, values) for passage in passages)


def _rows_of(passage: Passage) -> Sequence[str]:
    """Return the lines of ``passage``, after the head of the table that it continues."""
    return [passage.table_head, *passage.text.splitlines()]


def _fields(text: str) -> list[tuple[str, str]]:
    """Return names and values of a sentence that is nothing but fields.

    What follows a semicolon and has no name belongs to the value before it; the name of the first
    may be empty.
    """
    found: list[tuple[str, str]] = []
    for part in text.strip().rstrip(".").split(";"):
        match = _FIELD.fullmatch(part.strip())
        if match:
            found.append((match[1].strip(), match[2].strip()))
        elif found:
            name, value = found[-1]
            found[-1] = (name, f"{value};{part.rstrip()}")
        else:
            found.append(("", part.strip()))
    return found


def _holds(lines: Sequence[str], names: Sequence[str], values: Sequence[str]) -> bool:
    named = False
    for line in lines:
        named = named or _in_order(line, names)
        if named and _in_order(line, values):
            return True
    return False


def _in_order(line: str, parts: Sequence[str]) -> bool:
    """Whether ``parts`` occur in ``line`` one after the other, none inside a longer word.

    An empty one is an empty first cell.
    """
    at = 0
    for part in parts:
        pattern = rf"(?<!\w){re.escape(part)}(?!\w)" if part else _EMPTY_CELL
        match = re.compile(pattern).search(line, at)
        if match is None:
            return False
        at = match.end()
    return True


_MARKS = lazy_regex(r"`|(?<!\w)\*|\*(?!\w)|</?[a-zA-Z][a-zA-Z0-9]{0,9}\s*/?>")
"""Marks that pages show as they are, ``like this'', <br> or a note's *, and answers may lack."""


def has_words(source: str, *forms: str) -> bool:
    """Return whether ``source`` has one of ``forms`` as a statement, wherever its lines are broken.

    Marks of a page that are left out of an answer make no difference to its words. What goes on in
    the source says something else: "Dogs are allowed" is not said by "Dogs are allowed nowhere".
    """
    if _has_statement(_lined(source), forms):
        return True
    if not _MARKS.search(source):
        return False
    return _has_statement(_lined(_MARKS.sub("", source)), [_MARKS.sub("", f) for f in forms])


class _Lined:
    """A text on one line, and where in it the lines begin and end of which it was made."""

    def __init__(self, text: str) -> None:
        lines = list(filter(None, (" ".join(line.split()) for line in text.splitlines())))
        self.text = " ".join(lines)
        ends = [*accumulate((len(line) + 1 for line in lines), initial=0)]
        self.starts = frozenset(ends)
        self.ends = frozenset(end - 1 for end in ends)


@lru_cache(maxsize=256)
def _lined(text: str) -> _Lined:
    return _Lined(text)


def _has_statement(source: _Lined, forms: Iterable[str]) -> bool:
    return any(_is_statement_in(source, " ".join(form.split())) for form in forms)


def _is_statement_in(source: _Lined, said: str) -> bool:
    """Return whether ``said`` begins and ends in ``source`` where something said does."""
    ends = ((at, at + len(said)) for at in _places(source, said))
    return any(_begins(source, at) and _ends(source, end, said) for at, end in ends)


def _places(source: _Lined, said: str) -> Iterator[int]:
    """Yield where ``source`` has ``said``, in order."""
    at = source.text.find(said) if said else -1
    while at >= 0:
        yield at
        at = source.text.find(said, at + len(said))


def _begins(source: _Lined, at: int) -> bool:
    before = source.text[max(0, at - _NEAR) : at]
    if at in source.starts or _BEFORE.search(before):
        return True
    return _LED_IN.search(source.text, max(0, at - _LONGEST_LEAD), at) is not None


def _ends(source: _Lined, end: int, said: str) -> bool:
    if end in source.ends:
        return True
    behind = source.text[end : end + _NEAR]
    if said.endswith(_STOPS):  # but for "3.50" and "mill.md"
        return said[-1] not in ".:" or not (behind[:1].isdigit() or behind[:1].islower())
    return _AFTER.match(behind) is not None


def is_cut_short(said: str, source: str) -> bool:
    """Return whether ``source`` has all words of ``said`` only where it goes on to restrict them.

    "Dogs are allowed" is cut short of "Dogs are allowed only on leads".
    """
    lined, core = _lined(source), " ".join(said.split()).rstrip(".!?…")
    if len(core.split()) < _LEAST or _is_statement_in(lined, core):
        return False
    ends = (at + len(core) for at in _places(lined, core) if _begins(lined, at))
    return any(_RESTRICTS.match(lined.text[end : end + _NEAR]) for end in ends)


_LEAST = 3
"""Words that say something of their own."""
_RESTRICTS = lazy_regex(
    r"(?i),?\s(?:only|unless|until|till|except|(?:less|more|fewer|later|earlier) than|if|provided"
    r"|as long as|but (?:only|not)|nothing)\b"
)
_NEAR = 24
"""Characters on either side of something said in which its end can be told."""
_STOPS = (*".!?…。！？;:", *(f"{stop}{mark}" for stop in ".!?" for mark in '"”’»)'))
_BEFORE = lazy_regex(
    r"(?:[.!?…。！？:;|>•\])]|_{3}|(?:\A|\s)(?:[-*+–—#]+|\d{1,3}[.)]))[\s\"“”‘’«»(\[*_`'>#-]*\Z"
)
_LONGEST_LEAD = 100
_LED_IN = lazy_regex(
    r"(?i)(?:\A|[.!?…]\s)(?:as|in|on|at|during|then|later|today|also|here|there|thus|however"
    r"|moreover|meanwhile|furthermore)\b[^,.;:!?]{0,80},\s\Z"
)
"""When or where, or a joining word, with which a sentence begins: it turns nothing round."""
_AFTER = lazy_regex(r"(?:\[\^?\d{1,4}\]|[)\"”’»\]*_`'\s])*(?:[.!?…。！？;:|•]|[-*+]\s)(?!\d)")


def as_told(text: str, passages: Sequence[Passage]) -> str:
    """Return what ``text`` says was said earlier, without where, if one of ``passages`` has that.

    Other texts are returned as they are.
    """
    told = (f"{each.title}\n{unquote(each.url)}\n{each.text}" for each in passages)
    return said_earlier(text, told)
