"""What a text names: people, places, works, organizations, by their capitals and quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from quaere.text.sentences import Span, sentences
from quaere.text.tokens import STOP_WORDS, UNSPACED

_PARTICLES: Final = frozenset(
    """
    of the de del della delle degli di da do dos das du des la le les el al bin ibn ben von van der
    den zu zum zur af av y e et d' l' to's
    """.split()
)
# Words that begin sentences and name nothing, beside the stop words.
_STARTERS: Final = frozenset(
    """
    according additionally afterwards along another anyone around aside back besides compared
    consider considering consequently contrary day days describe despite due early earlier except
    explain find finally first following former formerly fourth furthermore generally give given
    good great hence historically how's identify indeed inside instead last lately later latest like
    list little long main maybe meanwhile moreover name near nearly nevertheless new next
    nonetheless nothing old originally otherwise outside overall perhaps please previous previously
    rather recent recently regarding second several similar similarly something sometimes soon
    still subsequently tell there's therefore third throughout today together tomorrow toward
    towards two three four five six seven eight nine ten unlike usually various what's whereas
    who's yes yesterday
    """.split()
)
_CALENDAR: Final = frozenset(
    """
    january february march april may june july august september october november december monday
    tuesday wednesday thursday friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov
    dec mon tue wed thu fri sat sun
    """.split()
)
_QUOTED = re.compile(
    r"\"([^\"\n]{1,90})\"|“([^“”\n]{1,90})”|«([^«»\n]{1,90})»|„([^„“”\n]{1,90})[“”]"
)
_CJK_QUOTED = re.compile(r"[《「『]([^《》「」『』\n]{1,40})[》」』]")
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]{2,}(?:[・＝=][\u30a1-\u30fa\u30fc]+)*")
_WORD = re.compile(
    rf"9/11|7/7|(?:[^\W\d_{UNSPACED}]\.)++(?:-[^\W\d_{UNSPACED}]\.)*+"
    rf"|[^\W_{UNSPACED}]++(?:[-'’&.](?=[^\W_])[^\W_{UNSPACED}]++)*+|&"
)
_NUMERAL = re.compile(r"\d{1,4}(?:st|nd|rd|th)?|\d{1,2}\.\d{1,2}")
_YEAR = re.compile(r"1\d{3}|20\d\d")
_LONGEST_WORD = 50
_MOST_WORDS = 10


@dataclass(frozen=True, slots=True)
class Name:
    """A name that stands at ``[start, end)`` of its text."""

    text: str
    start: int
    end: int


@dataclass(slots=True)
class _Word:
    text: str
    start: int
    end: int
    possessive: bool

    @property
    def capital(self) -> bool:
        if self.text in {"9/11", "7/7"}:
            return True
        head = self.text[0]
        if head.isupper() or head.istitle():
            return self.text not in {"I", "I'm", "I'd", "I've", "I'll"}
        return len(self.text) > 2 and head.islower() and any(c.isupper() for c in self.text)

    @property
    def lower(self) -> str:
        return self.text.lower()


def names(text: str) -> list[Name]:
    """Return the names in ``text`` in their order, none inside another.

    A name is a run of capitalized words, with particles ("of", "von") between and numbers behind
    ("Boeing 747"), or a title in quotes. The first word of a sentence needs company, or to be no
    common word. Possessive endings and leading articles of a sentence are left out.
    """
    lowered = frozenset(m[0] for m in _WORD.finditer(text) if m[0].islower())
    found: list[tuple[int, int]] = []
    for span in sentences(text):
        found.extend(_in_sentence(text, span, lowered))
    return [Name(text[start:end], start, end) for start, end in found]


def _in_sentence(text: str, span: Span, lowered: frozenset[str]) -> Iterator[tuple[int, int]]:
    titles = list(_titles(text, span))
    runs = [
        run
        for run in _runs(text, span, lowered)
        if not any(run[0] < end and start < run[1] for start, end in titles)
    ]
    yield from sorted([*titles, *runs])


def _titles(text: str, span: Span) -> Iterator[tuple[int, int]]:
    for match in _QUOTED.finditer(text, span.start, span.end):
        group = match.lastindex or 1
        start, end = match.span(group)
        inner = match[group]
        kept = inner.rstrip(".,;!? ")
        if kept and inner[0] != " " and _is_title(kept):
            yield start, start + len(kept)
    for pattern in (_CJK_QUOTED, _KATAKANA):
        for match in pattern.finditer(text, span.start, span.end):
            yield match.span(1 if pattern is _CJK_QUOTED else 0)


def _is_title(quoted: str) -> bool:
    words = quoted.split()
    heavy = [w for w in words if w.lower() not in STOP_WORDS and w.lower() not in _PARTICLES]
    return (
        len(words) <= _MOST_WORDS
        and quoted[0].isalnum()
        and not quoted[0].islower()
        and bool(heavy)
        and all(not w[0].islower() for w in heavy)
    )


def _runs(text: str, span: Span, lowered: frozenset[str]) -> Iterator[tuple[int, int]]:
    words = list(_words(text, span))
    if len(words) > 3 and not any(w.text[-1].islower() for w in words):
        return  # all in capitals: the case tells nothing
    run: list[_Word] = []
    loose: list[_Word] = []
    for word in words:
        joined = bool(run) and _touching(text, (loose or run)[-1], word)
        if joined and not loose and run[-1].possessive:
            joined = False
        if word.capital:
            if joined and len(run) < _MOST_WORDS:
                run += [*loose, word]
            else:
                yield from _close(text, run, span, lowered)
                run = [word]
            loose = []
        elif joined and (word.lower in _PARTICLES or word.text == "&"):
            loose.append(word)
        elif joined and not loose and _NUMERAL.fullmatch(word.text):
            run.append(word)
        else:
            yield from _close(text, run, span, lowered)
            run, loose = [], []
    yield from _close(text, run, span, lowered)


def _close(
    text: str, run: list[_Word], span: Span, lowered: frozenset[str]
) -> Iterator[tuple[int, int]]:
    if not run:
        return
    whole = run[0].start <= span.start + 2 and run[-1].end >= span.end - 2
    first = run[0].start <= span.start + 2
    kept = run if whole and len(run) > 1 else _without_starters(run, first=first)
    if not kept or all(w.lower in _CALENDAR or w.text.isdigit() for w in kept):
        return
    if len(kept) == 1 and first and kept[0] is run[0] and kept[0].lower in lowered:
        return
    if len(kept) == 1 and len(kept[0].text.rstrip(".")) == 1:
        return
    end = kept[-1].end
    if text[end - 1] == "." and end == span.end and kept[-1].text.count(".") == 1:
        end -= 1
    yield kept[0].start, end


def _without_starters(run: list[_Word], *, first: bool) -> list[_Word]:
    index = 0
    while index < len(run) and run[index].lower in (
        STOP_WORDS | _STARTERS | _PARTICLES if first else {"a", "an"}
    ):
        index += 1
    kept = run[index:]
    if not first and len(kept) == 1 and kept[0].lower in STOP_WORDS:
        return []
    return kept


def _words(text: str, span: Span) -> Iterator[_Word]:
    for match in _WORD.finditer(text, span.start, span.end):
        start, end = match.span()
        if end - start > _LONGEST_WORD:
            continue
        possessive = match[0].endswith(("'s", "’s"))
        if possessive:
            end -= 2
        if text[end : end + 1] in {"'", "’"} and text[end - 1] == "s":
            possessive = True
        yield _Word(text[start:end], start, end, possessive)


def _touching(text: str, left: _Word, right: _Word) -> bool:
    gap = text[left.end : right.start]
    return 0 < len(gap) <= 3 and gap.isspace()
