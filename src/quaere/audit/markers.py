"""Finds the citations in running text: markers, links and addresses."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from quaere.audit.reference_list import Address, addresses, first_path, normalized_label

JOINER = "\u2060"
"""Replaces a marker between a word and its full stop; it is invisible."""
MAX_RANGE = 30
"""Markers that "[1-30]" may stand for; beyond it is an interval of something else."""

_SAID_TO_BE = (
    r"(?:(?:sources?|refs?|references?|citations?|documents?|docs?|passages?|quellen?)\b\.?"
    r"\s?[:#]?\s?)?"
)
"""What a number in a marker may be said to be of: "[Source 2]"."""
_AT = r"(?i:(?:pp?|pages?|ch|chapter|sec|section|lines?|s|seiten?|kap)\b\.?|§{1,2})"
_PLACE = re.compile(rf",\s?{_AT}\s?[\d.,–-]{{1,20}}")
"""Where in the source it is: "[2, p. 4]"."""
_AND = r"\s?(?:[,;]?\s?(?:&|\band\b)|[,;]|[-–—])\s?"
_NUMBERS = (
    rf"\\?\[\s?(?i:{_SAID_TO_BE})\^?\d{{1,4}}(?:{_AND}\^?\d{{1,4}}){{0,40}}"
    rf"(?:{_PLACE.pattern})?\s?\\?\]"
)
_BARE_NUMBER = re.compile(r"\\?\[\s?\^?\d")
_RUN = re.compile(rf"(?P<first>{_NUMBERS})(?:(?P<dash>\s?[-–—]\s?)(?P<last>{_NUMBERS}))?(?!\()")
_ROUND = re.compile(
    r"(?m)(?<=[\w%\"”’)])[ \t]\((?P<numbers>\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,20})\)"
    r"(?=\s*(?:[.,;:!?…]|$))"
)
_PART = re.compile(r"(\d{1,4})(?:\s?[-–—]\s?\^?(\d{1,4}))?")
_FOOTNOTE = re.compile(r"\[\^(?P<label>[^\[\]\s]{1,60})\]")
_LENS = re.compile(r"【(?P<label>[^】\n]{1,60})】")
_LENS_LABEL = re.compile(r"\^?(\d{1,4})(?:\s*(?:†|:|$))")
_RAISED = re.compile(r"(?P<run>[⁰¹²³⁴-⁹]{1,3}(?:[,'᾿˒⸴][⁰¹²³⁴-⁹]{1,3}){0,9})")
_SUP = re.compile(r"(?i)<sup>\s?\[?(?P<inside>[\d,;\s–-]{1,60})\]?\s?</sup>")
_NAMED = re.compile(r"\[(?P<words>[^\[\]\n]{1,300})\]\[(?P<label>[^\[\]\n]{0,60})\]")
_SHORT = re.compile(r"\[(?P<label>@?[^\[\]\n]{1,60})\](?![\[(:])")
# What some assistants leave behind when a text is copied; nobody can tell what it stood for.
_LEFT_OVER = re.compile(
    r"\ue200(?P<private>[^\ue201\n]{0,200})\ue201"
    r"|:contentReference\[(?P<opaque>oaicite:\d{1,4})\]\{index=\d{1,4}\}"
)
# "km²" and "10⁶" cite nothing; after a full stop it can only be a citation.
_UNIT = re.compile(r"(?:^|[\s(/·])(?:(?:\d[\d.,]*)?\d|[µkcdmn]?m|ft|in|yd|mi|s|x|kg|[A-Za-z])$")
_STOPPED = re.compile(r"[.,;:!?…。，”\"')\]]$")
_BARE = re.compile(
    r"(?i)\W*(?:\d{1,4}|sources?|link|ref(?:erence)?|citation|quelle|†?\S*†\S*|https?://\S*"
    r"|(?:[\w-]{1,63}\.){1,4}[a-z]{2,12}(?:/\S*)?)\W*"
)
_BEFORE_STOP = re.compile(r"(?<=\S)[ \t]++(?=[.!?…。！？])")
_LEAD = (
    r"(?:sources?|references?|refs?|see(?: also)?|via|cf\.?|from|as cited in|quellen?|siehe|vgl\.?"
    r"|fuentes?|voir|fonti?|bron(?:nen)?|and|und|at)"
)
_GROUP = re.compile(rf"(?i)[(（](?:\s|[,;:|&*_]|{_LEAD}\b)*+[)）]")
_SOURCE_LINE = re.compile(
    rf"(?im)(?:^[ \t>*+_-]*+|(?<=[.!?])[ \t]*+[–—-]?[ \t]*+\**+){_LEAD}\**+[ \t]*+:[ \t,;.&|*]*+$"
)
_NAMED_SOURCE = re.compile(
    r"(?i)[(（](?:sources?|quellen?|fuentes?|fonti?|bron)\s?:\s?(?P<inside>[^()（）\n]{1,300})[)）]"
)


@dataclass(frozen=True, slots=True)
class Marker:
    """One citation, made at ``[start, end)``: by a label of a list, or by an address."""

    start: int
    end: int
    label: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The citations of a text, and the text with blanks in their place."""

    marks: tuple[Marker, ...]
    text: str
    """As long as the text it was made of; the words of links stay, and before a full stop there are
    joiners and no blanks."""


