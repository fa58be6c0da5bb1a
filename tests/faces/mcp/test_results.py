"""What a report comes to as the result of a tool."""

from __future__ import annotations

import pytest
from tests.synthesize.drafts import place_to_look, unanswered

from quaere.faces.mcp.results import research_output, research_text, shown_url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/the mill (1788)", "https://a.example/the%20mill%20%281788%29"),
        ("file:///notes/the mill.md", "file:///notes/the%20mill.md"),
        ("notes/mill.md", "notes/mill.md"),
        ("javascript:alert(1)", ""),
    ],
)
def test_a_url_is_encoded_and_one_that_leads_to_no_source_left_out(url: str, shown: str) -> None:
    assert shown_url(url) == shown


def test_places_to_look_are_data_and_stand_after_the_answer_in_the_text() -> None:
    place = place_to_look("The mill", "Wheel", "It turns.")
    output = research_output(unanswered().model_copy(update={"nearest": (place,)}))
    assert output.sources == ()
    assert [(each.title, each.url) for each in output.nearest] == [
        ("The mill", "file:///notes/the%20mill.md")
    ]
    assert research_text(output).startswith(
        f"{output.answer}\n\n"
        "Where to look. None of this answers the question; it comes nearest to it.\n"
        "- The mill, Wheel (/notes/the mill.md, lines 3-9): It turns.\n\n"
    )
