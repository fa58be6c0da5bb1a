"""The lines that an answer takes, each with what it takes along to be understood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import groupby, starmap

from quaere.domain.report import Opens, Quote, Sentence
from quaere.reason.extractive.comparisons.contrast import Contrast
from quaere.reason.extractive.conditions import limits
from quaere.reason.extractive.manuals.commands import code_below, standing
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.quality import FIT_TO_SHOW, needs_context, quality
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tables import tables
from quaere.text.tokens import stem, tokenize, words

PROOF_WORDS = 60
"""Words that prove the answer to one question about a fact, at most."""
CONTEXT_WORDS = 45
"""Words up to which a sentence takes those before it along, to say what its "it" is."""
_POINTS_BACK = lazy_regex(
    r"(?i)\b(?:since then|therefore|as a result|hence|for (?:this|that) reason|(?:this|that) is why"
    r"|because of (?:this|that|it))\b"
)
_NAMES_THEM = lazy_regex(
    r"(?i)(?:these|they|those|the \w+(?: \w+)?)(?: \w+)? (?:are|include)"
    r"(?: (?:the following|as follows))?:$"
)
"""Leads in to the names of what the sentence before it speaks of: "These are:"."""
_LINK = lazy_regex(r"\[([^\[\]]+)\]\([^()\s]*\)")
_SENTENCE_ENDS = frozenset(".!?:;…。！？：")
_THE = lazy_regex(r"The ([a-z]+)\b")
SAME = 0.6
"""Two sentences that share more of their terms than this say the same."""
MOST_COLUMNS = 5
"""Columns of rows that are shown as a table; wider ones are told field by field."""
LEADS_IN = (":", "：")
"""How a line ends that leads in to what is below it."""


class Draft:
    """Lines taken so far, within the length and the number of citations."""

    def __init__(self, pool: Pool, max_words: int, max_citations: int) -> None:
        self._pool = pool
        self._max_words = self._words_left = max_words
        self._max_citations = max_citations
        self._taken: list[tuple[Line, str | None]] = []
        self._cited: set[int] = set()
        self.under = ""
        """The heading over the first line, where it has to be read with it."""
        self.links = False
        """Whether links are told with where they lead."""
        self.table: Contrast | None = None
        """Whose rows are shown as a table."""
        self.steps: Mapping[tuple[int, int], Opens] = {}
        """How the items open that are the steps of something, by their passage and place."""
        self.asked = frozenset[str]()
        """Stems of what the question speaks of."""
        self.named = frozenset[str]()
        """What it names, in lower case."""

    def __len__(self) -> int:
        """Return how many lines were taken."""
        return len(self._taken)

    def take(
        self, line: Line, item: str | None, *, whole: bool = False, within: int | None = None
    ) -> None:
        """Take ``line`` unless it says what is said already, or there is no room for it.

        What is ``whole`` is taken as it is, however little of a sentence: the item of a list. All
        that is taken keeps within as many words as ``within`` says, or else as the answer may have.
        """
        line = line if whole else self._understood(line)
        line = labelled(self._completed(line), self._pool)
        is_step = self._step(line) is not None
        if not is_step and self._says(line):
            return
        if self._may_have(line, whole=whole, within=within):
            self._add(line, item)
            if not whole:
                self._take_block(line, item)
        elif is_step:
            self._words_left = 0  # a step is not left out alone

    def _add(self, line: Line, item: str | None) -> None:
        self._taken.append((line, item))
        self._cited.add(line.owner)
        self._words_left -= len(words(line.text))

    def _understood(self, line: Line) -> Line:
        """Return ``line`` with what explains it, where that is neither taken nor right before."""
        if any(follows(before, line) for before, _ in self._taken):
            return line
        around = self._in_context(line)
        return line if any(_within(other, around) for other, _ in self._taken) else around

    def take_limits(self, item: str | None, *, with_next: bool) -> None:
        """Take the lines that limit what the last one says: an exception, what is so otherwise.

        Those that name what it speaks of as well, and the first whatever it says, ``with_next``.
        """
        while self._taken and (after := self.after(self._taken[-1][0])) is not None:
            taken = len(self)
            if limits(after.text) or with_next or _NAMES_THEM.match(after.text):
                self.take(after, item)
            with_next = False
            if len(self) == taken:
                return

    def after(self, line: Line) -> Line | None:
        """Return the line after ``line``, where that goes on from it."""
        following = self._pool.after(line)
        return following if following and _continues(following) else None

    def _says(self, line: Line) -> bool:
        """Whether what was taken says what ``line`` does."""
        return any(_alike(line, other) for other, _ in self._taken)

    def _may_have(self, line: Line, *, whole: bool, within: int | None) -> bool:
        """Whether ``line`` may be taken: the first one always, if its passage may be cited."""
        if line.owner not in self._cited and len(self._cited) >= self._max_citations:
            return False
        if not self._taken:
            return True
        return (whole or _is_fit_to_show(line)) and self._has_room(line, within)

    def _take_block(self, lead: Line, item: str | None) -> None:
        """Take the block of code to which ``lead`` leads in, if there is room for one."""
        block = code_below(lead, self._pool) if lead.text.endswith(LEADS_IN) else None
        if block is not None and len(words(block.text)) <= self._words_left:
            self._taken[-1] = (standing(lead), item)
            self._add(block, item)

    def _has_room(self, line: Line, within: int | None) -> bool:
        """Whether the answer may have ``line``, within so many words as readers count them."""
        if len(words(line.text)) > self._words_left:
            return False
        texts = [line.text, *(taken.text for taken, _ in self._taken)]
        return within is None or sum(len(text.split()) for text in texts) <= within

    def _in_context(self, line: Line) -> Line:
        """Return ``line`` with the ones before it that say what its "it" stands for.

        Alone where none does, or where that would be long.
        """
        if self._is_known(line) and not _POINTS_BACK.search(line.text):
            return line
        first = self._explaining(line)
        run = self._pool.lines_of[line.owner][first.place : line.place + 1]
        text = self._between(first, line)
        if first is line or len(words(text)) > CONTEXT_WORDS:
            return line
        spoken = frozenset[str]().union(*(each.terms for each in run))
        return replace(line, start=first.start, text=text, terms=spoken)

    def _is_known(self, line: Line) -> bool:
        """Whether it is clear from the question which "the ..." ``line`` begins with.

        Where it names nothing, that is what it speaks of: the hulls that it asks for. Where it
        names something, that is what it does not ask for, in a line about the same.
        """
        opens = _THE.match(line.text)
        if opens is None:
            return False
        if self.named:
            return stem(opens[1]) not in self.asked and not self.named.isdisjoint(line.names)
        return stem(opens[1]) in self.asked

    def _explaining(self, line: Line) -> Line:
        """Return the nearest line before ``line`` that says what its "it" stands for; else itself.

        All between them need it as well. What begins a paragraph says it, so "The kitchen" there
        needs nothing before it.
        """
        if not needs_context(line.text) or (self._begins(line) and _THE.match(line.text)):
            return line
        for before in reversed(self._pool.lines_of[line.owner][: line.place]):
            if before.heading or before.text.startswith("|") or not _ends(before.text):
                return line
            if self._is_clear(before):
                return before
        return line

    def _begins(self, line: Line) -> bool:
        """Whether ``line`` begins a paragraph."""
        return self._pool.passages[line.owner].text.endswith("\n\n", 0, line.start)

    def _is_clear(self, line: Line) -> bool:
        """Whether ``line`` needs none before it: it names what is asked about, or begins."""
        if not needs_context(line.text) or self._begins(line):
            return True
        return not self.named.isdisjoint(line.names)

    def _completed(self, line: Line) -> Line:
        """Return ``line`` with what it leads in to, where it ends in a colon.

        Alone it tells nothing. That is the line after it, or as many items of a list as there is
        room for; no heading and no row.
        """
        if not line.text.endswith(LEADS_IN):
            return line
        last = self._last_led_in(line)
        block = code_below(line, self._pool)
        if last is line or block is not None:
            return line if self._taken or block is not None else standing(line)
        run = self._pool.lines_of[line.owner][line.place : last.place + 1]
        spoken = frozenset[str]().union(*(each.terms for each in run))
        return replace(line, end=last.end, text=self._between(line, last), terms=spoken)

    def _last_led_in(self, line: Line) -> Line:
        """Return the last line that ``line`` leads in to; itself where there is none."""
        last, listed = line, False
        for after in self._pool.lines_of[line.owner][line.place + 1 :]:
            goes_on = after.listed or (_continues(after) and not listed and _tells(after))
            if not goes_on or len(words(self._between(line, after))) > PROOF_WORDS:
                break
            last, listed = after, after.listed
            if not listed:
                break
        return last

    def _between(self, first: Line, last: Line) -> str:
        """Return what is written from ``first`` to ``last``, lines of one passage, on one line."""
        return " ".join(self._pool.passages[first.owner].text[first.start : last.end].split())

    def sentences(self) -> Iterable[Sentence]:
        """Yield the sentences in reading order: the answer, then passage by passage."""
        turn: dict[int, int] = {}
        for line, _ in self._taken:
            turn.setdefault(line.owner, len(turn))
        first = self._taken[:1]
        rest = sorted(self._taken[1:], key=lambda pair: (turn[pair[0].owner], pair[0].place))
        while going := [pair for pair in rest if first and follows(first[-1][0], pair[0])]:
            first += going[:1]
            rest.remove(going[0])
        yield from self._told_in_order([*first, *rest])

    def _told_in_order(self, lines: Iterable[tuple[Line, str | None]]) -> Iterable[Sentence]:
        ordered = [(self._fitting(line), item) for line, item in lines]
        tabled = self._tabled([line for line, _ in ordered])
        for line, item in ordered:
            yield self._sentence(line, item, is_row=line in tabled)

    def _fitting(self, line: Line) -> Line:
        """Return ``line`` without the lines that explain it, where there is no room for all."""
        own = self._pool.lines_of[line.owner][line.place]
        is_explained = line.start < own.start and line.end == own.end
        text = self._pool.passages[line.owner].text
        is_cut = _cut(text, line.start, line.end, self._max_words) < line.end
        return own if is_explained and is_cut else line

    def _tabled(self, lines: Sequence[Line]) -> AbstractSet[Line]:
        """Return those of ``lines`` that are shown as a table.

        They are the rows that were chosen for one, and rows of one table that are told in a row.
        """
        if self.table:
            return frozenset(self._rows) if len(self._rows) > 1 else frozenset()
        runs = (list(run) for _, run in groupby(lines, key=lambda line: (line.owner, line.columns)))
        return frozenset(line for run in runs if self._make_table(run) for line in run)

    def _make_table(self, run: Sequence[Line]) -> bool:
        """Whether ``run``, lines under the same heads, reads as the rows of a table.

        Its cells are those of the rows, so that no mark within a cell parts it.
        """
        if len(run) < 2 or not 2 <= len(run[0].columns) <= MOST_COLUMNS:
            return False
        (_, told), *others = tables(map(self._told, run))
        return not others and _filled(told) == _filled(line.values for line in run)

    def _sentence(self, line: Line, item: str | None, *, is_row: bool) -> Sentence:
        passage = self._pool.passages[line.owner]
        end = _cut(passage.text, line.start, line.end, self._max_words)
        quote = Quote(
            passage=passage.id,
            text=passage.text[line.start : end],
            start=passage.start + line.start,
            end=passage.start + end,
        )
        return Sentence(
            text=f"{' '.join(quote.text.split())} …" if end < line.end else self._told(line),
            evidence=(self._pool.evidence[line.owner].id,),
            quotes=(quote,),
            item=item,
            opens=Opens.ROW if is_row else self._opens(line),
        )

    def _told(self, line: Line) -> str:
        """Return ``line`` as it is read: a row as a record, the first under its heading."""
        if line.text.startswith("|") or line in self._rows:
            return _as_record(line, self.table.columns if self.table else frozenset())
        is_headed = self.under and line is self._taken[0][0]
        told = line.text if self.links else _LINK.sub(r"\1", line.text)
        if is_headed and not line.text.startswith(self.under):
            return f"{self.under}: {told}"
        return told

    def _opens(self, line: Line) -> Opens | None:
        """Return what ``line`` begins in the text: a block of code, or a step."""
        return Opens.CODE if line.is_block else self._step(line)

    def _step(self, line: Line) -> Opens | None:
        return self.steps.get((line.owner, line.place))

    @property
    def _rows(self) -> tuple[Line, ...]:
        """The rows that are shown as a table."""
        return self.table.lines if self.table else ()


def _filled(rows: Iterable[Iterable[str]]) -> list[str]:
    return [cell for row in rows for cell in row if cell]


def _is_fit_to_show(line: Line) -> bool:
    return quality(line) >= FIT_TO_SHOW and not line.text.endswith(LEADS_IN)


def _ends(text: str) -> bool:
    """Whether ``text`` ends as a sentence does: a title that nothing marks says no "it"."""
    return text.rstrip("\"'”’»)] ")[-1:] in _SENTENCE_ENDS


def _tells(line: Line) -> bool:
    """Whether ``line`` does not lead in to something itself: "Example:"."""
    return not line.text.endswith(LEADS_IN)


def _continues(line: Line) -> bool:
    return not (line.heading or line.listed or line.columns or line.text.startswith("|"))


def _alike(line: Line, other: Line) -> bool:
    if line.text == other.text or _within(line, other):
        return True
    if line.columns and other.columns:  # rows of one table share what heads it
        return False
    union = line.terms | other.terms
    same = bool(union) and len(line.terms & other.terms) / len(union) > SAME
    return same and _have_same_figures(line, other)


def _have_same_figures(line: Line, other: Line) -> bool:
    """Whether one has all figures of the other."""
    one, another = (
        {term for term in each.terms if any(map(str.isdigit, term))} for each in (line, other)
    )
    return one <= another or another <= one


def _within(line: Line, other: Line) -> bool:
    return line.owner == other.owner and other.start <= line.start and line.end <= other.end


def follows(before: Line, line: Line) -> bool:
    """Return whether ``line`` is the one after ``before``."""
    return (before.owner, before.place + 1) == (line.owner, line.place)


def _cut(text: str, start: int, end: int, max_words: int) -> int:
    """Return where ``text[start:end]`` has to end to have at most ``max_words`` words."""
    tokens = tokenize(text[start:end])
    return end if len(tokens) <= max_words else start + tokens[max_words - 1].end


def _as_record(line: Line, told: frozenset[str]) -> str:
    """Return a row of a table as "column: value; column: value", of the columns that are told.

    Where nothing heads the columns, the first cell names what is in the others.
    """
    values = line.values
    if len(line.columns) != len(values):
        return "; ".join(filter(None, values))
    return _as_fields(line.columns, values, told) if any(line.columns) else _by_label(*values)


def _by_label(label: str, *values: str) -> str:
    return _as_field(label, "; ".join(filter(None, values)))


def _as_fields(columns: Sequence[str], values: Sequence[str], told: frozenset[str]) -> str:
    pairs = [(head, value) for head, value in zip(columns, values, strict=True) if value]
    chosen = [(head, value) for head, value in pairs if head in told] or pairs
    return "; ".join(starmap(_as_field, chosen))


def _as_field(head: str, value: str) -> str:
    head = _LINK.sub(r"\1", head)
    return f"{head}: {value}" if head else value


_TYPED = lazy_regex(
    r"-{1,2}\w.*|[\w.-]+=(?:,? .*)?|\w+[._][\w.]*"
    r"|[a-z][\w-]*(?: [\[<].*)?"
)
"""A label that one types: "-n, --dry-run", "Storage=", "gc.auto", "apply [<stash>]"."""


def labelled(line: Line, pool: Pool) -> Line:
    """Return ``line`` with the option that it is the first to tell of; as it is under none.

    "--dry-run: Do nothing" is understood, "Do nothing" is not.
    """
    label = line.label
    if label is None or line.columns:
        return line
    text = pool.passages[line.owner].text
    name = " ".join(text[label.start : label.end].split())
    follows = not text[label.end : line.start].strip()
    if not follows or not _TYPED.fullmatch(name) or line.text.startswith(name):
        return line
    mark = "" if name.endswith("=") else ":"
    return replace(line, start=label.start, text=f"{name}{mark} {line.text}")
