"""All that is known of the evidence put together: its scores, origins, agreements (R3.5, R4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graphs.world import DOCUMENTS, HOP, passage_of, url_of

from quaere.domain.evidence import NEUTRAL, Evidence, SiteKind
from quaere.domain.question import Checklist, Item
from quaere.domain.source import Passage
from quaere.evidence.appraise import Appraisal, appraise
from quaere.evidence.pool import add_passages, rescore
from quaere.evidence.score import rank
from quaere.evidence.weights import RETRACTED, weigh

FOUNDED = "When was the Quill Observatory founded?"
NOW = "What is the latest on the Quill Observatory?"
SITES = [
    "https://www.epa.gov/quill",
    "https://x.com/quill",
    "https://quill.example/about",
    "https://doi.org/10.5555/quill.1",
    "file:///shelf/quill.md",
]
TEXTS = [
    *DOCUMENTS.values(),
    "The Quill Observatory was founded in 1904.",
    "It was founded in 1902 by Odile Varga.",
    "",
]
PASSAGES = st.lists(
    st.builds(
        passage_of,
        st.sampled_from(["Quill Observatory", "Retracted: Quill Observatory", "Hask"]),
        st.sampled_from(TEXTS),
        st.sampled_from(SITES),
    ),
    max_size=8,
).map(lambda found: list({passage.id: passage for passage in found}.values()))


def appraised(
    question: str, passages: Sequence[Passage], checklist: Checklist | None = None
) -> Appraisal:
    ranking = rank(question, passages, None)
    pool = rescore(add_passages((), passages, iteration=0), ranking.scores, ranking.parents)
    held = {passage.id: passage for passage in passages}
    return appraise(question, checklist or Checklist(), pool, held, ranking.order)


def by_url(found: Appraisal) -> dict[str, Evidence]:
    return {evidence.url: evidence for evidence in found.evidence}


def quill(url: str, text: str = "The Quill Observatory was founded in 1902.") -> Passage:
    return passage_of("Quill Observatory", text, url)


def dated(passage: Passage, published: str, retrieved_at: str = "2026-06-15") -> Passage:
    return passage.model_copy(update={"published": published, "retrieved_at": retrieved_at})


@given(PASSAGES, st.sampled_from([FOUNDED, NOW, HOP, ""]))
def test_every_part_is_a_share_and_relevance_stays_as_it_was(
    passages: list[Passage], question: str
) -> None:
    ranking = rank(question, passages, None)
    found = appraised(question, passages)
    assert set(found.order) == set(ranking.order)
    assert len(found.order) == len(ranking.order)
    assert found.origins == len({evidence.origin for evidence in found.evidence})
    for evidence in found.evidence:
        score = evidence.score
        assert score.total == ranking.scores[evidence.passage].total
        parts = (score.quality, score.recency, score.completeness)
        assert all(0 <= part <= 1 for part in (*parts, score.corroboration, score.contradiction))
        in_folder = evidence.site is SiteKind.FOLDER
        assert score.weighed == (score.total if in_folder else weigh(score))
        assert evidence.origin is not None
        assert evidence.origin <= evidence.id


@given(PASSAGES, st.randoms(use_true_random=False))
def test_appraising_depends_on_no_order_and_twice_changes_nothing(
    passages: list[Passage], random: Random
) -> None:
    held = {passage.id: passage for passage in passages}
    once = appraised(FOUNDED, passages)
    shuffled = random.sample(once.evidence, len(once.evidence))
    again = appraise(FOUNDED, Checklist(), shuffled, held)
    assert set(again.evidence) == set(once.evidence)
    assert again.agreements == once.agreements
    assert again.conflicts == once.conflicts


def test_a_folder_is_ordered_by_relevance_alone() -> None:
    passages = [
        passage_of(title, text, f"file:///shelf/{title}.md") for title, text in DOCUMENTS.items()
    ]
    found = appraised(HOP, passages)
    assert found.order == rank(HOP, passages, None).order
    for evidence in found.evidence:
        assert evidence.site is SiteKind.FOLDER
        assert (evidence.score.quality, evidence.score.recency) == (NEUTRAL, NEUTRAL)
        assert evidence.score.weighed == evidence.score.total


def test_of_two_that_say_the_same_the_official_one_stands_first() -> None:
    official, chat = quill(SITES[0]), quill(SITES[1])
    found = appraised(FOUNDED, [chat, official])
    assert found.order[0] == official.id
    assert by_url(found)[SITES[0]].site is SiteKind.GOVERNMENT
    assert by_url(found)[SITES[0]].remarks == ("an official site",)


def test_where_the_latest_is_asked_for_the_newer_source_stands_first() -> None:
    new, old = dated(quill(url_of("new")), "2026-06-01"), dated(quill(url_of("old")), "2011")
    for pool in ([new, old], [old, new]):
        assert appraised(NOW, pool).order == (new.id, old.id)
    undated = by_url(appraised(NOW, [quill(url_of("new"))]))
    assert undated[url_of("new")].score.recency == NEUTRAL


def test_a_paper_that_its_index_says_is_retracted_is_so_on_every_site() -> None:
    title = "Slow colonisation of quarried sandstone by crustose lichens"
    index = passage_of(f"Retracted: {title}", "Lichens.", "https://pubmed.ncbi.nlm.nih.gov/12/")
    press = passage_of(title, "Thalli grow.", "https://www.nature.com/articles/12")
    found = by_url(appraised("How do lichens grow?", [index, press]))
    assert {evidence.score.quality for evidence in found.values()} == {RETRACTED}


def test_nobody_can_retract_the_paper_of_another() -> None:
    title = "Slow colonisation of quarried sandstone by crustose lichens"
    rival = passage_of(f"Retracted: {title}", "Ha.", "https://rival.example/10.5555/lichen.12")
    press = passage_of(title, "Thalli grow.", "https://doi.org/10.5555/lichen.12")
    found = by_url(appraised("How do lichens grow?", [rival, press]))
    assert found[press.url].score.quality > NEUTRAL
    assert found[rival.url].score.quality == RETRACTED


def test_copies_corroborate_nothing_and_others_do() -> None:
    first = quill("https://a.example/1", "It was founded in 1902 by Odile Varga.")
    reprint = quill("https://b.example/1", "It was founded in 1902 by Odile Varga.")
    copied = appraised(FOUNDED, [first, reprint])
    assert copied.origins == 1
    assert {e.score.corroboration for e in copied.evidence} == {0.0}
    assert {e.origin for e in copied.evidence} == {1}
    own = quill("https://b.example/1", "The observatory was founded by Odile Varga, her first.")
    told = appraised(FOUNDED, [first, own])
    assert told.origins == 2
    assert {e.score.corroboration for e in told.evidence} == {0.5}


def test_two_signs_of_spam_make_no_witness() -> None:
    first = quill("https://a.example/1", "It was founded in 1902 by Odile Varga.")
    farm = quill("https://cheap-quill-tickets-now.click/1", "Odile Varga founded the observatory.")
    found = by_url(appraised(FOUNDED, [first, farm]))
    assert found[first.url].score.corroboration == 0.0
    assert found[farm.url].score.corroboration == 0.5


def test_a_contradiction_is_told_under_its_item_and_costs_both_something() -> None:
    item = Item(id="founded", description="The year", terms=("observatory", "founded"))
    one, other = quill(url_of("a")), quill(url_of("b"), TEXTS[-3])
    found = appraised(FOUNDED, [one, other], Checklist(items=(item,)))
    (conflict,) = found.conflicts
    (agreement,) = found.agreements
    assert (conflict.item, conflict.left, conflict.right) == ("founded", 1, 2)
    assert (agreement.supports, agreement.contradicts) == ((1,), (2,))
    assert all(evidence.score.contradiction == 0.5 for evidence in found.evidence)


def test_completeness_is_of_the_checklist() -> None:
    items = (
        Item(id="a", description="Founding", terms=("founded",)),
        Item(id="b", description="Domes", terms=("domes",)),
    )
    (evidence,) = appraised(FOUNDED, [quill(url_of("a"))], Checklist(items=items)).evidence
    assert evidence.score.completeness == pytest.approx(0.5)


def test_nothing_is_appraised() -> None:
    found = appraise(FOUNDED, Checklist(), (), {})
    assert (found.evidence, found.order, found.conflicts, found.origins) == ((), (), (), 0)


@pytest.mark.parametrize(
    ("question", "first"),
    [("Where is the Quill Observatory?", "quill.md"), (FOUNDED, "ChangeLog")],
)
def test_a_local_file_of_changes_stands_behind_a_manual_unless_it_is_asked_for(
    question: str, first: str
) -> None:
    text = "The Quill Observatory is on Mount Sorrel, founded in 1902."
    held = [quill(f"file:///shelf/{name}", text) for name in ("ChangeLog", "quill.md")]
    found = appraised(question, held)
    url = {passage.id: passage.url for passage in held}
    assert url[found.order[0]] == f"file:///shelf/{first}"
