from __future__ import annotations

import pytest

from quaere.text.inline import Form, hide_code, outside_code, stretches, unescaped, unmarked


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("set `PORT` first", [("plain", "set "), ("code", "PORT"), ("plain", " first")]),
        ("a **loud** word", [("plain", "a "), ("strong", "loud"), ("plain", " word")]),
        ("the **`mast`**", [("plain", "the "), ("code", "mast")]),
        ("GNU quotes `so', as a manual does", [("plain", "GNU quotes `so', as a manual does")]),
        ("2 ** 3 and ** 4", [("plain", "2 ** 3 and ** 4")]),
        ("", []),
    ],
)
def test_code_and_bold_words_are_told_from_the_rest(text: str, told: list[tuple[str, str]]) -> None:
    assert [(str(form), words) for form, words in stretches(text)] == told
    assert unmarked(text) == "".join(words for _, words in told)


def test_code_is_hidden_in_its_length_and_left_alone() -> None:
    text = "see `a[1]` and [1]"

    assert hide_code(text) == "see xxxxxx and [1]"
    assert outside_code(text, str.upper) == "SEE `a[1]` AND [1]"
    assert outside_code(text, str.upper, str.title) == "SEE `A[1]` AND [1]"
    assert next(stretches(text)) == (Form.PLAIN, "see ")


def test_backslashes_go_before_punctuation_alone() -> None:
    assert unescaped(r"\[1\] a\_b c\d") == r"[1] a_b c\d"
