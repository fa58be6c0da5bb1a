"""What the prompts take and say."""

from __future__ import annotations

import pytest
from mcp.types import TextContent

from quaere.errors import UsageError
from quaere.faces.mcp.prompts import get_prompt, list_prompts


def said(name: str, **given: str) -> str:
    """Return what the prompt called ``name`` says."""
    (message,) = get_prompt(name, given).messages
    assert message.role == "user"
    assert isinstance(message.content, TextContent)
    return message.content.text


def test_the_first_argument_of_each_prompt_is_all_that_it_needs() -> None:
    listed = list_prompts().prompts
    assert [each.name for each in listed] == [
        "research",
        "compare",
        "review_evidence",
        "check_citations",
    ]
    for prompt in listed:
        assert prompt.arguments
        needed = [each.name for each in prompt.arguments if each.required]
        assert needed == [prompt.arguments[0].name]
        assert "the old mill" in said(prompt.name, **{needed[0]: "the old mill"})
        assert get_prompt(prompt.name, {needed[0]: "x"}).description == prompt.description
        assert prompt.title


@pytest.mark.parametrize(
    ("name", "needed", "more", "told"),
    [
        ("research", "question", "need", "The answer is for: {}."),
        ("compare", "options", "criteria", "Compare them by {}."),
        ("review_evidence", "topic", "since", "Use published_after {}."),
    ],
)
def test_what_else_is_given_is_said_and_what_is_blank_is_not(
    name: str, needed: str, more: str, told: str
) -> None:
    assert told.format("barley") in said(name, **{needed: "the mill", more: " barley "})
    for plain in (
        said(name, **{needed: "the mill"}),
        said(name, **{needed: "the mill", more: " "}),
    ):
        assert told.format("") not in plain
        assert "the mill" in plain


def test_options_are_compared_by_what_matters_unless_something_is_named() -> None:
    assert "the points that matter most" in said("compare", options="oats and rye")
    assert "the points that matter most" not in said("compare", options="oats", criteria="price")


@pytest.mark.parametrize("given", [None, {}, {"question": "  "}, {"need": "barley"}])
def test_a_prompt_without_what_it_needs_says_so(given: dict[str, str] | None) -> None:
    with pytest.raises(UsageError, match="The prompt research needs the argument question"):
        get_prompt("research", given)


def test_a_prompt_that_there_is_not_is_told_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"no prompt .*bake.*; there are: research, compare"):
        get_prompt("bake", {"question": "x"})
