"""Makes what a model is shown fit into its context window, by measuring beforehand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from quaere.domain.evidence import Evidence
from quaere.domain.source import Passage
from quaere.text.sentences import Span, excerpt, sentences
from quaere.text.tokens import estimate_tokens, terms

FRAME_TOKENS = 40
"""What a passage's marks, title and id take besides its text."""

STEPS = (1_200, 700, 350, 180, 80)
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

    Evidence without its text is left out. Step by step passages are cut to the stretch that fits
    ``wanted`` best, ever shorter, in each step the last ones first and only as many as it takes:
    first all but ``whole``, then those too. Each keeps its id. The last ones are left out only
    where not even a few words of each fit.

    Args:
        evidence: Best first.
        passages: The text by passage id; what comes back are exact stretches of it.
        wanted: What the text is looked at for.
        room: Tokens.
        whole: Ids of the evidence that is cut last.
    """
    shown = _with_text(evidence, passages)
    sought = frozenset(terms(wanted))
    sizes = [_tokens(passage) for _, passage in shown]
    cuts = _cuts(shown, frozenset(whole))
    while sum(sizes) > room and (cut := next(cuts, None)):
        place, length = cut
        entry, _ = shown[place]
        passage = _cut(passages[entry.passage], sought, length)
        shown[place], sizes[place] = (entry, passage), _tokens(passage)
    while len(shown) > 1 and sum(sizes) > room:
        shown.pop()
        sizes.pop()
    return tuple(shown)


def _with_text(
    evidence: Iterable[Evidence], passages: Mapping[str, Passage]
) -> list[tuple[Evidence, Passage]]:
    return [(each, passages[each.passage]) for each in evidence if each.passage in passages]


def _cuts(
    shown: Sequence[tuple[Evidence, Passage]], keep: Collection[int]
) -> Iterator[tuple[int, int]]:
    """Yield which place to cut to which length, in turn; those in ``keep`` by id come last."""
    for kept in (False, True):
        places = [n for n, (e, _) in enumerate(shown) if (e.id in keep) is kept]
        for length in STEPS:
            for place in reversed(places):
                yield place, length


def heard(text: str, room: int) -> str:
    """Return ``text``, without its middle if it takes more than ``room`` tokens.

    The words that ask are at one of the ends of a long question.
    """
    tokens = estimate_tokens(text)
    if tokens <= room:
        return text
    half = max(40, int(len(text) * room / tokens / 2) - 5)
    return f"{text[:half]} […] {text[-half:]}"


def best_sentence(passage: Passage, wanted: Collection[str]) -> Passage:
    """Return the first sentence of ``passage`` that holds most of the ``wanted`` terms."""
    spans = sentences(passage.text)
    held = [len(set(wanted).intersection(terms(passage.text[s.start : s.end]))) for s in spans]
    if not spans:
        return passage
    return _stretch(passage, spans[held.index(max(held))])


def _cut(passage: Passage, wanted: Collection[str], length: int) -> Passage:
    span = excerpt(passage.text, wanted, length)
    return _stretch(passage, span)


def _stretch(passage: Passage, span: Span) -> Passage:
    if (span.start, span.end) == (0, len(passage.text)):
        return passage
    return passage.model_copy(
        update={
            "text": passage.text[span.start : span.end],
            "start": passage.start + span.start,
            "end": passage.start + span.end,
        }
    )


def _tokens(passage: Passage) -> int:
    return FRAME_TOKENS + estimate_tokens(passage.text)
