"""Which sentences an answer contains, in which order, and how they are laid out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.synthesize.drafts import COST, EVIDENCE, PASSAGES, SPANS, SUNK, TOWNSFOLK
from tests.verify.samples import ANYTHING

from quaere.domain.question import AnswerForm, Checklist, Item
from quaere.domain.report import Direct, DirectKind, Opens, Sentence, Support
from quaere.synthesize.compose import Draft
from quaere.synthesize.layout import Layout, Room, first_words, outline, word_count
from quaere.text.languages.language import ENGLISH_FRAME

CHECKLIST = Checklist(
    items=(Item(id="town", description="The town | its people"), Item(id="bridge", description="x"))
)
ABOUT = {
    TOWNSFOLK.text: "town",
    SPANS.text: "bridge",
    COST.text: "bridge",
}
SENTENCES = [
    each.model_copy(update={"item": ABOUT.get(each.text)})
    for each in (TOWNSFOLK, SPANS, COST, SUNK)
]
TEXTS = (
    "Velling has 18,450 inhabitants [1].",
    "It spans 312 metres [2].",
    "It cost 2.4 million crowns [2].",
    "The ferry sank in 1888 [3].",
)


def answer(form: AnswerForm | None, *, limited: bool = False, incomplete: bool = False) -> str:
    draft = Draft(EVIDENCE, PASSAGES)
    for sentence in SENTENCES:
        draft.add(sentence)
    layout = Layout(form, CHECKLIST)
    return draft.finish(limited=limited, gaps=() if incomplete else None, layout=layout).answer


@pytest.mark.parametrize("form", [None, AnswerForm.SHORT])
def test_without_a_form_an_answer_is_one_paragraph(form: AnswerForm | None) -> None:
    assert answer(form) == " ".join(TEXTS)
    said = answer(form, limited=True, incomplete=True)
    assert said == " ".join([ENGLISH_FRAME.limited, *TEXTS, ENGLISH_FRAME.incomplete])


def test_a_report_has_a_paragraph_for_each_part() -> None:
    assert answer(AnswerForm.REPORT) == f"{TEXTS[0]}\n\n{TEXTS[1]} {TEXTS[2]}\n\n{TEXTS[3]}"


def test_a_list_has_one_sentence_an_item() -> None:
    listed = "\n".join(f"- {text}" for text in TEXTS)
    assert answer(AnswerForm.LIST, limited=True) == f"{ENGLISH_FRAME.limited}\n\n{listed}"


@pytest.mark.parametrize(
    ("form", "opens", "shown"),
    [
        (None, None, "18,450 [1]. {}"),
        (None, Opens.PARAGRAPH, "18,450 [1]. {}"),
        (AnswerForm.REPORT, None, "18,450 [1]. {}"),
        (AnswerForm.LIST, None, "18,450 [1].\n\n- {}"),
        (AnswerForm.LIST, Opens.NUMBERED, "18,450 [1].\n\n1. {}"),
        (None, Opens.ITEM, "18,450 [1].\n\n- {}"),
        (None, Opens.NUMBERED, "18,450 [1].\n\n1. {}"),
        (
            AnswerForm.TABLE,
            None,
            "18,450 [1].\n\n| Part | Finding |\n| --- | --- |\n| The town \\| its people | {} |",
        ),
    ],
)
def test_a_direct_answer_stands_before_a_list_and_not_in_its_first_item(
    form: AnswerForm | None, opens: Opens | None, shown: str
) -> None:
    direct = Direct(
        kind=DirectKind.NUMBER,
        text="18,450",
        evidence=SENTENCES[0].evidence,
        quotes=SENTENCES[0].quotes,
        confidence=0.9,
    )
    draft = Draft(EVIDENCE, PASSAGES)
    draft.add(SENTENCES[0].model_copy(update={"direct": direct, "opens": opens}))
    said = draft.finish(layout=Layout(form, CHECKLIST)).answer
    assert said == shown.format(TEXTS[0])


def test_a_table_has_one_sentence_a_row_beside_the_part_it_answers() -> None:
    shown = answer(AnswerForm.TABLE, incomplete=True)
    html = MarkdownIt().enable("table").render(shown)
    assert html.count("<tr>") == 1 + len(TEXTS)
    assert "<td>The town | its people</td>\n<td>Velling has 18,450 inhabitants [1].</td>" in html
    assert "<td></td>\n<td>The ferry sank in 1888 [3].</td>" in html
    assert html.rstrip().endswith(f"<p>{ENGLISH_FRAME.incomplete}</p>")


@pytest.mark.parametrize("form", list(AnswerForm))
def test_nothing_found_is_said_in_every_form(form: AnswerForm) -> None:
    composed = Draft(EVIDENCE, PASSAGES).finish(layout=Layout(form, CHECKLIST))
    assert composed.answer == ENGLISH_FRAME.nothing


OPENED = st.lists(st.sampled_from([None, *Opens]), min_size=4, max_size=4)


@given(st.sampled_from([None, *AnswerForm]), OPENED, st.booleans(), st.booleans(), st.booleans())
def test_what_the_sentences_append_is_the_answer_in_every_form(
    form: AnswerForm | None, opens: list[Opens | None], limited: bool, led: bool, incomplete: bool
) -> None:
    draft = Draft(EVIDENCE, PASSAGES)
    direct = Direct(
        kind=DirectKind.NUMBER,
        text="18,450",
        evidence=TOWNSFOLK.evidence,
        quotes=TOWNSFOLK.quotes,
        confidence=0.9,
    )
    for place, (sentence, opening) in enumerate(zip(SENTENCES, opens, strict=True)):
        told = {"opens": opening, "direct": direct if led and not place else None}
        draft.add(sentence.model_copy(update=told))
    layout = Layout(form, CHECKLIST)
    gaps = () if incomplete else None
    composed = draft.finish(limited=limited, gaps=gaps, layout=layout)
    assert "".join(each.appended for each in composed.written) == composed.answer
    for each in composed.written:
        words = each.sentence.text.removesuffix(".").replace("|", "\\|")
        assert words in each.appended, "each sentence comes with its own words"


@given(
    st.lists(st.text(alphabet="ab |\n", min_size=1, max_size=8), min_size=1, max_size=5),
    st.text(alphabet="cd |\n", max_size=8),
)
def test_no_text_can_break_out_of_its_cell(texts: list[str], part: str) -> None:
    checklist = Checklist(items=(Item(id="part", description=f"x{part}x"),))
    sentences = [Sentence(text=text, item="part") for text in texts]
    body = Layout(AnswerForm.TABLE, checklist).body(sentences, [f"t{text}t" for text in texts])
    html = MarkdownIt().enable("table").render("".join(body))
    assert html.count("<td>") == 2 * len(texts)
    assert html.count("<tr>") == 1 + len(texts)


def test_a_numbered_list_goes_on_after_the_items_of_one_of_its_own() -> None:
    kinds = (
        Opens.NUMBERED,
        Opens.ITEM,
        Opens.ITEM,
        Opens.NUMBERED,
        Opens.PARAGRAPH,
        Opens.NUMBERED,
    )
    said = [Sentence(text=str(kind), opens=kind) for kind in kinds]
    body = "".join(Layout(None, Checklist()).body(said, list("abcdef")))
    assert body == "1. a\n\n- b\n- c\n\n2. d\n\ne\n\n1. f"


TWO_ITEMS = Checklist(
    items=(Item(id="when", description="When"), Item(id="who", description="Who"))
)


def said(
    text: str, *evidence: int, item: str | None = None, support: Support = Support.SUPPORTED
) -> Sentence:
    return Sentence(text=text, evidence=evidence, item=item, support=support)


def laid_out(*sentences: Sentence, max_words: int = 100, max_citations: int = 10) -> list[str]:
    chosen = outline(sentences, TWO_ITEMS, max_words=max_words, max_citations=max_citations)
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
        [doubtful, said("It opened in 1891.", 2)], TWO_ITEMS, max_words=50, max_citations=9
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


ANY_SENTENCES = st.lists(
    st.builds(
        Sentence,
        text=ANYTHING | st.sampled_from(["Salt is white.", "Iron is grey and hard.", "It is not."]),
        evidence=st.lists(st.integers(1, 6), max_size=3).map(tuple),
        item=st.sampled_from(["when", "who", "other", None]),
        support=st.sampled_from(Support),
    ),
    max_size=8,
)


@given(ANY_SENTENCES, st.integers(1, 30), st.integers(1, 4))
def test_an_outline_keeps_its_limits(
    sentences: list[Sentence], max_words: int, max_citations: int
) -> None:
    chosen = outline(sentences, TWO_ITEMS, max_words=max_words, max_citations=max_citations)
    assert bool(chosen) == bool(sentences)
    assert all(sentence in sentences for sentence in chosen)
    if len(chosen) > 1:
        assert sum(word_count(sentence.text) for sentence in chosen) <= max_words
        assert len({number for sentence in chosen for number in sentence.evidence}) <= max_citations
