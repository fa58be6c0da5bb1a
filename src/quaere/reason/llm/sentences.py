"""Numbers evidence for a call, and cuts what a model writes into sentences with ids they cite.

Small models count rather than copy: of passages 7, 23 and 41 they name 1, 2 and 3. So every call
has numbers of its own, and ids are translated on the way in and on the way out.

Of an answer, which is read while it is being written, all but sentences is left out: headings,
rules, code fences, images, a list of sources at the end. Links lose their address, and markup its
marks. Ids that were not shown are left out, and so are sentences with keys that the sources don't
hold, and those that cite nothing but an address.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from quaere.domain.evidence import Evidence
from quaere.domain.report import Opens, Sentence
from quaere.domain.source import Passage
from quaere.domain.verdict import Reflection
from quaere.text.sanitize import find_secrets
from quaere.text.sentences import sentences

MAX_LINE_CHARS = 20_000
"""A line that has come to this length without an end is taken as it is."""

_IDS = r"\[\^?\d{1,5}(?:\s*[,;–-]\s*\^?\d{1,5})*\]|【[^】\n]{0,40}】"
_MARKER = re.compile(rf"\s*(?:{_IDS})")
_LEADING = re.compile(rf"(?:\s*(?:{_IDS}))+[\s.,;:]*")
_RANGE = re.compile(r"(\d{1,5})\s*[–-]\s*\^?(\d{1,5})")
_MAX_RANGE = 10
_IMAGE = re.compile(r"!\[[^\]\n]{0,300}\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,300}\])")
_LINK = re.compile(r"\[([^\]\n]{0,300})\]\(([^)\n]{0,2000})\)")
_ADDRESS = re.compile(r"<?\b(?:https?|ftp|data|javascript|file):[^\s<>\])]+>?", re.IGNORECASE)
_MARKUP = re.compile(r"\*\*|__|`+|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|</?[a-zA-Z!][^>\n]{0,200}>")
_ITEM = re.compile(r"^\s*(?:[-*+•>]\s+|\(?\d{1,2}[.)]\s+)+")
_NO_PROSE = re.compile(r"^\s*(?:#{1,6}\s|```|~~~|[-=*_]{3,}\s*$|\|?[\s:|-]+\|[\s:|-]*$)")
_SOURCES = re.compile(
    r"^\W*(?:sources?|references?|citations?|bibliography|quellen|literatur|fuentes|bibliographie)"
    r"\W*$",
    re.IGNORECASE,
)


class SentenceReader:
    """Takes pieces of text and gives sentences as soon as they are complete."""

    def __init__(self, known: Mapping[int, str | None], sources: str = "") -> None:
        """Read sentences that may cite ``known`` ids, each with the item it speaks to, if any.

        Args:
            known: The items by id.
            sources: The text that was shown: what looks like a key may be repeated from there.
        """
        self._known = known
        self._sources = sources
        self._line = ""
        self._ended = False
        self._begun = False
        self._opens: Opens | None = None

    def feed(self, piece: str) -> Iterator[Sentence]:
        """Yield the sentences that ``piece`` completes."""
        self._line += piece
        while not self._ended and "\n" in self._line:
            line, self._line = self._line.split("\n", 1)
            yield from self._read(line)
            self._opens = None if line.strip() else Opens.PARAGRAPH
        if len(self._line) > MAX_LINE_CHARS:
            line, self._line = self._line, ""
            yield from self._read(line)
        elif not self._ended:
            yield from self._early()

    def close(self) -> Iterator[Sentence]:
        """Yield what is left, complete or not."""
        line, self._line = self._line, ""
        if not self._ended:
            yield from self._read(line)

    def _early(self) -> Iterator[Sentence]:
        """Yield the sentences of an unfinished line that can change no more.

        The last but one may still get the ids with which the last one begins.
        """
        if _NO_PROSE.match(self._line) or len(self._line) < 80:
            return
        spans = sentences(self._line)
        if len(spans) < 3:
            return
        cut = spans[-2].start
        done, self._line = self._line[:cut], self._line[cut:]
        yield from self._read(done)

    def _read(self, line: str) -> Iterator[Sentence]:
        if self._ended or _NO_PROSE.match(line):
            self._ended |= bool(_SOURCES.match(line))
            return
        if _SOURCES.match(line):
            self._ended = True
            return
        text = _ITEM.sub("", _LINK.sub(_unlinked, _IMAGE.sub(" ", line)))
        self._opens = _item_of(line) or self._opens
        for said in _with_own_ids(text):
            if sentence := self._sentence(said):
                opens = self._opens if self._begun or self._opens is not Opens.PARAGRAPH else None
                self._begun, self._opens = True, None
                yield sentence.model_copy(update={"opens": opens})

    def _reveals_secret(self, text: str) -> bool:
        return any(key not in self._sources for key in find_secrets(text))

    def _sentence(self, said: str) -> Sentence | None:
        ids = [n for n in _ids(said) if n in self._known]
        text = _MARKUP.sub("", _ADDRESS.sub("", _MARKER.sub("", said)))
        text = " ".join(text.split()).strip(" ;,")
        if not any(map(str.isalnum, text)) or (not ids and _ADDRESS.search(said)):
            return None
        if self._reveals_secret(text):
            return None
        item = next(filter(None, map(self._known.__getitem__, ids)), None)
        return Sentence(text=text, evidence=tuple(dict.fromkeys(ids)), item=item)


def _item_of(line: str) -> Opens | None:
    """Return what kind of list has ``line`` for an item, if any."""
    item = _ITEM.match(line)
    if item is None:
        return None
    return Opens.NUMBERED if any(map(str.isdigit, item[0])) else Opens.ITEM


def with_ids(text: str, ids: Mapping[int, int]) -> str:
    """Return ``text``, which cites by number, with the ids that the numbers stand for.

    Numbers that stand for none become 0, which nothing has for an id.
    """
    return _MARKER.sub(
        lambda marker: "".join(f"[{ids.get(number, 0)}]" for number in _ids(marker[0])), text
    )


def _unlinked(link: re.Match[str]) -> str:
    """Return a link's text, and its address unless the text is an id."""
    return f"[{link[1]}]" if link[1].strip("^").isdigit() else f"{link[1]} <{link[2]}>"


