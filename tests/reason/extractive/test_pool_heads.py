"""What a passage is about that stands further down its page, and words within longer ones."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import passage, pool

from quaere.domain.evidence import Evidence, Score
from quaere.domain.question import Question
from quaere.reason.extractive.answer import write_answer
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.checklist import build_checklist
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.yes_no import decide_yes_no
from quaere.text.languages.language import language_of, speaking

HEAD = (
    "Agreement between Odile Varga and the tenant for the loft at 9 Tarnholm Quay. The term is a"
    " year. Rent is due on the third. It rises yearly. The tenant pays for tar. Oars are lent."
    " Anselm Pryce signed it."
)
CLAUSES = "The tenant shall not keep a goat. Oars are stored upright."


LETTER = (
    "Tarn Mutual, Quay 4. Dear Ms Varga, we thank you for the pictures. From both sums we take the"
    " excess, so that we shall pay you 90 crowns."
)
LEFT_OUT = (
    "We regret that we cannot pay for the broken mast. Under part four of the contract, spars are"
    " left out. Keep the sail."
)


def page(title: str, *texts: str) -> Pool:
    """Return the passages of one page, each further down it than the one before."""
    found = [passage(title, text, start=1000 * n) for n, text in enumerate(texts)]
    evidence = [
        Evidence(id=n, passage=p.id, url=p.url, title=p.title, score=Score())
        for n, p in enumerate(found, 1)
    ]
    return Pool(evidence, {p.id: p for p in found})


def agreement() -> Pool:
    return page("Agreement", HEAD, CLAUSES)


def test_what_a_reason_is_asked_for_leads_with_the_sentence_after_it() -> None:
    question = Question(text="Why won't Tarn Mutual pay for the broken mast?")
    read = page("letter.txt", LETTER, LEFT_OUT)
    said = write_answer(question, build_checklist(question), read, max_words=200, max_citations=5)
    assert [each.text for each in said[:2]] == [
        "We regret that we cannot pay for the broken mast.",
        "Under part four of the contract, spars are left out.",
    ]


def test_a_term_on_its_own_heads_what_is_said_below_it() -> None:
    terms = "Doctor\n\nShe calls on Fridays.\n\nBarber\n\nComes once in six weeks."
    read = page("Day to day", f"The house is old.\n\n{terms}")
    told = next(line for line in read.lines if line.text.startswith("Comes"))
    assert told.under == {"barber"}
    alone = page("Day to day", "The house is old.\n\nDoctor\n\nShe calls on Fridays.")
    assert not any(line.under for line in alone.lines)


def test_what_a_page_names_at_its_head_is_what_all_of_it_is_about() -> None:
    read = agreement()
    assert read.named_over[0] == frozenset()
    assert {"varga", "tarnholm", "quay"} <= read.named_over[1] <= read.title_terms[1]
    assert "pryce" not in read.named_over[1]


def test_what_is_written_small_as_well_is_no_name_at_the_head_of_a_page() -> None:
    read = page("Crew", "Novices row on the Esk. It is for novices, says Odile Varga.", "Rest.")
    assert read.named_over[1] == {"esk", "odil", "varga"}


def test_a_clause_answers_of_what_the_head_of_its_contract_names() -> None:
    question = "Am I allowed to keep a goat at Tarnholm Quay?"
    read = agreement()
    found = decide_yes_no(question, read)
    assert found is not None
    assert (found.says, found.lines[0].text[:16]) == (False, "The tenant shall")
    assert Ranking(read, question).leading[0].rated.chain.end.text.startswith("The tenant shall")


@pytest.mark.parametrize(
    ("question", "weighs"),
    [
        ("Am I allowed to keep a goat?", False),
        ("Is it possible for a goat to swim?", False),
        ("May a goat keep still?", False),
        ("Who allowed a goat there in May?", True),
    ],
)
def test_how_one_asks_what_one_may_do_weighs_nothing(question: str, weighs: bool) -> None:
    goal = Goal(question, agreement())
    asked = goal.mask(frozenset(("allow", "possibl", "may")))
    assert (goal.share(asked) > 0.1) is weighs


@pytest.mark.parametrize(
    ("question", "term", "forms"),
    [
        ("Wie lange darf man ein Instrument spielen?", "instrument", {"bordinstrument"}),
        ("Wie lange darf man ein Instrument spielen?", "spiel", {"gespielt"}),
        ("Wie lange darf man ein Instrument spielen?", "bord", set[str]()),
        ("How long may one play an instrument?", "instrument", set[str]()),
    ],
)
def test_words_of_german_are_found_in_longer_ones(
    question: str, term: str, forms: set[str]
) -> None:
    with speaking(language_of(question)):
        text = "Bordinstrumente werden zwei Stunden gespielt, und das Schiff ist an Bord ruhig."
        assert page("Regeln", text).forms(term) == forms


@pytest.mark.parametrize(
    "question",
    [
        "Combien de temps la tarte se garde-t-elle ?",
        "¿Cuánto tiempo se guarda la tarta?",
        "Hoeveel tijd blijft de taart goed?",
    ],
)
def test_the_word_for_time_in_how_long_weighs_nothing(question: str) -> None:
    with speaking(language_of(question)):
        goal = Goal(question, page("Tarta", "Tarte et tarta et taart."))
        spans = frozenset(term for term in goal.terms if term[:3] in {"tem", "tie", "tij"})
        assert spans
        assert goal.share(goal.mask(spans)) < 0.1


def test_a_table_right_below_another_has_a_head_of_its_own() -> None:
    fares = "| Fare | Price |\n|---|---|\n| Single | 4 |\n| Return | 7 |"
    hours = "| Day | Opens |\n|---|---|\n| Monday | 6:30 |\n| Sunday | 8:00 |"
    lines = list(page("Harbour", f"{fares}\n\n{hours}").lines)
    assert [line.columns for line in lines if "Sunday" in line.text] == [("Day", "Opens")]
    assert [line.text for line in lines if line.heading] == ["| Fare | Price |", "| Day | Opens |"]


def test_rows_below_a_blank_line_go_on_where_no_rule_is_under_them() -> None:
    table = "| Fare | Price |\n|---|---|\n| Single | 4 |\n\n| Return | 7 |\n| Season | 90 |"
    lines = list(page("Harbour", table).lines)
    assert [line.columns for line in lines if "Return" in line.text] == [("Fare", "Price")]


NOTICE = "Autumn regatta of the skiff club\nPlace: west quay\n\nOars are stored upright."
MAIL = "From: Odile Varga\nSubject: Re: leaking mast step\n\nHello, tar is bought at the quay."


@pytest.mark.parametrize(
    ("title", "text", "over"),
    [
        ("notice.txt", NOTICE, {"autumn", "regatta", "skiff", "club"}),
        ("mail.txt", MAIL, {"leak", "mast", "step"}),
        ("Notice", NOTICE, set[str]()),
        ("notes.txt", "Oars are stored upright. They are long.", set[str]()),
    ],
)
def test_a_page_without_a_title_is_about_its_head_line_or_subject(
    title: str, text: str, over: set[str]
) -> None:
    name = title if title.endswith(".txt") else "page.txt"
    found = passage(title, text).model_copy(update={"url": f"file:///shelf/{name}"})
    evidence = Evidence(id=1, passage=found.id, url=found.url, title=title, score=Score())
    read = Pool([evidence], {found.id: found})
    assert over <= read.title_terms[0]
    assert "varga" not in read.title_terms[0]
    assert bool(read.named_over[0]) is bool(over)


def test_a_value_may_have_semicolons_itself() -> None:
    row = "Tool: drill; Use: wood; steel; brass; Price: 45"
    (line,) = page("tools.csv", row).lines
    assert line.columns == ("Tool", "Use", "Price")
    assert line.values == ("drill", "wood; steel; brass", "45")


def test_the_first_record_of_a_page_heads_nothing() -> None:
    read = pool(("staff", "Name: Orla Quinn; Phone: 555 0101\n\nName: Piet Baas; Phone: 555 0202"))
    assert [line.heading for line in read.lines] == [False, False]
    assert [line.columns for line in read.lines] == [("Name", "Phone")] * 2


@pytest.mark.parametrize(
    ("question", "name"),
    [("What is Piet's role?", "Piet"), ("What is Nia's phone?", "Nia"), ("Who is chair?", "Nia")],
)
def test_of_the_rows_of_a_table_the_one_that_says_all_that_is_asked_leads(
    question: str, name: str
) -> None:
    rows = (
        ("Orla Quinn", "0101", "treasurer"),
        ("Piet Baas", "0202", "clerk"),
        ("Nia Boyd", "0303", "chair"),
    )
    cards = "\n".join(f"Name: {who}; Phone: {phone}; Role: {role}" for who, phone, role in rows)
    read = pool(("staff", cards))
    assert name in decide(question, read, Ranking(read, question)).lines[0].text
