"""Plans and judges with a small model: a checklist, and which passages help; code does the rest.

A model of few parameters loses the thread in thirteen fields, and one with little room has none
for them. What a passage says of which item is found by their words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from quaere.domain.evidence import Evidence
from quaere.domain.model import ModelRequest
from quaere.domain.source import Passage
from quaere.errors import ContractError
from quaere.models.structured.ask import ask
from quaere.ports.model import ChatModel
from quaere.ports.reason import FirstLook, Review
from quaere.reason.llm import contracts, sheet
from quaere.reason.llm.prompt_builder import Desk, Exhibit, evidence_relied_on
from quaere.reason.llm.sentences import Numbering
from quaere.reason.llm.weigh import says
from quaere.text.tokens import terms

OUTLINE_TOKENS: Final = 240
"""Output limit of a checklist: four items of a dozen words, and as much again."""
BEARING_TOKENS: Final = 240
"""Output limit of a list of ids: sixty of them."""


async def plan(
    model: ChatModel, desk: Desk, look: FirstLook, shown: Numbering
) -> contracts.Opening:
    """Return the plan, and how far the first look carries it, in two short calls.

    A model that cannot tell the parts of a question is asked about the question as a whole.

    Raises:
        ReasonError: when the model does not say which passages help.
    """
    asked = desk.question_fields(look.question, model)
    request = desk.request(
        "plan",
        model,
        Exhibit((), {}, ""),
        asked,
        output_tokens=OUTLINE_TOKENS,
        contract=contracts.Outline,
    )
    try:
        written = (await ask(model, request, contracts.Outline)).checklist
        items = [item for item in written if any(map(str.isalpha, item))]
    except ContractError:
        items = []
    helping = await _helping(
        model, desk, asked, Exhibit(shown.evidence, look.passages, asked["question"]), items
    )
    judged = _judged(items or [look.question.text], helping, shown.evidence, look.passages)
    return contracts.Opening(checklist=items, **dict(judged))


async def evaluate(
    model: ChatModel, desk: Desk, review: Review, shown: Numbering
) -> contracts.Assessment:
    """Return how far the evidence carries the checklist, in one short call.

    Raises:
        ReasonError: when the model does not say which passages help.
    """
    asked = desk.question_fields(review.question, model)
    items = [item.description for item in review.checklist.items]
    fresh = shown.numbered(review.fresh)
    known = evidence_relied_on(review.checklist, shown.evidence)
    exhibit = Exhibit(
        shown.evidence, review.passages, asked["question"], whole={*fresh, *known}, new=fresh
    )
    helping = await _helping(model, desk, asked, exhibit, items)
    return _judged(items, [*helping, *known], shown.evidence, review.passages)


async def _helping(
    model: ChatModel, desk: Desk, asked: Mapping[str, str], exhibit: Exhibit, items: Sequence[str]
) -> Sequence[int]:
    """Return the numbers of the passages that help; none, and no call, where there are none."""
    if not exhibit.evidence:
        return ()
    request: ModelRequest = desk.request(
        "evaluate",
        model,
        exhibit,
        {**asked, "checklist": _listed(desk.fence, items)},
        output_tokens=BEARING_TOKENS,
        contract=contracts.Bearing,
    )
    return (await ask(model, request, contracts.Bearing)).ids


def _listed(fence: sheet.Fence, items: Iterable[str]) -> str:
    return "\n".join(f"- {fence.line(item)}" for item in items) or sheet.NOTHING


def _judged(
    items: Sequence[str],
    helping: Collection[int],
    evidence: Sequence[Evidence],
    passages: Mapping[str, Passage],
) -> contracts.Assessment:
    texts = dict(_terms_by_id(helping, evidence, passages))
    sought = [frozenset(terms(item)) for item in items]
    answered = _answered(sought, texts.values())
    gaps = [item for place, item in enumerate(items, 1) if place not in answered]
    return contracts.Assessment(
        findings=list(_found(texts, sought)),
        satisfied=answered,
        gaps=[gap[:400] for gap in gaps],
        queries=[_wanted(gap, items) for gap in gaps[: contracts.MAX_QUERIES]],
        sufficient=bool(texts) and not gaps,
        confidence=len(answered) / len(items),
    )


def _terms_by_id(
    helping: Collection[int], evidence: Iterable[Evidence], passages: Mapping[str, Passage]
) -> Iterator[tuple[int, frozenset[str]]]:
    for each in evidence:
        if each.id in helping:
            yield each.id, frozenset(terms(passages[each.passage].text))


def _answered(sought: Sequence[frozenset[str]], texts: Collection[frozenset[str]]) -> list[int]:
    """Return the numbers of the items most of whose terms are in one of ``texts``."""
    return [
        place for place, words in enumerate(sought, 1) if any(says(text, words) for text in texts)
    ]


def _wanted(gap: str, items: Sequence[str]) -> contracts.Wanted:
    return contracts.Wanted(query=gap[:400], item=items.index(gap) + 1)


def _found(
    texts: Mapping[int, frozenset[str]], sought: Sequence[frozenset[str]]
) -> Iterator[contracts.Found]:
    for number, text in texts.items():
        held = [len(words & text) / max(1, len(words)) for words in sought]
        most = max(held)
        items = [place for place, share in enumerate(held, 1) if share == most > 0]
        yield contracts.Found(id=number, items=items[: contracts.MAX_ITEMS])
