"""Reading multi-hop questions and their passages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.evals.questions import DOCUMENTS, QUESTIONS, write_lines, write_questions

from quaere_evals.datasets import (
    DataError,
    Document,
    MultihopQuestion,
    find_data,
    load_multihop,
    read_rows,
    write_corpus,
)


def test_data_is_found_in_a_folder_or_as_one(tmp_path: Path) -> None:
    folder = write_questions(tmp_path / "a1_multihop")
    assert find_data(tmp_path, "a1_multihop") == folder
    assert find_data(folder, "a1_multihop") == folder
    assert find_data(folder, "another") == folder


def test_no_data_is_none(tmp_path: Path) -> None:
    assert find_data(None, "a1_multihop") is None
    assert find_data(tmp_path, "a1_multihop") is None


def test_questions_and_passages_are_grouped_by_dataset(tmp_path: Path) -> None:
    write_lines(tmp_path / "questions.jsonl", [*QUESTIONS, {**QUESTIONS[0], "dataset": "hills"}])
    write_lines(tmp_path / "corpus.jsonl", [*DOCUMENTS, {**DOCUMENTS[0], "dataset": "hills"}])
    isles, hills = load_multihop(tmp_path)
    assert (isles.name, len(isles.questions), len(isles.documents)) == ("isles", 2, 4)
    assert (hills.name, len(hills.questions), len(hills.documents)) == ("hills", 1, 1)
    assert isles.questions[0].gold_docs == {"d1", "d2"}
    assert isles.documents[1].title == "Tamsin Wray"


def test_a_set_may_be_shortened(tmp_path: Path) -> None:
    (isles,) = load_multihop(write_questions(tmp_path))
    assert [question.id for question in isles.first(1).questions] == ["q1"]
    assert isles.first(None) == isles
    assert isles.first(1).documents == isles.documents


def test_an_absent_file_says_how_to_name_it(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="QUAERE_EVAL_DATA"):
        load_multihop(tmp_path)


def test_a_bad_line_is_told_by_its_number(tmp_path: Path) -> None:
    write_lines(tmp_path / "questions.jsonl", [QUESTIONS[0], {**QUESTIONS[1], "gold_docs": []}])
    with pytest.raises(DataError, match=r"questions\.jsonl, line 2, is not a MultihopQuestion"):
        list(read_rows(tmp_path / "questions.jsonl", MultihopQuestion))


def test_rows_end_with_line_feeds_alone(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    separated = {**DOCUMENTS[0], "text": "one\u2028two\x85three"}
    write_lines(path, [separated, DOCUMENTS[1]])
    path.write_text(f"\n{path.read_text('utf-8')}\n", "utf-8")
    first, second = read_rows(path, Document)
    assert first.text == "one\u2028two\x85three"
    assert second.doc_id == "d2"


def test_the_nth_document_is_line_n(tmp_path: Path) -> None:
    path = tmp_path / "corpora" / "isles.jsonl"
    documents = [Document.model_validate(row) for row in DOCUMENTS]
    write_corpus(documents, path)
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) == 4
    assert lines[2] == (
        '{"title": "Skarrow lighthouse", '
        '"text": "The Skarrow lighthouse is 34 metres tall and was lit with whale oil."}'
    )


def test_a_corpus_that_says_the_same_stays_untouched(tmp_path: Path) -> None:
    path = tmp_path / "isles.jsonl"
    documents = [Document.model_validate(row) for row in DOCUMENTS]
    write_corpus(documents, path)
    os.utime(path, (1, 1))
    write_corpus(documents, path)
    assert path.stat().st_mtime == 1
    write_corpus(documents[:1], path)
    assert len(path.read_text("utf-8").splitlines()) == 1
