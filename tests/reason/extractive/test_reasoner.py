from __future__ import annotations

import pytest
from tests.contracts.reasoner import HOSTILE, QUESTIONS, Case, ReasonerContract
from tests.graphs.world import DOCUMENTS, HOP
from tests.reason.extractive.passages import passage
from tests.reason.extractive.table_pages import passage_of, shelf

from quaere.domain.budget import Remaining
from quaere.domain.question import Intent, ItemStatus, Query, Question, SourceKind
from quaere.domain.source import Passage
from quaere.domain.team import Delegation, Topic
from quaere.domain.verdict import NextAction, Reflection
from quaere.ports.reason import Overview, Reasoner
from quaere.reason.extractive.queries import version_queries
from quaere.reason.extractive.reasoner import HEARD_CHARS, NEXT_QUERIES, ExtractiveReasoner
from quaere.reason.extractive.unread import LEAST, unread
from quaere.text.language_detection import detect

pytestmark = pytest.mark.anyio

WORLD = dict(DOCUMENTS)


class TestExtractiveReasoner(ReasonerContract):
    @pytest.fixture
    def reasoner(self) -> Reasoner:
        return ExtractiveReasoner()


class Common:
    """Statistics of a large collection in which every word is rare."""

    def document_share(self, word: str) -> float:
        return 0.001


class TestExtractiveReasonerWithStatistics(ReasonerContract):
    @pytest.fixture
    def reasoner(self) -> Reasoner:
        return ExtractiveReasoner(Common())


@pytest.mark.parametrize("text", QUESTIONS, ids=lambda text: repr(text[:12]))
@pytest.mark.parametrize("documents", [WORLD, HOSTILE], ids=["world", "hostile"])
async def test_it_says_the_same_every_time(text: str, documents: dict[str, str]) -> None:
    said: list[tuple[object, ...]] = []
    for _ in range(2):
        case, reasoner = Case(text, documents), ExtractiveReasoner()
        plan = (await reasoner.plan(case.look())).plan
        reflection = await reasoner.evaluate(case.review(plan))
        sentences = reasoner.synthesize(case.assignment(plan, reflection.checklist))
        said.append((plan, reflection, *[sentence async for sentence in sentences]))
    assert said[0] == said[1]


async def test_the_first_queries_follow_what_the_first_look_named() -> None:
    case = Case("Where was the founder of the Quill Observatory born?", WORLD)
    plan = (await ExtractiveReasoner().plan(case.look())).plan
    assert plan.queries[0].intent is Intent.BRIDGE
    named = {name for query in plan.queries for name in query.focus}
    assert named & {"odile varga", "tressel ford"}


async def test_three_to_six_queries_where_the_budget_allows_r0_3() -> None:
    for text in QUESTIONS[:3]:
        plan = (await ExtractiveReasoner().plan(Case(text, WORLD).look())).plan
        assert 3 <= len(plan.queries) <= 6


async def test_with_everything_answered_and_nothing_open_it_is_done() -> None:
    case, reasoner = Case(HOP, WORLD), ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    done = await reasoner.evaluate(case.review(plan, settled=True, iteration=2))
    assert done.next_action is NextAction.FINALIZE
    assert done.queries == ()
    assert done.gaps == ()
    assert done.confidence > 0.5
    assert done.reason == "every item is answered"


async def test_at_the_first_look_only_a_strong_lead_keeps_an_answered_question_open() -> None:
    case, reasoner = Case(HOP, WORLD), ExtractiveReasoner()
    review = case.review((await reasoner.plan(case.look())).plan)
    lead = review.leads[0]
    actions = [
        (
            await reasoner.evaluate(
                review.model_copy(
                    update={
                        "leads": (lead.model_copy(update={"strength": strength}),),
                        "iteration": iteration,
                    }
                )
            )
        ).next_action
        for strength, iteration in ((0.29, 1), (0.3, 1), (0.29, 2))
    ]
    assert actions == [NextAction.FINALIZE, NextAction.SEARCH_MORE, NextAction.SEARCH_MORE]


