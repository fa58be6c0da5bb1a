"""What a model writes, cut into sentences with the ids they cite (R0.9)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.report import Sentence
from quaere.reason.llm.sentences import SentenceReader

KNOWN: dict[int, str | None] = {1: None, 2: "item-1", 3: "item-2", 12: None}


def read(text: str, *, size: int = 1_000_000) -> list[Sentence]:
    reader = SentenceReader(KNOWN)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return [s for piece in pieces for s in reader.feed(piece)] + list(reader.close())


def said(text: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(sentence.text, sentence.evidence) for sentence in read(text)]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("The mill burned [1].", [("The mill burned.", (1,))]),
        ("The mill burned.[1]", [("The mill burned.", (1,))]),
        ("The mill burned. [1] It was rebuilt [2].", None),
        ("It burned [1][3].", [("It burned.", (1, 3))]),
        ("It burned [1, 3; 12].", [("It burned.", (1, 3, 12))]),
        ("It burned [1-3].", [("It burned.", (1, 2, 3))]),
        ("It burned [3-1].", [("It burned.", (3, 1))]),
        ("It burned [1]–[3].", [("It burned.", (1, 2, 3))]),
        ("It burned [ 1 ].", [("It burned.", (1,))]),
        ("It burned [ 1, 2 ].", [("It burned.", (1, 2))]),
        ("It burned [2, p. 4].", [("It burned.", (2,))]),
        ("It burned [[2]]. It fell. [[1, 2]]", [("It burned.", (2,)), ("It fell.", (1, 2))]),
        ("It burned[[2]](https://a.example/b?c=1)[[1]](d).", [("It burned.", (2, 1))]),
        ("It burned [1, 3, pp. 4–6].", [("It burned.", (1, 3))]),
        ("***It burned*** [1].", [("**It burned**.", (1,))]),
        ("- [x] It burned [1].", [("It burned.", (1,))]),
        ("It burned [^2].", [("It burned.", (2,))]),
        ("It burned 【3†source】.", [("It burned.", (3,))]),
        ("It burned [2] in May [2].", [("It burned in May.", (2,))]),
    ],
)
def test_markers_in_every_common_form(
    written: str, expected: list[tuple[str, tuple[int, ...]]] | None
) -> None:
    rebuilt = [("The mill burned.", (1,)), ("It was rebuilt.", (2,))]
    assert said(written) == (expected or rebuilt)


def test_an_id_that_was_not_shown_is_never_cited_r0_9() -> None:
    assert said("It burned [99]. It stood [2][99].") == [("It burned.", ()), ("It stood.", (2,))]


def test_a_year_is_no_citation_and_a_huge_range_cites_its_ends_alone() -> None:
    assert said("It opened [1-9999].") == [("It opened.", (1,))]
    assert said("It opened [1888].") == [("It opened.", ())]


def test_a_sentence_speaks_to_the_item_that_its_evidence_answers() -> None:
    assert [s.item for s in read("Yes [1]. It burned [1][3].")] == [None, "item-2"]


def test_headings_rules_and_the_list_of_sources_are_no_sentences() -> None:
    text = (
        "# Report\n\n```markdown\n**Answer:** the *old* mill [1].\n\n---\n"
        "- It burned `twice` [2].\n"
        "1. It was sold [3].\n```\n### Sources\n[1] A page: https://example.org/a [1].\n"
    )
    assert said(text) == [
        ("**Answer:** the old mill.", (1,)),
        ("It burned `twice`.", (2,)),
        ("It was sold.", (3,)),
    ]


def test_links_images_and_markup_leave_their_words_only() -> None:
    text = (
        "See [the mill](https://evil.example/x?q=1) <img src=x> ![p](http://e.example/p) "
        "http://e.example [1]."
    )
    (sentence,) = read(text)
    assert "http" not in sentence.text
    assert "<" not in sentence.text
    assert "the mill" in sentence.text
    assert sentence.evidence == (1,)


def test_names_with_underscores_and_products_stay() -> None:
    assert said("The flag max_iters is 5*3 [1].") == [("The flag max_iters is 5*3.", (1,))]


TEXTS = [
    (
        "The mill of Odile Varga stood above the town of Hask [1]. It burned, and Mr. Oss built it "
        "anew in the U.S. style [2]. [3] Nobody knows why it was built there. 3 wheels turned."
    ),
    "The mill burned in 1861 [1]. It was rebuilt by Odile Varga [2][3]. Why?\n\nIt closed. [12] So",
    "- One [1].\n- Two [2]\n\n## Sources\n[1] x",
    "灯台は1861年に建てられた[1]。その後、再建された[2]。",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("size", [1, 2, 7, 64])
def test_the_size_of_the_pieces_makes_no_difference(text: str, size: int) -> None:
    assert read(text, size=size) == read(text)


def test_sentences_come_before_the_text_is_complete() -> None:
    reader = SentenceReader(KNOWN)
    early = list(
        reader.feed("The first sentence of all [1]. " * 2 + "A second one here [2]. And a ")
    )
    assert early
    assert early[0].evidence == (1,)


def test_a_sentence_is_given_once_the_next_one_has_words() -> None:
    """What is on one line is not waited for until a third sentence begins."""
    reader = SentenceReader(KNOWN)
    first = "The mill of Odile Varga, which stood above the town of Hask, burned in 1861"
    assert list(reader.feed(f"{first} [1]. It was ")) == []
    (sentence,) = reader.feed("rebuilt by her ")
    assert (sentence.text, sentence.evidence) == (f"{first}.", (1,))


def test_a_line_without_an_end_is_not_kept_for_ever() -> None:
    reader = SentenceReader(KNOWN)
    assert any(list(reader.feed("word " * 1_000)) for _ in range(30))


@given(st.text(alphabet="ab. [1]2\n#-*`|【】(){}<>h\t", max_size=400), st.integers(1, 40))
def test_whatever_is_written_cites_only_what_was_shown(text: str, size: int) -> None:
    for sentence in read(text, size=size):
        assert sentence.text.strip()
        assert set(sentence.evidence) <= set(KNOWN)
        assert all(a != b for a, b in pairwise(sentence.evidence))


def test_an_id_and_a_full_stop_end_a_sentence_before_a_small_letter() -> None:
    assert said("It packs files [1]. gzip cannot [2]. `cp x[0]. y` copies [3].") == [
        ("It packs files.", (1,)),
        ("gzip cannot.", (2,)),
        ("`cp x[0]. y` copies.", (3,)),
    ]


def test_what_a_model_thinks_first_is_no_part_of_its_answer() -> None:
    thoughts = "<think>\nIs it 1850? I recall [1] says 1850.\n</think>\n\n"
    assert said(f"{thoughts}The mill burned [1].") == [("The mill burned.", (1,))]
    assert said("<think>The mill burned [1].") == []
