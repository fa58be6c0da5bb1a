"""Subtitles (SubRip and WebVTT): what is said, in paragraphs, with a mark for each time.

What is on the screen at once ends in the middle of sentences, so lines are joined; captions that
roll up show each line twice or more, so that is told once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from itertools import chain, dropwhile, takewhile
from typing import NamedTuple

from quaere.domain.source import Mark, Page
from quaere.ports.read import Body
from quaere.read.extract.page import empty, make_page
from quaere.read.extract.records import lines_of
from quaere.read.formats import Format, file_name
from quaere.text.clean import clean_line, clean_text, decode

_PAUSE_S = 3.0
"""Silence after which a paragraph begins, if a sentence has ended."""
_PARAGRAPH_CHARS, _MOST_CHARS = 500, 1_000
"""Characters from which a paragraph ends with a sentence, and with any line."""
_MAX_MARKS = 50_000
_MAX_ROLLED = 4
"""Lines that captions which roll up show at once, at most."""

_ROLLING_S = 1.0
"""Silence after which they do not roll up what was shown before it."""

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}")
_VOICE = re.compile(r"<v(?:\.[^<>\s]{0,80})?\s+([^<>]{1,80})>")
_VOICES = re.compile(r"(?=<v[.\s])")
"""Where in a line another one begins to speak."""
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>|<[\d:.]{5,15}>|\{\\[^{}\n]{0,80}\}")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’)\]]*$")
_FIELD = re.compile(r"(Kind|Language|Title):\s*(\S.*)")
_HEADER_LINES = 20


class SubtitlesExtractor:
    """Reads subtitles; who speaks is told where they say it."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with marks such as "12:04" or "1:02:33".

        Raises:
            ReadError: ``empty`` when nothing is said.
        """
        text = decode(body.data, body.content_type)
        head = _head(text)
        writer = _Writer()
        for said in _once(_cues(text)):
            writer.add(said)
        if not writer.pieces:
            raise empty(body, "holds no subtitles")
        step = 1 + len(writer.marks) // _MAX_MARKS
        yield make_page(
            body,
            Format.SUBTITLES,
            "".join(writer.pieces),
            title=head.get("Title") or file_name(body.url).rpartition(".")[0],
            marks=writer.marks[::step],
            language=head.get("Language", "")[:2].lower(),
        )


def _head(text: str) -> dict[str, str]:
    """Return what is told above the first cue of WebVTT."""
    if not text.startswith("WEBVTT"):
        return {}
    top = text[:2_000].partition("\n\n")[0].split("\n")[:_HEADER_LINES]
    told = {found[1]: found[2].strip() for line in top if (found := _FIELD.fullmatch(line))}
    title = clean_line(top[0].removeprefix("WEBVTT").lstrip(" \t-"))
    return {"Title": title, **told}


class _Said(NamedTuple):
    """Lines that are on the screen at once, by one speaker."""

    begin: float
    """Seconds from the start."""
    end: float
    speaker: str
    lines: Sequence[str]


def _cues(text: str) -> Iterator[_Said]:
    """Yield what is said, in the order of the file; numbers, notes and styles are left out."""
    for times, below in _timed(text):
        shown = takewhile(str.strip, dropwhile(_is_blank, below))
        begin, end = _seconds(times.groups()[:4]), _seconds(times.groups()[4:])
        yield from _spoken(begin, end, shown)


def _timed(text: str) -> Iterator[tuple[re.Match[str], Sequence[str]]]:
    """Yield each line of times with the lines between it and the next cue."""
    times: re.Match[str] | None = None
    below: list[str] = []
    for line in lines_of(text):
        found = _TIMES.match(line)
        if not found:
            below.append(line)
            continue
        if times:
            yield times, _without_number(below)
        times, below = found, []
    if times:
        yield times, below


def _without_number(lines: Sequence[str]) -> Sequence[str]:
    """Return ``lines`` without the last where that is the number of the cue that follows."""
    return lines[:-1] if lines and lines[-1].strip().isdecimal() else lines


def _is_blank(line: str) -> bool:
    return not line.strip()


def _seconds(parts: Sequence[str | None]) -> float:
    hours, minutes, seconds, part = (each or "0" for each in parts)
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + float(f"0.{part}")


def _spoken(begin: float, end: float, lines: Iterable[str]) -> Iterator[_Said]:
    """Yield the lines of a cue, those of one speaker together."""
    speaker = ""
    told: list[str] = []
    for line in chain.from_iterable(map(_VOICES.split, lines)):
        if voice := _VOICE.search(line):
            if told:
                yield _Said(begin, end, speaker, told)
            speaker, told = clean_line(unescape(voice[1]), 80), []
        if words := " ".join(clean_text(unescape(_TAG.sub("", line))).split()):
            told.append(words)
    if told:
        yield _Said(begin, end, speaker, told)


def _once(cues: Iterator[_Said]) -> Iterator[_Said]:
    """Yield ``cues`` without the lines with which one begins because the one before ends so.

    What is said again later, or by another, is told again.
    """
    last = _Said(0, 0, "", ())
    for cue in cues:
        goes_on = cue.speaker == last.speaker and cue.begin - last.end < _ROLLING_S
        new = cue.lines[_rolled(last.lines, cue.lines) if goes_on else 0 :]
        last = cue
        if new:
            yield cue._replace(lines=new)


def _rolled(before: Sequence[str], lines: Sequence[str]) -> int:
    """Return with how many ``lines`` the lines ``before`` end."""
    most = min(len(before), len(lines), _MAX_ROLLED)
    return next((n for n in range(most, 0, -1) if list(before[-n:]) == list(lines[:n])), 0)


class _Writer:
    """Puts what is said into paragraphs."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.marks: list[Mark] = []
        self._length = 0
        self._paragraph = 0
        """Characters of the paragraph so far."""
        self._last = _Said(0, 0, "", ())

    def add(self, said: _Said) -> None:
        """Add what is said next."""
        words = " ".join(said.lines)
        is_new = self._begins(said)
        if self.pieces:
            self._put("\n\n" if is_new else " ")
        if is_new:
            self._paragraph = 0
        self.marks.append(Mark(start=self._length, label=_clock(said.begin)))
        self._put(f"{said.speaker}: {words}" if is_new and said.speaker else words)
        self._last = said

    def _put(self, piece: str) -> None:
        self.pieces.append(piece)
        self._length += len(piece)
        self._paragraph += len(piece)

    def _begins(self, said: _Said) -> bool:
        """Whether a paragraph begins with ``said``."""
        last = self._last
        if not self.pieces or said.speaker != last.speaker or self._paragraph >= _MOST_CHARS:
            return True
        is_apart = said.begin - last.end >= _PAUSE_S or self._paragraph >= _PARAGRAPH_CHARS
        return is_apart and _SENTENCE_END.search(last.lines[-1]) is not None


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
