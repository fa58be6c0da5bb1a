"""Words with their offsets, and the folded, stemmed forms by which words are compared."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final, NamedTuple

from quaere.text.languages.language import Language, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import STOP_WORDS
from quaere.text.raised import RAISED

if TYPE_CHECKING:
    from tantivy import TextAnalyzer


__all__ = [
    "STOP_WORDS",
    "Token",
    "apart",
    "drawn_word",
    "fold",
    "is_stop_word",
    "stem",
    "stop_words",
    "terms",
    "tokenize",
    "unaccented",
    "words",
]

# Scripts written without spaces between words: kana, Han, Hangul, Thai, Lao, Burmese, Khmer.
UNSPACED: Final = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3"
)
INSIDE: Final = (
    "\u00ad\u200c\u200d\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711"
    "\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d\u0859-\u085b\u08ca-\u08e1\u08e3-\u0963"
    "\u0971-\u0df3\u0f18\u0f19\u0f35-\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0fbc"
    "\u135d-\u135f\u1ab0-\u1ace\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
)
"""What may occur inside a word and is not a letter: combining marks, which ``\\w`` leaves out (of
Indic scripts the whole blocks but for their full stops), the soft hyphen, zero-width joiners."""


def _spaced(letter: str, alnum: str, rest: str) -> str:
    """Return the pattern of a word, by those of a letter, of a letter or digit, and of more."""
    return (
        rf"(?:{letter}\.){{2,}}"  # U.S., e.g.
        r"|\d{1,3}(?:,\d{3}(?!\d))++(?:\.\d++)?"  # 3,014.5
        r"|\d++(?:\.\d++)++"  # 3.5, 1.2.3
        rf"|{alnum}{rest}(?:['’]{letter}{rest})*+"
    )


_WORDLY = rf"[^\W_{RAISED}]"
_POWER = rf"10⁻?[{RAISED}]++|[^\W\d_{RAISED}]{{1,2}}⁻?[{RAISED}]++(?!\w)"
"""10⁶, m² and s⁻¹; after a longer word raised figures are the mark of a note."""
# Words of text without those scripts, and of plain ASCII: found several times as fast.
_SPACED_WORD = re.compile(
    rf"{_POWER}|"
    + _spaced(rf"[^\W\d_{RAISED}]", _WORDLY, rf"{_WORDLY}*+(?:[{INSIDE}]++{_WORDLY}*+)*+")
)
_ASCII_WORD = re.compile(_spaced("[A-Za-z]", "[A-Za-z0-9]", "[A-Za-z0-9]*+"), re.ASCII)
_EXPONENT = lazy_regex(rf"(?<=\d)(?=⁻?[{RAISED}])")
_COMPOUND = re.compile(r"(?<![A-Za-z])(?:[A-Z][a-z]++){2,}+(?![A-Za-z])")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_UNSPACED_RUN = lazy_regex(rf"[{UNSPACED}]+")
_FOLDED = str.maketrans({"’": "'", "\u00ad": None, "\u200c": None, "\u200d": None})

# Longer runs of letters are not words of any language that is stemmed here.
_LONGEST_WORD = 64
_KEPT_WORDS: Final = 1 << 15
"""Words of a language whose forms are kept: more than any page has."""


class Token(NamedTuple):
    """A word or number at ``[start, end)`` of its text, as it is written there."""

    text: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """Return the words and numbers of ``text`` in order.

    Hyphens and slashes part words ("1998-99" is two); apostrophes, grouped digits and decimals
    don't. Runs in a script without spaces come as overlapping pairs of characters, in a language
    that is written so without what only joins its words.
    """
    return [Token(text[start:end], start, end) for start, end in _spans(text)]


def words(text: str) -> list[str]:
    """Return the words of ``text`` folded: see `fold`."""
    return list(map(_forms(language_in_use()).folded.__getitem__, _found(text)))


def terms(text: str) -> list[str]:
    """Return the stems of the words of ``text`` that are not stop words."""
    return list(filter(None, map(_forms(language_in_use()).terms.__getitem__, _found(text))))


def apart(text: str) -> str:
    """Return ``text``, each name made of words with these after it: "QueueGrows Queue Grows"."""
    return _COMPOUND.sub(lambda made: f"{made[0]} {_HUMP.sub(' ', made[0])}", text)


def stop_words() -> frozenset[str]:
    """Return the stop words of the language in use."""
    language = language_in_use()
    return STOP_WORDS if language is None else language.stop_words


def is_stop_word(word: str) -> bool:
    """Tell whether ``word``, in any case, says nothing about a subject."""
    return fold(word) in stop_words()


def fold(word: str) -> str:
    """Return the form of ``word`` that is compared.

    NFKC and case are folded, and a power is told by a caret, as in 10^6; a possessive "'s", the
    dots of an acronym and the commas of a number are gone, and so is what the language in use puts
    before an apostrophe: "l'", "dell'".
    """
    if word.isascii():
        folded = word.lower()
    else:
        power = _EXPONENT.sub("^", word) if word[0].isdigit() else word
        normal = unicodedata.normalize("NFKC", power).casefold()
        folded = normal.translate(_FOLDED) or normal
    if "'" in folded:
        folded = _unbound(folded)
    if folded[:1].isdigit():
        return folded.replace(",", "")
    return folded.replace(".", "") or folded


def _unbound(folded: str) -> str:
    """Return ``folded`` without the ending or the word that an apostrophe binds to it."""
    language = language_in_use()
    if language is not None:
        return re.sub(f"^{language.elision}", "", folded) or folded
    return folded[:-2] if folded.endswith("'s") and len(folded) > 2 else folded


def stem(word: str) -> str:
    """Return the Snowball stem of a folded ``word`` in the language in use, without accents."""
    return _forms(language_in_use()).stems[word]


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the words of ``text``, which are folded and apart by spaces."""
    return frozenset(map(stem, text.split()))


