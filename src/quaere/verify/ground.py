"""What a text says, in the forms in which two texts are compared, and where two come nearest.

Lines say where they are: "The following are disallowed:" denies each item below it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import chain, pairwise
from typing import Final, NamedTuple

from quaere.domain.source import ITEM, LONGEST_LIST, above_the_list, lead_in_over
from quaere.text.amounts import CLOCK, worded_amounts
from quaere.text.dates import Date, dates
from quaere.text.facts import negation
from quaere.text.inline import unmarked
from quaere.text.language_detection import detect
from quaere.text.languages.language import cached_by_language, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import Name, names
from quaere.text.numbers import Number, numbers
from quaere.text.sentences import Span, sentences
from quaere.text.similarity import shingles
from quaere.text.tables import cells
from quaere.text.tokens import stem, stop_words, terms, words

PHRASE = 3
"""Words in a row that make a phrase. Two are often there by chance, four seldom at all."""

# Words with which a source may say what a sentence puts as a denial.
_HINT = lazy_regex(
    r"(?i)\b(?:absen[ct]|avoid|bans?\b|banned|declin|den[iy]|end(?:s|ed)\b|except|exclud|fail|false"
    r"|few|forb[ia]d|free\b|hardly|ignor|impossible|instead|lack|missing|myth|omit|only\b|prevent"
    r"|prohibit|rarely|refuse|reject|skip|stop|unable|unlikely|unless|until|wrong)"
)
# Words that open a sentence with a capital and, ending so, are seldom names.
_DERIVED = lazy_regex(r"(?:ing|ed|ly|tions?|sions?|ments?|ness|ity|ities|ances?|ences?)$")


# What follows a common word at the head of a sentence, and hardly ever a name.
_AFTER_COMMON = lazy_regex(
    r"\s(?:of|on|under|over|at|from|to|are|were|have|do|every|all|the|an?|no|any|each|that|whether|if|how"
    r"|what|where|which|it|its|your|this|these|those|them|both)\b"
)


LONGEST: Final = 3_000
"""Characters of what is compared word by word; no sentence is longer, and time grows faster."""


class Line(NamedTuple):
    """One sentence of a text, at ``span``."""

    span: Span
    terms: frozenset[str]
    """Stems of its words but stop words."""
    affirmed: frozenset[str]
    """Stems that occur at least once without a negation before them."""
    denied: frozenset[str]
    """Stems that occur at least once directly after a negation."""
    denies: bool
    """Whether it holds a denial at all."""


class Ground:
    """A text taken apart. Each part is computed when it is first needed, and kept."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The sentences in order."""
        return tuple(_line(self.text, span) for span in sentences(self.text))

    @cached_property
    def terms(self) -> frozenset[str]:
        """Stems of all words but stop words."""
        return frozenset[str]().union(*(line.terms for line in self.lines))

    @cached_property
    def affirmed(self) -> frozenset[str]:
        """Stems that occur at least once without a negation before them."""
        return frozenset[str]().union(*(line.affirmed for line in self.lines))

    @cached_property
    def denied(self) -> frozenset[str]:
        """Stems that occur at least once directly after a negation."""
        return frozenset[str]().union(*(line.denied for line in self.lines))

    @cached_property
    def denies(self) -> bool:
        """Whether any sentence holds a denial."""
        return any(line.denies for line in self.lines)

    @cached_property
    def may_deny(self) -> bool:
        """Whether any sentence holds a denial, or a word that can stand for one."""
        return self.denies or _HINT.search(self.text) is not None

    @cached_property
    def words(self) -> frozenset[str]:
        """All words, folded, and their stems."""
        folded = words(self.text)
        return frozenset(folded).union(map(stem, folded))

    @cached_property
    def phrases(self) -> frozenset[str]:
        """Every run of PHRASE words; all words as one when there are fewer."""
        return shingles(self.text, PHRASE)

    @cached_property
    def pairs(self) -> frozenset[str]:
        """Stems of every two words in a row, stop words left out."""
        return frozenset(f"{word} {after}" for word, after in pairwise(terms(self.text)))

    @cached_property
    def joined(self) -> str:
        """All words, folded, without a gap: "Game Boy" holds "gameboy"."""
        return "".join(words(self.text))

    @cached_property
    def dates(self) -> tuple[Date, ...]:
        """Every date named."""
        return tuple(dates(self.text))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Every number named, years among them."""
        return tuple(numbers(self.text))

    @cached_property
    def worded(self) -> tuple[Number, ...]:
        """What it says in words that come to an amount: "half", "noon"."""
        return tuple(worded_amounts(self.text))

    @cached_property
    def shares(self) -> tuple[Number, ...]:
        """Its shares in words, as percentages: "one in twenty", "3/4"."""
        return tuple(each for each in self.worded if each.unit == "%")

    @cached_property
    def moments(self) -> tuple[Number, ...]:
        """Its times of day that have a number, in minutes: "22:47", "six o'clock"."""
        told = self.clocks
        return tuple(each for each in told if _NUMBERED.search(self.text, each.start, each.end))

    @cached_property
    def clocks(self) -> tuple[Number, ...]:
        """Its times of day, in minutes: "22:47", "noon"."""
        return tuple(each for each in self.worded if each.unit == CLOCK)

    @cached_property
    def counts(self) -> tuple[Number, ...]:
        """Its numbers but those of shares in words and of times of day.

        "One in twenty" holds no twenty people, and "22:47" no 47 minutes.
        """
        wholes = (*self.shares, *self.moments)
        within = dict.fromkeys(chain.from_iterable(range(w.start, w.end) for w in wholes))
        return tuple(number for number in self.numbers if number.start not in within)

    @cached_property
    def measures(self) -> tuple[Number, ...]:
        """Its numbers that tell how much, and not which or when: "run 13", "section 3"."""
        return tuple(n for n in self.counts if n.unit != "th" and not _is_label(n, self.text))

    @cached_property
    def figures(self) -> frozenset[int]:
        """Every whole number named. A year may be one: "the 1970 's", "season 1970/71"."""
        values = (number.value for number in self.numbers)
        return frozenset(int(value) for value in values if value == value.to_integral_value())

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Every name but single words that open a sentence and look like no name."""
        openings = {line.span.start for line in self.lines}
        return tuple(
            name
            for name in names(self.text)
            if name.start not in openings or not self._only_opens(name)
        )

    def _only_opens(self, name: Name) -> bool:
        """Return whether ``name`` looks like a common word that begins a sentence."""
        first, _, rest = name.text.partition(" ")
        if (
            rest
        ):  # "Der Bau": where nouns have capitals, an article and a noun make up a common word
            return " " not in rest and not is_english() and first.lower() in stop_words()
        derived = _DERIVED.search(name.text) is not None
        return derived or _AFTER_COMMON.match(self.text, name.end) is not None

    @cached_property
    def language(self) -> str:
        """Its language by ISO 639-1, or "und" when it is not clear.

        Where all of it does not tell, the rows of tables are ignored: figures and names mostly.
        """
        told = detect(self.text)
        if told != "und" or "|" not in self.text:
            return told
        return detect("\n".join(line for line in self.text.splitlines() if cells(line) is None))

    @cached_property
    def initials(self) -> frozenset[str]:
        """First letters of every name of several words: "wfp" for World Food Programme."""
        runs = (words(name.text) for name in names(self.text))
        return frozenset("".join(word[0] for word in run) for run in runs if len(run) > 1)


