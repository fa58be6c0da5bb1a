"""Scores the text of a page against what it should be, as the sets' own authors do. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

from rapidfuzz import fuzz

from quaere_evals.page_data import PdfCheck

Token = TypeVar("Token", bound=Hashable)

_TOKEN = re.compile(r"\w+")
_SHINGLE = 4
"""Tokens a shingle, as in the article extraction benchmark."""
_MARKUP = (
    re.compile(r"<br/?>"),
    re.compile(r"\*\*(.*?)\*\*"),
    re.compile(r"__(.*?)__"),
    re.compile(r"</?[bi]>"),
)
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚", "'"),
        **dict.fromkeys("“”„", '"'),
        **dict.fromkeys("–—‑‒−", "-"),
        "\N{FULLWIDTH LOW LINE}": "_",
        "\N{MICRO SIGN}": "\N{GREEK SMALL LETTER MU}",
    }
)


@dataclass(frozen=True, slots=True)
class Counts:
    """What was found rightly, found wrongly, and missed."""

    right: float
    wrong: float
    missed: float

    @property
    def precision(self) -> float | None:
        """The share of what was found that is right; None when nothing was found."""
        found = self.right + self.wrong
        return self.right / found if found else None

    @property
    def recall(self) -> float | None:
        """The share of what is right that was found; None when there was nothing to find."""
        there = self.right + self.missed
        return self.right / there if there else None


@dataclass(frozen=True, slots=True)
class Quality:
    """Precision, recall and their harmonic mean, each from 0 to 1."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def shingle_counts(gold: str, found: str) -> Counts:
    """Compare two texts by runs of four words, as the article extraction benchmark does."""
    return _compared(_shingles(gold), _shingles(found))


def averaged(counts: Iterable[Counts]) -> Quality:
    """Return the mean precision and recall over texts, each weighing the same.

    That is how the article extraction benchmark sums up: its F1 is that of the two means.
    """
    counts = list(counts)
    return Quality(
        precision=_mean(count.precision for count in counts),
        recall=_mean(count.recall for count in counts),
    )


def chunk_counts(wanted: Sequence[str], unwanted: Sequence[str], found: str) -> Counts:
    """Count the stretches of text that ``found`` holds, as trafilatura's evaluation does.

    White space is all alike; whatever else differs makes a stretch a missing one.
    """
    text = _spaced(found)
    right = sum(_spaced(chunk) in text for chunk in wanted)
    wrong = sum(_spaced(chunk) in text for chunk in unwanted)
    return Counts(right, wrong, len(wanted) - right)


def summed(counts: Iterable[Counts]) -> Quality:
    """Return precision and recall over all stretches together, as trafilatura's evaluation does."""
    counts = list(counts)
    whole = Counts(
        right=sum(count.right for count in counts),
        wrong=sum(count.wrong for count in counts),
        missed=sum(count.missed for count in counts),
    )
    return Quality(whole.precision or 0.0, whole.recall or 0.0)


def token_f1(gold: str, found: str) -> float:
    """Return the F1 of the words of ``found``, their order left aside."""
    counts = _compared(Counter(_TOKEN.findall(gold)), Counter(_TOKEN.findall(found)))
    return Quality(counts.precision or 0.0, counts.recall or 0.0).f1


def same_words(gold: str, found: str) -> bool:
    """Whether two titles or names consist of the same words, in the same order."""
    return _TOKEN.findall(gold.casefold()) == _TOKEN.findall(found.casefold())


def holds(check: PdfCheck, text: str) -> bool:
    """Whether ``present``, ``absent`` or ``order`` holds for ``text``, as olmOCR's benchmark asks.

    Markup, white space, quotes and dashes are made alike; ``max_diffs`` characters may differ.
    """
    text = _alike(text)
    if check.type == "order":
        return _in_order(_alike(check.before), _alike(check.after), text, check.max_diffs)
    return _is_present(check, text) is (check.type == "present")


def _is_present(check: PdfCheck, text: str) -> bool:
    wanted = _alike(check.text)
    if not check.case_sensitive:
        wanted, text = wanted.lower(), text.lower()
    if check.first_n or check.last_n:
        text = text[: check.first_n or 0] + (text[-check.last_n :] if check.last_n else "")
    # A text shorter than what is looked for would be found in it, instead of the other way round.
    if len(text) < len(wanted) - check.max_diffs:
        return False
    return fuzz.partial_ratio(wanted, text) >= 100 * (1 - check.max_diffs / len(wanted))


def _in_order(before: str, after: str, text: str, diffs: int) -> bool:
    """Whether ``before`` begins somewhere in ``text`` ahead of a place where ``after`` begins."""
    places = [(text.find(before), text.rfind(before)), (text.find(after), text.rfind(after))]
    if diffs:
        starts = (_near(before, text, diffs), _near(after, text, diffs))
        places = [
            exact if exact[0] >= 0 else (start, start)
            for exact, start in zip(places, starts, strict=True)
        ]
    (first, _), (_, last) = places
    return 0 <= first < last


def _near(wanted: str, text: str, diffs: int) -> int:
    """Return where ``wanted`` begins in ``text`` but for ``diffs`` characters; -1 for nowhere."""
    if len(text) < len(wanted) - diffs:
        return -1
    found = fuzz.partial_ratio_alignment(wanted, text, score_cutoff=100 * (1 - diffs / len(wanted)))
    return found.dest_start if found else -1


def _alike(text: str) -> str:
    line_break, *marks = _MARKUP
    text = line_break.sub(" ", text)
    for mark in marks:
        text = mark.sub(r"\1" if mark.groups else "", text)
    return unicodedata.normalize("NFC", re.sub(r"\s+", " ", text)).translate(_PLAIN)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    """Count the shingles of ``text``; one of fewer words is a shingle as a whole."""
    tokens = _TOKEN.findall(text)
    starts = range(max(1, len(tokens) - _SHINGLE + 1))
    return Counter(tuple(tokens[at : at + _SHINGLE]) for at in starts if tokens)


def _compared(gold: Counter[Token], found: Counter[Token]) -> Counts:
    common = (gold & found).total()
    return Counts(common, found.total() - common, gold.total() - common)


def _mean(values: Iterable[float | None]) -> float:
    known = [value for value in values if value is not None]
    return fmean(known) if known else 0.0
