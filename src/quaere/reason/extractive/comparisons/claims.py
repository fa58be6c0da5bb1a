"""Whether one thing is more, or less, of something than another, or than a value."""

from __future__ import annotations

from collections.abc import Callable

from quaere.reason.extractive.comparisons.both import Agreed, all_agreed
from quaere.reason.extractive.comparisons.compare import order
from quaere.reason.extractive.denials import is_negative
from quaere.reason.extractive.pool import Line, Pool, spaced, title_subject
from quaere.reason.extractive.questions.parts import Comparison
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex

_BOTH = lazy_regex(r"(?i)\s*both\s+(?P<a>.+?),?\s+and\s+(?P<b>.+)")


def claim_holds(claimed: Comparison, pool: Pool, tells: Callable[[Line], bool]) -> Agreed | None:
    """Return whether the first side is more, or less, of what ``claimed`` compares.

    Of "both A and B" it must hold of each. None where nothing tells.

    Args:
        claimed: What is supposed, the side of which it is first.
        pool: The evidence, read.
        tells: Whether a line may say so in words.
    """
    both = in_english(_BOTH.fullmatch, claimed.first)
    if both is None:
        return _ordered(claimed, pool, tells)
    return all_agreed([_ordered(claimed._replace(first=both[side]), pool, tells) for side in "ab"])


def _ordered(claimed: Comparison, pool: Pool, tells: Callable[[Line], bool]) -> Agreed | None:
    """Return what two values say to ``claimed``, or else a line that asserts or reverses it.

    Words alone do not decide it: those of "A is longer than B" are those of "B is longer than A".
    """
    choice = order(claimed, pool)
    if choice.winner:
        return Agreed(choice.winner == claimed.first, choice.lines, is_read=True)
    said = (claimed.first, claimed.about, claimed.second)
    first, than, second = (spaced(title_subject(part)) for part in said)
    for line in filter(tells, pool.lines):
        if _puts_before(line, first, than, second):
            return Agreed(says=True, lines=(line,), is_read=False)
        if _puts_before(line, second, than, first):
            return Agreed(says=False, lines=(line,), is_read=False)
    return None


def _puts_before(line: Line, one: str, than: str, other: str) -> bool:
    """Whether ``line`` asserts ``one``, what it is more than, and the ``other``, in that order."""
    before, compared, after = line.flat.partition(than)
    is_said = bool(compared) and one in before and other in after
    return is_said and not is_negative(line.text)
