from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.evidence.features import TITLE_REPEATS, features_of, title_forms
from quaere.evidence.links import names_by_sentence
from quaere.text.tokens import stem


@pytest.mark.parametrize(
    ("title", "full", "base", "short"),
    [
        ("Hask", "hask", "hask", "hask"),
        ("Mercury (planet)", "mercury planet", "mercury", "mercury"),
        ("Hask, Maren", "hask maren", "hask maren", "hask"),
        ("Hask, Maren (town)", "hask maren town", "hask maren", "hask"),
        ("(untitled)", "untitled", "untitled", "untitled"),
        ("The Slate, the Flax, the Rye", "the slate the flax the rye", "", "the slate"),
        ("", "", "", ""),
        ("?!", "", "", ""),
        (", and", "and", "and", "and"),
        ("Ōdile Värga", "ōdile värga", "ōdile värga", "ōdile värga"),
    ],
)
def test_a_title_may_be_named_in_three_ways(title: str, full: str, base: str, short: str) -> None:
    forms = title_forms(title)
    assert (forms.full, forms.base, forms.short) == (full, base or full, short)
    assert forms.exact == (forms.full, forms.base)


def test_a_word_of_the_title_counts_three_times() -> None:
    passage = features_of("p", "Slate", "Slate is grey. Flax is not.")
    assert passage.counts["slate"] == TITLE_REPEATS + 1
    assert passage.counts["flax"] == 1
    assert passage.length == sum(passage.counts.values())


def test_title_and_text_are_one_phrase_without_running_into_each_other() -> None:
    passage = features_of("p", "Mount", "Sorrel is red.")
    assert " mount " in passage.phrase
    assert " sorrel is red " in passage.phrase
    assert " mount sorrel " not in passage.phrase
    assert passage.vocabulary == {"mount", "sorrel", "is", "red"}


def test_sentences_are_kept_apart() -> None:
    passage = features_of("p", "Hask", "Hask sells wool. The bridge is old.")
    assert passage.sentences == (("hask", "sells", "wool"), ("the", "bridge", "is", "old"))


def test_names_are_told_sentence_by_sentence() -> None:
    text = "It was founded by Odile Varga. The masons came from Hask, Maren."
    first, second = names_by_sentence(text)
    assert "odile varga" in first
    assert {"hask", "maren"} <= set(" ".join(second).split())
    assert "hask maren" in second


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_passage_can_be_prepared(title: str, text: str) -> None:
    passage = features_of("p", title, text)
    assert passage.length == sum(passage.counts.values()) >= 0
    assert len(names_by_sentence(text)) == len(passage.sentences)
    assert {stem(word) for word in passage.vocabulary} == set(passage.counts)
