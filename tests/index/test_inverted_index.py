from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
import tantivy

from quaere.domain.question import Intent, Query
from quaere.index import inverted_index
from quaere.index.analysis import MAX_TERMS, understand
from quaere.index.catalogue_writer import Indexable
from quaere.index.inverted_index import InvertedIndex, InvertedIndexError

PASSAGES = (
    Indexable(1, 1, "Lantern moth", "It glows at dusk over the bay and feeds on salt lichen."),
    Indexable(2, 1, "Salt lichen", "It grows on basalt cliffs; the moth feeds on it."),
    Indexable(3, 2, "Tarn (town)", "A market town with paper mills on the river."),
    Indexable(4, 2, "Mills of the river Oss", "Paper was made along the river for ages."),
    Indexable(5, 3, "東京の川", "隅田川は東京を流れる。"),
)


@pytest.fixture
def terms(tmp_path: Path) -> InvertedIndex:
    terms = InvertedIndex(tmp_path / "terms")
    add(terms, PASSAGES)
    return terms


def add(terms: InvertedIndex, passages: Iterable[Indexable], *, remove: Iterable[int] = ()) -> None:
    writer = terms.writer()
    for file in remove:
        writer.remove(file)
    writer.add(passages)
    writer.commit()
    writer.close()


def rows(
    terms: InvertedIndex,
    text: str,
    limit: int = 10,
    *,
    focus: tuple[str, ...] = (),
    faint: tuple[str, ...] = (),
    titles: tuple[str, ...] = (),
) -> list[int]:
    query = Query(text=text, focus=focus, faint=faint, titles=titles)
    return [row for _, row in terms.search(understand(query), limit)]


def test_passages_are_found_by_their_words_in_any_form(terms: InvertedIndex) -> None:
    assert rows(terms, "feeding moths") == [1, 2]
    assert rows(terms, "What is a market?") == [3]
    assert rows(terms, "東京") == [5]
    assert rows(terms, "川") == [5]
    assert rows(terms, "volcano") == []


def test_the_title_counts_as_if_it_were_said_three_times(terms: InvertedIndex) -> None:
    said = "quoll quoll quoll upon the cliff"
    add(terms, [Indexable(6, 4, "quoll", "upon the cliff"), Indexable(7, 5, "", said)])
    found = {row: score for score, row in terms.search(understand(Query(text="quoll")), 5)}
    assert found.keys() == {6, 7}
    assert found[6] == found[7]


def test_the_title_counts_more_than_the_text(terms: InvertedIndex) -> None:
    text = "one passage as long as the other"
    add(terms, [Indexable(6, 4, "", f"{text} quoll"), Indexable(7, 4, "quoll", text)])
    assert rows(terms, "quoll") == [7, 6]


def test_focus_and_faint_change_the_order(terms: InvertedIndex) -> None:
    assert rows(terms, "lichen river", focus=("river",), faint=("lichen",))[0] in (3, 4)
    assert rows(terms, "lichen river", focus=("lichen",), faint=("river",))[0] == 2


def test_a_title_named_exactly_comes_first(terms: InvertedIndex) -> None:
    assert rows(terms, "paper river mills")[0] == 4
    assert rows(terms, "paper river mills", titles=("TARN",))[0] == 3
    assert rows(terms, "paper", titles=("salt lichen",))[0] == 2
    assert rows(terms, "?", titles=("The Tarn (town)",)) == [3]


def test_a_title_that_holds_all_the_words_of_a_name_is_found(terms: InvertedIndex) -> None:
    assert rows(terms, "volcano", titles=("river mills",)) == [4]
    assert rows(terms, "volcano", titles=("river moths",)) == []


def test_what_the_terms_find_is_there_with_and_without_titles(terms: InvertedIndex) -> None:
    plain = understand(Query(text="paper moth river"))
    named = understand(Query(text="paper moth river", titles=("Lantern moth",)))
    without, with_titles = (
        {row: score for score, row in terms.search(wanted, 10)} for wanted in (plain, named)
    )
    assert set(without) == set(with_titles) == {1, 2, 3, 4}
    assert with_titles[1] > without[1]
    assert all(with_titles[row] == without[row] for row in (2, 3, 4))


def test_the_limit_is_kept_but_for_ties(terms: InvertedIndex) -> None:
    assert rows(terms, "moth paper", 0) == []
    assert rows(terms, "moth paper", -1) == []
    assert rows(terms, "basalt", 1) == [2]
    add(terms, [Indexable(row, 9, "Same", "the very same quokka") for row in range(100, 200)])
    assert sorted(rows(terms, "quokka", 5)) == list(range(100, 200))
    assert len(terms.search(understand(Query(text="same", titles=("Same",))), 5)) == 100


