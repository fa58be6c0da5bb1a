"""Sentences that speak of the passages, and say nothing of the world."""

from __future__ import annotations

import pytest

from quaere.text.about_passages import LONGEST, after_disagreement, is_about_passages

LONG = "The passages do not say who built the mill"


@pytest.mark.parametrize(
    "text",
    [
        "The passages do not say who built the mill.",
        "These sources don't mention a keeper.",
        "The provided documents did not specify the year.",
        "None of the passages says when it burned.",
        "No source gives the height.",
        "The search results do not clearly state the price.",
        "This is not stated in the passages.",
        "Die Quellen nennen kein Jahr.",
        "In den Passagen steht das nicht.",
        "The passages disagree on the year.",
        "The two sources do not agree about the height.",
        "Both reports contradict each other.",
    ],
)
def test_what_passages_do_not_say_and_that_they_disagree_is_about_them(text: str) -> None:
    assert is_about_passages(text)


@pytest.mark.parametrize(
    "text",
    [
        "The mill does not grind barley.",
        "The passages say that the mill burned.",
        "No mill gives flour in winter.",
        "The two keepers met in May.",
        "It is not stated by law.",
        "The passages do not say who built the mill, but it burned in 1790.",
        "The sources disagree; the mill is old.",
        "The passages do not say who built it, although Wray owned it.",
        "",
    ],
)
def test_what_states_anything_of_the_world_is_not(text: str) -> None:
    assert not is_about_passages(text)


def test_a_sentence_that_is_long_says_more_than_that() -> None:
    filler = " of the lower town" * 20
    words = f"{LONG}{filler}".split()
    assert is_about_passages(" ".join(words[:LONGEST]))
    assert not is_about_passages(" ".join(words[: LONGEST + 1]))


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("The passages disagree on the year.", " on the year."),
        ("The mill burned.", "The mill burned."),
        ("The passages do not say who.", "The passages do not say who."),
    ],
)
def test_what_they_disagree_on_is_what_follows(text: str, rest: str) -> None:
    assert after_disagreement(text) == rest
