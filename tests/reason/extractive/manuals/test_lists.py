"""Which list or steps answer a question."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.evidence import Evidence, Score
from quaere.domain.report import DirectKind
from quaere.reason.extractive.manuals.lists import find_list
from quaere.reason.extractive.pool import Pool
from quaere.text.languages.language import language_of, speaking

TOOL: Text = (
    "gully",
    (
        "# gully\n\ngully copies log files.\n\n## Installation\n\n1. Download the archive.\n"
        "2. Unpack it into `/opt/gully`.\n3. Run the setup.\n\n## Out of scope\n\n"
        "- Copying of directories\n- Compression\n\n## Supported systems\n\n- Debian\n- OpenBSD\n"
        "\nPrimary users:\n- People with many logs\n- Their clerks\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("How do I install gully?", ["Download the archive.", "Unpack it into `/opt/gully`.",
                                     "Run the setup."]),
        ("Which systems does gully support?", ["Debian", "OpenBSD"]),
        ("Who are the primary users of gully?", ["People with many logs", "Their clerks"]),
        ("What is out of scope?", ["Copying of directories", "Compression"]),
        ("Which tapes does gully support?", []),
        ("Which planets does gully support?", []),
        ("How do I remove gully?", []),
        ("Who wrote gully?", []),
    ],
)  # fmt: skip
def test_items_answer_where_their_heading_says_what_is_asked(
    question: str, items: list[str]
) -> None:
    assert [line.text for line in find_list(question, pool(TOOL))] == items


def test_the_tenth_item_is_of_the_same_list_as_the_ninth() -> None:
    towns = "Hask Maren Orrin Brell Dunmere Velling Sorrel Ulm Aix Bex Ely"
    names = [f"Lamp of {town}" for town in towns.split()]
    text = "# Stock\n\n## Lamps in the store\n\n" + "\n".join(
        f"{number}. {name}" for number, name in enumerate(names, 1)
    )
    items = find_list("Which lamps are in the store?", pool(("Stock", text)))
    assert [line.text for line in items] == names


def test_steps_are_shown_in_their_order_and_nothing_beside_them() -> None:
    said = answer("How do I install gully?", TOOL)
    assert [sentence.text for sentence in said] == [
        "Download the archive.",
        "Unpack it into `/opt/gully`.",
        "Run the setup.",
    ]


@pytest.mark.parametrize("question", ["Is compression supported?", "Is compression included?"])
def test_what_stands_under_out_of_scope_is_a_no(question: str) -> None:
    first, *others = answer(question, TOOL)
    assert first.direct is not None
    assert (first.direct.kind, first.direct.text) == (DirectKind.YES_NO, "No")
    assert first.text == "Out of scope: Compression"
    assert not others


def test_asked_for_the_default_the_item_that_is_it_is_shown_alone() -> None:
    text = "# Lamps\n\n## Oil of a lamp\n\n- `whale`, dear\n- `rape`, the default\n- `none`\n"
    items = find_list("Which oils are the default of a lamp?", pool(("Lamps", text)))
    assert [line.text for line in items] == ["`rape`, the default"]


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Which steps are there?", []),
        ("Which outputs are there?", ["Text", "JSON, the default"]),
        ("Which outputs are the default?", ["JSON, the default"]),
        ("Which inputs are the default?", ["Tapes by default", "Disks by default"]),
        ("Which colours are there?", []),
    ],
)
def test_the_one_item_that_is_the_default_is_told_where_that_is_asked(
    question: str, items: list[str]
) -> None:
    """A list has two items at least, and has what is asked for over it."""
    text = (
        "# gully\n\n## Outputs\n\n- Text\n- JSON, the default\n\n## Inputs\n\n- Tapes by default\n"
        "- Disks by default\n\n## Colours\n\n- Red\n"
    )
    assert [line.text for line in find_list(question, pool(("gully", text)))] == items


def test_steps_are_numbered() -> None:
    text = "# gully\n\n## Installation\n\n- Download the archive.\n- Run the setup.\n"
    assert find_list("How do I install gully?", pool(("gully", text))) == ()


LAB: Text = (
    "Lab",
    (
        "The dark lab is on the third floor.\n\nIn the dark lab visitors must not do these:\n\n"
        "- Smoke\n- Open a window\n\nIn the dark lab visitors may do these:\n\n"
        "- Sit\n- Read\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("What can't visitors do in the dark lab?", ["Smoke", "Open a window"]),
        ("What can visitors do in the dark lab?", ["Sit", "Read"]),
        ("What can pilots do in the dark lab?", []),
        ("Can visitors do these in the dark lab?", []),
    ],
)
def test_what_one_may_do_is_the_list_that_a_sentence_with_all_of_it_leads_in_to(
    question: str, items: list[str]
) -> None:
    assert [line.text for line in find_list(question, pool(LAB))] == items


def test_what_are_the_things_of_a_kind_is_a_list_however_the_kind_is_called() -> None:
    text = "## Reading\n\nSafety rules:\n- Wear a mask\n- Lock the door\n"
    found = find_list("What are the safety rules for reading?", pool(("Hall", text)))
    assert [line.text for line in found] == ["Wear a mask", "Lock the door"]


WEIR: Text = (
    "Weir design",
    "# Weir design\n\n## 1. Stages\n\n- **Gates**: north, south, east\n- Lamps: 3\n",
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("List all gates of the weir.", ["**Gates**: north, south, east"]),
        ("Which gates does the weir have?", ["**Gates**: north, south, east"]),
        ("List all lamps of the weir.", []),
        ("List all gates of the old lock.", []),
    ],
)
def test_a_label_names_what_is_listed_behind_it(question: str, said: list[str]) -> None:
    assert [line.text for line in find_list(question, pool(WEIR))] == said


SURVEY: Text = (
    "Report on the leaking of the hulls",
    "## Cause\n\n- Worms.\n- Rust.\n\n## Recommendations\n\n- Tar the seams.\n- Dry the bilge.\n",
)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        (
            "What did the report on the leaking hulls recommend?",
            ["Tar the seams.", "Dry the bilge."],
        ),
        ("What does the report on the cheese recommend for the cellar?", []),
    ],
)
def test_what_somebody_does_is_the_list_under_a_heading_that_says_it(
    question: str, items: list[str]
) -> None:
    assert [line.text for line in find_list(question, pool(SURVEY))] == items


SCOPE: Text = (
    "Harbour plan",
    (
        "# Harbour plan\n\n## Scope\n\n- In scope: piers, buoys and the rope store.\n"
        "- Out of scope: lighthouses and the castle.\n"
    ),
)


def test_the_item_that_is_called_as_is_asked_answers_alone() -> None:
    found = find_list("What is out of scope for the harbour plan?", pool(SCOPE))
    assert [line.text for line in found] == ["Out of scope: lighthouses and the castle."]
    assert len(find_list("What is the scope of the harbour plan?", pool(SCOPE))) == 2


HOUSE: Text = (
    "Règlement de la copropriété",
    (
        "# Règlement de la copropriété\n\nLe montant des charges est de 90 euros. Il comprend :\n\n"
        "- l'eau froide\n- le jardinier\n\nLe chauffage est payé à part.\n"
    ),
)
MUSEUM: Text = (
    "港の資料館",
    "# 港の資料館\n\n館長は森です。主な展示は次のとおりです。\n\n- 古い網\n- 船大工の道具\n",
)


@pytest.mark.parametrize(
    ("text", "question", "items"),
    [
        (HOUSE, "Que comprennent les charges de la copropriété ?",
         ["l'eau froide", "le jardinier"]),
        (HOUSE, "Que paie le syndic de la copropriété ?", []),
        (MUSEUM, "資料館の主な展示は何ですか。", ["古い網", "船大工の道具"]),
    ],
)  # fmt: skip
def test_a_list_in_another_language_answers_what_leads_in_to_it(
    text: Text, question: str, items: list[str]
) -> None:
    with speaking(language_of(question)):
        assert [line.text for line in find_list(question, pool(text))] == items


def test_a_list_is_led_in_to_from_the_passage_before() -> None:
    lead = "In the lab of the harbour you must not bring:"
    cut = pool(("Rules", "- food\n- dogs\n")).passages[0].model_copy(update={"lead_in": lead})
    cited = Evidence(id=1, passage=cut.id, url=cut.url, title=cut.title, score=Score())
    question = "What must you not bring into the lab of the harbour?"
    assert [line.text for line in find_list(question, Pool([cited], {cut.id: cut}))] == [
        "food",
        "dogs",
    ]


RIG: Text = (
    "kelp",
    (
        "# kelp\n\nHow it is rigged is set by `sailPlan`. It can be one of two values:\n\n"
        "1. `sloop`: one mast.\n2. `yawl`: two masts.\n"
    ),
)


def test_what_leads_in_to_a_list_may_point_to_the_sentence_before() -> None:
    found = find_list("Which values can sailPlan have?", pool(RIG))
    assert [line.text for line in found] == ["`sloop`: one mast.", "`yawl`: two masts."]


def test_the_default_is_one_thing_and_no_list() -> None:
    assert find_list("What is the default sailPlan of kelp values?", pool(RIG)) == ()


YARD = "Jobs for the yard day:\n\n1) Shed\n{0}a) sweep the floor\n{0}b) oil the hinges\n2) Pond\n"
KIT = "Tools to bring:\n\n- Rake\n  - spare handle\n- Shears\n\n• Watering\n• Mowing\n"


@pytest.mark.parametrize("indent", ["", "   "])
def test_items_below_an_item_are_a_list_of_their_own(indent: str) -> None:
    read = pool(("Yard", YARD.format(indent)))
    found = [
        [line.text for line in find_list(question, read)]
        for question in ("What are the jobs for the yard day?", "What are the jobs in the shed?")
    ]
    assert found == [["Shed", "Pond"], []]
    rules = pool(
        ("House", "Rules:\n\n1) Quiet hours\n   a) at night\n   b) at noon\n2) Bicycles\n")
    )
    assert [line.text for line in find_list("What are the quiet hours?", rules)] == [
        "at night",
        "at noon",
    ]


def test_another_mark_begins_another_list() -> None:
    items = find_list("Which tools should we bring?", pool(("Yard", KIT)))
    assert [line.text for line in items] == ["Rake", "Shears"]


NEWS: Text = (
    "News",
    (
        "# Changes\n\n## Changes between Hask 0.2.9 and Hask 1.3.0\n\n- New pump.\n- New valve.\n\n"
        "## Measuring\n\n### tide.match(path)\n\n- `path` where the tide is read\n"
        "- `mark` what is read\n"
    ),
)


def test_the_list_of_one_version_is_not_that_of_another_whose_number_is_part_of_it() -> None:
    assert find_list("What are the changes in Hask 3.0?", pool(NEWS)) == ()
    assert len(find_list("What are the changes in Hask 1.3.0?", pool(NEWS))) == 2


def test_which_version_does_something_asks_for_no_list() -> None:
    assert find_list("Since which version does tide match?", pool(NEWS)) == ()


CASES: Text = (
    "Boats",
    (
        "# Boats\n\nA _hired boat_ is ready when:\n\n- Its ropes are dry.\n"
        "- It has been paid for.\n\n"
        "The winter market of boats is in these towns:\n\n- Brell\n- Orrin\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("When is a hired boat ready?", ["Its ropes are dry.", "It has been paid for."]),
        ("When is the winter market of boats?", []),
    ],
)
def test_asked_when_something_is_so_a_list_of_cases_answers(
    question: str, items: list[str]
) -> None:
    assert [line.text for line in find_list(question, pool(CASES))] == items


def test_what_something_is_stands_in_no_list_whose_heading_says_more() -> None:
    board = ("Rules", "# Rules\n\n## Asking the board\n\n- Of a new pier.\n- Of a closed quay.\n")
    assert find_list("What is the board?", pool(board)) == ()


def test_a_table_of_contents_lists_nothing_of_what_its_entries_are_about() -> None:
    tides = (
        "## Table of contents\n\n* Supported systems\n  * Input\n  * Strategy\n* Tides\n\n"
        "## Contents of the box\n\n- A key\n- An oar\n"
    )
    page = pool(("gully", tides))
    assert find_list("Which systems does gully support?", page) == ()
    assert find_list("What are the contents of the box?", page) != ()
