"""What every call of a run shares: the marks of its data, its ledger, and the room in a window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from quaere.domain.evidence import Evidence
from quaere.domain.model import Message, ModelRequest
from quaere.domain.question import Checklist
from quaere.ports import ChatModel, Ledger
from quaere.reason.llm import sheet
from quaere.reason.llm.fence import Fence
from quaere.reason.llm.fit import heard

OUTPUT_SHARE: Final = 0.25
"""Share of a context window that the output may take at the most."""
MARGIN: Final = 0.9
"""Share of the room that prompts are made to fit into: estimates err."""
FRAME_TOKENS: Final = 900
"""What a prompt takes without question and passages, the schema of its answer included."""
QUESTION_SHARE: Final = 0.25
"""Share of the room that the question may take; its context may take half as much."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The marks and the ledger of one run."""

    ledger: Ledger
    fence: Fence = field(default_factory=Fence)

    def room(self, model: ChatModel, output_tokens: int) -> int:
        """Return the tokens, as they are estimated, that ``model`` has for what it is shown."""
        window = model.context_tokens
        left = window - min(output_tokens, int(window * OUTPUT_SHARE)) - FRAME_TOKENS
        return max(0, int(MARGIN * left / max(1.0, self.ledger.ratio(model.name))))

    def question(self, text: str, room: int) -> str:
        """Return a question as far as it may take ``room``."""
        return heard(text, int(room * QUESTION_SHARE))

    def context(self, text: str, room: int) -> str:
        """Return the line that tells what the answer is needed for, or nothing."""
        return sheet.context_line(self.fence, heard(text, int(room * QUESTION_SHARE / 2)))

    def request(
        self, step: str, model: ChatModel, messages: Sequence[Message], output_tokens: int
    ) -> ModelRequest:
        """Return the request of ``step``, whose output leaves room for its prompt."""
        limit = min(output_tokens, int(model.context_tokens * OUTPUT_SHARE))
        return ModelRequest(step=step, messages=tuple(messages), max_output_tokens=max(1, limit))


def bearing(checklist: Checklist, evidence: Sequence[Evidence]) -> frozenset[int]:
    """Return the ids of the evidence that some item of ``checklist`` rests on."""
    passages = {key for item in checklist.items for key in item.evidence}
    return frozenset(entry.id for entry in evidence if entry.passage in passages)
