"""Prompts for common jobs, which clients offer as commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mcp_types import (
    GetPromptResult,
    ListPromptsResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
)

from quaere.errors import UsageError
from quaere.text.sanitize import quoted

CITE = (
    "Keep the citation markers such as [src_1] in your answer, list the sources with their links "
    "below it, and say which sentences are not supported and what stays open."
)


@dataclass(frozen=True, slots=True)
class Job:
    """A prompt: what it asks the user for, and what it says to the assistant."""

    name: str
    title: str
    description: str
    arguments: tuple[tuple[str, str], ...]
    """Names and descriptions; the first one is required."""
    says: Callable[[Mapping[str, str]], str]


def _research(given: Mapping[str, str]) -> str:
    need = f" The answer is for: {given['need']}." if given.get("need") else ""
    return f"Use deep_research to answer this question: {given['question']}{need} {CITE}"


def _compare(given: Mapping[str, str]) -> str:
    points = given.get("criteria") or "the points that matter most for a decision"
    return (
        f"Use deep_research, with form table, to compare: {given['options']}. Compare them by "
        f"{points}. {CITE}"
    )


def _review(given: Mapping[str, str]) -> str:
    since = f" Use published_after {given['since']}." if given.get("since") else ""
    return (
        f"Use deep_research, with form report, to review the evidence on: {given['topic']}.{since} "
        f"Say where sources agree, where they contradict each other and how strong they are. {CITE}"
    )


def _check(given: Mapping[str, str]) -> str:
    return (
        "Use check_text on the text below. List every sentence that its sources contradict or do "
        "not support, with what they say instead, and propose a corrected text.\n\n"
        f"{given['text']}"
    )


JOBS = (
    Job(
        "research",
        "Research a question",
        "Answer a question from many sources, each sentence with its source",
        (
            ("question", "What to find out"),
            ("need", "What the answer is for: reader, field, constraints"),
        ),
        _research,
    ),
    Job(
        "compare",
        "Compare options",
        "Compare products, methods or places in a table with sources",
        (("options", "What to compare"), ("criteria", "By what to compare it")),
        _compare,
    ),
    Job(
        "review_evidence",
        "Review the evidence",
        "What is known of a topic, where sources agree, and where they do not",
        (("topic", "What the review is about"), ("since", "First day of publication, 2024-01-31")),
        _review,
    ),
    Job(
        "check_citations",
        "Check citations",
        "Check whether the sources of a text say what it says",
        (("text", "The text with its citations"),),
        _check,
    ),
)
"""In the order in which they are listed."""


def list_prompts() -> ListPromptsResult:
    """Return the prompts."""
    return ListPromptsResult(
        prompts=[
            Prompt(
                name=job.name,
                title=job.title,
                description=job.description,
                arguments=[
                    PromptArgument(name=name, description=told, required=place == 0)
                    for place, (name, told) in enumerate(job.arguments)
                ],
            )
            for job in JOBS
        ]
    )


def get_prompt(name: str, arguments: Mapping[str, str] | None) -> GetPromptResult:
    """Return what the prompt called ``name`` says.

    Raises:
        UsageError: when there is none, or its first argument is missing.
    """
    job = _job(name)
    given = {key: value.strip() for key, value in (arguments or {}).items() if value.strip()}
    required = job.arguments[0][0]
    if required not in given:
        raise UsageError(f"The prompt {name} needs the argument {required}.")
    message = PromptMessage(role="user", content=TextContent(text=job.says(given)))
    return GetPromptResult(description=job.description, messages=[message])


def _job(name: str) -> Job:
    for job in JOBS:
        if job.name == name:
            return job
    known = ", ".join(job.name for job in JOBS)
    raise UsageError(f"There is no prompt {quoted(name)}; there are: {known}.")
