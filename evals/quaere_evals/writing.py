"""Whether a true sentence is told from its false twin, by words alone and with a model's check.

The pairs are of our own writing. A file holds documents, ``= name`` and a line of text, where a
backslash and an "n" break the line, each with pairs below it: kind, true sentence, false twin, with
tabs between them. The second file has other documents than the first; constants are chosen on the
first alone. The third, in three languages, was written before the rules for roles, rows and
exceptions, and is looked at as a whole only. The fourth and the fifth, in the same languages and of
many kinds of text, were written before the rules for causes and rates; again constants are chosen
on the former alone. The sixth holds ways of denying, on which the rules for contradictions were
written. The seventh and the eighth, in other documents of ten kinds of error, were written before
the rules for the order of pairs; the eighth is kept back, and of both the totals alone were looked
at then. The ninth and the tenth, over sixteen more documents and fifteen kinds of error, were
written before the rules for who did something, for verbs that a source has no word for, and for
what is taken from another statement; those rules were written on the ninth. Of the tenth the totals
alone were looked at, before and after; its author wrote the rules as well, so that it is not blind.
So it is with the eleventh and the twelfth, over twelve documents of other kinds (rules of hygiene,
of games and of a pool, a protocol, minutes, a timetable), which were written before the rules for
steps, for what a statement depends on and for what must be done.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quaere.domain.report import Ruling, Sentence, Support
from quaere.domain.source import Passage, passage_id
from quaere.verify.repair import Outcome, verify_sentence
from quaere.verify.second_opinion import apply_rulings
from quaere_evals.datasets import DataError

HALVES: Final = ("first", "second")
PARTS: Final = (
    *HALVES,
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
)
WRONG: Final = 0.05
"""Share of its verdicts in which the oracle errs."""
SEED: Final = 14


@dataclass(frozen=True, slots=True)
class Twins:
    """A sentence that its document says, and one like it that the document does not say."""

    kind: str
    document: str
    true: str
    false: str


def read_twins(path: Path) -> tuple[Twins, ...]:
    """Return the pairs of the file at ``path``.

    Raises:
        DataError: when there is no such file, or a line of it cannot be read.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        raise DataError(f"There is no file of pairs at {path}.") from None
    return tuple(_twins(path, lines))


def _twins(path: Path, lines: Sequence[str]) -> Iterator[Twins]:
    document, awaited = "", False
    for number, line in enumerate(lines, 1):
        if line.startswith("= "):
            awaited = True
        elif awaited:
            document, awaited = line.replace("\\n", "\n"), False
        else:
            parts = line.split("\t")
            if len(parts) != 3 or not document:
                raise DataError(f"{path}, line {number}: not a kind and two sentences.")
            yield Twins(parts[0], document, parts[1], parts[2])


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcomes for a pair."""

    twins: Twins
    true: Outcome
    false: Outcome


def measured(pairs: Sequence[Twins]) -> dict[str, Mapping[str, float]]:
    """Return the figures by words alone, those with the oracle, and those by words of each kind."""
    oracle = random.Random(SEED)  # noqa: S311 - nothing secret
    words = [
        Judged(each, _outcome(each.true, each.document), _outcome(each.false, each.document))
        for each in pairs
    ]
    ruled = [
        Judged(
            each.twins,
            _ruled(each.true, oracle, true=True),
            _ruled(each.false, oracle, true=False),
        )
        for each in words
    ]
    kinds = dict.fromkeys(each.kind for each in pairs)
    return {
        "words": _figures(words),
        "oracle": _figures(ruled),
        **{kind: _figures([each for each in words if each.twins.kind == kind]) for kind in kinds},
    }


def _outcome(text: str, document: str) -> Outcome:
    address = "https://pairs.example/"
    passage = Passage(
        id=passage_id(address, 0, document),
        url=address,
        title="",
        text=document,
        start=0,
        end=len(document),
        locator="",
        content_hash="",
        retrieved_at="",
    )
    return verify_sentence(Sentence(text=text, evidence=(1,)), {1: passage})


def _ruled(outcome: Outcome, oracle: random.Random, *, true: bool) -> Outcome:
    """Return ``outcome`` as the oracle leaves it, which knows the label and errs now and then."""
    right = (oracle.random() >= WRONG) is true
    ruling = Support.SUPPORTED if right else Support.NOT_JUDGED
    return apply_rulings([outcome], {0: Ruling(support=ruling)})[0]


def _figures(judged: Sequence[Judged]) -> dict[str, float]:
    """Return shares of ``judged``, 0 to 1, and their number."""
    true = [_support(each.true) for each in judged]
    false = [_support(each.false) for each in judged]
    n = len(judged)
    return {
        "n": n,
        "true_supported": sum(map(_holds, true)) / n,
        "true_not_contradicted": 1 - sum(_is_contradicted(each.true) for each in judged) / n,
        "true_kept": 1 - true.count(None) / n,
        "false_withheld": 1 - sum(map(_holds, false)) / n,
        "ordered": sum(_lead(each) > 0 for each in judged) / n,
        "not_reversed": 1 - sum(_lead(each) < 0 for each in judged) / n,
        "false_contradicted": sum(_is_contradicted(each.false) for each in judged) / n,
    }


def _lead(judged: Judged) -> float:
    """Return how much likelier the true sentence is than its false twin, by words."""
    return _likely(judged.true) - _likely(judged.false)


def _likely(outcome: Outcome) -> float:
    return (outcome.finding.probability if outcome.finding else None) or 0.0


def _support(outcome: Outcome) -> Support | None:
    """Return the verdict that a reader sees; None where the sentence is taken out."""
    return outcome.sentence.support if outcome.sentence else None


def _holds(support: Support | None) -> bool:
    return support is not None and support.holds


def _is_contradicted(outcome: Outcome) -> bool:
    return outcome.finding is not None and outcome.finding.support is Support.CONTRADICTED
