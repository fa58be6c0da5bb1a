"""How a passage is cut into lines, what each is of, and how rare a word is."""

from __future__ import annotations

import math

import pytest
from tests.reason.extractive.passages import Text, passage, pool

from quaere.domain.evidence import Evidence, Score
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import COMMON, RAREST, Line, Pool, cells


def lines(text: str, *, table_head: str = "", start: int = 40) -> tuple[Line, ...]:
    """Return the lines of a passage with ``text`` that stands in a table under ``table_head``.

    It begins at ``start`` of its page.
    """
    read = passage("x", text, start).model_copy(update={"table_head": table_head})
    evidence = Evidence(id=1, passage=read.id, url=read.url, title=read.title, score=Score())
    return Pool([evidence], {read.id: read}).lines_of[0]


ROWS = "| Lamp | Year |\n{}| Hask | 1861 |"
HEADED = [(True, ("Lamp", "Year")), (False, ("Lamp", "Year"))]
BARE: list[tuple[bool, tuple[str, ...]]] = [(False, ()), (False, ())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(ROWS.format("|---|---|\n"), HEADED, id="a rule under its head"),
        pytest.param(ROWS.format(""), HEADED, id="no rule, and no head of what goes on"),
        pytest.param(
            "| Brell | 1860 |\n| Hask | 1861 |", BARE, id="figures, so that it may be cut"
        ),
        pytest.param(ROWS.format("\n"), BARE, id="an empty line is no rule"),
        pytest.param(
            f"All.\n\n{ROWS.format('')}", [(False, ()), *HEADED], id="no rule, but begun here"
        ),
        pytest.param("All.\n\n| Lamp | Year |\n\nNone.", [(False, ())] * 3, id="no row under it"),
    ],
)
def test_the_first_row_of_a_table_heads_the_others(
    text: str, expected: list[tuple[bool, tuple[str, ...]]]
) -> None:
    assert [(line.heading, line.columns) for line in lines(text)] == expected


@pytest.mark.parametrize(("between", "expected"), [("", HEADED), ("\n", BARE)])
def test_a_table_that_begins_a_page_was_not_cut(
    between: str, expected: list[tuple[bool, tuple[str, ...]]]
) -> None:
    read = lines(ROWS.format(between), start=0)
    assert [(line.heading, line.columns) for line in read] == expected


def test_each_table_has_heads_of_its_own() -> None:
    text = f"All.\n\n{ROWS.format('')}\n\nMore.\n\n| Boat | Crew |\n| Auk | 9 |"
    read = lines(text)
    assert [line.columns for line in read] == [
        (), ("Lamp", "Year"), ("Lamp", "Year"), (), ("Boat", "Crew"), ("Boat", "Crew"),
    ]  # fmt: skip
    assert {"lamp", "year", "hask", "1861"} <= read[2].terms
    assert "boat" not in read[2].terms
    assert read[5].terms >= {"boat", "crew", "auk"}


def test_a_table_that_was_cut_is_read_under_the_head_that_it_has() -> None:
    read = lines("| Hask | 1861 |\n| Brell | 1902 |", table_head="| Lamp | Year |")
    assert [(line.heading, line.columns) for line in read] == [(False, ("Lamp", "Year"))] * 2


@pytest.mark.parametrize(
    ("text", "values", "names"),
    [
        ("year: 1903; cod: 101", ("1903", "101"), ("year", "cod")),
        ("name: Ada; paid?: no; size, m²: 9", ("Ada", "no", "9"), ("name", "paid?", "size, m²")),
        (
            'berth #: 4; 3" cleats: 2; Max. Draft (m): 2',
            ("4", "2", "2"),
            (
                "berth #",
                '3" cleats',
                "Max. Draft (m)",
            ),
        ),
        ("year: 1903", ("year: 1903",), ()),
        ("The year: it was 1903.", ("The year: it was 1903.",), ()),
    ],
)
def test_a_record_has_names_and_values(
    text: str, values: tuple[str, ...], names: tuple[str, ...]
) -> None:
    (line,) = lines(text)
    assert (line.values, line.columns) == (values, names)


def test_cells_stand_between_pipes() -> None:
    assert cells("| a | b c |") == cells(" a|b c ") == ("a", "b c")


