from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reason.extractive.passages import (
    BORN,
    CHEESE,
    FOUNDER,
    LENS,
    SHELF,
    Text,
    answer,
    checklist,
    passage,
    pool,
)

from quaere.domain.question import Checklist, Question
from quaere.reason.extractive.answer import write_answer
from quaere.text.tokens import words

PRICES: Text = (
    "Prices",
    (
        "All prices.\n\n| Lens | Price in crowns | Weight |\n|---|---|---|\n"
        "| Hask No. 4 | 310 | 12 kg |\n"
        "| Brell No. 9 | 95 | |\n"
    ),
)


def test_the_first_sentence_answers_and_the_others_lead_to_it() -> None:
    """R0.9: whole sentences, each with the id of its evidence and an exact quote."""
    first, *others = answer(BORN, *SHELF)
    assert first.text.startswith("Odile Varga (3 May 1851")
    assert first.text.endswith(" She was born in Tarnholm, a fishing town.")
    assert first.item == "answer"
    assert any("founded by Odile Varga" in sentence.text for sentence in others)
    assert not any("cheese" in sentence.text.lower() for sentence in others)


def test_quotes_stand_in_the_page_where_they_say() -> None:
    read = pool(*SHELF, start=700)
    wanted = Checklist()
    for sentence in write_answer(Question(text=BORN), wanted, read, max_words=200, max_citations=9):
        (quote,) = sentence.quotes
        (number,) = sentence.evidence
        cited = next(e for e in read.evidence if e.id == number)
        text = next(p.text for p in read.passages if p.id == quote.passage)
        assert cited.passage == quote.passage
        assert text[quote.start - 700 : quote.end - 700] == quote.text
        assert " ".join(quote.text.split()) in sentence.text


def test_an_account_of_many_reasons_has_five_sentences() -> None:
    causes = ("frost", "rain", "a flood", "a strike", "bad mortar", "a storm", "old timber")
    text = " ".join(f"The weir of Brell broke because of {cause}." for cause in causes)
    assert len(answer("Why did the weir of Brell break?", ("Chronicle", text))) == 5


def test_no_evidence_gives_no_sentence() -> None:
    """R2.4."""
    assert answer(BORN) == ()
    assert answer(BORN, CHEESE, LENS) == ()
    assert answer("qwv zzkt plomf grrx", *SHELF) == ()


@pytest.mark.parametrize("title", ["Quill", "pmid35151941"])
def test_what_it_stands_for_is_said_by_the_sentence_before_and_not_by_a_title(title: str) -> None:
    text = (title, "Quill Observatory is an observatory in Brell. It was founded in 1870.")
    said = [s.text for s in answer("When was Quill Observatory founded?", text)]
    assert said == [text[1]]


def test_the_same_thing_is_said_once() -> None:
    again = ("Copy", "Quill Observatory is an observatory on Mount Sorrel.")
    said = [s.text for s in answer("What is Quill Observatory?", FOUNDER, again)]
    assert said.count("Quill Observatory is an observatory on Mount Sorrel.") == 1


def test_the_winner_of_a_comparison_comes_first() -> None:
    films = (
        ("Harbour Lights", "Harbour Lights is a film of 1934."),
        ("The Ninth Wheel", "The Ninth Wheel is a film of 1929."),
    )
    question = "Which film came out first, Harbour Lights or The Ninth Wheel?"
    said = [s.text for s in answer(question, *films)]
    assert said == ["The Ninth Wheel is a film of 1929.", "Harbour Lights is a film of 1934."]


def test_a_row_of_a_table_is_read_with_its_columns() -> None:
    said = [s.text for s in answer("What is the price of the lens Hask No. 4?", PRICES)]
    assert said[0] == "Lens: Hask No. 4; Price in crowns: 310; Weight: 12 kg"


def test_a_row_whose_head_was_cut_off_is_read_as_it_stands() -> None:
    rows = ("Prices", "| Hask No. 4 lens | 310 | 12 kg |\n| Brell No. 9 lens | 95 | 3 kg |\n")
    question = "What is the price of the lens Hask No. 4?"
    said = write_answer(
        Question(text=question),
        checklist(question),
        pool(rows, start=900),
        max_words=200,
        max_citations=10,
    )
    assert said[0].text == "Hask No. 4 lens; 310; 12 kg"


