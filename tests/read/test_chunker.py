from __future__ import annotations

import itertools
import time
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.read.documents import LOREM, body

from quaere.domain.source import Mark, Page, Passage, passage_id
from quaere.read.chunker import MAX_WORDS, WHOLE_WORDS, PassageChunker
from quaere.read.extract.markdown import TextExtractor

SENTENCE = "The pilot boat left the inner basin before dawn and came back at noon. "  # 14 words


def page(text: str, *marks: tuple[int, str]) -> Page:
    return Page(
        url="file:///docs/log.txt",
        title="Log",
        text=text,
        retrieved_at="2025-03-04T05:06:07+00:00",
        published="2024-01-02",
        marks=tuple(Mark(start=start, label=label) for start, label in marks),
    )


def cut(text: str, *marks: tuple[int, str]) -> list[Passage]:
    return PassageChunker()(page(text, *marks))


def words(passage: Passage) -> int:
    return len(passage.text.split())


def test_a_passage_carries_its_page() -> None:
    source = page("  High water at six.  ")
    (passage,) = PassageChunker()(source)
    assert passage == Passage(
        id=passage_id(source.url, 2, "High water at six."),
        url=source.url,
        title="Log",
        text="High water at six.",
        start=2,
        end=20,
        content_hash=source.content_hash,
        retrieved_at=source.retrieved_at,
        published="2024-01-02",
    )


