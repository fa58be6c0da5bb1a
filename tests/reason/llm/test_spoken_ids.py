"""Ids that a model uses as words of its sentences."""

from __future__ import annotations

import pytest
from tests.timing import cpu_s

from quaere.reason.llm.sentences import SentenceReader, spelt_out, with_ids


def read(text: str) -> list[tuple[str, tuple[int, ...]]]:
    reader = SentenceReader({2: None, 3: None})
    return [(each.text, each.evidence) for each in (*reader.feed(text), *reader.close())]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It has two wheels (see [2]).", "It has two wheels."),
        ("It has two wheels ([2]).", "It has two wheels."),
        ("It has two wheels (siehe auch hier).", "It has two wheels (siehe auch hier)."),
        ("According to [2], it has two wheels.", "According to the source, it has two wheels."),
        ("It has, as described in [2], a wheel.", "It has, as described in the source, a wheel."),
        ("Laut [2] hat sie zwei Räder.", "Laut der Quelle hat sie zwei Räder."),
        ("Passage [2] says that it has a wheel.", "The source says that it has a wheel."),
        ("[2] says that it has a wheel.", "The source says that it has a wheel."),
        ("It has a wheel, as [2] notes.", "It has a wheel, as the source notes."),
        ("It has a wheel of `a [2] says` [2].", "It has a wheel of `a [2] says`."),
        ("It has two wheels [2].", "It has two wheels."),
        ("It has two wheels [2] and says so.", "It has two wheels and says so."),
    ],
)
def test_what_ids_stand_for_is_in_words(text: str, said: str) -> None:
    assert [each for each, _ in read(text)] == [said]
    if "`" not in text:
        renumbered = with_ids(text, {2: 3})
        assert [each for each, _ in read(renumbered)] == [said]
    assert read(text)[0][1] == ((2,) if "[2]" in text else ())


def test_two_that_disagree_are_told_apart() -> None:
    assert read("[2] says 1881, while [3] gives 1874. It is tall (cf. [2], [3]).") == [
        ("One source says 1881, while another gives 1874.", (2, 3)),
        ("It is tall.", (2, 3)),
    ]
    assert read("[2] nennt 1881, aber [3] sagt 1874.") == [
        ("Eine Quelle nennt 1881, aber eine andere sagt 1874.", (2, 3))
    ]


@pytest.mark.parametrize("between", ["  ", "  ,", " , ", " and  "])
def test_a_row_of_ids_that_nothing_closes_is_read_in_time(between: str) -> None:
    text = f"So it is (see {f'[1]{between}' * 500}"
    assert cpu_s(lambda: spelt_out(text), enough_s=1.0) < 1.0
