"""The sets that answers are measured on, whatever their form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.evals.questions import write_lines, write_questions

from quaere.text.languages.language import languages
from quaere_evals.answer_scores import YES_NO
from quaere_evals.answer_sets import load_answer_sets, own_sets
from quaere_evals.scorers import normalize_answer


def _write(root: Path) -> Path:
    write_questions(root / "a1_multihop")
    asked = {"id": "b1", "question": "Is Skarrow lit?", "gold_pmids": ["7"]}
    write_lines(
        root / "b2_bioasq" / "questions.jsonl",
        [
            asked | {"type": "yesno", "exact_answer": "yes"},
            asked | {"type": "list", "exact_answer": [["oil", "lamp oil"], ["gas"]]},
            asked | {"type": "summary", "exact_answer": None},
        ],
    )
    write_lines(root / "b2_bioasq" / "corpus_snippets.jsonl", [{"pmid": "7", "text": "It is."}])
    item = {"pmid": "9", "QUESTION": "Does oil smoke?", "CONTEXTS": ["Oil.", "It smokes."]}
    write_lines(
        root / "b1_pubmedqa" / "items.jsonl",
        [item | {"final_decision": "yes"}, item | {"final_decision": "maybe"}],
    )
    filing = {"financebench_id": "f1", "doc_name": "BRELL_2023", "question": "What were assets?"}
    write_lines(
        root / "a5_financebench" / "questions.jsonl",
        [filing | {"answer": "$5466.00"}, filing | {"answer": "They grew."}],
    )
    return root


def test_every_set_is_read_in_its_own_form(tmp_path: Path) -> None:
    sets = {data.name: data for data in load_answer_sets(_write(tmp_path))}
    assert list(sets) == ["isles", "bioasq", "pubmedqa", "financebench", *own_sets()]
    told = [question.answers for question in sets["bioasq"].questions]
    assert told == [("yes",), ("oil", "lamp oil", "gas")]
    assert [question.answers for question in sets["pubmedqa"].questions] == [("yes",)]
    assert sets["pubmedqa"].documents[0].text == "Oil.\n\nIt smokes."
    (figure,) = sets["financebench"].questions
    assert (figure.answers, figure.gold_docs) == (("5466",), {"BRELL_2023.pdf"})
    assert sets["financebench"].folder == tmp_path / "a5_financebench" / "pdfs"


def test_a_folder_may_be_named_from_where_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(_write(tmp_path).parent)
    (filings,) = load_answer_sets(Path(tmp_path.name), ["financebench"])
    assert filings.folder == tmp_path / "a5_financebench" / "pdfs"  # by which pages are known


def test_some_can_be_asked_alone(tmp_path: Path) -> None:
    wanted = ("isles", "own")
    assert [data.name for data in load_answer_sets(_write(tmp_path), wanted)] == ["isles", "own"]


def test_steps_are_asked_with_the_answers_before_them(tmp_path: Path) -> None:
    folder = write_questions(tmp_path / "a1_multihop")
    row = json.loads((folder / "questions.jsonl").read_text("utf-8").splitlines()[0])
    steps = [
        {"q": "who lit Skarrow", "a": "Ines Holt"},
        {"q": "#1 >> spouse", "a": "Per Holt"},
        {"q": "when was #2 born?", "a": "1811"},
    ]
    write_lines(folder / "questions.jsonl", [row | {"dataset": "musique", "sub_questions": steps}])
    (data,) = load_answer_sets(tmp_path, ["steps"])
    asked = [(each.question, each.answers) for each in data.questions]
    assert asked == [
        ("Who lit Skarrow?", ("Ines Holt",)),
        ("When was Per Holt born?", ("1811",)),
    ]


def test_the_answers_of_our_own_questions_are_in_the_files_they_name() -> None:
    for own in load_answer_sets(None):
        assert own.folder is not None
        for question in own.questions:
            texts = [(own.folder / name).read_text("utf-8") for name in question.gold_docs]
            wanted = question.answers if question.wants_all else question.answers[:1]
            told = all(any(answer in text for text in texts) for answer in wanted)
            known = normalize_answer(wanted[0]) if wanted else ""
            is_calculated = own.name == "rows" and known.isdecimal()
            assert told or known in YES_NO or is_calculated, question.id


def test_there_are_ten_pages_and_questions_in_each_language() -> None:
    """Of several kinds, one of them without an answer."""
    others = [f"own_{code}" for code in languages()]
    assert own_sets().keys() == {"own", "tables", "rows", *others}
    for own in load_answer_sets(None, others):
        assert own.folder is not None
        assert (len(list(own.folder.iterdir())), len(own.questions)) == (10, 10)
        assert sum(not question.answers for question in own.questions) == 1
        assert sum(question.wants_all for question in own.questions) == 1


def test_every_table_has_questions_and_a_third_of_them_no_row() -> None:
    (tables,) = load_answer_sets(None, ["tables"])
    assert tables.folder is not None
    asked = {name for question in tables.questions for name in question.gold_docs}
    assert asked == {path.name for path in tables.folder.iterdir()}
    missing = [question for question in tables.questions if not question.answers]
    assert 3 * len(missing) == len(tables.questions)


def test_a_quarter_of_the_questions_over_rows_asks_for_what_no_table_has() -> None:
    (rows,) = load_answer_sets(None, ["rows"])
    assert rows.folder is not None
    asked = {name for question in rows.questions for name in question.gold_docs}
    assert asked == {path.name for path in rows.folder.iterdir()}
    missing = [question for question in rows.questions if not question.answers]
    assert 4 * len(missing) == len(rows.questions)
