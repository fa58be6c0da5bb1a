"""Turns what a model wrote of plan and evidence into the engine's own values.

Ids and item numbers that do not exist are passed over: they can tick nothing and cite nothing.
What it wrote in words is shown and searched for, so it becomes labels: it may have obeyed a page.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, starmap
from types import MappingProxyType
from typing import Final

from quaere.domain.budget import ProfileName
from quaere.domain.evidence import Contradiction, Evidence
from quaere.domain.question import (
    Checklist,
    Item,
    ItemStatus,
    Plan,
    Question,
)
from quaere.domain.source import Passage
from quaere.domain.verdict import Fact, NextAction, Reflection
from quaere.reason.extractive.queries import content_words
from quaere.reason.llm import contracts
from quaere.reason.llm.citing import folded, names_of
from quaere.reason.llm.queries import wanted_queries
from quaere.reason.llm.sheet import best_sentence
from quaere.text.sanitize import sanitize_label
from quaere.text.tokens import terms

WHOLE = "question"
"""Id of the one item of a checklist that the model left empty: the question as a whole."""


def plan_of(draft: contracts.Plan, question: Question) -> Plan:
    """Return the plan in ``draft``, without its queries."""
    asked = f"{question.text}\n{question.context}"
    refined = sanitize_label(draft.refined_question, asked) or " ".join(question.text.split())
    listed = [
        Item(id=f"item-{place}", description=text, terms=tuple(dict.fromkeys(terms(text))))
        for place, text in enumerate(_labels(draft.checklist, asked), 1)
    ]
    whole = Item(id=WHOLE, description=refined[:400], terms=tuple(dict.fromkeys(terms(refined))))
    return Plan(
        refined_question=refined,
        scope_in=_labels(draft.scope_in, asked),
        scope_out=_labels(draft.scope_out, asked),
        key_terms=_labels(draft.key_terms, asked) or content_words(question.text),
        checklist=Checklist(items=tuple(listed) or (whole,)),
        queries=(),
        tier=ProfileName(draft.tier) if draft.tier else None,
    )


def reflection_of(
    assessment: contracts.Assessment,
    checklist: Checklist,
    evidence: Sequence[Evidence],
    asked: str = "",
    passages: Mapping[str, Passage] = MappingProxyType({}),
) -> Reflection:
    """Return how far ``evidence`` carries ``checklist``, as ``assessment`` has it.

    Hosts that ``asked`` names, the question, stay in gaps and queries; others become plain words.

    It is sufficient when the model says so and no item is left without evidence, or when every
    item is ticked and no gap is named: a satisfied checklist ends the search, whatever else the
    model would like to see.
    """
    assessment = _grounded(assessment, checklist, evidence, passages)
    ticked = _ticked(assessment, checklist, evidence)
    done = _is_sufficient(assessment, ticked, evidence)
    gaps = _labels(assessment.gaps, asked) or _descriptions(ticked, ItemStatus.UNSATISFIED)
    known = {entry.id for entry in evidence}
    return Reflection(
        next_action=NextAction.FINALIZE if done else NextAction.SEARCH_MORE,
        confidence=_confidence(assessment, ticked),
        checklist=ticked,
        gaps=() if done else gaps,
        queries=() if done else wanted_queries(assessment.queries, ticked, asked),
        target_source_types=tuple(dict.fromkeys(assessment.target_kinds)),
        findings=_found(assessment, known),
        facts=tuple(_facts(assessment.findings, ticked, evidence, passages)),
        contradictions=tuple(_opposed(assessment.contradictions, ticked, known, asked)),
        reason=sanitize_label(assessment.reason, asked) or _reason(gaps, done=done),
    )


SAYS_SHARE: Final = 0.5
"""Share of the words of an item that a passage holds at least which answers it."""


def says(text: frozenset[str], wanted: frozenset[str]) -> bool:
    """Return whether a passage with the terms ``text`` is likely to say what is ``wanted``."""
    return len(wanted & text) >= SAYS_SHARE * len(wanted)


def _grounded(
    assessment: contracts.Assessment,
    checklist: Checklist,
    evidence: Sequence[Evidence],
    passages: Mapping[str, Passage],
) -> contracts.Assessment:
    """Return ``assessment`` with findings that are of ``evidence``.

    Names in place of ids are those of a passage. Where not one finding is of any evidence, what
    is said to be answered rests on the passages that have most of its words.
    """
    names, known = names_of(evidence), {entry.id for entry in evidence}
    found = [
        each.model_copy(update={"id": number, "named": ""})
        for each in assessment.findings
        for number in (names.get(folded(each.named), ()) if each.named else (each.id,))
        if number in known
    ]
    if not found:
        found = list(_by_words(assessment, checklist, evidence, passages))
    return assessment.model_copy(update={"findings": found})


def _by_words(
    assessment: contracts.Assessment,
    checklist: Checklist,
    evidence: Sequence[Evidence],
    passages: Mapping[str, Passage],
) -> Iterator[contracts.Found]:
    """Yield, for each ticked item that rests on nothing yet, the passage with most of its words."""
    ticked = list(filter(assessment.answers, _resting_on_nothing(checklist)))
    held = _words_of(evidence, passages) if ticked else {}
    for place in ticked if held else ():
        wanted = frozenset(terms(checklist.items[place - 1].description))
        best = max(held, key=lambda number: len(wanted & held[number]))
        if wanted and says(held[best], wanted):
            yield contracts.Found(id=best, items=[place])


def _resting_on_nothing(checklist: Checklist) -> Iterator[int]:
    """Yield the places, from 1, of the items that have no evidence."""
    return (place for place, item in enumerate(checklist.items, 1) if not item.evidence)


def _words_of(
    evidence: Sequence[Evidence], passages: Mapping[str, Passage]
) -> dict[int, frozenset[str]]:
    """Return the words of each piece of ``evidence`` whose passage is known, by its id."""
    known = [each for each in evidence if each.passage in passages]
    return {each.id: frozenset(terms(passages[each.passage].text)) for each in known}


def _confidence(assessment: contracts.Assessment, checklist: Checklist) -> float:
    """Return how sure the model says it is, or else the share of items that are satisfied."""
    if "confidence" in assessment.model_fields_set:
        return assessment.confidence
    return len(checklist.with_status(ItemStatus.SATISFIED)) / len(checklist.items)


def _descriptions(checklist: Checklist, status: ItemStatus) -> tuple[str, ...]:
    return tuple(item.description for item in checklist.with_status(status))


def _found(assessment: contracts.Assessment, known: Collection[int]) -> tuple[int, ...]:
    """Return the ids of the findings that are of evidence, each once."""
    return tuple(dict.fromkeys(each.id for each in assessment.findings if each.id in known))


def _is_sufficient(
    assessment: contracts.Assessment, ticked: Checklist, evidence: Sequence[Evidence]
) -> bool:
    if not evidence:
        return False
    if assessment.sufficient and not ticked.with_status(ItemStatus.UNSATISFIED):
        return True
    complete = len(ticked.with_status(ItemStatus.SATISFIED)) == len(ticked.items)
    return complete and not assessment.gaps


def _ticked(
    assessment: contracts.Assessment, checklist: Checklist, evidence: Sequence[Evidence]
) -> Checklist:
    passages = {entry.id: entry.passage for entry in evidence}
    found = [f for f in assessment.findings if f.id in passages]
    if [item.id for item in checklist.items] == [WHOLE]:
        return Checklist(items=(_whole(checklist.items[0], assessment, found, passages),))

    def marked(place: int, item: Item) -> Item:
        # A finding for no item in particular bears on the whole: on what is said to be answered.
        satisfied = assessment.answers(place)
        whole = assessment.sufficient or satisfied
        shown_by = [passages[f.id] for f in found if place in f.items or (whole and not f.items)]
        return _marked(item, shown_by, satisfied=satisfied)

    items = tuple(starmap(marked, enumerate(checklist.items, 1)))
    return Checklist(items=tuple(_rested(items, assessment)))


def _rested(items: Sequence[Item], assessment: contracts.Assessment) -> Iterator[Item]:
    """Yield ``items``, those that follow from others as far as these go."""
    sure = assessment.sufficient
    for place in range(len(items)):
        ticked = sure and assessment.answers(place + 1)
        yield _resting(place, items, sufficient=sure, ticked=ticked)


# What two things are compared in, in both degrees. "Owner" and "founder" end like these.
_DEGREE = (
    r"(?:(?:old|young|new|larg|small|great|long|short|tall|high|low|fast|slow|cheap|deep|wide?|strong"
    r"|near|clos|warm|cold|rich|few|earli|heavi|bigg)e(?:r|st)|more|most|less|least|later|latest"
    r"|better|best|worse|worst|first|last)"
)
_DERIVED = re.compile(
    r"(?i)\b(?:compar(?:e[sd]?|ison|ing)|differences? (?:between|in|of)|sum of"
    r"|(?:ratio|relation) between"
    rf"|which\b.*\b(?:is|was|are|were|has|had|came|comes|happened|built|born|died)\b.*\b{_DEGREE}"
    r"|how (?:much|many)\b.*\b(?:more|less|fewer|apart|between)"
    r"|Vergleich|Unterschied|Differenz|welche[rs]?\b.*\b(?:älter|jünger|größer|kleiner|mehr))\b"
)


def _resting(place: int, items: Sequence[Item], *, sufficient: bool, ticked: bool) -> Item:
    """Return an item that follows from others, such as "which is older", as far as they go.

    Its wording shows that, or that it is ``ticked`` for no passage of its own by a model that has
    one for each of several others and wants nothing more: "where the two accounts part".

    No passage says it. It rests on the items before it, or on those after it where it comes first;
    a tick of its own is not needed where the model finds the evidence ``sufficient``. Else the item
    may be a step of its own, such as "which of them burned down first", and stays open.
    """
    item = items[place]
    if not _may_rest(place, items, ticked=ticked):
        return item
    others = _others(place, items)
    bearing = dict.fromkeys(chain.from_iterable(each.evidence for each in (item, *others)))
    if not others or not bearing:
        return item
    status = _status_of(others) if sufficient else ItemStatus.PARTIAL
    return item.model_copy(update={"status": status, "evidence": tuple(bearing)})


def _may_rest(place: int, items: Sequence[Item], *, ticked: bool) -> bool:
    """Return whether the item at ``place`` is open, and shows that it follows from others."""
    item = items[place]
    if item.status is ItemStatus.SATISFIED:
        return False
    if _DERIVED.search(item.description):
        return True
    return ticked and _ends_what_is_known(place, items)


def _ends_what_is_known(place: int, items: Sequence[Item]) -> bool:
    """Return whether the item at ``place`` is the last, and all of several others are satisfied."""
    others = items[:place]
    is_last = place == len(items) - 1
    return is_last and len(others) > 1 and _status_of(others) is ItemStatus.SATISFIED


def _others(place: int, items: Sequence[Item]) -> list[Item]:
    """Return the items that the one at ``place`` may follow from."""
    near = items[:place] or items[1:]
    return [each for each in near if not _DERIVED.search(each.description)]


def _status_of(items: Iterable[Item]) -> ItemStatus:
    """Return whether all of ``items`` are satisfied, or some."""
    complete = all(each.status is ItemStatus.SATISFIED for each in items)
    return ItemStatus.SATISFIED if complete else ItemStatus.PARTIAL


def _whole(
    item: Item,
    assessment: contracts.Assessment,
    found: Sequence[contracts.Found],
    passages: dict[int, str],
) -> Item:
    """Return the one item of a question without a checklist: its gaps are the model's gaps."""
    satisfied = assessment.sufficient or (bool(found) and not assessment.gaps)
    marked = _marked(item, [passages[f.id] for f in found], satisfied=satisfied)
    return marked.model_copy(update={"status": ItemStatus.SATISFIED}) if satisfied else marked


