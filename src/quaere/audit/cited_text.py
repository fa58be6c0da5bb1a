"""Takes a text apart: its sentences, and which source each of them cites."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from itertools import groupby

from quaere.audit.markers import JOINER, Marker, blank_out, find_markers
from quaere.audit.own_report import about_itself
from quaere.audit.reference_list import Reference, reference_list
from quaere.domain.url import canonical_url
from quaere.text.inline import outside_code
from quaere.text.numbers import numbers
from quaere.text.sentences import Span, sentences
from quaere.text.thoughts import thoughts_at_head
from quaere.text.tokens import terms

MIN_TERMS = 3
"""Words other than stop words that make a sentence say something."""
LEAST_OF_BEING = 2
"""As many do in a whole sentence that says what something is or has."""
TITLE_WORDS = 14
"""A line of its own of up to so many words, without a full stop, is a title."""

# What is not prose: front matter, comments, code, rules; the heads of tables; headings.
_FENCE = re.compile(
    r"(?m)^[ ]{0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?:.*+\n)*?(?:[ ]{0,3}(?P=fence)[^\n]*+$|\Z)"
)
_FRONT = re.compile(r"\A---[ \t]*\n(?:(?!---)[^\n]*\n){0,100}---[ \t]*\n")
_COMMENT = re.compile(r"<!--(?:(?!-->).)*+(?:-->|\Z)", re.DOTALL)
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]{1,500})\1(?!`)")
_TABLE_HEAD = re.compile(
    r"(?m)^(?=[^\n]*\|)[^\n]*+\n[ \t]*+\|?+[ \t]*+:?+-++:?+[ \t]*+(?:\|[ \t]*+:?+-*+:?+[ \t]*+)*+$"
)
_HEADING = re.compile(
    r"(?m)^[ ]{0,3}#{1,6}[ \t][^\n]*$"
    # A sentence above a rule is not a heading, whatever Markdown says: no author means it as one.
    r"|^[^\n]{1,100}(?<![.!?\]])\n[ ]{0,3}(?:={3,}|-{3,})[ \t]*$"
)
_RULE = re.compile(r"(?m)^[ \t]*+(?:[-*_=][ \t]*+){3,}+$")
_ITEM = re.compile(r"\s*(?:(?:[-*+•>:]|\(?\d{1,3}[.)]|\[[ xX]\])\s+)+")
_EMPHASIS = re.compile(
    r"(?<=\S)\*{1,3}|\*{1,3}(?=\S)|(?<![^\W_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![^\W_])"
)
_MARKUP = re.compile(r"\*{1,3}|__|~~|`+|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)|</?[a-zA-Z!][^>\n]{0,200}>")
# Of HTML, what parts what is said from the next thing said, and what is no more than a space.
_BLOCK = re.compile(
    r"(?i)</?(?:p|div|section|article|[uod]l|li|d[td]|table|thead|tbody|tr|h[1-6]|details|summary"
    r"|blockquote|pre|hr)(?:\s[^<>\n]{0,200})?/?>"
)
_GAP = re.compile(r"(?i)</?(?:br|t[dh])(?:\s[^<>\n]{0,200})?/?>")
_BEFORE = re.compile(r"\s+(?=[.,;:!?…)\]”»](?:\s|$|[.,;:!?)]))")
_EMPTY = re.compile(r"[(（\[]\s*[,;]*\s*[)）\]]")
_TWICE = re.compile(r"(?<!\.)([.!?…])\.+$")
_ENDED = re.compile(r"[.!?…。！？।؟][\"'”’»)\]]*$")
_OPEN = re.compile(r"[:?？：][\"'”’»)\]]*$")
_BLANK_BELOW = re.compile(r"[^\S\n]*(?:\Z|\n[^\S\n]*(?:\n|\Z))")
_OF_TEXT = re.compile(
    r"(?i)(?:in )?(?:this|the present) (?:report|article|section|document|overview|summary|analysis"
    r"|review|paper|essay)\b|(?:the )?following (?:section|table|list|report)|below (?:is|are)\b"
    r"|(?:in )?(?:dieser|diesem|dieses|der folgende) (?:bericht|abschnitt|artikel|überblick)\b"
)


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A source that a text cites."""

    number: int
    """From 1, in the order in which they are first cited."""
    labels: tuple[str, ...]
    """What its markers say; empty when it is cited by its address alone."""
    address: str
    """URL or path; empty where the text gives none."""
    title: str
    listed: bool
    """Whether the text says what it is: there is an address, or an entry in a list."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """One sentence, at ``[start, end)``."""

    start: int
    end: int
    line: int
    """From 1."""
    text: str
    """As it reads: without markers, addresses and markup."""
    cites: tuple[int, ...]
    """Numbers of the sources cited, in order; none twice."""
    is_claim: bool
    """Whether it says something about the world."""
    found: tuple[int, ...] | None = None
    """Numbers of the sources that were found for it; None where none were looked for."""

    @property
    def is_uncited(self) -> bool:
        """Whether it is a claim that cites nothing."""
        return self.is_claim and not self.cites

    @property
    def sources(self) -> tuple[int, ...]:
        """Numbers of the sources that it is compared with."""
        return self.cites or self.found or ()


@dataclass(frozen=True, slots=True)
class CitedText:
    """The sentences of a text, and the sources that they cite."""

    sentences: tuple[CitedSentence, ...]
    sources: tuple[CitedSource, ...]


def cited_text(text: str) -> CitedText:
    """Return the sentences of ``text``, Markdown or plain, with what each of them cites.

    Read are ``[1]``, ``[1, 2]``, ``[1-3]``, ``[^1]``, ``【1†source】``, ``¹²`` and so on, with
    the list, the footnotes or the definitions that say what they stand for, links, and addresses as
    such. A citation belongs to the sentence in which, or behind which, it stands. Where several
    lists have one label, the next list after the marker counts. What an exported report tells
    about its own making is not read.
    """
    no_prose = _no_prose(text)
    listed = reference_list(blank_out(text, no_prose))
    prose = blank_out(text, [*no_prose, *listed.spans])
    code = [match.span() for match in _CODE.finditer(prose)]
    labels = {reference.label for reference in listed.references}
    found = find_markers(blank_out(prose, code), labels)
    shown = list(_parted(found.text))
    for start, end in code:
        shown[start:end] = prose[start:end]
    body = _unmarked("".join(shown))
    heads = [m.span() for form in (_TABLE_HEAD, _HEADING, _RULE) for m in form.finditer(body)]
    spans = sentences(blank_out(body, heads))
    sources = _Sources(listed.references)
    cites = _cites(text, spans, found.marks, sources)
    said = _cited_sentences(body, zip(spans, cites, strict=True), _Lines(text))
    return CitedText(tuple(said), sources.found())


def _cited_sentences(
    body: str, cited: Iterable[tuple[Span, tuple[int, ...]]], line: _Lines
) -> Iterator[CitedSentence]:
    """Yield the sentences of ``body`` that hold words, with the numbers that each cites."""
    for span, cites in cited:
        if words := _words(body[span.start : span.end]):
            is_claim = _is_claim(words, body, span, cited=bool(cites))
            yield CitedSentence(span.start, span.end, line.at(span.start), words, cites, is_claim)


def _no_prose(text: str) -> list[tuple[int, int]]:
    marked = [m.span() for form in (_FRONT, _COMMENT, _FENCE) for m in form.finditer(text)]
    marked.append(thoughts_at_head(text))
    return [*marked, *about_itself(blank_out(text, marked))]


def _parted(text: str) -> str:
    """Return ``text`` with blank lines and blanks for the tags of HTML that part; offsets stay."""
    return "\n".join(map(_line_parted, text.split("\n")))


def _line_parted(line: str) -> str:
    if "<" not in line:
        return line
    part = "" if line.lstrip().startswith("|") else "\n\n"  # a row of a table stays one
    line = _BLOCK.sub(lambda tag: part.ljust(len(tag[0])), line)
    return _GAP.sub(lambda tag: " " * len(tag[0]), line)


def _unmarked(text: str) -> str:
    """Return ``text`` with emphasis taken out, so that full stops are seen; offsets stay."""

    def taken(match: re.Match[str]) -> str:
        before = text[match.start() - 1 : match.start()]
        inside = before.strip() and before not in '.!?…。！？"”»)'
        return (JOINER if inside else " ") * len(match[0])

    return _EMPHASIS.sub(taken, text)


class _Lines:
    """Numbers of lines by offset."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def at(self, offset: int) -> int:
        return bisect_right(self._starts, offset)


