from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reason.extractive.passages import BIRTH, CHEESE, FOUNDER, SHELF, passage, pool

from quaere.domain.evidence import Evidence, Score
from quaere.reason.extractive.pool import Pool, title_subject


class Shares:
    """Word shares of a made-up corpus."""

    def document_share(self, word: str) -> float:
        return {"observatory": 0.5}.get(word, 0.001)


def test_lines_are_stretches_of_their_passage() -> None:
    read = pool(*SHELF)
    for owner, lines in enumerate(read.lines_of):
        text = read.passages[owner].text
        assert [" ".join(text[line.start : line.end].split()) for line in lines] == [
            line.text for line in lines
        ]


def test_list_marks_are_left_out() -> None:
    (first, second) = pool(("Notes", "- The dome turns.\n2. The lamp burns.")).lines_of[0]
    assert (first.text, second.text) == ("The dome turns.", "The lamp burns.")


def test_the_years_of_a_life_tell_of_birth_and_death() -> None:
    line = pool(BIRTH).lines_of[0][0]
    assert {"born", "die"} <= line.terms


def test_a_line_that_names_a_title_is_tied_to_its_passage() -> None:
    read = pool(FOUNDER, BIRTH, CHEESE)
    tied = {line.text for line, tie in read.tied(1) if tie == "odile varga"}
    assert "It was founded by Odile Varga with money from a lottery." in tied
    assert not read.tied(2)


def test_a_shared_name_ties_without_titles() -> None:
    read = pool(
        ("p1", "The lamp was paid for by Odile Varga."), ("p2", "Odile Varga kept bees in Brell.")
    )
    assert [line.text for line, _ in read.tied(0)] == ["Odile Varga kept bees in Brell."]


def test_what_every_passage_names_ties_none() -> None:
    texts = [(f"Note {n}", f"Odile Varga wrote letter {n}.") for n in range(5)]
    assert not any(pool(*texts).tied(owner) for owner in range(5))


def test_a_title_of_one_word_ties_only_as_a_name() -> None:
    read = pool(("Wheels", "Forty of them turn."), ("Dome", "It turns on wheels, not on rails."))
    assert not read.tied(0)
    read = pool(("Wheels", "Forty of them turn."), ("Dome", "She is the author of Wheels."))
    assert read.tied(0)


@pytest.mark.parametrize(
    ("title", "said"), [("It Is", "It is of glass."), ("A B", "Take a b and turn it.")]
)
def test_a_title_of_small_words_or_letters_ties_nothing(title: str, said: str) -> None:
    assert not pool((title, "Forty of them turn."), ("Dome", said)).tied(0)


def test_items_alone_have_the_line_that_leads_in_their_list() -> None:
    text = "The pier has:\n\n- lamps\n- bollards\n\nIt was built in 1902."
    led = {line.text: line.lead_in for line in pool(("Pier", text)).lines_of[0]}
    assert led == {
        "The pier has:": "",
        "lamps": "The pier has:",
        "bollards": "The pier has:",
        "It was built in 1902.": "",
    }


def test_rare_words_weigh_more() -> None:
    read = pool(*SHELF)
    assert read.rarity("observatori", "observatory") > read.rarity("fish", "fishing")
    assert read.rarity("zeppelin", "zeppelin") > read.rarity("observatori", "observatory")


def test_the_corpus_has_a_say_in_what_is_rare() -> None:
    with_shares = pool(*SHELF, statistics=Shares())
    assert with_shares.rarity("observatori", "observatory") < with_shares.rarity("dome", "dome")


def test_evidence_without_its_text_is_passed_over() -> None:
    known = passage(*FOUNDER)
    evidence = [
        Evidence(id=n, passage=key, url="u", title="t", score=Score())
        for n, key in enumerate((known.id, "gone"), 1)
    ]
    read = Pool(evidence, {known.id: known})
    assert [entry.id for entry in read.evidence] == [1]


@pytest.mark.parametrize(
    ("title", "about"),
    [("Mercury (planet)", "Mercury"), ("(untitled)", "(untitled)"), ("Orbis", "Orbis")],
)
def test_the_subject_of_a_title(title: str, about: str) -> None:
    assert title_subject(title) == about


@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=200)), max_size=4))
def test_any_text_can_be_read(texts: list[tuple[str, str]]) -> None:
    read = pool(*texts)
    for owner in range(len(read.passages)):
        read.tied(owner)


def test_a_title_makes_no_word_commoner_however_many_passages_stand_under_it() -> None:
    """A long page says its title once."""
    long = pool(*[("Quill scheduler", f"Annex number {n} of the record.") for n in range(9)])
    assert long.rarity("quill", "quill") > long.rarity("annex", "annex")
    one_page = {passage.url for passage in long.passages}
    assert len(one_page) == 1


def test_a_page_may_be_called_by_the_capitals_in_the_name_of_its_file() -> None:
    page = passage("OSL-2-charts", "Whoever copies a chart names who drew it.")
    page = page.model_copy(update={"title": "Ostrow Sound Licence"})
    evidence = [Evidence(id=1, passage=page.id, url=page.url, title=page.title, score=Score())]
    terms = Pool(evidence, {page.id: page}).title_terms[0]
    assert {"osl", "ostrow"} <= terms
    assert "chart" not in terms


MILLS = (
    "Mills",
    (
        "The Orrin mill is in Brell. It has 17 millers. Its wheel was made in 1902.\n\n"
        "It has a pond. The Sorrel mill is shut. They ground rye."
    ),
)


def test_a_sentence_that_points_back_is_about_what_the_one_before_speaks_of() -> None:
    """Through further ones that do, and not over the end of a paragraph."""
    over = {line.text: line.led for line in pool(MILLS).lines_of[0]}
    assert over["It has 17 millers."] == {"orrin", "mill"}
    assert over["Its wheel was made in 1902."] == {"orrin", "mill"}
    assert over["It has a pond."] == frozenset()
    assert over["The Sorrel mill is shut."] == frozenset()
    assert over["They ground rye."] == {"sorrel", "mill"}


def test_rows_below_an_empty_head_have_none() -> None:
    kettle = ("Kettle", "## Data\n\n|  |  |\n| Weight | 1.3 kg |\n| Cable | 80 cm |\n\nIt is red.")
    rows = [line for line in pool(kettle).lines_of[0] if line.text.startswith("|")]
    assert [(row.text, row.columns, row.heading) for row in rows] == [
        ("| Weight | 1.3 kg |", ("", ""), False),
        ("| Cable | 80 cm |", ("", ""), False),
    ]
