"""Which of several sources a verdict is told by, and why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pytest

from quaere.audit.auditor import Auditor
from quaere.audit.cited_text import cited_text
from quaere.audit.second_opinion import Case, Entailment, Judge
from quaere.audit.sources import AuditLimits
from quaere.domain.audit import Audit, CheckedSentence
from quaere.domain.model import ModelCall
from quaere.domain.report import CheckedBy, Ruling, Support
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.errors import ReadError
from quaere.read.chunker import PassageChunker
from quaere.reason.llm.reasoner import ModelReasoner, Models
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

PAGES = {
    "https://a.test/mill": "The mill at Orrin was built in 1788 by Tamsin Wray. It ground barley.",
    "https://a.test/dam": "The dam of Orrin was built of stone in 1790. It held until 1890.",
    "https://a.test/inn": "Barley was sold there. The mill at Orrin was built in 1788.",
}
NAMES = ("mill", "dam", "inn", "gone")
LISTED = "\n".join(f"{n}. https://a.test/{name}" for n, name in enumerate(NAMES, 1))


class Books:
    async def read(self, hit: Hit) -> Page:
        if hit.url not in PAGES:
            raise ReadError("HTTP 404", status=ReadStatus.NOT_FOUND)
        return Page(url=hit.url, title=hit.url, text=PAGES[hit.url])


async def audit(*sentences: str) -> Audit:
    text = f"{' '.join(sentences)}\n\n## Sources\n\n{LISTED}\n"
    return await Auditor(Books(), PassageChunker()).audit(cited_text(text))


async def checked(sentence: str) -> CheckedSentence:
    (only,) = (await audit(sentence)).sentences
    return only


def place(sentence: CheckedSentence, names: Sequence[str]) -> tuple[str, str]:
    """Return which of the ``names`` cited, in that order, has the words, and those words."""
    assert sentence.place
    return names[sentence.place.source - 1], sentence.place.text


@pytest.mark.parametrize("order", [("dam", "mill"), ("mill", "dam")])
async def test_the_source_that_has_a_sentence_is_told_wherever_it_is_cited(
    order: tuple[str, str],
) -> None:
    marks = "".join(f"[{NAMES.index(name) + 1}]" for name in order)
    said = await checked(f"The mill at Orrin was built in 1788 by Tamsin Wray {marks}.")
    assert (said.verdict, said.by, said.read) == (Support.QUOTED, CheckedBy.WORDS, True)
    assert place(said, order) == ("mill", "The mill at Orrin was built in 1788 by Tamsin Wray.")
    assert said.place
    assert (said.place.start, said.place.end) == (0, 51)


async def test_of_two_that_have_it_the_likelier_is_told() -> None:
    said = await checked("The mill at Orrin was built in 1788 [1][3].")
    assert place(said, ("mill", "inn")) == ("inn", "The mill at Orrin was built in 1788.")
    assert said.probability == 1.0


async def test_what_no_source_has_alone_all_may_have_together() -> None:
    both = "The mill was built in 1788 by Tamsin Wray, and the dam of stone in 1790"
    assert (await checked(f"{both} [1][2].")).verdict is Support.SUPPORTED
    for alone in ("[1]", "[2]"):
        assert not (await checked(f"{both} {alone}.")).verdict.holds


async def test_what_comes_nearest_is_told_of_a_sentence_that_no_source_has() -> None:
    said = await checked("The mill at Orrin was built in 1799 by Tamsin Wray [1].")
    assert said.verdict is Support.CONTRADICTED
    assert said.reason == "not in its sources: 1799; its source has another figure there"
    assert place(said, ("mill",))[1].startswith("The mill at Orrin was built in 1788")
    far = await checked("Whales sing in the deep blue sea [1].")
    assert (far.place, far.read) == (None, True)


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("The mill at Orrin was built in 1788 by Tamsin Wray [1][4].", "its source has it word"),
        ("It ground wheat in 1799 [1][4].", "1 of 2 sources not read (not_found: HTTP 404)"),
        ("Barges were built in the valley [4].", "not read (not_found: HTTP 404)"),
        ("The mill at Orrin was built in 1788.", "it cites nothing"),
        ("What did it grind?", "it states nothing that a source could say"),
    ],
)
async def test_why_a_sentence_is_not_supported_is_told(sentence: str, reason: str) -> None:
    said = await checked(sentence)
    assert reason in said.reason
    assert ("not read" in said.reason) is ("not read" in reason)


async def test_nobody_has_judged_what_was_compared_with_nothing() -> None:
    unread, uncited = (
        await audit("Barges were built in the valley [4].", "The mill was built by hand in 1788.")
    ).sentences
    for said in (unread, uncited):
        assert (said.verdict, said.by, said.read) == (Support.NOT_JUDGED, None, False)
        assert (said.probability, said.place) == (None, None)
    assert (await checked("What did it grind?")).by is CheckedBy.WORDS


async def test_warnings_and_calls_are_none_where_nothing_went_wrong() -> None:
    found = await audit("It ground barley [1].")
    assert (found.warnings, found.calls) == ((), ())


def shown(model: ScriptedModel) -> str:
    return model.requests[-1].messages[-1].content


async def judged(model: ScriptedModel, *sentences: str, limits: AuditLimits | None = None) -> Audit:
    text = f"{' '.join(sentences)}\n\n## Sources\n\n{LISTED}\n"
    reasoner = ModelReasoner(Models(plan=model, evaluate=model, write=model, check=model))
    auditor = Auditor(Books(), PassageChunker(), judge=Judge(reasoner))
    return await auditor.audit(cited_text(text), limits=limits or AuditLimits())


async def test_a_judge_is_shown_what_comes_nearest_to_a_claim_that_cites_nothing() -> None:
    """A question states nothing, and a sentence that cites is compared with what it cites."""
    model = ScriptedModel({"check": {"verdicts": [{"number": 1, "verdict": "supported"}]}})
    cited, uncited, question = (
        await judged(
            model,
            "It ground barley [1][2][3].",
            "The dam of Orrin, made of stone in 1790, held until the year 1890.",
            "What did it grind?",
        )
    ).sentences
    assert (cited.verdict, cited.by) == (Support.QUOTED, CheckedBy.WORDS)
    assert (uncited.verdict, uncited.by) == (Support.SUPPORTED, CheckedBy.MODEL)
    assert question.verdict is Support.NOT_A_CLAIM
    assert PAGES["https://a.test/dam"] in shown(model)
    assert "What did it grind?" not in shown(model)


async def test_a_claim_of_which_no_source_has_a_word_is_put_to_nobody() -> None:
    model = ScriptedModel({})
    cited, far = (
        await judged(model, "It ground barley [1][2][3].", "Whales sing deep below.")
    ).sentences
    assert (far.verdict, far.by) == (Support.NOT_JUDGED, None)
    assert cited.verdict is Support.QUOTED
    assert model.requests == []


class Waits:
    """Notes what it is given to answer in."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def rule(
        self, cases: Sequence[Case], *, within_s: float
    ) -> tuple[dict[int, Ruling], str]:
        assert cases
        self.seconds.append(within_s)
        return {}, ""

    def calls(self) -> tuple[ModelCall, ...]:
        return ()


@pytest.mark.parametrize(("max_time_s", "first", "last"), [(60.0, 30.0, 60.0), (0.001, 0.5, 1.0)])
async def test_those_that_are_asked_one_after_another_share_what_is_left_of_the_time(
    max_time_s: float, first: float, last: float
) -> None:
    entailment, judge = Waits(), Waits()
    auditor = Auditor(
        Books(),
        PassageChunker(),
        entailment=cast("Entailment", entailment),
        judge=cast("Judge", judge),
    )
    text = cited_text(f"It ground barley [1].\n\n## Sources\n\n{LISTED}\n")
    await auditor.audit(text, limits=AuditLimits(max_time_s=max_time_s))
    (between,), (at_last,) = entailment.seconds, judge.seconds
    assert first - 10 < between <= first
    assert last - 20 < at_last <= last
    if max_time_s < 1:
        assert (between, at_last) == (first, last), "some time each gets in any case"