def _marked(item: Item, found: Sequence[str], *, satisfied: bool) -> Item:
    """Return ``item`` with its evidence; a tick counts only where there is some."""
    bearing = tuple(dict.fromkeys([*found, *item.evidence]))
    if not bearing:
        return item.model_copy(update={"status": ItemStatus.UNSATISFIED})
    status = ItemStatus.SATISFIED if satisfied else ItemStatus.PARTIAL
    return item.model_copy(update={"status": status, "evidence": bearing})


def _labels(texts: Iterable[str], asked: str) -> tuple[str, ...]:
    """Return ``texts`` as labels, each once, without those that sanitizing empties."""
    return tuple(dict.fromkeys(filter(None, (sanitize_label(text, asked) for text in texts))))


def _facts(
    found: Iterable[contracts.Found],
    checklist: Checklist,
    evidence: Sequence[Evidence],
    passages: Mapping[str, Passage],
) -> Iterator[Fact]:
    """Yield what the passages found say of their items, each passage once."""
    held = {entry.id: passages.get(entry.passage) for entry in evidence}
    items = dict(enumerate(checklist.items, 1))
    for number, own in _by_passage(found).items():
        passage = held.get(number)
        if passage is None:
            continue
        addressed = [items[place] for place in own if place in items]
        yield Fact(
            evidence=number,
            items=tuple(item.id for item in addressed),
            text=best_sentence(passage, _terms_of(addressed or checklist.items)).text,
        )


