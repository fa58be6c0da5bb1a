"""Copies count once, whoever brought them (R3.5: corroboration counts origins, not URLs)."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.graphs.world import DOCUMENTS, passage_of
from tests.timing import cpu_s

from quaere.domain.source import Passage
from quaere.evidence.appraise import origins, works

TITLE = "Slow colonisation of quarried sandstone by crustose lichens"
REPORT = (
    "The council of Hask voted on Tuesday to rebuild the market hall that burned down last winter, "
    "after a debate of four hours in which nobody could say what the new roof would cost."
)
OTHER = (
    "Hask is to have its market back. Councillors agreed on a second hall at the old place, "
    "though the price of a roof is anybody's guess, as several of them said with a sigh."
)
TEXTS = st.sampled_from(
    [REPORT, OTHER, REPORT[:100], REPORT + " " + OTHER, "Wool.", "", "羊毛市場"]
)
SITES = st.sampled_from(
    ["https://a.test/1", "https://b.test/2", "https://doi.org/10.5555/m.1", "file:///a.md", ""]
)
PASSAGES = st.lists(
    st.builds(passage_of, st.sampled_from(["Hask", TITLE]), TEXTS, SITES), max_size=8
)


def at(url: str, text: str, title: str = "") -> Passage:
    return passage_of(title, text, url)


def count(*passages: Passage) -> int:
    return len(set(origins(passages).values()))


def test_a_reprint_has_the_origin_of_what_it_reprints() -> None:
    assert count(at("https://wire.test/1", REPORT), at("https://paper.test/x", REPORT)) == 1


def test_an_agency_text_with_another_head_and_end_is_still_that_text() -> None:
    framed = f"Hask (Agency). {REPORT} Read more in our section on markets."
    assert count(at("https://wire.test/1", REPORT), at("https://paper.test/x", framed)) == 1


def test_part_of_a_longer_page_goes_back_to_it() -> None:
    whole = at("https://wire.test/1", f"{REPORT} {OTHER}")
    assert count(whole, at("https://paper.test/x", OTHER)) == 1


def test_a_page_read_in_pieces_is_one_text() -> None:
    pieces = [at("https://wire.test/1", part) for part in (REPORT, OTHER)]
    assert count(*pieces) == 1
    across = f"{REPORT[90:]} {OTHER[:90]}"
    assert count(*pieces, at("https://paper.test/x", across)) == 1


def test_two_who_tell_the_same_in_their_own_words_are_two() -> None:
    assert count(at("https://wire.test/1", REPORT), at("https://paper.test/x", OTHER)) == 2


def test_who_quotes_a_sentence_of_another_is_no_copy() -> None:
    quoting = (
        "What the mayor said will be remembered: “nobody could say what the new roof would cost”. "
        f"It was not her best day, as those who sat behind her in the hall know. {OTHER}"
    )
    assert count(at("https://wire.test/1", REPORT), at("https://paper.test/x", quoting)) == 2


def test_two_pages_of_a_site_count_once_only_where_they_say_the_same() -> None:
    first = at("https://wire.test/1", REPORT)
    assert count(first, at("https://wire.test/2", REPORT)) == 1
    assert count(first, at("https://wire.test/2", OTHER)) == 2


def test_one_paper_on_four_sites_is_one_origin() -> None:
    assert (
        count(
            at("https://doi.org/10.5555/moss.17", "Lichens grow."),
            at("https://press.test/doi/full/10.5555/moss.17", "We counted thalli.", TITLE),
            at("https://mirror.test/lichens", "Thalli are rare on quartz.", TITLE),
            at("https://press.test/doi/pdf/10.5555/moss.17", "Methods follow."),
        )
        == 1
    )


def test_of_a_folder_only_the_text_tells() -> None:
    one, other = at("file:///a.md", "Wool.", TITLE), at("file:///b.md", "Cheese.", TITLE)
    assert count(one, other) == 2
    assert count(one, at("file:///b.md", "Wool.", TITLE)) == 1


def test_short_texts_are_copies_only_when_they_are_the_same() -> None:
    short = at("https://a.test", "Hask sells wool.")
    assert count(short, at("https://b.test", "Hask sells wool!")) == 1
    longer = "Hask sells wool. " + OTHER
    assert count(short, at("https://b.test", longer)) == 2
    assert count(at("https://a.test", ""), at("https://b.test", "")) == 2


def test_a_copy_of_a_copy_is_found_where_the_first_is_no_longer_like_it() -> None:
    third = "The hall will have room for ninety stalls, and a clock that the guild has paid for."
    chain = [f"{REPORT} {OTHER} {REPORT[:80]}", f"{OTHER} {third}", third]
    assert count(*(at(f"https://{n}.test", text) for n, text in enumerate(chain))) == 1


@given(PASSAGES, st.randoms(use_true_random=False))
def test_the_order_of_arrival_makes_no_difference_nor_does_coming_twice(
    passages: list[Passage], random: Random
) -> None:
    shuffled = random.sample(passages, len(passages))
    assert origins(passages) == origins(shuffled) == origins([*shuffled, *passages])


@given(PASSAGES)
def test_an_origin_is_called_by_the_lowest_of_its_passages(passages: list[Passage]) -> None:
    found = origins(passages)
    assert set(found) == {passage.id for passage in passages}
    for origin in set(found.values()):
        assert origin == min(key for key, value in found.items() if value == origin)


@given(PASSAGES)
def test_what_is_one_work_is_one_origin(passages: list[Passage]) -> None:
    found, work_of = origins(passages), works(passages)
    for key, work in work_of.items():
        assert found[key] == found[work]


def test_two_hundred_passages_take_no_time() -> None:
    vocabulary = " ".join(DOCUMENTS.values()).split()
    size = len(vocabulary)
    texts = [" ".join(vocabulary[n * i % size] for i in range(150)) for n in range(1, 101)]
    passages = [at(f"https://s{n}.test", texts[n % 100]) for n in range(200)]
    assert count(*passages) == 100
    assert cpu_s(lambda: count(*passages), enough_s=0.1) < 0.5  # about 0.02 s


def test_what_two_hold_alike_is_taken_from_the_first_of_them() -> None:
    def words(*of: int) -> str:
        return " ".join(f"{chr(97 + n)}{m}" for n in of for m in range(60))

    texts = [words(n) for n in range(10)]
    texts[1], texts[8], texts[9] = words(1, 11, 12, 20), words(8, 13, 14, 20), words(20)
    passages = [
        at(f"https://s{n}.test/", text).model_copy(update={"id": f"p{n}"})
        for n, text in enumerate(texts)
    ]
    assert origins(passages) == {f"p{n}": f"p{n}" for n in range(9)} | {"p9": "p1"}