_LABEL: Final = lazy_regex(
    r"(?i)(?:\b(?:no|nos|nr|num|number|pages?|sections?|chapters?|articles?|clause|paragraph|table"
    r"|figure|fig|appendix|part|step|rule|item|line|run|batch|lot|test|group|class|type|model|mode"
    r"|version|release|issue|volume|edition|room|gate|platform|track|bus|tram|train|boat|flight"
    r"|route|road|row|level|phase|stage|case|code|port|alarm|error|pump|unit|invoice"
    r"|seite|abschnitt|kapitel|artikel|tabelle|abbildung|schritt|zeile|linie|zimmer|raum|gleis"
    r"|zug|fassung|ausgabe|band|stufe|lauf|página|chapitre|tableau|étape|ligne|salle|voie"
    r"|capítulo|artículo|tabla|paso|línea|sala|vía|pagina|capitolo|articolo|tabella|passo|linea"
    r"|artigo|linha|hoofdstuk|tabel|stap|lijn|kamer|spoor)\.?\s?|[§#№]\s?)\Z"
)
_NEAR_LABEL: Final = 16
"""Characters before a figure in which the word stands that makes it a label."""
_NUMBERED: Final = lazy_regex(r"(?i)\d|clock")


def _is_label(number: Number, text: str) -> bool:
    """Return whether ``number`` of ``text`` names one of several things, as in "run 13"."""
    if number.unit:
        return False
    return _LABEL.search(text[max(0, number.start - _NEAR_LABEL) : number.start]) is not None