def test_marks_of_lists_quotes_and_headings_are_left_out() -> None:
    read = lines("## Lamps\n\n- One.\n> Two.\n3) Three.\n• Four.\n○ Six.\n\nFive.")
    assert [(line.text, line.listed, line.heading) for line in read] == [
        ("Lamps", False, True),
        ("One.", True, False),
        ("Two.", False, False),
        ("Three.", True, False),
        ("Four.", True, False),
        ("Six.", True, False),
        ("Five.", False, False),
    ]
    assert [line.place for line in read] == [0, 1, 2, 3, 4, 5, 6]


def test_a_line_stands_under_the_headings_over_it_but_for_the_title() -> None:
    text = "# Harbour\n\nOne.\n\n## Lamps\n\nTwo.\n\n## Boats\n\nThree.\n"
    under = {line.text: line.under for line in lines(text)}
    assert (under["One."], under["Two."], under["Three."]) == (frozenset(), {"lamp"}, {"boat"})


@pytest.mark.parametrize(
    ("text", "lived"),
    [
        ("Ada Finch (1851-1919) made lamps.", True),
        ("Ada Finch (3 May 1851 – 9 June 1919) made lamps.", True),
        ("Ada Finch (1851) made lamps.", False),
        ("Ada Finch, 1851-1919, made lamps.", False),
        ("Ada Finch (mayor 1891–1899) made lamps.", False),
        ("Ada Finch (lots 12345-12346) made lamps.", False),
    ],
)
def test_years_in_brackets_are_a_life(text: str, *, lived: bool) -> None:
    assert ({"born", "die"} <= lines(text)[0].terms) is lived
    assert bool({"born", "die"} & lines(text)[0].terms) is lived


class _Common:
    """A corpus in which each passage has the word "lamp"."""

    def document_share(self, word: str) -> float:
        return 1.0 if word == "lamp" else 0.0


def test_a_word_is_the_rarer_the_fewer_passages_hold_it() -> None:
    texts: list[Text] = [("a", "A lamp."), ("b", "A lamp and a boat."), ("c", "A mill.")]
    read = pool(*texts)
    found = [read.rarity(word, word) for word in ("lamp", "boat", "owl")]
    assert found == sorted(found)
    assert len(set(found)) == 3
    assert found[0] == pytest.approx(math.log(1 + 4 / 2.5))
    assert [read.holds(word) for word in ("lamp", "mill", "owl")] == [True, True, False]
    assert pool(*texts, ("d", "A pier.")).rarity("boat", "boat") > found[1]


def test_a_word_of_every_passage_of_the_corpus_tells_little() -> None:
    texts: list[Text] = [("a", "A lamp."), ("b", "A boat.")]
    plain, told = pool(*texts), pool(*texts, statistics=_Common())
    assert 0 < told.rarity("lamp", "lamp") < plain.rarity("lamp", "lamp")
    assert told.rarity("boat", "boat") > plain.rarity("boat", "boat")


class _Harbour:
    """A corpus in which few passages have a mill, fewer a boat and hardly any the year."""

    def document_share(self, word: str) -> float:
        return {"boat": 0.4, "mill": 0.3, "1851": 0.01}.get(word, 0.0)


def test_a_word_that_nothing_holds_is_half_as_common_as_the_rarest_that_one_passage_has() -> None:
    seen: list[Text] = [("a", "A mill and a boat."), ("b", "The mill of 1851.")]
    unseen: list[Text] = [("a", "A pier.")]
    for texts, word, share in ((seen, "owl", 0.2), (seen, "1902", 0), (unseen, "owl", 0)):
        plain, told = pool(*texts), pool(*texts, statistics=_Harbour())
        everywhere = math.log(1 + 1 / (share + RAREST))
        both = math.sqrt(plain.rarity(word, word) * everywhere)
        assert told.rarity(word, word) == pytest.approx(both)


@pytest.mark.parametrize(
    ("naming", "others", "tied"),
    [(COMMON, 0, True), (COMMON + 1, 0, False), (COMMON + 1, 9, True), (COMMON + 2, 9, False)],
)
def test_what_many_passages_name_ties_none(naming: int, others: int, *, tied: bool) -> None:
    """More than three, and more than one in three."""
    texts = [(f"Note {n}", f"Odile Varga wrote letter {n}.") for n in range(naming)]
    read = pool(*texts, *((f"Other {n}", f"A mill {n}.") for n in range(others)))
    assert bool(read.tied(0)) is tied


def test_a_page_is_named_by_its_first_and_last_word() -> None:
    about = ("Odile Maria Varga", "She made clocks.")
    assert [line.text for line, _ in pool(about, ("Esk", "Odile Varga came.")).tied(0)] == [
        "Odile Varga came."
    ]
    assert not pool(about, ("Esk", "Maria Varga came.")).tied(0)