def test_a_short_page_is_one_passage() -> None:
    text = SENTENCE * (WHOLE_WORDS // 14)
    assert [passage.text for passage in cut(text)] == [text.strip()]


@pytest.mark.parametrize("text", ["", " \n\t ", "\u00a0"])
def test_a_page_without_words_has_no_passages(text: str) -> None:
    assert cut(text) == []


def test_long_text_is_cut_into_passages_of_the_same_size() -> None:
    passages = cut(SENTENCE * 100)
    assert all(80 <= words(passage) <= 150 for passage in passages)
    assert all(passage.text.endswith("noon.") for passage in passages)


def test_paragraphs_are_kept_whole_where_they_fit() -> None:
    paragraph = (SENTENCE * 7).strip()  # 98 words
    assert [passage.text for passage in cut("\n\n".join([paragraph] * 5))] == [paragraph] * 5


def test_short_paragraphs_share_a_passage() -> None:
    paragraph = (SENTENCE * 4).strip()  # 56 words
    passages = cut("\n\n".join([paragraph] * 8))
    assert [passage.text.count("\n\n") for passage in passages] == [1, 1, 1, 1]


@pytest.mark.parametrize("heading", ["## Pilot boats", "Pilot boats"])
def test_a_heading_stays_with_what_follows(heading: str) -> None:
    text = f"\n\n{heading}\n\n".join([(SENTENCE * 8).strip()] * 4)
    passages = cut(text)
    assert [passage.text.count(heading) for passage in passages] == [0, 1, 1, 1]
    assert all(passage.text.startswith(heading) for passage in passages[1:])


def test_headings_with_no_text_between_them_stay_together() -> None:
    text = f"{SENTENCE * 9}\n\n# Harbour\n\n## Boats\n\n### Pilots\n\n{SENTENCE * 9}"
    assert cut(text)[1].text.startswith("# Harbour\n\n## Boats")


def test_an_option_stays_with_what_it_does() -> None:
    said = "           " + "\n           ".join(
        ["The lamp is lit at dusk and put out at dawn."] * 9
    )
    options = "\n\n".join(f"       -{name}, --lamp-{name}=OIL\n\n{said}" for name in "abcdef")
    for passage in PassageChunker()(page(options)):
        assert passage.text.startswith("-")
        assert passage.text.endswith("dawn.")


def test_a_passage_never_crosses_a_page() -> None:
    text = "\n\n".join([(SENTENCE * 3).strip()] * 3)
    size = len(SENTENCE.strip()) * 3 + 2 + 2
    passages = cut(text, (0, "page 1"), (size, "page 2"), (2 * size, "page 3"))
    assert [passage.locator for passage in passages] == ["page 1", "page 2", "page 3"]


def test_lines_are_told_from_first_to_last() -> None:
    text = "\n".join([SENTENCE.strip()] * 30)
    source = next(TextExtractor().extract(body(text)))
    passages = PassageChunker()(source)
    lines = text.split("\n")
    for passage in passages:
        first, last = map(int, passage.locator.removeprefix("lines ").split("-"))
        assert passage.text == "\n".join(lines[first - 1 : last])


def test_over_marks_of_two_kinds_a_passage_is_placed_from_the_first_to_the_last() -> None:
    (passage,) = cut("High water\nname: Pell", (0, "Tides"), (11, "row 2"))
    assert passage.locator == "Tides to row 2"


def test_a_passage_over_several_places_brings_them_for_its_quotes() -> None:
    text = "High water. Low water. Slack water."
    (passage,) = cut(text, (0, "cell 1"), (12, "cell 2"), (23, "cell 4"))
    assert passage.locator == "cells 1-4"
    assert [passage.place_at(at, at + 5) for at in (0, 12, 23)] == ["cell 1", "cell 2", "cell 4"]
    assert passage.place_at(0, 20) == "cells 1-2"


@pytest.mark.parametrize(
    "marks", [((0, "cell 1"),), ((0, "line 1"), (12, "line 2")), ((0, "cell 1"), (900, "cell 2"))]
)
def test_lines_and_a_single_place_need_no_marks(marks: tuple[tuple[int, str], ...]) -> None:
    assert cut("High water. Low water.", *marks)[0].marks == ()


def test_a_passage_inside_one_line_names_that_line() -> None:
    passages = cut(SENTENCE * 50, (0, "line 7"))
    assert {passage.locator for passage in passages} == {"line 7"}


def test_a_record_is_named_by_its_row() -> None:
    assert cut("name: Pell; cars: 11", (0, "row 7"))[0].locator == "row 7"


def test_text_before_the_first_mark_has_no_place() -> None:
    assert cut("High water at six", (5, "line 2"))[0].locator == ""


def test_text_without_a_break_is_cut_anyway() -> None:
    passages = cut("a" * 20_000)
    assert "".join(passage.text for passage in passages) == "a" * 20_000
    assert max(len(passage.text) for passage in passages) < 6000


def test_a_sentence_without_an_end_is_cut_after_a_comma() -> None:
    passages = cut("the mole and the quay and the pier and the dock, " * 100)
    assert all(words(passage) <= MAX_WORDS for passage in passages)
    assert all(passage.text.endswith("dock,") for passage in passages)


def test_numbers_are_not_cut_in_two() -> None:
    text = "and 4.50 to 3,250 " * 300
    assert {word for passage in cut(text) for word in passage.text.split()} == {
        "and", "4.50", "to", "3,250"
    }  # fmt: skip


def test_signs_of_scripts_without_spaces_count_as_half_a_word() -> None:
    passages = cut("港の記録は毎朝七時に発表されます。" * 100)
    assert all(150 <= len(passage.text) <= 310 for passage in passages)
    assert all(passage.text.endswith("。") for passage in passages)


def test_ids_are_the_same_in_every_run() -> None:
    assert [passage.id for passage in cut(LOREM * 20)] == [p.id for p in cut(LOREM * 20)]


PIECES = [
    *(LOREM, SENTENCE, "# Heading\n\n", "Heading\n", "- item\n", "\n\n", "| a | b |\n", "A. "),
    *("word ", "1.5 ", "x" * 200, "\t", "؟ما هي العثة ", "🦋", "\u0301", "港"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


@given(TEXTS)
def test_passages_hold_all_words_in_order_and_within_limits(text: str) -> None:
    passages = cut(text)
    for passage in passages:
        assert passage.text == text[passage.start : passage.end]
        assert passage.text == passage.text.strip()
        assert words(passage) <= WHOLE_WORDS
    gaps = [0, *itertools.chain(*((p.start, p.end) for p in passages)), len(text)]
    edges = list(zip(gaps[::2], gaps[1::2], strict=True))
    assert all(a <= b and not text[a:b].strip() for a, b in edges)


HOSTILE = {
    "short sentences": "The lamp is lit. " * 60_000,
    "one line": "harbour lamp bridge winter " * 40_000,
    "signs": "lamp " + "! ? - + * " * 100_000,
    "punctuation": "." * 1_000_000,
    "stops": "A. B. C. lamp. Mr. " * 50_000,
    "no spaces": "港灯橋冬。" * 200_000,
    "long words": "lampwinterbridge" * 60_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_megabyte_of_anything_gives_way_and_makes_no_monster(kind: str) -> None:
    text = HOSTILE[kind]
    steps = PassageChunker().in_steps(page(text))
    began, longest, passages = time.thread_time(), 0.0, list[Passage]()
    for part in islice(steps, 40):
        longest = max(longest, time.thread_time() - began)
        passages += part
        began = time.thread_time()
    assert longest < 1.0, "of some hundred passages"
    assert passages
    assert max(len(passage.text) for passage in passages) < 10_000
    assert all(text[p.start : p.end] == p.text for p in passages)


def test_the_parts_of_a_long_page_are_its_passages() -> None:
    text = "\n\n".join(f"Lamp {n} was lit in the harbour. It burnt." for n in range(2_000))
    parts = list(PassageChunker().in_steps(page(text)))
    assert len(parts) > 5
    passages = [passage for part in parts for passage in part]
    assert passages == PassageChunker()(page(text))
    assert all(a.end <= b.start for a, b in pairwise(passages))
    lost = sum(len(text[a.end : b.start].strip()) for a, b in pairwise(passages))
    assert lost == 0


TABLE = "| Lamp | Keeper |\n|---|---|\n" + "".join(
    f"| Lamp {n} of the outer harbour wall | Tamsin Wray the {n}th |\n" for n in range(200)
)


def test_a_passage_that_begins_inside_a_table_knows_its_head() -> None:
    passages = cut(f"All lamps.\n\n{TABLE}\n{SENTENCE * 30}\n\n{TABLE.replace('Lamp', 'Buoy')}")
    assert len(passages) > 6
    for passage in passages:
        inside = passage.text.startswith(("| Lamp ", "| Buoy ")) and "|---" not in passage.text
        kind = passage.text[2:6]
        assert passage.table_head == (f"| {kind} | Keeper |" if inside else "")
    assert {passage.table_head[:6] for passage in passages} == {"", "| Lamp", "| Buoy"}


def test_a_stretch_behind_its_table_has_no_head() -> None:
    passage = cut(TABLE)[1]
    row = passage.text.index("\n") + 1
    assert passage.stretch(row, row + 40).table_head == "| Lamp | Keeper |"
    longer = passage.model_copy(update={"text": f"{passage.text}\nEnd.\n| a | b |"})
    assert longer.stretch(longer.text.index("| a"), len(longer.text)).table_head == ""


def test_the_head_of_a_long_table_is_known_to_its_last_passage() -> None:
    assert cut(TABLE)[-1].table_head == "| Lamp | Keeper |"
    assert cut(TABLE.replace("\n|---|---|", "") * 100)[-1].table_head == "| Lamp | Keeper |"


@pytest.mark.parametrize("question", ["16. May the pilot boat sail at night?", "Who\nrows it?"])
def test_a_question_in_a_paragraph_of_its_own_stays_with_its_answer(question: str) -> None:
    text = f"\n\n{question}\n\n   ".join([(SENTENCE * 8).strip()] * 4)
    passages = cut(text)
    assert [passage.text.count(question) for passage in passages] == [0, 1, 1, 1]
    assert all(passage.text.startswith(question) for passage in passages[1:])


def test_a_passage_that_begins_inside_a_list_knows_its_lead_in() -> None:
    items = "".join(f"- Lamp {n} of the outer harbour wall, which burns oil.\n" for n in range(90))
    passages = cut(f"Some are lit. These are never lit:\n\n{items}\n{SENTENCE * 30}")
    led = [passage for passage in passages if passage.text.startswith("- Lamp")]
    assert len(led) > 3
    assert {passage.lead_in for passage in led} == {"These are never lit:"}
    assert {passage.lead_in for passage in passages if passage not in led} == {""}


def test_text_is_rather_cut_at_a_line_than_between_two_sentences_of_one() -> None:
    line = (SENTENCE * 3).strip()  # 42 words
    assert [p.text for p in cut("\n".join([line] * 6))] == ["\n".join([line] * 3)] * 2


def test_text_is_rather_cut_at_a_paragraph_than_at_a_line() -> None:
    first, line = (SENTENCE * 8).strip(), SENTENCE.strip()
    text = f"{first}\n\n{line}\n{(SENTENCE * 9).strip()}"
    assert cut(text)[0].text == first


@pytest.mark.parametrize(("length", "leads"), [(12, True), (13, False)])
def test_a_line_of_a_dozen_words_may_be_a_heading(length: int, *, leads: bool) -> None:
    heading = " ".join(["Pilot", *["boats"] * (length - 1)])
    passages = cut(f"\n\n{heading}\n\n".join([(SENTENCE * 8).strip()] * 4))
    assert passages[-1].text.startswith(heading) is leads


def test_a_sentence_of_one_word_too_many_is_cut() -> None:
    long = " ".join(["lamp"] * (MAX_WORDS + 1))
    assert max(map(words, cut(f"{long}. {SENTENCE * 20}"))) <= MAX_WORDS