def test_a_tie_at_the_limit_is_followed_and_none_is_looked_for_above_it(
    terms: InvertedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    hits = inverted_index._hits

    def noted(
        searcher: tantivy.Searcher, query: tantivy.Query, limit: int
    ) -> list[tuple[float, tantivy.DocAddress]]:
        asked.append(limit)
        return hits(searcher, query, limit)

    monkeypatch.setattr(inverted_index, "_hits", noted)
    add(terms, [Indexable(row, 9, "Same", "the very same quokka") for row in range(100, 120)])
    add(terms, [Indexable(99, 8, "", "quokka quokka quokka"), Indexable(98, 8, "", "a quokka")])
    assert rows(terms, "quokka", 1) == [99]
    assert asked == [2], "each further hit is slower to find"
    assert rows(terms, "quokka", 3)[:2] == [99, 98]
    assert sorted(rows(terms, "quokka", 3)) == [98, 99, *range(100, 120)]


def test_a_tie_that_has_no_end_is_not_followed_for_ever(
    terms: InvertedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quaere.index.inverted_index._MOST", 16)
    add(terms, [Indexable(row, 9, "Same", "the very same quokka") for row in range(100, 200)])
    assert len(rows(terms, "quokka", 3)) == 16


def test_of_too_many_terms_the_rarest_are_looked_for(terms: InvertedIndex) -> None:
    common = " ".join(f"w{n}" for n in range(MAX_TERMS + 10))
    add(terms, [Indexable(row, 9, "", common) for row in range(100, 103)])
    assert 2 in rows(terms, f"{common} basalt unknown")
    assert len(rows(terms, f"{common} market", focus=("w1",))) == 4


def test_a_removed_file_is_not_found_and_what_is_not_committed_neither(
    terms: InvertedIndex,
) -> None:
    writer = terms.writer()
    writer.remove(1)
    writer.add([Indexable(9, 9, "New", "moth")])
    assert rows(terms, "moth") == [1, 2]
    writer.commit()
    assert rows(terms, "moth") == [9]
    assert terms.count == 4
    writer.remove_all()
    writer.undo()
    writer.commit()
    assert terms.count == 4
    writer.remove_all()
    writer.commit()
    writer.close()
    assert (terms.count, terms.deleted) == (0, 0)


def test_removed_passages_are_counted_until_they_are_merged_away(terms: InvertedIndex) -> None:
    assert terms.deleted == 0
    add(terms, [Indexable(row, 20 + row % 2, "", "quokka") for row in range(100, 300)])
    add(terms, [], remove=[21])
    assert 90 <= terms.deleted <= 100  # a segment that is left empty goes at once
    assert terms.count == len(PASSAGES) + 100


def test_the_share_of_passages_that_hold_all_terms_is_told(terms: InvertedIndex) -> None:
    assert terms.share(["moth"]) == pytest.approx(2 / 6)
    assert terms.share(["moth", "basalt"]) == pytest.approx(1 / 6)
    assert terms.share(["volcano"]) == 0.0
    assert terms.share([]) == 0.0


def test_in_a_folder_of_one_passage_a_word_still_tells_something(tmp_path: Path) -> None:
    """Or every word would weigh nothing where another provider is searched next to it."""
    terms = InvertedIndex(tmp_path / "terms")
    add(terms, [Indexable(1, 1, "Moths", "The moth is grey.")])
    assert terms.share(["moth"]) == 0.5


def test_an_empty_index_finds_nothing(tmp_path: Path) -> None:
    terms = InvertedIndex(tmp_path / "terms")
    assert rows(terms, "moth", titles=("moth",)) == []
    assert terms.share(["moth"]) == 0.0


def test_commits_of_another_are_noticed(terms: InvertedIndex, tmp_path: Path) -> None:
    other = InvertedIndex(tmp_path / "terms")
    add(other, [Indexable(9, 9, "New", "quokka")])
    assert rows(terms, "quokka") == [9]


@pytest.mark.parametrize("damage", ["garbage", "cut", "segment"])
def test_damage_is_an_error_on_opening(terms: InvertedIndex, tmp_path: Path, damage: str) -> None:
    meta = tmp_path / "terms" / "meta.json"
    if damage == "garbage":
        meta.write_bytes(b"\x00garbage")
    elif damage == "cut":
        meta.write_bytes(meta.read_bytes()[:40])
    else:
        for file in (tmp_path / "terms").glob("*.idx"):
            file.unlink()
    with pytest.raises(InvertedIndexError):
        _ = InvertedIndex(tmp_path / "terms").count


def test_a_row_is_found_by_its_label_alone_and_ranked_by_what_heads_it(tmp_path: Path) -> None:
    index = InvertedIndex(tmp_path / "terms")
    head = "| {} balance sheets | 2021 |\n|---|---|\n"
    shelf = (
        Indexable(1, 1, "Orme", head.format("Orme") + "| Total inventories, net (Note 3) | 7 |"),
        Indexable(2, 2, "Brell", head.format("Brell") + "| Inventories | 9 |"),
        Indexable(3, 3, "Brell", "The inventories of Brell grew, as its balance sheets say."),
        Indexable(4, 4, "Brell", head.format("Brell") + "| Other inventories | 1 |"),
    )
    add(index, shelf)
    query = Query(text="Brell balance sheets", intent=Intent.FIGURE, rows=("Inventories",))
    assert [row for _, row in index.search(understand(query), 10)] == [2, 1]
    assert not index.search(understand(query.model_copy(update={"rows": ("Goodwill",)})), 10)


def test_what_the_system_refuses_is_told_in_its_words(tmp_path: Path) -> None:
    terms = InvertedIndex(tmp_path)
    lock = tmp_path / ".tantivy-meta.lock"
    lock.unlink(missing_ok=True)
    lock.mkdir()
    with pytest.raises(InvertedIndexError, match=r"^Is a directory$"):
        _ = terms.count