def test_a_line_and_what_it_names_are_tied_both_ways() -> None:
    read = pool(
        ("Odile Varga", "She made clocks. She sang."), ("Esk", "Odile Varga came. It rose.")
    )
    assert [(line.text, tie) for line, tie in read.tied(0)] == [
        ("Odile Varga came.", "odile varga")
    ]
    assert [line.text for line, _ in read.tied(1)] == ["She made clocks.", "She sang."]


def test_passages_of_one_page_are_not_tied_by_its_title() -> None:
    read = pool(("Odile Varga", "Odile Varga sang."), ("Odile Varga", "She made clocks."))
    assert read.tied(0) == read.tied(1) == ()


def test_a_sign_before_a_sentence_is_the_mark_of_an_item() -> None:
    (line,) = pool(("Notes", "⛔ Lamps older than nine years are not lit.")).lines
    assert line.text == "Lamps older than nine years are not lit."


def test_brackets_around_several_sentences_are_of_none() -> None:
    read = lines("It leaks. (Mend it soon. Ring (twice) then.) (All is well.)")
    assert [line.text for line in read] == [
        "It leaks.",
        "Mend it soon.",
        "Ring (twice) then.)",
        "(All is well.)",
    ]


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        ("The chess club of Brell\n\nIt was founded in 1908.", True),
        ("The club was founded.\n\nIt was in 1908.", False),
        ("The chess club of Brell\nwas founded in 1908.\n\nIt is old.", False),
        ("The chess club of Brell", False),
        ("Note:\n\nIt was founded in 1908.", False),
    ],
)
def test_a_page_may_begin_with_a_title_that_nothing_marks(text: str, heads: bool) -> None:
    assert pool(("club.txt", text)).lines_of[0][0].heading is heads
    assert not pool(("club.txt", f"It is dry.\n\n{text}")).lines_of[0][1].heading
    assert not pool(("club.txt", text), start=9).lines_of[0][0].heading


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("email", "Write an e-mail to the yard."),
        ("e-mail", "Write an email to the yard."),
        ("wifi", "The yard has Wi-Fi."),
    ],
)
def test_what_is_hyphened_is_one_word_as_well(asked: str, said: str) -> None:
    read = pool(("Hask", said))
    goal = Goal(f"Is there {asked}?", read)
    assert goal.missing(goal.mask(read.lines_of[0][0].terms)) == ()


CLAUSES = "1. Rent. It is due on the first.\n2. Late payment. A fee of £5 is added.\n3. It ends."


def test_the_head_of_a_numbered_clause_is_over_the_rest_of_it() -> None:
    read = lines(CLAUSES)
    over = {line.text: line.under for line in read}
    assert over["A fee of £5 is added."] == {"late", "payment"}
    assert over["It ends."] == frozenset()
    assert not any(line.heading for line in read)  # it may as well be a step


def test_a_code_before_a_dash_heads_nothing() -> None:
    read = lines("F05 - Drum blocked. Clear it.\nF08 - Motor hot. Wait.\nF13 - Door open. Shut it.")
    assert not any(line.heading or line.under for line in read)


def test_a_label_is_over_its_paragraph() -> None:
    read = lines("Auk 13: weighs 2 t. It is fast.\n\nTern 15: weighs 3 t. It is slow.")
    assert [{"auk", "tern"} & line.under for line in read] == [{"auk"}] * 2 + [{"tern"}] * 2


@pytest.mark.parametrize(
    ("text", "led"),
    [
        ("Rowing and sailing are covered. Diving is not, unless you ask.", {"cover"}),
        ("Breakfast is part of the price. Dinner is not.", {"part", "price"}),
        ("Rowing is covered. Diving is not covered.", set[str]()),
        ("Rowing is covered.\n\nDiving is not.", set[str]()),
        ("To tar the hull, light a fire. To clean it, use sand.", {"hull"}),
        ("Lamp lit: the pump is on. To stop it, press the key.", {"pump"}),
    ],
)
def test_what_a_sentence_leaves_out_is_that_of_the_one_before(text: str, led: set[str]) -> None:
    assert lines(text)[1].led == led


def test_24_hours_are_a_day() -> None:
    assert "day" in lines("Take at most four in 24 hours.")[0].terms


def test_code_with_an_ending_is_one_word() -> None:
    (line,) = pool(("Shells", "Shell `alias`es can not be used.")).lines
    assert " aliases " in line.flat
