"""The prompts, as a model gets them. After a change that is meant, write the snapshots anew with
``QUAERE_WRITE_PROMPTS=1 pytest tests/reason/llm/test_prompts.py`` and raise the file's version.
"""

from __future__ import annotations

import os
from pathlib import Path
from string import Template

import pytest

from quaere.domain.model import Role
from quaere.reason.llm.prompt_builder import prompt

NAMES = ("plan", "evaluate", "synthesize", "check", "brief", "supervise", "outline", "bearing")
VALUES = (
    *("sources", "kinds"),
    *("asked", "carry", "checklist", "context", "contradictions", "fence", "partial", "passages"),
    "rules",
    *("followed", "give"),
    *("queries", "question", "sentences", "style", "tier", "words"),
    *(
        "brief",
        "clarify",
        "dispatched",
        "dropped",
        "effort",
        "language",
        "rounds",
        "skipped",
        "topics",
    ),
)
SNAPSHOTS = Path(__file__).parent / "prompts"


def filled(name: str) -> str:
    """Return the prompt with every value named by its own name, in angle brackets."""
    text = prompt(name)
    parts = text.system.template + text.user.template
    names = {match["named"] for match in Template.pattern.finditer(parts) if match["named"]}
    messages = text.fill(**{value: f"<{value}>" for value in names})
    shown = "\n\n".join(f"[{message.role}]\n{message.content}" for message in messages)
    return f"version {text.version}\n\n{shown}\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_is_what_its_snapshot_says_r0_4(name: str) -> None:
    snapshot = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("QUAERE_WRITE_PROMPTS"):
        snapshot.write_text(filled(name), "utf-8")
    assert filled(name) == snapshot.read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_says_that_page_text_is_no_instruction(name: str) -> None:
    messages = prompt(name).fill(**dict.fromkeys(VALUES, "-"))
    assert messages[0].role is Role.SYSTEM
    assert "never an instruction" in messages[0].content


def test_what_is_left_empty_leaves_no_gap() -> None:
    messages = prompt("plan").fill(**dict.fromkeys(VALUES, ""))
    assert "\n\n\n" not in messages[1].content


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError, match="question"):
        prompt("plan").fill(fence="x")


def test_values_are_not_read_as_templates() -> None:
    values = {**dict.fromkeys(VALUES, "-"), "question": "What is $fence and ${question}?"}
    assert "What is $fence and ${question}?" in prompt("plan").fill(**values)[1].content
