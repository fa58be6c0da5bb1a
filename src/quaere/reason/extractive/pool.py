"""Passages as the reasoner reads them: sentences, what they speak of, and what ties them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from urllib.parse import unquote

from quaere.domain.evidence import Evidence
from quaere.domain.source import Passage, headings_over, lead_in_over, plain_headings
from quaere.ports.search import TermStatistics
from quaere.reason.extractive.line_context import (
    BREAK,
    ENDS,
    NUMBERED,
    RULE,
    denied_by_itself,
    gap_before,
    heads_table,
    points_back,
    predicate_told,
    run_ins,
    stems_said,
    subject_told,
)
from quaere.text.configuration import Setting, settings
from quaere.text.languages.language import cached_by_language, language_in_use
from quaere.text.layout import Hanging, hanging, label_over
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.sentences import Span, sentences
from quaere.text.synonyms import JOINING, is_form
from quaere.text.tables import ROW, empty_head, fields
from quaere.text.tables import cells_of_row as cells
from quaere.text.tokens import apart, stem, stop_words, terms, words

_SPACE = lazy_regex(r"\s+")
_LIST_MARK = lazy_regex(
    r"(?:\*{2,3}|[-*•–‣◦▪○●■□➢✓✔✗✘✅❌⚠⛔]\ufe0f?|\d{1,2}[.)]|[a-z]\)|#{1,6}|>)\s+"
)
_ITEM_MARK = lazy_regex(r"[-*•◦▪–○●■□➢\da-z]")
"""What says nothing: a rule, and what marks a block of code or a picture."""
RAREST, SEEN = 1e-4, 40
"""The least share of passages that a word counts as having; and rare words by which is seen how few
passages there are."""
COMMON = 3
"""A tie through what more than this share, one in three, of the passages name (and more than three
of them) says nothing."""
_CAPITALS = lazy_regex(r"(?<![A-Za-z])[A-Z]{2,}(?![A-Za-z])")
_CODE_ENDS = lazy_regex(r"(?<=\w)`(?=[a-z])")
"""What is between code and the ending of its word: "`alias`es"."""
_BRACKETS = lazy_regex(r"(?<!\s)\s*[(\[（][^)\]）]{0,300}[)\]）]\s*")


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a passage; ``text`` is passage text ``[start, end)``, its spaces made one."""

    owner: int
    """Place of its passage in the pool."""
    place: int
    """Place among the sentences of its passage."""
    start: int
    end: int
    text: str
    flat: str
    """Its words in lower case, a space around each: what is sought in it is found as words."""
    terms: frozenset[str]
    """Stems of its words but stop words; a row of a table has those of its columns' heads too."""
    names: frozenset[str]
    """Names in lower case: what ties sentences of different passages."""
    heading: bool
    """Whether it heads a section or a table and says nothing by itself."""
    columns: tuple[str, ...] = ()
    """What heads the columns, for a row of a table whose head is known."""
    listed: bool = False
    """Whether it is an item of a list."""
    under: frozenset[str] = frozenset()
    """Stems of the words in the headings over it."""
    label: Hanging | None = None
    """The label below which it is indented, such as the option that a manual describes there."""
    lead_in: str = ""
    """The sentence that leads in to the list of which it is an item."""
    is_block: bool = False
    """Whether it is shown as a block of code; its ``text`` may have several lines then."""
    led: frozenset[str] = frozenset()
    """Stems of the words in its label and in what leads in to its list."""
    setting: Setting | None = None
    """What it sets, for a line of a configuration file or a program."""

    @property
    def values(self) -> tuple[str, ...]:
        """The cells of a row, or the values of a record "name: value; name: value"."""
        return tuple(value.strip() for _, value in fields(self.text)) or cells(self.text)

    @property
    def over(self) -> frozenset[str]:
        """Stems of all that is over it: headings, its label, and what leads in to its list."""
        return self.under | self.led


