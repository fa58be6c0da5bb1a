from __future__ import annotations

import pytest
from tests.reason.extractive.passages import BORN, CHEESE, LENS, SHELF, Text, answer, pool

from quaere.domain.question import Item
from quaere.reason.extractive.bearing import has_the_named
from quaere.reason.extractive.leading import DESCRIBED
from quaere.reason.extractive.quality import FIT_TO_SHOW, needs_context, quality
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.yes_no import decide_yes_no


def test_the_sentence_with_the_answer_comes_first() -> None:
    best = Ranking(pool(*SHELF), BORN).ranked[0].chain.end
    assert best.text == "She was born in Tarnholm, a fishing town."


def test_the_expected_kind_decides_between_equals() -> None:
    texts = (
        ("n1", "The Hask bridge opened after a long delay."),
        ("n2", "The Hask bridge opened in May 1911."),
    )
    best = Ranking(pool(*texts), "When was the Hask bridge opened?").ranked[0].chain.end
    assert best.text == "The Hask bridge opened in May 1911."


@pytest.mark.parametrize(
    "question",
    [
        "How do volcanic islands form in the Pacific?",
        "qwv zzkt plomf grrx",
        "s",
        "?",
        "How do cows digest damp grass in winter?",
    ],
)
def test_questions_from_elsewhere_have_no_answer_here(question: str) -> None:
    """R2.4."""
    assert not Ranking(pool(*SHELF), question).answers


def test_a_question_about_what_a_page_is_about_has_one() -> None:
    question = "Could the strongest storm topple Quill Observatory within one single night?"
    assert Ranking(pool(*SHELF), question).answers
    assert not Ranking(pool(CHEESE, LENS), question).answers


_ROT = "Does {} rot in the loft when the boat is dry?"
_MOULD = "How do I find what gets mould out of canvas without bleach?"


@pytest.mark.parametrize(
    ("question", "text", "bears"),
    [
        (_MOULD, ("Care of the canvas", "Mould goes with lemon juice and sun."), True),
        (_MOULD, ("Care of the boat", "Mould on canvas goes with lemon juice."), False),
        (_MOULD, ("Care of the canvas", "The sun and lemon juice are good for it."), False),
        (_ROT.format("Ingrid"), ("Sail loft", "The boat is dry."), False),
        (_ROT.format("it"), ("Sail loft", "The boat is dry."), True),
    ],
    ids=["title and line", "the line alone", "the title alone", "something is named", "nothing is"],
)
def test_a_line_under_a_title_that_bears_on_the_question_need_say_less_of_it(
    question: str, text: Text, bears: bool
) -> None:
    assert Ranking(pool(text), question).answers is bears


def test_a_name_is_there_without_its_accents() -> None:
    works = pool(("Tarn Works", "Åse Gołąb left the works to his wife in 1951."))
    asked = "When did Ase Golab leave the works?"
    assert has_the_named(works, asked, compares=False)
    assert not has_the_named(works, "When did Ase Golub leave the works?", compares=False)


_LEFT = ("Tarn Works", "Ferdinand Tarn left the works to his wife Edda Holm in 1951.")


@pytest.mark.parametrize(
    ("question", "bears"),
    [
        ("When did Ferdinand Tarn leave the works to his wife?", True),
        ("When did Tarn's Ferdinand leave the works to his wife?", True),
        ("When did Susanne Tarn leave the works to her wife?", False),
        ("When did Ferdinand Tarn leave the works to Edda Holm?", True),
        ("When did Ferdinand Tarn leave the works to Ada Holm?", False),
        ("Who left the works first, Ferdinand Tarn or Ada Holm?", True),
        ("When did Ferdinand Tarn leave the works in Tarn to Ada Holm?", True),
        ("When were the works left to his wife?", True),
        ("When did The Ferdinand Tarn And I leave the works to his wife?", False),
        ("When did Ferdinand of the Tarn Works leave them to his wife?", True),
    ],
    ids=[
        *("in full", "in another order", "one word of it", "both", "one of two"),
        *("one to compare", "two of three", "nothing is named", "a small word of it is not there"),
        "joined to another",
    ],
)
def test_most_of_what_a_question_names_is_in_its_sources(question: str, *, bears: bool) -> None:
    assert Ranking(pool(_LEFT), question).answers is bears


