"""A tiny set of multi-hop questions about places and people that do not exist."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

QUESTIONS = (
    {
        "id": "q1",
        "dataset": "isles",
        "question": "In which town was the builder of the Orrin lighthouse born?",
        "answers": ["Pellham"],
        "gold_docs": ["d1", "d2"],
        "hops": 2,
        "split": "held elsewhere",
        "sub_questions": [
            {"q": "who built the Orrin lighthouse", "a": "Tamsin Wray"},
            {"q": "#1 >> place of birth", "a": "Pellham"},
        ],
    },
    {
        "id": "q2",
        "dataset": "isles",
        "question": "Is the Orrin lighthouse taller than the Skarrow lighthouse?",
        "answers": ["no"],
        "gold_docs": ["d1", "d3"],
        "hops": 2,
    },
)

DOCUMENTS = (
    {
        "doc_id": "d1",
        "dataset": "isles",
        "title": "Orrin lighthouse",
        "text": "The Orrin lighthouse is 21 metres tall. It was built by Tamsin Wray in 1788.",
    },
    {
        "doc_id": "d2",
        "dataset": "isles",
        "title": "Tamsin Wray",
        "text": "Tamsin Wray was born in Pellham and learned her trade from a millwright.",
    },
    {
        "doc_id": "d3",
        "dataset": "isles",
        "title": "Skarrow lighthouse",
        "text": "The Skarrow lighthouse is 34 metres tall and was lit with whale oil.",
    },
    {
        "doc_id": "d4",
        "dataset": "isles",
        "title": "Herring of the Sket",
        "text": "Herring were salted in barrels on the quay of Sket until the harbour silted up.",
    },
)


def write_lines(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Write ``rows`` as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")


def write_questions(folder: Path) -> Path:
    """Write the set into ``folder`` and return it."""
    write_lines(folder / "questions.jsonl", QUESTIONS)
    write_lines(folder / "corpus.jsonl", DOCUMENTS)
    return folder
