from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.reason.extractive.question_parts import MAX_THING, descriptions, things


def test_descriptions_come_innermost_first() -> None:
    found = descriptions("Where was the mother of the founder of Quill Observatory born?")
    assert found == (
        "the founder of Quill Observatory",
        "the mother of the founder of Quill Observatory",
    )


def test_what_a_name_owns_is_a_description() -> None:
    assert "Odile Varga's mother" in descriptions("When did Odile Varga's mother die?")


def test_a_description_needs_a_name() -> None:
    assert descriptions("Who is the keeper of the lamp?") == ()


def test_things_are_names_then_words() -> None:
    found = things("How does salt air harm the brass wheels of Quill Observatory?")
    assert found[0] == "Quill Observatory"
    assert "brass wheels" in found


def test_commands_are_no_things() -> None:
    assert not {"Summarize", "Research"} & set(things("Summarize the fire. Research the lamp."))


def test_text_without_spaces_keeps_its_stretches() -> None:
    assert "天文台的历史" in things("天文台的历史，创始人")


@given(st.text(max_size=300))
def test_things_stand_in_the_question(text: str) -> None:
    for thing in things(text):
        assert thing in text
        assert len(thing) > 0
    for link in descriptions(text):
        assert link in " ".join(text.split())
    assert all(len(t) <= MAX_THING or t in text for t in things(text))
