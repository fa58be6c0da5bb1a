"""What every call of a run shares: the marks of its data, its ledger, and the room in a window."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Template
from types import MappingProxyType
from typing import Final

from quaere.domain.evidence import Evidence
from quaere.domain.model import Message, ModelRequest, Role
from quaere.domain.question import Checklist, Question
from quaere.domain.source import Passage
from quaere.errors import ContractError
from quaere.models.failures import ModelUnusable
from quaere.models.meter import prompt_tokens
from quaere.ports.model import ChatModel, Ledger, thinking_tokens, traits_of
from quaere.reason.llm import sheet
from quaere.reason.llm.contracts import Output, Reduced, narrowed
from quaere.reason.llm.sheet import Fence, evidence_within, shortened_to
from quaere.text.similarity import Bm25
from quaere.text.tokens import terms

_FILE = re.compile(r"version: (\d+)\n+# system\n+(.*?)\n+# user\n+(.*)", re.DOTALL)
_GAP = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file."""

    version: int
    system: Template
    user: Template

    def fill(self, **values: str) -> tuple[Message, ...]:
        """Return the messages with ``values`` filled in.

        Raises:
            KeyError: when a value is missing.
        """
        return (
            Message(role=Role.SYSTEM, content=_tidy(self.system.substitute(values))),
            Message(role=Role.USER, content=_tidy(self.user.substitute(values))),
        )


@cache
def prompt(name: str) -> Prompt:
    """Return the prompt in the file ``name``.md."""
    text = (files("quaere.reason.llm") / "prompts" / f"{name}.md").read_text("utf-8")
    match = _FILE.fullmatch(text)
    if match is None:
        raise ValueError(f"prompts/{name}.md lacks its version or one of its parts")
    version, system, user = match.groups()
    return Prompt(int(version), Template(system), Template(user))


def _tidy(text: str) -> str:
    """Return ``text`` without the gaps that empty values leave."""
    return _GAP.sub("\n\n", text).strip()


