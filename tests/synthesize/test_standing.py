"""What stands once sentences are checked, and where sources disagree."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt
from tests.synthesize.drafts import COST, EVIDENCE, HERE, SPANS, THERE, reported
from tests.verify.samples import entry, passage

from quaere.domain.evidence import Conflict, Difference
from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.report import Quote, Sentence, Support
from quaere.synthesize.compose import Draft, missing
from quaere.synthesize.standing import MAX_CHARS, MOST, disagreements, refuted, standing
from quaere.text.languages.language import ENGLISH_FRAME
from quaere.verify.repair import pool_of, verify_sentence

WRONG = COST.model_copy(
    update={"item": "cost", "support": Support.CONTRADICTED, "evidence": (), "quotes": ()}
)
ASKED = Checklist(
    items=(
        Item(id="span", description="its span", status=ItemStatus.SATISFIED, evidence=(HERE.id,)),
        Item(id="cost", description="its cost", status=ItemStatus.SATISFIED, evidence=(HERE.id,)),
    )
)
SPAN = SPANS.model_copy(update={"item": "span"})


def test_it_is_answered_in_part_and_named_among_what_is_missing() -> None:
    checklist, gaps = standing(ASKED, ("who paid",), [SPAN], [WRONG], EVIDENCE)
    assert [item.status for item in checklist.items] == [ItemStatus.SATISFIED, ItemStatus.PARTIAL]
    assert gaps == ("who paid", "its cost")


@pytest.mark.parametrize(
    ("shown", "dropped"),
    [
        ([SPAN, COST.model_copy(update={"item": "cost"})], [WRONG]),
        ([SPAN, COST], [WRONG]),
        ([SPAN], [WRONG.model_copy(update={"support": Support.NOT_JUDGED})]),
        ([SPAN], [WRONG.model_copy(update={"item": None})]),
        ([SPAN], []),
    ],
)
def test_it_stays_where_another_may_be_on_it_or_none_was_refuted(
    shown: list[Sentence], dropped: list[Sentence]
) -> None:
    assert refuted(ASKED, shown, dropped, EVIDENCE) == ()
    assert standing(ASKED, (), shown, dropped, EVIDENCE) == (ASKED, ())


def test_a_sentence_on_what_is_missing_answers_nothing() -> None:
    silent = Sentence(text="The sources do not say.", support=Support.NOT_A_CLAIM, item="cost")
    assert [item.id for item in refuted(ASKED, [SPAN, silent], [WRONG], EVIDENCE)] == ["cost"]


@pytest.mark.parametrize("gaps", [(), ("Not found: its cost",)])
def test_an_answer_that_claims_nothing_answers_no_part_whatever_was_found(
    gaps: tuple[str, ...],
) -> None:
    silent = Sentence(text="The sources do not say.", support=Support.NOT_A_CLAIM)
    for shown in ([], [silent]):
        checklist, missing_ = standing(ASKED, gaps, shown, [], EVIDENCE)
        assert {item.status for item in checklist.items} == {ItemStatus.UNSATISFIED}
        assert [item.evidence for item in checklist.items] == [(HERE.id,), (HERE.id,)]
        assert sorted(missing_) == ["Not found: its cost", "Not found: its span"]


def test_a_sentence_with_other_evidence_is_not_on_it() -> None:
    other = SPANS.model_copy(update={"evidence": (2,)})
    assert THERE.id not in ASKED.items[1].evidence
    assert [item.id for item in refuted(ASKED, [other], [WRONG], EVIDENCE)] == ["cost"]


ONE = passage("The dam is old. It was completed in 1967 after nine years.", start=30)
OTHER = passage("Work on the dam ended in 1971.", url="https://valley.example/other")
BOTH_SIDES = (entry(1, ONE), entry(2, OTHER))
PASSAGES = {ONE.id: ONE, OTHER.id: OTHER}
READ = Conflict(
    item="item-1",
    left=1,
    right=2,
    what=Difference.JUDGED,
    note="the year of completion",
    left_says="It was completed in 1967 after nine years.",
    right_says="Work on the dam ended in 1971.",
)


def told(*conflicts: Conflict, said: tuple[Sentence, ...] = (), citations: int = 9) -> list[str]:
    found = disagreements(conflicts, said, BOTH_SIDES, PASSAGES, citations=citations)
    return [each.text for each in found]


def test_both_sides_are_quoted_and_cited_and_what_they_differ_in_is_named() -> None:
    (sentence,) = disagreements([READ], (), BOTH_SIDES, PASSAGES, citations=9)
    assert sentence.text == (
        "The sources disagree on the year of completion: “It was completed in 1967 after nine "
        "years” against “Work on the dam ended in 1971”."
    )
    assert (sentence.evidence, sentence.item, sentence.support) == (
        (1, 2),
        "item-1",
        Support.QUOTED,
    )
    draft = Draft(BOTH_SIDES, PASSAGES.values())
    assert draft.add(sentence).endswith("ended in 1971” [1][2].")
    assert [each.quote.text for each in draft.citations()] == [READ.left_says, READ.right_says]


@pytest.mark.parametrize(
    ("what", "quotes", "count"),
    [
        (Difference.DATE, READ.left_says, 1),
        (Difference.NUMBER, READ.right_says, 1),
        (Difference.DATE, "The dam is old.", 0),  # not what the answer is about
        (Difference.OPPOSITE, READ.left_says, 0),
    ],
)
def test_a_figure_or_date_of_the_answer_that_another_source_has_otherwise_is_told(
    what: Difference, quotes: str, count: int
) -> None:
    differing = READ.model_copy(update={"what": what, "note": "“1967” against “1971”"})
    quote = Quote(passage=ONE.id, text=quotes, start=30, end=30 + len(quotes))
    answer = Sentence(text=quotes, evidence=(1,), quotes=(quote,))
    sentences = told(differing, said=(answer,))
    assert len(sentences) == count
    for sentence in sentences:
        assert sentence == (
            "The sources disagree: “It was completed in 1967 after nine years” against “Work on"
            " the dam ended in 1971”."
        )


def test_within_one_document_it_says_so() -> None:
    same = OTHER.model_copy(update={"url": ONE.url})
    (sentence,) = disagreements([READ], (), BOTH_SIDES, {ONE.id: ONE, OTHER.id: same}, citations=9)
    assert sentence.text.startswith("One source says both “It was completed in 1967")


def test_a_figure_that_nobody_checked_is_not_repeated() -> None:
    lying = READ.model_copy(update={"note": "whether it cost 9 million"})
    assert told(lying)[0].startswith("The sources disagree: “It")
    quoted = READ.model_copy(update={"note": "whether it was done in 1967 or 1971"})
    assert told(quoted)[0].startswith("The sources disagree on whether it was done in 1967 or 1971")


def test_a_quote_is_on_one_line_without_the_mark_of_its_list_and_measured_so() -> None:
    listed = f"•   It was{' ' * MAX_CHARS}completed in 1967."
    source = passage(f"The dam is old.\n\n{listed}\n", url="https://valley.example/list")
    read = READ.model_copy(update={"left_says": listed})
    (sentence,) = disagreements(
        [read],
        (),
        (entry(1, source), entry(2, OTHER)),
        {source.id: source, OTHER.id: OTHER},
        citations=9,
    )
    assert "“It was completed in 1967” against" in sentence.text
    assert sentence.quotes[0].text == listed


@pytest.mark.parametrize(
    "changes",
    [
        {"what": Difference.DATE},
        {"left_says": ""},
        {"right_says": "It is nowhere in the passage."},
        {"right": 9},
        {"left_says": "It was completed" * MAX_CHARS},
    ],
)
def test_what_cannot_be_quoted_from_both_is_left_to_the_long_form(
    changes: dict[str, object],
) -> None:
    assert told(READ.model_copy(update=changes)) == []


def test_it_is_told_once_and_within_the_limits() -> None:
    both = Sentence(text="One says 1967, the other 1971.", evidence=(2, 1))
    assert told(READ, said=(both,)) == []
    assert told(READ, citations=1) == []
    assert len(told(READ, READ, READ)) == MOST


GAPS = (
    "The passages do not say who paid for the dam",
    "The documents do not state that it held 40 million litres in 1999.",
    "the name of the engineer",
)


def test_gaps_close_an_answer_in_their_own_words() -> None:
    assert missing(GAPS) == (
        "The passages do not say who paid for the dam.",
        f"Not answered by what was found: {GAPS[1].strip('.')}; {GAPS[2]}.",
    )


def test_what_the_answer_says_itself_is_not_said_again() -> None:
    said = verify_sentence(
        Sentence(text="The passages do not say who paid for the dam."), pool_of([], [])
    ).sentence
    assert said is not None
    assert missing(GAPS[:1], [said]) == ()
    report = reported([SPANS, said])
    assert ENGLISH_FRAME.incomplete not in report.answer


@pytest.mark.parametrize("gaps", [(), ("Not found: who paid",), ("Found only in part: it",)])
def test_without_words_of_their_own_there_is_a_stock_phrase(gaps: tuple[str, ...]) -> None:
    assert missing(gaps) == (ENGLISH_FRAME.incomplete,)


def test_a_gap_is_as_inert_as_a_sentence() -> None:
    (closing,) = missing(["see [here](http://evil.example) [1] <script>x</script>"])
    assert "[" not in closing.removeprefix("[")
    assert "<a" not in MarkdownIt().render(closing)
    assert "<script" not in closing


def test_a_gap_is_said_by_a_sentence_that_goes_on_with_what_another_names() -> None:
    said = [
        Sentence(text="The passages do not say who paid for the dam.", support=Support.NOT_A_CLAIM),
        Sentence(
            text="Its height is not mentioned in either of the sources.",
            support=Support.NOT_A_CLAIM,
        ),
    ]
    assert missing(["The passages do not say what height the dam has."], said) == ()
    assert missing(["The passages do not say which river feeds the dam."], said) != ()
    reworded = Sentence(
        text="The passages do not say whether a sold share can be taken back.",
        support=Support.NOT_A_CLAIM,
    )
    gap = "The passages do not say whether a sold share can be withdrawn."
    assert missing([gap], [reworded]) == ()


def test_two_sentences_tell_it_where_another_says_that_the_sources_disagree() -> None:
    sides = (
        Sentence(text="It was done in 1967, says the one.", evidence=(1,)),
        Sentence(text="In 1971, says the other.", evidence=(2,)),
    )
    says_so = Sentence(text="The sources disagree on when the dam was done.")
    assert told(READ, said=(says_so, *sides)) == []
    assert len(told(READ, said=sides)) == 1
    assert len(told(READ, said=(says_so, sides[0]))) == 1


def test_what_was_so_earlier_is_no_disagreement() -> None:
    sides = (
        Sentence(text=OTHER.text, evidence=(2,), quotes=()),
        Sentence(text=f"Earlier (Plan 1966): {ONE.text}", evidence=(1,), quotes=()),
    )
    assert told(READ, said=sides) == []
