"""When a line that leads is not certain to answer, however few rivals it has."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool
from tests.reason.extractive.tables.test_rows import passage_of, read

from quaere.domain.report import SURE, Direct
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.plain_answers import tells_change_of_sum
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.tables.rows import answer_over_rows

MILL: Text = ("Orrin", "The mill at Orrin was painted red by Tamsin Wray.")
HASK: Text = ("Hask", "Hask is a town of 8,200 inhabitants.")
BOATS: tuple[Text, ...] = (
    ("Terns", "Terns are rowing boats that are built in Whitby, and they are sold in spring."),
    ("Gannets", "Most boats in the bay are Gannets."),
)


def direct(question: str, *texts: Text) -> Direct:
    first = answer(question, *texts)[0].direct
    assert first is not None
    return first


@pytest.mark.parametrize(
    "question",
    [
        "Which dog guards the mill at Orrin?",
        "When was the mill at Orrin burned?",
    ],
)
def test_the_only_line_of_a_small_folder_is_no_answer_for_that(question: str) -> None:
    assert not direct(question, MILL, HASK).is_sure


def test_a_line_that_says_what_is_asked_is() -> None:
    assert direct("Who painted the mill at Orrin?", MILL, HASK).is_sure
    assert direct("How many inhabitants has Hask?", MILL, HASK).is_sure


@pytest.mark.parametrize(
    "question", ["When was the mill at Orrin painted red?", "How many mills at Orrin are red?"]
)
def test_a_line_without_a_figure_is_no_certain_answer_to_a_question_for_one(question: str) -> None:
    assert not direct(question, MILL, HASK).is_sure


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Can it be used offline?", "Each service answers, unless it is used offline."),
        ("Which pumps can it use?", "Its pumps use oil."),
        ("How do I oil a pump?", "What is oiled is counted."),
        ("How do I sign a map?", "Any map may be hung below the quay by a percent sign."),
        ("What are the stages of the tide?", "The tide is a false friend at this stage."),
        (
            "Which tide table shows the springs?",
            "The tide is told to the clerk who keeps the springs, and he shows it in a table.",
        ),
    ],
)
def test_two_words_in_one_line_are_too_few_to_be_certain(question: str, line: str) -> None:
    assert not direct(question, ("Pumps", line), HASK).is_sure


@pytest.mark.parametrize(
    ("question", "is_sure"),
    [
        ("How much does the pool cost per week?", True),
        ("How much does the pool cost per year?", False),
        ("How much does the pool cost a year?", False),
        ("Does the pool cost 12 euros per week?", True),
        ("Does the pool cost 12 euros per year?", False),
    ],
)
def test_what_is_so_in_one_span_of_time_is_not_sure_of_another(
    question: str, *, is_sure: bool
) -> None:
    pool: Text = ("Bath", "The pool costs 12 euros per week. It is warm.")
    assert direct(question, pool).is_sure is is_sure


def test_three_words_are_enough_for_a_yes() -> None:
    found = direct("Does the dome turn on wheels?", ("Dome", "The dome turns on wheels."), HASK)
    assert (found.text, found.is_sure) == ("Yes", True)


def test_what_is_said_beside_the_question_need_not_be_covered() -> None:
    aside = "My school wants to know."
    assert direct(f"Who painted the mill at Orrin? {aside}", MILL, HASK).is_sure
    assert not direct(f"When was the mill at Orrin burned? {aside}", MILL, HASK).is_sure


def test_a_line_about_one_of_two_things_does_not_tell_them_apart() -> None:
    found = direct("How do Terns differ from Gannets?", *BOATS)
    assert not found.is_sure


MAP = """\
| question | file | part |
| Where is a map read? | `read/formats.md` tells it; sheets of the loft hang by sails, ropes | a |
| Where are oars kept over the winter? | the shed behind the quay | b |
| Where is the mast stored? | the loft | b |"""


def test_a_word_of_a_sentence_or_of_a_path_in_a_cell_names_no_row() -> None:
    tables = read(passage_of("map.md", MAP))
    assert answer_over_rows("Which file formats can it read?", tables) is None
    assert answer_over_rows("What file formats are read?", tables) is None


def test_where_something_is_put_is_not_told_by_who_shows_it() -> None:
    shown = "In Orrin, Brell and Hask the slate by default shows only what is logged by the mill."
    told = "By default the mill logs to a slate, which can be turned by its handle:"
    found = direct("Where does the mill log to by default?", ("Mill", f"{shown}\n\n{told}"))
    assert found.text == told.rstrip(":")


def test_a_name_out_of_a_row_that_nobody_looked_up_is_not_sure() -> None:
    table = (
        "| crew | best of it | lacks |\n|---|---|---|\n"
        "| the boats of Ada Brell | own charts of the harbour | no product that sails at night |\n"
        "| Hask | rope | oil |\n"
    )
    found = direct("Who is the product owner of the harbour boats?", ("Crews", table))
    assert not found.is_sure


def test_a_figure_is_not_certain_beside_another_of_which_as_much_is_said() -> None:
    alone = ("Hask", "The crew of the ferry has 30 days of leave after the tide.")
    both = ("Hask", f"The crew of the ferry has 60 days of leave before the tide. {alone[1]}")
    question = "How many days of leave has the crew of the ferry?"
    assert direct(question, alone, MILL).is_sure
    assert not direct(question, both, MILL).is_sure


@pytest.mark.parametrize(("span", "told"), [("week", "12"), ("year", "390")])
def test_the_span_of_a_price_is_no_unit_of_it(span: str, told: str) -> None:
    prices = (
        "| ticket | price per week | price per year |\n| Adult | 12 | 390 |\n| Child | 6 | 190 |"
    )
    found = answer_over_rows(
        f"What is the price of an adult ticket per {span}?", read(passage_of("prices.md", prices))
    )
    assert found is not None
    assert found.text == told


def test_a_whole_row_is_no_certain_answer_to_which_it_is() -> None:
    boats = "| Boat | Crew | Next survey |\n|---|---|---|\n| Auk | 4 | soon |\n| Tern | 2 | later |"
    assert not direct("Which boat is surveyed next?", ("Boats", boats)).is_sure


LEASE: Text = ("Lease", "The lease ends by notice of the tenant three months before summer.")


def test_a_line_with_the_figure_of_the_question_in_another_unit_is_not() -> None:
    asked = "What notice ends the lease of a tenant after three {} by summer?"
    assert direct(asked.format("months"), LEASE).confidence > SURE
    assert not direct(asked.format("years"), LEASE).is_sure


def test_which_is_not_so_is_not_certain_to_tell_which_is() -> None:
    boats: Text = ("Skua", "Skua does not and will not support steam engines.")
    assert not direct("Which engines does Skua support?", boats, HASK).is_sure


def test_another_version_is_not_the_one_that_is_asked_for() -> None:
    news: Text = ("kelp", "What changed in kelp is told here. kelp 1.4 changed all of its tides.")
    assert not direct("What changed in kelp 1.5?", news, HASK).is_sure
    assert direct("What changed in kelp 1.4?", news, HASK).is_sure


def test_where_something_is_available_does_not_say_what_it_is() -> None:
    assert not direct("What is kelp?", ("kelp", "Available since kelp 1.2."), HASK).is_sure


def test_a_question_for_a_version_is_answered_by_one() -> None:
    question = "Which Tern versions does the gauge of the mill support?"
    told = "The gauge of the mill also supports Tern reels and other versions of it."
    assert not direct(question, ("Mill", told), ("Hask", "Hask 2.1 is a reel.")).is_sure
    versions = "The gauge of the mill supports Tern versions 3.8+."
    assert direct(question, ("Mill", versions), HASK).is_sure


@pytest.mark.parametrize(
    "text", ["A map is signed with ink.", "# Signing a map\n\nInk is enough for one that is old."]
)
def test_two_words_that_stand_together_are_enough(text: str) -> None:
    assert direct("How do I sign a map?", ("Rules", text), HASK).is_sure


def test_where_something_is_is_told_by_a_place() -> None:
    export = ("Store", "All that is stored of a crossing is exported, as PDF.")
    shed = ("Store", "All that is stored of a crossing is in the shed.")
    assert not direct("Where is a crossing stored?", export, HASK).is_sure
    assert direct("Where is a crossing stored?", shed, HASK).is_sure


@pytest.mark.parametrize(
    "spot",
    [
        *("upstairs", "outside", "online", "at reception", "in drawer 12", "with the porter"),
        *("opposite the church", "by the door"),
    ],
)
def test_a_place_has_many_forms(spot: str) -> None:
    told: Text = ("Keys", f"The spare key is kept {spot}.")
    assert direct("Where is the spare key kept?", told, HASK).is_sure


def test_a_reason_need_not_stand_next_to_what_it_is_of() -> None:
    lamp: Text = ("Lamp", "It flickers because the bulb is loose.")
    assert direct("Why does the lamp flicker?", lamp, HASK).is_sure


def test_how_much_so_something_is_asks_of_no_deed() -> None:
    assert direct("How precise is hask?", ("hask", "hask is a precise gauge."), MILL).is_sure
    gauge = "Kelp is an old gauge of any kind that is as precise as is hask."
    assert direct("How precise is hask?", ("kelp", gauge), MILL).is_sure


MONDAYS, FRIDAYS = "The choir meets on Mondays.", "The choir meets on Fridays."
OARS = "The hall has 14 oars."


@pytest.mark.parametrize(
    ("question", "one", "other", "is_sure"),
    [
        ("When does the choir meet?", MONDAYS, FRIDAYS, False),
        ("When does the choir meet?", MONDAYS, "The band meets on Fridays.", True),
        (
            "When do we sail to Hask?",
            "We sail there on 14 June.",
            "We sail there on 16 June.",
            False,
        ),
        ("How many oars has the hall?", OARS, "The hall has 12 oars.", False),
        ("How many oars has the hall?", OARS, "The hall has 12 sails.", True),
        ("How many oars has the hall?", OARS, "The hall has fourteen oars.", True),
        (
            "When does the choir meet?",
            "The choir meets on Mondays in the hall.",
            "The choir meets on Mondays at school.",
            True,
        ),
        (
            "When does the choir meet?",
            "The choir meets on Mondays at noon.",
            "The choir meets on Mondays at midnight.",
            False,
        ),
        ("How many oars has the hall?", OARS, OARS, True),
    ],
)
def test_what_two_undated_pages_tell_differently_is_not_certain(
    question: str, one: str, other: str, *, is_sure: bool
) -> None:
    assert direct(question, ("Hask notes", one), ("Hask mail", other)).is_sure is is_sure


def test_what_one_page_tells_of_a_thing_in_two_lines_is_no_contradiction() -> None:
    assert direct("When does the choir meet?", ("Notes", f"{MONDAYS} {FRIDAYS}"), HASK).is_sure


@pytest.mark.parametrize(
    ("said", "sure"),
    [
        ("Learners are not covered.", True),
        ("Learners pay more, and what is covered is told below.", False),
        ("Learners are covered, unless they sail alone.", False),
        ("Learners were covered.", False),
    ],
)
def test_a_clause_with_both_words_is_a_certain_answer(said: str, *, sure: bool) -> None:
    read = pool(("Cover", f"The boat is insured. {said} The rest is not."))
    decision = decide("Are learners covered?", read, Ranking(read, "Are learners covered?"))
    assert (decision.confidence >= SURE) is sure


OFFICES: Text = (
    "Notes",
    (
        "The office in Bonn has a kitchen. The office in Madrid is closed in August. Ana Ruiz"
        " drinks tea. Ben Orr does not eat fish. Helmets are free with every bike except the"
        " Folder."
    ),
)


@pytest.mark.parametrize(
    ("question", "is_sure"),
    [
        ("When is the Madrid office closed?", True),
        ("When is the Bonn office closed?", False),
        ("What does Ana Ruiz drink?", True),
        ("What does Ben Orr drink?", False),
        ("Is a helmet free with the Folder?", False),
    ],
)
def test_what_is_said_of_another_or_of_another_deed_is_no_certain_answer(
    question: str, *, is_sure: bool
) -> None:
    assert direct(question, OFFICES).is_sure is is_sure


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much did I earn last year?", "Staff earned 38,400 pounds on average last year."),
        ("How many days of leave do I have?", "On average people took 24 days of leave."),
        ("How many clerks does the mill have?", "The books of two clerks at the mill were lost."),
    ],
)
def test_what_is_so_of_others_is_not_certain(question: str, text: str) -> None:
    assert not direct(question, ("Mill", text)).is_sure


def test_a_figure_with_nothing_after_it_may_count_what_is_asked() -> None:
    assert direct(
        "How many pupils are in a room?", ("Mill", "Pupils sleep in rooms of six.")
    ).is_sure


def test_a_row_without_a_reason_is_none() -> None:
    row = "claim: C-103; status: refused; paid: 0"
    assert not direct("Why was C-103 refused?", ("claims.csv", row)).is_sure
    told = "claim: C-103; status: refused; reason: too late"
    assert direct("Why was C-103 refused?", ("claims.csv", told)).is_sure


def test_a_line_without_the_deed_does_not_tell_who_did_it() -> None:
    lease = "At closing, the lease between the Company and Hask was amended to remove Gull Mill."
    bought = "Ada Finch acquired the bakery, and Bo Lind bought a barge."
    report: Text = ("Tern report", f"{lease}\n\n{bought}")
    assert not direct("Who bought Gull Mill?", report).is_sure
    told: Text = ("Tern report", f"{lease}\n\nAda Finch bought Gull Mill.")
    assert direct("Who bought Gull Mill?", told).is_sure


@pytest.mark.parametrize(
    ("told", "of_change"),
    [
        ("The lease was changed to reflect a $40 million reduction in rent.", True),
        ("It was sold for $450 million, with a $40 million reduction in rent.", False),
    ],
)
def test_a_sum_by_which_another_changed_is_not_what_was_paid(told: str, *, of_change: bool) -> None:
    assert tells_change_of_sum("How much did Tern get for the mill?", told) is of_change
    assert not tells_change_of_sum("By how much was the rent reduced?", told)


def test_what_somebody_does_not_do_is_not_what_he_does() -> None:
    told: Text = ("Hask", "Hask does not provide measures of growth, as these would be guesses.")
    assert not direct("What does Hask do?", told).is_sure


def test_where_somebody_has_space_is_not_where_the_head_office_is() -> None:
    space = "Tern has much space located in Skarrow that is used for sails and other purposes."
    assert not direct("Where is Tern headquartered?", ("Tern", space)).is_sure
    seat = "Tern is headquartered in Skarrow, near the quay."
    assert direct("Where is Tern headquartered?", ("Tern", seat)).is_sure


def test_all_of_something_are_not_told_for_certain_by_a_sentence() -> None:
    said = ("Ports", "All ports of the harbour are let through on the computer of the master.")
    first, *_ = answer("Name all the ports I have to let through on the computer.", said)
    assert first.direct
    assert first.direct.confidence < SURE


def test_names_that_differ_in_their_ending_are_both_needed_to_tell_them_apart() -> None:
    said = (
        "Flags",
        "The `--tide` flag is plain. The `--tides` flag differs, and is more complicated.",
    )
    first, *_ = answer("What is the difference between the flags --tide and --tides?", said)
    assert first.direct
    assert first.direct.confidence < SURE


def test_the_cause_comes_before_what_follows_from_it() -> None:
    said = (
        "Pumps",
        "A pump could drain another boat. As a result, Hask does not start the pump by itself.",
    )
    first, second, *_ = answer("Why does Hask not start the pump by itself?", said)
    assert first.text == "A pump could drain another boat."
    assert second.text.startswith("As a result")


def test_no_figure_of_a_table_tells_how_something_is_done() -> None:
    options: Text = ("hush", "| Feature | Added in |\n|---|---|\n| -quit | 4.2.3 |\n| -go | 4.3 |")
    assert direct("When was -quit added?", options).text == "4.2.3"
    assert direct("How do I quit hush?", options).text != "4.2.3"


@pytest.mark.parametrize(
    ("said", "is_sure"),
    [
        ("`HASK_BELL=bell://USER:WORD@rope/tide` names bells, so that ships share one.", False),
        ("Users of several ships share one bell.", True),
    ],
)
def test_a_word_of_an_address_is_not_said_of_anything(said: str, is_sure: bool) -> None:
    (first, *_) = answer("Do several users of ships share one bell?", ("hask", said))
    assert first.direct is not None
    assert first.direct.is_sure is is_sure
