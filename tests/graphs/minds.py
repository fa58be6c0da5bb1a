"""What a model could say of the fictional world: scripts for models, by what stands in a prompt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import JsonValue
from tests.graphs.world import Desk, Shelf

from quaere.domain.model import ModelRequest, Prices
from quaere.domain.team import Strategy
from quaere.ports.model import ChatModel
from quaere.ports.search import SearchProvider
from quaere.read.chunker import PassageChunker
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.reason.llm.reasoner import ModelReasoner, Models
from quaere.runtime.engine import Engine
from quaere.testing import ScriptedModel

FOUNDER = "It was founded in 1902 by Odile Varga."
BORN = "She was born in Tressel Ford in 1861."
STEPS = ((FOUNDER, "founder of the Quill Observatory"), (BORN, "Odile Varga birthplace"))
"""What has to be known to answer ``HOP``, and the query that finds it."""

_BLOCK = re.compile(r'<data-\w+ id="(\d+)"[^>]*>\n(.*?)\n</data-', re.DOTALL)


def shown(request: ModelRequest) -> dict[int, str]:
    """Return the passages in a prompt by their ids."""
    text = "\n".join(message.content for message in request.messages)
    return {int(number): body for number, body in _BLOCK.findall(text)}


def holding(request: ModelRequest, fact: str) -> list[int]:
    """Return the ids of the passages that state ``fact``."""
    return [number for number, body in shown(request).items() if fact in body]


def in_order(said: Mapping[str, JsonValue], request: ModelRequest) -> dict[str, JsonValue]:
    """Return the fields of ``said`` as who follows the schema of ``request`` writes them."""
    asked = request.output.definition["properties"] if request.output else None
    names = list(asked) if isinstance(asked, dict) else []
    places = {name: place for place, name in enumerate(names)}
    return dict(sorted(said.items(), key=lambda each: places.get(each[0], len(places))))


@dataclass
class Mind:
    """Knows what ``HOP`` needs, and says of it what a prompt shows."""

    restless: bool = False
    """Whether it always asks for more."""
    checklist: Sequence[str] = ("who founded the observatory", "where the founder was born")
    verdict: str = "supported"
    """On the sentences that hold ``judged``; the others are supported."""
    judged: str = "founded it"
    founder: str = "Odile Varga founded it"
    """How it says who the founder is."""
    changes: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Put in the place of what it would say."""

    def __call__(self, request: ModelRequest) -> dict[str, JsonValue] | str:
        """Answer ``request``."""
        if request.step == "synthesize":
            return self.written(request)
        if request.step == "check":
            return {"verdicts": list(self.verdicts(request))}
        missing = [step for step in STEPS if not holding(request, step[0])]
        done = not missing
        findings: list[JsonValue] = [
            {"id": number, "items": [place]}
            for place, (fact, _) in enumerate(STEPS, 1)
            for number in holding(request, fact)
        ]
        satisfied: list[JsonValue] = [
            place for place, (fact, _) in enumerate(STEPS, 1) if holding(request, fact)
        ]
        queries: list[JsonValue] = [{"query": query} for _, query in missing[:1]]
        if self.restless:
            queries = [{"query": f"more on Hask {len(str(request))}"}]
        said: dict[str, JsonValue] = {
            "checklist": list(self.checklist),
            "findings": findings,
            "ids": [number for fact, _ in STEPS for number in holding(request, fact)],
            "satisfied": satisfied,
            "gaps": [query for _, query in missing],
            "queries": queries,
            "sufficient": done and not self.restless,
            "confidence": 0.9 if done else 0.3,
        }
        if request.output and "answer" in str(request.output.definition.get("required")):
            said["answer"] = self.written(request) if done else ""
        if request.step == "evaluate":
            del said["checklist"]
        return in_order({**said, **self.changes}, request)

    def verdicts(self, request: ModelRequest) -> Iterator[JsonValue]:
        """Yield a verdict for every sentence with a number."""
        listed = request.messages[-1].content.split("Passages:")[0]
        for number, text in re.findall(r"(?m)^(\d+)\. (.*)", listed):
            verdict = self.verdict if self.judged in text else "supported"
            yield {"number": int(number), "verdict": verdict}

    def written(self, request: ModelRequest) -> str:
        """Return the answer, as far as the passages go."""
        facts = {
            BORN: "Odile Varga was born in Tressel Ford in 1861",
            FOUNDER: self.founder,
        }
        told = [
            f"{words} [{holding(request, fact)[0]}]."
            for fact, words in facts.items()
            if holding(request, fact)
        ]
        return " ".join(told) or "Nothing of it is known."


def thinking(
    model: ChatModel,
    *providers: SearchProvider,
    write: ChatModel | None = None,
    check: ChatModel | None = None,
    fallback: bool = True,
    prices: Prices | None = None,
) -> Engine:
    """Return an engine over the shelf that reasons with ``model``."""
    models = Models(plan=model, evaluate=model, write=write or model, check=check or model)
    return Engine(
        providers=providers or (Shelf(),),
        reasoner=ModelReasoner(models),
        fallback=ExtractiveReasoner() if fallback else None,
        prices=prices or Prices(),
        reader=Desk(),
        chunker=PassageChunker(),
    )


def leading(
    *rounds: Sequence[str] | None,
) -> Callable[[ModelRequest], dict[str, JsonValue] | str]:
    """Return the script of a model that gives these topics out, ``None`` for an end."""
    left = list(rounds)

    def script(request: ModelRequest) -> dict[str, JsonValue] | str:
        if request.step not in {"brief", "supervise"}:
            return Mind()(request)
        topics = left.pop(0) if left else None
        said: dict[str, JsonValue] = {
            "reflection": "Let us see.",
            "topics": list(topics or ()),
            "last": False,
        }
        if request.step == "brief":
            return {**said, "brief": "Find out what is asked."}
        return {**said, "complete": topics is None}

    return script


def led_by(model: ChatModel, *providers: SearchProvider, fallback: bool = True) -> Engine:
    """Return an engine whose supervisor asks ``model``."""
    return replace(thinking(model, *providers, fallback=fallback), strategy=Strategy.SUPERVISOR)


def prompts(model: ScriptedModel, step: str) -> list[str]:
    """Return what ``model`` was asked in ``step``."""
    return [r.messages[1].content for r in model.requests if r.step == step]
