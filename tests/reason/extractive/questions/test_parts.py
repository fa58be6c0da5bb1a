from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.timing import cpu_s

from quaere.reason.extractive.questions.parts import (
    LONGEST_COMPARED,
    LONGEST_DESCRIBED,
    Comparison,
    aspects,
    claimed_order,
    comparison,
    descriptions,
    questions,
)
from quaere.text.languages.language import language_of, speaking


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Who founded the works? When did they burn down?",
            ("Who founded the works?", "When did they burn down?"),
        ),
        (
            "When was she born, where did she die and how tall was she?",
            ("When was she born", "where did she die", "how tall was she"),
        ),
        (
            "In the town, where is the mill and who built it?",
            ("In the town, where is the mill", "who built it"),
        ),
        (
            "Who is the keeper, who was born in Orrin, and when did he retire?",
            ("Who is the keeper, who was born in Orrin", "when did he retire"),
        ),
        (
            "1) Name the keepers 2) Describe the lamp",
            ("Name the keepers", "Describe the lamp"),
        ),
        (
            "the keepers of the lamp; the fire of 1932",
            ("the keepers of the lamp", "the fire of 1932"),
        ),
        (
            "Who ground the lens and in which town did they live?",
            ("Who ground the lens", "in which town did they live"),
        ),
        ("Who ground the lens and the mirror?", ("Who ground the lens and the mirror?",)),
        ("Who ground the lens?", ("Who ground the lens?",)),
        ("镜片是谁磨的？工厂什么时候烧毁？", ("镜片是谁磨的？", "工厂什么时候烧毁？")),
    ],
)
def test_a_question_is_split_where_it_asks_anew(text: str, parts: tuple[str, ...]) -> None:
    assert questions(text) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Wann wurde der Turm gebaut, und wer baute ihn?",
            ("Wann wurde der Turm gebaut", "wer baute ihn"),
        ),
        ("Wann und wo wurde der Turm gebaut?", ("Wann und wo wurde der Turm gebaut?",)),
        (
            "¿Cuándo nació Odón Vera y dónde murió el pintor?",
            ("¿Cuándo nació Odón Vera", "dónde murió el pintor"),
        ),
        (
            "Quel est le pont qui est en bois et qui mène au moulin ?",
            ("Quel est le pont qui est en bois et qui mène au moulin ?",),
        ),
    ],
)
def test_so_it_is_split_in_other_languages(text: str, parts: tuple[str, ...]) -> None:
    with speaking(language_of(text)):
        assert questions(text) == parts


@pytest.mark.parametrize(
    ("question", "compared"),
    [
        ("Compare brass with iron on weight", Comparison("brass", "iron", "weight")),
        ("brass versus iron", Comparison("brass", "iron", "")),
        (
            "What is the difference between a lens and a mirror?",
            Comparison("a lens", "a mirror", ""),
        ),
        (
            "Which film came out first, Harbour Lights or The Ninth Wheel?",
            Comparison("Harbour Lights", "The Ninth Wheel", "Which film came out first"),
        ),
        (
            "Who was born later Ada Brandt or Odile Varga?",
            Comparison("Ada Brandt", "Odile Varga", "Who was born later"),
        ),
        (
            "Between Ada Brandt and Odile Varga, who was older?",
            Comparison("Ada Brandt", "Odile Varga", "who was older"),
        ),
        (
            "Are both Ada Brandt and Odile Varga from the same country?",
            Comparison("Ada Brandt", "Odile Varga", "from the same country"),
        ),
        ("How do brass and iron differ in weight?", Comparison("brass", "iron", "weight")),
        ("How does brass differ from iron?", Comparison("brass", "iron", "")),
        ("What distinguishes brass from iron?", Comparison("brass", "iron", "")),
        (
            "What trade do Ada Brandt and Odile Varga have in common?",
            Comparison("Ada Brandt", "Odile Varga", ""),
        ),
        (
            "The Drentse and the Entlebucher are both which kind of animal?",
            Comparison("Drentse", "Entlebucher", ""),
        ),
    ],
)
def test_what_is_set_against_each_other(question: str, compared: Comparison) -> None:
    assert comparison(question) == compared


@pytest.mark.parametrize(
    "question",
    [
        "Who founded the works?",
        "Is brass heavy?",
        "",
        "Why do salt and brass react?",
        "How does one get from Tarnholm to Brell?",
        "Which film did Ada Brandt and Jon Hask both direct?",
        "How do I start and stop the works in different ways?",
    ],
)
def test_not_every_question_compares(question: str) -> None:
    assert comparison(question) is None


def test_a_question_that_begins_with_a_description_has_it() -> None:
    assert descriptions("the founder of Quill Observatory") == ("the founder of Quill Observatory",)


def test_the_members_of_an_enumeration_are_aspects() -> None:
    assert aspects("Summarize the costs, main risks, and benefits of canal tunnels.") == (
        "costs",
        "main risks",
        "benefits",
    )


