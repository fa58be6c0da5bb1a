"""What a text names: people, places, works and organizations, found by capitals and quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import Final, NamedTuple

from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import CALENDAR, HEADS, OWNERS, PARTICLES, STARTERS, STOP_WORDS, TITLES
from quaere.text.raised import RAISED
from quaere.text.sentences import Span, sentences
from quaere.text.tokens import INSIDE, spaced_parts

_WORD = re.compile(
    r"(?P<attack>9/11|7/7)(?![\d/])"
    r"|(?:[^\W\d_]\.)++(?:-[^\W\d_]\.)*+"  # J.K., J.-P.
    rf"|[^\W_{RAISED}]++(?:[{INSIDE}]*+(?:[-'’&.]|\.-)?+[^\W_{RAISED}]++)*+[{INSIDE}]*+"
    r"|&"
)
_QUOTED = re.compile(
    r"\"([^\"\n]{1,90})\"|“([^“”\n]{1,90})”|«([^«»\n]{1,90})»|„([^„“”\n]{1,90})[“”]"
    r"|(?<!\w)‘([^‘’\n]{1,90})’(?!\w)|《([^《》\n]{1,40})》|「([^「」\n]{1,40})」|『([^『』\n]{1,40})』"
)
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]{2,}(?:[・＝=][\u30a1-\u30fa\u30fc]+)*")
_IN_TITLE = lazy_regex(r"(?:[^\W_]|[ '’:!&.-])*+")
_DEFINED = re.compile(
    r"\s*(?:\([^()]{0,80}\)\s*)?(?:(?P<verb>is|was)\s(?:an?|the|one)\b|may\srefer\s)"
)
_NUMERAL = re.compile(r"\d{1,4}(?:\.\d{1,2})?")
# A run over the shape of a sentence: two characters a word, "C" for a capital, "H" for a capital
# head ("University"), "n" for a numeral, "p" for a particle, "h" for what only a head lets in, and
# before each a space when it joins the word before.
_HEADED = r"H(?: [CHn]|(?: [ph]){1,3}(?= [CH])){0,9}+"
_RUN = re.compile(rf"C(?: [Cn]|(?: p){{1,3}}(?= [CH])){{0,9}}+(?: {_HEADED})?|{_HEADED}")
_YEAR = lazy_regex(r"1\d{3}|20\d\d")
# A time that a program wrote, or a hash: what is in quotes in an example names nothing.
_DATA = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*|(?=\d*+[a-f])(?=[a-f]*+\d)[0-9a-f]{4,}+")
_PARTICIPLE = re.compile(r"born|\w{2,}(?:ing|ed)")
_SMALL: Final = STOP_WORDS | PARTICLES
_INNER: Final = PARTICLES | {"&", "i"}
_HEADLESS: Final = STOP_WORDS | STARTERS
_EMPTY: Final = CALENDAR | PARTICLES | STOP_WORDS
_AFTER_PARTICIPLE: Final = frozenset(
    {"in", "by", "on", "at", "to", "from", "with", "for", "as", "the", "a", "an"}
)
_BEFORE_FIRST: Final = frozenset(':"“‘«(—–|')
_LONGEST_WORD: Final = 50
_MOST_WORDS: Final = 10


class Name(NamedTuple):
    """A name at ``[start, end)`` of its text."""

    text: str
    start: int
    end: int


@dataclass(slots=True)
class _Word:
    index: int
    text: str
    lower: str
    start: int
    end: int
    possessive: bool
    capital: bool


def names(text: str) -> list[Name]:
    """Return the names in ``text`` in order, none inside another.

    A name is a run of capitalized words, with particles ("of", "von") between and numbers behind
    ("Boeing 747"); or a title, in quotes or at the head of the sentence that says what it is. A
    common word that only begins a sentence is none, nor is a month or a day. The article at the
    head of a sentence and possessive endings are left out.
    """
    found = (match[0] for match in _matches(text, 0, len(text)))
    usual = frozenset(word for word in found if word.islower())
    return [
        Name(text[start:end], start, end)
        for span in sentences(text)
        for start, end in _in_sentence(text, span, usual)
    ]


def _in_sentence(text: str, span: Span, usual: frozenset[str]) -> list[tuple[int, int]]:
    words = list(_words(text, span))
    titles = list(_apart(sorted([*_quoted(text, span), *_defined(text, span, words)])))
    if len(words) > 3 and not any(word.text[-1].islower() for word in words):
        return titles  # all in capitals, or in a script without: the case tells nothing
    runs = [
        (kept[0].start, _end(kept, span))
        for run in _runs(text, words)
        if (kept := _trimmed(text, run, words, usual))
    ]
    return sorted([*titles, *_outside(runs, titles)])


def _apart(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    reached = 0
    for start, end in spans:
        if start >= reached:
            yield start, end
            reached = end


def _outside(
    runs: Iterable[tuple[int, int]], titles: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the runs that no title touches; both are sorted."""
    rest = iter(titles)
    title = next(rest, None)
    for start, end in runs:
        while title is not None and title[1] <= start:
            title = next(rest, None)
        if title is None or end <= title[0]:
            yield start, end


