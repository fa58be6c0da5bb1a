"""Lists and tables are whole in the long form, and labels stay with what they name."""

from __future__ import annotations

from tests.synthesize.drafts import supported

from quaere.domain.question import Checklist, Item
from quaere.domain.report import Opens, Sentence, Support
from quaere.view.export.sections import WHOLE, in_whole_blocks, placed

CHECKLIST = Checklist(items=(Item(id="a", description="length"), Item(id="b", description="cost")))


def said(text: str, item: str | None = None, opens: Opens | None = None) -> Sentence:
    of = supported(text, (1, "It spans 312 metres"), item=item)
    return of.model_copy(update={"opens": opens})


INTRO = said("The bridge is long and dear.", opens=Opens.PARAGRAPH)
LABEL = said("**Cost** (`crowns`)", opens=Opens.PARAGRAPH)
ONE, TWO = (said(f"The deck has {n} arches.", "b", Opens.ITEM) for n in (3, 4))
LEAD = said("These count:", opens=Opens.PARAGRAPH).model_copy(
    update={"support": Support.NOT_A_CLAIM}
)
ROWS = tuple(
    said(f"Part: {name}; Size: {n}", item, Opens.ROW)
    for n, (name, item) in enumerate([("deck", "a"), ("tower", None), ("toll", "b")])
)
AFTER = said("The bridge is old.", "a", Opens.PARAGRAPH)
LAST = said("Grey paint covers the deck.")


def test_a_table_on_several_parts_is_whole_and_in_general() -> None:
    found = placed([INTRO, *ROWS, AFTER, LAST], CHECKLIST)
    assert found == {"": [INTRO, *ROWS], "a": [AFTER, LAST]}


def test_a_table_on_one_part_is_in_that_part() -> None:
    rows = [row.model_copy(update={"item": "b" if row.item else None}) for row in ROWS]
    assert placed([AFTER, *rows], CHECKLIST) == {"a": [AFTER], "b": rows}


def test_what_labels_or_leads_in_is_where_its_entries_are() -> None:
    found = placed([AFTER, LABEL, ONE, TWO], CHECKLIST)
    assert found == {"a": [AFTER], "b": [LABEL, ONE, TWO]}
    assert placed([AFTER, LEAD, ONE], CHECKLIST) == {"a": [AFTER], "b": [LEAD, ONE]}
    assert placed([AFTER, LEAD, LABEL, ONE], CHECKLIST)["b"] == [LEAD, LABEL, ONE]


STEPS = tuple(
    said(text, item, opens)
    for text, item, opens in (
        ("Raise the deck:", "a", Opens.NUMBERED),
        ("winch --up", "b", Opens.CODE),
        ("Lower it again.", "b", Opens.NUMBERED),
    )
)


def test_steps_with_code_between_them_are_one_list() -> None:
    assert placed([INTRO, *STEPS, AFTER], CHECKLIST) == {"": [INTRO, *STEPS], "a": [AFTER]}
    entries = [STEPS[0], STEPS[2]]
    assert in_whole_blocks([INTRO, *entries], [INTRO, *STEPS]) == [INTRO]
    assert in_whole_blocks([INTRO, *STEPS], [INTRO, *STEPS]) == [INTRO, *STEPS]


def test_code_is_where_the_sentence_before_it_is() -> None:
    of_other = STEPS[1]
    assert placed([AFTER, of_other, LAST], CHECKLIST)["a"][:2] == [AFTER, of_other]


def test_a_list_or_a_table_is_whole_in_short_or_not_there() -> None:
    written = [INTRO, LABEL, ONE, TWO, *ROWS, AFTER, LAST]
    assert in_whole_blocks([INTRO, LABEL, ONE, *ROWS[:2], AFTER], written) == [INTRO, AFTER]
    assert in_whole_blocks([INTRO, ONE, TWO, *ROWS], written) == [INTRO, *ROWS]
    whole = [INTRO, LABEL, ONE, TWO, *ROWS]
    assert in_whole_blocks(whole, written) == whole


def test_of_several_labelled_lists_all_are_there_or_none() -> None:
    other = LABEL.model_copy(update={"text": "**Length**"})
    three = said("The bridge spans 312 metres.", "a", Opens.ITEM)
    written = [INTRO, other, three, LABEL, ONE, TWO]
    assert in_whole_blocks([INTRO, other, three, LABEL, ONE], written) == [INTRO]
    assert in_whole_blocks(written, written) == written


def test_where_entries_are_all_there_is_they_stay_whole_and_of_many_the_first() -> None:
    assert in_whole_blocks([LEAD, ONE], [LEAD, ONE, TWO]) == [LEAD, ONE, TWO]
    many = [said(f"The deck has {number} arches.", "b", Opens.ITEM) for number in range(WHOLE)]
    assert in_whole_blocks([LEAD, ONE], [LEAD, ONE, *many]) == [LEAD, ONE]


def test_what_follows_an_entry_is_not_of_it() -> None:
    last = in_whole_blocks([INTRO, ONE, TWO, LAST], [INTRO, ONE, TWO, AFTER, LAST])[-1]
    assert last.opens is Opens.PARAGRAPH
    goes_on = in_whole_blocks([INTRO, ONE, LAST], [INTRO, ONE, LAST])[-1]
    assert goes_on.opens is None


THEY = said("They are of oak.", "b")


def test_what_leans_on_a_sentence_stays_with_it() -> None:
    arches = said("The arches are wide.", "a")
    assert placed([arches, THEY, LAST, ONE], CHECKLIST) == {"a": [arches, THEY, LAST], "b": [ONE]}
    assert placed([THEY, arches], CHECKLIST) == {"b": [THEY], "a": [arches]}


def test_what_leans_on_a_sentence_is_in_short_only_right_after_it() -> None:
    written = [INTRO, AFTER, THEY, LAST]
    short = in_whole_blocks([INTRO, THEY, LAST], written)
    assert [each.text for each in short] == [INTRO.text, LAST.text]
    assert in_whole_blocks([AFTER, THEY], written) == [AFTER, THEY]
    assert in_whole_blocks([THEY], [THEY, LAST]) == [THEY]
    assert in_whole_blocks([THEY], written) == [THEY]


def test_what_goes_on_about_the_one_thing_asked_about_is_in_its_own_part() -> None:
    it = said("It has a toll.", "b")
    assert placed([AFTER, it], CHECKLIST) == {"a": [AFTER], "b": [it]}
    assert in_whole_blocks([INTRO, it], [INTRO, AFTER, it])[-1].text == it.text


def test_a_list_on_several_parts_is_whole_after_what_precedes_it() -> None:
    other = said("The deck has rails.", "a", Opens.ITEM)
    assert placed([INTRO, other, ONE], CHECKLIST) == {"": [INTRO, other, ONE]}
    assert placed([other, ONE], CHECKLIST) == {"a": [other], "b": [ONE]}
    short = in_whole_blocks([ONE, INTRO, other], [INTRO, other, ONE])
    assert short == [INTRO, other, ONE]


def test_what_follows_a_list_in_another_part_is_a_paragraph_there() -> None:
    other = said("The deck has rails.", "a", Opens.ITEM)
    tail = said("Grey paint covers it all.", "a")
    found = placed([other, ONE, AFTER.model_copy(update={"item": "b"}), tail], CHECKLIST)
    assert [each.opens for each in found["a"]] == [Opens.ITEM, Opens.PARAGRAPH]
