"""Figures that a reader may find in a source although no word of it is that figure."""

from __future__ import annotations

import re

import pytest
from tests.verify.samples import passage, sentence

from quaere.domain.report import Ruling, Support
from quaere.verify.accounted import unaccounted
from quaere.verify.repair import Fate, verify_sentence
from quaere.verify.second_opinion import apply_rulings

SALES = """Sales by region (in thousands)

| Region | 2021 | 2022 | Change |
| --- | --- | --- | --- |
| Hills | 4,120,300 | 5,410,900 | 31.3% |
| Coast | 2,350,700 | 2,310,200 | (1.7)% |
| Harbour | 610,450 | 640,090 | 4.9% |
"""
POOL = {
    1: passage(SALES, title="Sales"),
    2: passage(
        "The 3 gardens have 640 orchids. Oil cost the garden 41,000 pounds in 2018. "
        "Power cost 17,500 pounds in 2021 and 23,800 pounds in 2022."
    ),
}


def left(text: str, source: str, *figures: str) -> tuple[str, ...]:
    return unaccounted(figures, text, [source], [])


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("The coast fell by $40.5 million.", "$40.5 million"),
        ("Sales of the hills came to $5.41 billion.", "$5.41 billion"),
        ("The coast stood at −1.7%.", "−1.7%"),
        ("Hills and coast are 33.0 points apart: 33%.", "33%"),
        ("Hills sold 2.34 times as much as the coast in 2022.", "2.34"),
        ("Harbour made up 26% of what the coast sold in 2021.", "26%"),
    ],
)
def test_what_is_reckoned_from_a_table_is_accounted_for(text: str, figure: str) -> None:
    assert left(text, SALES, figure) == ()


def test_a_rate_may_be_told_for_another_span_of_time() -> None:
    source = "The pump lifts 40 litres a second."
    for figure, follows in (("144,000", True), ("146,000", False)):
        said = f"The pump lifts {figure} litres an hour."
        assert (unaccounted([figure], said, [source], [source]) == ()) is follows
    assert unaccounted(["144,000"], "It lifts 144,000 litres.", [source], [source]) == ("144,000",)


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("The coast fell by $47.5 million.", "$47.5 million"),
        ("Sales of the hills came to $5.81 billion.", "$5.81 billion"),
        ("The coast stood at −2.7%.", "−2.7%"),
        ("Hills sold 2.94 times as much as the coast in 2022.", "2.94"),
        ("The office opened on 4 May 1987.", "4 May 1987"),
    ],
)
def test_another_figure_is_not(text: str, figure: str) -> None:
    assert left(text, SALES, figure) == (figure,)


@pytest.mark.parametrize(
    ("said", "follows"),
    [
        ("That makes {17}.", True),
        ("That is {7} more.", True),
        ("That is {2.4} times as many.", True),
        ("That makes {17}, and {7} more.", True),
        ("That makes {17}, and {8} more.", False),
        ("That is {0.4} for each.", True),
        ("That is {0.5} for each.", False),
        ("The barn has {17}.", False),
        ("That makes {7}.", False),
        ("That is {17} more.", False),
        ("That is {2.4} more.", False),
    ],
)
def test_figures_of_the_nearest_places_are_reckoned_with_where_it_is_said(
    said: str, *, follows: bool
) -> None:
    near = ["The mill has 5 rooms.", "The inn has 12."]
    figures = re.findall(r"\{(.*?)\}", said)
    text = said.replace("{", "").replace("}", "")
    assert (unaccounted(figures, text, near, near) == ()) is follows


@pytest.mark.parametrize(("figure", "follows"), [("26", True), ("27", False), ("25", False)])
def test_three_amounts_are_added_up(figure: str, *, follows: bool) -> None:
    near = ["The mill has 5 rooms.", "The inn has 12.", "The barn has 9."]
    said = f"That makes {figure} in all."
    assert (unaccounted([figure], said, near, near) == ()) is follows
    assert (unaccounted([figure], said, [" ".join(near)], near) == ()) is follows


@pytest.mark.parametrize(
    ("figure", "follows"), [("133", True), ("1,193", True), ("134", False), ("27", False)]
)
def test_columns_of_a_table_below_prose_are_added_up(figure: str, *, follows: bool) -> None:
    """Of a table alone: no sentence is near that has a figure of it."""
    table = "| Town | Boats | Crews |\n|---|---|---|\n| Brell | 31 | 205 |\n| Hask | 44 | 377 |\n"
    source = f"They were counted by hand.\n\nIn May.\n\n{table}| Orrin | 58 | 611 |\n\nNo more.\n"
    assert (left(f"In all that makes {figure}.", source, figure) == ()) is follows


