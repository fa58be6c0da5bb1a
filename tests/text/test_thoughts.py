from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.timing import cpu_s

from quaere.text.thoughts import Spoken, thoughts_at_head


def spoken(text: str, size: int) -> str:
    spoken = Spoken()
    said = "".join(spoken.feed(text[at : at + size]) for at in range(0, len(text), size))
    return said + spoken.close()


@pytest.mark.parametrize("size", [1, 3, 1_000])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<think>It may be 3, or 4.</think>\n\nIt is 4 [1].", "It is 4 [1]."),
        ("\n<thinking>So?</thinking>It is 4.", "It is 4."),
        ('<think depth="2">So?</think><think>Or so?</think>It is 4.', "It is 4."),
        ("[THINK]So?[/THINK] It is 4.", "It is 4."),
        ("◁think▷So?◁/think▷ It is 4.", "It is 4."),
        ("<think>It may be 3", ""),
        ("<b>It</b> is 4.", "<b>It</b> is 4."),
        ("[1] says that it is 4.", "[1] says that it is 4."),
        ("[4](a.md) is said.", "[4](a.md) is said."),
        ("<", "<"),
        ("It is 4. <think>So?</think>", "It is 4. <think>So?</think>"),
    ],
)
def test_only_thoughts_at_the_head_are_left_out(text: str, said: str, size: int) -> None:
    assert spoken(text, size) == said


@given(st.text(alphabet="<>/think [1]a\n", max_size=60), st.integers(1, 9))
def test_pieces_make_no_difference(text: str, size: int) -> None:
    assert spoken(text, size) == spoken(text, 1_000)


def test_thoughts_without_an_end_are_text() -> None:
    assert thoughts_at_head("<think>It may be 3.</think> It is 4.") == (0, 27)
    assert thoughts_at_head("<think>It may be 3.") == (0, 0)
    assert thoughts_at_head("It is 4. <think>So?</think>") == (0, 0)


def test_what_does_not_begin_with_thoughts_is_said_as_it_was_written() -> None:
    spoken = Spoken()
    assert (
        spoken.feed("\n  The mill") + spoken.feed(" turns.") + spoken.close()
        == "\n  The mill turns."
    )


def test_blanks_before_an_answer_are_looked_at_once() -> None:
    spoken = Spoken()
    assert "".join([*(spoken.feed("    ") for _ in range(3)), spoken.feed("<think>So?</th")]) == ""
    assert spoken.feed("ink> It is 4.") + spoken.close() == "It is 4."

    def slowly() -> None:
        slow = Spoken()
        for _ in range(20_000):
            slow.feed("    ")

    assert cpu_s(slowly, enough_s=0.3) <= 0.3