def stems(folded: Iterable[str]) -> list[str]:
    """Return the stems of ``folded`` words: for many, faster than `stem` for each."""
    return list(map(_forms(language_in_use()).stems.__getitem__, folded))


def _stem(word: str) -> str:
    language = language_in_use()
    algorithm = "english" if language is None else language.stemmer
    if len(word) > _LONGEST_WORD or not algorithm:
        return word
    try:
        # Other languages bend words by their accents.
        told = unaccented(word) if language is None else word
        return unaccented(_stemmer(algorithm).analyze(told)[0]) or word  # an accent alone
    except UnicodeEncodeError:  # a lone surrogate
        return word


_MARK: Final = lazy_regex("[\u0300-\u036f]+")
_MARK_OF_STRESS: Final = lazy_regex("[\u0300-\u0302\u0327]+")
_STROKES: Final = str.maketrans("łøđħŧæœı", "lodhtaoi")
"""Letters that no accent is taken off; "æ" and "œ" by their first one."""


def unaccented(word: str) -> str:
    """Return a folded ``word`` without its accents, which many leave out: "café" is "cafe".

    In a language that writes with accents, dots and tildes make other letters: "ano" is not "año".
    """
    if word.isascii():
        return word
    english = is_english()
    apart = unicodedata.normalize("NFD", word.translate(_STROKES) if english else word)
    return unicodedata.normalize("NFC", (_MARK if english else _MARK_OF_STRESS).sub("", apart))


@lru_cache(maxsize=16)
def _stemmer(algorithm: str) -> TextAnalyzer:
    # tantivy's stemmer and not snowballstemmer: the same algorithm (40,000 words without a
    # difference), 3 ms to import against 95 ms, and 0.5 us a word against 20.
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer  # noqa: PLC0415 - heavy

    return TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.stemmer(algorithm)).build()