def test_what_is_said_besides_the_question_need_not_be_in_the_sources() -> None:
    aside = "We are collecting letters and drawings for an exhibition in Ostrava."
    for asked in (f"When were the works left to his wife? {aside}", f"{aside} {BORN}"):
        assert Ranking(pool(_LEFT, *SHELF), asked).answers, asked
    elsewhere = "How do volcanic islands form in the Pacific?"
    assert not Ranking(pool(_LEFT, *SHELF), f"{aside} {elsewhere}").answers


def test_a_name_may_stand_in_a_title_alone() -> None:
    lens = ("Hask Lens Works", "The glass for the lighthouse was ground here in 1911.")
    question = "When was glass for the lighthouse ground at Hask Lens Works?"
    assert Ranking(pool(lens), question).answers
    assert not Ranking(pool(lens), question.replace("Hask", "Vorn")).answers


def test_one_side_of_a_comparison_is_enough() -> None:
    question = "Compare the Hask Lens Works with the Great Mirror Foundry of Ostrava on lighthouses"
    assert Ranking(pool(LENS), question).answers


def test_an_amount_is_asked_for_and_begun_with() -> None:
    texts = (
        ("Wheels", "How the dome of Hask turns on wheels is told to all who visit."),
        ("Dome", "The dome of Hask has 40 wheels."),
    )
    first, *_ = Ranking(pool(*texts), "How many wheels has the dome of Hask?").leading
    assert first.rated.chain.end.text == "The dome of Hask has 40 wheels."


def test_who_did_it_is_read_from_the_sentence_that_says_so() -> None:
    text = (
        "The Quill Observatory stands on Mount Sorrel above the town of Hask. "
        "It was founded in 1902 by Odile Varga. Its main mirror measures 90 centimetres."
    )
    other = ("Larkspur Society", "The Larkspur Society was founded in 1911 to protect flowers.")
    shelf = pool(("Quill Observatory", text), other)
    first, *_ = Ranking(shelf, "Who founded the Quill Observatory?").leading
    assert first.rated.chain.end.text == "It was founded in 1902 by Odile Varga."
    where, *_ = Ranking(shelf, "Where does the Quill Observatory stand?").leading
    assert where.rated.chain.end.text.startswith("The Quill Observatory stands on Mount Sorrel")


def test_each_item_has_a_line_of_its_own() -> None:
    ranking = Ranking(pool(*SHELF), BORN)
    line = ranking.best_for(Item(id="thing-1", description="Tarnholm", terms=("tarnholm",)))
    assert line is not None
    assert line.text.startswith("Tarnholm is a fishing town")
    assert ranking.best_for(Item(id="x", description="The price", terms=("price",))) is None


@pytest.mark.parametrize(
    "text",
    [
        "Read more about our cookies and how to accept them.",
        "Home | Products | About us | Contact",
        "Did the works burn down?",
        "The Works In Winter",
        "© Hask Lens Works",
        "Yes.",
        '"error": {"type": "invalid", "status": 422}.',
        "→ The works burned down in 1932.",
    ],
)
def test_menus_and_questions_are_poor_sentences(text: str) -> None:
    poor, good = (pool(("x", t)).lines_of[0][0] for t in (text, "The works burned down in 1932."))
    assert quality(poor) <= 0.5 < quality(good)


def test_headings_and_heads_of_tables_are_poor_sentences() -> None:
    text = "## Prices of lenses\n\nAll of them.\n\n| Lens | Price |\n|---|---|\n| Hask | 310 |\n"
    heading, said, head, row = pool(("x", text)).lines_of[0]
    assert quality(heading) == quality(head) == 0.1
    assert min(quality(said), 1.0) > 0.5
    assert row.columns == ("Lens", "Price")
    assert "price" in row.terms