@pytest.mark.parametrize(
    ("intent", "iteration", "action"),
    [
        (Intent.RAW, 1, NextAction.FINALIZE),
        (Intent.TABLE, 1, NextAction.SEARCH_MORE),
        (Intent.TABLE, 2, NextAction.FINALIZE),
    ],
)
async def test_where_the_plan_asks_for_tables_they_are_waited_for_once(
    intent: Intent, iteration: int, action: NextAction
) -> None:
    case, reasoner = Case(HOP, WORLD), ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    asked = plan.model_copy(update={"queries": (Query(text="keepers", intent=intent),)})
    review = case.review(asked, settled=True, iteration=iteration)
    review = review.model_copy(update={"leads": ()})
    assert (await reasoner.evaluate(review)).next_action is action


async def test_what_was_read_leads_on_until_the_evidence_settles() -> None:
    case, reasoner = Case(HOP, WORLD), ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    more = await reasoner.evaluate(case.review(plan, settled=False, iteration=2))
    assert more.next_action is NextAction.SEARCH_MORE
    assert more.gaps == ()
    bridges = [query for query in more.queries if query.intent is Intent.BRIDGE]
    assert 0 < len(bridges) <= NEXT_QUERIES


async def test_a_query_that_failed_is_not_reformulated_and_one_that_found_little_is_r0_4() -> None:
    case, reasoner = Case("Which zyxomma blorvens Hask?", WORLD), ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    reflection = await reasoner.evaluate(case.review(plan))
    again = [query for query in reflection.queries if query.intent is Intent.REFORMULATION]
    assert again
    assert not any("harbour" in query.text for query in again)


async def test_tokens_count_what_was_read_anew() -> None:
    case, reasoner = Case(HOP, WORLD), ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    review = case.review(plan)
    fresh = sum(len(case.passages[e.passage].text) for e in case.evidence) // 4
    assert (await reasoner.evaluate(review)).metadata.token_count == fresh
    stale = review.model_copy(update={"fresh": ()})
    assert (await reasoner.evaluate(stale)).metadata.token_count == 0
    assert (await reasoner.evaluate(stale)).metadata.model == "extractive"


async def test_a_long_question_is_heard_at_both_ends() -> None:
    """As it stands up to twice as many characters as are read at each end."""
    plenty = Remaining(iterations=9, queries=9, reads=9, tokens=9_999, seconds=60.0)

    async def heard(text: str) -> str:
        told = await ExtractiveReasoner().brief(
            Overview(
                question=Question(text=text), brief=text, at_once=2, rounds_left=2, remaining=plenty
            )
        )
        assert told.delegation is not None
        assert told.delegation.last
        return told.text

    whole = "Where is Hask? " + "a" * (2 * HEARD_CHARS - 15)
    assert await heard(whole) == whole
    assert await heard(f"{whole}b") == f"{whole[:HEARD_CHARS]} {whole[-HEARD_CHARS + 1 :]}b"


async def test_the_topics_of_a_question_are_counted() -> None:
    plenty = Remaining(iterations=9, queries=9, reads=9, tokens=9_999, seconds=60.0)
    thoughts: list[str] = []
    for text in ("Where is Hask?", "Where is Hask? How many arches has the bridge?"):
        overview = Overview(
            question=Question(text=text), brief=text, at_once=2, rounds_left=2, remaining=plenty
        )
        told = await ExtractiveReasoner().brief(overview)
        assert told.delegation is not None
        thoughts.append(told.delegation.thought)
        left = await ExtractiveReasoner().delegate(overview)
        assert left.thought.startswith(f"{len(left.topics)} topic")
    assert thoughts == ["The question falls into 1 topic.", "The question falls into 2 topics."]


async def test_sources_in_another_language_answer_nothing_and_it_says_so() -> None:
    russian = "Обсерваторию основал Иван Варга. Купол вращается на колёсах, и все это видят."
    assert len(russian) < LEAST < 2 * len(russian), "of a shorter text no language is told"
    page = passage_of("quill.md", f"{russian} " * 2)
    page = page.model_copy(update={"whole_table": False, "table_head": ""})
    case = case_of("Who founded the observatory of Quill on wheels?", page)
    reasoner = ExtractiveReasoner(Common())
    plan = (await reasoner.plan(case.look())).plan
    reflection = await reasoner.evaluate(case.review(plan))
    assert reflection.next_action is NextAction.SEARCH_MORE
    assert reflection.confidence == 0.0
    assert reflection.reason == "the sources are in another language"
    assert len(reflection.gaps) == 1
    assert reflection.gaps[0].startswith("The question is in English and the sources are in")
    written = reasoner.synthesize(case.assignment(plan, plan.checklist))
    assert [sentence async for sentence in written] == []