def _matches(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    return chain.from_iterable(
        _WORD.finditer(text, *part) for part in spaced_parts(text, start, end)
    )


def _words(text: str, span: Span) -> Iterator[_Word]:
    index = 0
    for match in _matches(text, span.start, span.end):
        start, end = match.span()
        if end - start > _LONGEST_WORD:
            continue
        possessive = match[0].endswith(("'s", "’s"))
        if possessive:
            end -= 2
        elif match[0].endswith("s") and text[end : end + 1] in {"'", "’"}:
            possessive = True
        word = text[start:end]
        capital = bool(match["attack"]) or _is_capital(word)
        yield _Word(index, word, word.lower(), start, end, possessive, capital)
        index += 1


def _is_capital(word: str) -> bool:
    if word.islower() or word.replace("’", "'").partition("'")[0] == "I":
        return False
    if word[0].isupper() or word[0].istitle():
        return True
    return word[0].islower() and len(word) > 2


def _quoted_titles(text: str, span: Span) -> Iterator[tuple[int, int]]:
    for match in _QUOTED.finditer(text, span.start, span.end):
        inner = match[match.lastindex or 0]
        start = match.start(match.lastindex or 0) + len(inner) - len(inner.lstrip())
        title = inner.strip().rstrip(".,;!?")
        if _is_title(title):
            yield start, start + len(title)


def _quoted(text: str, span: Span) -> Iterator[tuple[int, int]]:
    titles = list(_quoted_titles(text, span))
    yield from titles
    for match in _KATAKANA.finditer(text, span.start, span.end):
        if not any(start <= match.start() < end for start, end in titles):
            yield match.span()


def _is_title(quoted: str) -> bool:
    words = quoted.split()
    heavy = [word for word in words if word.lower() not in _SMALL]
    return (
        0 < len(heavy) <= len(words) <= _MOST_WORDS
        and quoted[0].isalnum()
        and not quoted[0].islower()
        and not any(map(_is_written_small, heavy))
        and not _DATA.fullmatch(quoted)
    )


def _is_written_small(word: str) -> bool:
    return word[0].islower() and len(word) > 2


def _defined(text: str, span: Span, words: Sequence[_Word]) -> Iterator[tuple[int, int]]:
    """Find the title in "Boat to Dublin is a film": small words that no run would take."""
    head = _title_head(words)
    if len(head) < 2 or head[0].start > span.start + 5:
        return
    start, end = head[0].start, head[-1].end
    said = _DEFINED.match(text, end, span.end)
    if not said or not _IN_TITLE.fullmatch(text, start, end):
        return
    if said["verb"] == "is" or any(map(_is_small, head)):
        yield start, end


def _title_head(words: Sequence[_Word]) -> list[_Word]:
    head = list(takewhile(_may_be_in_title, words[:_MOST_WORDS]))
    if head and head[0].lower in {"the", "a", "an"}:
        del head[0]
    while head and not head[-1].capital:
        del head[-1]
    return head


def _may_be_in_title(word: _Word) -> bool:
    if word.lower in {"is", "was", "may"}:
        return False
    return word.capital or word.text.isdigit() or word.lower in _SMALL


def _is_small(word: _Word) -> bool:
    return word.possessive or not (word.capital or word.lower in PARTICLES)


def _runs(text: str, words: Sequence[_Word]) -> Iterator[Sequence[_Word]]:
    shape: list[str] = []
    for before, word in zip([None, *words], words, strict=False):
        kind = _shape(word)
        joins = kind != "x" and before is not None and _touch(text, before, word)
        shape.append(f" {kind}" if joins else f"|{kind}")
    for match in _RUN.finditer("".join(shape)):
        yield words[match.start() // 2 : match.end() // 2]


def _shape(word: _Word) -> str:
    if word.capital:
        return "H" if word.lower in HEADS else "C"
    if word.lower in _INNER:
        return "p"
    if word.lower in {"for", "at", "and"}:
        return "h"
    return "n" if _NUMERAL.fullmatch(word.text) else "x"


def _touch(text: str, left: _Word, right: _Word) -> bool:
    gap = text[left.end : right.start]
    if left.possessive:
        return left.lower in OWNERS and gap in {"'s ", "’s "}
    if gap.startswith(".") and left.lower in TITLES:
        gap = gap[1:]
    return len(gap) <= 3 and gap.isspace()


def _trimmed(
    text: str, run: Sequence[_Word], words: Sequence[_Word], usual: frozenset[str]
) -> Sequence[_Word]:
    """Remove what precedes the name; return nothing when no name is left."""
    whole = len(run) > 1 and len(run) == len(words)
    if not whole:
        run = _without_head(run, common=_HEADLESS if _begins(text, run[0]) else frozenset())
    if _names_nothing(run) or _only_opens(run, words, usual):
        return []
    return _with_year(run, words)


def _only_opens(run: Sequence[_Word], words: Sequence[_Word], usual: frozenset[str]) -> bool:
    """Tell whether ``run`` is a common word that has its capital from opening the sentence."""
    return len(run) == 1 and run[0] is words[0] and _is_common(words, usual)


def _begins(text: str, word: _Word) -> bool:
    """Tell whether ``word`` may have its capital from standing first."""
    before = text[max(0, word.start - 2) : word.start].rstrip()
    return word.index == 0 or before[-1:] in _BEFORE_FIRST


def _names_nothing(run: Sequence[_Word]) -> bool:
    return (
        all(word.lower in _EMPTY or word.text.isdigit() for word in run)
        or all(len(word.text.rstrip(".")) == 1 for word in run)
        or run[-1].lower in TITLES
    )


def _without_head(run: Sequence[_Word], *, common: frozenset[str]) -> Sequence[_Word]:
    at = 0
    while at < len(run):
        word = run[at]
        dated = word.lower in CALENDAR and at + 1 < len(run) and run[at + 1].text.isdigit()
        if dated:
            at += 2
        elif _is_head(word, common):
            at += 1
        else:
            break
    return run[at:]


def _is_head(word: _Word, common: frozenset[str]) -> bool:
    return word.lower in common or word.lower.partition("'")[0] in common or not word.capital


def _is_common(words: Sequence[_Word], usual: frozenset[str]) -> bool:
    """Tell whether the first word of a sentence has its capital from its place alone."""
    first = words[0].lower
    if first in usual or (first.endswith("ly") and len(first) > 5):
        return True
    following = words[1].lower if len(words) > 1 else ""
    return following in _AFTER_PARTICIPLE and bool(_PARTICIPLE.fullmatch(first))


def _with_year(run: Sequence[_Word], words: Sequence[_Word]) -> Sequence[_Word]:
    """Take in the year of "the 2004 Summer Games"."""
    at = run[0].index
    if len(run) < 2 or at < 2 or words[at - 2].lower != "the":
        return run
    year = words[at - 1]
    return [year, *run] if _YEAR.fullmatch(year.text) and run[0].start == year.end + 1 else run


def _end(run: Sequence[_Word], span: Span) -> int:
    last = run[-1]
    stop = last.end == span.end and last.text.endswith(".") and last.text.count(".") == 1
    return last.end - 1 if stop else last.end
