"""Which citations running text makes, and what of it is left to read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.audit.markers import JOINER, MAX_RANGE, blank_out, find_markers

LISTED = frozenset({"1", "2", "3", "12", "2020", "mill2020", "mill 2020"})


def cited(text: str) -> list[str]:
    """Return the labels and the addresses that ``text`` cites, in order."""
    return [mark.label or mark.address for mark in find_markers(text, LISTED).marks]


def read(text: str) -> str:
    """Return what is left to read of ``text``, on one line."""
    return " ".join(find_markers(text, LISTED).text.replace(JOINER, "").split())


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("So it is [1].", ["1"]),
        ("So it is [1][2].", ["1", "2"]),
        ("So it is [2, 1, 2].", ["2", "1"]),
        ("So it is [9, 10].", ["9", "10"]),
        ("So it is [1-3].", ["1", "2", "3"]),
        ("So it is [1, 2, and 3].", ["1", "2", "3"]),
        ("So it is [1 & 2].", ["1", "2"]),
        ("So it is [Source 2].", ["2"]),
        ("So it is [source: 2].", ["2"]),
        ("So it is [Refs. 1 and 3].", ["1", "3"]),
        ("So it is [Document 7].", []),
        ("So it is [2, p. 4].", ["2"]),
        ("So it is [2, pp. 12–14].", ["2"]),
        ("So it is [2, S. 1].", ["2"]),
        ("So it is [2, § 3].", ["2"]),
        ("So it is (1).", ["1"]),
        ("So it is (1, 3), as said (2)", ["1", "3", "2"]),
        ("So it is (1–3).", ["1", "2", "3"]),
        ("So it is (7), or (1, 7).", []),
        ("It has (1) wheels and f(1).", []),
        ("So it is (1), and so [2].", ["2"]),
        ("So it is [1]-[3].", ["1", "2", "3"]),
        ("So it is [3-1].", ["3", "1"]),
        ("So it is [7].", ["7"]),
        ("So it is [999].", ["999"]),
        ("So it is [1990].", []),
        ("So it is [2020].", ["2020"]),
        ("The interval [0].", []),
        ("So it is [^a].", ["a"]),
        ("So it is.【1†lines】", ["1"]),
        ("So it is.【mill2020】", ["mill2020"]),
        ("So it is.【page†3】", ["page†3"]),
        ("So it is 【said】.", []),
        ("So it is [mill2020].", ["mill2020"]),
        ("So it is [@mill2020].", ["mill2020"]),
        ("So it is [said].", []),
        ("So it is (source: 2).", ["2"]),
        ("So it is (source: notes/a.md).", ["notes/a.md"]),
        ("So it is (source: hearsay).", []),
        ("So it is.\ue200turn0\ue201", ["turn0"]),
        ("So it is.\ue200\ue201", ["?"]),
        ("So it is :contentReference[oaicite:3]{index=3}.", ["oaicite:3"]),
        ("So it is.¹²", ["12"]),
        ("So it is.¹³", ["1", "3"]),
        ("So it is.¹,³", ["1", "3"]),
        ("So it is.⁹", ["9"]),
        ("The mill⁹ is of oak.", []),
        ("It covers 40 m² of land and 10² fields.", []),
        ("So it is.<sup>1, 9</sup>", ["1"]),
        ("So it is.<sup>1-3</sup>", ["1", "2", "3"]),
        ("It was built in 1912.<sup>8, 9</sup> It is red.", ["8", "9"]),
        ("It covers 40 m<sup>8</sup> of land.", []),
    ],
)
def test_every_marker_says_what_it_stands_for(text: str, labels: list[str]) -> None:
    assert cited(text) == labels


@given(st.integers(1, 900), st.integers(0, 2 * MAX_RANGE))
def test_a_range_stands_for_all_numbers_in_it_unless_it_is_too_wide(low: int, more: int) -> None:
    high = low + more
    numbers = range(low, high + 1) if more < MAX_RANGE else (low, high)
    assert cited(f"So it is [{low}-{high}].") == list(map(str, dict.fromkeys(numbers)))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("The [mill][2] is old.", "The mill is old."),
        ("The [mill2020][] is old.", "The mill2020 is old."),
        ("The [mill 2020] is old.", "The mill 2020 is old."),
        ("The code [mill2020] is old.", "The code is old."),
        ("The [mill](https://a.test/x) is old.", "The mill is old."),
        ("It is old [valley.test](https://valley.test/a).", "It is old."),
        ("It is old ([source](https://valley.test/a)).", "It is old."),
        ("It is old (see [1], [2]).", "It is old."),
        ("It is old (see also it).", "It is old (see also it)."),
        ("It is old (see also [1]) (see also).", "It is old (see also)."),
        ("It is old ( ).", "It is old ( )."),
        ("It is old.\nSources: https://a.test/x, [1]\n", "It is old."),
        ("It is old.\nSources:\n", "It is old. Sources:"),
        ("It is [1][2] old.", "It is old."),
    ],
)
def test_what_is_left_to_read_are_the_words_without_what_only_cites(text: str, left: str) -> None:
    assert read(text) == left


def test_a_full_stop_behind_a_marker_ends_the_sentence_and_no_other_blank_is_touched() -> None:
    text = "So . It is [1] ."
    found = find_markers(text, LISTED).text
    assert found == f"So . It is{JOINER * 5}."
    assert len(found) == len(text)


def test_markers_are_told_where_they_stand_in_the_order_of_the_text() -> None:
    text = "By https://a.test/x and [the mill](https://a.test/y), so [2, 1]."
    marks = find_markers(text, LISTED).marks
    assert [text[mark.start : mark.end] for mark in marks] == [
        "https://a.test/x",
        "[the mill](https://a.test/y)",
        "[2, 1]",
        "[2, 1]",
    ]
    assert [mark.label for mark in marks] == ["", "", "2", "1"]


@given(
    st.text("ab\n ", max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4),
)
def test_what_is_blanked_out_keeps_its_lines_and_its_length(
    text: str, spans: list[tuple[int, int]]
) -> None:
    inside = [(min(one), max(one)) for one in spans if max(one) <= len(text)]
    gone = {at for start, end in inside for at in range(start, end)}
    blanked = blank_out(text, inside)
    assert blanked == "".join(
        " " if at in gone and char != "\n" else char for at, char in enumerate(text)
    )