def test_that_sources_are_in_another_language_is_said_in_that_of_the_question() -> None:
    russian = "Обсерваторию основал Иван Варга. Купол вращается на колёсах, и все это видят."
    page = passage_of("quill.md", f"{russian} " * 2)
    gap = unread(Question(text="Wann wurde die Sternwarte gebaut?"), [page], None)
    assert gap.startswith("Die Sprache der Quellen (ru) ist eine andere als die der Frage (de)")


def test_a_table_with_short_units_is_in_no_language_of_small_letters() -> None:
    rows = "".join(f"| Swimmer {n} | 6{n} s |\n" for n in range(9))
    page = passage_of("gala.md", f"| Name | Time |\n{rows}")
    assert detect(page.text) == "cs"
    assert unread(Question(text="Who was the fastest of the swimmers?"), [page], None) == ""
    czech = "Most byl postaven v roce 1932 a vede na ostrov, kde stojí maják. Kdo ho postavil? "
    page = passage_of("most.md", czech * 2)
    assert "language cs" in unread(Question(text="Who built the bridge?"), [page], None)


async def test_topics_that_nobody_was_sent_out_for_are_given_out_and_then_nothing() -> None:
    parts = ("Where is Hask?", "How many arches has the bridge of Tressel Ford?")
    plenty = Remaining(iterations=9, queries=9, reads=9, tokens=9_999, seconds=60.0)

    async def delegated(*researched: str) -> Delegation:
        return await ExtractiveReasoner().delegate(
            Overview(
                question=Question(text=" ".join(parts)),
                brief=" ".join(parts),
                topics=tuple(Topic(text=text) for text in researched),
                at_once=2,
                rounds_left=2,
                remaining=plenty,
            )
        )

    left = await delegated(parts[0])
    assert (left.topics, left.complete, left.last) == (parts[1:], False, True)
    done = await delegated(*parts)
    assert (done.topics, done.complete) == ((), True)


def case_of(text: str, *passages: Passage) -> Case:
    """Return ``text`` with ``passages`` to answer it from."""
    case = Case(text, {})
    evidence, case.passages = shelf(*passages)
    case.evidence = tuple(evidence)
    return case


async def answered(case: Case, iteration: int = 1) -> tuple[Reflection, list[str]]:
    """Return what is judged where nothing leads on, and the sentences that are written."""
    reasoner = ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    review = case.review(plan, settled=True, iteration=iteration)
    judged = await reasoner.evaluate(review.model_copy(update={"leads": ()}))
    written = reasoner.synthesize(case.assignment(plan, judged.checklist))
    return judged, [sentence.text async for sentence in written]


STAFF = passage_of(
    "staff.csv",
    "| employee | role | manager |\n| Ada Finch | skipper | Una Wick |\n| Una Wick | director | |",
)


async def test_what_the_rows_of_a_table_say_is_borne_by_the_table() -> None:
    judged, written = await answered(case_of("Who is the manager of Ada Finch?", STAFF))
    assert judged.next_action is NextAction.FINALIZE
    assert judged.reason == "the rows of a table answer it"
    assert judged.confidence > 0.5
    assert judged.queries == ()
    assert [(item.status, item.evidence) for item in judged.checklist.items] == [
        (ItemStatus.SATISFIED, (STAFF.id,))
    ]
    assert written == ["employee: Ada Finch; manager: Una Wick"]


ACCOUNT = passage_of(
    "budget.csv",
    "| Item | 2023 | 2024 |\n| Wages | 118000 | 124500 |\n| Fuel | 9200 | 8700 |",
)


@pytest.mark.parametrize(
    ("question", "is_judged"),
    [
        ("Can I pay in cash?", False),
        ("Can you tell me what was spent in 2024?", True),
        ("What was spent in 2024?", True),
    ],
)
async def test_whether_one_may_pay_is_not_answered_by_what_was_paid(
    question: str, is_judged: bool
) -> None:
    judged, _ = await answered(case_of(question, ACCOUNT))
    assert (judged.reason == "the rows of a table answer it") is is_judged


ENGINES = passage_of(
    "engines.md",
    "| | kelp | buoy |\n| read | this version | README |\n| language | Tern | Skua |\n"
    "| needs | nothing | a mast |",
)


