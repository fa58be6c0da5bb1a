"""Ids that are cited in another form than the one asked for."""

from __future__ import annotations

import pytest

from quaere.domain.evidence import Evidence, Score
from quaere.reason.llm.citing import by_id, in_brackets, names_of
from quaere.reason.llm.sentences import SentenceReader, with_ids

KNOWN = {1: None, 2: None, 3: None}


def cited(text: str, size: int = 1_000_000) -> list[tuple[str, tuple[int, ...]]]:
    reader = SentenceReader(KNOWN)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    read = [said for piece in pieces for said in reader.feed(piece)] + list(reader.close())
    return [(sentence.text, sentence.evidence) for sentence in read]


FORMS = [
    "(2)",
    "{2}",
    "[Source 2]",
    "[source: 2]",
    "[doc2]",
    "[#2]",
    "[P2]",
    "[id: 2]",
    '[id="2"]',
    "[cite: 2]",
    "(passage 2)",
    "(see source 2)",
    "［2］",
    "\\[2\\]",
    "²",
    "<sup>2</sup>",
]


@pytest.mark.parametrize("size", [1, 7, 1_000_000])
@pytest.mark.parametrize("form", FORMS)
def test_an_id_is_read_in_whatever_form_it_is_cited(form: str, size: int) -> None:
    space = "" if form in {"²", "<sup>2</sup>"} else " "
    text = (
        f"The weir at Lund was finished in 1902{space}{form}. It holds back the Ara{space}{form}."
    )
    expected = [
        ("The weir at Lund was finished in 1902.", (2,)),
        ("It holds back the Ara.", (2,)),
    ]
    assert cited(text, size) == expected


@pytest.mark.parametrize(
    ("form", "ids"),
    [
        ("(1, 3)", (1, 3)),
        ("(1) (3)", (1, 3)),
        ("[Sources 1 and 3]", (1, 3)),
        ("[Source 1, Source 3]", (1, 3)),
        ("(passages 1-3)", (1, 2, 3)),
        ("[P1, P3]", (1, 3)),
        ("[Source 9]", ()),
    ],
)
def test_several_ids_are_read_in_one_form(form: str, ids: tuple[int, ...]) -> None:
    assert cited(f"The weir holds back the Ara {form}.") == [("The weir holds back the Ara.", ids)]


@pytest.mark.parametrize(
    "text",
    [
        "It covers 3 km² and 10³ fields.",
        "It has two parts: (1) a weir, (2) a lock.",
        "The script ends with exit(1).",
        "It was finished late (1902).",
        "The area is 12 m<sup>2</sup>.",
    ],
)
def test_what_may_be_something_else_stays(text: str) -> None:
    assert in_brackets(text, KNOWN) == text


def test_who_cites_in_square_brackets_means_something_else_by_round_ones() -> None:
    text = "The weir is old [1]. Its gate fell under rule 7 (2)."
    assert cited(text)[1] == ("Its gate fell under rule 7 (2).", ())
    assert with_ids(text, {1: 41, 2: 42}).endswith("rule 7 (2).")


def test_numbers_in_other_forms_become_the_ids_that_they_stand_for() -> None:
    assert with_ids("It is old (1). It leaks².", {1: 41, 2: 42}) == "It is old[41]. It leaks[42]."


def test_a_row_of_a_table_cites_in_any_form() -> None:
    text = "| weir | year |\n|---|---|\n| Lund | 1902 (3) |\n"
    assert cited(text) == [("weir: Lund; year: 1902", (3,))]


def shown(*sources: tuple[str, str]) -> list[Evidence]:
    return [
        Evidence(id=number, passage=f"p{number}", url=url, title=title, score=Score())
        for number, (title, url) in enumerate(sources, 1)
    ]


WEIR = ("The weir at Lund", "file:///notes/old%20weir.md")


@pytest.mark.parametrize(
    "form",
    [
        "[The weir at Lund]",
        "(see the weir  at lund)",
        "[old weir.md]",
        "(see old weir)",
        f"[{WEIR[1]}]",
    ],
)
def test_a_title_or_an_address_in_brackets_cites_its_passage(form: str) -> None:
    names = names_of(shown(("The mill", "file:///notes/mill.md"), WEIR))
    reader = SentenceReader(KNOWN, names=names)
    text = f"It was finished in 1902 {form}. It is low (or so they say) [1]."
    said = [*reader.feed(text), *reader.close()]
    assert [(each.text, each.evidence) for each in said] == [
        ("It was finished in 1902.", (2,)),
        ("It is low (or so they say).", (1,)),
    ]


def test_a_name_of_several_sources_or_of_many_passages_is_nobodys() -> None:
    two = names_of(shown(("Notes", "https://a.test/x"), ("Notes", "https://b.test/x")))
    assert set(two) == {"https://a.test/x", "https://b.test/x"}
    assert names_of(shown(*[WEIR] * 4)) == {}
    assert names_of(shown(*[WEIR] * 2))["old weir.md"] == (1, 2)


@pytest.mark.parametrize(
    ("title", "url", "said"),
    [
        ("Figures", "file:///notes/2023.md", "It rose to 5 million (2023)."),
        ("NASA", "https://space.example/nasa", "The Space Administration (NASA) was founded."),
        ("Configuration", "file:///src/config.py", "Call load(config) before it."),
        ("Index", "file:///site/index.html", "Use list[index] to get it."),
        ("Setup guide", "https://x.example/setup", "See [Setup guide](https://x.example/setup)."),
    ],
)
def test_a_name_in_brackets_that_may_be_prose_stays(title: str, url: str, said: str) -> None:
    assert by_id(said, names_of(shown((title, url)))) == said