def test_a_table_that_a_page_begins_with_has_its_head_in_its_first_row() -> None:
    rows = ("Prices", "| Lens | Crowns | Weight |\n| Hask No. 4 lens | 310 | 12 kg |\n")
    said = [s.text for s in answer("What is the weight of the lens Hask No. 4?", rows)]
    assert "Weight: 12 kg" in said[0]


@pytest.mark.parametrize("limit", [12, 25, 60])
def test_the_answer_keeps_within_its_length(limit: int) -> None:
    said = answer(BORN, *SHELF, max_words=limit)
    assert said
    assert sum(len(words(quote.text)) for s in said for quote in s.quotes) <= limit


def test_a_sentence_that_is_too_long_is_cut() -> None:
    text = "Quill Observatory was founded in 1870 " + "and again " * 40
    (said,) = answer("When was Quill Observatory founded?", ("Quill", text), max_words=10)
    assert said.text == "Quill Observatory was founded in 1870 and again and again …"
    assert said.quotes[0].text == said.text.removesuffix(" …")


def test_no_more_passages_are_cited_than_allowed() -> None:
    said = answer(BORN, *SHELF, max_citations=1)
    assert {number for sentence in said for number in sentence.evidence} == {12}


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("Wer gründete die Sternwarte Quill?",
         "Die Kuppel dreht sich. Die Sternwarte Quill wurde von Odile Varga gegründet.",
         "Die Sternwarte Quill wurde von Odile Varga gegründet."),
        ("Qui a fondé l'observatoire de Quill ?",
         "Le dôme tourne. Odile Varga a fondé l'observatoire de Quill.",
         "Odile Varga a fondé l'observatoire de Quill."),
        ("Кто основал обсерваторию Квилл?",
         "Купол вращается. Обсерваторию Квилл основал Иван Варга.",
         "Обсерваторию Квилл основал Иван Варга."),
        ("奎尔天文台是谁创建的？",
         "圆顶会转动。奎尔天文台是瓦尔加创建的。",
         "奎尔天文台是瓦尔加创建的。"),
        ("من أسس مرصد كويل؟",
         "القبة تدور. أسس فارغا مرصد كويل.",
         "أسس فارغا مرصد كويل."),
    ],
)  # fmt: skip
def test_other_languages_are_answered_by_their_terms(question: str, text: str, said: str) -> None:
    sentences = answer(question, ("x", text))
    assert sentences[0].text == said


@given(st.text(min_size=1, max_size=120), st.lists(st.text(max_size=120), max_size=4))
def test_whatever_is_asked_the_quotes_are_exact(text: str, texts: list[str]) -> None:
    read = pool(*((f"t{n}", t) for n, t in enumerate([*texts, text])))
    by_id = {p.id: p.text for p in read.passages}
    asked = Question(text=text)
    first = write_answer(asked, Checklist(), read, max_words=50, max_citations=3)
    assert first == write_answer(asked, Checklist(), read, max_words=50, max_citations=3)
    for sentence in first:
        for quote in sentence.quotes:
            assert by_id[quote.passage][quote.start : quote.end] == quote.text


def test_page_offsets_count_from_the_page() -> None:
    assert passage("x", "text", 5).start == 5


SURVEY = (
    "The Quill survey asked 5,100 office workers about remote work. The median respondent worked "
    "from home two days a week.\n\nThose with a commute over an hour chose three."
)


def test_asked_for_a_finding_a_line_without_one_is_read_on_from() -> None:
    asked = "What did the Quill survey find about remote work?"
    said = [each.text for each in answer(asked, ("Quill survey 2025", SURVEY))]
    assert said[0].startswith("The Quill survey asked")
    assert said[1].startswith("The median respondent worked from home two days")


def test_asked_for_something_else_it_is_not() -> None:
    asked = "What is the Quill survey about remote work?"
    said = " ".join(each.text for each in answer(asked, ("Quill survey 2025", SURVEY)))
    assert "two days a week" not in said


_SOLD = "Lemon trees are sold at Brell for what they give:\n\n{}\n\nNobody waters them."


