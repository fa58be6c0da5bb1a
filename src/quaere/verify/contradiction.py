"""What a clash amounts to: to none where another line has what is said, or to a contradiction.

"Contradicted" is the verdict that costs most trust where it is wrong, and what is wrong is nearly
always a paraphrase of a denial: "absent" for "no", "only from 1998" for "not until 1998". So it is
said of sentences alone that are laid next to one statement nearly word for word; all other clashes
leave open whether the sentence is true.

"It is shut on Sunday, and entry is free" may be held by two lines. They do not clash with it
because the nearest one speaks of Monday.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import filterfalse
from typing import Final

from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number, agrees
from quaere.verify.align import Alignment, Match, Word, content
from quaere.verify.ground import ground, is_item
from quaere.verify.quantities import amounts, moved_years, told_amounts

NEARLY_SAME: Final = 0.85
"""Share aligned with one line from which a clash is a contradiction, in a short sentence."""

_EXCEPTING: Final = lazy_regex(
    r"(?i)\b(?:unless|until|till|only|except\w*|other than|apart from|but for|unlike|instead of"
    r"|rather than|in contrast|contrary to|whether)\b"
    r"|,\s(?:which|who|but|and)?\s?[\w\s]{1,30}\b(?:do|does|did|is|are|was|were|has|have|had|can)"
    r"(?:n['’]t| not)\s*[.;]?\s*\Z"
)
"""Words that turn a denial round or bound it: "not until May" says when, not that it never was."""
_COMPARES: Final = lazy_regex(r"(?i)\bthan\b")
"""Where one side compares, a denial of it may be what the other says: "no runner was faster"."""
_PRONOUN: Final = lazy_regex(r"(?i)\b(?:it|its|he|his|she|her|they|their|this|these|those|both)\b")


def is_nearly_same(alignment: Alignment) -> bool:
    """Return whether a sentence is laid next to one line nearly word for word.

    Where the line has a pronoun, a word from around it may stand for that.
    """
    share = alignment.share if _PRONOUN.search(alignment.held) else alignment.own
    if share < NEARLY_SAME or is_item(alignment.held):
        return False
    return _exceptions(alignment.said) == _exceptions(alignment.held)


def _exceptions(text: str) -> frozenset[str]:
    return frozenset(match[0].lower() for match in _EXCEPTING.finditer(text))


def denies_one_statement(alignment: Alignment) -> bool:
    """Return whether all that a denial turns is in one statement, with nothing else in between.

    In other languages than English denials are not told clause by clause.
    """
    if not is_english():
        return True
    if _compares(alignment.said) is not _compares(alignment.held):
        return False
    inside = _turned_statement(alignment.matches)
    if _share(inside, alignment) < NEARLY_SAME:
        return False
    return _has_opposite(inside) or _is_whole(inside, alignment)


def _turned_statement(matches: Iterable[Match]) -> list[Match]:
    """Return those of ``matches`` that are in a statement of the line which has one turned."""
    matches = tuple(matches)
    turned = {match.held.clause for match in matches if match.sign < 0}
    return [match for match in matches if match.held.clause in turned]


def _compares(text: str) -> bool:
    return _COMPARES.search(text) is not None


def _has_opposite(matches: Iterable[Match]) -> bool:
    return any(match.opposite and match.sign < 0 for match in matches)


def _share(matches: Sequence[Match], alignment: Alignment) -> float:
    words = [word for word in alignment.words if not _is_pronounced(word, alignment)]
    whole = sum(word.weight for word in words)
    return sum(each.said.weight * each.weight for each in matches) / whole if whole else 0.0


def _is_pronounced(word: Word, alignment: Alignment) -> bool:
    """Return whether a pronoun of the line may stand for ``word``, a part of a name or a noun."""
    if any(match.said == word for match in alignment.matches):
        return False
    return word.weight == 1 and _PRONOUN.search(alignment.held) is not None


def _is_whole(matches: Sequence[Match], alignment: Alignment) -> bool:
    """Return whether a denial is all that differs.

    Every word is aligned, those that tell little, too: "kept" is one of them, and the opposite of
    "deleted". And the line has no other word in between: "the importer skips empty rows".
    """
    aligned = {match.said for match in matches}
    lost = (word for word in alignment.words if word not in aligned)
    if not all(_is_pronounced(word, alignment) for word in lost):
        return False
    return not any(word.weight == 1 for word in _between(matches, content(alignment.held)))


def _between(matches: Iterable[Match], held: Iterable[Word]) -> Iterator[Word]:
    """Yield the words of a line that are between those of ``matches`` and none of them."""
    taken = {match.held.start for match in matches}
    for word in held:
        if word.start not in taken and min(taken) < word.start < max(taken):
            yield word


def has_one_figure(alignment: Alignment) -> bool:
    """Return whether each has one figure or date alone, so that none can follow from others."""
    both = ground(alignment.said), ground(alignment.held)
    if any(moved_years(both)):  # "in 2003, and a year later"
        return False
    return all(len([*amounts(each), *each.dates]) == 1 for each in both)


def turns_order_alone(alignment: Alignment) -> bool:
    """Return whether a word of order is all that differs: no denial, no opposite besides."""
    return all(match.sign > 0 for match in alignment.matches)


_HELD: Final = 0.4
"""Share aligned from which another line that has the figures of a sentence may be what it says."""


def has_figures_elsewhere(aligned: Sequence[Alignment]) -> bool:
    """Return whether a line has all figures of a sentence, and enough of it besides."""
    return any(
        each.own >= _HELD and all(a.told for a in told_amounts(each.said, each.held))
        for each in aligned
    )


def of_one_measure(aligned: Sequence[Alignment]) -> Sequence[Alignment]:
    """Return ``aligned`` without the lines that measure, where a sentence and another line count.

    "It has three wheels" is the line for "It has four wheels", and "4 m wide" tells of none.
    """
    counting = any(each.own >= _HELD and _bare(each.held) for each in aligned)
    return ([*filterfalse(_measures_alone, aligned)] if counting else []) or aligned


def _bare(text: str) -> list[Number]:
    return [each for each in amounts(ground(text)) if not each.unit]


def _measures_alone(alignment: Alignment) -> bool:
    """Return whether a line has with a unit alone what stands without one in a sentence."""
    held = list(amounts(ground(alignment.held)))
    told = ([n for n in held if agrees(own, n)] for own in _bare(alignment.said))
    return any(same and all(n.unit for n in same) for same in told)


def _turned(alignment: Alignment) -> set[int]:
    return {match.said.clause for match in alignment.matches if match.sign < 0}


def is_kept_elsewhere(aligned: Sequence[Alignment]) -> bool:
    """Return whether other lines have more of each clause that the nearest turns, and keep it.

    Args:
        aligned: The sentence next to each line, the nearest first.
    """
    nearest, *others = aligned
    turned = _turned(nearest)
    if not turned or not turned < {word.clause for word in nearest.words}:
        return False
    return all(
        any(_is_kept(_of_clause(n, each), _of_clause(n, nearest)) for each in others)
        for n in turned
    )


def _of_clause(clause: int, alignment: Alignment) -> Sequence[Match]:
    return [match for match in alignment.matches if match.said.clause == clause]


def _is_kept(matches: Sequence[Match], turned: Sequence[Match]) -> bool:
    return len(matches) > len(turned) and all(match.sign > 0 for match in matches)
