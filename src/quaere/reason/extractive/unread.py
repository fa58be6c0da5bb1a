"""Says when the sources are in another language than the question.

Words are compared, so a question finds its answer in its own language alone. That is told, for
"no evidence" would be taken for a word on the sources.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean

from quaere.domain.question import Question
from quaere.domain.source import Passage
from quaere.ports.search import TermStatistics
from quaere.text.language_detection import detect, small_words_said
from quaere.text.languages.language import ENGLISH_FRAME, language_of, languages
from quaere.text.lexicon import STOP_WORDS
from quaere.text.tokens import words

COMMON = {"en": ("the", "of", "and")}
"""Words that most passages in English hold, and hardly any in another language."""
PRESENT, ABSENT = 0.3, 0.05
"""Mean share of the passages of a folder that hold the common words of a language, from which it
is one of the folder's, and under which it is not."""
HELD = 0.2
"""Share of its words that are stop words of a language, from which a text is in that. In prose two
in five are, in a related language one in ten."""
DIFFERENT = 4
"""Small words of a language, at least, by which a text is told to be in it: tables in any have one
or two, for they are letters and short for units."""
SAMPLE, LEAST = 600, 120
"""Characters of a passage by which its language is told, and from which it can be."""
_UNCLEAR = "und"


def unread(
    question: Question, passages: Iterable[Passage], statistics: TermStatistics | None
) -> str:
    """Return that the sources cannot be read for ``question``, and why; empty where they can.

    Args:
        question: What was asked.
        passages: What was found.
        statistics: How common words are in what is searched; asked where nothing was found.
    """
    language = language_of(question.full_text)
    common = STOP_WORDS if language is None else language.stop_words
    asked = question.full_text
    own = language.code if language else "en" if _share(common, asked) >= HELD else detect(asked)
    if own == _UNCLEAR:
        return ""
    samples = [passage.text[:SAMPLE] for passage in passages]
    found = {_language_in(text, own, common) for text in samples}
    if not found and statistics is not None:
        found = _spoken_in(statistics)
    if not found or not found.isdisjoint({own, _UNCLEAR}):
        return ""
    if language is not None:  # languages are named in English here
        return language.frame.account.unread.format(own=own, others=", ".join(sorted(found)))
    others = " and ".join(sorted(map(_name, found)))
    return ENGLISH_FRAME.account.unread.format(own=_name(own), others=others)


def _language_in(text: str, own: str, common: frozenset[str]) -> str:
    if len(text) < LEAST or _share(common, text) >= HELD:
        return own
    record = languages().get(found := detect(text))
    if record is None:
        told = small_words_said(found, text)
        is_own = told is not None and told < DIFFERENT
    else:
        is_own = not record.pieces and _share(record.stop_words, text) < HELD
    return own if is_own else found


def _share(common: frozenset[str], text: str) -> float:
    """Return the share of the words of ``text`` that are among the stop words ``common``."""
    said = words(text)
    return sum(word in common for word in said) / len(said) if said else 0.0


def _spoken_in(statistics: TermStatistics) -> set[str]:
    """Return the languages whose common words are in much of what is searched, or in some."""
    listed = COMMON | {code: language.common for code, language in languages().items()}
    shares = {code: fmean(map(statistics.document_share, words)) for code, words in listed.items()}
    present = {code for code, share in shares.items() if share >= PRESENT}
    return present and {code for code, share in shares.items() if share >= ABSENT}


def _name(code: str) -> str:
    language = languages().get(code)
    return language.name if language else "English" if code == "en" else f"the language {code}"