class _Kept(dict[str, str]):
    """The forms of words in one language, each made once: pages repeat their words."""

    def __init__(self, made: Callable[[str], str]) -> None:
        super().__init__()
        self._made = made

    def __missing__(self, word: str) -> str:
        form = self._made(word)
        if len(word) <= _LONGEST_WORD:
            if len(self) >= _KEPT_WORDS:
                self.clear()
            self[word] = form
        return form


class _Forms:
    """What words are compared by in the language in use."""

    def __init__(self) -> None:
        self.folded = _Kept(fold)
        self.stems = _Kept(_stem)
        self.terms = _Kept(self._term)
        """Empty for stop words."""

    def _term(self, word: str) -> str:
        folded = self.folded[word]
        return "" if folded in stop_words() else self.stems[folded]


@cache
def _forms(language: Language | None) -> _Forms:
    """Return the forms that are kept for ``language``, which is the one in use."""
    del language
    return _Forms()


def _found(text: str) -> list[str]:
    """Return the words of ``text`` as they are written, as `tokenize` finds them."""
    if text.isascii():
        return _ASCII_WORD.findall(text)
    if _UNSPACED_RUN.search(text):
        return [text[start:end] for start, end in _spans(text)]
    return _SPACED_WORD.findall(text)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the words of ``text`` stand, run by run of signs of scripts without spaces."""
    # One pattern for all scripts would take a cold command 12 ms more to compile.
    language = language_in_use()
    pieces = language.pieces if language is not None else ""
    at = 0
    for start, end in spaced_parts(text, 0, len(text)):
        for piece in re.compile(pieces).finditer(text, at, start) if pieces else ():
            if piece["word"]:
                yield from _pairs(*piece.span())
        if not pieces and at < start:
            yield from _pairs(at, start)
        yield from (match.span() for match in _SPACED_WORD.finditer(text, start, end))
        at = end


def spaced_parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of ``text[start:end]`` before, between and behind runs of those scripts.

    A word is looked for in each of them: a pattern that left out all those signs by itself, in each
    place for a letter, would take long to compile.
    """
    for run in () if text.isascii() else _UNSPACED_RUN.finditer(text, start, end):
        yield start, run.start()
        start = run.end()
    yield start, end


def _pairs(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the overlapping pairs of characters of ``[start, end)``; all of it if that is one."""
    for left in range(start, max(start + 1, end - 1)):
        yield left, min(left + 2, end)


_DIGITS = b"0123456789"
_MARKUP = b'#$%&()*+/:;<=>@[\\]^_`{|}~"'


def drawn_word() -> str:
    """Return eight letters drawn at random, of 37 bits, as no page can foresee them.

    Letters alone: each digit is a token, so prompts that differ in a word with some would be
    estimated to differ in length, and runs of the same question in their budgets.
    """
    return "".join(secrets.choice(ascii_lowercase) for _ in range(8))


def estimate_tokens(text: str) -> int:
    """Return about how many tokens ``text`` takes, rounded up: rather too many than too few.

    Four ASCII characters are a token, but of markup two and of digits one, since some vocabularies
    give every digit its own. So is every other character, two those beyond U+FFFF.

    Measured with the vocabularies o200k_base and cl100k_base, real counts are 0.85 to 1.0 times
    the estimate for English prose, HTML, JSON, tables and addresses, and 0.8 to 1.2 for Chinese,
    Japanese, Korean and Thai. Polish and Finnish take up to 1.2 times in the newer, 1.5 in the
    older one, which takes twice as many for Burmese. Cyrillic, Arabic and Indic scripts take half
    or less in the newer. What a vendor counts corrects all this: see `quaere.models.meter`.
    """
    ascii_ = text.encode("ascii", "ignore")
    plain = ascii_.translate(None, _DIGITS)
    prose = plain.translate(None, _MARKUP)
    digits, markup = len(ascii_) - len(plain), len(plain) - len(prose)
    others = len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(ascii_)
    quarters = len(prose) + 2 * markup + 4 * (digits + others)
    return -(-quarters // 4)
