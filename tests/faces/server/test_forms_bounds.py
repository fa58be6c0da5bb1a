"""Between which bounds a search or a check may be asked for."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pydantic import BaseModel, ValidationError

from quaere.faces.server.forms import CheckForm, LabelForm, RunForm, SearchForm

SAID: Mapping[type[BaseModel], Mapping[str, str]] = {
    SearchForm: {"query": "x"},
    CheckForm: {"text": "x"},
    RunForm: {"question": "x"},
}


@pytest.mark.parametrize(
    ("form", "field", "least", "most", "beyond"),
    [
        (SearchForm, "limit", 1, 100, (0, 101)),
        (CheckForm, "max_reads", 0, 200, (-1, 201)),
        (CheckForm, "max_time_s", 0.5, 600.0, (0, 600.5)),
    ],
)
def test_numbers_have_a_least_and_a_most(
    form: type[BaseModel], field: str, least: float, most: float, beyond: tuple[float, float]
) -> None:
    for value in (least, most):
        assert getattr(form.model_validate({**SAID[form], field: value}), field) == value
    for value in beyond:
        with pytest.raises(ValidationError):
            form.model_validate({**SAID[form], field: value})


def test_what_is_left_out_is_what_the_documentation_says() -> None:
    check, search = CheckForm(text="x"), SearchForm(query="x")
    assert (check.max_reads, check.max_time_s, check.run_async) == (50, 120.0, False)
    assert check.model is None
    assert search.limit == 10
    run = RunForm(question="x")
    assert (run.approve_plan, run.deadline, run.webhook, run.conversation) == (
        False,
        None,
        None,
        (),
    )


@pytest.mark.parametrize(
    ("form", "field", "longest"),
    [
        (RunForm, "question", 20_000),
        (RunForm, "context", 100_000),
        (RunForm, "continues", 64),
        (RunForm, "webhook", 2_000),
        (CheckForm, "text", 500_000),
        (SearchForm, "query", 20_000),
    ],
)
def test_texts_are_as_long_as_they_may_be(form: type[BaseModel], field: str, longest: int) -> None:
    form.model_validate({**SAID[form], field: "x" * longest})
    with pytest.raises(ValidationError):
        form.model_validate({**SAID[form], field: "x" * (longest + 1)})


@pytest.mark.parametrize(
    ("form", "field", "most", "one"),
    [
        (RunForm, "conversation", 50, {"question": "a", "answer": "b"}),
        (RunForm, "folders", 50, "a"),
        (RunForm, "providers", 50, "a"),
    ],
)
def test_lists_are_as_long_as_they_may_be(
    form: type[BaseModel], field: str, most: int, one: object
) -> None:
    form.model_validate({**SAID[form], field: [one] * most})
    with pytest.raises(ValidationError):
        form.model_validate({**SAID[form], field: [one] * (most + 1)})


def test_labels_are_few_and_short() -> None:
    assert LabelForm.model_validate({"tags": ["x" * 50] * 20}).tags == ("x" * 50,) * 20
    assert (LabelForm().tags, LabelForm().pinned) == (None, None)
    for tags in (["x"] * 21, ["x" * 51], [""]):
        with pytest.raises(ValidationError):
            LabelForm.model_validate({"tags": tags})


def test_a_field_that_nobody_knows_is_refused() -> None:
    for form, said in SAID.items():
        with pytest.raises(ValidationError):
            form.model_validate({**said, "colour": "blue"})
