"""What speaks for a line, what it is worth as a sentence, and which one leads."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import BIRTH, BORN, CHEESE, FOUNDER, LENS, SHELF, Text, pool

from quaere.domain.question import Item
from quaere.reason.extractive.leading import Signs
from quaere.reason.extractive.quality import FIT_TO_SHOW, LONG, PROSE, is_prose, quality
from quaere.reason.extractive.ranking import Ranking

SAID = "The lamp of the Hask light is lit by the keeper each night"
MANY = f"{SAID} and then again {' '.join(['and again'] * (LONG // 2))}"


def worth(text: str) -> float:
    """Return the quality of the first line of a passage with ``text``."""
    return quality(pool(("x", text)).lines_of[0][0])


@pytest.mark.parametrize(
    "text",
    [
        f"{SAID}.",
        f"{SAID}!",
        f"{SAID}…",
        f"“{SAID}.”",
        f"(In winter) {SAID}.",
        f"{SAID} ({{}} and =).",
        "Three words here.",
        "1903 was a good year for lamps.",
        "She was born in Tarnholm.",
    ],
)
def test_a_sentence_is_prose(text: str) -> None:
    assert PROSE <= worth(text) <= 1


@pytest.mark.parametrize(
    ("better", "poorer"),
    [
        (f"{SAID}.", f"{SAID}:"),
        (f"{SAID}:", SAID),
        (SAID, f"{SAID}?"),
        (f"{SAID}?", "Two words."),
        (f"{SAID}.", f"the{SAID[3:]}."),
        (f"{SAID}.", f"→ {SAID}."),
        (f"{SAID}.", f"→ “{SAID}.”"),
        ("Odile was born in Tarnholm.", "She was born in Tarnholm."),
        (f"{SAID}.", f"{MANY}."),
        (f"{MANY}.", MANY),
        (f"{SAID}.", "year: 1903; herring: 455; cod: 101"),
        ("year: 1903; herring: 455; cod: 101", SAID),
        ("It is x and y and the z of w as well.", "It is {x} = [y]; $z / @w | ~v ^ #u."),
    ],
)
def test_of_two_lines_the_one_that_reads_like_a_sentence_is_better(
    better: str, poorer: str
) -> None:
    assert worth(better) > worth(poorer)


def test_more_than_seventy_words_are_long_and_then_an_end_matters_more() -> None:
    def of(count: int, end: str) -> float:
        return worth(" ".join(["Lamps", *["burn"] * (count - 1)]) + end)

    assert of(70, ".") == of(9, ".") > of(71, ".")
    assert of(70, "") == of(9, "") > of(71, "")
    assert of(71, "") / of(71, ".") < of(9, "") / of(9, ".")


def test_the_signs_of_a_code_are_no_flaw_in_a_list() -> None:
    code = "The call is f(x)[y] = {z} | $w; and so on it goes."
    listed = pool(("x", f"The calls:\n\n- {code}\n- {code}\n")).lines_of[0][-1]
    assert listed.listed
    assert quality(listed) > worth(code)


def test_a_row_of_a_table_needs_no_end() -> None:
    table = "All.\n\n| Lens | Price | Kind |\n|---|---|---|\n| Hask | 310 | wide and tall |\n"
    row = pool(("x", table)).lines_of[0][-1]
    assert quality(row) > worth("Hask 310 wide and tall")


def signs(question: str, *texts: Text) -> dict[str, Signs]:
    """Return the signs of each line that may lead, by how it begins."""
    found = Ranking(pool(*texts), question).signs
    return {" ".join(rated.chain.end.text.split()[:3]): sign for rated, sign in found}


def test_signs_are_shares_of_the_best_line() -> None:
    found = signs(BORN, *SHELF)
    for name in ("worth", "focus", "own"):
        values = [getattr(sign, name) for sign in found.values()]
        assert max(values) == pytest.approx(1.0), name
        assert min(values) >= 0.0, name
    assert found["It was founded"].focus == found["It was founded"].own == 1.0
    assert found["She was born"].worth == 1.0
    assert all(sign.meaning == 0.0 for sign in found.values())


def test_the_first_passages_and_their_openings_are_told() -> None:
    found = signs(BORN, *SHELF)
    ranks = ("Hask Lens Works", "Quill Observatory is", "Odile Varga (3", "Brell cheese ripens")
    assert [found[begins].rank for begins in ranks] == sorted(
        {found[begins].rank for begins in ranks}, reverse=True
    )
    assert found["Hask Lens Works"].rank == found["The works burned"].rank == 1.0
    assert [found[begins].bench for begins in ranks] == [1.0, 1.0, 1.0, 0.0]
    assert all(found[begins].opening == 1.0 for begins in ranks)
    assert found["It was founded"].opening == found["The works burned"].opening == 0.0


def test_the_class_and_the_page_that_are_named_are_told() -> None:
    found = signs("Which town is Odile Varga from?", *SHELF)
    assert found["She was born"].sought == found["Tarnholm is a"].sought == 1.0
    assert found["Varga never married."].sought == 0.0
    assert found["She was born"].title == 1.0
    assert found["Tarnholm is a"].title == 0.0
    assert not any(sign.sought for sign in signs(BORN, *SHELF).values())


def test_an_answer_in_the_title_is_nothing_new() -> None:
    found = signs(BORN, *SHELF)
    varga = found["Odile Varga (3"]
    assert varga.held > varga.anew == 0.0
    assert found["She was born"].anew == 1.0
    assert found["She was born"].told == found["She was born"].asked > 0.0
    assert varga.told == 0.0


def test_what_leads_to_a_line_adds_to_it() -> None:
    found = signs(BORN, *SHELF)
    assert found["She was born"].added > found["It was founded"].added > 0.0
    assert found["It was founded"].near > found["She was born"].near > 0.0
    assert found["The works burned"].added == 0.0


def test_lines_are_ranked_by_worth_and_lines_alike_as_they_stand() -> None:
    twice = ("Lamp", f"{SAID}.")
    ranked = Ranking(pool(twice, twice, LENS), "Who lights the lamp of the Hask light?").ranked
    assert [rated.worth for rated in ranked] == sorted((r.worth for r in ranked), reverse=True)
    assert [rated.chain.end.owner for rated in ranked][:2] == [0, 1]
    assert len(ranked) == 4


def test_the_earlier_of_two_lines_that_say_the_same_is_worth_more() -> None:
    question = "Who lights the lamp of the Hask light?"
    first, second = Ranking(pool(("Lamp", f"{SAID}. {SAID}.")), question).ranked
    assert (first.chain.end.place, second.chain.end.place) == (0, 1)
    assert first.worth > second.worth > 0
    assert first.bearing == second.bearing > 0


def test_shares_of_what_may_lead_sum_to_one() -> None:
    leading = Ranking(pool(*SHELF), BORN).leading
    assert sum(each.share for each in leading) == pytest.approx(1.0)
    assert all(0.0 < each.share < 1.0 for each in leading)
    assert [each.share for each in leading] == [each.by_words for each in leading]
    assert leading[0].rated.chain.end.text.startswith("She was born in Tarnholm")


def test_nearness_in_meaning_moves_shares_and_not_what_the_words_tell() -> None:
    read, question = pool(*SHELF), "Where was Odile Varga born?"
    near = {line.text: float("lottery" in line.text) for line in read.lines}
    told = {each.rated.chain.end.text: each for each in Ranking(read, question, near).leading}
    plain = {each.rated.chain.end.text: each for each in Ranking(read, question).leading}
    (of_lottery,) = (text for text in told if "lottery" in text)
    assert told[of_lottery].share > plain[of_lottery].share
    by_words = sorted(each.by_words for each in told.values())
    assert by_words == pytest.approx(sorted(each.share for each in plain.values()))


@pytest.mark.parametrize(
    ("question", "texts", "leads", "is_told"),
    [
        pytest.param(
            "Who founded the Quill Observatory?",
            [
                ("Hills", "Odile Varga founded the Quill Observatory in 1902. The view is good."),
                ("Quill Observatory", "The Quill Observatory stands on Mount Sorrel."),
            ],
            "Odile Varga founded the Quill Observatory in 1902.",
            True,
            id="one says all",
        ),
        pytest.param(
            "Who founded the Quill Observatory?",
            [
                ("Hills", "Odile Varga founded the Quill Observatory in 1902."),
                ("Towers", "Bo Marsh founded the Quill Observatory in 1903."),
            ],
            "Odile Varga founded the Quill Observatory in 1902.",
            False,
            id="two say it",
        ),
        pytest.param(
            "Who owns the works?",
            [("Tarn Works", "The works make lenses. The works are owned by their workers.")],
            "The works are owned by their workers.",
            False,
            id="an answer of another kind",
        ),
        pytest.param(
            "When was the Hask bridge opened?",
            [
                ("n1", "The Hask bridge was opened after a long delay."),
                ("n2", "The Hask bridge was opened in May 1911."),
            ],
            "The Hask bridge was opened in May 1911.",
            True,
            id="one says all with a date",
        ),
        pytest.param(
            "How does the dome turn?", [FOUNDER, BIRTH], None, False, id="no fact is asked for"
        ),
    ],
)
def test_a_line_that_says_all_that_is_asked_leads(
    question: str, texts: list[Text], leads: str | None, *, is_told: bool
) -> None:
    ranking = Ranking(pool(*texts), question)
    first = ranking.leading[0].rated.chain.end.text
    assert leads is None or first == leads
    assert ranking.is_told is is_told
    assert bool(ranking.whole) is (leads is not None and "owned" not in leads)


def test_where_relations_lead_the_page_that_they_lead_to_answers() -> None:
    ranking = Ranking(pool(*SHELF), BORN)
    assert ranking.whole == ()
    assert ranking.followed is not None
    answers, on_the_way = ranking.followed
    assert answers.chain.end.text == "She was born in Tarnholm, a fishing town."
    assert [line.text for line in on_the_way] == [
        "It was founded by Odile Varga with money from a lottery."
    ]
    assert Ranking(pool(*SHELF), "Why was the founder of Quill Observatory born?").followed is None


def test_of_somebody_described_by_another_one_of_that_name_may_be_told() -> None:
    texts: Text = ("The Vargas", "The lens grinder Emil Varga died on 4 March 1911 in Tarnholm.")
    (line,) = pool(texts).lines
    assert Ranking(pool(texts), "When did Odile Varga die?").is_of_namesake(line)
    described = Ranking(pool(texts), "When did the brother of Odile Varga die?")
    assert described.describes
    assert not described.is_of_namesake(line)


def test_a_line_that_tells_leads_before_a_likelier_one_of_its_passage() -> None:
    about: Text = (
        "Quill Observatory",
        (
            "The Quill Observatory in the old town of Hask stands above the Quill Observatory"
            " school. It was founded by the astronomer Odile Varga."
        ),
    )
    first, *_ = Ranking(pool(about), "Who was it that founded the Quill Observatory?").leading
    assert first.rated.chain.end.text == "It was founded by the astronomer Odile Varga."


def test_each_text_is_compared_in_meaning_once() -> None:
    twice = ("Lamp", f"{SAID}.")
    comparable = Ranking(pool(twice, twice, LENS), "Who lights the lamp?").comparable
    assert comparable.count(f"{SAID}.") == 1
    assert len(comparable) == 3


def test_poor_lines_lead_only_where_there_are_no_others() -> None:
    menu, question = "Home | Hask lamps | Contact", "Which lamps has Hask?"
    assert [each.rated.chain.end.text for each in Ranking(pool(("x", menu)), question).leading] == [
        menu
    ]
    both = Ranking(pool(("x", menu), ("y", "Brell has nine lamps.")), question).leading
    assert [each.rated.chain.end.text for each in both] == ["Brell has nine lamps."]


@pytest.mark.parametrize(
    ("question", "bears"),
    [
        ("Compare Hask Lens Works and Brell cheese", True),
        ("Compare the Mirror Foundry of Ostrava with the Glass Hall of Vorn", False),
        ("Compare the lenses of lighthouses with the mirrors of towers", True),
        ("Compare the lenses of towers with the mirrors of halls", False),
    ],
)
def test_a_comparison_needs_a_side_of_which_more_than_half_is_told(
    question: str, *, bears: bool
) -> None:
    assert Ranking(pool(LENS, CHEESE), question).answers is bears


def test_an_item_is_served_by_the_earlier_and_fuller_line() -> None:
    text = "Tarnholm has lamps. The lamps of Tarnholm are many. Tarnholm has lamps."
    ranking = Ranking(pool(("Coast", text)), "Which lamps are in Tarnholm?")
    item = Item(id="lamps", description="Lamps of Tarnholm", terms=("lamp", "tarnholm"))
    served = ranking.best_for(item)
    assert served is not None
    assert served.place == 0
    half = Item(id="oil", description="Oil of Tarnholm", terms=("oil", "price", "tarnholm"))
    assert ranking.best_for(half) is None


def test_a_further_question_in_few_words_is_served_by_what_its_own_word_is_in() -> None:
    text = "Ole Brandt made clocks. He was born on 3 May 1841. He died on 9 June 1907."
    ranking = Ranking(pool(("Ole Brandt", text)), "When was he born, and when did he die?")
    part = Item(id="part-1", description="when did he die", terms=("born", "die"))
    served = ranking.best_for(part)
    assert served is not None
    assert served.text == "He died on 9 June 1907."


@pytest.mark.parametrize(
    ("question", "bears"),
    [
        ("Who winds the clock and when is the MOT of the van due?", True),
        ("Who wound the MOT and when does the clock strike?", False),
    ],
)
def test_a_name_of_a_further_question_alone_may_be_missing(question: str, *, bears: bool) -> None:
    told = ("The clock", "Ole Brandt winds the clock. It is kept in the tower.")
    assert Ranking(pool(told), question).answers is bears


def test_a_plain_word_that_begins_a_line_is_nobody() -> None:
    text = "Lamps written about at length burn oil. The lamps are old. Varga wrote it."
    ranking = Ranking(pool(("Lamps of the sound", text)), "Who wrote Lamps of the Sound?")
    assert ranking.leading[0].rated.chain.end.text == "Varga wrote it."


def test_what_leads_in_to_code_is_a_sentence_where_it_tells_something() -> None:
    text = (
        "To trim the lamp of the harbour, run this as its keeper:\n\n```\ntrim --lamp\n```\n\n"
        "The lamp burns all night in the harbour of Hask."
    )
    assert [is_prose(line) for line in pool(("Lamp", text)).lines_of[0]] == [True, False, True]


@pytest.mark.parametrize("text", ["Log in", "Sign up for free.", "Sign up now"])
def test_what_is_to_be_clicked_on_tells_nothing(text: str) -> None:
    assert worth(text) < FIT_TO_SHOW


@pytest.mark.parametrize(
    "text", ["Log in to your berth and open its list of fees.", "Sign up by 3 May at the kiosk."]
)
def test_how_one_signs_up_is_told_in_a_sentence(text: str) -> None:
    assert worth(text) > PROSE


def test_a_sentence_that_says_all_that_is_asked_leads_where_the_likeliest_says_little() -> None:
    hask = (
        "Hask was a market town of the lowlands. The treaty of Hask ended the quarrel of the "
        "millers with the crown of Orrin, as its terms were mild."
    )
    orrin = (
        "The town of Orrin lies on a lake. The armistice terms required in Article 12 that the "
        "millers withdraw from the weirs held by the crown. A fair was held there in autumn."
    )
    millers = (
        "The millers of Hask were freemen. What the armistice was worth to the millers was told by "
        "Article 9. The crown required grain from them."
    )
    treaty = pool(("Hask", hask), ("Orrin", orrin), ("Millers of Hask", millers))
    asked = "What did Article 12 of the armistice terms require the millers to withdraw from?"
    first = Ranking(treaty, asked).leading[0].rated.chain.end
    assert first.text.startswith("The armistice terms required in Article 12")