@cached_by_language(maxsize=1024)
def _read(
    text: str, owner: int, table_head: str, headings: str, lead_in: str, *, is_first: bool
) -> tuple[Line, ...]:
    if table_head and text.count("\n") > LONG_TABLE and text.startswith(ROW):
        return tuple(_rows(text, owner, cells(table_head)))
    return tuple(_Reading(text, owner, table_head, headings, lead_in, is_first=is_first).lines())


LONG_TABLE = 500
"""Rows from which a whole table is read by its columns alone: nobody looks among its words."""


def _rows(text: str, owner: int, columns: tuple[str, ...]) -> Iterator[Line]:
    """Yield the rows of a long table under its head, without their words and what they name."""
    none, end, place = frozenset[str](), -1, 0
    for at, row in enumerate(text.split("\n")):
        start, end = end + 1, end + 1 + len(row)
        if at and not RULE.fullmatch(row):
            told = (owner, place, start, end, row, "", none, none)
            yield Line(*told, heading=False, columns=columns)
            place += 1


class _Reading:
    """A passage that is read line by line: what is over a line may be over the next one as well."""

    def __init__(
        self,
        text: str,
        owner: int,
        table_head: str,
        headings: str,
        lead_in: str,
        *,
        is_first: bool,
    ) -> None:
        spans = sentences(text)
        self.text = text
        self.spans = [span for span in spans if not RULE.fullmatch(text, span.start, span.end)]
        self.owner, self.is_first = owner, is_first
        self.lead_in, self.is_begun = lead_in, not table_head
        self.labels = hanging(text)
        self.run_ins = run_ins(text, self.spans)
        self.settings = {each.start: each for each in settings(text)}
        # What is over the line that is read:
        self.columns = cells(table_head) if table_head else ()
        self.headings, self.run_in = headings, frozenset[str]()

    def lines(self) -> Iterator[Line]:
        """Yield the lines, each with what is over it."""
        seen = 0
        pointed_to = _pointed_to(self.text, self.spans)
        for place, (span, subject) in enumerate(zip(self.spans, pointed_to, strict=True)):
            self.headings = headings_over(self.text, span.start, self.headings, start=seen)
            seen = span.start
            yield self._line(place, span, subject)

    def _line(self, place: int, span: Span, subject: str) -> Line:
        text = self.text
        mark = _LIST_MARK.match(text, span.start, span.end)
        start, end = _unbracketed(text, mark.end() if mark else span.start, span.end)
        stretch = text[start:end]
        listed = mark is not None and _ITEM_MARK.match(mark[0]) is not None
        said, label = words(_CODE_ENDS.sub("", stretch)), label_over(self.labels, start)
        lead = lead_in_over(text, span.start, self.lead_in) if listed else ""
        is_heading = self._heads(place, start, end)
        setting = self.settings.get(span.start)
        return Line(
            owner=self.owner,
            place=place,
            start=start,
            end=end,
            text=_SPACE.sub(" ", stretch).strip(),
            flat=f" {' '.join(said)} ",
            terms=stems_said(stretch, [*said, *words(" ".join(self.columns))]),
            names=_names_in(stretch),
            heading=is_heading or text.startswith("#", span.start),
            columns=self.columns,
            listed=listed,
            under=_heading_terms(self.headings) | self.run_in | _setting_terms(setting),
            label=label,
            lead_in=lead,
            led=_label_terms(text, label) | _heading_terms(f"{lead} {subject}"),
            setting=setting,
        )

    def _heads(self, place: int, start: int, end: int) -> bool:
        """Return whether ``[start, end)`` heads a table, the page or a paragraph.

        From then on it is over what follows. What a number is before may as well be a step, and
        is told as any other line.
        """
        text, spans, stretch = self.text, self.spans, self.text[start:end]
        empty = empty_head(gap_before(text, spans, place))
        heads = heads_table(text, spans, place, is_first=self.is_first, is_begun=self.is_begun)
        self.columns = _columns_of(stretch, empty or self.columns, heads=heads)
        supposes = bool(_is_condition_alone(stretch))
        runs_in = supposes or place in self.run_ins
        is_numbered = NUMBERED.match(text, spans[place].start) is not None
        is_new = not place or is_numbered or _begins_paragraph(text, spans, place)
        if runs_in or (is_new and place - 1 not in self.run_ins):
            self.run_in = _heading_terms(stretch if runs_in else _label_before(stretch))
        is_title = place == 0 and self.is_first and _is_title(text, start, end)
        return heads or is_title or supposes or (runs_in and not is_numbered)