def is_within(place: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Return whether ``place`` is in one of ``spans``, each with its start and its end."""
    return any(start <= place < end for start, end in spans)


def begins_within(number: Number, others: Iterable[Date | Number]) -> bool:
    """Return whether ``number`` begins in one of ``others`` of the same text."""
    return is_within(number.start, ((other.start, other.end) for other in others))


@cached_by_language(maxsize=256)
def ground(text: str) -> Ground:
    """Return ``text`` taken apart; texts in use are taken apart once."""
    return Ground(text)


def ground_of_answer(text: str) -> Ground:
    """Return ``text``, a sentence of an answer, taken apart without the marks of its code."""
    return ground(unmarked(text).strip())


def _line(text: str, span: Span) -> Line:
    said = negation(text[span.start : span.end])
    return Line(span, said.affirmed | said.denied, said.affirmed, said.denied, said.denies)


WINDOW = 3
"""Sentences in a row that count as one place. One is too few before a "he" or "it"."""


class Place(NamedTuple):
    """The stretch ``[start, end)`` of a text that comes nearest to a sentence."""

    start: int
    end: int
    share: float
    """Share of the sentence's words that it holds."""
    lines: tuple[Line, ...]


def nearest(claim: Ground, source: Ground) -> Place:
    """Return the fewest sentences in a row of ``source``, up to WINDOW, nearest to ``claim``."""
    terms, lines = claim.terms, source.lines
    shared = [terms & line.terms for line in lines]
    best, most = range(0), 0
    for size in range(1, WINDOW + 1):
        for first in range(len(lines)):
            found = len(frozenset[str]().union(*shared[first : first + size]))
            if found > most:
                best, most = range(first, first + size), found
    chosen = tuple(lines[index] for index in best)
    if not chosen:
        return Place(0, 0, 0.0, ())
    return Place(chosen[0].span.start, chosen[-1].span.end, most / len(terms), chosen)


_DENYING: Final = lazy_regex(
    r"(?i)\b(?:not|never|cannot|no|disallow\w*|forbid\w*|forbidden|prohibit\w*|banned|excluded"
    r"|unsupported|impossible|out of scope)\b|n['’]t\b"
)
DENIED: Final = "not "
"""Begins a line that its lead-in denies; the words that follow are in no order."""
CLAUSE_END: Final = lazy_regex(
    r"[,;:()–—](?!\d)|\b(?:and|but|while|which|who|where|because|although)\b"
)
"""What is between two clauses, as far as they are told apart by signs and joining words alone."""
_SIGNS: Final = lazy_regex(r"[,;:()–—]")
_LEADING: Final = lazy_regex(r"[,;]\s(?:(?:except|but|and|while|so)\s(?:that\s)?)?")
LEADING: Final = 3
"""Words that make the last clause of a lead-in one that says something of the items."""


def under_lead_in(source: Ground, line: str, start: int, known: str = "") -> str:
    """Return the ``line`` at ``start`` of ``source`` with what leads it in, as one statement.

    "The following need no key:" means that each of its items needs none. An item keeps its
    mark where its lead-in is unknown, so that it may be denied above.

    Args:
        source: A text.
        line: A sentence of it.
        start: Where it begins.
        known: What leads in the list with which ``source`` begins, if it begins within one.
    """
    item = ITEM.match(line)
    if item is None:
        return line
    lead = _leading_clause(lead_in_over(source.text, start, known))
    if lead:
        said = f"{lead} {line[item.end() :]}"
        is_denied = _DENYING.search(lead) is not None
        return denied(_DENYING.sub(" ", said)) if is_denied else _SIGNS.sub(" ", said)
    above = above_the_list(source.text[max(0, start - LONGEST_LIST) : start])
    return line[item.end() :] if above else line


def denied(said: str) -> str:
    """Return a line of one clause that denies all that is ``said``."""
    return DENIED + _SIGNS.sub(" ", said)


_LABELLED: Final = lazy_regex(r"(?P<lead>[^\s:.!?]+(?:\s[^\s:.!?]+){1,4}):\s(?P<said>\S[^:]*)")
"""A label of a few words, and what it is said of."""


def under_its_label(claim: str) -> str:
    """Return ``claim`` as one statement where its label denies what follows.

    "Not supported: tides" denies of tides that they are supported; other claims stay as they are.
    """
    told = _LABELLED.fullmatch(claim)
    if told is None or not _DENYING.search(told["lead"]):
        return claim
    return denied(_DENYING.sub(" ", f"{told['lead']} {told['said']}"))


def _leading_clause(lead: str) -> str:
    """Return the clause of a lead-in that says something of the items, which is the last one."""
    *_, last = _LEADING.split(lead)
    return last if len(last.split()) >= LEADING else lead


def is_item(line: str) -> bool:
    """Return whether ``line`` is an item of a list whose lead-in is unknown."""
    return ITEM.match(line) is not None
