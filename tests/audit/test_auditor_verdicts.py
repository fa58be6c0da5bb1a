"""Which of several sources a verdict is told by, and why there is none."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quaere.audit.auditor import Auditor
from quaere.audit.cited_text import cited_text
from quaere.domain.audit import Audit, CheckedSentence
from quaere.domain.report import CheckedBy, Support
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.errors import ReadError
from quaere.read.chunker import PassageChunker

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
    assert said.reason == "not in what it cites: 1799; its source has another figure there"
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
