from __future__ import annotations

from quaere.reason.extractive.questions.parts import descriptions


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
