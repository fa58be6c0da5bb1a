"""Numbers evidence for a call, and cuts what a model writes into sentences with ids they cite.

Small models count rather than copy: of passages 7, 23 and 41 they name 1, 2 and 3. So every call
has numbers of its own, and ids are translated on the way in and on the way out.

Of an answer, which is read while it is being written, paragraphs, lists, tables and blocks of code
are kept; a row of a table and a block of code are a sentence each. Headings, rules, images and a
list of sources at the end are left out; a line of bold words alone leads in what follows. Links
lose their address, and markup its marks, but for those of code and of bold words. Ids that were not
shown are left out, and so are sentences with keys that the sources don't hold, and those that cite
nothing but an address.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from quaere.domain.evidence import Contradiction, Evidence
from quaere.domain.question import Item
from quaere.domain.report import Opens, Sentence
from quaere.domain.source import Passage
from quaere.domain.verdict import Reflection
from quaere.reason.llm.citing import BARE, by_id, in_brackets
from quaere.text.inline import hide_code, outside_code, unmarked
from quaere.text.layout import indent_of
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sanitize import find_secrets
from quaere.text.sentences import sentences
from quaere.text.tables import cells, is_rule, record
from quaere.text.thoughts import Spoken
from quaere.text.tokens import terms

MAX_LINE_CHARS = 20_000
"""A line that has come to this length without an end is taken as it is."""
LONG_CHARS = 1_000
"""Unfinished, from which a line is looked at again only when it has grown by a tenth."""

_SPACE: Final = r"(?:(?<!\s)\s+)?"
"""All the space there is, if any: a long one is looked through once, and not from every place."""
_IDS = r"\[\s?\^?\d{1,5}(?:\s*[,;–-]\s*\^?\d{1,5})*\s?\]|【[^】\n]{0,40}】"
_MARKER = lazy_regex(rf"{_SPACE}(?:{_IDS})")
_INDEXED = lazy_regex(r"\b[A-Za-z_][\w.]*\[0\]")
"""No passage has the number 0."""
_EXAMPLE = lazy_regex(
    r"(?i)(?:\b(?:such as|like|e\.g\.|ids?|markers?|wie|etwa|comme|como)|\bz\.\s?B\.),?\Z"
)
"""What is before an id that a sentence speaks of instead of citing it."""
_LEADING = lazy_regex(rf"(?:\s*(?:{_IDS}))+[\s.,;:]*")
_CITED_STOP = lazy_regex(rf"(?:{_IDS})[.!?](?=\s+[a-z])")
_RANGE = lazy_regex(r"(\d{1,5})\s*[–-]\s*\^?(\d{1,5})")
_MAX_RANGE = 10
_IMAGE = lazy_regex(r"!\[[^\]\n]{0,300}\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,300}\])")
_LINK = lazy_regex(r"\[([^\]\n]{0,300})\]\(([^)\n]{0,2000})\)")
_ADDRESS = lazy_regex(r"<?\b(?:https?|ftp|data|javascript|file):[^\s<>\])]+>?", re.IGNORECASE)
# Underscores mark words only in pairs, and none around a single one: "__init__" is a name.
_MARKUP = lazy_regex(
    r"`|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])"
    r"|(?<![\w*])\*(?=\*\*\w)|(?<=[^\s*]\*\*)\*(?!\*)|</?[a-zA-Z!][^>\n]{0,200}>"
    r"|(?<!\w)(?P<mark>__?)(?=\S)(?!\w+__(?!\w))(?P<words>[^_\n]{1,300})(?<=\S)(?P=mark)(?!\w)"
)
_ITEM = lazy_regex(r"^\s*(?:(?:[-*+•>](?:\s+\[[ xX]\])?|\(?\d{1,2}[.)])\s+)+")
_NO_PROSE = lazy_regex(r"^\s*+(?:#{1,6}\s|[-=*_]{3,}\s*$|(?=[\s:|-]+\|)[\s:|-]++$)")
_BOLD_HEADING = lazy_regex(r"^\s*\*\*(?P<words>[^*\d\[\]]{2,80}(?<![.!?:\s]))\*\*\s*$")
"""A line of bold words and nothing else, which heads what follows it unless it states something."""
_STATES = lazy_regex(
    r"(?i)(?!(?:how|what|when|where|which|who|whose|why|wie|was|wann|wo|wer|warum|welche\w*|comment"
    r"|quand|pourquoi|quoi|cómo|cuándo|qué|come|quando|perché|hoe|wat|wanneer|waarom|como|por)\b)"
    r".*(?:n['’]t\b|\b(?:is|are|was|were|has|have|had|do|does|did|can|cannot|could|will|would|may"
    r"|must|should|ist|sind|war|waren|hat|haben|wird|werden|wurde|kann|muss|est|sont|était|ont"
    r"|doit|es|está|están|fue|tiene|è|sono|ha|hanno|zijn|heeft|wordt|é|são|foi|tem"
    r"|[^\W\d_]{3,}ed(?=$|\s(?:a|an|the|its|his|her|their|by|in|on|to|from)\b))(?!\w))"
)
"""Has a verb that says something of the words before it, and does not begin as a question does."""
_FENCE = lazy_regex(r"^\s*(?:`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$")
_FENCED = lazy_regex(
    r"(?ms)^[^\S\n]*(?:```|~~~)([^`\n]*)\n(.*?)(?:^[^\S\n]*(?:```|~~~)[^\S\n]*(?:\n|\Z)|\Z)"
)
"""With the end of its last line: ids under a block of code stay under it."""
_WRAPPED = frozenset({"markdown", "md"})
"""What some models wrap a whole answer in, as if it were code."""
_CITED_LINE = lazy_regex(rf"\w[^\S\n]+(?:{_IDS})[.!?]?\s*$")
_NOTE = lazy_regex(r"^\s*\[\^?\d{1,5}\]:\s")
"""A note that says what is cited, as answers have them at their end."""
_LABEL_WORDS = 6
"""Words, with its mark, of the longest item that may head a list of its own."""
_LEAST_WORDS = 4
_BEGUN = lazy_regex(r"[^\W\d_]+,?\s+\w+\s+\w+\s")
"""How a sentence begins that will not turn out to be the end of the one before it."""
_SOURCES = lazy_regex(
    r"^\W*(?:sources?|references?|citations?|bibliography|quellen|literatur|fuentes|bibliographie)"
    r"\W*$",
    re.IGNORECASE,
)


def _as_lead(line: str) -> str:
    """Return ``line`` with a colon after its words where it is a heading in bold."""
    heading = _BOLD_HEADING.match(line)
    is_lead = heading and not _STATES.match(heading["words"])
    return f"**{heading['words']}:**" if heading and is_lead else line


class SentenceReader:
    """Takes pieces of text and gives sentences as soon as they are complete."""

    def __init__(
        self,
        known: Mapping[int, str | None],
        sources: str = "",
        shared: Mapping[int, Sequence[Item]] = MappingProxyType({}),
        names: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
    ) -> None:
        """Read sentences that may cite ``known`` ids, each with the item it speaks to, if any.

        Args:
            known: The items by id.
            sources: The text that was shown: what looks like a key may be repeated from there.
            shared: Those of the ids that speak to several items.
            names: Ids by what else the passages are called; see `quaere.reason.llm.citing`.
        """
        self._known = known
        self._shared = shared
        self._names = names
        self._sources = sources
        self._spoken = Spoken()
        self._line = ""
        self._ended = False
        self._begun = False
        self._opens: Opens | None = None
        self._code: list[str] | None = None
        self._is_wrapped = False
        self._held = ""
        self._label = ""
        self._head: list[str] = []
        self._first_row = ""
        self._cited: tuple[int, ...] = ()
        self._is_square = False
        self._look_from = 0

    def feed(self, piece: str) -> Iterator[Sentence]:
        """Yield the sentences that ``piece`` completes."""
        self._line += self._spoken.feed(piece)
        while not self._ended and "\n" in self._line:
            line, self._line = self._line.split("\n", 1)
            self._look_from = 0
            yield from self._take(line)
        if len(self._line) > MAX_LINE_CHARS:
            line, self._line = self._line, ""
            yield from self._take(line)
        elif not self._ended:
            yield from self._early()

    def close(self) -> Iterator[Sentence]:
        """Yield what is left, complete or not."""
        line, self._line = self._line + self._spoken.close(), ""
        if self._ended:
            return
        yield from self._take(line)
        yield from self._held_label()
        if self._code is not None:
            yield from self._end_of_code()
        yield from self._first_row_as_prose()
        yield from self._held_code()

    def _early(self) -> Iterator[Sentence]:
        """Yield the sentences of an unfinished line that can change no more."""
        line = self._line
        if self._code is not None or len(line) < self._look_from or not _is_long_prose(line):
            return
        self._look_from = len(line) + len(line) // 10 if len(line) >= LONG_CHARS else 0
        if not (cut := _settled_chars(line)):
            return
        done, self._line, self._look_from = line[:cut], line[cut:], 0
        yield from self._held_label(done)
        yield from self._read(done)

    def _take(self, line: str) -> Iterator[Sentence]:
        """Read a whole line, which may be one of code or of a table."""
        yield from self._held_label(line)
        fence = _FENCE.match(line)
        if self._code is not None:
            if fence and not fence[1]:
                yield from self._end_of_code()
            else:
                self._code.append(line)
        elif fence:
            yield from self._begin_code(fence[1].lower())
        elif cells(line) is not None:
            yield from self._row(line)
        else:
            yield from self._take_prose(line)

    def _take_prose(self, line: str) -> Iterator[Sentence]:
        """Read a line that is neither of code nor of a table; hold what may head a list."""
        yield from self._first_row_as_prose()
        self._head = []
        if _may_be_label(line):
            self._label = line
            return
        yield from self._read(_as_lead(line) if self._begun else line)  # first may be "**No**"
        self._opens = self._opens if line.strip() else Opens.PARAGRAPH

    def _held_label(self, after: str = "") -> Iterator[Sentence]:
        """Yield the short item that is held; a colon ends one under which a list begins."""
        line, self._label = self._label, ""
        if line:
            is_head = _item_of(after) is not None and indent_of(after) > indent_of(line)
            yield from self._read(f"{line.rstrip()}:" if is_head else line)

    def _begin_code(self, language: str) -> Iterator[Sentence]:
        yield from self._first_row_as_prose()
        yield from self._held_code()
        if language in _WRAPPED or (self._is_wrapped and not language):
            self._is_wrapped = not self._is_wrapped
        else:
            self._code = []

    def _end_of_code(self) -> Iterator[Sentence]:
        """Hold the code for ids that may follow it; read it where it is an answer in a fence."""
        lines, self._code = self._code or [], None
        if _is_prose(lines):
            for line in lines:
                yield from self._take(line)
        else:
            self._held = "\n".join(lines)

    def _held_code(self, ids: Sequence[int] = ()) -> Iterator[Sentence]:
        """Yield the code that is held, citing ``ids`` or what the sentence before it cites."""
        text, self._held = self._held, ""
        if any(map(str.isalnum, text)) and not self._reveals_secret(text):
            yield self._whole(text, Opens.CODE, ids)

    def _cleaned_cells(self, row: str) -> list[str]:
        return [self._cleaned(cell) for cell in cells(row) or []]

    def _row(self, line: str) -> Iterator[Sentence]:
        """Yield a row of a table; the first one is its head where a rule follows it."""
        line = outside_code(line, self._in_brackets)
        yield from self._held_code()
        if is_rule(line):
            self._head = list(map(unmarked, self._cleaned_cells(self._first_row)))
            self._first_row = ""
        elif self._head:
            text = record(self._head, self._cleaned_cells(line))
            if any(map(str.isalnum, text)) and not self._reveals_secret(text):
                yield self._whole(text, Opens.ROW, self._shown_ids(line))
        else:
            yield from self._first_row_as_prose()
            self._first_row = line

    def _first_row_as_prose(self) -> Iterator[Sentence]:
        line, self._first_row = self._first_row, ""
        if line:
            yield from self._read(line.strip().strip("|"))

    def _whole(self, text: str, opens: Opens, ids: Sequence[int]) -> Sentence:
        self._begun, self._opens = True, Opens.PARAGRAPH
        evidence = tuple(ids) or self._cited
        return Sentence(text=text, evidence=evidence, item=self._item(evidence, text), opens=opens)

    def _read(self, line: str) -> Iterator[Sentence]:
        if self._held and line.strip():
            follows = _MARKER.sub("", line).strip(" .") == ""
            yield from self._held_code(self._shown_ids(line) if follows else ())
            if follows:
                return
        self._ended |= _begins_sources(line)
        if not (self._ended or _NO_PROSE.match(line)):
            yield from self._prose(line)

    def _prose(self, line: str) -> Iterator[Sentence]:
        text = _ITEM.sub("", outside_code(_IMAGE.sub(" ", line), _without_links))
        text = outside_code(outside_code(text, self._in_brackets), spelt_out)
        self._opens = _item_of(line) or self._opens
        for said in _with_own_ids(text):
            if sentence := self._sentence(said):
                opens = self._opens if self._begun or self._opens is not Opens.PARAGRAPH else None
                self._begun, self._opens = True, None
                yield sentence.model_copy(update={"opens": opens})

    def _reveals_secret(self, text: str) -> bool:
        return any(key not in self._sources for key in find_secrets(text))

    def _sentence(self, said: str) -> Sentence | None:
        ids = self._shown_ids(said)
        text = self._cleaned(said).strip(" ;,")
        if not any(map(str.isalnum, text)) or (not ids and _ADDRESS.search(said)):
            return None
        if self._reveals_secret(text):
            return None
        if ids or not text.endswith((":", ":**")):  # a lead-in keeps what is cited before it
            self._cited = ids
        return Sentence(text=text, evidence=ids, item=self._item(ids, text))

    def _shown_ids(self, said: str) -> tuple[int, ...]:
        return tuple(dict.fromkeys(n for n in _ids(said) if n in self._known))

    def _item(self, ids: Sequence[int], text: str) -> str | None:
        """Return the item that ``text`` speaks to: of several that its ids share, by its words."""
        items = {each.id: each for number in ids for each in self._shared.get(number, ())}
        addressed = _addressed(items.values(), text) if items else None
        if addressed is not None:
            return addressed
        return next(filter(None, map(self._known.__getitem__, ids)), None)

    def _cleaned(self, said: str) -> str:
        """Return ``said`` without ids, addresses and marks that are neither code nor bold words."""
        text = outside_code(_ADDRESS.sub("", said), self._indexed)
        text = outside_code(text, lambda part: _MARKER.sub(self._example, part))
        text = outside_code(text, lambda part: _MARKUP.sub(lambda m: m["words"] or "", part))
        if "**" in unmarked(text):  # a sentence ended inside of bold words
            text = outside_code(text, lambda part: part.replace("**", ""))
        return " ".join(text.split())

    def _example(self, marker: re.Match[str]) -> str:
        return _as_example(marker, self._known)

    def _in_brackets(self, text: str) -> str:
        """Return ``text`` with its ids in square brackets, as far as they are not there already."""
        text = by_id(text, self._names)
        self._is_square |= BARE.search(text) is not None
        return in_brackets(text, () if self._is_square else self._known)

    def _indexed(self, text: str) -> str:
        """Return ``text`` with names and their index 0 as code, where the sources hold them."""
        return _INDEXED.sub(lambda m: f"`{m[0]}`" if m[0] in self._sources else m[0], text)


def _addressed(items: Iterable[Item], text: str) -> str | None:
    """Return the one of ``items`` that has more words of ``text`` than the others; else None."""
    said = frozenset(terms(text))
    rated = sorted(((len(said & set(each.terms)), each.id) for each in items), reverse=True)
    (most, first), *others = rated
    return first if most and all(words < most for words, _ in others) else None


def _item_of(line: str) -> Opens | None:
    """Return what kind of list has ``line`` for an item, if any."""
    item = _ITEM.match(line)
    if item is None or not item[0].strip(" >"):  # a quotation is not an item
        return None
    return Opens.NUMBERED if any(map(str.isdigit, item[0])) else Opens.ITEM


def _begins_sources(line: str) -> bool:
    """Return whether ``line`` heads a list of sources, or is of one."""
    return bool(_SOURCES.match(line) or _NOTE.match(line))


def _may_be_label(line: str) -> bool:
    """Return whether ``line`` is an item of so few words, and no id, that it may head others."""
    said = line.strip()
    is_short = 1 < len(said.split()) <= _LABEL_WORDS
    return is_short and _item_of(line) is not None and said[-1] not in ".!?:]」。"


def with_ids(text: str, ids: Mapping[int, int]) -> str:
    """Return ``text``, which cites by number, with the ids that the numbers stand for.

    Those that stand for none are left out, but for 0, which may be an index.
    """
    known = () if BARE.search(text) else ids

    def translated(prose: str) -> str:
        prose = in_brackets(prose, known)
        return _MARKER.sub(
            lambda marker: _as_example(marker, ids) or _lines_before(marker[0]) + given(marker[0]),
            prose,
        )

    def given(marker: str) -> str:
        return "".join(f"[{ids.get(n, 0)}]" for n in _ids(marker) if n in ids or n == 0)

    parts: list[str] = []
    end = 0
    for match in _FENCED.finditer(text):
        if match[1].strip().lower() not in _WRAPPED and not _is_prose(match[2].splitlines()):
            parts += (outside_code(text[end : match.start()], translated), match[0])
            end = match.end()
    return "".join((*parts, outside_code(text[end:], translated)))


def _as_example(marker: re.Match[str], known: Collection[int]) -> str:
    """Return as code an id that cites nothing and is an example of one: "an id like [99]"."""
    if any(number in known for number in _ids(marker[0])):
        return ""
    is_example = _EXAMPLE.search(marker.string, endpos=marker.start()) is not None
    return f" `{marker[0].strip()}`" if is_example else ""


def _lines_before(marker: str) -> str:
    """Return the space before a ``marker`` that begins a line; what is cited is on another one."""
    space = marker[: len(marker) - len(marker.lstrip())]
    return space if "\n" in space else ""


def _is_long_prose(line: str) -> bool:
    """Return whether an unfinished line is prose, and long enough to tell its sentences apart."""
    if line.lstrip().startswith(("|", "`", "~")) or _NO_PROSE.match(line):
        return False
    return len(line) >= 80 and line.count("`") % 2 == 0


def _settled_chars(line: str) -> int:
    """Return how much of an unfinished ``line`` is sentences that can change no more.

    The last but one may still get the ids with which the last one begins, until that has words.
    """
    spans = sentences(hide_code(line))
    last = -1 if spans and _BEGUN.match(line, spans[-1].start) else -2
    return spans[last].start if len(spans) > 1 else 0


def _is_prose(lines: Iterable[str]) -> bool:
    """Return whether ``lines``, found between fences, are an answer rather than code: they cite."""
    return any(
        _CITED_LINE.search(line) and len(line.split()) >= _LEAST_WORDS and "=" not in line
        for line in lines
    )


def _without_links(text: str) -> str:
    return _LINK.sub(_unlinked, text)


def _unlinked(link: re.Match[str]) -> str:
    """Return a link's text, and its address unless the text is an id."""
    return f"[{link[1]}]" if link[1].strip("^").isdigit() else f"{link[1]} <{link[2]}>"


