"""What stands once sentences are checked: which items are answered, and where sources disagree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from quaere.domain.evidence import Conflict, Difference, Evidence
from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.report import (
    CheckedBy,
    Direct,
    Opens,
    Quote,
    Report,
    Sentence,
    Support,
    claims_in,
)
from quaere.domain.source import Passage
from quaere.synthesize.direct import direct_in, is_incomplete
from quaere.text.languages.language import frame
from quaere.text.lazy_regex import lazy_regex
from quaere.text.no_claim import tells_disagreement, tells_earlier


def refuted(
    checklist: Checklist,
    shown: Iterable[Sentence],
    dropped: Iterable[Sentence],
    evidence: Iterable[Evidence],
) -> tuple[Item, ...]:
    """Return the satisfied items on which the answer says nothing any more.

    What it said on them was left out because its source says otherwise. A sentence that is shown
    and of no item in particular may be on each whose evidence it cites.

    Args:
        checklist: What a complete answer must contain.
        shown: The sentences of the answer.
        dropped: Those that were left out.
        evidence: What their ids stand for.
    """
    wrong = {each.item for each in dropped if each.support is Support.CONTRADICTED}
    claims = claims_in(shown)
    unsaid = wrong.difference(each.item for each in claims)
    cited = _cited((each for each in claims if each.item is None), evidence)
    satisfied = checklist.with_status(ItemStatus.SATISFIED)
    return tuple(
        item for item in satisfied if item.id in unsaid and cited.isdisjoint(item.evidence)
    )


def _cited(claims: Iterable[Sentence], evidence: Iterable[Evidence]) -> frozenset[str]:
    """Return the ids of the passages that ``claims`` cite."""
    passages = {entry.id: entry.passage for entry in evidence}
    return frozenset(passages[n] for each in claims for n in each.evidence if n in passages)


def standing(
    checklist: Checklist,
    gaps: Sequence[str],
    shown: Sequence[Sentence],
    dropped: Iterable[Sentence],
    evidence: Iterable[Evidence],
) -> tuple[Checklist, tuple[str, ...]]:
    """Return ``checklist`` and ``gaps`` as checking leaves them.

    See `settled` and `refuted`; an answer that claims nothing answers no item, whatever was found.
    """
    if not claims_in(shown):
        return _unanswered(checklist, gaps)
    lost = refuted(checklist, shown, dropped, evidence)
    ticked, open_ = settled(checklist, gaps, shown)
    fallen = {item.id for item in lost}
    partial = {"status": ItemStatus.PARTIAL}
    items = tuple(
        item.model_copy(update=partial) if item.id in fallen else item for item in ticked.items
    )
    named = (item.description for item in lost if item.description not in open_)
    return ticked.model_copy(update={"items": items}), (*open_, *named)


def _unanswered(checklist: Checklist, gaps: Sequence[str]) -> tuple[Checklist, tuple[str, ...]]:
    """Return ``checklist`` with all of its items open, and ``gaps`` with each that was ticked."""
    open_ = {"status": ItemStatus.UNSATISFIED}
    items = tuple(item.model_copy(update=open_) for item in checklist.items)
    ticked = (item.description for item in checklist.with_status(ItemStatus.SATISFIED))
    named = (each for each in ticked if not any(each in gap for gap in gaps))
    lost = (frame().gap(frame().not_found, each) for each in named)
    return checklist.model_copy(update={"items": items}), (*gaps, *lost)


def settled(
    checklist: Checklist, gaps: Sequence[str], sentences: Sequence[Sentence]
) -> tuple[Checklist, tuple[str, ...]]:
    """Return ``checklist`` and ``gaps`` as the direct answer of ``sentences`` leaves the question.

    Its first item, the question itself, is answered when the direct answer is sure, and only then:
    that its words were found does not answer it. Without a direct answer both stay as they are, and
    where another of several questions is what makes it unsure.
    """
    told = direct_in(sentences)
    if told is None or not checklist.items or _is_unsure_for_a_part(told, checklist.asked):
        return checklist, tuple(gaps)
    first, *others = checklist.items
    status, missing = ItemStatus.SATISFIED, list[str]()
    if not told.is_sure:
        status, missing = ItemStatus.PARTIAL, [frame().gap(frame().uncertain, first.description)]
    asked = first.model_copy(update={"status": status})
    left = [gap for gap in gaps if first.description not in gap]
    return Checklist(items=(asked, *others)), (*missing, *left)


def _is_unsure_for_a_part(told: Direct, asked: Sequence[Item]) -> bool:
    """Whether several questions are ``asked``, and one that is open makes ``told`` unsure."""
    if told.is_sure or len(asked) < 2:
        return False
    return any(item.status is not ItemStatus.SATISFIED for item in asked)


def is_open(report: Report) -> bool:
    """Return whether ``report`` does not answer the question, or not all of it."""
    checklist, gaps = report.checklist, report.gaps
    fallen = (item.description in gaps for item in checklist.with_status(ItemStatus.PARTIAL))
    return is_incomplete(report.stop_reason, checklist, gaps, report.sentences) or any(fallen)


MOST: Final = 2
"""Contradictions that an answer tells; the long form lists all of them."""
MAX_CHARS: Final = 240
"""Length of a quote in an answer, on one line; a longer one is in the long form only."""
QUOTED: Final = "both of its sources have it word for word"
_FIGURES: Final = frozenset({Difference.NUMBER, Difference.DATE})
_MARK: Final = lazy_regex(r"^(?:[-+*•·#>]+\s+)+")
"""What a list puts before its items."""
_FIGURE: Final = lazy_regex(r"\d+(?:[.,]\d+)*")


def disagreements(
    conflicts: Iterable[Conflict],
    said: Sequence[Sentence],
    evidence: Iterable[Evidence],
    passages: Mapping[str, Passage],
    *,
    citations: int,
) -> tuple[Sentence, ...]:
    """Return a sentence for each contradiction that ``said`` does not tell.

    It is one that a reasoner has read, or a figure or date of what ``said`` has from one side. One
    of its sentences that cites both sides tells it, and so do two that cite one each where another
    says that the sources disagree, or that it was otherwise earlier. Each side is quoted, and the
    words of what they differ in are left out where they hold a figure that neither quote has:
    nobody has checked it.

    Args:
        conflicts: Those of the selection, in the order in which to tell them.
        said: The sentences of the answer.
        evidence: What the ids of the conflicts stand for.
        passages: Its text, by id.
        citations: Passages that may be cited besides those that ``said`` cites.
    """
    held = _by_id(evidence, passages)
    told = _told_together(said, held)
    opens = Opens.PARAGRAPH if any(each.opens for each in said) else None
    bearing = (each for each in conflicts if _bears(each, said))
    untold = _untold(bearing, told, held)
    found = _fitting(untold, held, frozenset[str]().union(*told), citations)
    return tuple(each.model_copy(update={"opens": opens}) for each in islice(found, MOST))


def _tells_both(text: str) -> bool:
    """Return whether ``text`` says that others say otherwise, or did so earlier."""
    return tells_disagreement(text) or tells_earlier(text)


def _fitting(
    untold: Iterable[tuple[Conflict, frozenset[str]]],
    held: Mapping[int, Passage],
    cited: frozenset[str],
    room: int,
) -> Iterator[Sentence]:
    """Yield a sentence for each conflict that has ``room`` for what it cites besides ``cited``."""
    for conflict, sides in untold:
        fresh = sides - cited
        if len(fresh) <= room and (sentence := _told(conflict, held)):
            yield sentence
            room -= len(fresh)
            cited |= sides


def _bears(conflict: Conflict, said: Sequence[Sentence]) -> bool:
    """Return whether ``conflict`` was read, or is of a figure or date in what ``said`` quotes."""
    if conflict.what is Difference.JUDGED:
        return True
    sides = (conflict.left_says, conflict.right_says)
    quotes = (quote.text for each in said for quote in each.quotes)
    return conflict.what in _FIGURES and any(side in quote for quote in quotes for side in sides)


def _untold(
    conflicts: Iterable[Conflict],
    told: Sequence[frozenset[str]],
    held: Mapping[int, Passage],
) -> Iterator[tuple[Conflict, frozenset[str]]]:
    """Yield each conflict that no sentence tells, with the ids of the passages of its sides."""
    for conflict in conflicts:
        sides = frozenset(held[n].id for n in (conflict.left, conflict.right) if n in held)
        if len(sides) == 2 and not any(sides <= each for each in told):
            yield conflict, sides


def _by_id(evidence: Iterable[Evidence], passages: Mapping[str, Passage]) -> dict[int, Passage]:
    return {each.id: passages[each.passage] for each in evidence if each.passage in passages}


def _told_together(said: Sequence[Sentence], held: Mapping[int, Passage]) -> list[frozenset[str]]:
    """Return the passages that each sentence cites, and all, where one says that they differ."""
    told = [frozenset(held[n].id for n in each.evidence if n in held) for each in said]
    if any(_tells_both(each.text) for each in said):  # each side may have its own sentence
        told.append(frozenset[str]().union(*told))
    return told


def _told(conflict: Conflict, held: Mapping[int, Passage]) -> Sentence | None:
    """Return the sentence on ``conflict``; None where it cannot be quoted from both sides."""
    left, right = held[conflict.left], held[conflict.right]
    sides = (_quote(left, conflict.left_says), _quote(right, conflict.right_says))
    quotes = tuple(filter(None, sides))
    if len(quotes) < len(sides):
        return None
    one, other = (_on_one_line(quote.text).rstrip(" .") for quote in quotes)
    note = conflict.note if conflict.what is Difference.JUDGED else ""  # else it repeats the quotes
    about = note.strip(" .") if _is_quoted(note, (one, other)) else ""
    said = frame().says_both if left.url == right.url else frame().disagree
    on = frame().about.format(about=about) if about else ""
    return Sentence(
        text=said.format(about=on, one=one, other=other),
        evidence=(conflict.left, conflict.right),
        quotes=quotes,
        item=conflict.item or None,
        support=Support.QUOTED,
        by=CheckedBy.WORDS,
        reason=QUOTED,
        probability=1.0,
    )


def _is_quoted(note: str, quotes: Iterable[str]) -> bool:
    """Return whether every figure of ``note`` is in one of ``quotes``."""
    held = {figure for quote in quotes for figure in _FIGURE.findall(quote)}
    return held.issuperset(_FIGURE.findall(note))


def _on_one_line(text: str) -> str:
    return " ".join(_MARK.sub("", text).split())


def _quote(passage: Passage, words: str) -> Quote | None:
    if not 0 < len(_on_one_line(words)) <= MAX_CHARS or words not in passage.text:
        return None
    begun = passage.start + passage.text.index(words)
    return Quote(passage=passage.id, text=words, start=begun, end=begun + len(words))
