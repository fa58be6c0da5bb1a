"""Verified sentences on the fictional valley, and reports made of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hypothesis import strategies as st
from tests.verify.samples import ANYTHING, BRIDGE, FERRY, SPOOFS, TOWN, entry, passage, quote

from quaere.domain.budget import PROFILES, ProfileName
from quaere.domain.evidence import Evidence
from quaere.domain.question import Checklist
from quaere.domain.report import Checks, Degradation, Nearby, Quote, Report, Sentence, Support
from quaere.domain.source import Passage
from quaere.domain.verdict import StopReason
from quaere.synthesize.compose import Composition, Draft, is_limited
from quaere.synthesize.direct import is_incomplete
from quaere.text.inline import hide_code
from quaere.verify.quotes import quoted

MARKER = re.compile(r"\[(\d+)\]")


def markers(text: str) -> list[int]:
    """Return the numbers of the citation markers in ``text``; code has none."""
    return [int(number) for number in MARKER.findall(hide_code(text))]


HERE = passage(BRIDGE, title="Orrin Bridge", start=40)
THERE = passage(TOWN, title="Velling", url="file:///valley/velling%20town.md")
RIVER = passage(FERRY, title="Ferries of the Orrin")
PASSAGES = (HERE, THERE, RIVER)
EVIDENCE = (entry(1, HERE), entry(2, THERE), entry(3, RIVER))


def supported(text: str, *cited: tuple[int, str], item: str | None = None) -> Sentence:
    """Return a supported sentence that quotes evidence ``number`` with ``words``."""
    held = {1: HERE, 2: THERE, 3: RIVER}
    return Sentence(
        text=text,
        evidence=tuple(number for number, _ in cited),
        quotes=tuple(quote(held[number], words) for number, words in cited),
        item=item,
        support=Support.SUPPORTED,
    )


SPANS = supported("It spans 312 metres.", (1, "It spans 312 metres"))
COST = supported("It cost 2.4 million crowns.", (1, "cost 2.4 million crowns"))
TOWNSFOLK = supported("Velling has 18,450 inhabitants.", (2, "Velling has 18,450 inhabitants."))
SUNK = supported("The ferry sank in 1888.", (3, "The ferry sank in the storm of 1888"))


def report(
    composed: Composition,
    *,
    stop_reason: StopReason = StopReason.SUFFICIENT,
    gaps: tuple[str, ...] = (),
    checklist: Checklist = Checklist(),  # noqa: B008 - frozen
    degradations: tuple[Degradation, ...] = (),
    question: str = "How long is the bridge?",
) -> Report:
    """Return the report of ``composed``."""
    budget = PROFILES[ProfileName.SIMPLE]
    return Report.model_validate(
        {
            "run_id": "r1",
            "question": question,
            "answer": composed.answer,
            "status": composed.status,
            "sentences": composed.sentences,
            "citations": composed.citations,
            "checklist": checklist,
            "gaps": gaps,
            "stop_reason": stop_reason,
            "profile": ProfileName.SIMPLE,
            "budget": budget,
            "spend": {"iterations": 2, "queries": 3, "reads": 4},
            "evidence": EVIDENCE,
            "checks": Checks(written=len(composed.sentences)),
            "degradations": degradations,
        }
    )


def compose(
    sentences: Iterable[Sentence],
    evidence: Iterable[Evidence],
    passages: Iterable[Passage],
    *,
    asked: str = "",
    limited: bool = False,
    gaps: Sequence[str] | None = None,
) -> Composition:
    """Return the answer of ``sentences`` with its citations, numbered in the order of the claims.

    Args:
        sentences: Verified, in reading order.
        evidence: The pool that their ids belong to, in any order.
        passages: The text of the evidence, in any order.
        asked: The question; see ``Draft``.
        limited: Whether searching was degraded; see ``is_limited``.
        gaps: Which parts of the question stay open; None where none does. See ``is_incomplete``.
    """
    draft = Draft(evidence, passages, asked=asked)
    for sentence in sentences:
        draft.add(sentence)
    return draft.finish(limited=limited, gaps=gaps)


def reported(
    sentences: Sequence[Sentence],
    evidence: Sequence[Evidence] = EVIDENCE,
    passages: Sequence[Passage] = PASSAGES,
    *,
    stop_reason: StopReason = StopReason.SUFFICIENT,
    gaps: tuple[str, ...] = (),
    degradations: tuple[Degradation, ...] = (),
) -> Report:
    """Return the report that a run would make of ``sentences``."""
    composed = compose(
        sentences,
        evidence,
        passages,
        limited=is_limited(stop_reason, degradations),
        gaps=gaps if is_incomplete(stop_reason, Checklist(), gaps) else None,
    )
    return report(composed, stop_reason=stop_reason, gaps=gaps, degradations=degradations)


def unanswered() -> Report:
    """Return the report of a question that nothing answers, with two places to look."""
    places = (
        place_to_look("Velling", "Market › Salt", "Salt was sold by [7] `guilds` | <b>Ada</b>."),
        place_to_look("Ferries", "", "- The ferry **sank**."),
    )
    return reported([]).model_copy(update={"nearest": places})


def place_to_look(title: str, heading: str, line: str) -> Nearby:
    """Return a place in a document called ``title``."""
    path = f"/notes/{title.lower()}.md"
    return Nearby(
        title=title,
        heading=heading,
        url=f"file://{path}",
        location=f"{path}, lines 3-9",
        locator="lines 3-9",
        line=Quote(passage=title, text=line, start=40, end=40 + len(line)),
    )


TEXT = ANYTHING | SPOOFS


@st.composite
def pools(draw: st.DrawFn) -> tuple[tuple[Evidence, ...], tuple[Passage, ...]]:
    """Return evidence 1 to n on passages that are ordinary, odd or hostile, or the user's own."""
    places = st.sampled_from(["https://valley.example/a", "file:///valley/a.md"])
    texts = draw(st.lists(TEXT | st.sampled_from([BRIDGE, TOWN]), min_size=1, max_size=4))
    passages = tuple(
        passage(text, title=draw(TEXT), url=draw(places | TEXT), start=n)
        for n, text in enumerate(texts)
    )
    return tuple(entry(n, of) for n, of in enumerate(passages, start=1)), passages


@st.composite
def written(draw: st.DrawFn, passages: tuple[Passage, ...]) -> Sentence:
    """Return a sentence that quotes some of ``passages`` and may cite what does not exist."""
    chosen = draw(st.lists(st.sampled_from(range(len(passages))), max_size=3))
    quotes = [quoted(passages[n], draw(st.integers(0, 9)), 200) for n in chosen]
    ids = [n + 1 for n in chosen] + draw(st.lists(st.sampled_from([0, 4, 99]), max_size=1))
    plain = ["It spans 312 metres.", "Salt!", "「塩」は白い。"]
    held = [passage.text for passage in passages]
    return Sentence(
        text=draw(TEXT | st.sampled_from([*plain, *held])),
        evidence=tuple(ids),
        quotes=tuple(quotes),
        support=draw(st.sampled_from(Support)),
    )


@st.composite
def drafts(
    draw: st.DrawFn,
) -> tuple[list[Sentence], tuple[Evidence, ...], tuple[Passage, ...]]:
    """Return sentences with the pool that they were written on."""
    evidence, passages = draw(pools())
    return draw(st.lists(written(passages), max_size=5)), evidence, passages