def _with_own_ids(text: str) -> list[str]:
    """Return the sentences of ``text``; ids that open one belong to the one before it."""
    parts: list[str] = []
    for start, end in _cited_spans(hide_code(text)):
        said = text[start:end]
        leading = _LEADING.match(said)
        if leading and parts:
            parts[-1] += f" {leading[0].strip(' .,;:')}"
            said = said[leading.end() :]
        if said.strip():
            parts.append(said)
    return parts


def _cited_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of ``text`` begin and end.

    An id and a full stop end one even before a small letter: "It has a dam [3]. gzip has none."
    """
    for span in sentences(text):
        start = span.start
        for stop in _CITED_STOP.finditer(text, span.start, span.end):
            yield start, stop.end()
            start = stop.end()
        yield start, span.end


def _ids(said: str) -> Iterator[int]:
    for marker in _MARKER.finditer(hide_code(said)):
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


def _renamed(told: Contradiction, names: Mapping[int, int]) -> Contradiction:
    first, second = sorted(names[each] for each in told.ids)
    return told.model_copy(update={"ids": (first, second)})


class Numbering(NamedTuple):
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

    def opposed(self, told: Collection[Contradiction]) -> Iterator[Contradiction]:
        """Yield those of ``told`` of which both passages are shown, by number."""
        for each in told:
            if self.numbers.keys() >= set(each.ids):
                yield _renamed(each, self.numbers)

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
        opposed = (_renamed(each, self.ids) for each in reflection.contradictions)
        return reflection.model_copy(
            update={
                "findings": None if found is None else tuple(self.ids[n] for n in found),
                "facts": tuple(
                    fact.model_copy(update={"evidence": self.ids[fact.evidence]})
                    for fact in reflection.facts
                ),
                "contradictions": tuple(sorted(opposed, key=lambda each: each.ids)),
                "answer": with_ids(reflection.answer, self.ids),
            }
        )


_ID: Final = r"\[\d{1,5}(?:\s*[,;]\s*\d{1,5})*\]"
_ALL_IDS: Final = rf"{_ID}(?:\s*+(?:(?:,|;|&|and|und|et|y|e|en)\s*+)?{_ID})*+"
_SEE: Final = r"(?:see|cf\.?|e\.g\.|from|sources?:?|siehe|vgl\.?|voir|véase|vedi|ver|zie)"
_IN_BRACKETS: Final = lazy_regex(
    rf"(?i){_SPACE}\(\s*(?:{_SEE}\s*(?:also\s*)?)?(?P<ids>{_ALL_IDS})\s*\)"
)
_PARTED: Final = lazy_regex(rf"{_ID}")
_SAYS: Final = (
    r"(?:says?|states?|gives?|notes?|reports?|adds?|describes?|mentions?|names?|puts?|has|claims?"
    r"|confirms?|explains?|lists?|dates?|sagt|nennt|gibt|schreibt|berichtet|spricht)\b"
)
_SUBJECT: Final = lazy_regex(
    rf"(?i)(?P<before>^\s*|[,;:]\s*|\b(?:as|while|whereas|but|and|that|während|aber|und|dass)\s*)"
    rf"(?:(?:the\s+)?(?:passage|source|document|Quelle|Passage|Dokument)\s*)?"
    rf"(?P<id>{_ID})\s+(?P<says>{_SAYS})"
)
_OBJECT: Final = lazy_regex(
    rf"(?i)\b(?P<by>according to|as (?:\w+ )?(?:shown|stated|described|noted|explained|said|given)"
    rf" (?:in|by)|laut|gemäß|selon|d['’]après|según|secondo|segundo|volgens)\s*"
    rf"(?:(?:the\s+)?(?:passages?|sources?|documents?|Quellen?|Passagen?)\s*)?(?P<id>{_ID})"
)
_ALL_SOURCES: Final = {
    "laut": "der Quelle", "gemäß": "der Quelle", "selon": "la source", "d'après": "la source",
    "según": "la fuente", "secondo": "la fonte", "segundo": "a fonte", "volgens": "de bron",
}  # fmt: skip
_GERMAN: Final = frozenset({"sagt", "nennt", "gibt", "schreibt", "berichtet", "spricht"})


_NOUNS: Final = {
    False: ("the source", "one source", "another"),
    True: ("die Quelle", "eine Quelle", "eine andere"),
}
"""By whether they are German: of one that is alone, of the first of several, and of the others."""


def spelt_out(text: str) -> str:
    """Return ``text`` with words for the ids that its grammar needs, and without empty brackets.

    Ids in round brackets, with or without "see", lose the brackets.
    """
    text = _IN_BRACKETS.sub(lambda match: " " + "".join(_PARTED.findall(match["ids"])), text)
    text = _OBJECT.sub(_named, text)
    subjects = [*_SUBJECT.finditer(text)]
    for place, match in reversed([*enumerate(subjects)]):
        said = _subject(match, place, len(subjects))
        text = f"{text[: match.start()]}{said}{text[match.end() :]}"
    return text


def _named(match: re.Match[str]) -> str:
    source = _ALL_SOURCES.get(match["by"].lower().replace("’", "'"), "the source")
    return f"{match['by']} {source} {match['id']}"


def _subject(match: re.Match[str], place: int, among: int) -> str:
    """Return the match with a noun for its id: which of several ``among`` it is, by its place."""
    which = 0 if among == 1 else 1 + bool(place)
    noun = _NOUNS[match["says"].lower() in _GERMAN][which]
    if not match["before"].strip():
        noun = noun[0].upper() + noun[1:]
    before = match["before"].rstrip()
    return f"{before}{' ' if before else ''}{noun} {match['id']} {match['says']}"