def _with_own_ids(text: str) -> list[str]:
    """Return the sentences of ``text``; ids that open one belong to the one before it."""
    parts: list[str] = []
    for span in sentences(text):
        said = text[span.start : span.end]
        leading = _LEADING.match(said)
        if leading and parts:
            parts[-1] += f" {leading[0].strip(' .,;:')}"
            said = said[leading.end() :]
        if said.strip():
            parts.append(said)
    return parts


def _ids(said: str) -> Iterator[int]:
    for marker in _MARKER.finditer(said):
        inside = _RANGE.sub(_spelt_out, marker[0])
        if marker[0].lstrip().startswith("["):
            yield from (int(number) for number in re.findall(r"\d{1,5}", inside))
        elif first := re.search(r"\d{1,5}", inside):  # some models write 【3†source】
            yield int(first[0])


def _spelt_out(match: re.Match[str]) -> str:
    first, last = int(match[1]), int(match[2])
    if not first <= last <= first + _MAX_RANGE:
        return match[0]
    return ",".join(map(str, range(first, last + 1)))


@dataclass(frozen=True, slots=True)
class Numbering:
    """The evidence of one call whose text is there, numbered."""

    evidence: tuple[Evidence, ...]
    """In the order of the numbers, which stand where the ids were."""
    ids: Mapping[int, int]
    """The id of each number."""
    numbers: Mapping[int, int]
    """The number of each id."""

    @classmethod
    def of(cls, evidence: Sequence[Evidence], passages: Mapping[str, Passage]) -> Numbering:
        """Number ``evidence``; what has no text among ``passages`` is not shown and has none."""
        shown = [entry for entry in evidence if entry.passage in passages]
        ids = {number: entry.id for number, entry in enumerate(shown, 1)}
        return cls(
            tuple(entry.model_copy(update={"id": n}) for n, entry in enumerate(shown, 1)),
            ids,
            {own: number for number, own in ids.items()},
        )

    def numbered(self, ids: Iterable[int]) -> tuple[int, ...]:
        """Return the numbers of ``ids``, without those that are not shown."""
        return tuple(self.numbers[own] for own in ids if own in self.numbers)

    def pairs(self, pairs: Collection[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Return the numbers of those ``pairs`` of ids of which both are shown."""
        return tuple(
            (self.numbers[a], self.numbers[b])
            for a, b in pairs
            if a in self.numbers and b in self.numbers
        )

    def with_numbers(self, sentence: Sentence) -> Sentence:
        """Return ``sentence`` as the model is shown it."""
        return sentence.model_copy(update={"evidence": self.numbered(sentence.evidence)})

    def with_ids(self, sentence: Sentence) -> Sentence:
        """Return ``sentence`` as the model wrote it, with the ids that it meant."""
        meant = tuple(self.ids[number] for number in sentence.evidence)
        return sentence.model_copy(update={"evidence": meant})

    def meant(self, reflection: Reflection) -> Reflection:
        """Return ``reflection``, made of numbers, with the ids that they stand for."""
        found = reflection.findings
        pairs = ((self.ids[a], self.ids[b]) for a, b in reflection.contradictions)
        return reflection.model_copy(
            update={
                "findings": None if found is None else tuple(self.ids[n] for n in found),
                "facts": tuple(
                    fact.model_copy(update={"evidence": self.ids[fact.evidence]})
                    for fact in reflection.facts
                ),
                "contradictions": tuple(sorted((min(pair), max(pair)) for pair in pairs)),
                "answer": with_ids(reflection.answer, self.ids),
            }
        )
