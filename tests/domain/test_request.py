"""What people may ask for, and what they are told when it cannot be used."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.budget import Limits
from quaere.domain.request import ReusedEvidence, RunRequest, RunSpec
from quaere.domain.scope import Scope, Sites
from quaere.domain.team import Strategy
from quaere.domain.trace import CHECK_TOOL, TOOL
from quaere.errors import QuestionError, UsageError


def test_a_folder_may_be_named_from_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    asked = RunRequest.of(question="Who?", docs=["~/notes", "~nobody-here/x"])
    assert asked.docs == (tmp_path / "notes", Path("~nobody-here/x").absolute())


def test_what_is_said_is_kept_and_the_rest_is_left_to_others() -> None:
    asked = RunRequest.of(
        question="Who?",
        strategy="supervisor",
        docs=[Path("notes")],
        limits={"max_iters": 3, "max_reads": None},
        scope={"sites": {"only": ["example.org"]}, "published_after": "2024-01-31"},
    )
    assert asked.strategy is Strategy.SUPERVISOR
    assert asked.docs == (Path("notes").absolute(),)
    assert asked.limits == {"max_iters": 3}
    assert asked.scope == Scope(
        sites=Sites(only=("example.org",)), published_after=date(2024, 1, 31)
    )
    assert asked.profile is None


@pytest.mark.parametrize("question", [None, 7, b"who?", ["who?"]])
def test_a_question_is_text(question: object) -> None:
    with pytest.raises(QuestionError, match="question"):
        RunRequest.of(question=question)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("strategy", "nonsense", "'loop', 'supervisor' or 'auto'"),
        ("profile", "fast", "'simple', 'standard', 'deep' or 'chat'"),
        ("docs", [""], "a path is empty"),
        ("docs", "notes", "docs"),
        ("providers", "wikipedia", "providers"),
        ("limits", {"max_loops": 2}, "unknown limit max_loops"),
        ("limits", {"max_iters": "many"}, "limits.max_iters"),
        ("scope", {"sites": {"only": ["http://a.org/b"]}}, "scope.sites.only.0"),
        ("scope", {"published_after": "2024-02-01", "published_before": "2024-01-01"}, "later"),
        ("language", "German", "language"),
        ("reuse", "always", "'never', 'offer' or 'use'"),
        ("colour", "red", "colour"),
    ],
)
def test_what_cannot_be_used_is_a_usage_error_that_names_it(
    field: str, value: object, told: str
) -> None:
    with pytest.raises(UsageError, match="Invalid request") as caught:
        RunRequest.of(**{"question": "Who?", field: value})
    assert told in caught.value.message
    assert not isinstance(caught.value, QuestionError)


@pytest.mark.parametrize("run_id", ["", "a/b", "../a", ".", "a\\b", "a b", "x" * 65, "a\n"])
def test_a_run_id_can_name_a_file(run_id: str) -> None:
    with pytest.raises(ValueError, match="run_id"):
        RunSpec(request=RunRequest(question="Who?"), run_id=run_id)


@given(
    question=st.text(min_size=1),
    iters=st.none() | st.integers(1, 100),
    strategy=st.none() | st.sampled_from(Strategy),
    hosts=st.lists(st.sampled_from(["a.org", "b.example", "ä.de"]), max_size=3),
)
def test_a_spec_survives_being_written_and_read(
    question: str, iters: int | None, strategy: Strategy | None, hosts: list[str]
) -> None:
    spec = RunSpec(
        request=RunRequest(
            question=question.encode("utf-8", "replace").decode(),
            limits=Limits(max_iters=iters),
            strategy=strategy,
            scope=Scope(sites=Sites(exclude=tuple(hosts))),
        )
    )
    assert RunSpec.model_validate_json(spec.model_dump_json(exclude_defaults=True)) == spec


def test_a_trace_tells_what_differs_from_the_defaults_and_no_text_of_pages() -> None:
    spec = RunSpec(
        request=RunRequest(question="Who?"),
        reused=ReusedEvidence(run_id="r1", told="told", passages=()),
    )
    assert spec.asking == {"question": "Who?", "draws_on": "r1"}


def test_a_check_is_kept_under_a_tool_of_its_own_r4_3() -> None:
    asked = RunSpec.of("Who built it?", run_id="a")
    assert asked.tool == TOOL
    assert asked.model_copy(update={"checked_text": "It was built."}).tool == CHECK_TOOL


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"language": "jp"}, "language: must be an ISO 639 code, such as en; there is no jp"),
        ({"scope": {"languages": ["de", "cn"]}}, "scope.languages.1: must be an ISO 639 code"),
        ({"docs": "notes"}, "docs: must be a list"),
        ({"models": "openai:large"}, "models: must be an object of names and values"),
    ],
)
def test_what_cannot_be_used_is_told_in_plain_words(asked: dict[str, object], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        RunRequest.of(question="Who?", **asked)


@pytest.mark.parametrize("code", ["de", "ja", "yue", "gsw"])
def test_a_language_may_have_a_code_of_two_letters_or_of_three(code: str) -> None:
    assert RunRequest.of(question="Who?", language=code).language == code
