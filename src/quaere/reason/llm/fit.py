"""Makes what a model is shown fit into its context window, by measuring beforehand."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from quaere.domain.evidence import Evidence
from quaere.domain.source import Passage
from quaere.text.sentences import excerpt
from quaere.text.token_count import estimate_tokens
from quaere.text.tokens import terms

FRAME_TOKENS = 40
"""What a passage's marks, title and id take beside its text."""

STEPS = (1_200, 700, 350, 180)
"""Lengths in characters to which passages are cut, one after the other, until all of them fit."""


def fitted(
    evidence: Sequence[Evidence],
    passages: Mapping[str, Passage],
    wanted: str,
    *,
    room: int,
    whole: Collection[int] = (),
) -> tuple[tuple[Evidence, Passage], ...]:
    """Return the evidence with as much of its text as ``room`` tokens hold.

    Evidence without its text is left out. First all but ``whole`` are cut to the stretch that fits
    ``wanted`` best, ever shorter; then those too; then the last ones are left out.

    Args:
        evidence: Best first.
        passages: The text by passage id; what comes back are exact stretches of it.
        wanted: What the text is looked at for.
        room: Tokens.
        whole: Ids of the evidence that is cut last.
    """
    shown = [(e, passages[e.passage]) for e in evidence if e.passage in passages]
    sought = frozenset(terms(wanted))
    keep = frozenset(whole)
    for spared in (keep, frozenset[int]()):
        for length in (None, *STEPS):
            cut = [
                (e, passage if length is None or e.id in spared else _cut(passage, sought, length))
                for e, passage in shown
            ]
            if _tokens(cut) <= room:
                return tuple(cut)
    short = [(e, _cut(passage, sought, STEPS[-1])) for e, passage in shown]
    while len(short) > 1 and _tokens(short) > room:
        short.pop()
    return tuple(short)


def heard(text: str, room: int) -> str:
    """Return ``text``, without its middle if it takes more than ``room`` tokens.

    The asking stands at one of the ends of a long question.
    """
    tokens = estimate_tokens(text)
    if tokens <= room:
        return text
    half = max(40, int(len(text) * room / tokens / 2) - 5)
    return f"{text[:half]} […] {text[-half:]}"


def _cut(passage: Passage, wanted: Collection[str], length: int) -> Passage:
    span = excerpt(passage.text, wanted, length)
    if (span.start, span.end) == (0, len(passage.text)):
        return passage
    return passage.model_copy(
        update={
            "text": passage.text[span.start : span.end],
            "start": passage.start + span.start,
            "end": passage.start + span.end,
        }
    )


def _tokens(shown: Sequence[tuple[Evidence, Passage]]) -> int:
    return sum(FRAME_TOKENS + estimate_tokens(passage.text) for _, passage in shown)
