"""What a loop may use of what is left: time to wait, pages to open, tokens for the answer."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.budget import Remaining
from quaere.domain.model import ModelCall

LONGEST_S = 20.0
"""Enough for a service that is asked again twice; who takes longer will not answer."""


def patience_s(*, left_s: float, providers: int) -> float:
    """Return the seconds to wait for ``providers`` that search side by side, with ``left_s`` to go.

    Among others a slow one is waited for at most half the time, so that what they found can
    still be used. One alone gets all the time there is.
    """
    return left_s if providers < 2 else min(LONGEST_S, left_s / 2)


LONGEST_PAUSE_S = 40.0
"""Enough for four probes of a service that is left alone for 2, 4, 8 and 16 s: one that fails them
all is away for longer than a question can wait."""


def pause_s(*, left_s: float) -> float:
    """Return the seconds to wait for services that are left alone for a while, all of them.

    At most two thirds of what is left: enough is kept to read what they find and to write.
    """
    return min(LONGEST_PAUSE_S, left_s * 2 / 3)


LEAST = 4
"""Pages that a loop opens when the budget has them: fewer seldom hold an answer."""


def reads_now(*, left: int, loops_left: int) -> int:
    """Return how many of the ``left`` pages to open in this loop, the first of ``loops_left``.

    Half of what is left, so that most is read where the raw question led and something remains for
    what is learned on the way; everything in the last loop.
    """
    return left if loops_left <= 1 else min(left, max(LEAST, -(-left // 2)))


OUTPUT_TOKENS = 4_000
"""What a call may write at most, besides the words of an answer."""
PROMPT_TOKENS = 1_500
"""What a prompt takes besides the passages."""
TOKENS_PER_WORD = 6


def left_to_search(
    left: Remaining,
    *,
    calls: Sequence[ModelCall],
    shown_tokens: int,
    answer_words: int,
    thinking_tokens: int = 0,
    checked: bool = False,
) -> Remaining:
    """Return ``left`` without what one more evaluation, the answer and its check are going to take.

    Money is reckoned by the dearest call so far, for want of anything better. What comes out has no
    tokens when searching on would leave the answer unwritten.

    Args:
        left: What is left of the run's budget.
        calls: Those made so far.
        shown_tokens: What the passages take that a call is shown.
        answer_words: Length of the answer.
        thinking_tokens: What each call may take besides what it writes.
        checked: Whether a model checks the answer.
    """
    calls_kept = 3 if checked else 2
    writing = shown_tokens + PROMPT_TOKENS + max(OUTPUT_TOKENS, answer_words * TOKENS_PER_WORD)
    judging = shown_tokens + PROMPT_TOKENS + OUTPUT_TOKENS
    # The check is shown no more than the passages of the answer, and writes less than a judgement.
    kept = writing + (calls_kept - 1) * judging + calls_kept * thinking_tokens
    tokens = max(0, left.tokens - kept)
    dearest = max((call.cost_usd or 0.0 for call in calls), default=0.0)
    if left.usd is not None and left.usd < calls_kept * dearest:
        tokens = 0
    return left.model_copy(update={"tokens": tokens})
