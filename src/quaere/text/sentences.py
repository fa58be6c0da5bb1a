"""Where sentences begin and end, and the run of them that is worth showing in little room."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from quaere.text.configuration import (
    are_logged,
    are_settings,
    sets,
)
from quaere.text.layout import (
    DEEPER,
    column_of,
    described,
    in_strings,
    indent_of,
    is_code,
    is_label,
)
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import COUNTED, LINKS, SHORTENED, STOP_WORDS, TITLES
from quaere.text.raised import RAISED
from quaere.text.tokens import terms

_OPENERS: Final = "\"'“‘«„([¿¡"
_STOP = re.compile(
    r"([.!?…؟।॥]++)(?:[\"'”’»)\]]|\ (?=[\"”](?:\s|\Z)))*+(?:\[\d{1,3}\])*+"
    rf"(?:[{RAISED}]++[,–]?+){{0,9}}+"
    r"|[。！？｡]++[」』”）》]*+"
)
_BLANK = re.compile(r"\n[^\S\n]*+\n\s*+|\f")
_MARKER = re.compile(
    r"\s*+(?:[-*+•‣◦▪○●■□➢–—·]\s|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s|#{1,6}\s|\||>\s|[-=*_]{3,}\s*+\Z"
    r"|\.\.\s[\w-]++::)"
)
_LABELLED = re.compile(r":?[A-Z][\w'-]*+(?: [\w'-]++){0,2}: \S")
"""An entry of a form: "Present: Ada Novak"."""
_OWN_LINE = re.compile(
    r"\s*+(?:#{1,6}\s|\||(?:```|~~~)\w*+\s*+\Z|[-=*_]{3,}\s*+\Z|\.\.\s[\w-]++::"
    r"|\$\s(?!\d).*[^\\\s]\s*+\Z)"
)
"""A line that is one by itself; ".. code-block:: sh" says in reStructuredText what follows, and
"$ make" is typed."""
_WHOLE = re.compile(r"\s*+(?:\|.*\|\s*+\Z|#{1,6}\ )")
"""A row of a table, or a heading: whole, however many sentences its cells hold, or its number
seems to end one: "## 2. Scope"."""
_GAP = re.compile(r"(?<=[^\s.!?:])\ {2,}+(?=\S)")
"""What parts two columns: after the end of a sentence two spaces may be no more than a habit."""
_INLINE_CODE = re.compile(r"(`{1,2})(?![`\s])[^`]{1,300}+(?<!\s)\1(?!`)")
"""Code in a sentence, which ends none: "ask `who was it? --brief` once"."""
_ROMAN = re.compile(r"[IVXLC]+")
_NEVER_LAST: Final = TITLES | LINKS
_SHORT: Final = TITLES | LINKS | SHORTENED
_JOINT = re.compile(r"[-–—/]|['’](?=\w\w)")
"""What parts a word, an apostrophe only before two letters or more: "l'art."."""
_BESIDE_WORD = re.compile(r"\W")
_SPACED_DOTS = re.compile(r"\.(?!\.)")
_ITEM_NUMBER = re.compile(r"\s*\d{1,3}")
_ORDINAL = lazy_regex(r"(?:^|.*\D)(?:[12]\d|3[01]|[1-9])", re.DOTALL)
_NUMBERED = re.compile(
    r"(?:Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Jahrhunderts?)\b"
    r"|(?:April|August|September|November)\s\d{3,4}\b"
)
"""What an ordinal number in German is of, as in "3. Mai"; names that English shares need a year."""
_NAME_ENDS = lazy_regex(r"[^:;\n]{1,60}: ")
"""What follows a full stop in the name of a field: "Item: pump; Max. Depth (m): 4"."""
_REACH: Final = 40
"""Characters looked at around a full stop: more than any abbreviation needs."""
_CODE_NAME = re.compile(r"[a-z]+[\d_]\w*(?!\S*[:=])|[a-z][\w.-]*\(\d?\)|[a-z]\w*+\.[A-Z]\w")
"""A name of code, which begins small wherever it stands: "bzip2", "printf(3)", "csv.QUOTE_ALL"."""
_CAPITAL_START = re.compile(r"[.!?]\s+[\"'“‘«(]?[A-ZÀ-ÖØ-Þ]")
_SMALL_START = re.compile(r"(?<=[^\W\d_]{3})[.!?]\s+[^\W\d_]")
"""How a sentence begins in most texts, and in one that is typed without capitals."""
_JOINED: Final = frozenset(
    ("a", "an", "and", "at", "by", "from", "in", "into", "of", "on", "or", "than", "the", "to",
     "via", "with", "your")
)  # fmt: skip
"""Words with which no line ends that was broken on purpose."""
_LINKED = re.compile(r"!?\[[^\[\]]{1,200}\]\([^()\s]*\)\S*")
"""A link, which no editor breaks at the spaces in it."""
_FENCE: Final = "```"
_CLOSING: Final = ".:;!?"
_FULL_LINE: Final = 0.8
"""A line that would have stayed shorter than this share of its paragraph's width with the next word
on it was broken on purpose."""


LEAST_PROSE: Final = 4
"""Words with which prose begins in a line, at least: labels and calls have fewer."""
LEAST_JOINED: Final = 4
"""Words that such a line has before the last one, at least; headings may be of any."""


QUESTION_MARKS = ("?", "？", "؟")
"""How a question ends, in Latin, Chinese or Arabic letters."""


class Span(NamedTuple):
    """A stretch ``[start, end)`` of a text; a tuple, as by far the most of all values are these."""

    start: int
    end: int


def sentences(text: str) -> list[Span]:
    """Return the sentences of ``text`` in order, without the white space around them."""
    return list(each_sentence(text))


def each_sentence(text: str) -> Iterator[Span]:
    """Yield the same one by one: a text of some megabytes takes seconds."""
    for start, end in _blocks(text):
        is_whole = _WHOLE.match(text, start, end) is not None
        yield from _stripped(text, start, end) if is_whole else _in_block(text, start, end)


def _in_block(text: str, start: int, end: int) -> Iterator[Span]:
    cut, small = start, _is_in_small_letters(text, start, end)
    code = [span.span() for span in _INLINE_CODE.finditer(text, start, end)]
    for match in _STOP.finditer(text, start, end):
        if match.end() == end or _is_within(match.start(), code):
            continue
        if _ends_sentence(text, match, cut, end, small=small):
            yield from _stripped(text, cut, match.end())
            cut = match.end()
    yield from _stripped(text, cut, end)


def _is_within(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Tell whether ``place`` is in one of ``spans``, in order."""
    at = bisect_right(spans, place, key=itemgetter(0))
    return at > 0 and place < spans[at - 1][1]