OUTPUT_SHARE: Final = 0.25
"""Largest share of a context window that the output may take."""
MARGIN: Final = 0.95
"""Share of the rest that a prompt is made to fit into: estimates err."""
QUESTION_SHARE: Final = 0.15
"""Share of a context window that the question may take; its context may take half as much."""
JUDGING_SHARE: Final = 0.6
"""Share of the tokens left in the budget that a call may take which leaves the answer to be
written: what is shown is shortened to it, so that the last tokens are not spent on judging."""
LATE_SHARES: Final = MappingProxyType({"synthesize": 0.75, "check": 1.0})
"""The same share of the steps after the search: what was written is still to be checked, and
nothing has to be paid after that."""
FEW_PASSAGES, FEW_TOKENS = 8, 1_200
"""What a small model is shown at most: it cannot weigh more, and on a processor without a graphics
card it reads ten to a hundred tokens a second."""
LEAST_OUTPUT: Final = 800
"""Tokens below which an output is not limited for the sake of the budget: it would be cut off."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """The passages to show to a call, as far as there is room for them."""

    evidence: Sequence[Evidence]
    passages: Mapping[str, Passage]
    wanted: str
    """What they are looked at for; decides which stretch of a long one is kept."""
    whole: Collection[int] = ()
    """Ids of the evidence that is shortened last."""
    new: Collection[int] = ()
    """Ids that were not shown before."""
    titles: Collection[int] = ()
    """Ids that are shown by their title alone."""


MOST_UNREAD: Final = 2
"""Judgements in a row that were of no use, each asked for twice, after which a model is asked for
no more of them: words judge in its place, and it may still write."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The marks and the ledger of one run, and how its models judged."""

    ledger: Ledger
    fence: Fence = field(default_factory=Fence)
    _unread: Counter[str] = field(default_factory=Counter[str])
    """By model, how many judgements in a row were of no use."""

    @contextmanager
    def judging(self, model: ChatModel) -> Generator[None]:
        """Let ``model`` be asked for a judgement in the block.

        Raises:
            ModelUnusable: when the last of its judgements were of no use.
            ContractError: when this one is of none; it says so where that was the last one.
        """
        if self._unread[model.name] >= MOST_UNREAD:
            raise ModelUnusable(f"{model.name} is not asked to judge again.")
        try:
            yield
        except ContractError as error:
            self._unread[model.name] += 1
            if self._unread[model.name] < MOST_UNREAD:
                raise
            reason = error.message.removesuffix(".")
            raise ContractError(f"{reason}. It was not asked again.") from error
        self._unread.pop(model.name, None)

    def question_fields(self, question: Question, model: ChatModel) -> dict[str, str]:
        """Return the question and what the user says about it, as far as they may take room."""
        room = int(model.context_tokens * QUESTION_SHARE)
        return {
            "question": shortened_to(question.text, room),
            "context": "".join(
                (
                    sheet.context_line(self.fence, shortened_to(question.context, room // 2)),
                    sheet.conversation(self.fence, question.conversation, room // 2),
                    sheet.form_line(question.form),
                )
            ),
        }

    def request(
        self,
        step: str,
        model: ChatModel,
        exhibit: Exhibit,
        values: Mapping[str, str],
        *,
        output_tokens: int,
        contract: type[Output] | Reduced | None = None,
    ) -> ModelRequest:
        """Return the request of ``step``: its prompt with ``values``, and what fits of ``exhibit``.

        The prompt is that in the file of its name, unless ``contract`` has one of its own.

        Prompt and answer together keep to the context window of ``model``, by what its vendor has
        counted so far, and to the tokens left in the budget.
        """
        tokens = self._room(step, model)
        limit = max(1, min(output_tokens, int(model.context_tokens * OUTPUT_SHARE)))
        limit = min(limit, max(LEAST_OUTPUT, int(tokens * OUTPUT_SHARE)))
        whole = contract.contract if isinstance(contract, Reduced) else contract
        text = prompt((whole and whole.wording) or step)

        def filled(passages: str, shown: int) -> ModelRequest:
            output = narrowed(contract, shown) if contract else None
            messages = text.fill(**values, fence=self.fence.word, passages=passages)
            return ModelRequest(
                step=step, messages=messages, output=output, max_output_tokens=limit
            )

        window = MARGIN * (tokens - limit - thinking_tokens(model))
        room = int(window / max(1.0, self.ledger.ratio(model.name))) - prompt_tokens(
            filled("", 1), traits_of(model)
        )
        evidence = exhibit.evidence
        if traits_of(model).small:
            evidence, room = evidence[:FEW_PASSAGES], min(room, FEW_TOKENS)
        shown = evidence_within(
            evidence,
            exhibit.passages,
            exhibit.wanted,
            room=max(0, room),
            whole=exhibit.whole,
            titles=exhibit.titles,
        )
        return filled(sheet.passage_blocks(self.fence, shown, exhibit.new), len(shown))

    def _room(self, step: str, model: ChatModel) -> int:
        """Return the tokens that prompt and output of ``step`` may take together."""
        left = self.ledger.tokens_left()
        share = LATE_SHARES.get(step, JUDGING_SHARE)
        return min(model.context_tokens, int(share * left))


def evidence_relied_on(checklist: Checklist, evidence: Sequence[Evidence]) -> frozenset[int]:
    """Return the ids of the evidence that some item of ``checklist`` rests on."""
    passages = {key for item in checklist.items for key in item.evidence}
    return frozenset(entry.id for entry in evidence if entry.passage in passages)


def of_named_pages(queries: Iterable[str], evidence: Sequence[Evidence]) -> frozenset[int]:
    """Return the ids of the evidence whose page some of ``queries`` names by its whole title."""
    asked = [frozenset(terms(query)) for query in queries]
    titles = ((entry.id, frozenset(terms(entry.title))) for entry in evidence)
    return frozenset(
        number for number, title in titles if title and any(title <= query for query in asked)
    )


def led_to(
    queries: Iterable[str],
    question: str,
    evidence: Sequence[Evidence],
    passages: Mapping[str, Passage],
) -> frozenset[int]:
    """Return the ids of the evidence that ``queries`` are likely to have come from.

    A query has the words that ``question`` lacks from a passage. A model that forgot to name it
    among its findings needs it all the same: the answer rests on it.
    """
    held, index = _indexed(evidence, passages)
    known, found = frozenset(terms(question)), set[int]()
    for query in queries:
        scores = index.scores(term for term in terms(query) if term not in known)
        best = max(range(len(held)), key=lambda place: scores[place], default=None)
        if best is not None and scores[best] > 0:
            found.add(held[best].id)
    return frozenset(found)


FITTING = 3
"""Passages that are looked at for each query; what answers one stood among its best three in 96 %
of 180 searches."""


def best_fitting(
    queries: Iterable[str], evidence: Sequence[Evidence], passages: Mapping[str, Passage]
) -> frozenset[int]:
    """Return the ids of the evidence that fits each of ``queries`` best.

    What a model asked for last may be in a passage that bore on nothing before.
    """
    held, index = _indexed(evidence, passages)
    found: set[int] = set()
    for wanted in map(terms, queries):
        scores = index.scores(wanted)
        found |= {held[n].id for n in index.ranked(wanted)[:FITTING] if scores[n] > 0}
    return frozenset(found)


def _indexed(
    evidence: Sequence[Evidence], passages: Mapping[str, Passage]
) -> tuple[list[Evidence], Bm25]:
    """Return the evidence whose passages are there, and an index over their text in that order."""
    held = [entry for entry in evidence if entry.passage in passages]
    return held, Bm25([terms(f"{e.title}\n{passages[e.passage].text}") for e in held])
