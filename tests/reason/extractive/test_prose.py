"""What people ask of letters, rules and reports: exceptions, reasons, corrections, times."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import DirectKind
from quaere.reason.extractive.bearing import is_of_namesake
from quaere.reason.extractive.measures import lacks_measure
from quaere.reason.extractive.questions.parts import aspects
from quaere.text.languages.language import language_of, speaking

BOATHOUSE: Text = (
    "Rules of the Marl boathouse",
    (
        "Boats may be taken out from April to October. Guests row with a member. Dogs stay ashore."
        " Guide dogs are the exception.\n\n"
        "If an oar is broken and reported by noon, the club pays for it. If it is not, the rower"
        " pays. Oars are stored in the loft.\n\n"
        "Juniors and guests are not included in the cover, as the insurer knows members alone."
        " The warden proposed to raise the fee for lockers."
    ),
)
STORM: Text = (
    "The storm of March",
    (
        "The slipway was built in 1950 by two masons. The ramp was closed for a month. The warden"
        " looked into it. The closure came from a crack under the winch. Lockers are painted green."
    ),
)


def told(question: str, *texts: Text) -> list[str]:
    return [sentence.text for sentence in answer(question, *texts)]


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        (
            "What happens if an oar is broken and not reported by noon?",
            ["If an oar is broken", "If it is not, the rower pays."],
        ),
        ("Where do dogs stay?", ["Dogs stay ashore.", "Guide dogs are the exception."]),
    ],
)
def test_what_limits_a_sentence_is_told_with_it(question: str, begins: list[str]) -> None:
    said = told(question, BOATHOUSE)
    assert all(text.startswith(part) for text, part in zip(said, begins, strict=False))


def test_a_reason_is_read_up_to_where_it_stands() -> None:
    said = told("Why was the ramp closed for a month?", STORM)
    assert said[:3] == [
        "The ramp was closed for a month.",
        "The warden looked into it.",
        "The closure came from a crack under the winch.",
    ]
    assert not any("Lockers" in text or "slipway" in text for text in said)


@pytest.mark.parametrize(
    ("question", "direct"),
    [
        ("Are guests included in the cover?", "No"),
        ("Was the fee for lockers raised?", None),
        ("Did the warden propose to raise the fee for lockers?", "Yes"),
    ],
)
def test_what_was_proposed_was_not_done_and_what_is_left_out_is_denied(
    question: str, direct: str | None
) -> None:
    first = answer(question, BOATHOUSE)[0].direct
    assert first
    assert (first.text if first.kind is DirectKind.YES_NO else None) == direct


TIMES: Text = (
    "Trip to the mill",
    (
        "The trip to the mill is on 3 June 2031 and costs 12 crowns for each child of the school."
        " Bring your child to the gate by 8.40 a.m. on that day. The coach has forty seats."
    ),
)
LIFE: Text = (
    "Odile Varga",
    (
        "Odile Varga made clocks in 1871. Odile Varga had sixty clocks for five years. She went to"
        " the school in Tarnholm, and at fourteen became an apprentice of a clockmaker."
    ),
)


@pytest.mark.parametrize(
    ("question", "text", "lead"),
    [
        (
            "What time must children be at the gate of the school for the mill?",
            TIMES,
            "Bring your child to the gate by 8.40 a.m. on that day.",
        ),
        (
            "How old was Varga when she became an apprentice?",
            LIFE,
            "at fourteen became an apprentice of a clockmaker.",
        ),
    ],
)
def test_a_time_of_day_and_an_age_have_a_form(question: str, text: Text, lead: str) -> None:
    assert told(question, text)[0].endswith(lead)


def test_without_a_time_of_day_none_is_told() -> None:
    assert not answer("What time does the founder of Quill eat?", STORM, LIFE)


def test_what_was_corrected_is_told_with_its_correction() -> None:
    first: Text = ("Tide Post", "The ferry Esk had 63 passengers on board on Sunday.")
    later: Text = (
        "Tide Post, corrections",
        (
            "We wrote that the ferry Esk had 63 passengers on board. This number was wrong: there"
            " were 58 of them."
        ),
    )
    said = answer("How many passengers did the ferry Esk have on board?", first, later)
    assert [sentence.text.split()[0] for sentence in said[:2]] == ["We", "This"]
    assert said[0].direct
    assert said[0].direct.kind is DirectKind.SENTENCE
    (plain,) = answer("How many passengers did the ferry Esk have on board?", first)
    assert plain.direct
    assert plain.direct.text == "63"


def test_of_two_who_share_a_surname_the_other_one_is_not_told_of() -> None:
    texts: tuple[Text, ...] = (
        ("The Varga sisters", "Odile Varga was born on 3 May 1851. Ilse Varga ground lenses."),
    )
    read = pool(*texts)
    other, own = read.lines
    assert is_of_namesake("When was Ilse Varga born?", other, read)
    assert not is_of_namesake("When was Ilse Varga born?", own, read)
    assert not is_of_namesake("When was Odile Varga born?", other, read)
    assert not is_of_namesake("When was Mr Varga born?", other, read)
    first = answer("When was Ilse Varga born?", *texts)[0].direct
    assert first
    assert first.kind is not DirectKind.DATE


def test_a_paragraph_may_begin_with_its_heading() -> None:
    leaflet = (
        "Driving. Wait a day before you drive.\n\n"
        "Food and drink. Plums make it weaker. Tea makes no difference."
    )
    assert told("May I drink tea?", ("Tarnol", leaflet))[0] == "Tea makes no difference."
    lines = pool(("Tarnol", leaflet)).lines
    assert [line.text for line in lines if line.heading] == ["Driving.", "Food and drink."]
    alone = pool(("Tarnol", "Plums ripen. They are eaten in autumn.\n\nIt is said that they keep."))
    assert not any(line.heading for line in alone.lines)


def test_a_clause_is_no_member_of_a_list() -> None:
    assert not aspects("my bag was lost, can I cancel the trip and claim?")
    assert aspects("Summarize the costs, main risks and benefits of tunnels") == (
        "costs",
        "main risks",
        "benefits",
    )


@pytest.mark.parametrize(
    ("question", "text", "lead"),
    [
        (
            "Was passiert, wenn man sein Boot am Steg liegen lässt?",
            "Wer sein Boot am Steg vergisst, zahlt zehn Taler. Der Steg ist aus Holz.",
            "Wer sein Boot am Steg vergisst, zahlt zehn Taler.",
        ),
        (
            "船屋为什么星期二不开?",
            "船屋周三至周日开放。每周二闭馆，因为要修船。",
            "每周二闭馆，因为要修船。",
        ),
    ],
)
def test_light_words_and_days_of_the_week_in_other_languages(
    question: str, text: str, lead: str
) -> None:
    with speaking(language_of(question)):
        assert told(question, ("Ordnung", text))[0] == lead


def test_where_nothing_has_a_word_of_the_thing_no_line_is_told() -> None:
    assert not answer("Does the cover include parrots?", BOATHOUSE)
    assert not answer("May I bring a parrot?", BOATHOUSE)
    assert answer("Does the cover include guests?", BOATHOUSE)


def test_who_does_something_is_not_told_for_certain_by_a_line_without_the_deed() -> None:
    keys: Text = (
        "Keys of the Marl boathouse",
        "Anna Brell paints the Marl boathouse in spring. Keys of the Marl boathouse are brass.",
    )
    first = answer("Who guards the Marl boathouse?", keys)[0].direct
    assert first
    assert not first.is_sure
    painted = answer("Who paints the Marl boathouse?", keys)[0].direct
    assert painted
    assert painted.is_sure


def test_a_further_question_that_is_cut_short_is_asked_of_the_same_thing() -> None:
    late: Text = ("Letters", "Whoever reports late pays a fee.")
    said = told("When was the slipway built and why so late?", STORM, late)
    assert said[0].startswith("The slipway was built in 1950")
    assert not any("late" in text for text in said)


def test_a_time_in_a_letter_is_no_number_to_call() -> None:
    letter: Text = ("Letter", "From: Odile Varga. Date: Mon, 3 Feb 2031 09:12. Code ML-40772.")
    assert not answer("What is Odile Varga's phone number?", letter)


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Who leads the walk?", "The walk is led by Ada Brell."),
        ("Who kept the key?", "Otto Hask keeps the key."),
    ],
)
def test_forms_of_one_verb_are_one_word(question: str, lead: str) -> None:
    text = "The walk costs five crowns. The walk is led by Ada Brell. Otto Hask keeps the key."
    assert told(question, ("Walk to the mill", text))[0] == lead


GYM: Text = (
    "Rules of the Marl gym",
    (
        "Lockers are emptied at night.\n\nThe gym was damaged by a burst pipe in May. The pool has"
        " been shut since then. Head coach: Imran Sand.\n\nBarges over nine tonnes will have to go"
        " round by the weir from June."
    ),
)


def test_what_points_back_is_told_with_what_begins_its_paragraph() -> None:
    lead = told("Why is the pool shut?", GYM)[0]
    assert lead == "The gym was damaged by a burst pipe in May. The pool has been shut since then."


def test_who_has_to_do_another_thing_is_not_said_to_be_able_to() -> None:
    first = answer("Can barges over nine tonnes use the lock from June?", GYM)[0].direct
    assert first
    assert first.kind is DirectKind.SENTENCE


def test_of_something_named_nothing_is_told_where_no_line_has_what_is_asked() -> None:
    assert not answer("What does Imran Sand earn?", GYM)
    assert answer("What does Imran Sand coach?", GYM)


@pytest.mark.parametrize(
    ("sentence", "lacks"),
    [
        ("At fourteen she went to sea.", False),
        ("She was nine when it sank.", False),
        ("A girl aged 12 may sail.", False),
        ("Sailors are 16 or older.", False),
        ("The mill is 300 years old.", False),
        ("She sailed for five years.", True),
        ("She sold it in 1926 to forty workers.", True),
    ],
)
def test_an_age_is_told_as_one(sentence: str, lacks: bool) -> None:
    assert lacks_measure("How old was she then?", sentence) is lacks


def test_a_word_for_need_counts_for_little_in_other_languages() -> None:
    question = "¿Por qué las barcas necesitan bandera?"
    rules: Text = (
        "Normas",
        "Las barcas llevan bandera, porque en otoño hay niebla. El faro es alto.",
    )
    with speaking(language_of(question)):
        assert told(question, rules)[0].startswith("Las barcas llevan bandera")


def test_what_somebody_suggested_is_no_date_on_which_it_happens() -> None:
    green: Text = ("Marl club", "Otto Hask suggested that the green be sown in March.")
    sown: Text = ("Marl club", "The green will be sown in March.")
    meant, will = (answer("When will the green be sown?", text)[0].direct for text in (green, sown))
    assert meant
    assert will
    assert (meant.kind, meant.is_sure) == (DirectKind.SENTENCE, False)
    assert (will.kind, will.text) == (DirectKind.DATE, "March")


OFFICES: Text = (
    "Our offices",
    (
        "The Linz office is in Hafenstrasse 4. It is open on weekdays from 8:00 to 16:30. It has 42"
        " employees.\n\nThe Graz office is in Murgasse 19. It is open on weekdays from 9:00 to"
        " 17:00. It has 17 employees. It was opened in 2015."
    ),
)


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("When is the Linz office open?", "8:00 to 16:30", "9:00"),
        ("When is the Graz office open?", "9:00 to 17:00", "2015"),
        ("When was the Graz office opened?", "2015", "8:00"),
        ("How many employees does the Graz office have?", "17 employees", "42"),
        ("How many employees does the Linz office have?", "42 employees", "17 "),
    ],
)
def test_what_is_told_by_a_pronoun_is_told_of_what_it_points_back_to(
    question: str, holds: str, lacks: str
) -> None:
    lead = told(question, OFFICES)[0]
    assert holds in lead
    assert lacks not in lead