def test_figures_are_read_as_the_language_of_each_text_writes_them() -> None:
    said = "Der Ofen hat 12.500 Euro gekostet, und davon hat die Stadt 4.200 Euro bezahlt."
    source = "The stove cost 12,500 euros, of which the town paid 4,200."
    assert left(said, source, "12.500", "4.200") == ()
    assert left(said, source.replace("12,500", "12,900"), "12.500") == ("12.500",)
    rest = "Damit blieben für die Gemeinde noch 8.300 Euro, die sie selbst zahlen musste."
    assert left(rest, source, "8.300") == ()
    large = "Die Stadt hat dafür im Jahr 3,4 Millionen Euro ausgegeben, und das war zu viel."
    assert left(large, "The town spent 3.4 million euros on it.", "3,4") == ()
    assert left(large, "The town spent 3.7 million euros on it.", "3,4") == ("3,4",)


def test_what_is_counted_whole_may_be_rounded_where_the_sentence_says_so() -> None:
    german = "Der Ofen fasst 1.800 kg Holz und braucht für eine Nacht im Mittel nur 210 kg."
    assert (
        left("Eine Ladung reicht damit für gut acht Nächte, wie es scheint.", german, "acht") == ()
    )
    assert left("Eine Ladung reicht damit für gut elf Nächte, wie es scheint.", german, "elf") == (
        "elf",
    )


def test_a_reader_is_believed_of_figures_that_are_accounted_for_and_of_no_others() -> None:
    ruled = {0: Ruling(support=Support.SUPPORTED)}
    for text, number, support in (
        ("The coast fell by $40.5 million.", 1, Support.SUPPORTED),
        ("Öl hat im Jahr 2018 noch 41.000 Pfund gekostet, und das war viel.", 2, Support.SUPPORTED),
        (
            "Der Garten gab 2022 für Strom damit 17.200 Pfund weniger aus als für Öl.",
            2,
            Support.SUPPORTED,
        ),
        ("Der Garten gab 2022 für Strom damit 17.900 Pfund weniger aus als für Öl.", 2, None),
        ("Öl hat im Jahr 2018 noch 47.000 Pfund gekostet, und das war viel.", 2, None),
    ):
        outcome = apply_rulings([verify_sentence(sentence(text, number), POOL)], ruled)[0]
        assert outcome.sentence is not None
        assert (outcome.sentence.support is Support.SUPPORTED) is (support is Support.SUPPORTED)


def test_a_sentence_keeps_the_citation_from_which_alone_it_has_a_figure() -> None:
    report = passage("The tower at Velling was completed in 1874, as the trust reports for 2023.")
    guide = passage("Finished in 1881, it looks over the bay. It is open on Mondays.")
    text = "The report of the trust for 2023 has the tower completed in 1874, a guide in 1881."
    outcome = verify_sentence(sentence(text, 1, 2), {1: report, 2: guide})
    assert outcome.sentence is not None
    assert outcome.sentence.evidence == (1, 2)
    assert [each.text for each in outcome.sentence.quotes if each.passage == guide.id] == [
        "Finished in 1881, it looks over the bay."
    ]
    assert outcome.fate is not Fate.DROPPED
    other = verify_sentence(sentence(text.replace("1881", "1874"), 1, 2), {1: report, 2: guide})
    assert other.sentence is not None
    assert other.sentence.evidence == (1,)


KEEPER = """mode12
  - the lamp turns without a keeper
  - the horn sounds at dusk,
    and again at midnight
  - the log is written by hand

mode50
  - the horn is off
"""
SETTINGS = """Suggested settings (all may be changed):

- `DAY_WATCH_MAX_ROUNDS=2`
- `DAY_WATCH_SECONDS=20`
- `NIGHT_WATCH_MAX_ROUNDS=6`
- `NIGHT_WATCH_SECONDS=150` (as before)
- `LAMP_OIL_LIMIT=1500000`
"""
DUTY = "No boat is towed unless its load exceeds 40 crates. Crews of fewer than 9 stay ashore."


def left_of(text: str, source: str, figure: str) -> tuple[str, ...]:
    return unaccounted([figure], text, [source], [])


