"""The language that a question is asked in, and in which its sources are read.

English needs no record: its rules are those of the modules that use them. Every other language
that answers are found in has a module next to this one, whose ``LANGUAGE`` says in what its words
differ; it is imported when a question is asked in it.

The language in use is kept like a locale, for the current context: what compares words, reads a
date or takes a question apart asks `language_in_use` for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, lru_cache, wraps
from importlib import import_module
from pathlib import Path
from typing import Final, ParamSpec, Protocol, TypeVar, cast

from quaere.text.languages.phrases import (
    ENGLISH_ACCOUNT,
    ENGLISH_REASONS,
    Account,
    Reasons,
)
from quaere.text.languages.wordings import ENGLISH_DAYS, Days, Following, Labels, Rules
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import STOP_WORDS

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Headings:
    """What the parts and tables of an exported report are called."""

    report: str
    short: str
    detail: str
    general: str
    findings: str
    agreement: str
    look: str
    limits: str
    open: str
    ended: str
    checked: str
    warnings: str
    method: str
    queries: str
    loops: str
    calls: str
    evidence: str
    sources: str
    finding: str
    verdict: str
    citations: str
    sentence: str
    left_out: str
    part: str
    supported_by: str
    contradicted_by: str
    origins: str
    agreed: str
    conflicts: str
    one_source: str
    another: str
    difference: str
    answered: str
    in_part: str
    unanswered: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What an answer says in the words of the question's language rather than of a source."""

    yes: str
    no: str
    nothing: str
    """No source answers."""
    nothing_asked: str
    """There is no question to answer."""
    incomplete: str
    """Not every part of the question is answered."""
    doubtful: str
    """Something was found for every part, and it may not be an answer."""
    near: str
    """The places that are named where nothing answers do not answer either."""
    limited: str
    """Searching was degraded."""
    cut_short: str
    """Research ended before it was complete."""
    unanswered: str
    """Leads in what is missing."""
    uncertain: str
    """The same, for what was found without certainty."""
    not_found: str
    found_in_part: str
    nothing_on: str
    """Leads in the words on which nothing was found."""
    disagree: str
    """Two sources, ``one`` against ``other``, with what it is ``about`` in its place or nothing."""
    says_both: str
    """The same within one source."""
    about: str = " ({about})"
    stop: str = "."
    """What ends a sentence that has no end of its own."""
    colon: str = ": "
    """What is between how a part of the question ended and that part."""
    differs: str
    """What a sentence is marked with: that its wording is another than its source's."""
    partly: str
    contradicted: str
    not_judged: str
    quoted: str
    supported: str
    no_claim: str
    by_words: str
    """Who gave a verdict, like the next two."""
    by_model: str
    by_entailment: str
    reasons: Reasons
    account: Account
    headings: Headings

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What begins a gap that only says how a part of the question ended."""
        ends = (self.uncertain, self.not_found, self.found_in_part)
        return tuple(self.gap(outcome, "") for outcome in ends)

    def gap(self, outcome: str, what: str) -> str:
        """Return how a part of the question ended, and ``what`` part that is."""
        return f"{outcome}{self.colon}{what}"


ENGLISH_FRAME: Final = Frame(
    yes="Yes",
    no="No",
    nothing="No evidence found that answers the question.",
    nothing_asked="Nothing is asked, so nothing was searched for.",
    incomplete="The evidence found does not cover every part of the question.",
    doubtful="It is not certain that this answers the question.",
    near="None of this answers the question; it comes nearest to it.",
    limited="Search capabilities were limited; answer is based on partial information.",
    cut_short="The research was cut short; there may be more to find.",
    unanswered="Not answered by what was found",
    uncertain="Not certain from the sources",
    not_found="Not found",
    found_in_part="Found only in part",
    nothing_on="nothing on",
    disagree="The sources disagree{about}: “{one}” against “{other}”.",
    says_both="One source says both “{one}” and “{other}”.",
    about=" on {about}",
    differs="wording differs",
    partly="partly supported",
    contradicted="contradicted",
    not_judged="not judged",
    quoted="quoted",
    supported="supported",
    no_claim="not a claim",
    by_words="by words",
    by_model="by a model",
    by_entailment="by an entailment model",
    reasons=ENGLISH_REASONS,
    account=ENGLISH_ACCOUNT,
    headings=Headings(
        report="Report",
        short="Short answer",
        detail="In detail",
        general="In general",
        findings="Findings",
        agreement="Agreement and conflict",
        look="Where to look",
        limits="Limits",
        open="What stays open",
        ended="How the search ended",
        checked="What was checked",
        warnings="Warnings",
        method="Method",
        queries="Queries",
        loops="Loops",
        calls="Model calls",
        evidence="Evidence, best first",
        sources="Sources",
        finding="Finding",
        verdict="Verdict",
        citations="Citations",
        sentence="Sentence",
        left_out="Left out of the answer",
        part="Part of the question",
        supported_by="Supported by",
        contradicted_by="Contradicted by",
        origins="Independent origins",
        agreed="Agreement",
        conflicts="Conflicts",
        one_source="One source",
        another="Another",
        difference="Difference",
        answered="Answered",
        in_part="Answered in part",
        unanswered="Open",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language:
    """In what a language differs. Patterns ignore case; of words, each list is in lower case."""

    code: str
    """ISO 639-1."""
    name: str
    """In English."""
    frame: Frame
    common: tuple[str, ...]
    """Words that most passages in it hold, and hardly any in another language."""
    stop_words: frozenset[str]
    """Words that say nothing about a subject, the question words among them."""
    light: frozenset[str] = frozenset()
    """Words that a paraphrase exchanges most easily, and that tell least of what is said."""
    vague: frozenset[str] = frozenset()
    """Words that tell next to nothing of what is asked: what something is called, or a kind."""
    allies: str = ""
    """Words for one thing, a group a line, as verification compares them."""
    opposites: str = ""
    """Two sides a line, with "|" between them; the words of one side are for one thing, too."""
    stemmer: str = ""
    """The Snowball algorithm for its words; empty where words have one form."""
    elision: str = r"(?!)"
    """What an apostrophe binds to a word and belongs to another one: "l'", "dell'"."""
    spelling: str = r"(?!)"
    """Letters and endings that its neighbours lack: of two languages that words do not tell apart,
    as "Wie" may ask how or who, it is the one that is spelled so."""
    pieces: str = ""
    """For a script without spaces: what a run of it falls into; group ``word`` is what tells
    something."""
    asks: Mapping[str, str]
    """Question words by the kind of answer that they ask for; of two that begin together the
    first counts. ``which`` leaves the kind to the noun that follows."""
    nouns: Mapping[str, str] = field(default_factory=dict[str, str])
    """Beginnings of nouns after ``which``, by the kind of answer that each asks for."""
    yes_no: str = r"(?!)"
    """What makes a question one for yes or no, whatever question word it holds."""
    many: str
    """What asks how many things there are."""
    price: str = r"(?!)"
    """What asks for an amount of money."""
    from_to: tuple[str, str] = (r"(?!)", r"(?!)")
    """What is before the first of two figures, from which something rises, and before the other."""
    measured: Mapping[str, str]
    """What asks for an amount with a unit, by the English word behind "how": "old", "long"."""
    lists: str = r"(?!)"
    """What asks for several things."""
    joins: str = r"(?!)"
    """The word for "and", after which another question may begin."""
    either: tuple[str, ...] = ()
    """A choice between two things, as groups ``a`` and ``b``, and by what, as ``about``."""
    often: tuple[str, str] = (r"(?!)", r"(?!)")
    """What asks how often something is so, and what tells that."""
    claims: tuple[str, ...] = ()
    """A supposition that ``a`` is more or less of something than ``b``, in the same groups."""
    earlier: str = r"(?!)"
    later: str = r"(?!)"
    less: str = r"(?!)"
    more: str = r"(?!)"
    than: str = r"(?!)"
    """What is between the two things that are compared: as group ``degree`` the word that compares,
    where that comes before the second one, and as ``second`` that thing, where it is in between."""
    born: str = r"(?!)"
    died: str = r"(?!)"
    life: tuple[str, ...] = ()
    """What the years of a life in brackets say: that somebody was born, and died."""
    denies: str
    """What turns a sentence into its opposite, prohibitions among them."""
    following: Following | None = None
    goes_on: tuple[str, str, str] = ("", "", "")
    """For a script without spaces: a follow-up that only names a ``thing``, the ``topic`` that a
    question begins with, and what is between an owner and what it has."""
    points_back: str = r"(?!)"
    """What begins a sentence that speaks of what the one before it does."""
    verbs: str = r"(?!)"
    """Verbs before which a sentence has said what it speaks of."""
    without: str = r"(?!)"
    """What denies no more than what follows it."""
    but: str = r"(?!)"
    wide: str = r"(?!)"
    """What speaks of all."""
    narrow: str = r"(?!)"
    """What speaks of some, or of most."""
    only: str = r"(?!)"
    """What keeps something to one place, time or group."""
    until: str = r"(?!)"
    """What asks for the end of a time: until when something is open is when it closes."""
    reserved: str = r"(?!)"
    """What leaves open whether something is so."""
    because: str = r"(?!)"
    so: str = r"(?!)"
    """What begins a sentence for which the one before it gives the reason."""
    defines: str = r"(?!)"
    placed: str = r"(?!)"
    """What ends right before the name of a place."""
    located: str = r"(?!)"
    """What a sentence has that tells where something is."""
    infinitive: str = r"(?!)"
    """What a clause ends with that only says what to do, after a comma."""
    ors: str = r"(?!)"
    """What is before the last of several things that are denied or ruled: "or"."""
    one: str = r"(?!)"
    """The article that says "one" of a unit: "eine", before a week."""
    by: str = r"(?!)"
    """What is before the one who did something."""
    moment: tuple[str, str, str] = (r"(?!)", r"(?!)", r"(?!)")
    """What makes a moment of a span of time: before it, as in "within a week", and after it. And
    what asks of something that was done once, which no such moment dates."""
    months: tuple[str, ...] = ()
    """Twelve patterns."""
    before_year: str = ""
    """What says that a number from 1000 to 1599 after it is a year: "nel"; ``plainly`` where that
    is so whatever follows: "anno"."""
    decade: str = ""
    """What names ten years, with "{year}" for the first of them; empty where figures do alone."""
    rules: Rules
    days: Days
    labels: Labels | None = None
    numbers: Mapping[str, int] = field(default_factory=dict[str, int])
    joint: str = ""
    """What is between the words of a number that is put together of several."""
    units: Mapping[str, str] = field(default_factory=dict[str, str])
    """What is written for a unit, by the symbol of the unit."""
    counters: str = ""
    """For a script without spaces: characters of which one follows the word of a number."""
    comma: bool = True
    """Whether a comma parts the decimals, and a full stop the thousands."""
    plurals: tuple[str, ...] = ()
    """A noun each with its forms for several, where no stemmer brings them together."""
    related: tuple[str, ...] = ()
    """Words that speak of the same, a group each; "|" is between those that say the contrary."""


def listed(words: str) -> frozenset[str]:
    """Return the words of a list with white space between them, as words are compared."""
    return frozenset(words.casefold().split())


def choice(*ors: str) -> tuple[str, ...]:
    """Return how a choice between two things is worded, "which is older, A or B?", by its "or"."""
    joined = "|".join(ors)
    return (rf"^\W*(?P<about>.*?)[,:]\s+(?P<a>[^,:]+?),?\s+(?:{joined})\s+(?P<b>[^?]+?)\s*\?*$",)


class _Record(Protocol):
    LANGUAGE: Language


_IN_USE: Final[ContextVar[Language | None]] = ContextVar("quaere_language", default=None)
_WORD: Final = re.compile(r"[^\W\d_]+")
_FIRST_WORD: Final = re.compile(r"\W*(\w+)")
_HAN: Final = lazy_regex(r"[\u3041-\u30ff\u4e00-\u9fff]")
_ASKS_IN_ENGLISH: Final = re.compile(
    r"(?i)\W*wh(?:at|en|ere|ich|ose|om?|y)\b|\W*how\b|\W*was (?-i:[A-Z][a-z])"
)
"""After the German "was" comes a verb, after the English one often a name."""
_KANA: Final = lazy_regex(r"[\u3041-\u3096\u30a1-\u30fa]")


def language_in_use() -> Language | None:
    """Return the language in use; None is English."""
    return _IN_USE.get()


def is_english() -> bool:
    """Return whether English is in use: by itself, or for want of another that is told."""
    return _IN_USE.get() is None


def in_english(read: Callable[[str], T | None], text: str) -> T | None:
    """Return what ``read`` finds in ``text`` where English is in use; None in other languages."""
    return read(text) if is_english() else None


def frame() -> Frame:
    """Return what an answer says by itself in the language in use."""
    language = _IN_USE.get()
    return ENGLISH_FRAME if language is None else language.frame


def days_of_week() -> Days:
    """Return how the language in use names the days of the week."""
    language = _IN_USE.get()
    return ENGLISH_DAYS if language is None else language.days


def frame_of(question: str) -> Frame:
    """Return what an answer to ``question`` says by itself, in the language of the question."""
    language = language_of(question)
    return ENGLISH_FRAME if language is None else language.frame


@cache
def outcomes() -> str:
    """Return the pattern of what begins a gap that only says how a part ended, in any language."""
    frames = (ENGLISH_FRAME, *(language.frame for language in languages().values()))
    return "|".join(re.escape(said) for each in frames for said in each.outcomes)


@contextmanager
def speaking(language: Language | None) -> Generator[None]:
    """Use ``language`` in the current context, and in what is computed for it elsewhere."""
    token = _IN_USE.set(language)
    try:
        yield
    finally:
        _IN_USE.reset(token)


LANGUAGES = 16
"""More than there are records of: what is kept once for each is never made anew."""


def cached_by_language(maxsize: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep the last ``maxsize`` results of a function, apart for each language in use."""

    def keeping(function: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(maxsize=maxsize)
        def kept(_: Language | None, *args: P.args, **kwargs: P.kwargs) -> T:
            return function(*args, **kwargs)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            return kept(_IN_USE.get(), *args, **kwargs)

        return call

    return keeping


@cache
def languages() -> Mapping[str, Language]:
    """Return every language there is a record of, by its code."""
    codes = sorted(record.stem for record in Path(__file__).parent.glob("??.py"))
    records = (cast("_Record", import_module(f"{__package__}.{code}")) for code in codes)
    return {record.LANGUAGE.code: record.LANGUAGE for record in records}


@lru_cache(maxsize=256)
def language_of(question: str) -> Language | None:
    """Return the language that ``question`` is in; None for English and where it is not clear.

    It is Spanish where a question mark is before it; else the one that has most of its words
    among its stop words; English where another has no more, or where it begins with a question word
    of English. A single word proves nothing unless it asks, or another one of the language is there
    as well: "Die Hard" is not German.
    """
    if not question.isascii() and _HAN.search(question):
        return languages()["ja" if _KANA.search(question) else "zh"]
    if _ASKS_IN_ENGLISH.match(question):
        return None
    if "¿" in question:
        return languages()["es"]
    said = _WORD.findall(question[:2000].casefold())
    found = _best(said, question)
    return found if found is None or _is_told(found, said, question) else None


def may_be_in(language: Language, text: str) -> bool:
    """Return whether a short ``text`` has no more stop words of English than of ``language``."""
    said = _WORD.findall(text.casefold())
    own = sum(word in language.stop_words for word in said)
    return own >= sum(word in STOP_WORDS for word in said)


def _best(said: Sequence[str], question: str) -> Language | None:
    """Return the language with most of its words in what is ``said``, if English has fewer.

    Of two with as many stop words, as Italian and Portuguese often have, the one of other words, or
    of its spelling. With as many as English has, it is told by such a word that is in the language:
    "Is roken toegestaan?" Those without spaces are told by their signs.
    """
    english = sum(word in STOP_WORDS for word in said)
    spaced = (language for language in languages().values() if not language.pieces)
    small = {language: _small(language, said) for language in spaced}
    # Patterns are compiled for those that may be ahead of English, which are few.
    near = (each for each, count in small.items() if count + 1 >= english)
    most, ahead = _with_most({each: small[each] + opens(each, question) for each in near})
    if most < english or (most == english and not _are_spelled(ahead, question)):
        return None
    _, best = _with_most({language: _others(language, said) for language in ahead})
    found = _spelled_most(best, question)
    return found if most > english or _is_spelled(found, question) else None


def _with_most(counts: Mapping[Language, int]) -> tuple[int, list[Language]]:
    """Return the greatest of ``counts`` and the languages that have it; -1 without any."""
    most = max(counts.values(), default=-1)
    return most, [language for language, count in counts.items() if count == most]


def _are_spelled(ahead: Iterable[Language], question: str) -> bool:
    return any(_is_spelled(language, question) for language in ahead)


def _is_spelled(language: Language | None, question: str) -> bool:
    """Return whether a word that ``language`` has is spelled as in it alone.

    It says what may or must be, or is in a group of words.
    """
    if language is None:
        return False
    plain = filter(str.islower, _WORD.findall(question[:2000]))
    spelled = (word for word in plain if re.search(language.spelling, word))
    known = _in_groups(language)
    return any(word in known or language.rules.is_of_leave(word) for word in spelled)


@cache
def _in_groups(language: Language) -> frozenset[str]:
    return frozenset(" ".join(language.related).casefold().split())


def _spelled_most(tied: Sequence[Language], question: str) -> Language | None:
    _, found = _with_most({language: _spelled(language, question) for language in tied})
    return found[0] if len(found) == 1 else None


def _small(language: Language, said: Sequence[str]) -> int:
    """Return how many words are stop words of ``language``."""
    return sum(word in language.stop_words for word in said)


def _others(language: Language, said: Sequence[str]) -> int:
    """Return how many words are of ``language`` otherwise."""
    known, rules = language.light | _in_groups(language), language.rules
    return sum(word in known or rules.is_of_leave(word) or rules.says_free(word) for word in said)


def _spelled(language: Language, question: str) -> int:
    """Return how many words of ``question`` are spelled as in ``language`` alone."""
    written = _WORD.findall(question[:2000].lower())  # case-folding would undo "ß"
    return sum(re.search(language.spelling, word) is not None for word in written)


def _is_told(language: Language, said: Sequence[str], question: str) -> bool:
    own = _small(language, said)
    if own > 1 or opens(language, question):
        return True
    plain = " ".join(word for word in _WORD.findall(question[:2000]) if word.islower())
    return own > 0 and (_others(language, said) > 0 or _spelled(language, plain) > 0)


def opens(language: Language, question: str) -> bool:
    """Return whether ``question`` begins with a question word of ``language``, or soon has one.

    Or with a word for "must" or "may": "¿Debo ...?", "Posso ...?".
    """
    first = _FIRST_WORD.match(question.casefold())
    begun = "" if first is None else first[1]
    if begun in language.stop_words and language.rules.is_of_leave(begun):
        return True
    return _asking(language).match(question) is not None


@cache
def _asking(language: Language) -> re.Pattern[str]:
    asked = "|".join(f"(?:{pattern})" for pattern in language.asks.values())
    return re.compile(rf"(?i)\W*(?:\w+\W+)?(?:{asked})")


def under_hundred(
    counted: str, tens: str, joined: Callable[[str, str], str], *, ones: str
) -> dict[str, int]:
    """Return the values of the number words from two to ninety-nine, by the word.

    Args:
        counted: The words from two to nineteen, in order.
        tens: Those from twenty to ninety, in order.
        joined: Puts a word of tens and one of ones together: "dreißig", "vier" to "vierunddreißig".
        ones: What "one" is where it follows tens; several where it has genders.
    """
    values = dict(zip(counted.split(), range(2, 20), strict=True))
    units = dict.fromkeys(ones.split(), 1) | {
        word: value for word, value in values.items() if value < 10
    }
    for value, ten in zip(range(20, 100, 10), tens.split(), strict=True):
        values[ten] = value
        values |= {joined(ten, word): value + unit for word, unit in units.items()}
    return values


def by_gender(hundreds: str) -> dict[str, int]:
    """Return the values of the words from two hundred to nine hundred, given without "-os"."""
    values = zip(hundreds.split(), range(200, 1000, 100), strict=True)
    return {stem + ending: value for stem, value in values for ending in ("os", "as")}