@pytest.mark.parametrize(
    ("text", "afar"),
    [
        ("She was born in Tarnholm.", True),
        ("The film was shot at sea.", True),
        ("Er wurde in Tarnholm geboren.", True),
        ("Odile Varga was born in Tarnholm.", False),
        ("Itinerant clockmakers sold it.", False),
        ("This boat was built in Tarnholm.", True),
        ("This library was called libtide before.", False),
    ],
)
def test_sentences_that_need_the_one_before(text: str, *, afar: bool) -> None:
    assert needs_context(text) is afar


CODE: Text = ("Settings", "`max_lamps` is 9 by default. `--no-oil` leaves out the oil.")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the default of max_lamps?", True),
        ("What is the default of max_oil?", False),
        ("What does --no-oil leave out?", True),
        ("What does --no-lamps leave out?", False),
    ],
)
def test_a_name_of_code_stands_in_the_sources_as_a_whole(question: str, *, told: bool) -> None:
    """Its parts alone are those of other settings, which would be taken for it."""
    assert Ranking(pool(CODE), question).answers is told


def test_headings_belong_to_what_stands_under_them() -> None:
    text = "## Lamp\n\n### Limit\n\nIt is nine.\n\n## Boat\n\n### Limit\n\nIt is four.\n"
    assert answer("What is the limit of a boat?", ("Settings", text))[0].text == "It is four."


def test_what_may_be_is_no_answer_to_how_many() -> None:
    text = "If there is no reply within 6 days, ask again. Replies come within 5 days."
    first = answer("Within how many days do replies come?", ("Letters", text))[0]
    assert first.text == "Replies come within 5 days."


def test_a_line_that_ends_in_a_colon_is_read_with_what_follows() -> None:
    text = "Reports of faults in lamps are to be sent to:\n\n    keeper@orrin.example\n\nOther."
    first = answer("Where are faults in lamps to be sent?", ("Lamps", text))[0]
    assert first.text == "Reports of faults in lamps are to be sent to: keeper@orrin.example"


def test_how_long_is_answered_by_until_when_and_not_by_a_listing() -> None:
    listing = "   ".join(f"gully drain {n}  the logs of long ago that are kept" for n in range(9))
    manual: Text = (
        "Logs",
        (
            f"{listing}\n\nLogs are kept until they are deleted, by hand or by the service.\n\n"
            "A log of a long run tells what was kept."
        ),
    )
    first, *_ = answer("How long are logs kept?", manual)
    assert first.text == "Logs are kept until they are deleted, by hand or by the service."


def test_files_of_changes_do_not_lead_where_a_manual_tells() -> None:
    changes: Text = ("NEWS", "The hask copier shows all names of files with the option --names.")
    manual: Text = ("Hask", "With --all it shows every one of the names, whatever the file is.")
    question = "How do I have the hask copier show all names of files?"
    read = pool(changes, manual)
    assert Ranking(read, question).leading[0].rated.chain.end.owner == 1
    asked = "Which release of the hask copier added that all names of files are shown?"
    assert Ranking(read, asked).leading[0].rated.chain.end.owner == 0


NOTES: Text = (
    "Tarnwriter 4 release notes",
    "Maps can be printed on cloth. Drawings on slate have been dropped.",
)
OTHERS: Text = ("Loft", "Maps of the loft are printed on Monday. The printer stands by the door.")


def test_release_notes_lead_where_they_alone_tell_of_what_is_named() -> None:
    read = pool(OTHERS, NOTES)
    question = "can maps be printed on cloth in tarnwriter?"
    assert Ranking(read, question).leading[0].rated.chain.end.owner == 1
    told = decide_yes_no(question, read)
    assert told is not None
    assert (told.says, told.lines[0].owner) == (True, 1)
    named = ("Guide", "Tarnwriter prints maps on cloth and on felt.")
    assert Ranking(pool(named, NOTES), question).leading[0].rated.chain.end.owner == 0


