"""What stands below a heading that names it."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.manuals.labelled import find_headed_fact

KELP: Text = (
    "kelp",
    (
        "# kelp\n\nkelp reads tides.\n\n## Author\n\nOdile Varga, of Tarnholm\n\n"
        "## Status\n\nIt is tried on the river alone.\n\n## Install\n\nkelp-get --now kelp\n\n"
        "## License\n\nISC\n"
    ),
)
HASK: Text = ("Hask", "# Hask\n\nHask is a pump.\n\n## License\n\nAll may use it.\n")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What licence does kelp have?", "License: ISC"),
        ("Which license is kelp released under?", "License: ISC"),
        ("Under which licence is Hask distributed?", "All may use it."),
        ("Who is the author of kelp?", "Author: Odile Varga, of Tarnholm"),
        ("What is the status of kelp?", "It is tried on the river alone."),
        ("What is the author of Hask?", None),
        ("What install does kelp have?", None),
        ("What licence does Skua have?", None),
        ("Which river does kelp have?", None),
    ],
)
def test_a_heading_names_what_is_told_below_it(question: str, told: str | None) -> None:
    found = find_headed_fact(question, pool(KELP, HASK))
    assert (found.text if found else None) == told


def test_one_of_several_items_is_no_fact_by_itself() -> None:
    sizes = ("Hulls", "# Hulls\n\n## Sizes\n\n- small\n- large\n\n## Colours\n\n- red\n")
    assert find_headed_fact("Which sizes are there?", pool(sizes)) is None
    only = find_headed_fact("Which colours are there?", pool(sizes))
    assert only is not None
    assert only.text == "Colours: red"


@pytest.mark.parametrize(
    "below",
    ["### Short form", "| name | year |\n|---|---|\n| ISC | 1990 |", "One of these:", "Which one?"],
)
def test_what_tells_nothing_by_itself_is_no_fact_below_a_heading(below: str) -> None:
    page = f"# kelp\n\nkelp reads tides.\n\n## License\n\n{below}\n\n## Status\n\nIt is tried.\n"
    assert find_headed_fact("What licence does kelp have?", pool(("kelp", page))) is None


def test_the_quote_has_the_heading_with_what_is_below() -> None:
    (said,) = answer("What licence does kelp have?", KELP)
    assert said.text == "License: ISC"
    assert said.quotes[0].text.endswith("License\n\nISC")


PAGE: Text = (
    "TERN(1)",
    (
        "NAME\n       tern - counts tides\n\nAUTHORS\n       Written by Odile Varga.\n\n"
        "SEE ALSO\n       kelp(1)\n"
    ),
)
FIELDS: Text = (
    "Skua",
    (
        "Metadata-Version: 2.1\nName: skua\nAuthor-email: Bo Marsh <bo@tarn.example>\n"
        "License: ISC\nRequires-Python: >=3.8\n\nSkua reads tides of the river Tarn.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("who wrote tern", "Written by Odile Varga."),
        ("who made skua", "Author-email: Bo Marsh <bo@tarn.example>"),
        ("who maintains skua", None),
        ("who wrote kelp", None),
        ("which python does skua need", "Requires-Python: >=3.8"),
        ("what licence does skua have", "License: ISC"),
        ("what name does skua have", "Name: skua"),
        ("what river does skua have", None),
    ],
)
def test_sections_of_man_pages_and_fields_tell_facts_as_headings_do(
    question: str, told: str | None
) -> None:
    found = find_headed_fact(question, pool(PAGE, FIELDS))
    assert (found.text if found else None) == told


def test_a_field_may_stand_between_colons() -> None:
    page = ("hask", "hask - reads tapes\n\n:Author: Odile Varga\n:Version: 2\n\nIt reads tapes.\n")
    found = find_headed_fact("Who wrote hask?", pool(page))
    assert found is not None
    assert found.text == "Author: Odile Varga"


def test_a_field_that_is_called_as_asked_goes_before_one_with_more_to_its_name() -> None:
    page = ("tern", "Name: tern\nAuthor: Odile Varga\nAuthor-email: odile@tern.example\n")
    found = find_headed_fact("Who is the author of tern?", pool(page))
    assert found is not None
    assert found.text == "Author: Odile Varga"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which variables does hask use?", None),  # the first of what the section says
        ("Which bells does hask use?", "Bells are of brass or of tin."),
        ("Which oils does hask need?", "OILS: whale, walnut"),
    ],
)
def test_several_things_are_not_told_by_a_sentence_about_one(
    question: str, told: str | None
) -> None:
    page = (
        "hask",
        (
            "# hask\n\n## Variables\n\nHask rings on deck and in harbours. The crew tells them.\n\n"
            "## Bells\n\nBells are of brass or of tin.\n\n## OILS\n\nwhale, walnut\n"
        ),
    )
    found = find_headed_fact(question, pool(page))
    assert (found.text if found else None) == told
