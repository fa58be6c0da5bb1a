"""What two things have the same of is read for each of them; words that both have tell nothing."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.comparisons.both import of_both
from quaere.reason.extractive.comparisons.same import find_shared_maker
from quaere.reason.extractive.questions.parts import comparison

ROOMS: Text = (
    "Rooms",
    """The pool is in the north building. The gym is in the south building. The sauna is in the
north building. The shop is in Alder House, and the café is in the same building as the shop.""",
)
STAFF: Text = (
    "Staff",
    """Ana Ruiz works in the Madrid office. Her manager is Kim Lee. Ben Orr works in the Leeds
office. His manager is Tom Hale.

| Name | Manager | Office |
|---|---|---|
| Cora | Kim Lee | Bonn |
| Dev | Kim Lee | Leeds |
| Eve | Tom Hale | Bonn |
""",
)
LERN: Text = ("Lern Airport", "Lern Airport is in Ash County, New York, United States.")
SIDON: Text = ("Sidon Airport", "Sidon Airport lies in Elm Parish, Louisiana, United States.")
ODEN: Text = ("Oden Airport", "Oden Airport serves the town of Oden in the State of Louisiana.")
NANDU: Text = ("Nandu", "Nandu is a prefecture-level city in Haisu province, China.")
JINGDE: Text = ("Jingde", "Jingde is a city in Haixi province, bordering Haisu province.")
GOLD: Text = ("Marian Gould", "Marian Gould is the lead singer of the synthpop group Betaville.")
EUN: Text = ("Eun-sil", "Eun-sil is the main vocalist of the girl group Bpink.")


def says(question: str, *texts: Text) -> bool | None:
    compared = comparison(question)
    assert compared is not None
    found = of_both(question, compared, pool(*texts), lambda _: None)
    return found and found.says


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Are the pool and the gym in the same building?", False),
        ("Are the pool and the sauna in the same building?", True),
        ("Is the gym in the same building as the sauna?", False),
        ("Is the café in the same building as the shop?", True),
        ("Is the pool in the same building as the shop?", None),
        ("Do Ana Ruiz and Ben Orr have the same manager?", False),
        ("Does Ana Ruiz have the same manager as Cora?", True),
        ("Do Cora and Dev have the same manager?", True),
        ("Do Cora and Eve have the same manager?", False),
        ("Do Cora and Eve work in the same office?", True),
        ("Do the Cora and the Dev have the same office?", False),
        ("Do Cora and Eve have the same hobby?", None),
    ],
)
def test_what_each_of_two_has_is_read_from_its_own_line_or_row(
    question: str, said: bool | None
) -> None:
    assert says(question, ROOMS, STAFF) is said


@pytest.mark.parametrize(
    ("question", "texts", "said"),
    [
        ("Are Lern Airport and Sidon Airport in the same state?", (LERN, SIDON), False),
        ("Are Oden Airport and Sidon Airport in the same state?", (ODEN, SIDON), True),
        ("Are Nandu and Jingde situated in the same province ?", (NANDU, JINGDE), False),
        ("Are Marian Gould and Eun-sil members of the same band?", (GOLD, EUN), False),
        ("Are Nandu and Jingde the same level of city?", (NANDU, JINGDE), None),
    ],
)
def test_a_page_names_of_what_state_province_or_band_its_thing_is(
    question: str, texts: tuple[Text, ...], said: bool | None
) -> None:
    assert says(question, *texts) is said


FILMS: list[Text] = [
    (
        "Tin Lanterns",
        (
            "Tin Lanterns is a 1984 film directed by Ada Novak and produced by Orbis Pictures. It"
            " was written by Karel Hruby."
        ),
    ),
    ("Salt Road", "Salt Road was directed by Ada Novak and Piet Maas. Orbis produced it."),
    ("The Quiet Weir", "The Quiet Weir was written, edited and produced by Orbis, in 1991."),
    ("Red Kiln", "Red Kiln came out in 2001. Tern & Sons produced it."),
    ("Dry Season", "Dry Season, directed by Mina Sato, was written by the poet Karel Hruby."),
]
BRIDGES: list[Text] = [
    ("Harbour Bridge", "Harbour Bridge was designed by the engineer Tomas Vrba."),
    ("Mill Bridge", "Mill Bridge, built by Jan Kolar, is a county-level monument."),
    ("North Bridge", "North Bridge was designed by Tomas Vrba. It is a city-level monument."),
]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Were Tin Lanterns and Salt Road directed by the same person?", True),
        ("Do Tin Lanterns and Salt Road have the same director?", True),
        ("Was Tin Lanterns directed by the same person as Dry Season?", False),
        ("Were Tin Lanterns and Dry Season written by the same author?", True),
        ("Do Tin Lanterns and Dry Season have the same writer?", True),
        ("Were Tin Lanterns and The Quiet Weir produced by the same company?", None),
        ("Were the films Tin Lanterns and Dry Season directed by the same person?", False),
        ("Were Tin Lanterns and Red Kiln produced by the same company?", False),
        ("Are Harbour Bridge and North Bridge by the same engineer?", True),
        ("Were Harbour Bridge and Mill Bridge designed by the same person?", None),
        ("Are Mill Bridge and North Bridge of the same level?", False),
    ],
)
def test_who_made_two_things_is_read_for_each(question: str, said: bool | None) -> None:
    assert says(question, *FILMS, *BRIDGES) is said


@pytest.mark.parametrize(
    ("question", "maker"),
    [
        ("Who directed both Tin Lanterns and Salt Road?", "Ada Novak"),
        ("Who wrote both Tin Lanterns and Dry Season?", "Karel Hruby"),
        ("Which engineer designed both Harbour Bridge and North Bridge?", "Tomas Vrba"),
        ("Who directed both Tin Lanterns and Dry Season?", None),
        ("Who directed both Tin Lanterns and The Quiet Weir?", None),
        ("Who directed Tin Lanterns?", None),
    ],
)
def test_who_made_both_is_whom_both_name(question: str, maker: str | None) -> None:
    found = find_shared_maker(question, pool(*FILMS, *BRIDGES))
    assert (found and found.text) == maker


@pytest.mark.parametrize(
    ("question", "is_read"),
    [
        ("Do Tin Lanterns and Salt Road have the same director?", False),
        ("Do Tin Lanterns and Dry Season have the same writer?", True),
        ("Do Tin Lanterns and Dry Season have the same director?", True),
    ],
)
def test_one_of_two_makers_that_is_shared_is_not_certain(question: str, is_read: bool) -> None:
    compared = comparison(question)
    assert compared is not None
    found = of_both(question, compared, pool(*FILMS), lambda _: None)
    assert found is not None
    assert found.is_read is is_read


def test_a_place_is_of_the_sort_that_it_is_called_elsewhere() -> None:
    valley: Text = (
        "Valley",
        (
            "The Sorrel meets the sea at Port Ansley. Its feeder lies in Dunmarch county. Port"
            " Ansley is a town (county of Selmere). Kelderby lies upstream in Dunmarch."
        ),
    )
    assert says("Are Kelderby and Port Ansley in the same county?", valley) is False