def test_what_a_manual_says_in_the_same_words_is_told_from_the_manual() -> None:
    said = "The hask copier shows all names of files."
    ranking = Ranking(pool(("NEWS", said), ("Hask", said)), "What shows all names?")
    assert [rated.chain.end.owner for rated in ranking.ranked] == [1, 0]
    assert [rated.rated.chain.end.owner for rated in ranking.leading] == [1]


@pytest.mark.parametrize(
    ("question", "nearest"),
    [("Where was Odile Varga born?", 1.0), (BORN, DESCRIBED)],
)
def test_nearness_in_meaning_counts_less_where_something_is_described(
    question: str, nearest: float
) -> None:
    """What is nearest to "the founder of Quill Observatory" is the first step to the answer."""
    read = pool(*SHELF)
    nearness = {line.text: 0.1 + 0.8 * ("founded by" in line.text) for line in read.lines}
    signs = Ranking(read, question, nearness).signs
    found = {rated.chain.end.text: sign.meaning for rated, sign in signs}
    assert max(found, key=found.__getitem__).startswith("It was founded by Odile Varga")
    assert max(found.values()) == nearest
    assert min(found.values()) == 0.0


def test_a_frame_that_is_drawn_is_no_sentence() -> None:
    (line,) = pool(("n", "│ Lamp of the north │ └───────┘ Each is lit at dusk by hand.")).lines
    assert quality(line) < 0.3


def test_a_reason_for_what_the_clause_asks_goes_before_the_name_alone() -> None:
    texts = (
        (
            "The tower",
            (
                "A captain named Odile Varga had moored off the tower and gone to sea. The lamp was"
                " old."
            ),
        ),
        ("Later", "She begged him in a note to light the lamp, because a dark lamp sinks."),
        ("Cheese", "Cheese is kept in the cellar."),
    )
    said = answer("Why did Odile Varga want the lamp lighted?", *texts)
    assert said[0].text.startswith("She begged him")


def test_an_aside_in_brackets_goes_behind_a_sentence() -> None:
    text = "The mill grinds.\n\n(Ground since Hask 1.2.)\n\n(Old) stones turn there in the wind."
    read = pool(("Mill", text))
    first, aside, begins = (quality(line) for line in read.lines)
    assert aside < begins == first


@pytest.mark.parametrize("said", ["See the notes on tides.", "For more details, see the log."])
def test_a_sentence_that_sends_one_elsewhere_tells_little(said: str) -> None:
    line, other = pool(("Harbour", f"{said} The harbour floods at spring tide.")).lines_of[0]
    assert quality(line) < 0.5 < quality(other)


@pytest.mark.parametrize(
    "text",
    [
        "Further information on the works of Hask may be found in Note 5 of this report.",
        "The list of keepers of Hask in the statement of 1911 is incorporated herein by reference.",
    ],
)
def test_what_points_elsewhere_is_not_shown(text: str) -> None:
    assert quality(next(iter(pool(("Hask", text)).lines))) < FIT_TO_SHOW


def test_where_there_is_information_is_an_answer() -> None:
    page = ("Grants", "Grants are paid yearly. Information on grants can be found in the library.")
    told = answer("Where can I find information on grants?", page)
    assert told[0].text == "Information on grants can be found in the library."


@pytest.mark.parametrize(
    ("lines", "led_by"),
    [
        ("The lost data of a buoy can be recovered. Use the red cable to recover data.", "Use "),
        (
            "The crew must recover lost data of a buoy. To get data out, open the lid of a buoy.",
            "To get ",
        ),
        ("The crew must recover lost data of a buoy. To get it back, open the buoy.", "The crew "),
    ],
)
def test_what_tells_by_what_it_is_done_leads_where_it_is_asked_how(lines: str, led_by: str) -> None:
    """Unless it has next to nothing of the question."""
    said = answer("How do I recover lost data of a buoy?", ("Harbour notes", lines))
    assert said[0].text.startswith(led_by)