def test_a_line_that_leads_in_to_a_list_brings_its_items_along() -> None:
    text = _SOLD.format("- shade in summer\n- leaves for tea")
    first, *_ = answer("Why are lemon trees sold at Brell?", ("Trees", text))
    assert first.text.startswith("Lemon trees are sold at Brell for what they give: ")
    assert "shade in summer" in first.text
    assert first.text.endswith("leaves for tea")
    assert first.quotes[0].text in text


def test_a_list_is_cut_between_its_items() -> None:
    text = _SOLD.format(f"- shade in summer\n- {'leaves ' * 60}")
    first, *_ = answer("Why are lemon trees sold at Brell?", ("Trees", text))
    assert first.text.endswith("shade in summer")


def test_what_leads_in_to_nothing_that_can_be_shown_is_no_proof() -> None:
    text = "Lemon trees are sold at Brell because of their shade. Brell sells lemon trees for:\n\n"
    rows = "| Use | Price |\n|---|---|\n| tea | 3 |\n"
    said = answer("Why are lemon trees sold at Brell?", ("Trees", text + rows))
    assert said[0].text == "Lemon trees are sold at Brell because of their shade."
    assert not any(each.text.endswith(":") for each in said)


def test_of_two_proofs_the_one_that_is_read_at_a_glance_is_shown() -> None:
    """Together with the first sentence the longer one has 54 words, and leaves no room."""
    long = (
        "Odile Varga was born, as the clockmaker who had come up the river with nothing but a cart"
        " and two goats liked to tell in every tavern of the long and narrow valley, in the house"
        " of a ferryman of Tarnholm."
    )
    texts = (
        ("Odile Varga", f"{long} Odile Varga was born in Tarnholm."),
        (
            "Esk",
            "Odile Varga was born where the Esk meets Lake Brell, a ferryman of that time noted.",
        ),
    )
    _, second = answer("Where was Odile Varga born?", *texts)
    assert second.text == "Odile Varga was born in Tarnholm."


MEANINGS = "| Sign | Meaning |\n|---|---|\n| ebb | the water runs out to the sea for six hours |\n"


def test_a_cell_that_is_most_of_its_row_is_not_told_before_it() -> None:
    table = pool(("Signs", MEANINGS + "| spring | high |\n"))
    (long,) = write_answer(
        Question(text="What does ebb mean?"), Checklist(), table, max_words=60, max_citations=3
    )
    assert long.direct
    assert not long.direct.precedes
    assert long.direct.text == long.text
    assert "the water runs out to the sea" in long.text
    (short,) = write_answer(
        Question(text="What does spring mean?"), Checklist(), table, max_words=60, max_citations=3
    )
    assert short.direct
    assert short.direct.precedes
    assert short.direct.text == "high"


def test_a_head_that_is_a_link_is_told_by_its_words() -> None:
    table = pool(("Boats", "| Boat | [Fee](https://fees.example/a) |\n|---|---|\n| Gull | 40 |\n"))
    asked = Question(text="What is the fee of the boat Gull?")
    (said,) = write_answer(asked, Checklist(), table, max_words=60, max_citations=3)
    assert said.text == "Boat: Gull; Fee: 40"


LINKED = (
    "Ferry",
    "The ferry of Pell is steered by the [crew of Ostrow](https://ostrow.test/crew).",
)


@pytest.mark.parametrize(
    ("question", "is_link_told"),
    [
        ("How is the ferry of Pell steered?", False),
        ("Where is the page on the ferry of Pell?", True),
    ],
)
def test_where_links_lead_is_told_as_asked(question: str, is_link_told: bool) -> None:
    assert ("https://" in answer(question, LINKED)[0].text) is is_link_told


def test_what_names_those_it_speaks_of_is_told_with_a_sentence() -> None:
    said = (
        "hask no longer has tapes, so all settings of tapes should be removed. These are:\n\n"
        "  TapeSpeed\n  TapeWidth\n  TapeColour\n\nThe yard is closed."
    )
    told = answer("Which settings of tapes should be removed?", ("hask", said))
    assert [each.text for each in told][1] == "These are: TapeSpeed TapeWidth TapeColour"
