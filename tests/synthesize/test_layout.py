"""The form of an answer changes where its sentences stand, and nothing that they say or cite."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.synthesize.drafts import COST, EVIDENCE, PASSAGES, SPANS, SUNK, TOWNSFOLK

from quaere.domain.question import AnswerForm, Checklist, Item
from quaere.domain.report import Direct, DirectKind, Opens, Sentence
from quaere.synthesize.compose import INCOMPLETE, LIMITED, NO_EVIDENCE, Draft
from quaere.synthesize.layout import Layout

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
    assert said == " ".join([LIMITED, *TEXTS, INCOMPLETE])


def test_a_report_has_a_paragraph_for_each_part() -> None:
    assert answer(AnswerForm.REPORT) == f"{TEXTS[0]}\n\n{TEXTS[1]} {TEXTS[2]}\n\n{TEXTS[3]}"


def test_a_list_has_one_sentence_an_item() -> None:
    listed = "\n".join(f"- {text}" for text in TEXTS)
    assert answer(AnswerForm.LIST, limited=True) == f"{LIMITED}\n\n{listed}"


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
    assert html.rstrip().endswith(f"<p>{INCOMPLETE}</p>")


@pytest.mark.parametrize("form", list(AnswerForm))
def test_nothing_found_is_said_in_every_form(form: AnswerForm) -> None:
    composed = Draft(EVIDENCE, PASSAGES).finish(layout=Layout(form, CHECKLIST))
    assert composed.answer == NO_EVIDENCE


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
