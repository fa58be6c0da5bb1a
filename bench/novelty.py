"""What it costs to tell whether a topic repeats another one, and how much of a finding is new.

    python bench/novelty.py [--repeats 201] [--json FILE] [--data DIR]

Checks a topic against 50 dispatched ones (NFR-01: 5 ms at most) and 5,000 characters against notes
of 100,000 (NFR-02: 10 ms at most), with the words of the notes kept and without; and shows how the
cost grows. Prints the median and the slowest run, in milliseconds of processor time; exits with 1
above a limit.

The text is made up: words fall as often as in English, and every fifth is none of plain letters.
With the evaluation data it also shows how new passages are to notes that say something else.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from statistics import median
from time import process_time

from quaere.plan.delegation import NoteSets, duplicate_of
from quaere_evals.datasets import find_data, load_multihop

TOPIC_MS = 5.0
NOVELTY_MS = 10.0
TOPICS = 50
TOPIC_WORDS = 15
NOTES = 100_000
FINDING = 5_000
PASSAGES = 300
VOCABULARY = 20_000
SYLLABLES = "ba con der fel gi hu in jor ka lem mo nu or pre qui ros ter und vi we zen th st"
SEED = 7

Milliseconds = dict[str, float]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=201)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--data", type=Path, help="folder of the evaluation data")
    options = parser.parse_args()
    figures = {name: timed(run, options.repeats) for name, run in measures().items()}
    for name, figure in figures.items():
        print(f"{name:32s} median {figure['median']:8.3f} ms   slowest {figure['slowest']:8.3f} ms")
    for line in saturation(find_data(options.data, "a1_multihop")):
        print(line)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    within = (
        figures[f"topic, {TOPICS} known"]["median"] < TOPIC_MS
        and figures[f"novelty, {NOTES} anew"]["median"] < NOVELTY_MS
    )
    sys.exit(0 if within else 1)


def measures() -> dict[str, Callable[[], object]]:
    """Return what is measured, by name."""
    write = Writer(SEED)
    topics = [" ".join(write.words(TOPIC_WORDS)) for _ in range(8 * TOPICS + 1)]
    finding, notes = write.text(FINDING), write.text(8 * NOTES)
    found: dict[str, Callable[[], object]] = {}
    for known in (TOPICS, 2 * TOPICS, 4 * TOPICS, 8 * TOPICS):
        found[f"topic, {known} known"] = lambda n=known: duplicate_of(topics[-1], topics[:n])
    for size in (NOTES // 4, NOTES // 2, NOTES, 2 * NOTES, 4 * NOTES, 8 * NOTES):
        kept = NoteSets([notes[:size]])
        found[f"novelty, {size} anew"] = lambda n=size: NoteSets([notes[:n]]).novelty(finding)
        found[f"novelty, {size} kept"] = lambda sets=kept: sets.novelty(finding)
    return found


def timed(run: Callable[[], object], repeats: int) -> Milliseconds:
    """Return the median and the slowest of ``repeats`` runs, in processor time."""
    seconds: list[float] = []
    for _ in range(repeats):
        started = process_time()
        run()
        seconds.append(process_time() - started)
    return {"median": round(1e3 * median(seconds), 4), "slowest": round(1e3 * max(seconds), 4)}


def saturation(folder: Path | None) -> Iterator[str]:
    """Yield, for notes of growing length, how new passages are that say something else."""
    if not folder:
        return
    texts = [each.text for chosen in load_multihop(folder) for each in chosen.documents]
    random.Random(SEED).shuffle(texts)  # noqa: S311 - nothing secret
    others, notes = texts[:PASSAGES], " ".join(texts[PASSAGES:])
    for size in (FINDING, NOTES // 5, NOTES // 2, NOTES, 2 * NOTES, 4 * NOTES):
        kept = NoteSets([notes[:size]])
        scores = sorted(kept.novelty(text) for text in others)
        low, middle = scores[PASSAGES // 20], median(scores)
        yield f"notes of {size:>7}: novelty {middle:.3f}, of one in twenty below {low:.3f}"


class Writer:
    """Writes text whose words fall as Zipf's law has it."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - nothing secret
        self._vocabulary = [self._coined() for _ in range(VOCABULARY)]
        self._weights = list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))

    def words(self, count: int) -> list[str]:
        """Return ``count`` words."""
        return self._random.choices(self._vocabulary, cum_weights=self._weights, k=count)

    def text(self, characters: int) -> str:
        """Return sentences of 16 words, cut off behind so many ``characters``."""
        sentences: list[str] = []
        left = characters
        while left > 0:
            words = self.words(16)
            words[1] = f"{words[1].capitalize()}'s"
            words[5] = f"{words[5]}-{words[6]}"
            words[9] = f"{self._random.randrange(1_000, 99_999):,}"
            words[13] = f"«é{words[13]}»,"
            sentences.append(" ".join(words).capitalize() + ".")
            left -= len(sentences[-1]) + 1
        return " ".join(sentences)[:characters]

    def _coined(self) -> str:
        return "".join(self._random.choices(SYLLABLES.split(), k=self._random.randint(1, 4)))


if __name__ == "__main__":
    main()