class _Sources:
    """Gives every source its number when it is first cited."""

    def __init__(self, references: Iterable[Reference]) -> None:
        ordered = sorted(references, key=lambda reference: reference.label)
        grouped = groupby(ordered, key=lambda reference: reference.label)
        self._listed: Mapping[str, list[Reference]] = {
            label: sorted(of, key=lambda reference: reference.start) for label, of in grouped
        }
        self._found: dict[tuple[str, str], CitedSource] = {}

    def number(self, mark: Marker) -> int:
        """Return the number of the one source that ``mark`` cites."""
        reference = self._reference(mark)
        address = mark.address or (reference.address if reference else "")
        entry = f"{mark.label}@{reference.start}" if reference else mark.label
        key = ("address", canonical_url(address)) if address else ("label", entry)
        new = CitedSource(len(self._found) + 1, (), address, "", bool(address))
        known = self._found[key] = _labelled(self._found.get(key, new), mark.label, reference)
        return known.number

    def found(self) -> tuple[CitedSource, ...]:
        """Return every source cited so far, by number."""
        return tuple(self._found.values())

    def _reference(self, mark: Marker) -> Reference | None:
        listed = self._listed.get(mark.label, []) if mark.label else []
        following = (reference for reference in listed if reference.start > mark.start)
        return next(following, listed[-1] if listed else None)


