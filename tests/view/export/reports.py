"""Reports on the fictional valley, from ordinary to hostile, for the tests of their forms."""

from __future__ import annotations

from tests.synthesize.drafts import compose, report
from tests.verify.samples import BRIDGE, FERRY, TOWN, entry, passage, quote

from quaere.domain.budget import Spend
from quaere.domain.evidence import Agreement, Conflict, Difference
from quaere.domain.question import Checklist, Intent, Item, ItemStatus, Query
from quaere.domain.report import (
    Checks,
    Degradation,
    QueryOutcome,
    Report,
    RunWarning,
    Sentence,
    Step,
    Support,
)
from quaere.domain.verdict import StopReason

PERSIAN = "پل اورین در سال ۱۸۹۱ گشوده شد و هنوز هم از آن استفاده می‌شود."
JAPANESE = "オーリン橋は一八九一年に開通し、長さは三百十二メートルである。"
HOSTILE = '<script>alert(1)</script> [9] \u202e"gnp.exe & <img src=x onerror=alert(2)>'

PAGES = (
    passage(BRIDGE, title="Orrin Bridge", url="https://valley.example/orrin-bridge#history"),
    passage(TOWN, title="Velling", url="file:///valley/velling%20town.md"),
    passage(FERRY, title="Ferries of the Orrin", url="https://valley.example/ferries?id=3"),
    passage(PERSIAN, title="پل اورین", url="https://fa.valley.example/پل"),
    passage(JAPANESE, title="オーリン橋", url="https://ja.valley.example/橋"),
    passage(f"Fish is sold. {HOSTILE}", title=HOSTILE, url="javascript:alert(3)"),
)
POOL = tuple(
    entry(number, page.model_copy(update={"locator": ""}) if number in {1, 3, 4, 5} else page)
    for number, page in enumerate(PAGES, start=1)
)
PLACED = tuple(
    page.model_copy(update={"locator": ""}) if number in {1, 3, 4, 5} else page
    for number, page in enumerate(PAGES, start=1)
)

CHECKLIST = Checklist(
    items=(
        Item(id="when", description="when it was opened", status=ItemStatus.SATISFIED),
        Item(id="size", description="how long it is", status=ItemStatus.PARTIAL),
        Item(
            id="before",
            description="what was there before",
            status=ItemStatus.SATISFIED,
            evidence=(PAGES[2].id,),
        ),
        Item(id="paid", description="who paid for it", status=ItemStatus.UNSATISFIED),
    )
)


def said(
    text: str,
    *cited: tuple[int, str],
    item: str | None = None,
    support: Support = Support.SUPPORTED,
    note: str = "",
) -> Sentence:
    """Return a sentence that quotes evidence ``number`` with ``words``."""
    return Sentence(
        text=text,
        evidence=tuple(number for number, _ in cited),
        quotes=tuple(quote(PLACED[number - 1], words) for number, words in cited),
        item=item,
        support=support,
        reason=note,
    )


SENTENCES = (
    said(
        "The Orrin Bridge was opened on 4 May 1891.",
        (1, "The Orrin Bridge was opened on 4 May 1891"),
        (4, "پل اورین در سال ۱۸۹۱ گشوده شد"),
        item="when",
    ),
    said("It spans 312 metres.", (1, "It spans 312 metres"), (5, JAPANESE), item="size"),
    said(
        "It cost 2.5 million crowns.",
        (1, "cost 2.4 million crowns"),
        item="size",
        support=Support.CONTRADICTED,
        note="the source says 2.4 million",
    ),
    said(
        "Before it a ferry crossed the river, which sank in 1888.",
        (3, "Before the Orrin Bridge, a ferry carried people across."),
        (3, "The ferry sank in the storm of 1888"),
        item="before",
    ),
    said("Velling has 18,450 inhabitants.", (2, "Velling has 18,450 inhabitants."), item="before"),
    said("Fish is sold there.", (6, f"Fish is sold. {HOSTILE}"), item="before"),
)

AGREEMENTS = (
    Agreement(item="when", supports=(1, 4), origins=2),
    Agreement(item="size", supports=(1,), contradicts=(5,), origins=1),
)
CONFLICTS = (
    Conflict(
        item="size",
        left=1,
        right=5,
        what=Difference.NUMBER,
        note="“2.4 million” against “2.5 million”",
    ),
)


def valley() -> Report:
    """Return a report with everything in it that a report can hold."""
    composed = compose(SENTENCES, POOL, PLACED, gaps=())
    made = report(
        composed,
        stop_reason=StopReason.MAX_ITERATIONS,
        gaps=("who paid for it", "whether the ferry was insured"),
        checklist=CHECKLIST,
        degradations=(Degradation(step="plan", reason="the model did not answer"),),
        question="When was the Orrin Bridge opened, and how long is it?",
    )
    return made.model_copy(
        update={
            "confidence": 0.72,
            "spend": Spend(iterations=2, queries=3, reads=4, tokens=5120, cost_usd=0.0125),
            "seconds": 12.25,
            "steps": (
                Step(iteration=0, considered=8, read=4, coverage=0.4, confidence=0.3, seconds=4.0),
                Step(iteration=1, considered=14, read=6, coverage=0.6, confidence=0.72),
            ),
            "queries": (
                QueryOutcome(query=Query(text="Orrin Bridge opened"), iteration=0, hits=8, fresh=8),
                QueryOutcome(
                    query=Query(text="who paid | Orrin Bridge", intent=Intent.GAP),
                    iteration=1,
                    error="timed out",
                ),
            ),
            "evidence": POOL,
            "agreements": AGREEMENTS,
            "conflicts": CONFLICTS,
            "dispatched_topics": ("When was the Orrin Bridge opened?", "How long is it?"),
            "skipped_topics": ("What is its length?",),
            "truncated": True,
            "checks": Checks(written=8, supported=4, repaired=1, marked=1, dropped=2),
            "warnings": (
                RunWarning(kind="read", message="404", subject="https://valley.example/x"),
            ),
            "refined_question": "When was the Orrin Bridge opened, and what are its dimensions?",
            "reasoner": "extractive",
        }
    )


def long(sentences: int = 200) -> Report:
    """Return a report of so many sentences, each with a source of its own."""
    pages = tuple(
        passage(f"Shaft {n} of the mine is {n} metres deep.", title=f"Shaft {n}", start=n)
        for n in range(1, sentences + 1)
    )
    claims = tuple(
        Sentence(
            text=page.text,
            evidence=(n,),
            quotes=(quote(page, page.text),),
            support=Support.SUPPORTED,
        )
        for n, page in enumerate(pages, start=1)
    )
    pool = tuple(entry(n, page) for n, page in enumerate(pages, start=1))
    return report(compose(claims, pool, pages)).model_copy(update={"evidence": pool})
