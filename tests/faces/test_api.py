"""The engine as two functions."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from quaere import research, run_research
from quaere.domain.budget import PROFILES, ProfileName
from quaere.domain.report import AnswerStatus
from quaere.domain.team import Strategy
from quaere.domain.verdict import StopReason
from quaere.errors import QuestionError, SettingsError, UsageError

QUESTION = "How many inhabitants has Hask?"


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUAERE_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "hask.md").write_text("# Hask\n\nHask is a town of 8,200 inhabitants.\n")
    return folder


def test_a_question_is_answered_in_one_call_r0_1(notes: Path) -> None:
    report = research(QUESTION, docs=[notes])
    assert report.status is AnswerStatus.ANSWERED
    assert "8,200" in report.answer
    assert report.profile is ProfileName.STANDARD


def test_what_nothing_answers_has_places_to_look_and_cites_nothing(notes: Path) -> None:
    (notes / "orrin.md").write_text(
        "# Orrin\n\nIt lies on the Maren.\n\n## Mill\n\nThe wheel was repaired by carpenters.\n"
    )
    report = research("Which insurer paid for the repair of the wheel?", docs=[notes])
    assert report.status is AnswerStatus.NO_EVIDENCE
    assert (report.citations, report.sentences) == ((), ())
    first = report.nearest[0]
    assert (first.title, first.heading) == ("Orrin", "Mill")
    assert first.line.text == "The wheel was repaired by carpenters."
    assert first.location.startswith(f"{notes}/orrin.md, lines ")
    assert first.line.text not in report.answer
    answered = research(QUESTION, docs=[notes])
    assert answered.nearest == ()


@pytest.mark.anyio
async def test_and_in_one_that_is_awaited_r0_1(notes: Path) -> None:
    report = await run_research(QUESTION, docs=[str(notes)], context="a census")
    assert "8,200" in report.answer


@pytest.mark.anyio
async def test_who_waits_for_a_report_alone_is_not_asked_back(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAERE_APPROVE_PLAN", "true")
    async with asyncio.timeout(60):
        report = await run_research(QUESTION, docs=[notes], strategy=Strategy.SUPERVISOR)
    assert "8,200" in report.answer


@pytest.mark.anyio
async def test_the_call_that_waits_is_refused_where_one_awaits(notes: Path) -> None:
    with pytest.raises(RuntimeError, match=r"running event loop.*await run_research"):
        research(QUESTION, docs=[notes])


@pytest.mark.anyio
async def test_limits_of_the_call_come_before_those_of_the_environment_r0_11(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESEARCH_MAX_ITERS", "4")
    monkeypatch.setenv("RESEARCH_MAX_QUERIES", "6")
    monkeypatch.setenv("QUAERE_PROFILE", "deep")
    report = await run_research(QUESTION, docs=[notes], max_iters=2)
    assert (report.budget.max_iters, report.budget.max_queries) == (2, 6)
    assert report.budget.max_sources == PROFILES[ProfileName.DEEP].max_sources
    simple = await run_research(QUESTION, docs=[notes], complexity_tier="simple")
    assert simple.profile is ProfileName.SIMPLE


@pytest.mark.anyio
async def test_the_model_of_the_call_comes_before_that_of_the_environment(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAERE_MODEL", "nobody:moth-1")
    with pytest.raises(SettingsError, match="nobody"):
        await run_research(QUESTION, docs=[notes])
    with pytest.raises(SettingsError, match="somebody"):
        await run_research(QUESTION, docs=[notes], model="somebody:moth-1")
    report = await run_research(QUESTION, docs=[notes], model="none")
    assert report.reasoner == "extractive"


def test_the_call_that_waits_takes_a_model_too(notes: Path) -> None:
    with pytest.raises(SettingsError, match="somebody"):
        research(QUESTION, docs=[notes], model="somebody:moth-1")


@pytest.mark.anyio
async def test_profiles_are_those_of_the_environment_r3_1(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHAT_RESEARCH_MAX_SEARCH_QUERIES", "3")
    monkeypatch.setenv("AGENTIC_RESEARCH_CHAT_ENABLED", "false")
    report = await run_research(QUESTION, docs=[notes], complexity_tier="chat")
    assert (report.budget.max_queries, report.budget.max_iters) == (3, 1)


@pytest.mark.anyio
async def test_folders_of_the_environment_are_searched(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAERE_DOCS", str(notes))
    assert "8,200" in (await run_research(QUESTION)).answer


@pytest.mark.anyio
async def test_one_iteration_is_enough_to_end_r0_14(notes: Path) -> None:
    report = await run_research("What is zyxomma?", docs=[notes], max_iters=1)
    assert report.iterations == 1
    assert report.stop_reason is StopReason.MAX_ITERATIONS


@pytest.mark.anyio
async def test_what_cannot_be_used_is_named(notes: Path) -> None:
    with pytest.raises(
        UsageError, match=r"^complexity_tier must be 'simple', 'standard', 'deep' or 'chat', not 'f"
    ):
        await run_research(QUESTION, docs=[notes], complexity_tier="fast")
    with pytest.raises(SettingsError, match="max_iters"):
        await run_research(QUESTION, docs=[notes], max_iters=0)
    with pytest.raises(UsageError, match="max_itres"):
        await run_research(QUESTION, docs=[notes], max_itres=3)  # pyright: ignore[reportCallIssue]
    with pytest.raises(UsageError, match="nowhere"):
        await run_research(QUESTION, docs=[notes / "nowhere"])
    with pytest.raises(QuestionError):
        await run_research("   ", docs=[notes])


@pytest.mark.anyio
@pytest.mark.parametrize(("given", "teams"), [(None, True), (Strategy.LOOP, False)])
async def test_the_strategy_of_the_call_comes_before_that_of_the_environment(
    notes: Path, monkeypatch: pytest.MonkeyPatch, given: Strategy | None, *, teams: bool
) -> None:
    monkeypatch.setenv("QUAERE_STRATEGY", "supervisor")
    two = f"{QUESTION} What is sold in the market of Dunmere?"
    report = await run_research(two, docs=[notes], strategy=given)
    assert bool(report.dispatched_topics) is teams


@pytest.mark.anyio
async def test_a_strategy_that_nobody_knows_is_named(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAERE_STRATEGY", "committee")
    with pytest.raises(SettingsError, match="QUAERE_STRATEGY"):
        await run_research(QUESTION, docs=[notes])


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["model", "docs", "providers"])
async def test_r0_1_text_that_cannot_be_written_is_misuse(notes: Path, name: str) -> None:
    options = {"docs": str(notes), name: "caf\udce9"}
    with pytest.raises(UsageError, match="UTF-8"):
        await run_research("Who built the mill?", **options)  # type: ignore[arg-type]


@pytest.mark.anyio
async def test_half_a_character_in_words_is_a_question_mark(notes: Path) -> None:
    report = await run_research("Who built the mill\udce9?", docs=[notes], context="caf\udce9")
    assert report.question == "Who built the mill??"


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["limits", "question", "profile", "models", "nonsense"])
async def test_r0_1_an_option_that_does_not_exist_is_misuse(notes: Path, name: str) -> None:
    options = {"docs": str(notes), name: "deep"}
    with pytest.raises(UsageError, match=f"Unknown option {name}"):
        await run_research("Who built the mill?", **options)  # type: ignore[arg-type]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "meant"), [("profile", "complexity_tier"), ("max_querys", "max_queries")]
)
async def test_an_option_that_is_called_otherwise_is_named(name: str, meant: str) -> None:
    with pytest.raises(UsageError, match=rf"^Unknown option {name} \(did you mean {meant}\?\)"):
        await run_research("Who built the mill?", **{name: "1"})  # type: ignore[arg-type]


BOATS = 40


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which boat is the longest?", "Boat 39 (length_m: 49 m)"),
        ("How many boats have no bar?", "20 (of 40 rows of boats.csv: Boat 1, Boat 3, "),
        (
            "What is the total length of the boats with a bar?",
            "580 m (sum of length_m over 20 of 40",
        ),
    ],
)
@pytest.mark.parametrize("tier", ["simple", "standard"])
def test_a_question_over_the_rows_of_a_table_is_answered_by_all_of_them(
    notes: Path, question: str, said: str, tier: str
) -> None:
    """They are more than a run may select."""
    rows = "".join(f"Boat {n},{10 + n},{'no' if n % 2 else 'yes'}\n" for n in range(BOATS))
    (notes / "boats.csv").write_text(f"boat,length_m,bar\n{rows}")
    report = research(question, docs=[notes], complexity_tier=tier)
    assert report.status is AnswerStatus.ANSWERED
    assert report.direct.text.startswith(said)
    assert {citation.url.rpartition("/")[2] for citation in report.citations} == {"boats.csv"}
    assert all(sentence.support.holds for sentence in report.sentences)
