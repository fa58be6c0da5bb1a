"""What the first sentence of an answer rests on, where it cites nothing but draws a conclusion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quaere.domain.evidence import Evidence
from quaere.domain.report import Sentence
from quaere.resilience.thread import in_slices
from quaere.verify.discourse import resting_on
from quaere.verify.repair import Outcome, Pool, verify_sentence


async def verified(sentences: Sequence[Sentence], pool: Pool, asked: str) -> list[Outcome]:
    """Return what words alone make of ``sentences``, without holding up the event loop.

    A first one that cites nothing rests on what is found to carry the next ones, which are
    therefore checked before it.

    Args:
        sentences: The beginning of an answer, or all of it.
        pool: What they may cite.
        asked: The question.
    """
    first, rest = sentences[:1], sentences[1:]
    following = await in_slices(verify_sentence(each, pool, asked) for each in rest)
    concluded = [resting_on(each, rest, following) for each in first]
    opening = await in_slices(verify_sentence(each, pool, asked) for each in concluded)
    return [*opening, *following]


def of_same_sources(found: Sequence[int], selection: Iterable[Evidence]) -> tuple[int, ...]:
    """Return ``found`` with all else of ``selection`` that is from the same sources.

    A model that says a source bears on the answer names one of its passages, often the first, but
    has read them all.
    """
    selected = list(selection)
    urls = {entry.url for entry in selected if entry.id in found}
    others = (entry.id for entry in selected if entry.url in urls)
    return tuple(dict.fromkeys((*found, *others)))


def one_of_each_source(concluded: Sentence, found: Sequence[int], pool: Pool) -> Sentence:
    """Return ``concluded`` with one citation of each of its sources.

    Args:
        concluded: It cites all that its sources were seen with, what decided first.
        found: Ids of the passages that speak for the other sources.
        pool: What may be cited.
    """
    decided, *others = concluded.evidence
    ranked = (decided, *sorted(others, key=lambda number: number not in found))
    chosen: dict[str, int] = {}
    for number in ranked:
        chosen.setdefault(pool[number].url, number)
    held = {pool[number].id for number in chosen.values()}
    quotes = tuple(quote for quote in concluded.quotes if quote.passage in held)
    return concluded.model_copy(update={"evidence": tuple(chosen.values()), "quotes": quotes})
