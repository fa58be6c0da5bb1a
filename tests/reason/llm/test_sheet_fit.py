"""What a model is shown fits its context window, and stays to the letter what the page says."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.graphs.world import passage_of

from quaere.domain.evidence import Evidence, Score
from quaere.domain.source import Passage
from quaere.reason.llm.sheet import (
    FEW_CHARS,
    FRAME_TOKENS,
    OFF_TOPIC_CHARS,
    evidence_within,
    shortened_to,
    to_the_point,
)
from quaere.text.tokens import estimate_tokens

SENTENCE = "The harbour of Hask silted up in 1861 and was dug out again. "


def pool(lengths: list[int]) -> tuple[list[Evidence], dict[str, Passage]]:
    evidence: list[Evidence] = []
    passages: dict[str, Passage] = {}
    for number, length in enumerate(lengths, 1):
        text = (f"Filler stands at place {number}. " * 200)[:length] + SENTENCE
        passage = passage_of(f"Page {number}", text)
        passages[passage.id] = passage
        evidence.append(Evidence(id=number, passage=passage.id, url="", title="", score=Score()))
    return evidence, passages


def size(shown: tuple[tuple[Evidence, Passage], ...]) -> int:
    return sum(FRAME_TOKENS + estimate_tokens(p.text) for _, p in shown)


def test_what_fits_is_left_alone() -> None:
    evidence, passages = pool([300, 300])
    assert [p for _, p in evidence_within(evidence, passages, "harbour", room=10_000)] == [
        passages[e.passage] for e in evidence
    ]


def test_the_stretch_that_was_asked_for_stays_and_findings_are_cut_last() -> None:
    evidence, passages = pool([3_000, 3_000, 3_000])
    shown = evidence_within(
        evidence, passages, "When did the harbour of Hask silt up?", room=1_400, whole=[2]
    )
    assert size(shown) <= 1_400
    assert shown[1][1] == passages[evidence[1].passage]
    assert all("silted up" in passage.text for _, passage in shown)


@given(st.integers(2, 30), st.integers(0, 4_000))
def test_step_by_step_the_last_are_cut_first_and_all_keep_their_ids_r0_7_r2_7(
    count: int, spare: int
) -> None:
    evidence, passages = pool([2_000] * count)
    room = 70 * count + spare
    shown = evidence_within(evidence, passages, "harbour Hask", room=room)
    assert [e.id for e, _ in shown] == [e.id for e in evidence]
    assert size(shown) <= room
    lengths = [len(passage.text) for _, passage in shown]
    for better, worse in pairwise(lengths):
        assert better >= worse - 30, "the best are cut last, but for whole sentences"


@given(st.lists(st.integers(0, 4_000), min_size=1, max_size=12), st.integers(0, 6_000))
def test_it_fits_and_every_text_is_an_exact_stretch_of_its_page(
    lengths: list[int], room: int
) -> None:
    evidence, passages = pool(lengths)
    shown = evidence_within(evidence, passages, "harbour Hask", room=room)
    assert shown
    assert size(shown) <= room or len(shown) == 1
    assert [e.id for e, _ in shown] == [e.id for e in evidence][: len(shown)]
    for entry, passage in shown:
        whole = passages[entry.passage]
        start = passage.start - whole.start
        assert whole.text[start : start + len(passage.text)] == passage.text
        assert passage.end - passage.start == len(passage.text)


def test_evidence_without_its_text_is_left_out() -> None:
    evidence, _ = pool([10])
    assert evidence_within(evidence, {}, "x", room=100) == ()


def test_a_long_question_keeps_both_its_ends() -> None:
    text = "Begin. " + "middle " * 4_000 + "End?"
    short = shortened_to(text, 200)
    assert short.startswith("Begin.")
    assert short.endswith("End?")
    assert estimate_tokens(short) <= 260
    assert shortened_to("short?", 200) == "short?"


HARBOUR = "The harbour of Hask silted up in 1861."
MILL = "A mill with two wheels was built of oak. " * 20
ASKED = "When did the harbour silt up?"


def shown(text: str, *others: str, asked: str = ASKED, title: str = "Hask") -> str:
    """What is shown of a page with ``text``, among ``others``, the first of which is long."""
    others = tuple(each + "-" * FEW_CHARS for each in others or (" ",))
    pages = [passage_of(title, text), *(passage_of(f"P{n}", each) for n, each in enumerate(others))]
    found = to_the_point({page.id: page for page in pages}, asked)
    return found[pages[0].id].text


def test_paragraphs_about_something_else_are_left_out_at_both_ends() -> None:
    between = f"{HARBOUR}\n\nNobody knew why.\n\nThe harbour was dug out."
    assert shown(f"{MILL}\n\n{between}\n\n## Mills\n\n{MILL}") == between


def test_a_paragraph_that_names_the_page_stays_and_so_does_its_heading() -> None:
    text = "## Early years\n\nHask was a village."
    assert shown(f"## Mills\n\n{MILL}\n\n{text}", HARBOUR) == text


def test_a_passage_of_which_nothing_is_to_the_point_is_shortened() -> None:
    left = shown(f"{MILL}\n\n{MILL}", HARBOUR)
    assert 0 < len(left) <= OFF_TOPIC_CHARS


def test_a_page_that_is_what_is_asked_about_is_shown_whole_though_it_does_not_name_it() -> None:
    text = f"{MILL}\n\n## Mills\n\n{MILL}\n\nOn 6 April the council was made."
    assert shown(text, HARBOUR, title="The harbour") == text
    assert len(shown(text, HARBOUR, title="Harbour of Hask")) <= OFF_TOPIC_CHARS


def test_the_title_at_the_head_of_a_page_is_no_reason_to_show_its_navigation_alone() -> None:
    text = f"# The Harbour\n\nHome | About\n\n## Mills\n\n{MILL}\n\nOn 6 April it was made."
    assert shown(text, HARBOUR, title="The harbour") == text


def test_a_heading_that_is_to_the_point_keeps_what_stands_under_it() -> None:
    text = f"## Did the harbour silt up?\n\nIn 1861.\n\n{MILL}"
    assert shown(f"{MILL}\n\n{text}", HARBOUR) == text


def test_few_passages_are_shown_whole() -> None:
    page = passage_of("Hask", f"{HARBOUR}\n\n## Article 8\n\n{MILL}")
    assert to_the_point({page.id: page}, ASKED) == {page.id: page}


def test_one_paragraph_is_shown_as_it_is() -> None:
    assert shown(MILL, HARBOUR) == MILL


def test_where_words_tell_nothing_all_is_shown() -> None:
    """The question is in another language than the pages."""
    text = f"{HARBOUR}\n\n{MILL}"
    assert shown(text, MILL, asked="Wann verlandete der Hafen?") == text


def test_a_table_keeps_its_rows() -> None:
    table = passage_of("Hask", f"| mill | 2 |\n\n{HARBOUR}").model_copy(
        update={"table_head": "| what | count |"}
    )
    assert to_the_point({table.id: table}, ASKED) == {table.id: table}


@given(st.lists(st.sampled_from([HARBOUR, MILL, "# Hask", "", " "]), max_size=8))
def test_what_is_to_the_point_is_an_exact_stretch_and_holds_each_paragraph_that_is(
    paragraphs: list[str],
) -> None:
    text = "\n\n".join(paragraphs)
    page, long = passage_of("Hask", text), passage_of("P", f"{HARBOUR} {'-' * FEW_CHARS}")
    left = to_the_point({page.id: page, long.id: long}, ASKED)[page.id]
    assert text[left.start : left.end] == left.text
    assert left.text.count(HARBOUR) == text.count(HARBOUR)
