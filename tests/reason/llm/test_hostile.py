"""Whatever a model writes, cutting it into sentences takes linear time, however it arrives."""

from __future__ import annotations

import pytest
from tests.timing import cpu_s

from quaere.reason.llm.sentences import MAX_LINE_CHARS, SentenceReader, with_ids

LIMIT_S = 1.5
"""CPU seconds; most take a tenth of it, and a long run of spaces took minutes."""
TOKEN = 4
"""Characters that arrive at once."""


def _read(text: str) -> list[str]:
    reader = SentenceReader({1: None})
    pieces = (text[at : at + TOKEN] for at in range(0, len(text), TOKEN))
    sentences = [sentence for piece in pieces for sentence in reader.feed(piece)]
    return [sentence.text for sentence in (*sentences, *reader.close())]


@pytest.mark.parametrize("part", [" ", "\t", "a ", "a", "(", "[", "-|", "?", "a? ", "![a", "www."])
@pytest.mark.parametrize("head", ["", "a"])
def test_a_line_without_an_end_is_read_in_time(head: str, part: str) -> None:
    line = head + part * ((MAX_LINE_CHARS - 10) // len(part)) + "b"
    assert cpu_s(lambda: _read(line), enough_s=LIMIT_S) <= LIMIT_S


@pytest.mark.parametrize("part", [" ", "\t", "(", "[", "【"])
def test_ids_are_translated_in_time(part: str) -> None:
    text = f"a{part * MAX_LINE_CHARS}b"
    assert cpu_s(lambda: with_ids(text, {1: 1}), enough_s=LIMIT_S) <= LIMIT_S


def test_a_sentence_of_a_long_line_is_told_before_its_line_ends() -> None:
    reader = SentenceReader({1: None})
    begun = "and it goes on, " * 90
    assert not [*reader.feed(begun)]
    written = f"until the mill burned [1]. {'Then it was built again, and ' * 12}"
    told = [s for at in range(0, len(written), TOKEN) for s in reader.feed(written[at : at + 4])]
    assert [each.text.endswith("the mill burned.") for each in told] == [True]