@pytest.mark.parametrize(
    ("text", "source", "figure"),
    [
        ("Mode 12 brings back three habits of old keepers.", KEEPER, "three"),
        ("In mode 12 the log is written by hand.", KEEPER, "12"),
        ("A night watch takes 7.5 times as long.", SETTINGS, "7.5"),
        ("A night watch takes 130 seconds more.", SETTINGS, "130"),
        ("A load must exceed 40 crates, that is at least 41.", DUTY, "41"),
        ("Crews of 8 or fewer stay ashore.", DUTY, "8"),
        ("Die Last muss mindestens 41 Kisten betragen.", DUTY, "41"),
    ],
)
def test_what_a_list_a_name_or_a_bound_gives_is_accounted_for(
    text: str, source: str, figure: str
) -> None:
    assert left_of(text, source, figure) == ()


@pytest.mark.parametrize(
    ("text", "source", "figure"),
    [
        ("Mode 12 brings back four habits of old keepers.", KEEPER, "four"),
        ("Mode 12 lasts 3 hours.", KEEPER, "3"),
        ("In mode 13 the log is written by hand.", KEEPER, "13"),
        ("In mode 5 the horn is off.", KEEPER, "5"),
        ("A night watch takes 8.5 times as long.", SETTINGS, "8.5"),
        ("A night watch takes 85 times as many.", SETTINGS, "85"),
        ("That is 13 times the watch.", "Watch = 7\n\nSo it was.\n\nOil = 91", "13"),
        ("A load of 41 crates is towed.", DUTY, "41"),
        ("A load of at most 41 crates is towed.", DUTY, "41"),
        ("A load of at least 39 crates is towed.", DUTY, "39"),
        ("Crews of 10 or fewer stay ashore.", DUTY, "10"),
    ],
)
def test_a_figure_of_no_list_name_or_entry_is_not(text: str, source: str, figure: str) -> None:
    assert left_of(text, source, figure) == (figure,)


def test_items_of_two_lists_and_of_an_inner_one_are_counted_apart() -> None:
    source = (
        "Rules:\n\n1. Sail.\n   - by day\n   - by night\n2. Row.\n\n"
        "Tools:\n\n- oars\n- ropes\n- a lamp\n"
    )
    assert left_of("There are two rules.", source, "two") == ()
    assert left_of("There are three tools.", source, "three") == ()
    assert left_of("There are five of them.", source, "five") == ("five",)


def test_a_model_is_believed_of_them_and_words_alone_are_not() -> None:
    written = sentence("Mode 12 brings back three habits of old keepers.", 1)
    outcome = verify_sentence(written, {1: passage(KEEPER, title="Modes")})
    assert outcome.sentence is None or not outcome.sentence.support.holds
    ruled = apply_rulings([outcome], {0: Ruling(support=Support.SUPPORTED, evidence=1)})[0]
    assert ruled.sentence is not None
    assert ruled.sentence.support is Support.SUPPORTED


HARVEST = (
    "Orchard: North; Month: May; Crates: 1420; Cost (EUR thousand): 31",
    "Orchard: North; Month: June; Crates: 3960; Cost (EUR thousand): 58",
    "Orchard: North; Month: July; Crates: 2275; Cost (EUR thousand): 44",
    "Orchard: South; Month: May; Crates: 905; Cost (EUR thousand): 20",
)


@pytest.mark.parametrize(
    ("figure", "follows"), [("7,655", True), ("133", True), ("7,665", False), ("8,560", False)]
)
def test_rows_of_a_sheet_that_are_sources_of_their_own_are_added_up(
    figure: str, *, follows: bool
) -> None:
    said = f"Orchard: North; All that it bore: {figure}"
    assert (unaccounted([figure], said, HARVEST, HARVEST) == ()) is follows


@pytest.mark.parametrize(
    ("text", "figure", "follows"),
    [
        ("The last two are kept in the cellar.", "two", True),
        ("Die letzten zwei sind im Keller.", "zwei", True),
        ("These three may be sold.", "three", True),
        ("The first two barrels are kept in the cellar.", "two", False),
        ("The last 2 are kept in the cellar.", "2", False),
    ],
)
def test_a_count_of_what_was_named_before_is_no_figure_of_a_source(
    text: str, figure: str, *, follows: bool
) -> None:
    source = "The brown and the black barrel are kept in the cellar."
    assert (left(text, source, figure) == ()) is follows


@pytest.mark.parametrize(
    ("caption", "follows"),
    [
        ("All amounts in EUR million.", True),
        ("Amounts in € thousand.", False),
        ("All sold in the million.", False),
    ],
)
def test_a_caption_may_name_the_money_that_it_scales(caption: str, *, follows: bool) -> None:
    source = f"{caption}\n\n| Mill | Rent |\n| --- | --- |\n| Upper | 148 |\n"
    assert (
        left("The upper mill pays EUR 148 million.", source, "EUR 148 million") == ()
    ) is follows