def test_an_enumeration_of_names_lists_no_aspects() -> None:
    assert aspects("What do Ada Brandt, Odile Varga, and Jon Hask share?") == ()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Is it lit? Who lit it?", 2),
        ("It is? Is lit?", 1),
        ("Who lit it? Who lit it?", 1),
        ("the lamp; lit", 1),
        ("the lamp\nits keeper", 2),
        ("  Who lit it?  ", 1),
        ("Who lit it and who is Ada", 2),
        ("Who lit it, and when Ada", 1),
    ],
)
def test_each_part_has_words_enough_to_ask(text: str, parts: int) -> None:
    """Three of a question, two of what is listed; what is asked twice is asked once."""
    found = questions(text)
    assert len(found) == parts
    assert parts > 1 or found[0] in text.strip()


@pytest.mark.parametrize(
    ("question", "claimed"),
    [
        ("Is the Sorrel longer than the Esk?", ("the Sorrel", "the Esk", "longer")),
        ("Was the mill built before the lamp?", ("the mill", "the lamp", "built before")),
        ("Did Ada Finch die after Bo Marsh?", ("Ada Finch", "Bo Marsh", "die after")),
        ("Has Brell more lamps than Hask?", ("Brell", "Hask", "more lamps")),
        ("Is the Esk longer than the esk?", None),
        ("Is the Esk long?", None),
        (f"Is {'the very ' * 9}Esk longer than the Sorrel?", None),
        (f"Is the Esk longer than {'a' * LONGEST_COMPARED}?", None),
    ],
)
def test_an_order_that_is_supposed_sets_two_things_against_each_other(
    question: str, claimed: tuple[str, str, str] | None
) -> None:
    assert claimed_order(question) == (Comparison(*claimed) if claimed else None)


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Ist die Sorrel länger als die Esk?", True),
        ("Wurde die Sorrel länger als die Esk gebaut?", True),
        ("Ist die Sorrel lang?", False),
        (f"Ist die Sorrel länger als die {'E' * LONGEST_COMPARED}?", False),
    ],
)
def test_so_it_is_in_other_languages(question: str, *, sides: bool) -> None:
    with speaking(language_of("Ist die Sorrel länger als die Esk?")):
        claimed = claimed_order(question)
    assert (claimed is not None) is sides
    assert claimed is None or claimed == Comparison("die Sorrel", "die Esk", "länger")


def test_what_is_compared_is_not_endless() -> None:
    room = LONGEST_COMPARED - len("brass versus ")
    assert comparison(f"brass versus {'i' * room}") is not None
    assert comparison(f"brass versus {'i' * (room + 1)}") is None
    assert comparison("brass versus brass") is None
    assert comparison(f"brass versus {' '.join('abcdefghijkl')}") is not None
    assert comparison(f"brass versus {' '.join('abcdefghijklm')}") is None


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("List the costs, risks and benefits of tunnels.", ("costs", "risks", "benefits")),
        ("List the costs and benefits of tunnels.", ()),
        ("List the costs, costs and benefits of tunnels.", ("costs", "benefits")),
        ("What are the costs, one two three four five, and benefits of them?",
         ("costs", "one two three four five", "benefits")),
        ("What are the costs, one two three four five six, and benefits of them?", ()),
        ("What are costs, the the, and benefits of them?", ()),
    ],
)  # fmt: skip
def test_aspects_are_three_at_least_and_of_few_plain_words(
    question: str, found: tuple[str, ...]
) -> None:
    assert aspects(question) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Where was the founder of Orbis born?", ("the founder of Orbis",)),
        ("Who is Ada Finch's mother?", ("Ada Finch's mother",)),
        ("When was the mother of the founder of Orbis born?",
         ("the founder of Orbis", "the mother of the founder of Orbis")),
        ("When was the founder of the works born?", ()),
        ("Where was Ada Finch born?", ()),
        ("", ()),
    ],
)  # fmt: skip
def test_a_description_is_of_something_named_the_innermost_first(
    question: str, found: tuple[str, ...]
) -> None:
    assert descriptions(question) == found


def test_descriptions_are_looked_for_so_far_alone_and_in_english() -> None:
    described = "the founder of Orbis"
    assert descriptions(f"{'a ' * (LONGEST_DESCRIBED // 2)}{described}") == ()
    with speaking(language_of("Wer ist die Mutter von Ada?")):
        assert descriptions(described) == ()


@pytest.mark.parametrize("word", ["compare a and ", "a, b and ", "who or ", "; ", "1) ", "is a "])
def test_hostile_wordings_take_no_time(word: str) -> None:
    text = word * (20_000 // len(word))
    work = lambda: (questions(text), comparison(text), aspects(text))  # noqa: E731
    assert cpu_s(work, enough_s=1) <= 1


@given(st.text(max_size=300))
def test_no_part_is_empty_when_something_is_asked(text: str) -> None:
    parts = questions(text)
    assert parts
    assert len(parts) == 1 or all(part.strip() for part in parts)