def _terms_of(items: Iterable[Item]) -> set[str]:
    return {term for item in items for term in terms(item.description)}


def _by_passage(found: Iterable[contracts.Found]) -> dict[int, tuple[int, ...]]:
    places: dict[int, tuple[int, ...]] = {}
    for each in found:
        places[each.id] = tuple(dict.fromkeys((*places.get(each.id, ()), *each.items)))
    return places


def _opposed(
    told: Iterable[contracts.Opposed], checklist: Checklist, known: set[int], asked: str
) -> Iterator[Contradiction]:
    """Yield the contradictions ``told`` between two passages that are ``known``.

    Each pair comes once for an item: two accounts may differ in the year and in the builder.
    """
    items = {place: item.id for place, item in enumerate(checklist.items, 1)}
    pairs: dict[tuple[int, int, str], Contradiction] = {}
    for each in told:
        if len(each.ids) == 2 and set(each.ids) <= known:
            first, second = sorted(each.ids)
            pairs.setdefault(
                (first, second, items.get(each.item, "")),
                Contradiction(
                    ids=(first, second),
                    item=items.get(each.item, ""),
                    what=sanitize_label(each.what, asked),
                ),
            )
    yield from (pairs[key] for key in sorted(pairs))


def _reason(gaps: Sequence[str], *, done: bool) -> str:
    if done:
        return "every item is answered"
    return f"{len(gaps)} {'gap is' if len(gaps) == 1 else 'gaps are'} open" if gaps else "unsure"