def _is_in_small_letters(text: str, start: int, end: int) -> bool:
    """Tell whether who wrote ``[start, end)`` begins no sentence with a capital.

    Where one alone begins small, its full stop may be that of an abbreviation.
    """
    head = text[start : min(end, start + _REACH)].lstrip().lstrip(_OPENERS)
    if not head[:1].islower() or _CAPITAL_START.search(text, start, end):
        return False
    return len(_SMALL_START.findall(text, start, end)) > 1


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if left < right:
        yield Span(left, right)


def _ends_sentence(text: str, match: re.Match[str], cut: int, end: int, *, small: bool) -> bool:
    stop = match[1]
    if stop is None:
        return True
    ahead = text[match.end() : min(end, match.end() + _REACH)]
    following = ahead.lstrip().lstrip(_OPENERS)
    if not ahead[0].isspace() or _SPACED_DOTS.match(following):
        return False
    if following[:1].islower() and not (small or (stop == "." and _CODE_NAME.match(following))):
        return False
    before = text[max(cut, match.start() - _REACH) : match.start()]
    fields, _, name = text[max(cut, match.start() - 10 * _REACH) : match.start()].rpartition("; ")
    if ": " in fields and ":" not in name and _NAME_ENDS.match(text, match.end(), end):
        return False
    return stop != "." or not following or _may_end(before, following)


def _may_end(before: str, following: str) -> bool:
    """Tell whether the full stop between the two ends a sentence."""
    if not before or before[-1].isspace() or _is_number(before, following):
        return False
    word = _JOINT.split(before.rsplit(maxsplit=1)[-1].lstrip(_OPENERS))[-1]
    if not _is_short(word, numbered=following[0].isdigit()):
        return True
    return _may_be_last(word) and _begins(following)


