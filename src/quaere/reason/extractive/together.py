"""Puts the answers to the questions in one together, each with the sentences that prove it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, repeat

from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.report import UNSURE, Direct, DirectKind, Sentence
from quaere.reason.extractive.checklist import MAX_EVIDENCE, Ticked
from quaere.text.languages.language import frame

Answers = Sequence[tuple[Sentence, ...]]
"""The sentences that answer each question; the first one carries the direct answer."""


def are_sure(told: Answers) -> bool:
    """Return whether each question is answered, and surely so."""
    return bool(told) and all(each and (d := each[0].direct) and d.is_sure for each in told)


def together(
    told: Answers, checklist: Checklist, asked: Sequence[str] = ()
) -> tuple[Sentence, ...]:
    """Return the sentences of all answers ``told``, the first with all direct answers.

    Those are given in a few words where each of them is; else the sentences give them. What answers
    twice is told once, by itself or with more. Where some of the questions ``asked`` have no sure
    answer, the sure ones come first, and the direct answer says which are left.
    """
    sure = [answer for answer in told if are_sure([answer])]
    direct = _joined(sure)
    if others := [each for each in zip(asked, told, strict=False) if each[1] not in sure]:
        direct = _without(others, direct)
    items = [item.id for item in checklist.items]
    placed = zip(told, chain(items, repeat(next(iter(items), None))), strict=False)
    sentences = dict[str, Sentence]()
    for answer, item in sorted(placed, key=lambda each: each[0] not in sure):
        for sentence in answer:
            told_for = sentence.model_copy(update={"item": item, "direct": None})
            sentences.setdefault(sentence.text, told_for)
    first, *rest = (sentences[text] for text in _said_once(sentences))
    return (first.model_copy(update={"direct": direct}), *rest)


def _without(others: Iterable[tuple[str, Sequence[Sentence]]], direct: Direct) -> Direct:
    """Return ``direct`` as an unsure answer, and that the other questions have no sure one."""
    said, left = frame(), list[str]()
    for asked, answer in others:
        outcome = said.uncertain if answer else said.not_found
        left.append(said.gap(outcome, asked.rstrip("?")))
    if direct.kind is DirectKind.SENTENCE:
        text = " ".join((direct.text, *(f"{each}." for each in left)))
    else:
        text = "; ".join((direct.text, *(f"{each[:1].lower()}{each[1:]}" for each in left)))
    sure = min(direct.confidence, UNSURE)
    return direct.model_copy(update={"text": text, "confidence": sure})


def _said_once(texts: Iterable[str]) -> list[str]:
    """Return ``texts``, each once, but for those that another has in it."""
    each = list(dict.fromkeys(texts))
    return [text for text in each if not any(text != other and text in other for other in each)]


def ticked_by_parts(ticked: Ticked, told: Answers) -> Ticked:
    """Return ``ticked`` as the answers ``told`` to several questions leave it, if one is sure.

    A question that has no sure answer is open, whatever else was found with its words.
    """
    asked = ticked.checklist.asked
    if len(asked) != len(told) or not any(are_sure([answer]) for answer in told):
        return ticked
    judged = {item.id: _ticked(item, answer) for item, answer in zip(asked, told, strict=True)}
    items = tuple(judged.get(item.id, item) for item in ticked.checklist.items)
    left = (item for item in judged.values() if item.status is not ItemStatus.SATISFIED)
    return Ticked(Checklist(items=items), tuple(map(_gap, left)), ticked.match)


def _gap(item: Item) -> str:
    """Return in words that ``item`` is not answered."""
    said = frame()
    return said.gap(said.uncertain if item.evidence else said.not_found, item.description)


def _ticked(item: Item, answer: tuple[Sentence, ...]) -> Item:
    """Return ``item`` as far as it has an ``answer``."""
    bearing = tuple(dict.fromkeys(quote.passage for each in answer for quote in each.quotes))
    status = ItemStatus.PARTIAL if answer else ItemStatus.UNSATISFIED
    if are_sure([answer]):
        status = ItemStatus.SATISFIED
    return item.model_copy(update={"status": status, "evidence": bearing[:MAX_EVIDENCE]})


def in_part(written: Sequence[Sentence]) -> Sequence[Sentence]:
    """Return the answer ``written`` to several questions as one that does not answer all of them.

    Where none of them has a sure answer by itself, what is sure is that of one.
    """
    told = written[0].direct if written else None
    if told is None:
        return written
    direct = told.model_copy(update={"confidence": min(told.confidence, UNSURE)})
    return (written[0].model_copy(update={"direct": direct}), *written[1:])


def _joined(told: Answers) -> Direct:
    """Return the direct answers of all ``told`` as one, as sure as the least of them."""
    directs = [answer[0].direct for answer in told if answer[0].direct]
    are_short = all(each.precedes for each in directs)
    texts = [
        each.text if are_short else answer[0].text
        for answer, each in zip(told, directs, strict=True)
    ]
    return Direct(
        kind=directs[0].kind if are_short else DirectKind.SENTENCE,
        text=("; " if are_short else " ").join(_said_once(texts)),
        evidence=tuple(dict.fromkeys(chain.from_iterable(each.evidence for each in directs))),
        quotes=tuple(dict.fromkeys(chain.from_iterable(each.quotes for each in directs))),
        confidence=min(each.confidence for each in directs),
    )
