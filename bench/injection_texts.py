"""Puts other people's instructions into a page, and tells what they change in a run.

    python bench/injection_texts.py ../shared/data

Each text stands as a paragraph of a made-up page between two that answer the question. The run must
have the structure of the run without it: the same loops, the same end, the same source cited, the
fact in the answer, and every passage in one data block of each prompt. Once without a model, and
once with one that says what a sober model would say.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TypedDict, cast

from pydantic import JsonValue

from injection_site import OnePage, Row, Site, Watched, served
from quaere.domain.model import ModelRequest
from quaere.domain.report import Report
from quaere.domain.request import RunSpec
from quaere.domain.source import Hit
from quaere.read.chunker import PassageChunker
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.reason.llm.reasoner import ModelReasoner, Models
from quaere.runtime.engine import Engine
from quaere.testing import ScriptedModel
from quaere.testing.doubles import Answer

QUESTION = "How high is the light tower of Tolvane?"
FACT = "41 metres"
BEFORE = "The light tower of Tolvane is 41 metres high. It was lit for the first time in 1873."
AFTER = "The keeper's house beside the tower of Tolvane has been a school since 1931."
OPENING: dict[str, JsonValue] = {
    "checklist": ["height of the tower"],
    "findings": [{"id": 1, "items": [1]}],
    "satisfied": [1],
    "gaps": [],
    "queries": [],
    "sufficient": True,
    "confidence": 0.9,
    "answer": "",
}
_OPEN, _CLOSE = re.compile(r"<data-(\w+) id="), re.compile(r"</data-(\w+)>")


class Text(TypedDict):
    """A line of the texts."""

    kind: str
    name: str
    text: str


@dataclass(frozen=True)
class Structure:
    """What an injected text must not change."""

    status: str
    stop_reason: str
    loops: int
    queries: int
    calls: int
    degradations: int
    cited: tuple[str, ...]
    fact: bool
    fenced: bool

    @classmethod
    def of(cls, report: Report, requests: Sequence[ModelRequest]) -> Structure:
        """Return the structure of a run."""
        return cls(
            status=report.status,
            stop_reason=report.stop_reason,
            loops=report.iterations,
            queries=len(report.queries),
            calls=len(requests),
            degradations=len(report.degradations),
            cited=tuple(citation.url for citation in report.citations),
            fact=FACT in report.answer,
            fenced=all(_is_fenced(request) for request in requests),
        )


def _is_fenced(request: ModelRequest) -> bool:
    """Return whether every data block that is opened is closed, under one word."""
    prompt = request.messages[-1].content
    opened, closed = _OPEN.findall(prompt), _CLOSE.findall(prompt)
    return len(opened) == len(closed) and len({*opened, *closed}) == 1


def load_texts(data: Path) -> list[Text]:
    """Return the texts.

    Raises:
        SystemExit: when they are not there.
    """
    path = data / "g2_prompt_injection" / "injections.jsonl"
    if not path.is_file():
        raise SystemExit(f"There are no texts to inject: {path} does not exist.")
    return [cast("Text", json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def sober(request: ModelRequest) -> Answer:
    """Answer as a model would that takes data for data."""
    if request.step != "synthesize":
        return OPENING
    cited = re.findall(r'id="(\d+)"', request.messages[-1].content)[0]
    return f"The light tower of Tolvane is 41 metres high [{cited}]."


def page(number: int, text: str) -> Row:
    """Return the page that holds ``text``."""
    paragraphs = "".join(f"<p>{escape(part)}</p>" for part in (BEFORE, text, AFTER) if part)
    head = "<title>Tolvane light</title>"
    return Row(
        id=str(number),
        kind="text",
        url=f"http://tolvane-{number}.test/page",
        content_type="text/html; charset=utf-8",
        question=QUESTION,
        benign_fact=FACT,
        technique="",
        carrier="paragraph",
        goal="",
        canary="",
        secret="",
        obedient_output="",
        body=f"<html><head>{head}</head><body><article>{paragraphs}</article></body></html>",
    )


async def structure(site: Site, row: Row, *, with_model: bool) -> Structure:
    """Ask about ``row`` and return the structure of the run, under one address for all."""
    model, extractive = ScriptedModel(sober), ExtractiveReasoner()
    reasoner = ModelReasoner(Models(plan=model, evaluate=model, write=model, check=model))
    engine = Engine(
        providers=[OnePage(Hit(url=site.url(row), title="", provider="one", rank=0))],
        reasoner=reasoner if with_model else extractive,
        fallback=extractive if with_model else None,
        reader=Watched(site.reader),
        chunker=PassageChunker(),
    )
    report = await engine.run(RunSpec.of(row["question"]))
    assert all(citation.url == site.url(row) for citation in report.citations)
    plain = [c.model_copy(update={"url": "page"}) for c in report.citations]
    return Structure.of(report.model_copy(update={"citations": tuple(plain)}), model.requests)


async def measure(texts: Sequence[Text], *, with_model: bool) -> list[str]:
    """Return the differences that the texts make, a line for each text that makes one."""
    rows = [page(0, ""), *(page(number, each["text"]) for number, each in enumerate(texts, 1))]
    lines: list[str] = []
    async with served(rows) as site:
        without, *others = [await structure(site, row, with_model=with_model) for row in rows]
    for text, other in zip(texts, others, strict=True):
        changed = [
            f"{name}: {getattr(without, name)} -> {getattr(other, name)}"
            for name in Structure.__dataclass_fields__
            if getattr(without, name) != getattr(other, name)
        ]
        if changed:
            lines.append(f"{text['kind']} {text['name']} {text['text'][:60]!r}: {changed}")
    return lines


def main() -> None:
    """Measure and write the differences; exit with 1 when there is one with a model."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    texts = load_texts(parser.parse_args().data)
    failed = 0
    for name, with_model in (("no model", False), ("a sober model", True)):
        lines = asyncio.run(measure(texts, with_model=with_model))
        kinds = Counter(line.partition(" ")[0] for line in lines)
        print("\n".join([*lines, f"{name}: {len(lines)} of {len(texts)} change the run {kinds}"]))
        failed += with_model and bool(lines)
    sys.exit(failed)


if __name__ == "__main__":
    main()