def _is_number(before: str, following: str) -> bool:
    """Tell whether the full stop belongs to the number of an item, or of what follows."""
    if not before[-1].isdigit():
        return False
    if _ITEM_NUMBER.fullmatch(before):
        return True
    return bool(_NUMBERED.match(following) and _ORDINAL.fullmatch(before))


def _may_be_last(word: str) -> bool:
    """Tell whether a sentence may end in ``word``: a single letter may be more than an initial."""
    return (len(word) == 1 and word.isupper()) or word.lower() not in _NEVER_LAST


def _is_short(word: str, *, numbered: bool) -> bool:
    """Tell whether the full stop may belong to ``word`` itself; ``numbered``: before a number."""
    lower = word.lower()
    if lower in COUNTED or _ROMAN.fullmatch(word):
        return numbered or not word.islower()
    if len(word) == 1:
        return word.isupper() or lower in _SHORT
    return lower in _SHORT or _is_dotted(word)


def _is_dotted(word: str) -> bool:
    """Tell whether ``word`` is of the kind of "e.g" and "Ph.D"; "8.30" is a time of day."""
    return "." in word and all(len(p) <= 2 and not p.isdigit() for p in word.split("."))


def _begins(following: str) -> bool:
    first = _BESIDE_WORD.split(following)[0].lower()
    return first in STOP_WORDS or first in {"mr", "mrs", "ms", "dr"}


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _BLANK.finditer(text):
        yield from _lines(text, start, match.start())
        start = match.end()
    yield from _lines(text, start, len(text))


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Part a paragraph where a line break is more than the wrapping of a long line."""
    lines = text[start:end].split("\n")
    if len(lines) > 1 and (is_code(lines) or are_settings(lines) or are_logged(lines)):
        yield from _by_kind(text, start, lines, in_strings(lines))
    elif any(map(sets, lines)):
        yield from _by_kind(text, start, lines, (not sets(line) for line in lines))
    else:
        yield from _prose(text, start, end, lines)


def _prose(text: str, start: int, end: int, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Part the ``lines`` of a paragraph of prose."""
    width = max(map(len, lines))
    rows = described(lines)
    begun = at = start
    head = lead = _indent(text, start) + lines[0]
    for (line, following), row, after in zip(pairwise(lines), rows, rows[1:], strict=False):
        head = head if at > begun else lead if at == start else line
        if row[1]:
            yield begun, at + row[1]
            begun = at + row[1]
        first = at == 0
        at += len(line) + 1
        # Where a text begins, an indentation may have been cut away.
        seen = head if begun or head[:1].isspace() else following
        is_over = bool(after[1]) or _is_further_out(following, line, seen)
        if is_over or _parts(line, following, width, row, first=first):
            yield begun, at - 1
            begun = at
    if rows[-1][1]:
        yield begun, at + rows[-1][1]
        begun = at + rows[-1][1]
    yield begun, end


def _parts(line: str, following: str, width: int, row: tuple[int, int], *, first: bool) -> bool:
    """Tell whether a line break is more than wrapping; what a ``row`` says goes on further in."""
    if row[1]:
        return indent_of(following) < column_of(line, row[1])
    return _breaks(line, following, width) or is_label(line, following, width, first=first)


def _indent(text: str, start: int) -> str:
    """Return the spaces before the paragraph at ``start``; empty where its line is not all seen."""
    _, is_seen, indent = text[max(0, start - _REACH) : start].rpartition("\n")
    return indent if is_seen else ""


def _is_further_out(following: str, line: str, head: str) -> bool:
    """Tell whether what begins with ``head`` is over before ``following``.

    So is an item of a list before a line further out, and what goes on further in, up to ``line``,
    before one that does not.
    """
    if _is_unfinished(line, following) and _begins_prose(head):
        return False
    begins, back = indent_of(head), indent_of(following)
    is_item = _MARKER.match(head) is not None and back < begins
    return is_item or (indent_of(line) >= begins + DEEPER and back <= begins)


def _begins_prose(head: str) -> bool:
    """Tell whether ``head``, but for the mark of an item, begins a sentence as prose does."""
    mark = _MARKER.match(head)
    said = (head[mark.end() :] if mark else head).split()
    return len(said) >= LEAST_PROSE and said[0][:1].isupper()