def _pointed_to(text: str, spans: Sequence[Span]) -> Iterator[str]:
    """Yield of each sentence what it points back to or leaves out; nothing of one that does not."""
    subject = predicate = ""
    for place, span in enumerate(spans):
        said = text[after_mark(text, span) : span.end]
        goes_on = place > 0 and not _begins_paragraph(text, spans, place)
        leans, leaves_out = goes_on and points_back(said), goes_on and denied_by_itself(said)
        if not leans:
            subject = subject_told(said)
        yield subject if leans else predicate if leaves_out else ""
        predicate = predicate_told(said) or predicate


def after_mark(text: str, span: Span) -> int:
    """Return where the sentence at ``span`` of ``text`` begins, after the mark of a list item."""
    mark = _LIST_MARK.match(text, span.start, span.end)
    return mark.end() if mark else span.start


def _begins_paragraph(text: str, spans: Sequence[Span], place: int) -> bool:
    return BREAK.search(gap_before(text, spans, place)) is not None


def _label_before(stretch: str) -> str:
    """Return what is in bold, or before a colon, where a paragraph begins: its heading."""
    label = _BOLD.match(stretch) or _LABEL.match(stretch)
    return label[1] if label else ""


def _unbracketed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return ``[start, end)`` without a bracket at either end whose other half is elsewhere.

    Of "(It leaks. Repair it.)" each sentence has one.
    """
    stretch = text[start:end]
    if stretch.startswith("(") and ")" not in stretch:
        start += 1
    if stretch.endswith(")") and "(" not in stretch and len(stretch) > 1:
        end -= 1
    return start, end


_LONGEST_TITLE = 12  # words


def _is_title(text: str, start: int, end: int) -> bool:
    """Whether a page begins with its title: a line by itself that does not end as a sentence."""
    alone = re.match(r"[^\S\n]*\n[^\S\n]*\n", text[end:]) is not None
    said = text[start:end]
    is_short = "\n" not in said and 1 < len(said.split()) <= _LONGEST_TITLE
    is_row = said.startswith("|") or bool(fields(said))
    return alone and is_short and not said.endswith(ENDS) and not is_row


_is_condition_alone = re.compile(r"(?:If|When|In case)(?: [\w'’-]+){1,5}\.").fullmatch
_BOLD = lazy_regex(r"(?:\*\*|__)([^*_\n]{2,60}?)(?:\*\*|__)")
_LABEL = lazy_regex(r"([A-Z][\w'’-]*(?: [\w'’-]+){0,3}): (?=\S)")


def _columns_of(stretch: str, above: tuple[str, ...], *, heads: bool) -> tuple[str, ...]:
    """Return what heads the columns of ``stretch``: itself, what is ``above``, or its own names."""
    if heads:
        return cells(stretch)
    return above if stretch.startswith("|") else tuple(name for name, _ in fields(stretch))


def _names_in(text: str) -> frozenset[str]:
    return frozenset(" ".join(name.text.casefold().split()) for name in names(text))


@cached_by_language(maxsize=1024)
def _heading_terms(headings: str) -> frozenset[str]:
    return frozenset(terms(apart(plain_headings(headings))))


def _label_terms(text: str, label: Hanging | None) -> frozenset[str]:
    return _heading_terms(text[label.start : label.end]) if label else frozenset()


def _setting_terms(setting: Setting | None) -> frozenset[str]:
    """Return the stems of the names over a setting: of the sections and blocks around it."""
    return _heading_terms("\n".join(setting.over)) if setting else frozenset()


def title_subject(title: str) -> str:
    """Return what a page of that title is about: the title without anything in brackets."""
    return _BRACKETS.sub(" ", title).strip() or title.strip()


def spaced(text: str) -> str:
    """Return the words of ``text`` in lower case, a space around each, as lines have them."""
    return f" {' '.join(words(text))} "


HEAD = 6  # lines at the head of a page that name what it is about


def page_of(passage: Passage) -> str:
    """Return the address of the page of ``passage``, without that of a part of it."""
    return passage.url.partition("#")[0]


def file_stem(passage: Passage) -> str:
    """Return the name of the file of ``passage``, without what comes after its first dot."""
    return file_name(passage).partition(".")[0]


def file_name(passage: Passage) -> str:
    """Return the name of the file of ``passage`` as people write it: with spaces for "%20"."""
    return unquote(page_of(passage).rpartition("/")[2])


def _short_name(passage: Passage) -> str:
    """Return the capitals in the name of the file of ``passage``, by which one may call it."""
    return " ".join(_CAPITALS.findall(page_of(passage).rpartition("/")[2]))


_SUBJECT = lazy_regex(r"(?i)(?:subject|re|title|concerning)\s*:")


def _head_terms(passage: Passage, lines: Sequence[Line]) -> frozenset[str]:
    """Return the stems of what heads a page without a title: its subject, else its first line."""
    if passage.title != unquote(page_of(passage).rpartition("/")[2]):
        return frozenset()
    subjects = [line for line in lines[:HEAD] if _SUBJECT.match(line.text)]
    return frozenset[str]().union(
        *(line.terms for line in subjects or lines[:1] if _is_short_label(line))
    )


def _is_short_label(line: Line) -> bool:
    is_short = len(line.text.split()) <= _LONGEST_TITLE
    return is_short and not line.columns and not line.text.endswith(ENDS)


_SMALL = lazy_regex(r"(?<![\w'’-])[a-z]{3,}")


def _named_at_head(lines: Sequence[Line]) -> frozenset[str]:
    """Return the stems of the names in the first of ``lines``.

    What any of the lines writes with a small letter is none: "Juniors row" is about no Junior.
    """
    named = {stem(word) for line in lines[:HEAD] for name in line.names for word in words(name)}
    small = (word for line in lines for word in _SMALL.findall(line.text))
    return frozenset(named.difference(map(stem, small)))


class Pool:
    """Passages read once: their lines, how rare each term is, and the ties between passages."""

    def __init__(
        self,
        evidence: Sequence[Evidence],
        passages: Mapping[str, Passage],
        statistics: TermStatistics | None = None,
    ) -> None:
        """Read the texts of ``evidence``, best first; evidence without its text is skipped.

        Args:
            evidence: The selection of a run.
            passages: Texts by passage id.
            statistics: How common words are in what was searched; without, what the selection
                itself shows.
        """
        self.evidence = tuple(e for e in evidence if e.passage in passages)
        self.passages = tuple(passages[e.passage] for e in self.evidence)
        self._statistics = statistics
        self.lines_of = tuple(
            _read(
                p.text,
                i,
                p.table_head,
                p.headings,
                p.lead_in,
                is_first=p.start == 0 and not p.table_head,
            )
            for i, p in enumerate(self.passages)
        )
        self.named_over = self._named_over()
        titles = [frozenset(terms(f"{p.title} {_short_name(p)}")) for p in self.passages]
        self.title_terms = tuple(map(frozenset[str].union, titles, self.named_over))
        self._frequency = self._counted()
        self._ties: dict[int, tuple[tuple[Line, str], ...]] = {}
        self._forms: dict[str, frozenset[str]] = {}

    def _named_over(self) -> tuple[frozenset[str], ...]:
        """Return the stems of what the opening of its page names, for each later passage.

        A letter, a contract or a report names who and what it is about at its head, and speaks of
        "the tenant" from there on. Where a page has no other title than the name of its file, its
        head line and its subject are over all of it.
        """
        none, opening = frozenset[str](), dict[str, frozenset[str]]()
        headed = dict[str, frozenset[str]]()
        for passage, lines in zip(self.passages, self.lines_of, strict=True):
            if passage.start == 0:
                opening[page_of(passage)] = _named_at_head(lines)
                headed[page_of(passage)] = _head_terms(passage, lines)
        return tuple(
            headed.get(page, none) | (opening.get(page, none) if passage.start else none)
            for passage, page in zip(self.passages, map(page_of, self.passages), strict=True)
        )

    def _counted(self) -> Counter[str]:
        """Return how many passages hold each term; a page's title is said by its first one."""
        counts, pages = Counter[str](), set[tuple[str, str]]()
        for passage, lines, title in zip(
            self.passages, self.lines_of, self.title_terms, strict=True
        ):
            page = passage.url, passage.title
            held = frozenset[str]().union(*(line.terms for line in lines))
            counts.update(held if page in pages else held | title)
            pages.add(page)
        return counts

    @property
    def lines(self) -> Iterable[Line]:
        """All lines, passage by passage."""
        return (line for lines in self.lines_of for line in lines)

    def over(self, line: Line) -> frozenset[str]:
        """Return the terms of all that is over ``line``, and of the title of its passage."""
        return line.over | self.title_terms[line.owner]

    def headings_over(self, line: Line) -> str:
        """Return the headings over ``line``, the nearest last, a line each."""
        passage = self.passages[line.owner]
        return plain_headings(headings_over(passage.text, line.start, passage.headings))

    def before(self, line: Line) -> frozenset[str]:
        """Return the stems of the line before ``line`` in its passage; none before the first."""
        previous = self.lines_of[line.owner][max(0, line.place - 1) : line.place]
        return previous[0].terms if previous else frozenset()

    def after(self, line: Line) -> Line | None:
        """Return the line after ``line`` in its passage; None after the last."""
        return next(iter(self.lines_of[line.owner][line.place + 1 : line.place + 2]), None)

    def file_terms(self, line: Line) -> frozenset[str]:
        """Return the terms of the name of the file of ``line``: tern.txt is the manual of tern."""
        return frozenset(terms(file_stem(self.passages[line.owner])))

    def holds(self, term: str) -> bool:
        """Return whether a passage or its title holds ``term``."""
        return term in self._frequency

    def lacks(self, term: str, word: str) -> bool:
        """Return whether nothing that was searched holds ``term``, the stem of ``word``."""
        if self._statistics is None or self.holds(term):
            return False
        return not self._statistics.document_share(word.casefold())

    def forms(self, term: str) -> frozenset[str]:
        """Return the terms of the passages that are ``term`` in a longer word, or its participle.

        Where words are joined without a hyphen alone: in German and Dutch.
        """
        language = language_in_use()
        if language is None or language.code not in JOINING:
            return frozenset()
        if term not in self._forms:
            self._forms[term] = frozenset(
                held
                for held in self._frequency
                if held != term and (is_form(held, term) or is_form(term, held))
            )
        return self._forms[term]

    def rarity(self, term: str, word: str) -> float:
        """Return how much ``term``, the stem of ``word``, tells a passage from others; over 0."""
        here = math.log(1 + (len(self.passages) + 1) / (self._frequency[term] + 0.5))
        if self._statistics is None:
            return here
        share = self._statistics.document_share(word)
        if not (share or self.holds(term)) and word.isalpha():
            share = self._absent
        everywhere = math.log(1 + 1 / (share + RAREST))
        return math.sqrt(here * everywhere)

    @cached_property
    def _absent(self) -> float:
        """The share of passages that counts for a word that none has: half of the least share seen.

        However rare it is in the language. A figure stands for itself alone and keeps its weight.
        """
        if self._statistics is None:
            return 0.0
        rare = [term for term, count in self._frequency.items() if count == 1 and term.isalpha()]
        shares = [self._statistics.document_share(term) for term in rare[:SEEN]]
        return min((share for share in shares if share > 0.0), default=0.0) / 2

    def tables(self, wanted: Callable[[Line], bool]) -> Iterator[tuple[Line, ...]]:
        """Yield the ``wanted`` rows of each table; of a page in several passages, all together."""
        found: dict[tuple[str, tuple[str, ...]], list[Line]] = {}
        for line in filter(wanted, self.lines):
            page = page_of(self.passages[line.owner])
            found.setdefault((page, line.columns), []).append(line)
        yield from map(tuple, found.values())

    def tied(self, owner: int) -> tuple[tuple[Line, str], ...]:
        """Return the lines of other passages that are tied to ``owner``, each with what ties it.

        A line ties when it names what the other passage is about, is in a passage that a line of
        ``owner`` is about to name, or shares a name of two words with one of its lines.
        """
        if not self._ties:
            self._ties = self._tie()
        return self._ties[owner]

    def _tie(self) -> dict[int, tuple[tuple[Line, str], ...]]:
        tied: dict[int, dict[tuple[Line, str], None]] = {o: {} for o in range(len(self.passages))}
        for owner, line, tie in chain(self._tied_by_title(), self._tied_by_name()):
            tied[owner][line, tie] = None
        return {owner: tuple(lines) for owner, lines in tied.items()}

    def _tied_by_title(self) -> Iterator[tuple[int, Line, str]]:
        wholes = ["\n".join(line.flat for line in lines) for lines in self.lines_of]
        for owner, passage in enumerate(self.passages):
            forms = _title_forms(passage.title)
            naming = self._naming(passage.title, forms, wholes)
            if self._is_common(naming):
                continue
            for line in naming:
                yield owner, line, forms[0].strip()
                for other in self.lines_of[owner]:
                    yield line.owner, other, forms[0].strip()

    def _naming(self, title: str, forms: tuple[str, ...], wholes: Sequence[str]) -> list[Line]:
        """Return the lines on pages of other titles that name one of ``forms``.

        The ``wholes`` of passages are looked at first: hardly any names what another one is about.
        """
        near = [
            self.lines_of[o] for o, whole in enumerate(wholes) if any(f in whole for f in forms)
        ]
        naming = (line for line in chain.from_iterable(near) if _names(line, forms))
        return [line for line in naming if self.passages[line.owner].title != title]

    def _tied_by_name(self) -> Iterator[tuple[int, Line, str]]:
        sharing: dict[str, list[Line]] = {}
        for line in self.lines:
            for name in sorted(line.names):
                sharing.setdefault(name, []).append(line)
        for name, lines in sharing.items():
            if " " not in name or self._is_common(lines):
                continue
            for line, owner in product(lines, dict.fromkeys(line.owner for line in lines)):
                if owner != line.owner:
                    yield owner, line, name

    def _is_common(self, naming: Iterable[Line]) -> bool:
        owners = {line.owner for line in naming}
        return len(owners) > max(COMMON, len(self.passages) / COMMON)


@cached_by_language(maxsize=1024)
def _title_forms(title: str) -> tuple[str, ...]:
    """Return the ways in which a sentence may name what ``title`` stands for."""
    parts = words(title_subject(title))
    common = stop_words()
    if not any(part not in common and len(part) > 1 for part in parts):
        return ()
    forms = [f" {' '.join(parts)} "]
    if len(parts) == 3:
        forms.append(f" {parts[0]} {parts[2]} ")
    return tuple(forms)


def _names(line: Line, forms: tuple[str, ...]) -> bool:
    """Return whether ``line`` names one of ``forms``; a form of one word must be a name there."""
    return any(
        form in line.flat and (" " in form.strip() or any(form in f" {n} " for n in line.names))
        for form in forms
    )
