"""Rules that look at two aligned statements."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.verify.samples import ANYTHING, passage

from quaere.domain.report import Support
from quaere.verify.align import align, content
from quaere.verify.clash import SHORT, Clash, Confirmation, Kind, clash, confirmed, denied_share
from quaere.verify.likeness import likeness
from quaere.verify.rules.roles import exchanges
from quaere.verify.support import weigh

PLOTS = "Rents stay at 38 euros for a full plot and 21 euros for a half plot."
UNTIL = "The bank refused to pay until the bill was signed."
PERIOD = "Repairs begin within 48 hours; the board may cut the period to 24 hours."


def kind(said: str, source: str) -> Kind | None:
    found = clash(said, [source], [])
    return found.kind if found else None


@pytest.mark.parametrize(
    ("said", "source", "expected"),
    [
        ("The gate was open.", "The gate was not open.", Kind.DENIED),
        ("Profits rose in March.", "Profits fell in March.", Kind.DENIED),
        ("Profits did not rise in March.", "Profits fell in March.", None),
        ("In no trial did it reach its goal.", "In its trial it failed to reach the goal.", None),
        ("The mayor did not sign it.", "Neither the mayor nor the bishop signed it.", None),
        ("Lorries may not be driven there.", "Driving lorries there is prohibited.", None),
        ("The tower is 40 m high.", "The tower is 60 m high.", Kind.FIGURE),
        ("The tower is 40 metres high.", "The tower is 4,000 cm high.", None),
        ("The mill burned in May 1790.", "The mill burned in June 1790.", Kind.FIGURE),
        ("Rugen is older than Sund.", "Sund is older than Rugen.", Kind.COMPARED),
        ("Rugen is older than Sund.", "Sund is younger than Rugen.", None),
        ("The inn closed before the war.", "The inn closed after the war.", Kind.ORDER),
        ("Before the war the inn closed.", "After the war the inn closed.", Kind.ORDER),
        ("After the war the inn closed.", "After the war the inn closed for good.", None),
        ("The war ended before the inn closed.", "The inn closed after the war ended.", None),
        ("The plant will open in Graz.", "The plant may open in Graz.", Kind.RESERVED),
        ("All houses are thatched.", "Some houses are thatched.", Kind.WIDENED),
        (
            "Ringing proved that birds return.",
            "Ringing showed that birds return.",
            Kind.STRENGTHENED,
        ),
        ("Borg trained Captain Ruhl.", "Captain Ruhl trained Borg.", Kind.EXCHANGED),
        ("Borg trained Captain Ruhl.", "| 4 May | Captain Ruhl trained Borg |", Kind.EXCHANGED),
        ("Captain Ruhl trained Borg.", "| 4 May | Captain Ruhl trained Borg |", None),
        ("Borg trained Captain Ruhl.", "| Captain Ruhl | Trained by Borg |", None),
        ("Borg was trained by Captain Ruhl.", "Captain Ruhl trained Borg.", None),
        ("Brenner bought Norlys's mill.", "Norlys sold Brenner a mill.", None),
        (
            "In May, lighting fires is forbidden.",
            "Lighting fires is not permitted in May or June.",
            None,
        ),
        ("Peers may import each other.", "Peers never import each other.", Kind.DENIED),
        (
            "A provider that fails counts as an empty result.",
            "A provider that fails is told; it is never an empty result.",
            Kind.DENIED,
        ),
        ("The pump failed in May.", "In May the pump failed.", None),
        ("Each step gets a minute.", "Each step is given a minute.", None),
        ("Oats cost more than rye does.", "Oats are grown in the valley.", Kind.UNCOMPARED),
        (
            "The mill stopped because the weir broke.",
            "The weir broke because the mill stopped.",
            Kind.EXCHANGED,
        ),
        (
            "House rents fell while farm wages rose.",
            "House rents rose by 4 percent, while farm wages fell by 2.",
            Kind.EXCHANGED,
        ),
        ("It holds 36 litres an hour.", "It holds 36 litres a minute.", Kind.FIGURE),
        ("A half plot costs 38 euros.", PLOTS, Kind.MISPLACED),
        ("A half plot costs 21 euros.", PLOTS, None),
        ("The board can cut the period of 48 hours to 24.", PERIOD, None),
        ("The bird leaves in April.", "It comes in April, and leaves in May.", Kind.MISPLACED),
        ("The bird leaves in May.", "It comes in April, and leaves in May.", None),
    ],
)
def test_two_statements_clash_only_where_they_cannot_both_be_meant(
    said: str, source: str, expected: Kind | None
) -> None:
    assert kind(said, source) is expected
    assert kind(source, source) is None


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("The gate was drawn by Ruhl and opened in 1903.", "The gate was opened in 1903."),
        ("The gate, drawn by Ruhl and paid for by Sund, fell.", "The gate was drawn by Ruhl."),
        ("The gate, drawn by Ruhl and paid for by Sund, fell.", "Sund paid for the gate."),
        ("Without renewal it lapses after an hour.", "It lapses after an hour without renewal."),
        ("No more than three gates may be open.", "Up to three gates can be open."),
    ],
)
def test_part_of_a_statement_in_other_words_is_no_clash(source: str, said: str) -> None:
    assert kind(said, source) is None


def test_a_contradiction_needs_a_short_sentence_that_is_nearly_the_same() -> None:
    source = (
        "The old gate of the upper town was not open in the winter of the year of the great flood."
    )
    short = clash("The old gate was open in winter.", ["The old gate was not open in winter."], [])
    assert short == Clash(kind=Kind.DENIED, contradicts=True)
    long = clash(source.replace("not ", ""), [source], [])
    assert long == Clash(kind=Kind.DENIED, contradicts=False)
    loose = clash("The gate was open for carts.", ["The gate was not open in winter."], [])
    assert loose is None or not loose.contradicts
    assert clash("All gates were open.", ["Some gates were open."], []) == Clash(
        kind=Kind.WIDENED, contradicts=False
    )


def test_another_line_that_is_as_near_may_say_it() -> None:
    lines = ["The gate was not open on Monday.", "The gate was open on Tuesday."]
    assert clash("The gate was open on Tuesday.", lines, []) is None


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("The bridge cost 340,000 pounds.", "The Kestrel bridge cost £340,000 to build."),
        ("The bridge is 6.2 metres wide.", "It is 6.2 m wide, and the bridge is old."),
        ("Logs are kept for two weeks.", "Logs are kept for 14 days and then deleted."),
        ("Assets were 969 million dollars.", "In millions of dollars ($ in millions): assets 969"),
        ("Together they had 31 members.", "The one had 12 members and the other had 19 members."),
        ("She died at the age of 69.", "She was born in 1842 and died in 1911."),
        ("It grew by 25 percent, from 80 to 100.", "It grew from 80 to 100 in a year."),
    ],
)
def test_figures_that_follow_from_the_source_are_in_it(said: str, source: str) -> None:
    assert weigh(said, [passage(source)]).figures == ()


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("The bridge cost 340,000 euros.", "The Kestrel bridge cost £340,000 to build."),
        ("Assets were 969,977 dollars.", "Assets | 969 977"),
        ("She died at the age of 59.", "She was born in 1842 and died in 1911."),
        ("They had 31 members.", "The one had 12 members and the other had 19 members."),
    ],
)
def test_figures_that_do_not_follow_are_missing(said: str, source: str) -> None:
    assert weigh(said, [passage(source)]).figures != ()


def test_neighbouring_cells_are_two_figures() -> None:
    table = passage("Assets by year\nYear 2021 2020\nTotal assets 969 977\n")
    assert weigh("Total assets were 969 in 2021 and 977 in 2020.", [table]).figures == ()


def test_a_paraphrased_denial_is_no_contradiction() -> None:
    source = passage("The drug failed to reach its goal in any trial.")
    said = "In no trial did the drug reach its goal."
    assert weigh(said, [source]).support is not Support.CONTRADICTED


def test_signs_belong_to_clauses() -> None:
    words = {word.stem: word.sign for word in content("The inn closed, but the mill did not burn.")}
    assert (words["inn"], words["mill"], words["burn"]) == (1, -1, -1)
    assert {word.sign for word in content("He came not only early.")} == {1}
    denied = {word.stem: word.sign for word in content("The request was denied.")}
    assert denied == {"request": -1, "deni": 1}


def test_opposites_and_allies_are_told_apart() -> None:
    assert likeness("rise", "fall")[1]
    assert likeness("safe", "unsaf")[1]
    assert likeness("unfilter", "filter")[1], "by its prefix, in no list"
    assert not likeness("rise", "grow")[1]
    assert not likeness("port", "import")[1]
    assert likeness("cat", "dog") == (0.0, False)


def test_what_both_do_to_each_other_is_not_exchanged() -> None:
    assert exchanges(align("Ada married Tom.", "Tom married Ada.")) == 0


@given(ANYTHING)
def test_no_text_clashes_with_itself(text: str) -> None:
    found = clash(text, [text], [])
    assert found is None or not found.contradicts


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("Picking ends in August.", "Picking begins in August and ends in October."),
        ("The bakery opened in 2015.", "The bakery closed in 2015; the inn is still open."),
    ],
)
def test_a_word_of_another_statement_of_the_line_does_not_hide_the_opposite(
    said: str, held: str
) -> None:
    found = clash(said, [held], [])
    assert found is not None
    assert found.kind is Kind.DENIED
    assert clash(held, [held], []) is None


def test_no_denies_what_is_had_and_not_the_clause() -> None:
    held = "The service rejects requests that carry no token."
    assert clash("The service accepts requests that carry no token.", [held], []) is not None
    assert clash("The service rejects requests without a token.", [held], []) is None


@pytest.mark.parametrize(
    ("said", "line", "expected"),
    [
        ("The bridge was mended.", "Volunteers mended the bridge.", Confirmation.PLAIN),
        (
            "The bridge was patched by volunteers.",
            "The bridge was mended by volunteers.",
            Confirmation.LIKELY,
        ),
        (
            "Odile Varga Krell left Hask Tarn gladly.",
            "Odile Varga Krell came to Hask Tarn as a child.",
            None,
        ),
    ],
    ids=["the same words", "a paraphrase", "only the same names"],
)
def test_a_line_confirms_a_sentence_by_more_than_its_names(
    said: str, line: str, expected: Confirmation | None
) -> None:
    assert confirmed(said, [line], []) is expected


@pytest.mark.parametrize(
    ("line", "true", "false"),
    [
        ("The mill lacks a fire door.", "There is no fire door in the mill.",
         "There is a fire door in the mill."),
        ("The reader skips blank rows.", "Blank rows are not read.", "Blank rows are read."),
        ("The warden denied that the map had been stolen.",
         "According to the warden the map was not stolen.",
         "According to the warden the map was stolen."),
    ],
)  # fmt: skip
def test_what_is_lacked_is_denied_and_who_lacks_it_is_not(line: str, true: str, false: str) -> None:
    said = weigh(true, [passage(line)])
    assert (said.support, said.note) == (Support.SUPPORTED, "")
    assert not weigh(false, [passage(line)]).support.holds


@pytest.mark.parametrize(
    ("line", "true", "false"),
    [
        ("Counting stopped in 2003 and began again a year later.", "2004", "2002"),
        ("She died in 1948, three years after her sister Agnes.", "1945", "1951"),
        ("It closed two years after the fire of 1901.", "1903", "1899"),
        ("It opened in 1960, forty years before the bridge.", "2000", "1920"),
    ],
)
def test_a_year_that_is_told_from_another_is_known(line: str, true: str, false: str) -> None:
    said = "It was in {}."
    assert not weigh(said.format(true), [passage(line)]).figures
    assert weigh(said.format(false), [passage(line)]).figures == (false,)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Keys never show up in logs or exports.", "Keys are in no trace, log, export or error."),
        ("It is a page without scripts that can be printed.",
         "The page runs no script and can be printed."),
        ("The page has no script and can be printed.",
         "It is a page without scripts that can be printed."),
        ("`KEEP_PAGES`: no page text is kept", "| no text of pages | `KEEP_PAGES` |"),
        ("Runs that are open are offered every hour.",
         "Each hour it offers some of the runs that are not over."),
    ],
    ids=["a list", "two verbs", "a relative clause", "a row", "a denied relative clause"],
)  # fmt: skip
def test_a_denial_reaches_as_far_as_its_clause(said: str, line: str) -> None:
    found = weigh(said, [passage(line)])
    assert "says the opposite" not in found.note
    assert "affirms what" not in found.note
    assert "denies what" not in found.note


def test_a_word_of_giving_does_not_hide_another_opposite() -> None:
    line = "So each time a run is given away its fence, a number in its row, grows by one."
    assert kind("The fence shrinks by one each time a run is given away.", line) is Kind.DENIED
    assert kind("The fence grows by one each time a run is given away.", line) is None
    assert kind("Anna Wirth sold the mill to Moss.", "Moss bought the mill from Wirth.") is None


@pytest.mark.parametrize(
    ("said", "expected"),
    [("It is asked after the model.", Kind.ORDER), ("It is asked before the model.", None),
     ("It is asked after the words.", None), ("It is asked before the words.", Kind.ORDER)],
)  # fmt: skip
def test_before_and_after_are_bound_to_what_follows_them(said: str, expected: Kind | None) -> None:
    assert kind(said, "It is asked after the words and before the model.") is expected


def test_two_words_of_order_leave_open_which_is_meant() -> None:
    line = (
        "The clerk stops orders of guests before they weigh more: each is booked at the most it"
        " may weigh before it is sent."
    )
    assert kind("Before each order, the most that it may weigh is booked.", line) is None


def test_what_is_said_after_a_comma_and_not_is_denied() -> None:
    line = "Guests see the name of the house, not its address."
    assert kind("Guests see the address of the house.", line) is Kind.DENIED
    assert kind("Guests see the name of the house.", line) is None


@pytest.mark.parametrize(
    ("said", "held", "expected"),
    [
        ("The shop shuts at noon.", "The shop never opens before noon.", None),
        ("The bank agreed to pay once the bill was signed.", UNTIL, None),
        ("The bank paid before the bill was signed.", UNTIL, Kind.DENIED),
        ("The clerk took calls without a code.", "Calls without a code are refused.", None),
        ("Mules carry no loads. Carts carry all.", "By 9 a.m. Mules carry no loads.", None),
        ("Half of the crew took part.", "Half of the crew declined to take part.", Kind.DENIED),
    ],
)
def test_a_denial_reaches_as_far_as_its_statement(
    said: str, held: str, expected: Kind | None
) -> None:
    assert kind(said, held) is expected


def test_what_a_line_turns_is_told_where_no_rule_speaks() -> None:
    held, said = "Hens were banned from yards.", "Hens may be kept in the yards of all our houses."
    assert clash(said, [held], []) is None
    assert denied_share(said, [held], []) == 1
    assert denied_share(said.replace("may", "may not"), [held], []) == 0
    assert denied_share("Hens may be kept in yards?", ["May hens not be kept in yards?"], []) == 0


OFTEN = "The lift of the old mill is inspected {} by a smith."
BOTH = "The clerk is asked after the words were counted and before the model was called."


def found(said: str, *lines: str) -> tuple[Kind, bool] | None:
    clashing = clash(said, lines, [])
    return clashing and (clashing.kind, clashing.contradicts)


@pytest.mark.parametrize(
    ("said", "contradicts"),
    [
        ("Borg found 7 caves and Ruhl found 12 caves.", True),
        ("Borg happily found 7 caves and Ruhl sadly found 12 caves.", False),
    ],
)
def test_figures_that_changed_places_contradict_where_the_statements_are_nearly_the_same(
    said: str, contradicts: bool
) -> None:
    line = "Borg found 12 caves and Ruhl found 7 caves."
    assert found(said, line) == (Kind.EXCHANGED, contradicts)


@pytest.mark.parametrize(
    ("said", "expected"), [("weekly", None), ("every month", (Kind.FIGURE, False))]
)
def test_how_often_is_told_by_the_lines_that_come_near(
    said: str, expected: tuple[Kind, bool] | None
) -> None:
    lines = (OFTEN.format("weekly"), "Bread is baked monthly in the lower town of Hask.")
    assert found(OFTEN.format(said), *lines) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("The clerk is asked before the words were counted.", Kind.ORDER),
        ("The clerk is asked after the model was called.", Kind.ORDER),
        ("The clerk is asked after the words were counted.", None),
        ("The clerk is asked before the model was called.", None),
    ],
)
def test_of_two_words_of_order_each_is_bound_to_what_follows_it(
    said: str, expected: Kind | None
) -> None:
    clashing = clash(said, [BOTH], [])
    assert (clashing and clashing.kind) == expected


@pytest.mark.parametrize(
    ("whom", "expected"), [("students", Kind.MISPLACED), ("all students", None)]
)
def test_a_figure_of_another_label_is_looked_for_in_short_sentences(
    whom: str, expected: Kind | None
) -> None:
    where = "In the old harbour hall on the upper quay of the town"
    said = f"{where} {whom} pay 8 euros."
    assert len(said.split()) == SHORT + (expected is None)
    clashing = clash(said, [f"{where} adults pay 8 euros, students 5 euros."], [])
    assert (clashing and clashing.kind) is expected
