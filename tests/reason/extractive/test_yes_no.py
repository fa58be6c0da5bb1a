"""When the sources say yes or no, on what it rests, and when they leave it open."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, filed, pool

from quaere.reason.extractive.yes_no import Ground, YesNo, decide_yes_no
from quaere.text.languages.language import language_of, speaking

LIGHTS: Text = (
    "Harbour Lights",
    "Harbour Lights is a British film of 1934. Its director was Odile Varga.",
)
WHEEL: Text = (
    "The Ninth Wheel",
    "The Ninth Wheel is an Italian film. It was directed by Anselm Pryce.",
)
DIRECTORS: tuple[Text, ...] = (
    LIGHTS,
    WHEEL,
    ("Odile Varga", "Odile Varga is a Swedish director."),
    ("Anselm Pryce", "Anselm Pryce is a Swedish composer."),
)
SAME = "Are Harbour Lights and The Ninth Wheel from the same country?"
SILENT = "Are Harbour Lights and The Ninth Wheel both silent films?"


def decided(question: str, *texts: Text) -> YesNo:
    found = decide_yes_no(question, pool(*texts))
    assert found is not None
    return found


def says(question: str, *texts: Text) -> bool | None:
    found = decide_yes_no(question, pool(*texts))
    return found and found.says


@pytest.mark.parametrize(
    "question",
    [
        "Are the directors of Harbour Lights and The Ninth Wheel from the same country?",
        "Do the directors of Harbour Lights and The Ninth Wheel have the same nationality?",
        "Do Harbour Lights and The Ninth Wheel have directors of the same nationality?",
        (
            "Are the director of Harbour Lights and the director of The Ninth Wheel from the same"
            " country?"
        ),
    ],
)
def test_the_country_of_a_director_is_not_that_of_the_film(question: str) -> None:
    found = decided(question, *DIRECTORS)
    assert (found.says, found.ground) == (True, Ground.READ)
    assert [line.text for line in found.lines] == [
        "Its director was Odile Varga.",
        "Odile Varga is a Swedish director.",
        "It was directed by Anselm Pryce.",
        "Anselm Pryce is a Swedish composer.",
    ]


def test_the_director_of_one_film_may_be_set_against_somebody_else() -> None:
    question = "Are the director of Harbour Lights and Anselm Pryce from the same country?"
    found = decided(question, *DIRECTORS)
    assert found.says
    assert [line.owner for line in found.lines] == [0, 2, 3]


def test_a_film_whose_director_nobody_tells_of_leaves_the_country_open() -> None:
    question = "Are the directors of Harbour Lights and The Ninth Wheel from the same country?"
    assert says(question, *DIRECTORS[:3]) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A film. It is long. It is Italian.", True),
        ("A film. It is long. It was loved. An Italian tune is played in it.", None),
        ("A film of Sweden and Italy.", True),
        ("A film of Sweden and France, sold to Italy.", False),
    ],
)
def test_the_country_is_told_first_on_a_page(text: str, said: bool | None) -> None:
    """Countries further down are those of other things."""
    assert says(SAME, ("Harbour Lights", text), WHEEL) is said


@pytest.mark.parametrize(
    ("lights", "wheel", "said"),
    [
        ("It is a silent film.", "It is a silent film.", True),
        ("It is a film. It is silent.", "It is a silent film.", True),
        ("It is a silent film.", "It is a play.", False),
        ("It is a play.", "It is a silent film.", False),
    ],
)
def test_what_is_said_of_both_has_to_be_on_either_page(lights: str, wheel: str, said: bool) -> None:
    found = decided(SILENT, ("Harbour Lights", lights), ("The Ninth Wheel", wheel))
    assert (found.says, found.ground) == (said, Ground.SHARED)
    assert [line.owner for line in found.lines] == [0, 1]


def test_nothing_is_said_of_both_where_one_has_no_page() -> None:
    assert says(SILENT, ("Harbour Lights", "It is a silent film.")) is None


def test_two_things_asked_at_once_are_not_decided() -> None:
    question = "Were Harbour Lights and The Ninth Wheel both shot in Britain or Italy?"
    assert says(question, LIGHTS, WHEEL) is None


@pytest.mark.parametrize(
    "text",
    [
        "The Esk is longer than the Hask.",
        "The Hask is longer than the Sorrel.",
        "Is the Esk longer than the Sorrel?",
    ],
)
def test_an_order_is_told_of_both_rivers_in_a_statement(text: str) -> None:
    assert says("Is the Esk longer than the Sorrel?", ("Notes", text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "# The dome turns on brass wheels",
        "The dome turns on brass wheels?",
        "material of the dome: brass; it turns on: wheels",
        "| Dome | turns on brass wheels |",
    ],
)
def test_a_heading_a_question_and_a_record_assert_nothing(text: str) -> None:
    assert says("Does the dome turn on brass wheels?", ("Notes", text)) is None


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("Gas lamps of the harbour need daily trimming.", Ground.SAID),
        ("The gas lamps of the harbour are in need of trimming.", Ground.LACKING),
    ],
)
def test_a_sentence_that_says_nearly_all_is_better_ground_than_one_that_says_most(
    text: str, ground: Ground
) -> None:
    question = "Do gas lamps of the harbour need daily trimming, too?"
    assert decided(question, ("Notes", text)).ground is ground


def test_a_sentence_without_a_word_that_is_no_verb_shares_the_rest() -> None:
    text = "The gas lamps of the harbour are in need of trimming."
    question = "Are gas lamps of the harbour daily in need of trimming?"
    assert decided(question, ("Notes", text)).ground is Ground.SHARED


def test_two_names_together_are_more_than_a_name() -> None:
    question = "Is Orbis Hask?"
    assert says(question, ("Notes", "Orbis lived in Hask.")) is True
    assert says(question, ("Notes", "Orbis lived here."), ("Town", "Hask is large.")) is None
    met = ("Notes", "Odile Varga met Anselm Pryce in Hask.")
    assert decided("Does Odile Varga know Anselm Pryce?", met).ground is Ground.LACKING


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("Are user interfaces included?", "User interfaces and themes.", False),
        ("Are user interfaces not included?", "User interfaces and themes.", True),
        ("Are user interfaces included?", "User accounts and themes.", None),
    ],
)
def test_what_is_left_out_is_under_a_heading_that_says_so(
    question: str, text: str, said: bool | None
) -> None:
    found = decide_yes_no(question, pool(("Notes", f"## Out of scope\n\n{text}")))
    assert (found and (found.says, found.under)) == (
        said if said is None else (said, "Out of scope")
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Die Kuppel dreht sich auf Rädern.", True),
        ("Die Kuppel dreht sich nicht auf Rädern.", False),
        ("Nachts ist es still, die Kuppel dreht sich nicht auf Rädern.", False),
        ("Die Kuppel dreht sich auf Rädern, nachts nicht.", True),
    ],
)
def test_in_german_the_clause_that_tells_it_is_the_one_that_may_deny_it(
    text: str, said: bool
) -> None:
    question = "Dreht sich die Kuppel auf Rädern?"
    with speaking(language_of(question)):
        assert says(question, ("Notizen", text)) is said


RIVERS: tuple[Text, ...] = (
    ("Sorrel", "The Sorrel is 12 km long."),
    ("Esk", "The Esk is 9 km long."),
)


@pytest.mark.parametrize(
    ("question", "texts", "said", "ground"),
    [
        ("Is the Sorrel longer than the Esk?", RIVERS, True, Ground.READ),
        ("Is the Esk longer than the Sorrel?", RIVERS, False, Ground.READ),
        ("Is the Esk shorter than the Sorrel?", RIVERS, True, Ground.READ),
        (
            "Is the Esk longer than the Sorrel?",
            [("Notes", "The Esk is longer than the Sorrel.")],
            True,
            Ground.SAID,
        ),
        (
            "Is the Sorrel longer than the Esk?",
            [("Notes", "The Esk is longer than the Sorrel.")],
            False,
            Ground.SAID,
        ),
        (
            "Is the Sorrel longer than the Esk?",
            [("Notes", "The Esk is not longer than the Sorrel.")],
            None,
            None,
        ),
    ],
)
def test_an_order_is_decided_by_figures_or_by_who_comes_first(
    question: str, texts: list[Text], said: bool | None, ground: Ground | None
) -> None:
    found = decide_yes_no(question, pool(*texts))
    assert (found and found.says) is said
    assert (found and found.ground) is ground
    assert found is None or len(found.lines) == (2 if ground is Ground.READ else 1)


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("Do the gas lamps need oil?", "The gas lamps need oil.", True),
        ("Do the gas lamps need oil?", "The gas lamps do not need oil.", False),
        ("Do the gas lamps need oil?", "For the gas lamps oil is optional.", False),
        ("Do the gas lamps need oil?", "The gas lamps do not always need oil.", None),
        ("Do the gas lamps not need oil?", "The gas lamps do not need oil.", True),
        ("Can the gas lamps burn without oil?", "The gas lamps need oil to burn.", False),
        ("Can the gas lamps burn without oil?", "The gas lamps burn best with oil.", None),
        ("Are there 7 gas lamps on the pier?", "There are 7 gas lamps on the pier.", True),
        ("Are there 7 gas lamps on the pier?", "There are gas lamps on the pier.", None),
        (
            "Are there 7 gas lamps on the pier?",
            "There are more than 5 gas lamps on the pier.",
            None,
        ),
        ("Are gas lamps on the pier?", "There are 7 gas lamps on the pier.", True),
        ("Did the gas lamps rise or fall?", "The gas lamps rise and fall.", None),
        ("Why do the gas lamps need oil?", "The gas lamps need oil.", None),
    ],
)
def test_a_sentence_affirms_denies_or_leaves_it_open(
    question: str, text: str, said: bool | None
) -> None:
    """A part, another amount and the mere words of a denial leave it open."""
    assert says(question, ("Notes", text)) is said


def test_what_is_told_under_a_heading_of_what_is_left_out_is_denied() -> None:
    text = "## Not included\n\nThe gas lamps burn oil at night."
    found = decided("Do the gas lamps burn oil at night?", ("Notes", text))
    assert (found.says, found.ground, found.under) == (False, Ground.SAID, "Not included")


def test_of_itself_a_page_says_this_program() -> None:
    question = "Does hask copy files at night?"
    assert says(question, ("hask", "This program does copy files at night.")) is True


KEYS: Text = (
    "Keys",
    "A long brass key can be used for cupboards only. A steel key opens any lock.",
)


@pytest.mark.parametrize(
    ("question", "says_so"),
    [
        ("Can a long brass key be used for gates?", False),
        ("Can a long brass key be used for cupboards?", True),
        ("Can a long brass key be used by guests?", None),
    ],
)
def test_what_is_for_one_thing_only_is_not_for_another(question: str, says_so: bool | None) -> None:
    assert says(question, KEYS) is says_so


def test_a_file_of_changes_says_yes_only_where_changes_are_asked_for() -> None:
    changes = ("ChangeLog", "Let a brass key open gates.")
    assert says("Can a brass key open gates?", changes) is None
    assert says("Can a brass key open gates?", ("Keys", changes[1])) is True


def test_what_may_be_does_not_say_that_it_is() -> None:
    may = ("Notes", "Depending on the tide, the ferry may also carry heavy carts to the island.")
    does = ("Notes", "The ferry carries heavy carts to the island.")
    question = "Does the ferry carry heavy carts to the island?"
    assert says(question, may) is None
    assert says(question, may, does) is True
    assert says("May the ferry carry heavy carts to the island?", may) is True


def test_what_leads_in_to_a_list_is_said_of_its_items() -> None:
    text = (
        "By default, the pump will:\n\n- Not flood the lower dock (`flood=off`).\n- Run at night.\n"
    )
    found = decided("Does the pump flood the lower dock by default?", ("pump", text))
    assert (found.says, found.ground) == (False, Ground.SAID)
    assert found.under == "By default, the pump will"


def test_what_an_option_says_is_said_of_its_label() -> None:
    text = "-r, --rope\n    No knots are tied for such a boat, whatever the weather.\n"
    found = decided("Are knots tied for a boat with --rope?", ("moor", text))
    assert (found.says, found.under) == (False, "-r, --rope")


def test_there_is_none_of_what_is_asked_for_at_all() -> None:
    said = ("Notes", "There is no ballast: the hull is heavy. Ballast is sent to other yards.")
    assert says("Is any ballast sent?", said) is False
    assert says("Is any ballast sent?", ("Notes", "There is no ballast in the bow.")) is None


OPTIONS = (
    "-d\n--dock\n    The new boat will be allowed to enter the dock.\n\n"
    "-D\n--no-dock\n    The new boat will not be allowed to enter the dock. This is the default.\n"
)


def test_the_option_that_is_the_default_answers_what_is_so_by_default() -> None:
    found = decided("Can a new boat enter the dock by default?", ("mkboat", OPTIONS))
    assert (found.says, found.under) == (False, "-D --no-dock")
    assert len(found.lines) == 2


def test_who_is_not_allowed_to_do_it_does_not_do_it() -> None:
    said = ("Notes", "Small boats of the north quay are not allowed to enter the inner dock.")
    assert says("Can small boats of the north quay enter the inner dock?", said) is False


@pytest.mark.parametrize(
    ("text", "says_so"),
    [
        ("Anywhere else the lamps are sent by cart.", None),
        ("The oil is sent by cart.", None),
        ("Our oil is not sent anywhere.", False),
        ("Some of the oil is sent anywhere you like.", True),
    ],
)
def test_each_of_few_words_has_to_be_said(text: str, says_so: bool | None) -> None:
    """However common "oil" is in the sources, what else is sent tells nothing of it."""
    common = [("Stores", f"The oil of store {n} is dear.") for n in range(9)]
    assert says("Is the oil sent anywhere?", ("Carts", text), *common) is says_so


TRIAL: tuple[Text, ...] = (
    (
        "Hulls at sea",
        (
            "Oak hulls were towed for a week, and elm hulls for another. Drag did not differ"
            " between the conditions. The count of leaks differed between the two."
        ),
    ),
    ("Drag", "The count of drag rose. Drag differed between tar and pitch."),
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Did drag differ between oak and elm hulls?", False),
        ("Did the count of leaks differ between oak and elm hulls?", True),
        ("Did drag differ between tar and pitch?", True),
        ("Did drag differ between oak and pitch?", None),
        ("Did the weight differ between oak and elm hulls?", None),
    ],
)
def test_what_differs_need_not_be_said_with_the_names_of_both(
    question: str, expected: bool | None
) -> None:
    assert says(question, *TRIAL) is expected


BERTHS: Text = (
    "Berths",
    (
        "Use of the open slip is forbidden for visitors. The night berth is not permitted for"
        " guests. Guests may use the day berth."
    ),
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Can visitors use the open slip?", False),
        ("Is the open slip forbidden for visitors?", True),
        ("May guests use the night berth?", False),
        ("May guests use the day berth?", True),
    ],
)
def test_what_is_forbidden_or_not_permitted_is_a_no(question: str, expected: bool) -> None:
    assert says(question, BERTHS) is expected


KEEPING: Text = (
    "bail",
    (
        "OPTIONS\n"
        "       -k, --keep\n"
        "           Leave the water of the lock in the tank after bailing.\n\n"
        "       -s, --store\n"
        "           Store the bilge log of the lock in the tower. This is the default.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Does bail leave the water of the lock in the tank?", None),
        ("Can bail leave the water of the lock in the tank?", True),
        ("Does the option --keep leave the water of the lock in the tank?", True),
        ("Does bail store the bilge log of the lock in the tower by default?", True),
    ],
)
def test_what_is_so_with_an_option_need_not_be_so_without_it(
    question: str, expected: bool | None
) -> None:
    assert says(question, KEEPING) is expected


LOG: Text = (
    "NOTE",
    (
        "The harbour log is a book that lists each boat. You should not burn it. It lists no"
        " gulls. The tower log is short."
    ),
)


def test_what_it_stands_for_may_be_in_the_sentence_before_and_is_never_certain() -> None:
    found = decided("Should I burn the harbour log?", LOG)
    assert (found.says, found.ground) == (False, Ground.LACKING)
    assert [line.text[:16] for line in found.lines] == ["The harbour log ", "You should not b"]
    assert says("Should I burn the tower log?", LOG) is None
    assert says("Is it forbidden to swim?", ("Rules", "It is not forbidden to swim.")) is False
    assert says("Is swimming forbidden?", ("Rules", "Swimming is forbidden.")) is True


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is the size of the hull placed in the log?", None),
        ("Can the size of the hull be placed in the log?", True),
    ],
)
def test_whether_or_not_denies_nothing_and_an_option_may_be_written_both_ways(
    question: str, expected: bool | None
) -> None:
    text: Text = (
        "bail",
        "--[no-]size: tells whether or not the size of the hull is placed in the log of bail.",
    )
    assert says(question, text) is expected


@pytest.mark.parametrize(
    ("question", "ground"),
    [
        ("Does the pump delete old tapes by itself?", Ground.LACKING),
        ("Does the pump delete old tapes if it is told so?", Ground.SHARED),
    ],
)
def test_what_is_so_on_a_condition_is_not_said_of_all(question: str, ground: Ground) -> None:
    text = "If it is told so, the pump deletes all old tapes. It is loud."
    found = decide_yes_no(question, pool(("Pump", text)))
    assert found is not None
    assert (found.says, found.ground) == (True, ground)


def test_what_is_said_of_another_thing_than_the_one_that_ends_the_question_decides_nothing() -> (
    None
):
    made: Text = ("Hask", "Hask is a pump. Hask is cast in pure brass, and as light as tin.")
    assert decide_yes_no("Is Hask cast in tin?", pool(made)) is None
    assert decide_yes_no("Is Hask cast in brass?", pool(made)) is not None


def test_below_a_heading_the_line_that_has_its_words_is_meant() -> None:
    page: Text = (
        "tern",
        (
            "# tern\n\n## Buoyant, floodproof, stormproof\n\nAll hulls of tern are"
            " floodproof by default. They are not stormproof, but can be decked.\n"
        ),
    )
    found = decide_yes_no("Is tern stormproof?", pool(page))
    assert found is not None
    assert (found.says, found.ground) == (False, Ground.SAID)


@pytest.mark.parametrize(
    "code", ["// a store that is not kelp and has no clock", "kelp(tide, clock=False)"]
)
def test_code_asserts_nothing(code: str) -> None:
    page: Text = ("kelp", f"kelp reads tides.\n\n{code}\n")
    assert decide_yes_no("Does kelp have a clock?", pool(page)) is None


def test_what_an_option_says_of_a_default_does_not_say_what_is_so_by_default() -> None:
    page: Text = (
        "kelp",
        (
            "OPTIONS\n  --wait SECONDS\n      How long kelp waits before it reads tides anew (it"
            " changes the default pause).\n"
        ),
    )
    assert decide_yes_no("Does kelp wait by default?", pool(page)) is None


def test_a_line_is_of_what_its_file_is_called() -> None:
    read = filed("tern.md", "Notes", "# Notes\n\nTake it from the shelf. It is not stormproof.\n")
    found = decide_yes_no("Is tern stormproof?", read)
    assert found is not None
    assert (found.says, found.ground) == (False, Ground.SAID)


@pytest.mark.parametrize(
    ("question", "line", "says"),
    [
        ("Can it read old maps?", "Most that fail are maps on old linen.", None),
        ("Can it read old maps?", "It reads maps on old linen.", True),
        ("Does it have old maps?", "There are maps on old linen.", True),
        ("Does Ada Novak read?", "The keeper of old maps is Ada Novak.", None),
        ("Does Ada Novak read?", "Ada Novak reads and writes.", True),
    ],
)
def test_a_heading_asserts_no_verb(question: str, line: str, *, says: bool | None) -> None:
    found = decide_yes_no(question, pool(("Atlas", f"# Reading old maps\n\n{line}\n")))
    assert (found.says if found else None) is says


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Is water allowed in the map room?", "Food is not allowed in the map room."),
        ("Does Ada Novak study law?", "Ada Novak plans to study law."),
    ],
)
def test_a_rule_on_another_thing_or_a_plan_decides_nothing(question: str, line: str) -> None:
    assert says(question, ("Notes", f"{line} Water is in the tap.")) is None


def test_what_is_said_of_both_is_said_of_those_that_are_asked_of() -> None:
    both = ("Hask", "Members of the crew get free tea; non-members pay for it.")
    found = decide_yes_no("Do members of the crew get free tea?", pool(both))
    assert found is not None
    assert found.says


def test_to_get_is_a_verb_that_no_line_need_have() -> None:
    found = decide_yes_no(
        "Can I get a refund for a lost ticket?",
        pool(("Hask", "No refund is given for a lost ticket.")),
    )
    assert found is not None
    assert not found.says


@pytest.mark.parametrize(
    "line",
    ["I examined the hurdles and willow is good.", "We test that willow is good for hurdles."],
)
def test_a_test_that_tells_what_came_of_it_is_told(line: str) -> None:
    found = decide_yes_no("Is willow good for hurdles?", pool(("Hask", line)))
    assert found is not None
    assert found.says


def test_an_item_that_names_things_asserts_nothing() -> None:
    named = pool(("Hask", "Left to others:\n\n- Boats that need a new keel\n"))
    said = pool(("Hask", "Boats of Hask need a new keel.\n"))
    assert decide_yes_no("Do boats need a new keel?", named) is None
    assert decide_yes_no("Do boats need a new keel?", said) is not None
