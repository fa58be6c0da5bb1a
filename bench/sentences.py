"""What becomes of every sentence of some answers, to be read as a careful reader would.

    python bench/sentences.py --docs docs --output fates.tsv
    python bench/sentences.py --docs docs --answers answers.txt --output fates.tsv
    python bench/sentences.py --count fates.tsv

The first asks ten questions of a folder of documents, without a model, and writes a line for each
sentence: an empty field, verdict, who gave it, likelihood, the sentence, the quotes and the reason.
Whoever reads them puts "y" into the first field of a line whose verdict they would sign, and "n"
into the others; the last counts them.

The second has a writer at the other end, which plays answers that somebody wrote. Their file has
"? " and a question on a line, and below it what the writer answers, with words of the passage that
a sentence rests on behind it: "Nothing waits longer [[is left of the run's time]]." They become
the id of the passage. The writer searches for what it is not shown, and checks nothing, so that
all verdicts are those of words.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from quaere.domain.model import ModelRequest
from quaere.domain.report import Report, Sentence
from quaere.domain.request import RunRequest
from quaere.runtime.app import App
from quaere.runtime.settings import load_settings
from quaere.testing import ScriptedModel

QUESTIONS: Final = (
    "Why does a run never exceed its time limit?",
    "Which formats can a report be exported to?",
    "What is the difference between the loop and the supervisor?",
    "What happens when a worker dies?",
    "Which languages are answered without a model?",
    "How are keys kept secret?",
    "What does a verdict of partly supported mean?",
    "How long are traces kept?",
    "Can a page of the web start a fetch?",
    "What does Quaere do badly?",
)
"""Of this project's own documents: reasons, lists, comparisons, yes or no."""
WRITER: Final = "replay:writer"
FIELDS: Final = ("signed", "verdict", "by", "likely", "sentence", "quotes", "reason")


def main() -> None:
    """Ask and write, or count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--docs", type=Path, action="append", help="docs where none is named")
    parser.add_argument("--questions", type=Path, help="a file of questions, one a line")
    parser.add_argument("--answers", type=Path, help="a file of questions and what is answered")
    parser.add_argument("--output", type=Path, default=Path("fates.tsv"))
    parser.add_argument("--count", type=Path, help="count the signed lines of this file")
    args = parser.parse_args()
    if args.count:
        print(counted(args.count))
        return
    questions = args.questions.read_text("utf-8").splitlines() if args.questions else QUESTIONS
    answers = read_answers(args.answers) if args.answers else {}
    asked = list(answers) or [question for question in questions if question.strip()]
    reports = asyncio.run(_reports(asked, args.docs or [Path("docs")], answers))
    with args.output.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t")
        table.writerow(FIELDS)
        for report in reports:
            table.writerow(("", "question", "", "", report.question, "", ""))
            table.writerows(fates(report))


async def _reports(
    questions: Sequence[str], docs: Sequence[Path], answers: Mapping[str, str]
) -> list[Report]:
    found: list[Report] = []
    models = {WRITER: ScriptedModel(Writer(answers), name=WRITER)} if answers else {}
    settings = load_settings()
    if answers:
        settings = settings.model_copy(update={"model": WRITER})
    async with App.open(settings, models=models) as app:
        for question in questions:
            run = await app.start(RunRequest.of(question=question, docs=list(docs)))
            found.append(await run.report())
            run.settle()
    return found


def read_answers(path: Path) -> dict[str, str]:
    """Return the answers in the file at ``path`` by question."""
    parts = re.split(r"(?m)^\? (.+)$", path.read_text("utf-8"))
    return {
        asked.strip(): told.strip() for asked, told in zip(parts[1::2], parts[2::2], strict=True)
    }


class Writer:
    """Answers as a model would that knows what it will write.

    It holds the evidence sufficient when it is shown all passages that its answer rests on, and
    searches for the words of the others.
    """

    _WORDS = re.compile(r"\s*\[\[(.+?)\]\]")
    _PASSAGE = re.compile(r'(?s)<data-\S+ id="(\d+)"[^>]*>(.*?)</data-')

    def __init__(self, answers: Mapping[str, str]) -> None:
        """Give ``answers``, by question."""
        self._answers = answers

    def __call__(self, request: ModelRequest) -> str | dict[str, JsonValue] | None:
        """Return what is answered to ``request``; None where it has nothing to say."""
        prompt = "\n".join(message.content for message in request.messages)
        told = next((a for q, a in self._answers.items() if f"Question: {q}" in prompt), None)
        if told is None or request.step not in {"plan", "evaluate", "synthesize"}:
            return None
        shown = {_flat(text): number for number, text in self._PASSAGE.findall(prompt)}
        words = dict.fromkeys(self._WORDS.findall(told))
        ids = {each: n for each in words for text, n in shown.items() if _flat(each) in text}
        answer = self._WORDS.sub(lambda found: _marker(ids.get(found[1])), told)
        if request.step == "synthesize":
            return answer
        lost: list[JsonValue] = [{"query": each} for each in words if each not in ids]
        cited: list[JsonValue] = [{"id": int(n), "items": [1]} for n in dict.fromkeys(ids.values())]
        return {
            "checklist": [_item(told)],
            "findings": cited,
            "satisfied": [] if lost else [1],
            "contradictions": [],
            "gaps": [],
            "queries": lost[:3],
            "sufficient": not lost,
            "confidence": 0.3 if lost else 0.9,
            "reason": "as shown",
            "answer": "" if lost else answer,
        }


def _item(told: str) -> str:
    """Return a checklist item: the first words of the answer."""
    return " ".join(told.split()[:6])


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()


def _marker(number: str | None) -> str:
    return f" [{number}]" if number else ""


def fates(report: Report) -> Iterator[tuple[str, ...]]:
    """Yield a line for every sentence of ``report``, those that were taken out among them."""
    for sentence in (*report.sentences, *report.dropped):
        yield _fate(sentence)


def _fate(sentence: Sentence) -> tuple[str, ...]:
    likely = "" if sentence.probability is None else f"{sentence.probability:.2f}"
    quotes = " / ".join(" ".join(quote.text.split()) for quote in sentence.quotes)
    text = " ".join(sentence.text.split())
    return ("", sentence.support.value, sentence.by or "", likely, text, quotes, sentence.reason)


def counted(path: Path) -> str:
    """Return how many sentences of the file at ``path`` a reader signed, by verdict."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["verdict"] != "question"]
    told = Counter((row["verdict"], row["signed"].strip().lower() == "y") for row in rows)
    lines = [
        f"{verdict}: {told[verdict, True]} of {told[verdict, True] + told[verdict, False]}"
        for verdict in dict.fromkeys(row["verdict"] for row in rows)
    ]
    signed = sum(number for (_, is_signed), number in told.items() if is_signed)
    return "\n".join([*lines, f"signed: {signed} of {len(rows)}"])


if __name__ == "__main__":
    main()