def _is_unfinished(line: str, following: str) -> bool:
    """Tell whether ``line`` has no end and ``following`` begins small."""
    return line.rstrip()[-1:] not in _CLOSING and following.lstrip()[:1].islower()


def _by_kind(
    text: str, start: int, lines: Sequence[str], are_said: Iterable[bool]
) -> Iterator[tuple[int, int]]:
    """Part ``lines``: as prose those that ``are_said``, the others each by itself.

    One that ends in a backslash goes on in the next.
    """
    for is_said, pieces in groupby(zip(lines, are_said, strict=True), key=itemgetter(1)):
        run = [line for line, _ in pieces]
        ends = list(accumulate((len(line) + 1 for line in run), initial=start))
        if is_said:
            yield from _prose(text, start, ends[-1] - 1, run)
        else:
            goes_on = (line.rstrip().endswith("\\") for line in run[:-1])
            parted = [after for after, on in zip(ends[1:-1], goes_on, strict=True) if not on]
            parts = pairwise([ends[0], *parted, ends[-1]])
            yield from ((begin, after - 1) for begin, after in parts)
        start = ends[-1]


def _breaks(line: str, following: str, width: int) -> bool:
    if _MARKER.match(following) or _OWN_LINE.match(line) or _are_entries(line, following):
        return True
    if line.endswith(":") and indent_of(following) >= indent_of(line) + DEEPER:
        return True
    head = _head(following)
    if not head or head[0].islower() or _goes_on(line, following):
        return False
    return len(line.rstrip()) + 1 + len(head) < _FULL_LINE * width


def _head(line: str) -> str:
    """Return what of ``line`` an editor moves to the line before as one: a word, or a link."""
    if linked := _LINKED.match(line):
        return linked[0]
    return next(iter(line[:_REACH].split()), "")


def _goes_on(line: str, following: str) -> bool:
    """Tell whether a sentence that has begun in ``line`` is not over there."""
    return _is_joined(line) or _goes_on_in_code(line, following)


def _is_joined(line: str) -> bool:
    """Tell whether ``line`` ends in a word that joins what follows: "is served to"."""
    said = line.split()
    return len(said) > LEAST_JOINED and said[-1] in _JOINED


def _goes_on_in_code(line: str, following: str) -> bool:
    """Tell whether code in ``following`` continues a sentence that has begun in ``line``."""
    if following.startswith(_FENCE) or not following.startswith("`"):
        return False
    return line[:1].isalpha() and " " in line and line.rstrip()[-1:] not in _CLOSING


def _are_entries(line: str, following: str) -> bool:
    """Tell whether two lines are entries of a form or of a listing."""
    labelled = _LABELLED.match(line) and _LABELLED.match(following)
    return bool(labelled) or _are_aligned(line, following)


def _are_aligned(line: str, following: str) -> bool:
    """Tell whether two lines are entries of a listing: a second column begins below the other."""
    if "  " not in line or "  " not in following:
        return False
    columns = {gap.end() for gap in _GAP.finditer(line)}
    return any(gap.end() in columns for gap in _GAP.finditer(following))


def excerpt(text: str, wanted: Collection[str], max_chars: int) -> Span:
    """Return the run of whole sentences up to ``max_chars`` that holds most ``wanted`` terms.

    Of equal ones the first is taken. A first sentence that is longer than the room is cut at the
    last space that fits, or where the room ends.
    """
    if len(text) <= max_chars:
        return Span(0, len(text))
    best = _fullest(text, wanted, max_chars)
    if best.end - best.start <= max_chars:
        return best
    room = text[best.start : best.start + max_chars]
    return Span(best.start, best.start + len(room.rpartition(" ")[0] or room))


def _fullest(text: str, wanted: Collection[str], max_chars: int) -> Span:
    """Return the run that `excerpt` looks for; one sentence, if too long; empty without any."""
    spans = sentences(text)
    sought = frozenset(wanted)
    held = [sought.intersection(terms(text[span.start : span.end])) for span in spans]
    best, most = Span(0, 0), -1
    for first, span in enumerate(spans):
        last = first
        while last + 1 < len(spans) and spans[last + 1].end - span.start <= max_chars:
            last += 1
        found = len(frozenset[str]().union(*held[first : last + 1]))
        if found > most:
            best, most = Span(span.start, spans[last].end), found
    return best
