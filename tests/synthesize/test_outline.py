from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verify.samples import ANYTHING

from quaere.domain.question import Checklist, Item
from quaere.domain.report import Sentence, Support
from quaere.synthesize.outline import Room, first_words, outline, word_count

CHECKLIST = Checklist(
    items=(Item(id="when", description="When"), Item(id="who", description="Who"))
)


def said(
    text: str, *evidence: int, item: str | None = None, support: Support = Support.SUPPORTED
) -> Sentence:
    return Sentence(text=text, evidence=evidence, item=item, support=support)


def laid_out(*sentences: Sentence, max_words: int = 100, max_citations: int = 10) -> list[str]:
    chosen = outline(sentences, CHECKLIST, max_words=max_words, max_citations=max_citations)
    return [sentence.text for sentence in chosen]


def test_sentences_follow_the_checklist_and_keep_their_order_within_an_item() -> None:
    assert laid_out(
        said("Tellin built it.", 1, item="who"),
        said("Vance paid for it.", 2, item="who"),
        said("It opened in 1891.", 3, item="when"),
        said("Crowds came by boat.", 4, item="when"),
    ) == ["It opened in 1891.", "Crowds came by boat.", "Tellin built it.", "Vance paid for it."]


def test_a_sentence_of_no_item_stays_with_the_one_before_it() -> None:
    assert laid_out(
        said("Bridges are old.", 5),
        said("Tellin built it.", 1, item="who"),
        said("She was young.", 2),
        said("It opened in 1891.", 3, item="when"),
    ) == ["Bridges are old.", "It opened in 1891.", "Tellin built it.", "She was young."]


def test_what_was_said_is_not_said_again() -> None:
    assert laid_out(
        said("The old bridge was opened in May 1891 by Tellin.", 1),
        said("The bridge was opened in May 1891 by Tellin.", 2),
        said("The old bridge was opened by Tellin in May, 1891!", 3),
        said("The old bridge was not opened in May 1891 by Tellin.", 4),
        said("The old bridge was opened in May 1892 by Tellin.", 5),
    ) == [
        "The old bridge was opened in May 1891 by Tellin.",
        "The old bridge was not opened in May 1891 by Tellin.",
        "The old bridge was opened in May 1892 by Tellin.",
    ]


@pytest.mark.parametrize("support", [Support.PARTLY, Support.NOT_JUDGED, Support.CONTRADICTED])
def test_what_is_in_doubt_goes_first_when_room_is_short(support: Support) -> None:
    doubtful = said("Vance paid for all of it.", 2, item="when", support=support)
    sure = said("It opened in May 1891.", 3, item="who")
    assert laid_out(doubtful, sure, max_words=6) == ["It opened in May 1891."]


def test_a_denial_does_not_say_what_it_denies() -> None:
    denied = said("The bridge was not opened by the Duke.", 1)
    affirmed = said("The bridge was opened by the Duke.", 2)
    assert laid_out(denied, affirmed) == [denied.text, affirmed.text]


def test_of_two_alike_the_supported_one_stays() -> None:
    doubtful = said("It opened in 1891.", 1, support=Support.NOT_JUDGED)
    assert outline(
        [doubtful, said("It opened in 1891.", 2)], CHECKLIST, max_words=50, max_citations=9
    ) == (said("It opened in 1891.", 2),)


def test_r3_5_every_item_keeps_its_first_sentence_when_words_are_short() -> None:
    assert laid_out(
        said("It opened in the year 1891.", 1, item="when"),
        said("The opening took place on a Monday.", 2, item="when"),
        said("Maude Tellin was its engineer.", 3, item="who"),
        max_words=12,
    ) == ["It opened in the year 1891.", "Maude Tellin was its engineer."]


def test_a_sentence_too_long_is_left_out_and_a_shorter_one_after_it_stays() -> None:
    assert laid_out(
        said("One two three four.", 1),
        said("Apples and pears and plums and cherries and quinces.", 2),
        said("Salt is white.", 3),
        max_words=8,
    ) == ["One two three four.", "Salt is white."]


def test_citations_are_capped() -> None:
    assert laid_out(
        said("Salt is white.", 1, 2),
        said("Iron is grey.", 3),
        said("Gold glitters much.", 2),
        max_citations=2,
    ) == ["Salt is white.", "Gold glitters much."]


def test_one_sentence_stays_whatever_the_limits() -> None:
    assert laid_out(said("One two three four.", 1, 2, 3), max_words=1, max_citations=1)
    assert laid_out() == []


def test_room_tells_sentence_by_sentence() -> None:
    room = Room(max_words=6, max_citations=9)
    assert room.takes(said("Salt is white.", 1))
    assert not room.takes(said("Salt is white.", 2))
    assert not room.takes(said("Iron is grey and heavy.", 2))
    assert room.takes(said("Iron is grey.", 2))


def test_words_are_counted_by_spaces_and_by_characters_where_there_are_none() -> None:
    assert word_count("One two\nthree [1].") == 4
    assert word_count("盐是白的。") == 5
    assert first_words("盐是白的。", 2) == "盐是"
    assert first_words("One two  three", 2) == "One two"
    assert first_words("One", 0) == ""


@given(ANYTHING, st.integers(0, 9))
def test_no_text_counts_less_than_its_parts_between_spaces(text: str, count: int) -> None:
    assert word_count(text) >= len(text.split())
    assert word_count(first_words(text, count)) == min(count, word_count(text))


SENTENCES = st.lists(
    st.builds(
        Sentence,
        text=ANYTHING | st.sampled_from(["Salt is white.", "Iron is grey and hard.", "It is not."]),
        evidence=st.lists(st.integers(1, 6), max_size=3).map(tuple),
        item=st.sampled_from(["when", "who", "other", None]),
        support=st.sampled_from(Support),
    ),
    max_size=8,
)


@given(SENTENCES, st.integers(1, 30), st.integers(1, 4))
def test_an_outline_keeps_its_limits(
    sentences: list[Sentence], max_words: int, max_citations: int
) -> None:
    chosen = outline(sentences, CHECKLIST, max_words=max_words, max_citations=max_citations)
    assert bool(chosen) == bool(sentences)
    assert all(sentence in sentences for sentence in chosen)
    if len(chosen) > 1:
        assert sum(word_count(sentence.text) for sentence in chosen) <= max_words
        assert len({number for sentence in chosen for number in sentence.evidence}) <= max_citations