def blank_out(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return ``text`` with blanks in place of ``spans``; line breaks stay, and so do offsets."""
    parts: list[str] = []
    at = 0
    for start, end in sorted(spans):
        parts += [text[at:start], re.sub(r"[^\n]", " ", text[max(at, start) : end])]
        at = max(at, end)
    return "".join([*parts, text[at:]])


def _joined(text: str, marks: Sequence[Marker]) -> str:
    """Return ``text`` with a joiner for every blank between a word and the full stop after a mark.

    A full stop after a blank would not end a sentence.
    """
    starts = [mark.start for mark in marks]

    def join(match: re.Match[str]) -> str:
        last = bisect_left(starts, match.end()) - 1
        cites = last >= 0 and marks[last].end > match.start()
        return JOINER * len(match[0]) if cites else match[0]

    return _BEFORE_STOP.sub(join, text)


def find_markers(text: str, labels: Container[str]) -> MarkedText:
    """Return the citations of ``text``.

    Args:
        text: Running text, lists of sources blanked.
        labels: Of all references that the text lists, folded.
    """
    found = list(addresses(text))
    marks = [Marker(a.start, a.end, address=a.target) for a in found if a.target]
    hollow = _without(text, found)
    kept = _shown_words(text, found)
    for forms in _FORMS:
        more = list(forms(hollow, labels))
        marks += (mark for mark, _ in more)
        kept += (words for _, words in more if words)
        hollow = _without(hollow, marks)
    if not any(mark.label for mark in marks):  # else "(1)" is something else
        marks += _round(hollow, labels)
        hollow = _without(hollow, marks)
    marks.sort(key=lambda mark: (mark.start, mark.end))
    return MarkedText(tuple(marks), _with(hollow, text, kept, marks))


def _without(text: str, found: Iterable[Address | Marker]) -> str:
    return blank_out(text, [(each.start, each.end) for each in found])


def _shown_words(text: str, found: Iterable[Address]) -> list[tuple[int, int]]:
    """Return where the words of links stand, those of bare addresses left out."""
    words = (address.words for address in found if address.words)
    return [each for each in words if not _BARE.fullmatch(text[slice(*each)])]


def _with(hollow: str, text: str, kept: Sequence[tuple[int, int]], marks: Sequence[Marker]) -> str:
    """Return ``hollow`` with the words ``kept`` put back, unless nothing but citing is around."""
    starts = [mark.start for mark in marks]
    empty = [
        match.span()
        for form in (_GROUP, _SOURCE_LINE)
        for match in form.finditer(hollow)
        if bisect_left(starts, match.start()) < bisect_left(starts, match.end())
    ]
    shown = list(hollow)
    for start, end in kept:
        shown[start:end] = text[start:end]
    return _joined(blank_out("".join(shown), empty), marks)


_Found = Iterator[tuple[Marker, tuple[int, int] | None]]


def _named_sources(text: str, labels: Container[str]) -> _Found:
    """Yield "(source: notes/mill.md)" and "(source: 3)"."""
    for match in _NAMED_SOURCE.finditer(text):
        inside = match["inside"].strip()
        if normalized_label(inside) in labels:
            yield Marker(*match.span(), label=normalized_label(inside)), None
        elif path := first_path(inside):
            yield Marker(*match.span(), address=path), None


def _left_over(text: str, labels: Container[str]) -> _Found:
    del labels
    for match in _LEFT_OVER.finditer(text):
        label = match["private"] or match["opaque"] or "?"
        yield Marker(*match.span(), label=normalized_label(label)), None


def _named(text: str, labels: Container[str]) -> _Found:
    """Yield ``[words][label]`` where the label is defined; two numbers are two markers."""
    for match in _NAMED.finditer(text):
        label = normalized_label(match["label"] or match["words"])
        if label in labels and not _PART.fullmatch(match["words"].lstrip("^")):
            yield Marker(*match.span(), label=label), match.span("words")


def _numbers(text: str, labels: Container[str]) -> _Found:
    for match in _RUN.finditer(text):
        for label in dict.fromkeys(map(str, _run_numbers(match))):
            # A year in brackets is a year, unless the text lists it.
            is_bare = _BARE_NUMBER.match(match[0]) is not None
            if label in labels or (is_bare and len(label) < 4 and label != "0"):
                yield Marker(*match.span(), label=label), None


def _round(text: str, labels: Container[str]) -> Iterator[Marker]:
    """Yield "(1, 2)" before a stop or at the end of a line, if all of it is listed."""
    for match in _ROUND.finditer(text):
        numbers = [*map(str, _spelt(match["numbers"]))]
        if all(number in labels for number in numbers):
            yield from (Marker(match.start() + 1, match.end(), label=each) for each in numbers)


def _run_numbers(match: re.Match[str]) -> list[int]:
    """Return the numbers in "[1, 2]", or from the first to the last in "[1]-[3]"."""
    first, last = list(_spelt(match["first"])), list(_spelt(match["last"] or ""))
    between = _spelt(f"{first[-1]}-{last[0]}") if first and last else ()
    return [*first, *between, *last]


def _spelt(run: str) -> Iterator[int]:
    for first, last in _PART.findall(_PLACE.sub("", run)):
        low, high = int(first), int(last or first)
        yield from range(low, high + 1) if low <= high < low + MAX_RANGE else (low, high)


def _footnotes(text: str, labels: Container[str]) -> _Found:
    del labels
    for match in _FOOTNOTE.finditer(text):
        yield Marker(*match.span(), label=normalized_label(match["label"])), None


def _lenses(text: str, labels: Container[str]) -> _Found:
    for match in _LENS.finditer(text):
        number = _LENS_LABEL.match(match["label"])
        label = normalized_label(number[1]) if number else normalized_label(match["label"])
        if number or label in labels or "†" in label:
            yield Marker(*match.span(), label=label), None


def _raised(text: str, labels: Container[str]) -> _Found:
    """Yield "¹²": source 12 where there is one, else 1 and 2; what is listed nowhere is a power."""
    yield from _in_raised_tags(text, labels)
    for match in _RAISED.finditer(text):
        before = text[max(0, match.start() - 12) : match.start()]
        if _UNIT.search(before):
            continue
        cited = _together(match["run"], labels)
        for label in cited or ([normalized_label(match["run"])] if _STOPPED.search(before) else []):
            yield Marker(*match.span(), label=label), None


def _in_raised_tags(text: str, labels: Container[str]) -> _Found:
    for match in _SUP.finditer(text):
        numbers = list(map(str, _spelt(match["inside"])))
        listed = [number for number in numbers if number in labels]
        is_stopped = _STOPPED.search(text, max(0, match.start() - 12), match.start())
        for number in listed or (numbers if is_stopped else []):
            yield Marker(*match.span(), label=number), None


def _together(run: str, labels: Container[str]) -> Sequence[str]:
    parts = [normalized_label(part) for part in re.split(r"[^⁰¹²³⁴-⁹]", run)]
    if all(part in labels for part in parts):
        return parts
    single = list(map(normalized_label, "".join(parts)))
    return single if all(label in labels for label in single) else ()


def _short(text: str, labels: Container[str]) -> _Found:
    """Yield ``[mill2020]`` and ``[@mill2020]`` where the label is defined."""
    for match in _SHORT.finditer(text):
        label = normalized_label(match["label"])
        if label in labels:
            words = None if len(label.split()) == 1 else match.span("label")
            yield Marker(*match.span(), label=label), words


_FORMS: Final[Sequence[Callable[[str, Container[str]], _Found]]] = (
    *(_named_sources, _left_over, _named, _numbers),
    *(_footnotes, _lenses, _raised, _short),
)
"""How citations are written; what one form has found, the next ones do not see."""