async def test_which_version_is_needed_is_not_answered_without_a_figure() -> None:
    judged, written = await answered(case_of("Which Tern version do I need?", ENGINES))
    assert judged.reason != "the rows of a table answer it"
    assert "nothing" not in written


async def test_the_version_that_is_needed_is_waited_for_once() -> None:
    question = "Which version of Tern is required?"
    case = case_of(question, passage("check", "Tables of Tern have the required version Alpha."))
    reasoner = ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    looked_for = version_queries(question, [SourceKind.FOLDER])
    plan = plan.model_copy(update={"queries": (*plan.queries, *looked_for)})
    actions = [
        (await reasoner.evaluate(case.review(plan, settled=True, iteration=at))).next_action
        for at in (1, 2)
    ]
    assert actions == [NextAction.SEARCH_MORE, NextAction.FINALIZE]


async def test_of_a_cell_that_is_blank_its_table_says_nothing_and_other_pages_may() -> None:
    """The other rows of the table name managers, too, though not hers."""
    text = "employee: Ada Finch; role: skipper; manager: Una Wick"
    rows = [
        STAFF.model_copy(
            update={"id": "row", "whole_table": False, "url": f"{STAFF.url}#row=2", "text": text}
        ),
        STAFF.model_copy(update={"id": "part", "whole_table": False, "text": text}),
    ]
    question = "Who is the manager of Una Wick?"
    judged, written = await answered(case_of(question, STAFF, *rows))
    assert judged.next_action is NextAction.SEARCH_MORE
    assert judged.gaps == (f"Not found: {question}", "staff.csv has no manager for Una Wick")
    assert judged.reason == "1 item is open"
    assert written == []
    said = "Una Wick has a manager whose name is Bo Marsh."
    note = passage_of("note.md", said, 7).model_copy(
        update={"whole_table": False, "table_head": ""}
    )
    judged, written = await answered(case_of(question, STAFF, *rows, note))
    assert judged.next_action is NextAction.FINALIZE
    assert written == [said]
    assert judged.checklist.items[0].evidence == (note.id,)


async def test_of_a_page_whose_table_has_a_blank_cell_the_other_lines_are_left() -> None:
    text = "| key | kept by |\n| K1 | Ada Finch |\n| K2 | |\n| K3 | Una Wick |"
    table = passage_of("keys.md", text, 8)
    page = table.model_copy(update={"id": "page", "whole_table": False, "table_head": ""})
    question = "Who is key K2 kept by?"
    judged, written = await answered(case_of(question, table, page))
    assert judged.gaps == (f"Not found: {question}", "keys.md has no kept by for K2")
    assert written == []
    said = "Bo Marsh has kept key K2 since May."
    noted = page.model_copy(update={"text": f"{text}\n\n{said}"})
    assert (await answered(case_of(question, table, noted)))[1] == [said]


BERTHS = passage_of("berths.csv", "| Berth | Metres | Rent |\n| 6 | 9 | 120 |\n| 7 | 12 | 150 |", 3)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("The yearly rent of berth 6 is 120 crowns.", "The yearly rent of berth 6 is 120 crowns."),
        ("Masts are stored in the shed.", "Berth: 6; Rent: 120"),
    ],
    ids=["sure", "without an answer"],
)
async def test_a_row_that_is_nearly_asked_for_gives_way_to_a_sentence_that_is_sure(
    said: str, written: str
) -> None:
    note = passage_of("note.md", said, 7).model_copy(
        update={"whole_table": False, "table_head": ""}
    )
    _, sentences = await answered(case_of("What is the yearly rent of berth 6?", BERTHS, note))
    assert sentences[0] == written


async def test_a_figure_is_borne_by_its_row_of_a_statement() -> None:
    statement = (
        "Consolidated statements of income (in millions)\n\n"
        "| | 2022 | 2021 |\n|---|---|---|\n| Revenue | $ 1,250 | $ 1,100 |\n"
        "| Net income | $ 250 | $ 220 |"
    )
    income = passage_of("income.md", statement).model_copy(update={"whole_table": False})
    judged, written = await answered(case_of("What was the net income in 2022?", income))
    assert judged.next_action is NextAction.FINALIZE
    assert judged.reason == "the figure is in a table"
    assert judged.checklist.items[0].evidence == (income.id,)
    assert written == ["Net income; 2022: $ 250; 2021: $ 220"]


