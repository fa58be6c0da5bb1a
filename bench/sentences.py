"""What becomes of every sentence of some answers, to be read as a careful reader would.

    python bench/sentences.py --docs docs --output fates.tsv
    python bench/sentences.py --count fates.tsv

The first asks ten questions of a folder of documents, without a model, and writes a line for each
sentence: an empty field, verdict, who gave it, likelihood, the sentence, the quotes and the reason.
Whoever reads them puts "y" into the first field of a line whose verdict they would sign, and "n"
into the others; the second counts them.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from quaere.domain.report import Report, Sentence
from quaere.domain.request import RunRequest
from quaere.runtime.app import App
from quaere.runtime.settings import load_settings

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
FIELDS: Final = ("signed", "verdict", "by", "likely", "sentence", "quotes", "reason")


def main() -> None:
    """Ask and write, or count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--docs", type=Path, default=Path("docs"))
    parser.add_argument("--questions", type=Path, help="a file of questions, one a line")
    parser.add_argument("--output", type=Path, default=Path("fates.tsv"))
    parser.add_argument("--count", type=Path, help="count the signed lines of this file")
    args = parser.parse_args()
    if args.count:
        print(counted(args.count))
        return
    questions = args.questions.read_text("utf-8").splitlines() if args.questions else QUESTIONS
    reports = asyncio.run(_reports([q for q in questions if q.strip()], args.docs))
    with args.output.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t")
        table.writerow(FIELDS)
        for report in reports:
            table.writerow(("", "question", "", "", report.question, "", ""))
            table.writerows(fates(report))


async def _reports(questions: Sequence[str], docs: Path) -> list[Report]:
    found: list[Report] = []
    async with App.open(load_settings()) as app:
        for question in questions:
            run = await app.start(RunRequest.of(question=question, docs=[docs]))
            found.append(await run.report())
            run.settle()
    return found


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