def _labelled(source: CitedSource, label: str, reference: Reference | None) -> CitedSource:
    """Return ``source`` with ``label`` among its labels, and what ``reference`` says about it."""
    if not label or label in source.labels:
        return source
    return replace(
        source,
        labels=(*source.labels, label),
        title=source.title or (reference.title if reference else ""),
        listed=source.listed or reference is not None,
    )


def _cites(
    text: str, spans: Sequence[Span], marks: Iterable[Marker], sources: _Sources
) -> list[tuple[int, ...]]:
    """Return what each of ``spans`` cites."""
    cites: list[dict[int, None]] = [{} for _ in spans]
    starts = [span.start for span in spans]
    for mark in marks:
        place = _place(text, spans, starts, mark)
        if place is not None:
            cites[place][sources.number(mark)] = None
    return [tuple(numbers) for numbers in cites]


def _place(text: str, spans: Sequence[Span], starts: Sequence[int], mark: Marker) -> int | None:
    """Return which of ``spans`` a citation belongs to: where it stands, or the one before it.

    The one after it, when the citation begins the line.
    """
    after = bisect_right(starts, mark.start)
    ahead = text[spans[after - 1].end : mark.start] if after else "\n"
    if after < len(spans) and "\n" in ahead and "\n" not in text[mark.end : spans[after].start]:
        return after
    return after - 1 if after else None


def _plain(text: str) -> str:
    return unescape(_MARKUP.sub("", text))


def _words(said: str) -> str:
    """Return the words of a sentence, empty when there are none."""
    text = _ITEM.sub("", said, count=1) if _ITEM.match(said) else said
    text = outside_code(text, _plain, lambda code: code.strip("`"))
    if text.lstrip().startswith("|"):
        text = ", ".join(filter(None, (cell.strip() for cell in text.split("|"))))
    text = _EMPTY.sub("", " ".join(text.replace(JOINER, " ").split()))
    text = _TWICE.sub(r"\1", _BEFORE.sub("", text))
    return text.strip(" ,;") if any(char.isalnum() for char in text) else ""


def _is_claim(words: str, body: str, span: Span, *, cited: bool) -> bool:
    """Return whether ``words`` say something that a source could hold; what is cited always does.

    Questions, announcements, titles, greetings and sentences about the text itself do not.
    """
    if cited:
        return True
    if _OPEN.search(words) or _OF_TEXT.match(words):
        return False
    if not _says_enough(words):
        return False
    return bool(_ENDED.search(words)) or not _is_title(words, body, span)


_IS = re.compile(
    r"(?i)(?<=\w )(?:is|are|was|were|has|have|had|ist|sind|war|waren|hat|haben|hatte|est|sont|était"
    r"|étaient|es|son|era|eran|fue|è|sono|erano|ha|hanno|é|são|foi|tem|zijn|heeft|hebben)(?= \w)"
)
"""Says of what is before it what comes after it."""


def _says_enough(words: str) -> bool:
    """Return whether ``words`` say something of something, as "Dogs are welcome." does."""
    count = len(terms(words))
    if count >= MIN_TERMS or (count > 0 and bool(numbers(words))):
        return True
    return count >= LEAST_OF_BEING and _IS.search(words) is not None and bool(_ENDED.search(words))


def _is_title(words: str, body: str, span: Span) -> bool:
    """Return whether a sentence without a full stop stands alone between blank lines."""
    if len(words.split()) > TITLE_WORDS or _ITEM.match(body, span.start):
        return False
    first = body.rfind("\n", 0, span.start)
    above = body[body.rfind("\n", 0, max(0, first)) + 1 : span.start]
    return not above.strip() and _BLANK_BELOW.match(body, span.end) is not None


# The citation already names the source; a source seldom gives its own name.
_ATTRIBUTION = re.compile(
    r"(?i)(?:according to|as (?:reported|stated|noted|described) (?:by|in)|(?:laut|gemäß|nach "
    r"angaben)|selon|según|secondo|volgens) [^,.;:]{1,80}, (?=\S)"
)


def without_attribution(text: str) -> str:
    """Return ``text`` without "According to the Bay Almanac, " before what it asserts."""
    match = _ATTRIBUTION.match(text)
    return text[match.end() :] if match else text