async def test_items_that_are_open_are_counted_and_named() -> None:
    text = "Who blorvens Hask? Which zyxomma qualts the moon of Jupiter?"
    judged, _ = await answered(Case(text, WORLD))
    assert len(judged.gaps) > 1
    assert judged.reason == f"{len(judged.gaps)} items are open"
    assert "Not found: Who blorvens Hask?" in judged.gaps


async def test_what_is_read_leads_on_though_every_item_is_answered() -> None:
    case, reasoner = Case(HOP, WORLD), ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    more = await reasoner.evaluate(case.review(plan, settled=False, iteration=2))
    assert more.reason == "every item is answered, but what was read leads on"


async def test_lines_that_may_lead_the_answer_are_sentences_of_the_sources() -> None:
    case, reasoner = Case(HOP, WORLD), ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    lines = await reasoner.comparable(case.assignment(plan, plan.checklist))
    assert lines
    assert all(any(line in page.text for page in case.passages.values()) for line in lines)


async def test_a_plan_says_the_question_in_one_line_with_what_it_is_about() -> None:
    plan = (await ExtractiveReasoner().plan(Case("Where  is\nHask?", WORLD).look())).plan
    assert plan.refined_question == "Where is Hask?"
    assert "hask" in plan.key_terms


async def test_topics_that_a_user_put_in_place_of_the_own_are_kept() -> None:
    """The parts of the question are not researched on top of them."""
    plenty = Remaining(iterations=9, queries=9, reads=9, tokens=9_999, seconds=60.0)
    question = Question(text="Where is Hask? How many arches has the bridge of Tressel Ford?")
    overview = Overview(
        question=question,
        brief=question.text,
        topics=(Topic(text="Who lives in Hask?", status=ItemStatus.SATISFIED, finding="Many."),),
        at_once=2,
        rounds_left=2,
        remaining=plenty,
    )
    left = await ExtractiveReasoner().delegate(overview)
    assert (left.topics, left.complete) == ((), True)
    skipped = overview.model_copy(update={"topics": (), "skipped": ("Where is Hask?",)})
    left = await ExtractiveReasoner().delegate(skipped)
    assert left.topics == ("How many arches has the bridge of Tressel Ford?",)
    assert left.thought == "1 topic left to look for."


async def test_of_topics_that_a_user_chose_the_rest_is_given_out_and_no_other() -> None:
    """Also where what is open is the topic that was dropped."""
    parts = ("Where is Hask?", "How many arches has the bridge of Tressel Ford?")
    own = "Who lives in Hask?"
    researched = Topic(text=parts[0], gaps=(f"Not found: “{parts[1]}”",))
    overview = Overview(
        question=Question(text="\n".join(parts)),
        brief=" ".join(parts),
        topics=(researched,),
        approved=(parts[0], own),
        at_once=2,
        rounds_left=2,
        remaining=Remaining(iterations=9, queries=9, reads=9, tokens=9_999, seconds=60.0),
    )
    assert (await ExtractiveReasoner().delegate(overview)).topics == (own,)
    anyones = overview.model_copy(update={"approved": ()})
    assert (await ExtractiveReasoner().delegate(anyones)).topics == parts[1:]


class _American:
    def document_share(self, word: str) -> float:
        return 0.0 if word == "colour" else 0.1


async def test_a_question_is_searched_in_the_spelling_of_the_sources_as_well() -> None:
    look = Case("What colour is Hask?", WORLD).look()
    queries = (await ExtractiveReasoner(_American()).plan(look)).plan.queries
    assert [q.text for q in queries if q.intent is Intent.REFORMULATION] == ["What color is Hask?"]
    queries = (await ExtractiveReasoner().plan(look)).plan.queries
    assert not [q.text for q in queries if q.intent is Intent.REFORMULATION]


class _Quiet:
    def document_share(self, word: str) -> float:
        return 0.0 if word == "noise" else 0.1


async def test_a_question_is_searched_in_everyday_words_of_the_sources_as_well() -> None:
    look = Case("When is noise made at Hask?", WORLD).look()
    queries = (await ExtractiveReasoner(_Quiet()).plan(look)).plan.queries
    assert any({"hask", "quiet"} <= set(query.text.split()) for query in queries)
