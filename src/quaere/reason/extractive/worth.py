"""What a line is worth to a question: by the words that they share, and by what it holds."""

from __future__ import annotations

from quaere.reason.extractive.chains import Chain
from quaere.reason.extractive.pool import Line, Pool
from quaere.text.lazy_regex import lazy_regex

CHAIN, OWN, FOCUS, ASKED, NEAR, ASKED_BEFORE = 5.9, 3.5, 2.4, 0.6, 1.3, 0.9
"""What a share of the question's weight is worth: covered in passages that lead to a sentence, in
the sentence, near what is asked for, in the clause that asks, in the rest of its passage; and what
it costs when a sentence that leads to it says what the clause asks for, and it does not. These
weights and the next were fitted on half of 774 questions (multi-hop, single-hop, biomedical) and
checked on the other."""
ASIDE = 2.0
"""What passages that lead to a sentence are worth when the question describes nothing by others."""
HOLDS, HOLDS_ANEW, OPENING, RANK = 1.1, 1.3, 1.8, 2.5
"""What it is worth to hold the expected kind of answer, to hold it in words that no title on the
way has, to open a passage, to be ranked first."""


def bearing_of(chain: Chain, *, hops: bool) -> float:
    """Return what ``chain`` is worth for its words; it ``hops`` where something is described."""
    return (
        (CHAIN if hops else ASIDE) * (chain.covered - chain.near)
        + OWN * chain.own
        + FOCUS * chain.focus
        + ASKED * chain.asked
        - ASKED_BEFORE * chain.asked_before * (1.0 - chain.asked)
        + NEAR * (chain.near - chain.own)
    )


def fitting_of(line: Line, held: float, anew: float) -> float:
    """Return what ``line`` is worth for where it is and what it holds.

    Args:
        line: The line.
        held: How well it holds the kind of answer that is expected, from 0 to 1.
        anew: The same in words that no title on the way has.
    """
    return (
        HOLDS * held
        + HOLDS_ANEW * anew
        + OPENING / (1 + line.place)
        + RANK / (1 + 0.2 * line.owner)
    )


_SMALL_WORD = lazy_regex(r"(?<![\w'’-])[a-z]+(?![\w'’-])")


def plain_openings(pool: Pool) -> frozenset[str]:
    """Return the words that begin lines with a capital and are written small elsewhere.

    "Data are kept there" names no person.
    """
    small = {word for p in pool.passages for word in _SMALL_WORD.findall(p.text)}
    first = (line.flat.split(" ", 2)[1] for line in pool.lines if line.flat.strip())
    return frozenset(word for word in first if word in small)
